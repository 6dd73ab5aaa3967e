from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import dask
import pytest
from distributed import LocalCluster

from cardwright.game.extras import advice
from cardwright.jobs.cluster import Cluster
from cardwright.jobs.executor import ExecutorError, WorkerError, executor
from jobs.workers import BATCHES, Dying, counted_slowly, failing, lengths, listed, marked

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A cluster that runs before we come to it, as one of many machines does."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 2}),
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as local,
    ):
        yield Cluster(local.scheduler_address)


def test_results_bear_the_numbers_of_their_batches(cluster: Cluster) -> None:
    batches = [range(one) for one in (5, 1, 7, 2, 2, 9)]
    assert dict(cluster.run(lengths, batches)) == {0: 5, 1: 1, 2: 7, 3: 2, 4: 2, 5: 9}


def test_the_same_batches_are_carried_out_anew_each_time(cluster: Cluster) -> None:
    for _ in range(2):
        assert len(dict(cluster.run(lengths, BATCHES))) == 4


def test_an_error_is_raised_where_the_results_are_wanted(cluster: Cluster) -> None:
    with pytest.raises(KeyError, match="7"):
        list(cluster.run(failing, [range(7, 9)]))


def test_a_worker_that_dies_is_replaced_and_nothing_is_lost(
    cluster: Cluster, tmp_path: Path
) -> None:
    """It is killed for real, in the middle of a batch."""
    marks = marked(tmp_path, 1)
    numbers, parts = zip(*cluster.run(Dying(6, marks), BATCHES), strict=True)
    assert not list(Path(marks).iterdir())
    assert sorted(numbers) == [0, 1, 2, 3]
    assert sorted(number for part in parts for number in part) == list(range(12))


@pytest.mark.slow
def test_a_batch_that_kills_three_workers_stops_the_run(cluster: Cluster, tmp_path: Path) -> None:
    dying = Dying(6, marked(tmp_path, 9))
    with pytest.raises(WorkerError, match="3 workers died over deals 5 to 8; the last was at tcp"):
        list(cluster.run(dying, BATCHES))


@pytest.mark.slow
def test_a_cluster_is_started_where_there_is_none() -> None:
    assert dict(executor("cluster", 2).run(listed, BATCHES)) == dict(enumerate(map(list, BATCHES)))


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardwright.jobs.cluster._PATIENCE", 0.3)
    with pytest.raises(
        ExecutorError, match=r"the dask scheduler tcp://127\.0\.0\.1:9 cannot be used"
    ):
        list(Cluster("tcp://127.0.0.1:9").run(lengths, BATCHES))


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=re.escape(advice("cluster"))):
        list(Cluster().run(lengths, BATCHES))


SCHEDULER = """
import sys
from distributed import LocalCluster
with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://",
                  dashboard_address="127.0.0.1:0") as cluster:
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
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
        results = Cluster(address).run(counted_slowly, [range(n, n + 1) for n in range(90)])
        assert next(results) == (0, 1)
        process.kill()
        with pytest.raises(ExecutorError, match=rf"{address} was lost .* go on with --resume"):
            list(results)
    assert "Traceback" not in capfd.readouterr().err
