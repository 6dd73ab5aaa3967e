"""`cardwright lab`: experiments on what decides a game; its commands are modules of their own."""

from __future__ import annotations

import click

from cardwright.interfaces.cli.lazy import LazyCommands


class LabCommands(LazyCommands):
    """The commands about experiments."""

    names = ("one", "all", "factorial", "screen", "run", "report")
    prefix = "lab_"
    whose = " of the lab"


@click.group("lab", cls=LabCommands)
def command() -> None:
    """Find out what decides a game, by experiments."""
