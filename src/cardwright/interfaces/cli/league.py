"""`cardwright league`: seasons of Hearts bots; each command has its own module."""

from __future__ import annotations

import click

from cardwright.interfaces.cli.lazy import LazyCommands


class LeagueCommands(LazyCommands):
    """The commands about seasons."""

    names = ("new", "check", "schedule", "run", "report")
    prefix = "league_"
    whose = " of the league"


@click.group("league", cls=LeagueCommands)
def command() -> None:
    """Seasons of Hearts by bots in Python files, played safely."""
