"""Jobs that are played, killed, interrupted, gone on with: what comes of them is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray  # noqa: TC002 - blocks are read by it

from cardwright.jobs.executor import ExecutorError, SerialExecutor, ThreadExecutor, WorkerError
from cardwright.jobs.files import DamagedError, RecordsError, pack, unpack
from cardwright.jobs.folder import BLOCKS, FILE, JobFolder, Manifest
from cardwright.jobs.job import EarlyStop, Job, Timed, carry_out
from cardwright.jobs.processes import ProcessExecutor
from deep import usually
from killing import kill_at_write
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.jobs.executor import Executor

UNITS = 14


@dataclass(frozen=True)
class Square:
    """A square, also as an array."""

    text: str
    array: NDArray[np.int64]


class SquaresFolder(JobFolder[Manifest, Square]):
    """The folder of a job that squares numbers."""

    FORMAT = "squares"
    WHAT, TASKS = "job", "squares"
    BLOCK = Square
    count = UNITS

    @classmethod
    def wanting(cls, folder: Path, enough: int) -> SquaresFolder:
        return cls(folder, Manifest(plan={"enough": enough}))


def squares(batch: range) -> dict[int, Square]:
    """Return the squares of some numbers, each of which makes three deals."""
    return {number: Square(str(number**2), np.array([number**2])) for number in batch}


class Squares(Job[dict[int, Square]]):
    """The smallest job there can be: it squares numbers, until a rule says that they are enough."""

    def __init__(
        self, records: SquaresFolder, enough: int = 0, *, most: int = 3, noun: str = "deal"
    ) -> None:
        self.tasks, self.most, self.noun = UNITS, most, noun
        self.files = records.blocks
        self.early = EarlyStop(range(2, UNITS, 2), lambda deals: 0 < enough <= deals)
        self.text = ""
        self.told: list[int] = []
        self.taken = 0
        self.finished = 0

    def span(self, batch: range) -> range:
        return range(3 * batch.start, 3 * batch.stop)

    def ready(self) -> Callable[[range], dict[int, Square]]:
        return squares

    def kept(self) -> Iterator[range]:
        for number in self.files.numbers():
            self.finished += 1
            yield range(number, number + 1)

    def add(self, batch: range, part: dict[int, Square]) -> None:
        assert list(part) == list(batch)
        self.files.write(part)
        self.finished += len(batch)

    def reach(self, tasks: int) -> None:
        while self.taken < tasks:
            self.text += self.files.read(self.taken).text + " "
            self.taken += 1
        self.early.reach(self.taken)

    def tell(self) -> None:
        self.told.append(self.finished)


def play(folder: Path, executor: Executor | None = None, enough: int = 0) -> Squares:
    """Begin a job in a folder, or go on with it, to its end."""
    with SquaresFolder.wanting(folder, enough).opened(resume=True) as records:
        job = Squares(records, enough)
        carry_out(job, executor or SerialExecutor())
        played = job.early.at or job.tasks
        records.blocks.remove(number for number in records.blocks.numbers() if number >= played)
        records.finish(played=played)
    return job


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder with their bytes."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.fixture(params=[0, 5], ids=["to its end", "stopped"])
def enough(request: pytest.FixtureRequest) -> int:
    return request.param


def test_a_job_takes_up_its_tasks_in_order_and_stops_at_a_look(tmp_path: Path) -> None:
    assert play(tmp_path / "all").text == " ".join(str(n**2) for n in range(UNITS)) + " "
    job = play(tmp_path / "some", enough=5)
    assert (job.early.at, job.text.split()[:6]) == (6, ["0", "1", "4", "9", "16", "25"])
    assert len(contents(tmp_path / "some")) == 6 + 1


def test_a_job_that_was_stopped_is_not_played_further(tmp_path: Path) -> None:
    records = SquaresFolder.wanting(tmp_path, 5)
    job = Squares(records, 5, most=1)
    carry_out(job, SerialExecutor())
    assert (job.finished, job.told) == (6, list(range(7)))
    again = Squares(records, 5, most=1)
    carry_out(again, SerialExecutor())
    assert (again.early.at, again.told) == (6, [6])


def test_a_rule_is_asked_at_its_looks_as_soon_as_they_are_due_and_not_after_it_has_said_so() -> (
    None
):
    asked: list[int] = []

    def enough(deals: int) -> bool:
        asked.append(deals)
        return deals >= 7

    early = EarlyStop([3, 5, 7, 9], enough)
    for deals, expected in ((2, []), (3, [3]), (4, [3]), (9, [3, 5, 7]), (20, [3, 5, 7])):
        early.reach(deals)
        assert asked == expected
    assert early.at == 7


@pytest.mark.parametrize("executor", [ThreadExecutor(3), ProcessExecutor(usually(1, 2))], ids=repr)
def test_files_do_not_depend_on_who_plays(tmp_path: Path, executor: Executor, enough: int) -> None:
    play(tmp_path / "here", enough=enough)
    play(tmp_path / "there", executor, enough)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def die_again_and_again(folder: Path, enough: int) -> None:
    """Play a job in processes of which each is killed a write later; print what each left."""
    for left in range(1, 999):
        process = os.fork()
        if process == 0:
            kill_at_write(left)
            play(folder, enough=enough)
            os._exit(0)
        killed = os.waitpid(process, 0)[1] == signal.SIGKILL
        print(*contents(folder))  # noqa: T201 - for the test that has started this process
        if not killed:
            return


def test_killed_again_and_again_a_job_comes_to_the_same_bytes(tmp_path: Path, enough: int) -> None:
    """By SIGKILL, in a write, each time one further; nothing half written is taken up."""
    play(tmp_path / "undisturbed", enough=enough)
    folder = tmp_path / "job"
    script = (
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom pathlib import Path\n"
        f"from jobs.test_job import die_again_and_again\n"
        f"die_again_and_again(Path({str(folder)!r}), {enough})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    states = done.stdout.splitlines()
    assert len(states) > 5
    assert any(".manifest.json.new" in state for state in states)
    assert any(f"{BLOCKS}/.000001.npz.new" in state for state in states)
    assert contents(folder) == contents(tmp_path / "undisturbed")


@pytest.mark.parametrize(
    "executor", [SerialExecutor(), ThreadExecutor(2), ProcessExecutor(2)], ids=repr
)
def test_an_interrupt_keeps_what_was_played(tmp_path: Path, executor: Executor) -> None:
    class Interrupted(Squares):
        def tell(self) -> None:
            super().tell()
            if self.finished > 3:
                raise KeyboardInterrupt

    with SquaresFolder.wanting(tmp_path / "job", 0).opened(resume=False) as records:
        job = Interrupted(records)
        with pytest.raises(KeyboardInterrupt):
            carry_out(job, executor)
    assert 3 < len(job.files.numbers()) < UNITS
    again = play(tmp_path / "job")
    assert again.told[0] == job.finished
    assert again.told[-1] == UNITS


def test_parts_are_kept_as_often_as_is_said_and_at_the_end(tmp_path: Path) -> None:
    kept = []

    class Keeping(Squares):
        def keep(self) -> None:
            kept.append(self.finished)

    records = SquaresFolder.wanting(tmp_path, 0)
    carry_out(Keeping(records, most=1), SerialExecutor(), keep_seconds=99)
    assert kept == [UNITS]
    kept.clear()
    for file in (tmp_path / BLOCKS).iterdir():
        file.unlink()
    carry_out(Keeping(records, most=1), SerialExecutor(), keep_seconds=0, keep_share=0)
    assert kept == [*range(1, UNITS + 1), UNITS]


def test_a_batch_that_kills_workers_is_named_by_what_people_count(tmp_path: Path) -> None:
    class Dying(SerialExecutor):
        def run(self, function: Any, batches: Any) -> Any:
            yield from super().run(function, [next(iter(batches))])
            raise WorkerError(range(4, 6), "was killed")

    records = SquaresFolder.wanting(tmp_path, 0)
    with pytest.raises(WorkerError, match="3 workers died over games 12 to 17; the last was kille"):
        carry_out(Squares(records, noun="game"), Dying())


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(ExecutorError, match=r"a worker has Cardwright .* 0\.0\.1; all must have"):
        Timed(squares, "0.0.1")(range(1))


def test_another_job_is_not_gone_on_with(tmp_path: Path) -> None:
    play(tmp_path)
    with pytest.raises(RecordsError, match=r"differs from this one:\n  enough: 0 there, 3 here"):
        play(tmp_path, enough=3)
    with (
        pytest.raises(
            RecordsError, match=r"already a job in .* is finished: resume it, or name an"
        ),
        SquaresFolder.wanting(tmp_path, 0).opened(resume=False),
    ):
        pass
    records = SquaresFolder.read(tmp_path)
    content = records.blocks.file(4).read_bytes()
    records.blocks.file(3).write_text("8")
    with pytest.raises(
        DamagedError, match=r"000003\.npz is damaged \(it has changed .*--set-aside"
    ):
        records.blocks.read(3)
    found = records.inspect()
    assert list(found.damaged) == ["blocks/000003.npz"]
    assert found.set_aside() == [tmp_path / "damaged" / "000003.npz"]
    reopened = SquaresFolder.read(tmp_path).manifest
    assert reopened == Manifest(plan={"enough": 0})
    records.blocks.file(3).write_bytes(content)
    with pytest.raises(RecordsError, match="belongs to another job, or elsewhere in it"):
        SquaresFolder.read(tmp_path).blocks.read(3)
    (tmp_path / FILE).write_text('{"format": "cubes"}')
    with pytest.raises(RecordsError, match="is not the manifest of a job"):
        SquaresFolder.read(tmp_path)


def test_values_come_back_from_their_bytes_and_arrays_have_the_right_type() -> None:
    square = Square("9 †", np.array([3, 3]))
    content = pack(square)
    assert content == pack(Square("9 †", np.array([3, 3])))
    again = unpack(content, Square)
    assert (again.text, again.array.tolist()) == ("9 †", [3, 3])
    with pytest.raises(ValueError, match="an array in it is of float64, not int64"):
        unpack(pack(Square("9", np.array([3.0]))), Square)
    for wrong in (b"", content[:-20], b"PK\x03\x04" + content[9:]):
        with pytest.raises(Exception):  # noqa: B017, PT011 - of many kinds
            unpack(wrong, Square)
