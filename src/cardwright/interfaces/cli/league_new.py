"""`cardwright league new`: makes a folder in which a season can be played."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import season_argument

if TYPE_CHECKING:
    from pathlib import Path


@click.command("new")
@season_argument(there=False)
def command(season: Path) -> None:
    """Make a new season in SEASON_DIR, which must be empty or not exist yet.

    It gets four example bots, a module of cards for your own bots, a roster and a schedule: all
    that `cardwright league run` needs.
    """
    from cardwright.league.season import BOTS, new_season

    new_season(season)
    where = shlex.quote(str(season))
    width = max(map(len, BOTS)) + len(".py")
    click.echo(click.style(f"{printable(str(season))}: a new season", bold=True))
    abouts = {
        "first_card": "the smallest possible bot",
        "low_card": "looks at its cards",
        "careful": "looks at the trick, and discards what is dangerous",
        "counting": "remembers what was played",
    }
    for name in BOTS:
        click.echo(f"  Bots/{name + '.py':<{width}}  {abouts[name]}")
    click.echo("\nNext:")
    for words, what in (
        (f"run {where}", "play it"),
        (f"report {where}", "make pages of the results"),
        (f"check {shlex.quote(str(season / 'Bots' / 'careful.py'))}", "check a bot"),
    ):
        click.echo(f"  cardwright league {printable(words)}")
        click.echo(f"      {what}")
    click.echo(f"\n{printable(str(season / 'README.md'))} says how to add your own bot.")
