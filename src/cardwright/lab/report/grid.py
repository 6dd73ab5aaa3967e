"""Grids: tables of strings, for terminals and pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

SHORT = 10
"""The most rows of interactions and of cells in a table that may come among the first."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row's cells, the first of which is its name; `marked` rows are clear effects."""

    texts: tuple[str, ...]
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: heading, note, names of columns, rows.

    `first` says that it is among those shown first; the others are for readers who want to know
    more.
    """

    heading: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    first: bool = True


def rich_table(grid: ReportTable) -> Table:
    """Return a table for a terminal, without its heading and note; clear effects are bold."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="left" if number == 0 else "right", overflow="fold")
    for row in grid.rows:
        table.add_row(*map(Text, row.texts), style="bold" if row.marked else "")
    return table
