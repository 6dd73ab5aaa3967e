"""Runs of seasons: blocks of games are played by an executor, kept, and written as the tables.

The tables depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed. (Late answers of bots are the exception: time is the machine's.)
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardwright.arena.executor import Here
from cardwright.game.extras import need
from cardwright.league.outputs import OutputWriter
from cardwright.league.records import Season, opened, read_season
from cardwright.league.season import prepare
from cardwright.league.unit import Done, PlayBlocks

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from cardwright.arena.executor import Executor
    from cardwright.league.plan import SeasonPlan
    from cardwright.league.records import SeasonRecords
    from cardwright.league.standings import Standings

    Progress: TypeAlias = Callable[[int, int, Standings], object]

OUTPUTS = "Outputs"

_SECONDS = 0.5
"""What batches of blocks aim at."""
_MOST = 32
"""Blocks of a batch at most, so that memory is bounded."""


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
            going = _Going(plan, records, writer, progress)
            going.take_up()
            going.play(executor or Here())
            writer.finish()
        records.finish()
    return read_season(folder)


@dataclass
class _Going:
    """A season that is being played; the first `written` blocks are in the tables."""

    plan: SeasonPlan
    records: SeasonRecords
    writer: OutputWriter
    progress: Progress | None
    done: set[int] = field(default_factory=set)
    games: int = 0
    written: int = 0

    def take_up(self) -> None:
        """Count what was played before, and write as much of it as can be."""
        for number in self.records.done():
            self._count(number)
        self._write()
        self._tell()

    def play(self, executor: Executor) -> None:
        """Play all blocks that are left."""
        batches = _Batches(self.plan, self.done.copy(), executor.workers)
        with closing(_iterator(executor, PlayBlocks(self.plan), batches)) as results:
            for _, part in results:
                batches.measured(part)
                self.records.add(part.blocks)
                for number, _ in part.blocks:
                    self._count(number)
                self._write()
                self._tell()

    def _count(self, number: int) -> None:
        self.done.add(number)
        self.games += len(self.plan.block(number))

    def _write(self) -> None:
        """Write the blocks whose turn it is."""
        while self.written in self.done:
            self.writer.add(self.records.read(self.written))
            self.written += 1

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.games, self.plan.games, self.writer.standings)


class _Batches:
    """Batches of the blocks that are not done yet, sized by how long games have taken so far."""

    def __init__(self, plan: SeasonPlan, done: set[int], workers: int) -> None:
        self._plan = plan
        self._done = done
        self._workers = workers
        self._seconds = 0.0
        self._games = 0

    def measured(self, part: Done) -> None:
        """Take note of how long a batch took."""
        self._seconds += part.seconds
        self._games += sum(len(self._plan.block(number)) for number, _ in part.blocks)

    def __iter__(self) -> Iterator[range]:
        """Yield batches in order; each is sized when it is asked for."""
        at, blocks = 0, self._plan.blocks
        while at < blocks:
            if at in self._done:
                at += 1
                continue
            end = at + 1
            most = min(blocks, at + min(_MOST, -(-(blocks - at) // (2 * self._workers))))
            games = self._at_once() - len(self._plan.block(at))
            while end < most and end not in self._done:
                games -= len(self._plan.block(end))
                if games < 0:
                    break
                end += 1
            yield range(at, end)
            at = end

    def _at_once(self) -> int:
        """Return how many games a batch may have, if that is more than those of one block."""
        return int(_SECONDS * self._games / self._seconds) if self._seconds else 0


def _iterator(
    executor: Executor, function: PlayBlocks, batches: _Batches
) -> Generator[tuple[int, Done], None, None]:
    """Return what an executor gives as a generator, which can be closed."""
    yield from executor.run(function, batches)
