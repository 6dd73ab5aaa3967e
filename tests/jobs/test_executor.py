from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardwright.jobs.executor import (
    ExecutorError,
    SerialExecutor,
    ThreadExecutor,
    WorkerError,
    processors,
)
from cardwright.jobs.job import KINDS, executor
from cardwright.jobs.processes import LastingProcesses, ProcessExecutor
from jobs.workers import (
    BATCHES,
    Dying,
    Slow,
    children,
    counted_slowly,
    failing,
    lengths,
    listed,
    marked,
    printing,
    running,
)
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.jobs.executor import Executor

LOCAL = [SerialExecutor(), ThreadExecutor(1), ThreadExecutor(3), ProcessExecutor(2)]


def joined(player: Executor, function) -> tuple[list[int], list[int]]:
    """Play all batches, and return the order in which they came, and what came of them."""
    numbers, parts = zip(*player.run(function, BATCHES), strict=True)
    return list(numbers), sorted(number for part in parts for number in part)


@pytest.mark.parametrize("player", LOCAL, ids=repr)
def test_every_batch_is_carried_out_once(player: Executor) -> None:
    numbers, played = joined(player, listed)
    assert sorted(numbers) == [0, 1, 2, 3]
    assert played == list(range(12))


@pytest.mark.parametrize("player", LOCAL, ids=repr)
def test_results_bear_the_numbers_of_their_batches(player: Executor) -> None:
    batches = [range(one) for one in (5, 1, 7, 2, 2, 9)]
    found = dict(player.run(lengths, batches))
    assert found == {0: 5, 1: 1, 2: 7, 3: 2, 4: 2, 5: 9}


@pytest.mark.parametrize("player", LOCAL, ids=repr)
def test_batches_are_taken_as_they_are_needed(player: Executor) -> None:
    taken = []

    def batches() -> Iterator[range]:
        for number in range(100):
            taken.append(number)
            yield range(1)

    results = player.run(lengths, batches())
    for _ in range(3):
        next(results)
    assert len(taken) <= 3 + 2 * player.workers
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "player", [SerialExecutor(), ThreadExecutor(2), ProcessExecutor(2)], ids=repr
)
def test_an_error_is_raised_where_the_results_are_wanted(player: Executor) -> None:
    with pytest.raises(KeyError, match="7"):
        list(player.run(failing, [range(7, 9)] * 5))


def test_an_error_from_a_process_shows_the_way_to_it() -> None:
    with pytest.raises(KeyError) as caught:
        list(ProcessExecutor(1).run(failing, [range(1)]))
    assert "in failing" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("player", [ThreadExecutor(2), ProcessExecutor(2)], ids=repr)
def test_nothing_is_left_when_the_results_are_closed(player: Executor) -> None:
    before, others = threading.active_count(), children()
    results = player.run(lengths, [range(1)] * 50)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert children() == others


def test_a_batch_under_way_in_a_process_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "done"
    results = ProcessExecutor(2).run(Slow(str(file)), [range(1), range(2)])
    assert next(results) == (0, 1)
    results.close()  # type: ignore[attr-defined]
    assert not file.exists()


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    """It is killed for real, twice, in the middle of a batch."""
    marks = marked(tmp_path, 2)
    numbers, played = joined(ProcessExecutor(2), Dying(6, marks))
    assert not list(Path(marks).iterdir())
    assert sorted(numbers) == [0, 1, 2, 3]
    assert played == list(range(12))


def test_a_batch_that_kills_three_workers_stops_the_run(tmp_path: Path) -> None:
    others = children()
    dying = Dying(6, marked(tmp_path, 9))
    message = r"3 workers died over deals 5 to 8; the last was killed by signal 9 \(SIGKILL\)"
    with pytest.raises(WorkerError, match=message):
        joined(ProcessExecutor(2), dying)
    assert len(list((tmp_path / "marks").iterdir())) == 6
    assert children() == others


