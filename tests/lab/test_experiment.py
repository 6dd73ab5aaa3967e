"""Experiments from Python: played, read, asked, and written as the command writes them."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from cardwright import run_experiment
from cardwright.errors import LabError
from cardwright.interfaces.cli.group import commands
from cardwright.lab import Experiment, LabPlan, read_experiment
from commands import leave_pictures_empty

TEXT = """
name = "last"
deals = 30
[game]
name = "hearts"
preset = "standard"
set = { ROUNDS = 1, END = 0 }
[[factors]]
name = "fourth"
levels = { rule = "rule", random = "random", careful = ["duck", "lowest"] }
"""


@pytest.fixture(scope="module")
def plan():
    return LabPlan.from_text(TEXT)


@pytest.fixture(scope="module")
def played(plan):
    return run_experiment(plan)


def test_a_plan_is_text_and_back(plan, tmp_path):
    assert LabPlan.from_text(plan.to_text()) == plan
    (tmp_path / "last.toml").write_text(plan.to_text())
    assert LabPlan.load(tmp_path / "last.toml") == plan
    with pytest.raises(LabError, match="plan: there is no 'dails'"):
        LabPlan.from_text("dails = 3")


@pytest.mark.slow
def test_a_report_is_the_one_that_the_command_writes(plan, played, tmp_path, monkeypatch):
    leave_pictures_empty(monkeypatch)
    file = tmp_path / "last.toml"
    file.write_text(plan.to_text())
    words = ["lab", "run", str(file), "--json", "--quiet", "--out", str(tmp_path / "command")]
    done = CliRunner().invoke(commands, words)
    assert json.loads(done.stdout) == played.record()
    assert played.save(tmp_path / "python") == tmp_path / "python/index.html"
    folders = [
        {one.name: one.read_bytes() for one in (tmp_path / name).iterdir()}
        for name in ("python", "command")
    ]
    assert folders[0] == folders[1]
    assert played.text() == folders[0]["report.txt"].decode()
    for name, table in (("effects.csv", played.to_polars()), ("cells.csv", played.cells())):
        rows = list(csv.DictReader(folders[0][name].decode().splitlines()))
        assert table.columns == list(rows[0])
        written = [{key: value or None for key, value in row.items()} for row in rows]
        read = [
            {key: None if value is None else str(value) for key, value in row.items()}
            for row in table.to_dicts()
        ]
        assert read == written
    with pytest.raises(LabError, match="not empty"):
        played.save(tmp_path / "python")


def test_effects_are_found_by_name(played):
    effect = played.effect("fourth: random")
    assert effect.low < effect.value < effect.high
    assert effect == played.effect("fourth: random", opponents="random")
    assert effect == played.effect("fourth: random", opponents=0)
    assert effect != played.effect("fourth: random", opponents="rule")
    assert effect != played.effect("fourth: random", "wins")
    assert any("at random instead of by rule" in one for one in played.sentences())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("forth: random",), "did you mean fourth: random"),
        (("fourth: random", "pionts"), "did you mean points"),
        (("fourth: random", "points", "rules"), "did you mean rule"),
        (("fourth: random", "points", 2), "there is no class of opponents 2"),
        (("fourth: random", "points", 0, "mian"), "did you mean main"),
        (("fourth: random", "points", 0, "removed"), "there is no removed effect"),
    ],
)
def test_what_there_is_not_is_said(played, words, said):
    with pytest.raises(LabError, match=said):
        played.effect(*words)


def test_an_experiment_is_kept_and_read(plan, played, tmp_path):
    file = tmp_path / "last.toml"
    file.write_text(plan.to_text())
    told = []
    kept = run_experiment(
        file, tmp_path / "kept", workers=2, progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (30, 30)
    assert kept.record() == played.record()
    assert read_experiment(tmp_path / "kept").record() == played.record()
    again = run_experiment(file, tmp_path / "kept", resume=True)
    assert again.record() == played.record()


def test_a_factor_may_be_called_like_a_column():
    plan = LabPlan.from_text(TEXT.replace('name = "fourth"', 'name = "mean"\ntarget = "fourth"'))
    cells = run_experiment(plan).cells()
    assert cells["factor mean"].to_list()[:3] == ["rule", "random", "careful"]
    assert cells["mean"].dtype.is_float()
    assert repr(Experiment(plan, run_experiment(plan).outcomes)) == "<Experiment last, 30 deals>"
