"""What `league run` prints at the end: the standings, and the faults of bots."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from cardwright.interfaces.cli.rows import records_as_csv
from cardwright.interfaces.cli.tables import print_rich, table_box
from cardwright.interfaces.cli.text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.league.block import BotFault
    from cardwright.league.records import Season
    from cardwright.league.standings import LeagueStandings

    Faults = Mapping[int, Sequence[BotFault]]

_SHOWN = 40
_NAME_ROOM = 10
_PLACES = ("1st", "2nd", "3rd", "4th")
_FAULTS_SHOWN = 3
"""The most messages shown per bot."""


def show_season(season: Season, style: str = "table") -> None:
    """Print the results of a season."""
    outcome = season.outcome()
    if style == "table":
        _show_standings(outcome.standings)
        _show_faults(season, outcome.faults)
        return
    records = outcome.records()
    if style == "csv":
        click.echo(records_as_csv(list(records[0]), records))
        return
    plan = season.plan
    record = {
        "name": plan.name,
        "rules": str(plan.rules),
        "seed": str(plan.seed),
        "salt": plan.salt.hex(),
        "games": plan.games,
        "standings": records,
        "faults": [vars(fault) for mine in outcome.faults.values() for fault in mine],
    }
    click.echo(json.dumps(record, ensure_ascii=False, indent=2))


def _show_standings(standings: LeagueStandings) -> None:
    table = Table(box=table_box(), header_style="bold")
    table.add_column("bot", min_width=_NAME_ROOM)
    for title in ("games", *(f"{place} %" for place in _PLACES), "points", "hearts", "queens"):
        table.add_column(title, justify="right", no_wrap=True)
    ranked = standings.ranked()
    for one in ranked[:_SHOWN]:
        name = Text(printable(one.entry.name), no_wrap=True, overflow="ellipsis")
        if not one.games:
            table.add_row(name, "0", *["-"] * 7)
            continue
        shares = [f"{100 * float(place) / one.games:.1f}" for place in one.places]
        table.add_row(
            name, f"{one.games:,}", *shares, f"{one.points_a_game:.1f}",
            f"{one.hearts / one.games:.1f}", f"{one.queens / one.games:.1f}",
        )  # fmt: skip
    print_rich(table)
    if len(ranked) > _SHOWN:
        click.echo(f" ... and {len(ranked) - _SHOWN} more, in Standings.csv")
    click.echo(" Points, hearts and queens are means per game.")


def _show_faults(season: Season, faults: Faults) -> None:
    """Print the faults of each bot, with the first messages."""
    for entry, mine in sorted(faults.items()):
        kinds = Counter(fault.kind for fault in mine)
        forfeits = len({fault.game for fault in mine if fault.forfeit})
        name = printable(season.plan.bots[entry].name)
        listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        lost = f"; {counted(forfeits, 'game')} forfeited" if forfeits else ""
        click.echo(click.style(f"\n {name}: {listed}{lost}", fg="yellow"))
        shown = list(dict.fromkeys(fault.message for fault in mine))[:_FAULTS_SHOWN]
        for message in shown:
            first = next(fault for fault in mine if fault.message == message)
            click.echo(f"   game {first.game + 1}, seat {first.seat + 1}: {printable(message)}")
