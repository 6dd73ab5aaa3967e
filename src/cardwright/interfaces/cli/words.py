"""The words of a call, which a command keeps to say how to go on if it is interrupted."""

from __future__ import annotations

import click

WORDS = "cardwright.words"
"""Where the words are in a context's `meta`."""


class KeepingCommand(click.Command):
    """A command that keeps its words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a call."""
        ctx.meta[WORDS] = list(args)
        return super().parse_args(ctx, args)
