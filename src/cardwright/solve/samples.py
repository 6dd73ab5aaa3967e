"""Long samples of numbers, as jobs: rows of numbers by task, kept in a file, resumed after a crash.

A task is one deal, or one round of questions. Its row depends on the job alone, so neither the
workers nor interruptions leave a trace.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.jobs.executor import SerialExecutor
from cardwright.jobs.files import write_whole
from cardwright.jobs.job import carry_out
from cardwright.solve.errors import SolveError
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cardwright.jobs.executor import Call, Executor
    from cardwright.solve.tree import Reals

    Rows: TypeAlias = list[list[float]]

FORMAT = "cardwright exploit"
VERSION = 1


def sample_rows(
    call: Call[Rows],
    tasks: int,
    noun: str,
    head: Mapping[str, Any],
    *,
    file: Path | None = None,
    resume: bool = False,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Reals:
    """Return the rows of all tasks, one below the other; `call` makes those of a range of tasks.

    `head` is all that a row depends on but the number of its task. With a `file` they are kept
    there; `resume` goes on from what it has. Raises SolveError if the file is of another job.
    """
    job = _SampleJob(call, tasks, noun, dict(head), file, progress)
    if file is not None and file.exists() and not resume:
        raise SolveError(f"{file} exists: resume what it has, or name another file")
    if file is not None and resume and file.exists():
        job.take(file)
    carry_out(job, executor or SerialExecutor())
    return np.array([job.rows[task] for task in range(tasks)])


@dataclass
class _SampleJob:
    """The rows of tasks as a job."""

    call: Call[Rows]
    tasks: int
    noun: str
    head: dict[str, Any]
    file: Path | None
    progress: Callable[[int, int], object] | None
    rows: dict[int, list[float]] = field(default_factory=dict)
    most: None = field(default=None, init=False)
    stopped: bool = field(default=False, init=False)
    _fresh: bool = field(default=False, init=False)

    def span(self, batch: range) -> range:
        """Return the tasks of a batch."""
        return batch

    def ready(self) -> Call[Rows]:
        """Return what makes the rows of a batch."""
        return self.call

    def kept(self) -> Iterator[list[int]]:
        """Yield the tasks whose rows were in the file."""
        yield [task for task in self.rows if task < self.tasks]

    def add(self, batch: range, part: Rows) -> None:
        """Take over the rows of a batch."""
        self.rows.update(zip(batch, part, strict=True))
        self._fresh = True

    def reach(self, tasks: int) -> None:
        """Do nothing: rows are put in order at the end."""

    def keep(self) -> None:
        """Write what there is."""
        if self.file is None or not self._fresh:
            return
        rows = {str(task): self.rows[task] for task in sorted(self.rows)}
        data = {**_version(), "job": self.head, "rows": rows}
        write_whole(self.file, json.dumps(data).encode() + b"\n")
        self._fresh = False

    def tell(self) -> None:
        """Report how many tasks are done."""
        if self.progress is not None:
            self.progress(sum(task < self.tasks for task in self.rows), self.tasks)

    def take(self, file: Path) -> None:
        """Take over the rows of a file; raises SolveError if it is of another job."""
        data = _data(file)
        for name, value in _version().items():
            if name != "cardwright" and data.get(name) != value:
                raise SolveError(
                    f"{file} was written by Cardwright {data.get('cardwright')}, whose results "
                    "this version cannot continue"
                )
        try:
            job = dict(data["job"])
            rows = {int(task): [float(one) for one in row] for task, row in data["rows"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _damaged(file, error) from None
        for name, value in self.head.items():
            if (found := job.get(name)) != value:
                raise SolveError(
                    f"{file} cannot be resumed: its {name} is {found}, and not {value}"
                )
        self.rows = rows


def kept_seed(file: Path) -> int:
    """Return the seed of the job whose rows a file has; raises SolveError if it has none."""
    try:
        return int(_data(file)["job"]["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(file, error) from None


def _data(file: Path) -> dict[str, Any]:
    try:
        data = parse_json(read_text(file))
    except OSError as error:
        raise SolveError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SolveError(f"{file} is not what `cardwright exploit` has kept: name another file")
    return data


def _damaged(file: Path, error: Exception) -> SolveError:
    return SolveError(f"{file} is damaged: {type(error).__name__}: {error}; name another file")


def _version() -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "cardwright": __version__,
        "results_version": RESULTS_VERSION,
    }
