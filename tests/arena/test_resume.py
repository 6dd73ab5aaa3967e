from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import pytest
from runs import Small, players_file

from cardwright.arena.records import RunFolder, read_results
from cardwright.arena.run import PlayRunDeals, run
from cardwright.jobs.executor import SerialExecutor, ThreadExecutor
from cardwright.jobs.files import DamagedError, RecordsError
from cardwright.jobs.processes import ProcessExecutor
from deep import usually
from killing import killed_at_write
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.arena.results import Results
    from cardwright.jobs.executor import Executor

    Process: TypeAlias = subprocess.Popen[bytes]

REPRODUCED = (
    "manifest.json",
    "results.parquet",
    "games.parquet",
    "decisions.parquet",
    "faults.json",
)


def content(folder: Path) -> dict[str, bytes]:
    """Return all that has to be the same in every run of a plan."""
    return {name: (folder / name).read_bytes() for name in REPRODUCED}


def plan_of(folder: Path, deals: int = 12):
    """Return a plan with faults in it, and with everything in its records."""
    return Small(deals, "decisions").plan("random", f"{players_file(folder)}Raising,every=2")


PLAYING = """
import os, signal, sys
sys.path[:] = {path!r}
from pathlib import Path
from cardwright.jobs.job import executor
from cardwright.arena.run import run
from test_resume import plan_of, die_again_and_again

folder = Path({folder!r})
"""


@pytest.mark.slow
def test_killed_at_every_write_a_run_comes_to_the_same_bytes(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, 3)
    run(plan, tmp_path / "undisturbed")
    script = PLAYING.format(path=sys.path, folder=str(tmp_path)) + "die_again_and_again(folder)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    states = done.stdout.split("\n")
    for name in (".manifest.json.new", *REPRODUCED):
        assert any(name in state.split() for state in states[:-1]), name
    assert any("results.parquet" in one and "faults.json" not in one for one in states)
    assert any("timing.json" in one and "pieces" in one for one in states)
    assert all("pieces" in one.split() for one in states if "results.parquet" in one)
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")
    assert {one.name for one in (tmp_path / "run").iterdir()} == {*REPRODUCED, "timing.json"}


def die_again_and_again(folder: Path) -> None:
    """Play a plan in processes of which each is killed a write later than the one before.

    From the first table on it is killed at every write once more. After each the names of what is
    there are printed.
    """
    import polars  # noqa: F401 - here, and not in each fork

    plan, target, tables, left = plan_of(folder, 3), folder / "run", False, 0
    while True:
        left += 1
        if not killed_at_write(left, lambda: run(plan, target, resume=True, keep_seconds=0)):
            break
        names = [one.name for one in target.iterdir()]
        print(*names)  # noqa: T201 - for the test that has started this process
        if not tables and "results.parquet" in " ".join(names):
            tables, left = True, 0


def started(folder: Path) -> Process:
    """Start a process that plays a plan of 300 deals with two others."""
    script = PLAYING.format(path=sys.path, folder=str(folder)) + (
        "run(plan_of(folder, 300), folder / 'run', executor('processes', 2), keep_seconds=0)"
    )
    return subprocess.Popen(
        [sys.executable, "-c", script], start_new_session=True, stderr=subprocess.PIPE
    )


@pytest.mark.slow
def test_ctrl_c_leaves_a_folder_that_can_be_resumed(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, 300)
    run(plan, tmp_path / "undisturbed")
    process = started(tmp_path)
    wait_until(lambda: len(list((tmp_path / "run/pieces").glob("*.npz"))) >= 2)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGINT
    assert said.count(b"Traceback") == 1  # none from the workers
    run(plan, tmp_path / "run", resume=True)
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")


@pytest.mark.parametrize(
    "player", [SerialExecutor(), ThreadExecutor(2), ProcessExecutor(usually(1, 2))], ids=repr
)
def test_an_interrupt_at_any_moment_loses_nothing_that_was_played(tmp_path, player) -> None:
    """What is finished is kept even if there was no time to write it down yet."""
    plan = plan_of(tmp_path)
    done: list[int] = []

    def interrupt(at: int, _: int) -> None:
        done.append(at)
        if len(done) > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan, tmp_path / "run", player, progress=interrupt)
    before = done[-1]
    assert before > 0
    done.clear()
    run(plan, tmp_path / "run", resume=True, progress=lambda at, _: done.append(at))
    assert done[0] == before
    run(plan, tmp_path / "undisturbed")
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")


