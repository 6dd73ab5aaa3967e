"""Records in pandas, as the extra of that name lets it read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import needed
from cardwright import Game, play_match
from cardwright.arena.records import read_results

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
