from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from runs import Dying, Slow, Small, children, failing, lengths, marked, players_file

from cardwright.arena.executor import (
    KINDS,
    ExecutorError,
    Here,
    Threads,
    WorkerError,
    executor,
    processors,
)
from cardwright.arena.played import Played
from cardwright.arena.processes import Processes
from cardwright.arena.unit import PlayDeals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.arena.executor import Executor

BATCHES = [range(4), range(4, 5), range(5, 9), range(9, 12)]
LOCAL = [Here(), Threads(1), Threads(3), Processes(2)]


def joined(player: Executor, function) -> tuple[list[int], Played]:
    """Play all batches, and return the order in which they came, and what came of them."""
    numbers, parts = zip(*player.run(function, BATCHES), strict=True)
    return list(numbers), Played.joined(parts)


@pytest.mark.parametrize("player", LOCAL, ids=repr)
def test_every_batch_is_carried_out_once(player: Executor) -> None:
    numbers, played = joined(player, PlayDeals(Small().plan()))
    assert sorted(numbers) == [0, 1, 2, 3]
    assert played.results.same(PlayDeals(Small().plan())(range(12)).results)


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


@pytest.mark.parametrize("player", [Here(), Threads(2), Processes(2)], ids=repr)
def test_an_error_is_raised_where_the_results_are_wanted(player: Executor) -> None:
    with pytest.raises(KeyError, match="7"):
        list(player.run(failing, [range(7, 9)] * 5))


def test_an_error_from_a_process_shows_the_way_to_it() -> None:
    with pytest.raises(KeyError) as caught:
        list(Processes(1).run(failing, [range(1)]))
    assert "in failing" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("player", [Threads(2), Processes(2)], ids=repr)
def test_nothing_is_left_when_the_results_are_closed(player: Executor) -> None:
    before, others = threading.active_count(), children()
    results = player.run(lengths, [range(1)] * 50)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert children() == others


def test_a_batch_under_way_in_a_process_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "done"
    results = Processes(2).run(Slow(str(file)), [range(1), range(2)])
    assert next(results) == (0, 1)
    results.close()  # type: ignore[attr-defined]
    assert not file.exists()


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    """It is killed for real, twice, in the middle of a batch."""
    play = PlayDeals(Small().plan())
    marks = marked(tmp_path, 2)
    numbers, played = joined(Processes(2), Dying(play, 6, marks))
    assert not list(Path(marks).iterdir())
    assert sorted(numbers) == [0, 1, 2, 3]
    assert played.results.same(play(range(12)).results)


def test_a_batch_that_kills_three_workers_stops_the_run(tmp_path: Path) -> None:
    others = children()
    dying = Dying(PlayDeals(Small().plan()), 6, marked(tmp_path, 9))
    message = r"3 workers died over deals 5 to 8; the last was killed by signal 9 \(SIGKILL\)"
    with pytest.raises(WorkerError, match=message):
        joined(Processes(2), dying)
    assert len(list((tmp_path / "marks").iterdir())) == 6
    assert children() == others


@pytest.mark.slow
def test_a_worker_killed_from_outside_is_replaced() -> None:
    play = PlayDeals(Small(deals=400).plan("pimc:rollouts=3", "random"))
    batches = [range(first, first + 20) for first in range(0, 400, 20)]
    others = set(children())
    parts = []
    for number, (_, part) in enumerate(Processes(2).run(play, batches)):
        parts.append(part)
        if number in {0, 12}:
            os.kill(min(set(children()) - others), 9)
    assert Played.joined(parts).deals == tuple(range(400))
    assert sum(len(part.deals) for part in parts) == 400


def test_what_a_player_prints_does_no_harm(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    play = PlayDeals(Small().plan("random", f"{players_file(tmp_path)}Printing"))
    joined(Processes(1), play)
    out, err = capfd.readouterr()
    assert not out
    assert "hello" in err


def test_workers_do_not_need_the_main_module(tmp_path: Path) -> None:
    """A script without `if __name__ == "__main__"` may use processes."""
    import subprocess
    import sys

    script = tmp_path / "script.py"
    script.write_text(
        "from cardwright.arena.processes import Processes\n"
        "print(dict(Processes(2).run(len, [range(3), range(5)])))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert sorted(done.stdout.strip()) == sorted("{0: 3, 1: 5}")


def test_executors_by_name() -> None:
    assert executor("here") == Here()
    assert executor("threads", 3) == Threads(3)
    assert executor("processes") == Processes(processors())
    assert {executor(kind, 2).workers for kind in KINDS} == {1, 2}
    for wrong, message in [
        (("thread",), "no executor 'thread'; there are here, threads"),
        (("threads", 0), "1 worker or more, not 0"),
        (("threads", 2, "tcp://host:1"), "a scheduler is for the executor 'cluster'"),
    ]:
        with pytest.raises(ExecutorError, match=message):
            executor(*wrong)


def test_a_slow_batch_keeps_no_other_waiting() -> None:
    """Results come in the order of completion."""
    seen = [number for number, _ in Threads(2).run(slow_first, [range(1), range(2), range(3)])]
    assert seen[-1] == 0


def slow_first(batch: range) -> int:
    """Take a while for a batch of one deal."""
    if len(batch) == 1:
        time.sleep(0.3)
    return len(batch)
