"""`--format latex`: the tables that a command prints, as LaTeX, and all else as comments."""

from __future__ import annotations

import csv
import io
from contextlib import redirect_stdout
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cardwright.publication.latex import latex_table
from cardwright.syntax.data_files import plain_cell

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

HEAD = "% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}."


class LatexOutput(io.StringIO):
    """Takes the place of the standard output, so that tables can be told from other text."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[str] = []

    def table(self, table: Table) -> None:
        """Write a table of rich's."""
        self._comment()
        columns = [_plain(column.header) for column in table.columns]
        cells = zip(*([_plain(cell) for cell in column.cells] for column in table.columns),
                    strict=True)  # fmt: skip
        right = [column.justify == "right" for column in table.columns]
        self._parts.append(latex_table(columns, cells, right))

    def _comment(self) -> None:
        """Turn what was written since the last table into comments."""
        lines = [click.unstyle(line).strip() for line in self.getvalue().splitlines()]
        self._parts += [f"% {line}" for line in lines if line]
        self.seek(0)
        self.truncate()

    @property
    def written(self) -> bool:
        """Whether anything was."""
        return bool(self._parts or self.getvalue())

    def document(self) -> str:
        """Return everything that was written."""
        self._comment()
        return "\n".join([HEAD, *self._parts])

    def rows(self) -> str:
        """Return CSV that was written as a table."""
        read = csv.reader(io.StringIO(self.getvalue()))
        head, *rows = [[plain_cell(cell) for cell in row] for row in read]
        return f"{HEAD}\n{latex_table(head, rows)}"


def _plain(cell: Any) -> str:
    """Return the text of a cell, without markup."""
    from rich.text import Text

    return (cell if isinstance(cell, Text) else Text.from_markup(str(cell))).plain


def with_latex(command: Any, *, of_rows: bool) -> Any:
    """Let a command know `--format latex`: `of_rows` makes the table of its CSV."""
    if isinstance(command, click.Command):
        assert command.callback is not None
        command.callback = _with_latex(command.callback, of_rows)
        return command
    return _with_latex(command, of_rows)


def _with_latex(call: Callable[..., Any], of_rows: bool) -> Callable[..., Any]:
    @wraps(call)
    def wrapped(*args: Any, style: str, **options: Any) -> Any:
        if style != "latex":
            return call(*args, style=style, **options)
        output = LatexOutput()
        try:
            with redirect_stdout(output):
                return call(*args, style="csv" if of_rows else "table", **options)
        finally:
            if output.written:
                click.echo(output.rows() if of_rows else output.document())

    return wrapped
