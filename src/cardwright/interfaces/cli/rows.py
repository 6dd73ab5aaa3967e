"""Results for programs, as JSON and as CSV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Row = Sequence[Any] | Mapping[str, Any]


def print_results(
    style: str,
    record: Callable[[], object],
    rows: tuple[Sequence[str], Iterable[Row]],
    show: Callable[[], object],
) -> None:
    """Print what a command has found, as it is asked for: a JSON object, rows, or for people.

    `rows` are columns with their names, and what is in each: values in order, or by name.
    """
    if style == "json":
        click.echo(as_json(record()))
    elif style == "csv":
        columns, found = rows
        click.echo(as_csv(columns, (_values(columns, row) for row in found)))
    else:
        show()


def as_json(record: object) -> str:
    """Return a JSON object, with letters as they are where they can be shown."""
    from cardwright.interfaces.cli.tables import can_print

    text = json.dumps(record, ensure_ascii=False, indent=2)
    return text if can_print(text) else json.dumps(record, indent=2)


def _values(columns: Sequence[str], row: Row) -> Sequence[Any]:
    return [row[name] for name in columns] if isinstance(row, Mapping) else row


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV with a header, without a final line end; None is an empty cell."""
    cells = ([_cell(value) for value in row] for row in rows)
    return csv_text(columns, cells).removesuffix("\n")


def records_as_csv(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> str:
    """Return these entries of JSON objects as CSV, a row per object."""
    return as_csv(columns, (_values(columns, record) for record in records))


def _cell(value: Any) -> Any:
    """Return the text of a cell: a list as its items, Booleans and objects as in JSON."""
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ";".join(str(_cell(item)) for item in value)
    return value
