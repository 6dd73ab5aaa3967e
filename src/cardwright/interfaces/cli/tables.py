"""Tables for terminals, drawn by rich."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console

if TYPE_CHECKING:
    from rich.box import Box
    from rich.table import Table

PADDING = 3
"""Spaces between two columns of our tables, and before and after all of them."""


def width() -> int:
    """Return the width of the terminal, or a default."""
    return Console().width


def table_box() -> Box:
    """Return the borders of all our tables: one line below the headings, and nothing else."""
    return box.Box("    \n    \n ── \n    \n    \n    \n    \n    \n")


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
