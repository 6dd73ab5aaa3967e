"""`cardwright figures`: pictures of random games of one game or many, by one command."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cardwright.analysis.figures.registry import OF_RANDOM_GAMES
from cardwright.interfaces.cli.analyze_play import (
    crew,
    need_libraries,
    refuse_used,
    study_bar,
)
from cardwright.interfaces.cli.parameters import complete_game
from cardwright.interfaces.cli.text import counted
from cardwright.interfaces.cli.vocabulary import (
    games_option,
    out_option,
    quiet_option,
    seed_option,
    style_option,
    workers_option,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.interfaces.cli.analyze_games import Asked
    from cardwright.jobs.executor import Executor

VALET = {
    "agram": 3, "blackjack": 1, "crazyeights": 3, "cribbage": 2, "cuckoo": 6, "euchre": 4,
    "gofish": 4, "golfsix": 4, "goofspiel": 2, "hearts": 4, "klaverjassen": 4, "leduc": 2,
    "pitch": 4, "president": 5, "rummy": 2, "scarto": 3, "schwimmen": 5, "scopa": 2,
    "skitgubbe": 3, "sueca": 4, "whist": 4,
}  # fmt: skip
"""The games of the Valet collection by their names here, with its numbers of players."""

KINDS = tuple(one.name for one in OF_RANDOM_GAMES)
_USUAL = ("branching", "flow")


def _kinds(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Read `--kinds`, as names of pictures."""
    from cardwright.syntax.suggest import did_you_mean

    chosen = tuple(dict.fromkeys(part.strip() for part in value.split(",") if part.strip()))
    for one in chosen:
        if one not in KINDS:
            advice = did_you_mean(one, KINDS) or f"there are {', '.join(KINDS)}"
            raise click.BadParameter(f"{one!r} is no picture of this; {advice}", ctx, param)
    if not chosen:
        raise click.BadParameter(f"name one at least of {', '.join(KINDS)}", ctx, param)
    return chosen


@click.command("figures")
@click.argument("names", metavar="[GAME...]", nargs=-1, shell_complete=complete_game)
@click.option("--valet", is_flag=True,
              help="The 21 games of the Valet collection, in its style.")  # fmt: skip
@click.option("--kinds", metavar="KIND,...", default=",".join(_USUAL), show_default=True,
              callback=_kinds, help=f"Which pictures: {', '.join(KINDS)}.")  # fmt: skip
@games_option("So many of each are played at random.", 100)
@click.option("--rollouts", type=click.IntRange(min=1),
              help="Of them, those a diagram of flow is made of.  [default: 1 in the valet style, "
              "or all]")  # fmt: skip
@seed_option("", "1")
@out_option("The pictures are beside it.", "figures")
@style_option(more="[default: valet with --valet, or else cardwright]")
@workers_option("Games.  [default: one a processor]")
@quiet_option
def command(names: tuple[str, ...], out: Path, **options: Any) -> None:
    """Draw figures of random games, for many games at once.

    GAME is a name of the library, GAME:PRESET, or the path of a file. For each there are files in a
    folder for every kind, and a sheet of all is in index.html.
    """
    from cardwright.interfaces.cli.analyze_games import asked, unlike

    if bool(names) == options["valet"]:
        raise click.UsageError("name games, or give --valet: one of the two")
    need_libraries()
    refuse_used(out)
    style: Any = options["look"] or ("valet" if options["valet"] else "cardwright")
    rollouts = options["rollouts"] or (1 if style == "valet" else options["games"])
    chosen = unlike([_titled(asked(text, {}, None)) for text in (names or VALET)])
    if options["valet"]:
        _check_players(chosen)
    from cardwright.interfaces.cli.figures_draw import DrawGames

    draw = DrawGames(
        tuple(one.ref for one in chosen), tuple(one.title for one in chosen), str(out.absolute()),
        options["kinds"], style, options["games"], min(rollouts, options["games"]), options["seed"],
    )  # fmt: skip
    _draw(draw, chosen, crew(options["workers"]), quiet=options["quiet"])
    click.echo(
        f"{counted(len(chosen), 'game')}, {counted(options['games'], 'random game')} each, seed "
        f"{options['seed']}: {', '.join(options['kinds'])}; all of them in {out / 'index.html'}"
    )


def _titled(one: Asked) -> Asked:
    """Return a game of the library under its title, as `Crazy Eights`, where it is as it is."""
    from cardwright.library import catalogue

    if one.ref.name not in catalogue.names() or one.ref.preset:
        return one
    title = catalogue.facts(one.ref.name).title
    return replace(one, title=replace(one.title, name=title))


def _check_players(games: Sequence[Asked]) -> None:
    """Complain if a game of the collection is for other numbers of players than there."""
    for one in games:
        if one.title.players != VALET[one.ref.name]:
            raise click.ClickException(
                f"{one.ref.name} is for {VALET[one.ref.name]} players in the Valet collection, and "
                f"here for {one.title.players}"
            )


def _draw(draw: Any, games: Sequence[Asked], executor: Executor, *, quiet: bool) -> None:
    """Draw game by game, as many at a time as there are workers; then the sheets of all."""
    sheets: list[Any] = [None] * len(games)
    with study_bar(quiet=quiet) as tell:
        batches = (range(number, number + 1) for number in range(len(games)))
        for done, (number, made) in enumerate(executor.run(draw, batches), 1):
            sheets[number] = made[0]
            tell("drawing", done, len(games))
    draw.finish(sheets)
