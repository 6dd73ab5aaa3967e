from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
import pytest
from click.testing import CliRunner
from distributed import Client, LocalCluster

from arena.runs import Small, players_file
from cardwright.arena.run import run
from cardwright.extras import advice
from cardwright.interfaces.cli.group import commands
from cardwright.jobs.cluster import DaskExecutor
from cardwright.jobs.executor import ExecutorError, WorkerError
from cardwright.jobs.files import pack
from cardwright.jobs.job import executor
from cardwright.lab.plan import Precision
from cardwright.lab.run import run as run_experiment
from cardwright.league.run import run_season
from cardwright.league.season import read_plan
from deep import usually
from jobs.workers import BATCHES, Dying, counted_slowly, failing, lengths, listed, marked
from lab.experiments import player, small
from league.season_folders import make_season, outputs
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result

SLOW = {"factors": (player("random", "pimc:rollouts=2"),), "deals": 10}


BUSY = {
    "distributed.scheduler.allowed-failures": 2,
    "distributed.comm.timeouts.connect": f"{PATIENCE}s",
    "distributed.comm.timeouts.tcp": f"{PATIENCE}s",
}
"""Settings with which dask starts a worker anew on a busy machine too, instead of giving it up."""


@contextmanager
def clustered(workers: int = usually(1, 2)) -> Iterator[DaskExecutor]:
    """Give a cluster that runs before we come to it, as one of many machines does."""
    with (
        dask.config.set(BUSY),
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as local,
    ):
        yield DaskExecutor(local.scheduler_address)


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskExecutor]:
    """A cluster whose workers live."""
    with clustered() as own:
        yield own


@pytest.fixture
def dying_cluster() -> Iterator[DaskExecutor]:
    """A cluster whose workers are killed, and may be gone for good."""
    with suppress(AssertionError), clustered(1) as own:  # of dask, which was starting one anew
        yield own


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright.jobs.cluster._PATIENCE", PATIENCE)


def test_results_bear_the_numbers_of_their_batches(cluster: DaskExecutor) -> None:
    batches = [range(one) for one in (5, 1, 7, 2, 2, 9)]
    assert dict(cluster.run(lengths, batches)) == {0: 5, 1: 1, 2: 7, 3: 2, 4: 2, 5: 9}


def test_the_same_batches_are_carried_out_anew_each_time(cluster: DaskExecutor) -> None:
    for _ in range(2):
        assert len(dict(cluster.run(lengths, BATCHES))) == 4


def test_an_error_is_raised_where_the_results_are_wanted(cluster: DaskExecutor) -> None:
    with pytest.raises(KeyError, match="7"):
        list(cluster.run(failing, [range(7, 9)]))


def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(
    dying_cluster: DaskExecutor, tmp_path: Path
) -> None:
    """It is killed for real, in the middle of a batch."""
    marks = marked(tmp_path, 1)
    numbers, parts = zip(*dying_cluster.run(Dying(6, marks), BATCHES), strict=True)
    assert not list(Path(marks).iterdir())
    assert sorted(numbers) == [0, 1, 2, 3]
    assert sorted(number for part in parts for number in part) == list(range(12))


@pytest.mark.deep
def test_a_batch_that_kills_three_workers_stops_the_run(
    dying_cluster: DaskExecutor, tmp_path: Path
) -> None:
    dying = Dying(6, marked(tmp_path, 9))
    with pytest.raises(WorkerError, match="3 workers died over deals 5 to 8; the last was at tcp"):
        list(dying_cluster.run(dying, BATCHES))


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder but those that tell times."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name not in {"timing.json", ".lock"}
    }


def test_a_run_has_the_same_bytes(cluster: DaskExecutor, tmp_path: Path) -> None:
    plan = Small(60, "decisions").plan("random", f"{players_file(tmp_path)}Raising")
    alone = run(plan, tmp_path / "here")
    assert run(plan, tmp_path / "there", cluster).same(alone)
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")


@pytest.mark.parametrize(
    "more",
    [{}, {"stop": Precision("points", 0.27, least=7, every=4)}, SLOW],
    ids=["to its end", "stopped", "in pieces"],
)
def test_an_experiment_has_the_same_bytes(
    cluster: DaskExecutor, tmp_path: Path, more: dict[str, Any]
) -> None:
    plan = small(**more)
    run_experiment(plan, tmp_path / "here")
    run_experiment(plan, tmp_path / "there", cluster)
    assert files_of(tmp_path / "there") == files_of(tmp_path / "here")


