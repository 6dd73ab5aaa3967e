"""Results as CSV."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV with a header, without a final line end; None is an empty cell."""
    cells = ([_cell(value) for value in row] for row in rows)
    return csv_text(columns, cells).removesuffix("\n")


def records_as_csv(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Return these entries of JSON objects as CSV, a row per object."""
    return as_csv(columns, ([record[name] for name in columns] for record in records))


def _cell(value: Any) -> Any:
    """Return the text of a cell: a list as its items, Booleans and objects as in JSON."""
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ";".join(str(_cell(item)) for item in value)
    return value
