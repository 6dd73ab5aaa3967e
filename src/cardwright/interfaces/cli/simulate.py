"""`cardwright simulate`: many games at once, and a summary of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.settings import SimulationSettings
from cardwright.interfaces.cli.estimate import say_before_simulation, say_cautions
from cardwright.interfaces.cli.parameters import (
    MOST_GAMES,
    game_options,
    parse_seeds,
    players_option,
    reading,
    seated,
)
from cardwright.interfaces.cli.vocabulary import (
    chosen_settings,
    format_option,
    games_option,
    quiet_option,
    settings_options,
)
from cardwright.interfaces.cli.words import INTERRUPTED, seed_of

if TYPE_CHECKING:
    from cardwright.arena.referee import GameRecord
    from cardwright.interfaces.cli.parameters import ChosenGame
    from cardwright.players.spec import PlayerSpec

_GAMES = 1000


@click.command("simulate")
@game_options(engine=True)
@games_option(usual=str(_GAMES), most=MOST_GAMES)
@click.option(
    "--seeds",
    metavar="A..B",
    callback=reading(parse_seeds),
    help="Play one game for each seed from A to B instead.",
)
@players_option("random")
@settings_options(SimulationSettings)
@click.option("--trace", is_flag=True, help="Add every decision of every game; JSON only.")
@quiet_option
@format_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    game: ChosenGame,
    games: int | None,
    seeds: range | None,
    players: tuple[PlayerSpec, ...],
    trace: bool,
    quiet: bool,
    style: str,
    **options: Any,
) -> None:
    """Play many games and sum them up.

    GAME is a name of the library or the path of a file. The same seed gives the same games. Games
    that stop with an error are listed and make the exit code 1. Ctrl-C prints what has been played
    so far.
    """
    settings: SimulationSettings = chosen_settings(SimulationSettings, options)
    seed, workers, scheduler = settings["seed"], settings["workers"], settings["scheduler"]
    _refuse(trace=trace, style=style, games=games, seed=seed, seeds=seeds)
    loaded = game.load()
    from cardwright.arena.simulation import simulation_job
    from cardwright.interfaces.cli import report
    from cardwright.interfaces.cli.progress import progress_bar

    settings |= {"seed": None if seeds else seed_of(seed), "seeds": seeds}
    job = simulation_job(loaded, seated(players, loaded.players), games or _GAMES, settings)
    bulk, executor = job.bulk and not trace, None
    if scheduler is not None:
        if trace:
            raise click.UsageError("--trace is for games that are played here: without --scheduler")
        from cardwright.arena.simulation import cluster

        executor = cluster(job, scheduler, workers)
    elif workers is not None and workers > 1 and not bulk:
        raise click.UsageError(
            "--workers is for random players and the native engine, without --trace; other players "
            "play on a cluster with --scheduler, or in a `match`"
        )
    traces: list[str] = []

    def keep(record: GameRecord) -> None:
        traces.append(report.trace(record))

    say_cautions(loaded, job.players)
    shown = not quiet and sys.stderr.isatty()
    with progress_bar("games", job.games, shown=shown) as tell:
        if not quiet:
            say_before_simulation(job, bulk=bulk, at_once=executor.workers if executor else 1)
        result = job.play(
            bulk=bulk, keep=keep if trace else None, progress=tell, whole_errors=style == "json",
            executor=executor,
        )  # fmt: skip
    if style == "json":
        click.echo(report.as_json(result, traces if trace else None))
    elif style == "csv":
        click.echo(report.as_csv(result))
    else:
        report.show(result, game.settings())
    if result.partial:
        click.echo(f"interrupted after {result.games:,} of {job.games:,} games", err=True)
        ctx.exit(INTERRUPTED)
    ctx.exit(1 if result.summary.errors else 0)


def _refuse(*, trace: bool, style: str, games: int | None, seed: int | None, seeds: object) -> None:
    """Raise an error for options that do not go together."""
    if trace and style != "json":
        raise click.UsageError("--trace needs --format json; for one game in words use `replay`")
    if seeds is not None and (games is not None or seed is not None):
        other = "--games" if games is not None else "--seed"
        raise click.UsageError(f"--seeds gives every game its seed; it cannot be used with {other}")
