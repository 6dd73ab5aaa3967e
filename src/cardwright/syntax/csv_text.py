"""CSV for people: names from elsewhere are no formulas when a spreadsheet opens it."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

Cell = TypeVar("Cell")

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?(inf|nan)|[+-]", re.I)


def csv_text(columns: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV with a header; lines end with a line feed, None is an empty cell."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(map(safe_cell, columns))
    writer.writerows(map(safe_cell, row) for row in rows)
    return written.getvalue()


def safe_cell(cell: Cell) -> Cell | str:
    """Return a cell with an apostrophe before a text that a spreadsheet takes for a formula.

    That is one which begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and is no number.
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def plain_cell(cell: str) -> str:
    """Return a cell without the apostrophe that `safe_cell` has put before it."""
    return cell[1:] if cell.startswith("'") and safe_cell(cell[1:]) == cell else cell
