"""Runs: an experiment is played by an executor, optionally recorded and stopped early.

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
from cardwright.lab.records import is_complete, opened
from cardwright.lab.tables import layout_of
from cardwright.lab.task import together
from cardwright.lab.tested import try_players

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

    With a `folder` it is recorded there as it is played; with `resume` one that was begun there is
    continued, and one that is finished is only read. Without an `executor` it is played in this
    process: see `fitting`. `progress` is given the number of finished deals, and of those planned.
    A crash loses the blocks under way; with slow players, no more than `keep_seconds`.

    Players load what `plan.trust` allows. Raises LabError for anything wrong with the plan or its
    players, RecordsError for the folder,
    and ChangedGameError, ExecutorError and WorkerError. KeyboardInterrupt leaves a folder that can
    be resumed.
    """
    layout = layout_of(plan)
    if not (resume and folder is not None and is_complete(folder)):
        try_players(layout.players, plan.trust)  # found out here, and not only by workers
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
    """Return an executor of this kind, with `workers` workers; by default the fastest for the plan.

    Machine code is played by threads, all else by processes; or by a cluster, given a `scheduler`.
    """
    fastest = "threads" if all_native(plan) else "processes"
    return executor_of(kind or ("cluster" if scheduler else fastest), workers, scheduler)
