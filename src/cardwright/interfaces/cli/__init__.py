"""The command line: `cardwright COMMAND`, one module a command."""

from __future__ import annotations

import sys
import warnings


def main() -> None:
    """Run the command line with the arguments of the process."""
    try:
        from cardwright.interfaces.cli.group import commands  # noqa: PLC0415 - see below

        warnings.showwarning = _show_warning  # type: ignore[assignment]
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        commands(prog_name="cardwright")
    except KeyboardInterrupt:  # while the modules are loading
        sys.exit(130)


def _show_warning(message: Warning | str, *_where: object) -> None:
    """Print a warning as messages are printed here: where in the program it came up is no use."""
    import click  # noqa: PLC0415 - see above

    click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {message}", err=True)
