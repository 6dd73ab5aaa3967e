"""`cardwright lab`: experiments on what decides a game; its commands are modules of their own."""

from __future__ import annotations

from importlib import import_module

import click

_COMMANDS = ("one", "all", "factorial", "screen", "run", "report")


class LabCommands(click.Group):
    """The commands about experiments, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people need them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, for which its module is loaded."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"cardwright.interfaces.cli.lab_{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; suggest one for a name that none has."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from cardwright.syntax.suggest import did_you_mean  # noqa: PLC0415 - for errors only

            advice = did_you_mean(name, _COMMANDS) or f"the commands are {', '.join(_COMMANDS)}"
            ctx.fail(f"there is no command {name!r} of the lab; {advice}")
        return super().resolve_command(ctx, args)


@click.group("lab", cls=LabCommands)
def command() -> None:
    """Find out what decides a game, by experiments."""
