"""`cardwright figures`: figures of random games of one game or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import OF_RANDOM_GAMES, random_figures
from cardwright.english import counted
from cardwright.interfaces.cli.analyze import refuse_used, study_bar
from cardwright.interfaces.cli.parameters import complete_game
from cardwright.interfaces.cli.vocabulary import (
    figure_files,
    figure_formats_option,
    figure_options,
    games_option,
    out_option,
    quiet_option,
    seed_option,
    style_option,
    workers_option,
)

if TYPE_CHECKING:
    from pathlib import Path

KINDS = tuple(one.name for one in OF_RANDOM_GAMES)
_USUAL = ("branching", "flow")


def _kinds(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Read `--kinds`, as names of figures."""
    try:
        return random_figures(part.strip() for part in value.split(",") if part.strip())
    except AnalysisError as error:
        raise click.BadParameter(str(error), ctx, param) from None


@click.command("figures")
@click.argument("names", metavar="[GAME...]", nargs=-1, shell_complete=complete_game)
@click.option("--valet", is_flag=True,
              help="The 21 games of the Valet collection, in its style.")  # fmt: skip
@click.option("--kinds", metavar="KIND,...", default=",".join(_USUAL), show_default=True,
              callback=_kinds, help=f"Which figures: {', '.join(KINDS)}.")  # fmt: skip
@games_option("They are played at random, of each game.", default=100)
@click.option("--rollouts", type=click.IntRange(min=1),
              help="How many of them a flow diagram is made of.  [default: 1 in the valet style, "
              "or else all]")  # fmt: skip
@seed_option(default=1)
@out_option("The figures are saved beside it.", "figures")
@style_option(more="[default: valet with --valet, or else cardwright]")
@figure_formats_option
@figure_options
@workers_option("Games.")
@quiet_option
def command(names: tuple[str, ...], out: Path, **options: Any) -> None:
    """Draw figures of random games, for many games at once.

    GAME is a name of the library, GAME:PRESET, or the path of a file. Each kind has a folder with a
    figure of every game, and index.html shows them all.
    """
    from cardwright.study.gallery import VALET, check_collection, draw_games
    from cardwright.study.games import StudiedGame

    if bool(names) == options["valet"]:
        raise click.UsageError("name games, or give --valet: one of the two")
    refuse_used(out)
    games = [StudiedGame.of(text) for text in (names or VALET)]
    if options["valet"]:
        check_collection(games)
    style: Any = options["look"] or ("valet" if options["valet"] else "cardwright")
    with study_bar(quiet=options["quiet"]) as tell:
        draw_games(
            games, out, kinds=options["kinds"], count=options["games"],
            rollouts=options["rollouts"], seed=options["seed"], style=style,
            files=figure_files(options), workers=options["workers"], tell=tell,
        )  # fmt: skip
    click.echo(
        f"{counted(len(games), 'game')}, {counted(options['games'], 'random game')} each, seed "
        f"{options['seed']}: {', '.join(options['kinds'])}; all of them in {out / 'index.html'}"
    )