@pytest.mark.slow
def test_a_worker_killed_from_outside_is_replaced() -> None:
    batches = [range(first, first + 20) for first in range(0, 240, 20)]
    others = set(children())
    found = {}
    for number, length in ProcessExecutor(2).run(counted_slowly, batches):
        if len(found) in {0, 7}:
            os.kill(min(set(children()) - others), 9)
        found[number] = length
    assert found == dict.fromkeys(range(12), 20)


def test_what_is_printed_does_no_harm(capfd: pytest.CaptureFixture) -> None:
    joined(ProcessExecutor(1), printing)
    out, err = capfd.readouterr()
    assert not out
    assert "hello" in err


def test_workers_end_with_the_process_that_has_started_them() -> None:
    """Also if that is killed, and can end nothing any more."""
    script = (
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom jobs.workers import counted_slowly\n"
        "from cardwright.jobs.processes import ProcessExecutor\n"
        "for one in ProcessExecutor(2).run(counted_slowly, [range(1)] * 600):\n"
        "    print(one, flush=True)"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    workers = children(process.pid)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert workers
    end = time.monotonic() + PATIENCE
    while set(workers) & set(running()):
        assert time.monotonic() < end
        time.sleep(0.005)


def test_processes_that_last_carry_out_one_job_after_another() -> None:
    """The same processes, each job by its own function; none is left at the end."""
    others = set(children())
    with LastingProcesses(2) as player:
        assert joined(player, listed)[1] == list(range(12))
        first = set(children()) - others
        assert len(first) == 2
        assert sum(dict(player.run(lengths, BATCHES)).values()) == 12
        assert set(children()) - others == first
        with pytest.raises(KeyError, match="0"):
            list(player.run(failing, BATCHES))
        assert joined(player, listed)[1] == list(range(12))
    assert not first & set(running())


def test_processes_that_last_survive_deaths_and_jobs_that_are_given_up(tmp_path: Path) -> None:
    """A new process knows what the job is; one at work on a job given up is ended at once."""
    with LastingProcesses(1) as player:
        assert joined(player, Dying(4, marked(tmp_path, 2)))[1] == list(range(12))
        file = tmp_path / "file"
        results = player.run(Slow(str(file)), [range(1), range(5)])
        next(results)
        time.sleep(0.2)
        begun = time.monotonic()
        results.close()  # type: ignore[attr-defined]
        assert time.monotonic() - begun < 1
        assert joined(player, listed)[1] == list(range(12))
        assert not file.exists()


def test_workers_do_not_need_the_main_module(tmp_path: Path) -> None:
    """A script without `if __name__ == "__main__"` may use processes."""
    script = tmp_path / "script.py"
    script.write_text(
        "from cardwright.jobs.processes import ProcessExecutor\n"
        "print(dict(ProcessExecutor(2).run(len, [range(3), range(5)])))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert sorted(done.stdout.strip()) == sorted("{0: 3, 1: 5}")


def test_executors_by_name() -> None:
    assert executor("here") == SerialExecutor()
    assert executor("threads", 3) == ThreadExecutor(3)
    assert executor("processes") == ProcessExecutor(processors())
    assert {executor(kind, 2).workers for kind in KINDS} == {1, 2}
    for wrong, message in [
        (("thread",), "no executor 'thread'; choose from here, processes, threads and cluster"),
        (("threads", 0), "1 worker or more, not 0"),
        (("threads", 2, "tcp://host:1"), "a scheduler is for the executor 'cluster'"),
    ]:
        with pytest.raises(ExecutorError, match=message):
            executor(*wrong)


def test_a_slow_batch_keeps_no_other_waiting() -> None:
    """Results come in the order of completion."""
    seen = [
        number for number, _ in ThreadExecutor(2).run(slow_first, [range(1), range(2), range(3)])
    ]
    assert seen[-1] == 0


def slow_first(batch: range) -> int:
    """Take a while for a batch of one deal."""
    if len(batch) == 1:
        time.sleep(0.3)
    return len(batch)
