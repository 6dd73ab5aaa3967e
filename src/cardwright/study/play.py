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
from cardwright.game.native.bulk import Bulk
from cardwright.game.native.random_games import RandomGames
from cardwright.game.seeds import game_seeds
from cardwright.jobs.executor import SerialExecutor, processors
from cardwright.jobs.folder import FILE
from cardwright.jobs.job import executor
from cardwright.players.kind import FULL_TRUST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.analysis.subject import Subject
    from cardwright.arena.plan import GameRef
    from cardwright.jobs.executor import Executor
    from cardwright.statistics.ties import Ties
    from cardwright.study.games import StudiedGame

    TellStudy: TypeAlias = Callable[[str, int, int], object]

MOST_RECORDED = 10_000
"""Random games of which every decision is recorded; any more are played in bulk."""


RECORDS = "records"
"""The folder, in that of a study, with a folder for each game, with one for each batch."""


@dataclass(frozen=True)
class StudySettings:
    """What is played of every game, and from which seed.

    `player` is the spec of the thinking player, as the caller has named it. `games` is the number
    of random games, those of `RR`, and `ai_games` that of `AR` and of `AA`, which are left out if
    there are none. `ties` says how a shared win counts, in all measures and sentences. Raises
    PlanError for invalid numbers.
    """

    seed: int
    player: str
    games: int
    ai_games: int
    ties: Ties = "shared"

    def __post_init__(self) -> None:
        if self.games < 1:
            raise PlanError(f"a study has 1 random game or more, not {self.games:,}")
        if self.ai_games < 0:
            raise PlanError(f"a batch cannot have {self.ai_games:,} games")

    @property
    def recorded(self) -> int:
        """How many random games are recorded decision by decision."""
        return min(self.games, MOST_RECORDED)

    def plans(self, game: GameRef) -> dict[str, RunPlan]:
        """Return the plan of each batch by its name, in the order in which they are played."""
        seats = game.players
        alike, alone = (0,) * seats, (0, *[1] * (seats - 1))
        batches: dict[str, tuple[tuple[str, ...], tuple[int, ...], int]] = {
            "RR": (("random",), alike, self.recorded),
            "AR": ((self.player, "random"), alone, self.ai_games if seats > 1 else 0),
            "AA": ((self.player,), alike, self.ai_games),
        }
        return {
            name: RunPlan(
                game, who, (table,), deals, self.seed, detail="decisions", trust=FULL_TRUST
            )
            for name, (who, table, deals) in batches.items()
            if deals
        }

    def record(self) -> dict[str, Any]:
        """Return this in the form of a manifest."""
        return {
            "seed": str(self.seed),
            "player": self.player,
            "random_games": self.games,
            "thinking_games": self.ai_games,
            "ties": self.ties,
        }


def play_study(
    game: GameRef,
    settings: StudySettings,
    folder: str | Path,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Mapping[str, Path]:
    """Play and record all batches of a game, and return the folder of each.

    They are `folder/RR` and so on. With `resume` those that are finished are only read, and one
    that was interrupted is continued. `progress` is given the batch, its finished games, and the
    number of all. Raises what `run` does; after KeyboardInterrupt it can be resumed.
    """
    found = {}
    for name, plan in settings.plans(game).items():
        place = Path(folder) / name

        def tell(done: int, total: int, name: str = name) -> None:
            if progress is not None:
                progress(name, done, total)

        run(plan, place, executor, resume=resume, progress=tell)
        found[name] = place
    return found


def bulk_games(
    game: GameRef,
    settings: StudySettings,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[RandomGames]:
    """Yield the random games of a study in bulk, block by block: all, not only the recorded ones.

    They begin with the deals of `RR`, but their players draw other random numbers. Only the
    outcome, the length and the sum of options of each are known, and nothing is kept: the memory
    does not grow with their number. Raises EngineError for the interpreter.
    """
    bulk = Bulk(loaded(game), game_seeds(settings.seed, settings.games), threads)
    yield from map(RandomGames.of, bulk.blocks(progress))


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

    place, executor, playing = (
        folder / RECORDS / one.title.slug,
        workers_of(workers),
        tells("playing"),
    )
    folders = play_study(one.ref, settings, place, executor, resume=resume, progress=playing)
    records: Any = {batch: RunFrames.of_folder(folder) for batch, folder in folders.items()}
    bulk: Any = ()
    if settings.games > settings.recorded:
        in_bulk = partial(tells("playing in"), "bulk", total=settings.games)
        bulk = bulk_games(one.ref, settings, workers, in_bulk)
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
