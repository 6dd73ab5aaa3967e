"""Searches carried out, and read again.

What is found depends on the plan alone: not on the executor, the number of its workers, or how
often the search was killed and resumed.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from cardwright.evolution.evolution import Elite, Evolution
from cardwright.evolution.landscape_data import landscape_of
from cardwright.evolution.records import opened, records_in
from cardwright.evolution.search import Search
from cardwright.evolution.tally import GenerationTally, judge
from cardwright.jobs.errors import RecordsError
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.job import KEEP_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.evolution.evaluation import Evaluated
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.evolution.progress import EvolutionProgress
    from cardwright.evolution.records import EvolutionRecords
    from cardwright.evolution.search import FoundNotes, SearchParts, TellEvolution
    from cardwright.evolution.timing import EvolutionTiming
    from cardwright.jobs.executor import Executor


def run(
    plan: EvolutionPlan,
    folder: Path | None = None,
    executor: Executor | None = None,
    *,
    parts: SearchParts,
    resume: bool = False,
    progress: TellEvolution | None = None,
    keep_seconds: float = KEEP_SECONDS,
) -> Evolution:
    """Carry out a search and return what it found.

    With a `folder` it is recorded there; with `resume` one that was begun there is continued, and
    one that is finished is only read. Without an `executor` all is done in this process. `progress`
    is told how far it is. A crash loses no more than `keep_seconds`.

    Raises RecordsError for the folder, EvolutionError for a plan that its method refuses,
    ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can be resumed.
    """
    method = parts.method(plan)  # what it refuses, it refuses before anything is written
    opening = nullcontext() if folder is None else opened(folder, plan, resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            return _read(records)
        search = Search(
            plan, method, parts,
            records=records, executor=executor or SerialExecutor(),
            tell=progress or _nobody, keep_seconds=keep_seconds,
        )  # fmt: skip
        search.run()
        if records is not None:
            records.finish()
    return _found(
        plan, search.tally, notes=search.found, again=search.again,
        folder=folder, timing=search.timing(),
    )  # fmt: skip


def read(folder: Path) -> Evolution:
    """Return what a finished search found; raises RecordsError if there is none in the folder."""
    records = records_in(folder)
    if not records.manifest.complete:
        raise RecordsError(f"the search in {folder} is not finished: resume it")
    return _read(records)


def _read(records: EvolutionRecords) -> Evolution:
    """Return what a finished search has recorded; raises RecordsError for damaged files."""
    plan, tally = records.plan, GenerationTally()
    for number in range(plan.generations + 1):
        found, notes = records.read(number)
        tally.take([judge(one, plan.aims) for one in found], notes["elites"])
    again, notes = records.read(plan.generations + 1)
    return _found(
        plan, tally, notes=notes, again=again,
        folder=records.folder, timing=records.timing(),
    )  # fmt: skip


def _found(
    plan: EvolutionPlan,
    tally: GenerationTally,
    *,
    notes: FoundNotes,
    again: Sequence[Evaluated],
    folder: Path | None,
    timing: EvolutionTiming | None,
) -> Evolution:
    """Put together what was found: `again` has the original's second measures, then the elites'."""

    def judged(name: str) -> Judged:
        return judge(tally.measured[name], plan.aims)

    def elite(name: str, at: int) -> Elite:
        second = judge(again[at], plan.aims) if at < len(again) else None
        return Elite(judged(name), second)

    return Evolution(
        plan,
        elite(plan.parent.name, 0),
        tuple(elite(name, at) for at, name in enumerate(notes["elites"], 1)),
        tuple(tally.summaries),
        tally.measured,
        landscape_of(notes["landscape"], judged),
        folder,
        timing,
    )


def _nobody(_progress: EvolutionProgress) -> None:
    """Tell nobody."""
