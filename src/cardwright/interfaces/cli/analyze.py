"""`cardwright analyze`: what a game or some of its variants are like, in numbers and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.analyze_play import (
    analysis_options,
    asked,
    study,
    study_bar,
    study_options,
)
from cardwright.interfaces.cli.parameters import complete_game, preset_option, set_option
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
    """Say what a game is like, in numbers and figures.

    It is played at random and by a player that thinks.

    GAME is a name of the library or the path of a file; GAME:PRESET is a named variant. Several are
    compared with the first. --set and --preset apply to all of them.

    Writes a page, figures, diagrams and all numbers to --out, and keeps the games there. Games that
    stop with an error are counted and make the exit code 1.
    """
    from cardwright.study.games import distinct, names_of

    wanted = analysis_options(ctx, options)
    games = distinct([asked(text, overrides, preset) for text in names])
    with study_bar(quiet=wanted.quiet) as tell:
        report = study(ctx, wanted, games, tell, heading=names_of(games))
    from cardwright.interfaces.cli.analyze_show import show
    from cardwright.study.writer import NUMBERS, as_json

    if style == "json":
        click.echo(as_json(report.record()), nl=False)
    elif style == "csv":
        click.echo((wanted.out / NUMBERS).read_text(encoding="utf-8"), nl=False)
    else:
        show(wanted, report.subjects)
    ctx.exit(1 if report.errors else 0)
