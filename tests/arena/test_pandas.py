"""Records in pandas, as the extra of that name lets it read them."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from website.generated import PUBLIC

import needed
from cardwright import Game, play_match, simulate
from cardwright.arena.records import read_results
from cardwright.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

pandas = needed.module("pandas")
needed.module("pyarrow")


def test_pandas_reads_what_polars_does(tmp_path: Path) -> None:
    """All three tables, and a frame of polars as one of pandas."""
    folder = tmp_path / "run"
    play_match(
        Game.load("kuhn"), ["first", "random"], deals=5, seed=1, records=folder, detail="decisions"
    )
    rows = pandas.read_parquet(folder / "results.parquet")
    assert rows["score"].tolist() == read_results(folder)["score"].to_list()
    assert read_results(folder).to_pandas().equals(rows)
    assert pandas.read_parquet(folder / "games.parquet")["choices"].map(len).min() >= 2
    noted = pandas.read_parquet(folder / "decisions.parquet")
    assert noted["held_out_spread"].isna().all()


def test_results_are_frames_of_pandas_too() -> None:
    """The same rows as in polars, whatever the table; seats and missing values among them."""
    found = play_match("kuhn", ["first", "random"], deals=3, seed=1)
    for table in ("results", "standings", "differences"):
        assert found.to_pandas(table).equals(found.to_polars(table).to_pandas())
    assert found.to_pandas().columns.tolist() == found.to_polars().columns
    many = simulate("kuhn", games=5, seed=1)
    assert many.to_pandas()["player"].tolist() == ["random", "random"]


def test_whatever_is_a_frame_of_polars_is_one_of_pandas() -> None:
    """Every public class with the one has the other, which takes the same and is made of it."""
    polars = needed.module("polars")
    public = [
        getattr(import_module(module), name)
        for module in PUBLIC
        for name in dir(import_module(module))
    ]
    framed = {one for one in public if isinstance(one, type) and hasattr(one, "to_polars")}
    assert len(framed) >= 6
    for one in framed:
        takes = inspect.signature(one.to_polars).parameters
        assert list(inspect.signature(one.to_pandas).parameters) == list(takes)
        frame = polars.DataFrame({"class": [one.__name__]})
        stands_for = SimpleNamespace(to_polars=lambda *_, frame=frame: frame)
        assert one.to_pandas(stands_for).equals(frame.to_pandas())


def test_all_that_is_missing_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = simulate("kuhn", games=5, seed=1)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"needs polars and pyarrow, .*arena.pandas"):
        found.to_pandas()
