"""Errors of click's, printed like all other errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.text import complain

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Complaint(click.ClickException):
    """An error of click's that begins as ours do."""

    def __init__(self, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        self.exit_code = error.exit_code  # type: ignore[misc] # that of each error
        self._ctx: click.Context | None = getattr(error, "ctx", None)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message, after the usage of the command if the call was wrong."""
        if self._ctx is not None:
            usage = f"{self._ctx.get_usage()}\nTry '{self._ctx.command_path} --help' for help.\n"
            click.echo(usage, file, err=True)
        complain(self.message)


@contextmanager
def complaining() -> Iterator[None]:
    """Print errors that click raises in our style; help is not an error and stays as it is."""
    try:
        yield
    except (_Complaint, click.exceptions.NoArgsIsHelpError):
        raise
    except click.ClickException as error:
        raise _Complaint(error) from None
