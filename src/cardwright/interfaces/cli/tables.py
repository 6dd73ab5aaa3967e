"""Tables for terminals, drawn by rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.box import Box

PADDING = 3
"""Spaces between two columns of our tables, and before and after all of them."""


def width() -> int:
    """Return the width of the terminal, or a default."""
    return Console().width


def table_box() -> Box:
    """Return the borders of all our tables: one line below the headings, and nothing else."""
    return box.Box("    \n    \n ── \n    \n    \n    \n    \n    \n")


def new_table(*texts: str, numbers: Iterable[str] = (), **first: Any) -> Table:
    """Return a table with columns of texts, then of numbers; `first` is how the first one looks."""
    table = Table(box=table_box(), header_style="bold")
    for at, title in enumerate(texts):
        table.add_column(title, **({} if at else first))
    for title in numbers:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def print_rich(table: Table) -> None:
    """Print a table, without colours where they are not shown, and without spaces at line ends."""
    console = Console(highlight=False)
    with console.capture() as drawn:
        console.print(table)
    lines = (line.rstrip() for line in drawn.get().split("\n"))
    click.echo("\n".join(line for line in lines if line), color=console.color_system is not None)


def can_print(text: str) -> bool:
    """Say whether the standard output has these characters."""
    try:
        text.encode(Console().encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
