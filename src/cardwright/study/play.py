"""The games of a study: what is played, how it is played, and reading the records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.analysis.formulas import MeasureRules
from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import Study
from cardwright.analysis.statistics import AwarenessSums
from cardwright.analysis.subject import subject
from cardwright.arena.effect_replay import record_awareness, recorded
from cardwright.arena.plan import PlanError, RunPlan, loaded
from cardwright.arena.records import RunFolder
from cardwright.arena.run import run
from cardwright.extras import need
from cardwright.game.native.random_games import Bulk
from cardwright.game.seeds import game_seeds
from cardwright.jobs.executor import SerialExecutor, processors
from cardwright.jobs.folder import FILE
from cardwright.jobs.job import executor
from cardwright.players.kind import FULL_TRUST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.analysis.subject import Subject
    from cardwright.arena.plan import GameRef
    from cardwright.game.native.random_games import RandomGames
    from cardwright.jobs.executor import Executor
    from cardwright.statistics.ties import Ties
    from cardwright.study.games import StudiedGame

    TellStudy: TypeAlias = Callable[[str, int, int], object]

PLAYER = "cardstock-pipmc"
"""The thinking player, unless another is named: that of the published numbers."""

RANDOM_GAMES, THINKING_GAMES = 1_000, 100
"""Games of a batch without a thinking player, and of one with, unless other numbers are given."""

MOST_RECORDED = 10_000
"""Random games of which every decision is recorded; any more are played in bulk."""


@dataclass(frozen=True)
class StudyPlan:
    """What is to be played of one game.

    `player` is the spec of the thinking player, as the caller has named it. `random_games` are
    those of `RR`, `thinking_games` those of `AR` and of `AA`, which are left out if there are none.
    Raises PlanError for invalid numbers.
    """

    game: GameRef
    player: str = PLAYER
    random_games: int = RANDOM_GAMES
    thinking_games: int = THINKING_GAMES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.random_games < 1:
            raise PlanError(f"a study has 1 random game or more, not {self.random_games:,}")
        if self.thinking_games < 0:
            raise PlanError(f"a batch cannot have {self.thinking_games:,} games")

    @property
    def recorded(self) -> int:
        """How many random games are recorded decision by decision."""
        return min(self.random_games, MOST_RECORDED)

    def plans(self) -> dict[str, RunPlan]:
        """Return the plan of each batch by its name, in the order in which they are played."""
        seats = self.game.players
        alike, alone = (0,) * seats, (0, *[1] * (seats - 1))
        batches: dict[str, tuple[tuple[str, ...], tuple[int, ...], int]] = {
            "RR": (("random",), alike, self.recorded),
            "AR": ((self.player, "random"), alone, self.thinking_games if seats > 1 else 0),
            "AA": ((self.player,), alike, self.thinking_games),
        }
        return {
            name: RunPlan(
                self.game, who, (table,), deals, self.seed, detail="decisions", trust=FULL_TRUST
            )
            for name, (who, table, deals) in batches.items()
            if deals
        }


def play_study(
    study: StudyPlan,
    folder: str | Path,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Mapping[str, Path]:
    """Play and record all batches of a study, and return the folder of each.

    They are `folder/RR` and so on. With `resume` those that are finished are only read, and one
    that was interrupted is continued. `progress` is given the batch, its finished games, and the
    number of all. Raises what `run` does; after KeyboardInterrupt it can be resumed.
    """
    found = {}
    for name, plan in study.plans().items():
        place = Path(folder) / name

        def tell(done: int, total: int, name: str = name) -> None:
            if progress is not None:
                progress(name, done, total)

        run(plan, place, executor, resume=resume, progress=tell)
        found[name] = place
    return found


def bulk_games(
    study: StudyPlan, threads: int | None = None, progress: Callable[[int], object] | None = None
) -> Iterator[RandomGames]:
    """Yield the random games of a study in bulk, block by block: all, not only the recorded ones.

    They begin with the deals of `RR`, but their players draw other random numbers. Only the
    outcome, the length and the sum of options of each are known, and nothing is kept: the memory
    does not grow with their number. Raises EngineError for the interpreter.
    """
    game = loaded(study.game)
    bulk = Bulk(game, game_seeds(study.seed, study.random_games), threads)
    yield from bulk.blocks(progress)


RECORDS = "records"
"""The folder, in that of a study, with a folder for each game, with one for each batch."""


@dataclass(frozen=True)
class StudySettings:
    """What is played of every game, and from which seed.

    `player` is the spec of the thinking player, `games` is the number of random games, and
    `ai_games` that of each batch with that player. `ties` says how a shared win counts, in all
    measures and sentences.
    """

    seed: int
    player: str = PLAYER
    games: int = RANDOM_GAMES
    ai_games: int = THINKING_GAMES
    ties: Ties = "shared"

    def plan(self, one: StudiedGame) -> StudyPlan:
        """Return what is to be played of a game; raises PlanError if that is invalid."""
        return StudyPlan(one.ref, self.player, self.games, self.ai_games, self.seed)

    def record(self) -> dict[str, Any]:
        """Return this in the form of a manifest."""
        return {
            "seed": str(self.seed),
            "player": self.player,
            "random_games": self.games,
            "thinking_games": self.ai_games,
            "ties": self.ties,
        }


def kept_seed(folder: Path) -> int | None:
    """Return the seed of the study whose games are in a folder; None if there are none."""
    files = sorted((folder / RECORDS).glob(f"*/*/{FILE}"))
    return RunFolder.read(files[0].parent).plan.seed if files else None


def need_libraries() -> None:
    """Raise MissingExtraError if a library is missing that studies and their reports need."""
    need("polars", "matplotlib", "jinja2")


COURSES = 50
"""Random games that are replayed card by card for what seats know."""


def tell_nobody(label: str, done: int, total: int) -> None:
    """Do nothing: a callback for progress that is not shown."""


def workers_of(count: int | None) -> Executor:
    """Return the executor: `workers` processes, or one per processor; for one, this process."""
    count = count or processors()
    return executor("processes", count) if count > 1 else SerialExecutor()


def play_games(
    one: StudiedGame,
    settings: StudySettings,
    folder: Path,
    *,
    workers: int | None = 1,
    resume: bool = False,
    tell: TellStudy = tell_nobody,
) -> Subject:
    """Play all batches of a game, keep them in a folder, and return what their records give.

    `workers` processes play, None as many as there are processors. With `resume` what was played
    before is only read. `tell` is given what is being done, how much of it is done, and of how
    much. Raises AnalysisError if no game was finished, PlanError, and what a run does;
    KeyboardInterrupt leaves what can be resumed.
    """

    def tells(what: str) -> Callable[..., object]:
        return lambda batch, done, total: tell(f"{one.title.name}: {what} {batch}", done, total)

    plan, place = settings.plan(one), folder / RECORDS / one.title.slug
    folders = play_study(plan, place, workers_of(workers), resume=resume, progress=tells("playing"))
    records: Any = {batch: RunFrames.of_folder(folder) for batch, folder in folders.items()}
    bulk: Any = ()
    if plan.random_games > plan.recorded:
        in_bulk = partial(tells("playing in"), "bulk", total=plan.random_games)
        bulk = bulk_games(plan, workers, in_bulk)
    study = Study(MeasureRules(ties=settings.ties))
    read = subject(one.title, records, study, bulk=bulk, progress=tells("reading"))
    return replace(read, course=course_of(one, folders["RR"], tell))


def course_of(one: StudiedGame, records: Path, tell: TellStudy = tell_nobody) -> AwarenessSums:
    """Return what seats know along the first games of a run."""
    course = AwarenessSums.none(one.game.players)
    rollouts = islice(recorded(records), COURSES)
    for done, awareness in enumerate(record_awareness(one.game, rollouts), 1):
        course = course.with_game(awareness)
        tell(f"{one.title.name}: who knows what", done, COURSES)
    return course
