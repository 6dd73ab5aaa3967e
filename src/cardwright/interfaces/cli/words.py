"""The words of a call, which a command keeps to say how to resume it if it is interrupted."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = "cardwright.words"
"""Where the words are in a context's `meta`."""

INTERRUPTED = 130
"""The exit status of a command ended by Ctrl-C, as in shells."""


class KeepingCommand(click.Command):
    """A command that keeps its words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a call."""
        ctx.meta[WORDS] = list(args)
        return super().parse_args(ctx, args)


def seed_of(
    given: int | None, kept: Callable[[], int | None] | None = None, *, one_game: bool = False
) -> int:
    """Return the seed given, or that of the run to resume, or else a drawn one.

    It is for a job, or for `one_game`. `kept` returns the seed of the run to resume; None if
    there is none.
    """
    if given is not None:
        return given
    before = None if kept is None else kept()
    if before is not None:
        return before
    from cardwright.game.seeds import GAME_BITS, JOB_BITS, drawn_seed

    return drawn_seed(GAME_BITS if one_game else JOB_BITS)


def say_how_to_go_on(
    ctx: click.Context, happened: str, seed: int, *, kept: bool = True, without: str | None = None
) -> None:
    """Say on the standard error what happened, and the call that resumes an interrupted one.

    That is the call as it was given, with the seed if it was drawn, with `--resume`, and `without`
    a flag that conflicts with it; or that it could have been, if nothing is `kept`. The command
    must be a `KeepingCommand`, at the top or in a group.
    """
    if not kept:
        click.echo(
            f"\n{happened}; nothing is kept; with --records DIR it could have been resumed",
            err=True,
        )
        return
    given = [word for word in ctx.meta[WORDS] if word != without]
    words = ["cardwright", *ctx.command_path.split()[1:], *given]
    if not any(word == "--seed" or word.startswith("--seed=") for word in words):
        words += ["--seed", str(seed)]
    if "--resume" not in words:
        words.append("--resume")
    click.echo(f"\n{happened}; what was played is kept. To resume:", err=True)
    click.echo(f"  {shlex.join(words)}", err=True)
