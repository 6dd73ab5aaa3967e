"""`cardwright league`: seasons of Hearts bots, whose commands are modules of their own."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = ("new", "check", "schedule", "run", "report")


class LeagueCommands(click.Group):
    """The commands about seasons, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people need them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, for which its module is loaded."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"cardwright.interfaces.cli.league_{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command


@click.group("league", cls=LeagueCommands)
def command() -> None:
    """Seasons of Hearts: bots that are Python files meet, safely."""