@pytest.mark.parametrize("player", [ThreadExecutor(3), ProcessExecutor(usually(1, 2))], ids=repr)
def test_records_do_not_depend_on_who_played(tmp_path: Path, player: Executor) -> None:
    plan = plan_of(tmp_path)
    run(plan, tmp_path / "here", SerialExecutor())
    run(plan, tmp_path / "there", player, keep_seconds=0)
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    plan = Small().plan()
    folder = tmp_path / "run"
    run(plan, folder)
    with pytest.raises(RecordsError, match=r"already a run .* is finished: resume it, or name"):
        run(plan, folder)
    other = replace(plan, deals=13, seed=6)
    with pytest.raises(RecordsError, match="is finished: name another folder"):
        run(other, folder)
    with pytest.raises(RecordsError, match=r"differs from this one:\n  deals: 12 .*\n  seed: 5"):
        run(other, folder, resume=True)
    engine = replace(plan, game=replace(plan.game, engine="native"))
    with pytest.raises(
        RecordsError, match=r"one:\n  game engine: interpreter there, native here\n"
    ):
        run(engine, folder, resume=True)
    with pytest.raises(RecordsError, match="sequential test: none there, one every 3 deals here"):
        run(plan, folder, resume=True, stop=lambda _: False, check_every=3)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("cardwright", "99.0", r"Cardwright's version: 99\.0 there"),
        ("results_version", 1, r"version of results: 1 there, \d+ here, where the same"),
    ],
)
def test_records_of_another_version_are_read_but_not_gone_on_with(
    tmp_path: Path, name: str, value: object, said: str
) -> None:
    plan, folder = Small().plan(), tmp_path / "run"
    run(plan, folder)
    results = read_results(folder)
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}))
    assert read_results(folder).equals(results)
    with pytest.raises(RecordsError, match=said):
        run(plan, folder, resume=True)


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear")
    for resume in (False, True):
        with pytest.raises(RecordsError, match="is not empty, and has no records of a run"):
            run(Small().plan(), tmp_path, resume=resume)
    assert [one.name for one in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_finished_run_is_only_read(tmp_path: Path, monkeypatch) -> None:
    plan = plan_of(tmp_path)
    results = run(plan, tmp_path / "run")
    before = {one: one.stat().st_mtime_ns for one in (tmp_path / "run").iterdir()}
    monkeypatch.setattr(PlayRunDeals, "__call__", None)
    again = run(plan, tmp_path / "run", resume=True)
    assert again.same(results)
    assert (again.timing, again.faults_noted) == (results.timing, results.faults_noted)
    assert {one: one.stat().st_mtime_ns for one in (tmp_path / "run").iterdir()} == before


def interrupted(folder: Path) -> list[Path]:
    """Play a part of a plan, and return the files of its parts."""

    def interrupt(at: int, _: int) -> None:
        if at > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Small().plan(), folder, progress=interrupt, keep_seconds=0)
    return sorted((folder / "pieces").iterdir())


def test_a_damaged_part_is_told_and_can_be_removed(tmp_path: Path) -> None:
    parts = interrupted(tmp_path / "run")
    parts[0].write_bytes(parts[0].read_bytes()[:99])
    with pytest.raises(DamagedError, match=r"000000\.npz is damaged .* sets damaged files aside"):
        run(Small().plan(), tmp_path / "run", resume=True)
    parts[0].unlink()
    assert run(Small().plan(), tmp_path / "run", resume=True).same(run(Small().plan()))


def test_a_deal_twice_is_told(tmp_path: Path) -> None:
    parts = interrupted(tmp_path / "run")
    there = RunFolder.read(tmp_path / "run")
    part = there.pieces.read(0)
    there.pieces.write({11: replace(part, deals=(11, *part.deals))})
    with pytest.raises(RecordsError, match="has deal 0 more than once"):
        run(Small().plan(), tmp_path / "run", resume=True)
    shutil.copy(parts[0], parts[0].with_name("000011.npz"))
    with pytest.raises(RecordsError, match="belongs to another run, or elsewhere in it"):
        run(Small().plan(), tmp_path / "run", resume=True)


def test_a_test_stops_the_run_at_the_same_deal_for_any_executor(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, 100)
    seen: list[int] = []

    def stop(results: Results) -> bool:
        seen.append(len(results) // 4)
        assert results.deal.tolist() == [deal for deal in range(seen[-1]) for _ in range(4)]
        return len(results) >= 4 * 30

    for name, player in [
        ("here", SerialExecutor()),
        ("threads", ThreadExecutor(3)),
        *usually([], [("there", ProcessExecutor(2))]),
    ]:
        seen.clear()
        results = run(plan, tmp_path / name, player, stop=stop, check_every=10)
        assert seen == [10, 20, 30]
        assert results.stopped
        assert results.same(run(replace(plan, deals=30)))
        assert content(tmp_path / name) == content(tmp_path / "here")
    again = run(plan, tmp_path / "here", stop=stop, check_every=10, resume=True)
    assert again.stopped
    assert again.same(results)


def test_a_run_that_is_over_was_not_stopped() -> None:
    """After the last deal the test is not asked: there is nothing left to stop."""
    asked: list[int] = []

    def stop(results: Results) -> bool:
        asked.append(len(results))
        return len(asked) == 3

    assert not run(Small(12).plan(), stop=stop, check_every=4).stopped
    assert len(asked) == 2


def test_a_resumed_run_stops_where_it_would_have(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, 60)

    def stop(results: Results) -> bool:
        return len(results) >= 4 * 30

    def interrupt(at: int, _: int) -> None:
        if at > 5:
            raise KeyboardInterrupt

    run(plan, tmp_path / "one", stop=stop, check_every=10)
    with pytest.raises(KeyboardInterrupt):
        run(plan, tmp_path / "two", stop=stop, check_every=10, progress=interrupt)
    run(plan, tmp_path / "two", stop=stop, check_every=10, resume=True)
    assert content(tmp_path / "one") == content(tmp_path / "two")
