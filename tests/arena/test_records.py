from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from runs import Small, players_file

from broken_rules import BREAKS
from cardwright import __version__
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.records import (
    RunFolder,
    StopRule,
    export_csv,
    load_results,
    read_results,
    read_table,
)
from cardwright.arena.results import TYPES
from cardwright.arena.run import run
from cardwright.extras import advice
from cardwright.jobs.files import RecordsError, write_whole
from patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = {
    "deal": pl.Int64,
    "table": pl.Int16,
    "seat": pl.Int8,
    "entrant": pl.Int16,
    "score": pl.Int64,
    "rank": pl.Int8,
    "win": pl.Float64,
    "decisions": pl.Int32,
    "faults": pl.Int16,
    "error": pl.String,
}


def breaking(folder: Path, detail: str = "scores") -> RunPlan:
    """Return a plan of games some of which break a rule."""
    file = folder / "breaks.rcy"
    file.write_text(BREAKS)
    ref = GameRef.of(str(file), engine="interpreter")
    return RunPlan(ref, ("random",), ((0, 0),), 20, 1, detail=detail)  # type: ignore[arg-type]


def test_results_in_a_folder_are_those_returned(tmp_path: Path) -> None:
    plan = breaking(tmp_path)
    results = run(plan, tmp_path / "run")
    frame = read_results(tmp_path / "run")
    assert dict(frame.schema) == SCHEMA
    assert list(SCHEMA) == list(TYPES)
    again = load_results(tmp_path / "run")
    assert again.same(results)
    assert (again.timing, again.faults_noted) == (results.timing, results.faults_noted)
    assert not again.stopped
    broken = frame.filter(pl.col("error").is_not_null())
    assert 0 < len(broken) < len(frame)
    assert broken.select("score", "rank", "win").null_count().row(0) == (len(broken),) * 3
    ended = frame.filter(pl.col("error").is_null())
    assert ended.select("score", "rank", "win").null_count().row(0) == (0, 0, 0)


def test_results_without_a_folder_are_the_same(tmp_path: Path) -> None:
    plan = Small().plan()
    assert run(plan).same(run(plan, tmp_path / "run"))


def test_only_the_finished_files_stay(tmp_path: Path) -> None:
    for detail, more in [
        ("scores", []),
        ("games", ["games"]),
        ("decisions", ["decisions", "games"]),
    ]:
        run(Small(detail=detail).plan(), tmp_path / detail)
        names = sorted(one.name for one in (tmp_path / detail).iterdir())
        tables = [f"{name}.parquet" for name in (*more, "results")]
        assert names == sorted(["faults.json", "manifest.json", "timing.json", *tables])


def test_games_can_be_replayed_from_their_records(tmp_path: Path) -> None:
    plan = Small(detail="games").plan()
    results = run(plan, tmp_path / "run")
    games = read_table(tmp_path / "run", "games")
    assert games["seed"].dtype == pl.UInt64
    assert games["choices"].dtype == pl.List(pl.Int32)
    game = plan.game.load()
    for row in games.iter_rows(named=True):
        state = game.replay(row["seed"], row["choices"])
        mine = (results.deal == row["deal"]) & (results.table == row["table"])
        assert state.scores == tuple(results.score[mine])


def test_decisions_have_notes_or_nulls(tmp_path: Path) -> None:
    plan = Small(detail="decisions").plan("random", f"{players_file(tmp_path)}Good")
    run(plan, tmp_path / "run")
    frame = read_table(tmp_path / "run", "decisions")
    key = ["deal", "table", "ply"]
    assert frame[key].equals(frame[key].sort(key))
    good = (pl.col("table") + pl.col("seat")) == 1
    noted, others = frame.filter(good), frame.filter(~good)
    assert noted["lead"].to_list() == [[0.5, 0.5]] * len(noted)
    assert noted["iterations"].equals(noted["chosen"].cast(pl.Int64).alias("iterations"))
    assert noted["average"].null_count() == len(noted)
    empty = others.select("spread", "average", "best", "lead", "iterations").null_count().row(0)
    assert empty == (len(others),) * 5