def test_a_season_has_the_same_tables_and_games(cluster: DaskExecutor, tmp_path: Path) -> None:
    seasons = []
    for name, executor_ in (("here", None), ("there", cluster)):
        folder = make_season(tmp_path / name)
        plan = replace(read_plan(folder, seed=4)[0], together=5)
        seasons.append(run_season(folder, plan, executor_))
    assert outputs(tmp_path / "there") == outputs(tmp_path / "here")
    here, there = ([pack(one.untimed()) for one in season.all_blocks()] for season in seasons)
    assert there == here


def test_commands_of_the_lab_and_the_league_take_a_scheduler(
    cluster: DaskExecutor, tmp_path: Path
) -> None:
    """And say so where they are told something else at the same time."""
    assert cluster.scheduler is not None
    plan = tmp_path / "plan.toml"
    plan.write_text(small().to_text(), encoding="utf-8")
    season = make_season(tmp_path / "season", games=6)
    calls = [
        ["lab", "run", str(plan), "--json", "--quiet"],
        ["league", "run", str(season), "--trusted", "--seed", "4", "--json", "--quiet"],
    ]
    for call in calls:
        done = invoke(*call, "--scheduler", cluster.scheduler)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)
        wrong = invoke(*call, "--scheduler", cluster.scheduler, "--executor", "threads")
        assert wrong.exit_code == 2
        assert "--scheduler is for --executor cluster" in wrong.output
        wrong = invoke(*call, "--executor", "here", "--workers", "2")
        assert "--executor here has one worker" in wrong.output


@pytest.mark.parametrize("player", ["random", "first"])
def test_a_simulation_takes_a_scheduler_and_says_the_same(
    cluster: DaskExecutor, player: str
) -> None:
    words = ("simulate", "leduc", "--players", player, "--games", "50", "--seed", "3", "--json")
    done = invoke(*words, "--scheduler", str(cluster.scheduler))
    assert done.exit_code == 0, done.output
    there, here = json.loads(done.stdout), json.loads(invoke(*words).stdout)
    for one in (there, here):
        del one["seconds"]
    assert there == here
    wrong = invoke(*words, "--trace", "--scheduler", str(cluster.scheduler))
    assert wrong.exit_code == 2
    assert "--trace is for games that are played here" in wrong.output


def invoke(*arguments: str, **more: Any) -> Result:
    return CliRunner().invoke(commands, list(arguments), **more)


@pytest.mark.deep
def test_a_cluster_is_started_where_there_is_none() -> None:
    assert dict(executor("cluster", 2).run(listed, BATCHES)) == dict(enumerate(map(list, BATCHES)))


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright.jobs.cluster._PATIENCE", 0.3)
    with pytest.raises(
        ExecutorError, match=r"the dask scheduler tcp://127\.0\.0\.1:9 cannot be used"
    ):
        list(DaskExecutor("tcp://127.0.0.1:9").run(lengths, BATCHES))


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=re.escape(advice("cluster"))):
        list(DaskExecutor().run(lengths, BATCHES))


@pytest.mark.parametrize("at", ["between batches", "while one is played"])
def test_without_living_workers_a_run_ends_with_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """The scheduler still answers, but dask would wait for ever."""
    monkeypatch.setattr("cardwright.jobs.cluster._PATIENCE", 0.5)
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
                      dashboard_address="127.0.0.1:0") as local:  # fmt: skip
        executor_ = DaskExecutor(local.scheduler_address)
        batches = (range(number, number + 1) for number in range(90))
        if at == "between batches":
            batches = ending(local, batches)
        results = executor_.run(counted_slowly, batches)
        assert next(results) == (0, 1)
        if at != "between batches":
            end_workers(local)
        with pytest.raises(
            ExecutorError,
            match=rf"{local.scheduler_address} has had no worker for 0\.5 seconds: all have ended. "
            "What was finished before is kept, .* continue with --resume",
        ):
            list(results)


def end_workers(cluster: LocalCluster) -> None:
    """End all workers of a cluster, none of which is replaced."""
    cluster.scale(0)
    with Client(cluster) as client:
        while client.nthreads():
            time.sleep(0.01)


def ending(cluster: LocalCluster, batches: Iterator[range]) -> Iterator[range]:
    """Yield batches, ending all workers after the second."""
    yield next(batches)
    yield next(batches)
    end_workers(cluster)
    yield from batches


SCHEDULER = """
import sys
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
                  dashboard_address="127.0.0.1:0") as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@pytest.mark.deep
def test_a_scheduler_that_is_lost_ends_the_run_with_how_to_go_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """It is killed for real, while a batch is under way; the run goes on elsewhere."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCHEDULER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        results = DaskExecutor(address).run(counted_slowly, [range(n, n + 1) for n in range(90)])
        assert next(results) == (0, 1)
        process.kill()
        with pytest.raises(ExecutorError, match=rf"{address} was lost .* continue with --resume"):
            list(results)
    assert "Traceback" not in capfd.readouterr().err
