"""What takes long, here and in workers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from workers import Held

from cardwright.jobs import long_steps
from cardwright.jobs.job import executor
from cardwright.jobs.long_steps import LongStep, begin_step, end_step, report_steps
from patience import wait_until

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the time on the clock, which a test may change."""
    clock = [100.0]
    monkeypatch.setattr(long_steps, "monotonic", lambda: clock[0])
    return clock


def test_a_step_is_long_after_five_seconds(now: list[float]) -> None:
    begin_step("Ann", "deal 3")
    now[0] += 4.9
    assert long_steps.long_steps() == ()
    now[0] += 7.1
    assert long_steps.long_steps() == (LongStep("Ann", "deal 3", 12.0),)
    begin_step("Ben", "deal 4")
    assert long_steps.long_steps() == ()
    end_step()
    now[0] += 9
    assert long_steps.long_steps() == ()


def test_threads_and_workers_are_told_together(now: list[float]) -> None:
    begin_step("here", "")
    other = threading.Thread(target=begin_step, args=("thread", ""))
    now[0] += 10
    other.start()
    other.join()
    report_steps(7, (LongStep("worker", "deal 1", 50.0), LongStep("short", "", 3.0)))
    now[0] += 5.5
    found = long_steps.long_steps()
    assert [(one.who, one.seconds) for one in found] == [
        ("worker", 55.5), ("here", 15.5), ("short", 8.5), ("thread", 5.5)
    ]  # fmt: skip
    report_steps(7, ())
    assert [one.who for one in long_steps.long_steps()] == ["here", "thread"]
    end_step()
    long_steps._steps.pop(other.ident or 0)
    assert long_steps.long_steps() == ()


def test_workers_report_what_takes_them_long(tmp_path: Path) -> None:
    """Until it has ended, and not after."""
    seen: list[str] = []

    def watch() -> None:
        wait_until(long_steps.long_steps)
        seen.extend(f"{one.who} {one.where}" for one in long_steps.long_steps())
        wait_until(lambda: all(one.seconds >= 7 for one in long_steps.long_steps()))
        (tmp_path / "go").touch()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    run = executor("processes", 1).run(Held(str(tmp_path / "go")), [range(1)])
    assert list(run) == [(0, 1)]
    watching.join()
    assert seen == ["Ann deal 0"]
    assert long_steps.long_steps() == ()
