"""Runs: an experiment is played by an executor, perhaps recorded, perhaps stopped early.

Its outcomes depend on the plan alone: not on the executor, the number of its workers, or how often
the run was killed and resumed.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from cardwright.arena.plan import loaded
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.executor import executor as executor_of
from cardwright.jobs.job import KEEP_SECONDS, carry_out
from cardwright.lab.job import job_of
from cardwright.lab.native import all_native
from cardwright.lab.records import opened
from cardwright.lab.tables import layout_of
from cardwright.lab.task import together

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.jobs.executor import Executor
    from cardwright.lab.job import Progress
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan


def run(
    plan: LabPlan,
    folder: Path | None = None,
    executor: Executor | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    keep_seconds: float = KEEP_SECONDS,
) -> Outcomes:
    """Play an experiment and return its outcomes.

    With a `folder` it is recorded there as it goes on; with `resume` one that was begun there goes
    on, and one that is finished is only read. `executor` plays in this process if it is not given:
    see `fitting`. `progress` is told the number of finished deals, and of those planned. A crash
    loses the blocks under way; of slow players, no more than `keep_seconds`.

    Raises LabError for whatever is wrong with the plan or its players, RecordsError for the folder,
    and ChangedGameError, ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can
    be resumed.
    """
    layout = layout_of(plan)
    for game in layout.games:
        loaded(game).prepare()
    size = together(plan)
    opening = nullcontext() if folder is None else opened(folder, plan, size, resume=resume)
    with opening as records:
        if records is not None and records.manifest.complete:
            return records.outcomes()
        job = job_of(plan, records, progress)
        carry_out(job, executor or SerialExecutor(), keep_seconds=keep_seconds, keep_share=0)
        if records is not None:
            records.finish(job.deals)
    return job.outcomes()


def fitting(
    plan: LabPlan,
    workers: int | None = None,
    kind: str | None = None,
    scheduler: str | None = None,
) -> Executor:
    """Return the executor of a kind, with so many workers; the fastest for a plan if none is named.

    Machine code is played by threads, all else by processes; by a cluster if it has a `scheduler`.
    """
    fastest = "threads" if all_native(plan) else "processes"
    return executor_of(kind or ("cluster" if scheduler else fastest), workers, scheduler)
