"""The command line: `cardwright COMMAND`, one module a command."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
import warnings
from typing import NoReturn

_INTERRUPTED = 130


def main() -> None:
    """Run the command line with the arguments of the process."""
    # What a command imports and checks first stays: to search it for cycles over and over takes a
    # seventh of the time of a short command.
    gc.set_threshold(50_000, 20, 100)
    # NumPy would start threads for linear algebra, of which there is next to none here: that takes
    # as long as the rest of its import, in every process that a command starts too.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from cardwright.interfaces.cli.group import commands
        from cardwright.interfaces.cli.streams import prepare

        warnings.showwarning = _show_warning  # type: ignore[assignment]
        prepare()
        commands(prog_name="cardwright")
    except SystemExit as end:
        _leave(end.code)
    except OSError as error:  # output before any command runs, such as `--help`
        _leave(None, error)
    except KeyboardInterrupt:  # while the modules are loading
        _end(_INTERRUPTED)


def _show_warning(message: Warning | str, *_where: object) -> None:
    """Print a warning in the style of our messages, without its place in the program."""
    import click

    click.echo(f"{click.style('warning:', fg='yellow', bold=True)} {message}", err=True)


def _leave(code: str | int | None, trouble: OSError | None = None) -> None:
    """End the process; output that could not be written is an error, with exit code 1."""
    from cardwright.interfaces.cli.streams import finish, sink
    from cardwright.interfaces.cli.text import complain

    if trouble is not None:
        sink(sys.stdout)
    late = finish()
    trouble = trouble or late
    told = bool(code)
    if trouble is not None and not told and trouble.errno != errno.EPIPE:
        # the reader may close the pipe
        complain(f"the output cannot be written: {trouble.strerror or trouble}")
    _end(code or int(trouble is not None))


def _end(code: str | int) -> NoReturn:
    """End the process with an exit code.

    If a signal arrives while a string is executed, as named tuples do when their module is loaded,
    CPython ends the process by this signal in the end, although we have handled it. So nothing is
    left to it then but what is to be done at every exit.
    """
    if code == _INTERRUPTED:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_INTERRUPTED)
    sys.exit(code)
