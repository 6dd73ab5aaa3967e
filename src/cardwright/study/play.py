"""Playing the batches of a study game by game, and reading their records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.analysis.awareness import AwarenessSums
from cardwright.analysis.measure import MeasureRules
from cardwright.analysis.records import RunFrames
from cardwright.analysis.report.subject import subject
from cardwright.analysis.tally import Study
from cardwright.arena.awareness import record_awareness
from cardwright.arena.effect_replay import recorded
from cardwright.jobs.executor import SerialExecutor, executor, processors
from cardwright.study.plan import bulk_games, play_study
from cardwright.study.settings import RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardwright.analysis.report.subject import Subject
    from cardwright.jobs.executor import Executor
    from cardwright.study.games import StudiedGame
    from cardwright.study.settings import StudySettings

    TellStudy: TypeAlias = Callable[[str, int, int], object]

COURSES = 50
"""Random games that are replayed card by card for what seats know."""


def tell_nobody(label: str, done: int, total: int) -> None:
    """Do nothing: a callback for progress that is not shown."""


def workers_of(count: int | None) -> Executor:
    """Return the executor: `workers` processes, or one per processor; for one, this process."""
    count = count or processors()
    return executor("processes", count) if count > 1 else SerialExecutor()


@dataclass(frozen=True, eq=False)
class StudyGames:
    """Plays the games of a study, keeps them in a folder, and reads their records.

    With `resume` those that were played before are only read. `threads` is for games in bulk; None
    is one for each processor. `tell` is given what is being done, how much of it is done, and of
    how much.
    """

    settings: StudySettings
    folder: Path
    executor: Executor
    threads: int | None = None
    resume: bool = False
    tell: TellStudy = tell_nobody

    def play(self, one: StudiedGame) -> Subject:
        """Play all batches of a game, and return the subject that their records give.

        Raises AnalysisError if no game was finished, PlanError, and what a run does;
        KeyboardInterrupt leaves what can be resumed.
        """
        plan, name = self.settings.plan(one), one.title.name
        folders = play_study(
            plan,
            self.folder / RECORDS / one.title.slug,
            self.executor,
            resume=self.resume,
            progress=lambda batch, done, total: self.tell(f"{name}: playing {batch}", done, total),
        )
        records: Any = {batch: RunFrames.of_folder(folder) for batch, folder in folders.items()}
        bulk: Any = ()
        if plan.random_games > plan.recorded:
            label, count = f"{name}: playing in bulk", plan.random_games
            bulk = bulk_games(plan, self.threads, lambda done: self.tell(label, done, count))
        found = subject(
            one.title,
            records,
            Study(MeasureRules(ties=self.settings.ties)),
            bulk=bulk,
            progress=lambda batch, done, total: self.tell(f"{name}: reading {batch}", done, total),
        )
        return replace(found, course=course_of(one, folders["RR"], self.tell))


def course_of(one: StudiedGame, records: Path, tell: TellStudy = tell_nobody) -> AwarenessSums:
    """Return what seats know along the first games of a run."""
    course = AwarenessSums.none(one.game.players)
    rollouts = islice(recorded(records), COURSES)
    for done, awareness in enumerate(record_awareness(one.game, rollouts), 1):
        course = course.with_game(awareness)
        tell(f"{one.title.name}: who knows what", done, COURSES)
    return course
