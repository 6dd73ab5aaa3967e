"""Groups of commands, each of which is a module that is loaded when the command is called."""

from __future__ import annotations

from importlib import import_module
from typing import ClassVar

import click

from cardwright.interfaces.cli.needs import needing


class LazyCommands(click.Group):
    """A group whose commands are the `names`, in the order in which they are listed.

    The command of a name is `command` in the module of that name after the `prefix`, with an
    underscore for a hyphen. `whose` is put
    after the name of an unknown command, as in "no command of the lab".
    """

    names: ClassVar[tuple[str, ...]] = ()
    prefix: ClassVar[str] = ""
    whose: ClassVar[str] = ""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, loading its module."""
        if cmd_name not in self.names:
            return None
        own = cmd_name.replace("-", "_")
        module = import_module(f"cardwright.interfaces.cli.{self.prefix}{own}")
        command = module.command
        assert isinstance(command, click.Command)
        if isinstance(command, click.Group):
            return command
        return needing(self.prefix.replace("_", " ") + cmd_name, command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; suggest one for an unknown name."""
        name = args[0]
        if name not in self.names and not name.startswith("-") and not ctx.resilient_parsing:
            from cardwright.syntax.suggest import did_you_mean

            advice = did_you_mean(name, self.names) or f"the commands are {', '.join(self.names)}"
            ctx.fail(f"there is no command {name!r}{self.whose}; {advice}")
        return super().resolve_command(ctx, args)
