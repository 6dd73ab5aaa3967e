"""Runs of seasons: blocks of games are played by an executor, kept, and written as the tables.

The tables depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed. (Late answers of bots are the exception: time is the machine's.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.extras import need
from cardwright.jobs.executor import SerialExecutor, processors
from cardwright.jobs.executor import executor as executor_of
from cardwright.jobs.job import carry_out
from cardwright.league.outputs import OutputWriter
from cardwright.league.records import OUTPUTS, Season, opened, read_block, read_season
from cardwright.league.season import prepare
from cardwright.league.task import PlayBlocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.jobs.executor import Executor
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.records import SeasonRecords
    from cardwright.league.standings import LeagueStandings
    from cardwright.league.task import Packed

    Progress: TypeAlias = Callable[[int, int, LeagueStandings], object]


def run_season(
    folder: Path,
    plan: SeasonPlan,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    again: bool = False,
    progress: Progress | None = None,
) -> Season:
    """Play a season in its folder, and write its `Outputs`.

    With `resume` a season that was begun goes on, with `again` it is played anew. `progress` is
    told how many games are done, of how many, and the standings after those before the first that
    is missing. Raises MissingExtraError, before anything is written, RecordsError, ExecutorError,
    WorkerError and LeagueFileError; KeyboardInterrupt leaves a folder that can be resumed.
    """
    need("polars")
    with opened(folder, plan, resume=resume, again=again) as records:
        season = read_season(folder)
        if season.complete and (folder / OUTPUTS).is_dir():
            season.check()
            return season
        prepare(plan.rules)
        with OutputWriter(folder / OUTPUTS, plan.name, plan.roster, plan.schedule) as writer:
            carry_out(_SeasonJob(plan, records, writer, progress), executor or SerialExecutor())
            writer.finish()
        records.finish(writer.digests)
    return read_season(folder)


def fitting(
    plan: SeasonPlan,
    workers: int | None = None,
    kind: str | None = None,
    scheduler: str | None = None,
) -> Executor:
    """Return the executor of a kind, with so many workers; the fastest for a plan if none is named.

    Random players are played by threads, for that is machine code, all others by processes; by a
    cluster if it has a `scheduler`.
    """
    count = workers or processors()
    usual = "here" if count == 1 else "threads" if plan.bulk else "processes"
    return executor_of(kind or ("cluster" if scheduler else usual), workers, scheduler)


class _SeasonJob:
    """A season as a job, whose tasks are blocks of games; the first ones are in the tables."""

    noun = "game"
    most = 32  # so that memory is bounded
    stopped = False

    def __init__(
        self,
        plan: SeasonPlan,
        records: SeasonRecords,
        writer: OutputWriter,
        progress: Progress | None,
    ) -> None:
        self.tasks = plan.blocks
        self._plan = plan
        self._files = records.files
        self._writer = writer
        self._progress = progress
        self._games = 0
        self._written = 0

    def span(self, batch: range) -> range:
        """Return the games of some blocks, counted from 1."""
        return range(self._plan.block(batch[0]).start + 1, self._plan.block(batch[-1]).stop + 1)

    def ready(self) -> PlayBlocks:
        """Return what plays blocks."""
        return PlayBlocks(self._plan)

    def kept(self) -> Iterator[range]:
        """Count the blocks that are in the folder."""
        for number in self._files.there():
            block = range(number, number + 1)
            self._games += len(self.span(block))
            yield block

    def add(self, batch: range, part: Packed) -> None:
        """Write blocks down, and count them."""
        self._files.write(dict(part))
        self._games += len(self.span(batch))

    def reach(self, tasks: int) -> None:
        """Write the tables of the blocks whose turn it is."""
        while self._written < tasks:
            self._writer.add(read_block(self._files, self._written))
            self._written += 1

    def keep(self) -> None:
        """Do nothing: blocks are written as they come."""

    def tell(self) -> None:
        """Say how many games are finished."""
        if self._progress is not None:
            self._progress(self._games, self._plan.games, self._writer.standings)
