"""How long a process sleeps is told apart from how long it is kept waiting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from cardwright.sandbox import allowance
from cardwright.sandbox.allowance import LAST_LOOK, ProcessorTime, Sleep, state_of

SECOND = 10**9


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        monkeypatch.setattr(allowance.time, "perf_counter_ns", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def looked(clock: Clock, sleep: Sleep, seconds: float) -> None:
    """Wait as an answer is waited for: until the next look, again and again."""
    begun = clock.now
    while clock.now - begun < seconds * SECOND and (left := sleep.left(0)) > 0:
        clock.now += int(left * SECOND) + 1


def test_a_process_that_sleeps_is_charged_for_it(clock: Clock) -> None:
    sleep = Sleep(lambda: True, 1.0)
    looked(clock, sleep, 0.5)
    assert 0.45 * SECOND < sleep.spent_ns <= 0.5 * SECOND
    assert not sleep.spent
    looked(clock, sleep, 60)
    assert sleep.spent
    assert sleep.left(0) == 0
    assert clock.now < 1.1 * SECOND


def test_a_process_that_waits_for_a_processor_is_not(clock: Clock) -> None:
    sleep = Sleep(lambda: False, 0.1)
    looked(clock, sleep, 60)
    assert sleep.spent_ns == 0


def test_a_process_that_is_mostly_kept_waiting_is_charged_for_the_rest(clock: Clock) -> None:
    looks = iter([False, False, False, True] * 1000)
    sleep = Sleep(lambda: next(looks), 60)
    looked(clock, sleep, 10)
    assert 0.15 * 10 * SECOND < sleep.spent_ns < 0.35 * 10 * SECOND


def test_who_looks_may_be_kept_waiting_too(clock: Clock) -> None:
    """Between two looks an hour passes: it is not known what the process did in it."""
    sleep = Sleep(lambda: True, 1.0)
    clock.now += 3600 * SECOND
    sleep.left(0)
    assert sleep.spent_ns <= 1.5 * LAST_LOOK * SECOND


def test_what_was_computed_between_two_looks_is_no_sleep(clock: Clock) -> None:
    sleep = Sleep(lambda: True, 1.0)
    clock.now += int(sleep.left(0) * SECOND) + 1
    sleep.left(0.001)
    assert sleep.spent_ns <= 0.001 * SECOND + 1


def test_looks_come_at_times_that_nobody_can_know(clock: Clock) -> None:
    """Otherwise a process could be awake at each of them."""
    several = {round(Sleep(lambda: False, 1).left(0), 9) for _ in range(3)}
    assert len(several) == 1  # the first one comes soon, so that a quick answer costs nothing
    ends = set()
    for _ in range(5):
        clock.now = 0
        sleep = Sleep(lambda: False, 1)
        looked(clock, sleep, 0.1)
        ends.add(clock.now)
    assert len(ends) == 5


def test_the_limit_of_sleep_is_one_of_several(clock: Clock) -> None:
    used = 0
    limit = ProcessorTime(lambda: used, 0, 1.0, sleep=Sleep(lambda: True, 0.1))
    assert 0 < limit.left() < LAST_LOOK
    used = SECOND
    assert limit.left() <= 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the state of a process")
def test_the_kernel_tells_who_sleeps() -> None:
    """A name with a parenthesis in it does not mislead; who was stopped does not sleep."""
    rename = "import ctypes; ctypes.CDLL(None).prctl(15, b') R (')\n"
    code = rename + "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        asleep = state_of(process.pid)
        assert asleep is not None
        wait_until(asleep)
        os.kill(process.pid, signal.SIGSTOP)
        wait_until(lambda: not asleep())
        os.kill(process.pid, signal.SIGCONT)
        wait_until(asleep)
    assert not asleep()
    assert state_of(process.pid) is None


def wait_until(true: object) -> None:
    """Wait for a condition; fail if it does not come true in a minute."""
    assert callable(true)
    until = time.monotonic() + 60
    while not true():
        assert time.monotonic() < until
        time.sleep(0.001)
