"""The elites of a search as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.extras import need

if TYPE_CHECKING:
    import polars as pl

    from cardwright.evolution.evolution import Elite, Evolution


def elites_table(found: Evolution) -> pl.DataFrame:
    """Return the original and the elites, a row each; raises MissingExtraError without polars."""
    need("polars")
    import polars

    everyone = (found.original, *found.elites)
    names = dict.fromkeys(name for elite in everyone for name in elite.measures)
    schema: dict[str, Any] = {
        "name": polars.String,
        "original": polars.Boolean,
        "total": polars.Float64,
        "total_again": polars.Float64,
    }
    for name in names:
        for column in (name, f"{name}_low", f"{name}_high"):
            schema[column] = polars.Float64
    rows = [_row(elite, names) for elite in everyone]
    frame = polars.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(polars.Series("original", [True, *[False] * len(found.elites)]))


def _row(elite: Elite, names: dict[str, None]) -> list[Any]:
    row: list[Any] = [elite.name, None, _score(elite, again=False), _score(elite, again=True)]
    for name in names:
        one = elite.measures.get(name)
        row += [None] * 3 if one is None else [one.mean, one.low, one.high]
    return row


def _score(elite: Elite, *, again: bool) -> float | None:
    judged = elite.again if again else elite.judged
    return None if judged is None or not judged.scores else judged.total
