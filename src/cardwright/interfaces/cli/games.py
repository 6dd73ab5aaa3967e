"""`cardwright games`: the games of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import in_short
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from cardwright.library.catalogue import CatalogueEntry

_COLUMNS = ("name", "title", "players")
_FACTS = (*_COLUMNS, "deck", "origin", "date", "source", "mechanics", "information")


@click.command("games")
@format_option
def command(style: str) -> None:
    """List the games of the library."""
    from cardwright.library import catalogue

    found = list(catalogue.library_games().values())
    records = [as_record(facts) for facts in found]
    print_results(style, lambda: {"games": records}, (_FACTS, records), lambda: _show(found))


def as_record(facts: CatalogueEntry) -> dict[str, Any]:
    """Return facts as a JSON object."""
    return {
        **{key: value for key, value in vars(facts).items() if key != "settings"},
        "declared": facts.declared,
        "presets": {name: preset.about for name, preset in facts.settings.presets.items()},
    }


def _show(found: list[CatalogueEntry]) -> None:
    from rich.table import Table

    from cardwright.interfaces.cli.tables import (
        PADDING,
        print_rich,
        table_box,
        width,
    )

    rows = [(facts.name, facts.title, in_short(facts.players)) for facts in found]
    table = Table(box=table_box(), header_style="bold")
    left = width() - PADDING - 1
    for title, cells in zip(_COLUMNS, zip(*rows, strict=True), strict=True):
        table.add_column(title, style="bold" if title == "name" else None, no_wrap=True)
        left -= max(map(len, (title, *cells))) + PADDING
    table.add_column("about", no_wrap=True)
    for row, facts in zip(rows, found, strict=True):
        table.add_row(*row, _fitting(facts.mechanics, left))
    print_rich(table)
    click.echo("\n`cardwright show GAME` tells more about one of them.")


def _fitting(tags: tuple[str, ...], room: int) -> str:
    """Return as many tags as fit on a line."""
    text = ""
    for tag in tags:
        longer = f"{text}, {tag}" if text else tag
        if len(longer) > room:
            break
        text = longer
    return text
