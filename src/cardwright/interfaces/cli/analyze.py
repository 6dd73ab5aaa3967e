"""`cardwright analyze`: what a game, or some variants, are like, in numbers and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.analyze_play import (
    study,
    study_bar,
    study_options,
    wishes,
)
from cardwright.interfaces.cli.parameters import complete_game, preset_option, set_option
from cardwright.interfaces.cli.text import listed
from cardwright.interfaces.cli.words import KeepingCommand

if TYPE_CHECKING:
    from cardwright.interfaces.cli.parameters import Overrides


@click.command("analyze", cls=KeepingCommand)
@click.argument("names", metavar="GAME...", nargs=-1, required=True, shell_complete=complete_game)
@preset_option
@set_option
@study_options("analysis")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    names: tuple[str, ...],
    preset: str | None,
    overrides: Overrides,
    style: str,
    **options: Any,
) -> None:
    """Say what a game is like, in numbers and pictures.

    It is played at random and by a player that thinks.

    GAME is a name of the library or the path of a file; GAME:PRESET is a variant that has a name.
    Several are compared with the first. --set and --preset are for all of them.

    Writes to --out a page, figures, diagrams and all numbers, and keeps the games there. Games that
    stop with an error are counted and make the exit code 1.
    """
    from cardwright.interfaces.cli.analyze_games import asked, unlike

    wanted = wishes(ctx, options)
    chosen = unlike([asked(text, overrides, preset) for text in names])
    with study_bar(quiet=wanted.quiet) as tell:
        subjects = study(ctx, wanted, chosen, tell)
        from cardwright.interfaces.cli.analyze_draw import NUMBERS, Writer, as_json
        from cardwright.interfaces.cli.analyze_show import show

        found = Writer(wanted, tell).write(
            chosen, subjects, listed(one.title.name for one in chosen)
        )
    if style == "json":
        click.echo(as_json(found), nl=False)
    elif style == "csv":
        click.echo((wanted.out / NUMBERS).read_text(encoding="utf-8"), nl=False)
    else:
        show(wanted, subjects)
    ctx.exit(1 if any(sum(one.broken.values()) for one in subjects) else 0)
