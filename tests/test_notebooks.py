"""The notebooks of docs/notebooks: they run, and what their prose claims is what came out.

Those that take long are run in a deep run; `scripts/site` makes all of them at every change.

A notebook is a Python file with cells, so that it runs here as any script does. One is made by
`docs/make_notebooks.py` as well, in a kernel, as `scripts/notebooks` makes all.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import needed

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "docs" / "notebooks"
FILES = sorted(path.name for path in NOTEBOOKS.glob("*.py"))


def run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run a notebook in an empty folder, and return its names."""
    import matplotlib.pyplot as plt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    plt.switch_backend("Agg")
    names = runpy.run_path(str(NOTEBOOKS / name))
    plt.close("all")
    return names


@pytest.mark.slow
def test_simulations_say_what_the_first_notebook_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quarter of seats get the queen; leading costs a little; intervals are honest."""
    found = run("1-simulate-and-plot.py", tmp_path, monkeypatch)
    assert 0.24 < found["queen_share"] < 0.26
    assert 0 < found["moons"] < 5_000
    assert found["seat_effect"][0] - found["seat_margin"][0] > 0
    assert found["seat_effect"][0] == max(found["seat_effect"]) < 0.2
    assert 1_000 < found["clear_from"] < 50_000
    assert 0.93 < found["covered"] < 0.97


@pytest.mark.deep
def test_patience_beats_greed_as_the_second_notebook_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outbidding by a little is best; waiting for chips wins, but not against every field."""
    found = run("2-a-heuristic-of-your-own.py", tmp_path, monkeypatch)
    assert found["best_limit"] == 14
    assert found["greedy"].low > 0 > found["patient"].high
    last = found["fresh"]
    assert last.standing("limit 12, patience 0").over_field.low > 0
    assert last.standing("limit 12, patience 4").over_field.high < 0
    difference = found["elsewhere"].difference("limit 12, patience 4", "limit 12, patience 0")
    assert difference.score.low > 0


@pytest.mark.deep
def test_ratings_hide_what_the_third_notebook_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best rated is not the best by chips, and is the most exploitable."""
    found = run("3-tournament-and-ratings.py", tmp_path, monkeypatch)
    assert found["by_rating"] != found["by_chips"]
    assert found["by_rating"][0] == "pimc"
    assert found["worst"][3] == max(found["worst"])
    pimc, ismcts = found["exploited"]["pimc"], found["exploited"]["ismcts"]
    assert pimc.most > ismcts.most > 10 * found["solution"].exploitability


@pytest.mark.deep
def test_the_season_says_what_the_fourth_notebook_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points by trick add up to 26 a round; duels have two sides; two bots are better."""
    found = run("4-a-league-with-polars.py", tmp_path, monkeypatch)
    assert found["profile"]["points"].sum() == pytest.approx(26)
    assert {"Counting", "Careful"} == set(found["BOTS"][:2])
    assert np.allclose(found["grid"], -found["grid"].T)
    assert found["standings"]["games"].to_list() == [168] * 4
    for effect, margin in found["by_seat"].select("effect", "margin").rows():
        assert abs(effect) < 2 * margin


@pytest.mark.deep
def test_the_factorial_says_what_the_fifth_notebook_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passing is worth most; leading is worth points only against those who know what they do."""
    found = run("5-the-labs-factorial.py", tmp_path, monkeypatch)
    effect = found["experiment"].effect
    assert effect("pass", "points", "random").low > 1
    assert effect("first", "points", "random").value < 0.6
    assert effect("first", "points", "rule").low > effect("first", "points", "random").high
    assert len(found["interactions"]) == 6
    gain = {row[:2]: row[2] for row in found["gains"].rows()}
    for opponents in ("random", "rule"):
        assert gain["fourth", opponents] > 1 > gain["pass", opponents]


@pytest.mark.deep
def test_learning_does_what_the_sixth_notebook_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policies beat chance on new deals; the baseline by deal takes out a part of the noise."""
    found = run("6-training-on-batches.py", tmp_path, monkeypatch)
    assert all(mean - margin > 0.5 for mean, margin in found["tested"].values())
    assert found["spreads"]["by deal"] < 0.8 * found["spreads"]["overall"]
    ends = [curves[:, -10:].mean(axis=1) for curves in found["curves"].values()]
    apart = abs(ends[0].mean() - ends[1].mean())
    assert apart < 2 * max(end.std(ddof=1) for end in ends)


def test_each_notebook_has_a_test_and_a_line_in_the_index() -> None:
    """No notebook is without a test above, or missing in the README."""
    here = Path(__file__).read_text(encoding="utf-8")
    index = (NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    assert len(FILES) == 6
    for name in FILES:
        assert f'"{name}"' in here, name
        assert f"({name})" in index, name


@pytest.mark.parametrize("name", FILES)
def test_what_a_notebook_imports_is_there(name: str) -> None:
    """Each is a program as it stands, and the names that it takes from the package exist."""
    taken = [
        (node.module, one.name)
        for node in ast.walk(ast.parse((NOTEBOOKS / name).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("cardwright")
        for one in node.names
    ]
    assert taken
    for module, wanted in taken:
        assert hasattr(importlib.import_module(str(module)), wanted), wanted


@pytest.mark.slow
def test_a_notebook_is_made_with_its_outputs(tmp_path: Path) -> None:
    """It is written in all forms, with displays and pictures, and without times of execution."""
    needed.module("jupytext")
    spec = importlib.util.spec_from_file_location("maker", ROOT / "docs" / "make_notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    small = tmp_path / "0-small.py"
    small.write_text(
        "# %% [markdown]\n# # Small\n\n# %%\nfrom cardwright import Game\n"
        'Game.load("kuhn")\n\n# %%\nimport matplotlib.pyplot as plt\n\nplt.plot([1, 2]);\n',
        encoding="utf-8",
    )
    maker.make(small, tmp_path / "out")
    notebook = json.loads((tmp_path / "out" / "0-small.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not any("execution" in cell["metadata"] for cell in notebook["cells"])
    assert "3 cards" in (tmp_path / "out" / "0-small.md").read_text(encoding="utf-8")
    assert list((tmp_path / "out" / "0-small-files").glob("*.png"))
    assert "<html" in (tmp_path / "out" / "0-small.html").read_text(encoding="utf-8")
