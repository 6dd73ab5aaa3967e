"""Grids: tables of texts, which terminals and pages show alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

SHORT = 10
"""Rows of interactions and of cells that do not have to stand back behind other tables."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row's texts, of which the first is its name; `marked` rows are clear effects."""

    texts: tuple[str, ...]
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: heading, what there is to know of it, names of columns, rows.

    `first` says that it is among those that come first; the others are for who wants to know more.
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
