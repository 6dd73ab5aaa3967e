"""What the commands that let players meet have in common: their options, and playing a plan."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.deal_bar import deal_bar
from cardwright.interfaces.cli.estimate import say_before_contest
from cardwright.interfaces.cli.parameters import (
    base_option,
    engine_option,
    game_argument,
    load,
    preset_option,
    set_option,
    ties_option,
)
from cardwright.interfaces.cli.text import counted
from cardwright.interfaces.cli.vocabulary import (
    FileToWrite,
    deals_option,
    executor_kind,
    executor_options,
    faults_option,
    format_option,
    move_ms_option,
    quiet_option,
    records_option,
    resume_option,
    seed_option,
)
from cardwright.interfaces.cli.words import INTERRUPTED, say_how_to_go_on, seed_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.arena.plan import Detail, GameRef, RunPlan
    from cardwright.arena.results import Results
    from cardwright.arena.schedule import Tables
    from cardwright.arena.ties import Ties
    from cardwright.game.game import Game
    from cardwright.interfaces.cli.parameters import Command

DEALS = 100


@dataclass(frozen=True)
class ContestOptions:
    """What a call of one of these commands asks for, besides who meets whom."""

    game: Game
    ref: GameRef
    deals: int
    seed: int
    workers: int | None
    executor: str
    scheduler: str | None
    records: Path | None
    resume: bool
    detail: Detail
    move_seconds: float | None
    most_faults: int
    quiet: bool
    style: str
    ties: Ties
    plots: tuple[tuple[str, Path], ...]

    def plan(self, entrants: tuple[str, ...], tables: Tables) -> RunPlan:
        """Return what is to be played at these tables."""
        from cardwright.arena.plan import RunPlan

        return RunPlan(
            game=self.ref,
            entrants=entrants,
            tables=tables,
            deals=self.deals,
            seed=self.seed,
            move_seconds=self.move_seconds,
            most_faults=self.most_faults,
            detail=self.detail,
        )


def contest_options(*plots: str) -> Callable[[Command], Command]:
    """Let a command take what all contests take; `plots` are its pictures, the usual one first."""

    def add(command: Command) -> Command:
        for option in reversed(_options(plots)):
            command = option(command)
        return command

    return add


def _options(plots: tuple[str, ...]) -> tuple[Callable[[Any], Any], ...]:
    kinds = ", ".join(plots)
    return (
        game_argument,
        deals_option("Each is played at all tables.", DEALS),
        seed_option(),
        preset_option,
        set_option,
        base_option,
        engine_option,
        *executor_options(
            "processes with --workers, cluster with --scheduler, or else here",
            "Deals.  [default: 1, or with --executor one a processor]",
        ),
        records_option,
        resume_option("The contest in --records."),
        click.option(
            "--detail", type=click.Choice(["scores", "games", "decisions"]), default="scores",
            show_default=True, help="What the records keep of a game.",
        ),
        ties_option,
        move_ms_option("[default: no limit]"),
        faults_option("With more it plays on at random.", 3),
        quiet_option,
        click.option(
            "--plot", "plots", metavar="[KIND=]FILE", multiple=True, callback=_plots(plots),
            help=f"Draw a picture, a .png, .svg or .pdf. Kinds: {kinds}. Can be repeated.",
        ),
        format_option,
    )  # fmt: skip


def _plots(kinds: tuple[str, ...]) -> Callable[..., tuple[tuple[str, Path], ...]]:
    """Return what reads `--plot`, each as a kind and a file."""

    def read(
        ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
    ) -> tuple[tuple[str, Path], ...]:
        if not values:
            return ()
        from cardwright.arena.plots import PlotError, check_name

        found = []
        for text in values:
            kind, equals, name = text.partition("=")
            if not equals:
                kind, name = kinds[0], text
            if kind not in kinds:
                message = f"{kind!r} is no picture of this; there are {', '.join(kinds)}"
                raise click.BadParameter(message, ctx, param)
            try:
                check_name(Path(name))
            except PlotError as error:
                raise click.BadParameter(str(error), ctx, param) from None
            found.append((kind, FileToWrite().convert(name, param, ctx)))
        return tuple(found)

    return read


def wishes(game: str, options: dict[str, Any]) -> ContestOptions:
    """Return what the options of a call come to; complain of those that do not go together."""
    from cardwright.arena.plan import GameRef
    from cardwright.game.extras import need

    if options["plots"]:
        need("matplotlib")
    if options["resume"] and options["records"] is None:
        raise click.UsageError("--resume needs --records, the folder to go on with")
    if options["detail"] != "scores" and options["records"] is None:
        raise click.UsageError("--detail is about the records: it needs --records")
    executor = executor_kind(options, "processes" if (options["workers"] or 1) > 1 else "here")
    overrides, base, preset = (options[key] for key in ("overrides", "base", "preset"))
    loaded = load(game, overrides, base, options["engine"], preset=preset)
    ref = GameRef(
        game, loaded.players, loaded.program.digest, preset, tuple(overrides.items()), base,
        options["engine"],
    )  # fmt: skip
    return ContestOptions(
        game=loaded,
        ref=ref,
        seed=_seed(options["seed"], options["records"], resume=options["resume"]),
        executor=executor,
        move_seconds=None if options["move_ms"] is None else options["move_ms"] / 1000,
        most_faults=options["faults"],
        **{
            key: options[key]
            for key in (
                "deals", "workers", "scheduler", "records", "resume", "detail", "quiet", "style",
                "ties", "plots",
            )
        },
    )  # fmt: skip


def _seed(seed: int | None, records: Path | None, *, resume: bool) -> int:
    """Return the seed given, or that of the contest to go on with, or a drawn one."""

    def kept() -> int | None:
        if not resume or records is None or not records.exists():
            return None
        from cardwright.arena.manifest import Manifest

        return Manifest.read(records).plan.seed

    return seed_of(seed, kept)


def entrants_of(
    ctx: click.Context, texts: tuple[str, ...], hint: str = "'PLAYER...'"
) -> tuple[str, ...]:
    """Return players as their specs are written in full; complain of texts that name none."""
    from cardwright.arena.entrants import PlayerSpecError, player

    try:
        return tuple(str(player(text)) for text in texts)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param_hint=hint) from None


def play(
    ctx: click.Context, wanted: ContestOptions, plan: RunPlan, *, field: int = 0, **stopping: Any
) -> tuple[Results, float]:
    """Play a plan, and show how it goes; return the results and the seconds it took.

    So many entrants, the last ones, are the `field` of a ladder. `stopping` is what `run` takes to
    end early. Ctrl-C ends the command with advice how to go on.
    """
    from cardwright.arena.run import run
    from cardwright.jobs.executor import executor

    chosen = executor(wanted.executor, wanted.workers, wanted.scheduler)
    if not wanted.quiet and not wanted.resume:
        say_before_contest(plan, chosen.workers)
    shown = not wanted.quiet and sys.stderr.isatty()
    begun = time.perf_counter()
    done = 0
    names = shown_names(plan.entrants, field)
    seats, tables = plan.game.players, len(plan.tables)
    with deal_bar(plan.deals, tables, names, seats, shown=shown) as display:

        def watch(results: Results) -> None:
            if display.watch is not None:
                display.watch(results.counting(wanted.ties))

        def progress(deals: int, total: int) -> None:
            nonlocal done
            done = deals
            display.tell(deals, total)

        try:
            results = run(
                plan, wanted.records, chosen, resume=wanted.resume, progress=progress,
                watch=watch if display.watch else None, **stopping,
            )  # fmt: skip
        except KeyboardInterrupt:
            interrupted = True
        else:
            interrupted = False
    if interrupted:
        _say_how_to_go_on(ctx, wanted, plan, done)
        ctx.exit(INTERRUPTED)
    return results.counting(wanted.ties), time.perf_counter() - begun


def _say_how_to_go_on(ctx: click.Context, wanted: ContestOptions, plan: RunPlan, done: int) -> None:
    played = f"interrupted after {done:,} of {counted(plan.deals, 'deal')}"
    if wanted.records is None:
        click.echo(f"\n{played}; nothing is kept. With --records DIR it could go on", err=True)
        return
    say_how_to_go_on(ctx, played, plan.seed)


def shown_names(entrants: tuple[str, ...], field: int) -> list[str]:
    """Return the names of entrants while they play: equal ones are numbered, the field is marked.

    The last `field` entrants are that of a ladder.
    """
    from cardwright.arena.plan import numbered

    first = len(entrants) - field
    marked = [*entrants[:first], *(f"{name} (field)" for name in entrants[first:])]
    return numbered(marked)
