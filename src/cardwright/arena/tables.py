"""Tables of records as polars frames, and results from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.arena.played import DECISIONS, GAMES, LENGTH
from cardwright.arena.results import NO_RANK, NO_SCORE, Results
from cardwright.extras import missing
from cardwright.players.player import SINGLE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from cardwright.arena.played import Table


def check_polars() -> None:
    """Raise MissingExtraError if polars is not installed."""
    try:
        import polars  # noqa: F401 - heavy, and an extra
    except ImportError:
        raise missing("polars") from None


def results_frame(results: Results) -> pl.DataFrame:
    """Return results as a frame; a game that broke a rule has nulls for score, rank and win."""
    import polars as pl

    ended = pl.Series(results.finished)
    frame = pl.DataFrame({name: _series(column) for name, column in results.columns().items()})
    return frame.with_columns(
        pl.when(ended).then(pl.col(name)).otherwise(None).alias(name)
        for name in ("score", "rank", "win")
    )


def named_results_frame(results: Results, names: Sequence[str]) -> pl.DataFrame:
    """Return results as a frame with the names of entrants, in a column `player` after them."""
    import polars as pl

    frame = results_frame(results)
    players = pl.Series("player", [names[who] for who in results.entrant.tolist()], pl.String)
    return frame.insert_column(frame.get_column_index("entrant") + 1, players)


def rows_frame(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return rows as a frame; a column in which nothing is known has nulls for numbers."""
    import polars as pl

    frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))


def results_of(frame: pl.DataFrame) -> Results:
    """Return the results that a frame holds."""
    import polars as pl

    filled = frame.with_columns(
        pl.col("score").fill_null(NO_SCORE),
        pl.col("rank").fill_null(NO_RANK),
        pl.col("win").fill_null(float("nan")),
    )
    return Results.of_columns({name: filled[name].to_numpy() for name in filled.columns})


def games_frame(table: Table) -> pl.DataFrame:
    """Return games as a frame, sorted by deal and table, with lists of choices."""
    import polars as pl

    columns = {
        name: _lists(column, table[name + LENGTH]) if name == "choices" else _series(column)
        for name, column in table.items()
        if name in GAMES and not name.endswith(LENGTH)
    }
    return pl.DataFrame(columns).sort("deal", "table")


def decisions_frame(table: Table) -> pl.DataFrame:
    """Return decisions as a frame, sorted by deal, table and ply; notes not made are null."""
    import polars as pl

    columns = {
        name: _lists(column, table[name + LENGTH]) if name == "lead" else _series(column)
        for name, column in table.items()
        if name in DECISIONS and not name.endswith(LENGTH)
    }
    frame = pl.DataFrame(columns).with_columns(
        pl.col(*SINGLE_NUMBERS).fill_nan(None),
        pl.when(pl.col("iterations") >= 0).then("iterations").alias("iterations"),
    )
    return frame.sort("deal", "table", "ply")


def _series(column: Any) -> pl.Series:
    import polars as pl

    if column.dtype == np.object_:
        return pl.Series(column.tolist(), dtype=pl.String)
    return pl.Series(column)


def _lists(items: Any, lengths: Any) -> pl.Series:
    """Return a column of lists from their items end to end; a length of -1 is null."""
    import polars as pl

    ends = np.cumsum(np.maximum(lengths, 0))
    lists = [
        items[end - length : end].tolist() if length >= 0 else None
        for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)
    ]
    inner = pl.Series(items).dtype
    return pl.Series(lists, dtype=pl.List(inner))
