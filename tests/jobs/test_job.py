"""Jobs that are played, killed, interrupted, gone on with: what comes of them is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.jobs.executor import ExecutorError, SerialExecutor, ThreadExecutor, WorkerError
from cardwright.jobs.files import DamagedError, RecordsError
from cardwright.jobs.folder import BLOCKS, FILE, Blocks, Format, check_same, held, tidy
from cardwright.jobs.job import EarlyStop, Timed, carry_out
from cardwright.jobs.processes import ProcessExecutor
from killing import kill_at_write
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cardwright.jobs.executor import Executor

FORMAT = Format("squares", 1, "squares", {"played": 0})
UNITS = 14


def squares(batch: range) -> dict[int, bytes]:
    """Return the squares of some numbers, each of which makes three deals."""
    return {number: str(number**2).encode() for number in batch}


@dataclass
class Squares:
    """The smallest job there can be: it squares numbers, until a rule says that they are enough."""

    folder: Path
    enough: int = 0
    digests: dict[str, str] = field(default_factory=dict)
    tasks: int = UNITS
    most: int | None = 3
    noun: str = "deal"
    text: str = ""
    told: list[int] = field(default_factory=list)
    taken: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self.files = Blocks(self.folder, self.tasks, "job", "squares", "mend it", self.digests)
        self.early = EarlyStop(range(2, self.tasks, 2), lambda deals: 0 < self.enough <= deals)

    @property
    def stopped(self) -> bool:
        return self.early.at is not None

    def span(self, batch: range) -> range:
        return range(3 * batch.start, 3 * batch.stop)

    def ready(self) -> Callable[[range], dict[int, bytes]]:
        return squares

    def kept(self) -> Iterator[range]:
        for number in self.files.there():
            self.finished += 1
            yield range(number, number + 1)

    def add(self, batch: range, part: dict[int, bytes]) -> None:
        assert list(part) == list(batch)
        self.files.write(part)
        self.finished += len(batch)

    def reach(self, tasks: int) -> None:
        while self.taken < tasks:
            self.text += self.files.read(self.taken).decode() + " "
            self.taken += 1
        self.early.reach(self.taken)

    def keep(self) -> None:
        pass

    def tell(self) -> None:
        self.told.append(self.finished)


def play(folder: Path, executor: Executor | None = None, enough: int = 0) -> Squares:
    """Begin a job in a folder, or go on with it, to its end."""
    with held(folder, BLOCKS, f"the job in {folder}"):
        there = FORMAT.read(folder)
        wanted = {"enough": enough}
        if there is None:
            FORMAT.write(folder, {**wanted, "complete": False, "played": 0, "digests": {}})
        else:
            found = [] if there["enough"] == enough else ["enough is another"]
            check_same("a job", folder, "", found, resume=True)
        tidy(folder)
        job = Squares(folder, enough)
        carry_out(job, executor or SerialExecutor())
        played = job.early.at or job.tasks
        for number in job.files.there()[played:]:
            job.files.file(number).unlink()
        digests = job.files.digested(range(played))
        FORMAT.write(folder, {**wanted, "complete": True, "played": played, "digests": digests})
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
    assert len(contents(tmp_path / "some")) == 6 + 2


def test_a_job_that_was_stopped_is_not_played_further(tmp_path: Path) -> None:
    (tmp_path / BLOCKS).mkdir()
    job = Squares(tmp_path, enough=5, most=1)
    carry_out(job, SerialExecutor())
    assert (job.finished, job.told) == (6, list(range(7)))
    again = Squares(tmp_path, enough=5, most=1)
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


@pytest.mark.parametrize("executor", [ThreadExecutor(3), ProcessExecutor(2)], ids=repr)
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

    with held(tmp_path / "job", BLOCKS, "it"):
        job = Interrupted(tmp_path / "job")
        with pytest.raises(KeyboardInterrupt):
            carry_out(job, executor)
    assert 3 < len(job.files.there()) < UNITS
    again = play(tmp_path / "job")
    assert again.told[0] == job.finished
    assert again.told[-1] == UNITS


def test_parts_are_kept_as_often_as_is_said_and_at_the_end(tmp_path: Path) -> None:
    kept = []

    class Keeping(Squares):
        def keep(self) -> None:
            kept.append(self.finished)

    (tmp_path / BLOCKS).mkdir()
    carry_out(Keeping(tmp_path, most=1), SerialExecutor(), keep_seconds=99)
    assert kept == [UNITS]
    kept.clear()
    for file in (tmp_path / BLOCKS).iterdir():
        file.unlink()
    carry_out(Keeping(tmp_path, most=1), SerialExecutor(), keep_seconds=0, keep_share=0)
    assert kept == [*range(1, UNITS + 1), UNITS]


def test_a_batch_that_kills_workers_is_named_by_what_people_count(tmp_path: Path) -> None:
    class Dying(SerialExecutor):
        def run(self, function: Any, batches: Any) -> Any:
            yield from super().run(function, [next(iter(batches))])
            raise WorkerError(range(4, 6), "was killed")

    (tmp_path / BLOCKS).mkdir()
    with pytest.raises(WorkerError, match="3 workers died over games 12 to 17; the last was kille"):
        carry_out(Squares(tmp_path, noun="game"), Dying())


def test_a_worker_of_another_version_is_refused() -> None:
    with pytest.raises(ExecutorError, match=r"a worker has Cardwright .* 0\.0\.1; all must have"):
        Timed(squares, "0.0.1")(range(1))


def test_another_job_is_not_gone_on_with(tmp_path: Path) -> None:
    play(tmp_path)
    with pytest.raises(RecordsError, match=r"differs from this one:\n  enough is another"):
        play(tmp_path, enough=3)
    data = FORMAT.read(tmp_path)
    assert data is not None
    files = Squares(tmp_path, digests=data["digests"]).files
    files.file(3).write_text("8")
    with pytest.raises(DamagedError, match=r"000003\.npz is damaged \(it has changed .*; mend it"):
        files.read(3)
    FORMAT.reopen(tmp_path)
    reopened = FORMAT.read(tmp_path)
    assert reopened == data | {"complete": False, "played": 0, "digests": {}}
    (tmp_path / FILE).write_text('{"format": "cubes"}')
    with pytest.raises(RecordsError, match="is not the manifest of squares"):
        FORMAT.read(tmp_path)
