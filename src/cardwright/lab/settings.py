"""Settings of experiments: what Python takes as keywords, and commands as options."""

from __future__ import annotations

from collections.abc import Callable, Iterable  # noqa: TC003 - options are made of the types
from pathlib import Path  # noqa: TC003 - options are made of the types
from typing import Annotated, TypedDict

from cardwright.jobs.settings import EXECUTOR, RESUME, SCHEDULER, WORKERS


class ExperimentSettings(TypedDict, total=False):
    """Keywords of `run_experiment`, and what the commands of the lab have as options.

    `workers` (1) play at a time, None as many as there are processors: threads where machine code
    plays all games, and else processes, unless the `executor` names another: `here`, `threads`,
    `processes`, or `cluster` with the address of a dask `scheduler`. They change nothing but how
    long it takes. With `resume` the experiment that was interrupted in the folder goes on.
    `progress` is told the number of finished deals, and of those planned. A plan is data: only
    files in `allow_files` are run or read for its players, besides lists of selectors in the folder
    of its file.
    """

    executor: Annotated[
        str | None,
        EXECUTOR.about(
            usual="cluster with --scheduler, or else threads for machine code, processes for the "
            "rest"
        ),
    ]
    workers: Annotated[int | None, WORKERS.about("Blocks of deals.")]
    scheduler: Annotated[str | None, SCHEDULER]
    resume: Annotated[bool, RESUME.about("The experiment in --records.")]
    progress: Callable[[int, int], object] | None
    allow_files: Iterable[str | Path]
