"""Playing the batches of a study: options, progress, Ctrl-C and how to go on."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import MOST_DEALS
from cardwright.interfaces.cli.progress import progress_bar
from cardwright.interfaces.cli.vocabulary import (
    format_option,
    games_option,
    out_option,
    player_option,
    quiet_option,
    resume_option,
    seed_option,
    style_option,
    workers_option,
)
from cardwright.interfaces.cli.words import INTERRUPTED, say_how_to_go_on, seed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardwright.analysis.report.subject import Subject
    from cardwright.arena.study import StudyPlan
    from cardwright.interfaces.cli.analyze_games import Asked
    from cardwright.interfaces.cli.parameters import Command
    from cardwright.jobs.executor import Executor

    Tell = Callable[[str, int, int], object]

RECORDS = "records"


@dataclass(frozen=True)
class AnalysisOptions:
    """What a call asks for, besides the games."""

    player: str
    games: int
    ai_games: int
    seed: int
    out: Path
    workers: int | None
    resume: bool
    quiet: bool
    style: Any

    def plan(self, one: Asked) -> StudyPlan:
        """Return what is to be played of a game."""
        from cardwright.arena.study import StudyPlan

        return StudyPlan(one.ref, self.player, self.games, self.ai_games, self.seed)


def study_options(out: str) -> Callable[[Command], Command]:
    """Let a command take what it needs to play and to draw; `out` is its folder by default."""

    def add(command: Command) -> Command:
        for option in reversed(_options(out)):
            command = option(command)
        return command

    return add


def _options(out: str) -> tuple[Callable[[Any], Any], ...]:
    return (
        games_option("So many are played at random.", 1000),
        player_option("", "cardstock-pipmc"),
        click.option("--ai-games", type=click.IntRange(0, MOST_DEALS), default=100,
                     show_default=True,
                     help="Games in which --player sits in the first seat, and as many in which it "
                     "sits in all; 0 for random games only."),
        seed_option(),
        out_option("Figures, diagrams and all numbers are beside it.", out),
        style_option("cardwright"),
        workers_option("Games.  [default: one a processor]"),
        resume_option("What was played for --out."),
        quiet_option,
        format_option,
    )  # fmt: skip


def wishes(ctx: click.Context, options: Mapping[str, Any]) -> AnalysisOptions:
    """Return what options ask for; complain of a missing library, a player or a used folder."""
    need_libraries()
    out: Path = options["out"]
    if not options["resume"]:
        refuse_used(out)
    return AnalysisOptions(
        player=_player(ctx, options["player"]),
        games=options["games"],
        ai_games=options["ai_games"],
        seed=_seed(options["seed"], out, resume=options["resume"]),
        out=out,
        workers=options["workers"],
        resume=options["resume"],
        quiet=options["quiet"],
        style=options["look"],
    )


def need_libraries() -> None:
    """Raise MissingExtraError if a library is missing that studies and their reports need."""
    from cardwright.game.extras import need

    need("numpy", "polars", "matplotlib", "jinja2")


def refuse_used(out: Path) -> None:
    """Complain of a folder that has something in it."""
    if (out / RECORDS).is_dir():
        raise click.ClickException(
            f"there are games of an analysis in {out}: go on with them by --resume, or name "
            "another folder with --out"
        )
    refuse_filled(out)


def _player(ctx: click.Context, text: str) -> str:
    from cardwright.arena.entrants import PlayerSpecError, player

    try:
        return str(player(text))
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'--player'") from None


def _seed(seed: int | None, out: Path, *, resume: bool) -> int:
    """Return the seed given, or that of the games to go on with, or a drawn one."""

    def kept() -> int | None:
        if not resume:
            return None
        from cardwright.arena.manifest import Manifest
        from cardwright.jobs.manifest import FILE

        files = sorted((out / RECORDS).glob(f"*/*/{FILE}"))
        return Manifest.read(files[0].parent).plan.seed if files else None

    return seed_of(seed, kept)


def crew(workers: int | None) -> Executor:
    """Return who plays: processes, or this one if there is to be one worker only."""
    from cardwright.jobs.executor import executor, processors

    count = workers or processors()
    return executor("processes", count) if count > 1 else executor("here")


def study(
    ctx: click.Context, wanted: AnalysisOptions, games: Sequence[Asked], tell: Tell
) -> list[Subject]:
    """Play the batches of all games, and return what their records tell.

    Ctrl-C ends the command with advice how to go on.
    """
    executor = crew(wanted.workers)
    found = []
    for one in games:
        try:
            found.append(_studied(wanted, one, executor, tell))
        except KeyboardInterrupt:
            say_how_to_go_on(ctx, f"interrupted at {one.title.name}", wanted.seed)
            ctx.exit(INTERRUPTED)
    return found


def _studied(wanted: AnalysisOptions, one: Asked, executor: Executor, tell: Tell) -> Subject:
    from cardwright.analysis.records import RunFrames
    from cardwright.analysis.report.subject import subject
    from cardwright.arena.study import bulk_games, play_study

    plan, name = wanted.plan(one), one.title.name
    folders = play_study(
        plan,
        wanted.out / RECORDS / one.title.slug,
        executor,
        resume=wanted.resume,
        progress=lambda batch, done, total: tell(f"{name}: playing {batch}", done, total),
    )
    records: Any = {batch: RunFrames.of_folder(folder) for batch, folder in folders.items()}
    bulk: Any = ()
    if plan.random_games > plan.recorded:
        label, count = f"{name}: playing in bulk", plan.random_games
        bulk = bulk_games(plan, wanted.workers, lambda done: tell(label, done, count))
    return subject(
        one.title,
        records,
        bulk=bulk,
        progress=lambda batch, done, total: tell(f"{name}: reading {batch}", done, total),
    )


@contextmanager
def study_bar(*, quiet: bool) -> Iterator[Tell]:
    """Show bars on the standard error: give what is told a label, how much is done, and of what.

    Each label has a bar of its own, which goes when it is full.
    """
    with progress_bar(shown=not quiet and sys.stderr.isatty()) as tell:
        yield lambda label, done, total: tell(done, total, label)
