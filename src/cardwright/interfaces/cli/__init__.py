"""The command line: `cardwright COMMAND`, one module a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line with the arguments of the process."""
    try:
        from cardwright.interfaces.cli.group import commands  # noqa: PLC0415 - see below

        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        commands(prog_name="cardwright")
    except KeyboardInterrupt:  # while the modules are loading
        sys.exit(130)