def test_the_manifest_says_what_was_played(tmp_path: Path) -> None:
    plan = Small().plan()
    run(plan, tmp_path / "run")
    data = json.loads((tmp_path / "run/manifest.json").read_text())
    assert data["cardwright"] == __version__
    assert data["plan"] == plan.data()
    assert data["plan"]["seed"] == "5"
    assert (data["complete"], data["played"], data["stop_rule"]) == (True, 12, None)
    assert data["platform"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert data["platform"]["numpy"] == np.__version__
    assert RunFolder.read(tmp_path / "run").plan == plan


def test_faults_are_summed_up(tmp_path: Path) -> None:
    plan = Small().plan("random", f"{players_file(tmp_path)}Raising", most_faults=0)
    results = run(plan, tmp_path / "run")
    good, bad = json.loads((tmp_path / "run/faults.json").read_text())
    assert (good["games"], good["games_with_faults"], good["faults"], good["first"]) == (
        24,
        0,
        0,
        [],
    )
    made = int((results.faults > 0).sum())
    assert (bad["games_with_faults"], bad["faults"]) == (made, made)
    assert len(bad["first"]) == 5
    assert bad["first"][0] == {
        "deal": 0,
        "table": 0,
        "entrant": 1,
        "fault": {
            "seat": 1,
            "decision": 0,
            "kind": "raised",
            "reason": "ValueError: no idea, at <object object at 0x...>",
        },
    }
    assert load_results(tmp_path / "run").faults_noted == results.faults_noted


def test_csv_has_all_rows_and_who_played(tmp_path: Path) -> None:
    plan = breaking(tmp_path)
    run(plan, tmp_path / "run")
    export_csv(tmp_path / "run", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    frame = read_results(tmp_path / "run")
    assert list(rows[0]) == [*SCHEMA, "player"]
    assert {row["player"] for row in rows} == {"random"}
    for row, kept in zip(rows, frame.iter_rows(named=True), strict=True):
        assert row["error"] == (kept["error"] or "")
        assert row["score"] == ("" if kept["score"] is None else str(kept["score"]))


def test_csv_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    run(Small().plan(), tmp_path / "run")
    with pytest.raises(RecordsError, match=r"nowhere/out\.csv cannot be written: No such file"):
        export_csv(tmp_path / "run", tmp_path / "nowhere/out.csv")


def test_folders_without_records_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match=r"none does not exist: there is no manifest\.json"):
        read_results(tmp_path / "none")
    with pytest.raises(RecordsError, match="has no records of a run"):
        read_results(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(RecordsError, match=r"manifest\.json cannot be read"):
        read_results(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "other"}')
    with pytest.raises(RecordsError, match="not the manifest of a run"):
        read_results(tmp_path)


def edited(folder: Path, **values) -> None:
    """Change what a manifest says."""
    file = folder / "manifest.json"
    data = json.loads(file.read_text()) | values
    file.write_text(json.dumps({key: one for key, one in data.items() if one != "gone"}))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format_version": 9}, "records of format 9; this version of Cardwright reads format 2"),
        ({"plan": {"deals": 3}}, r"manifest\.json is damaged: PlanError"),
        ({"platform": "gone"}, r"manifest\.json is damaged: .* field `platform`"),
        ({"complete": False}, "is not finished: resume it to play what is left of its 12 deals"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(tmp_path: Path, values, message: str) -> None:
    run(Small().plan(), tmp_path / "run")
    edited(tmp_path / "run", **values)
    with pytest.raises(RecordsError, match=message):
        read_results(tmp_path / "run")


def test_tables_that_are_damaged_or_not_there_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(Small().plan(), folder)
    with pytest.raises(RecordsError, match=r"no games\.parquet: the plan's detail was 'scores'"):
        read_table(folder, "games")
    content = (folder / "results.parquet").read_bytes()
    for wrong in (content[: len(content) // 2], b"PAR1", b""):
        (folder / "results.parquet").write_bytes(wrong)
        with pytest.raises(RecordsError, match=r"results\.parquet is damaged"):
            read_results(folder)
    (folder / "results.parquet").unlink()
    with pytest.raises(RecordsError, match=r"results\.parquet is damaged"):
        read_results(folder)
    (folder / "results.parquet").write_bytes(content)
    (folder / "timing.json").write_text('{"entrants": [{}]}')
    with pytest.raises(RecordsError, match=r"timing\.json is damaged"):
        load_results(folder)


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    plan = Small().plan()
    with (
        RunFolder.of_plan(tmp_path / "run", plan, None).opened(resume=False),
        pytest.raises(RecordsError, match="another process is playing"),
        RunFolder.of_plan(tmp_path / "run", plan, None).opened(resume=True),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecordsError, match=r"file/run cannot be used: Not a directory"):
        run(Small().plan(), tmp_path / "file/run")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch) -> None:
    write_whole(tmp_path / "one", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RecordsError, match="one cannot be written: No space left on device"):
        write_whole(tmp_path / "one", b"new")
    assert (tmp_path / "one").read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["one"]


def test_without_polars_results_are_returned_and_records_are_refused(tmp_path: Path) -> None:
    script = f"""
import sys
sys.path[:] = {sys.path!r}
sys.modules["polars"] = None
from runs import Small
from cardwright import CardwrightError
from cardwright.arena.run import run
assert len(run(Small().plan())) == 48
try:
    run(Small().plan(), {str(tmp_path / "run")!r})
except CardwrightError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert advice("arena") in done.stdout
    assert not (tmp_path / "run").exists()


def test_bytes_do_not_depend_on_threads_of_polars(tmp_path: Path) -> None:
    """Nor on anything else of another process."""
    plan = Small(deals=40, detail="decisions").plan()
    run(plan, tmp_path / "here")
    script = f"""
import sys
sys.path[:] = {sys.path!r}
from runs import Small
from cardwright.arena.run import run
run(Small(deals=40, detail="decisions").plan(), {str(tmp_path / "there")!r})
"""
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "POLARS_MAX_THREADS": "1", "PYTHONHASHSEED": "9"},
        timeout=PATIENCE,
        check=True,
    )
    for name in ("results", "games", "decisions"):
        here, there = (tmp_path / one / f"{name}.parquet" for one in ("here", "there"))
        assert here.read_bytes() == there.read_bytes()


def test_a_stop_rule_is_in_the_manifest(tmp_path: Path) -> None:
    run(Small().plan(), tmp_path / "run", stop=lambda _: False, check_every=4, stop_name="sprt 0,1")
    assert RunFolder.read(tmp_path / "run").manifest.stop_rule == StopRule(4, "sprt 0,1")
