"""Rows: text as Python's own writer of CSV would write it."""

from __future__ import annotations

import csv
import io
import sys

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.extras import MissingExtraError
from cardwright.league.outputs import csv_rows, quoted, repeated, texts
from cardwright.syntax.data_files import safe_cell

words = st.text(st.characters(exclude_categories=["Cc", "Cs"]))


def plain(rows: list[list[object]]) -> str:
    """Return rows as Python writes them, without formulas."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [safe_cell(cell) for cell in row] for row in rows
    )
    return out.getvalue()


def test_floats_are_written_as_python_writes_them() -> None:
    """All places there can be in the first games, and later ones to ten million games."""
    random = np.random.default_rng(0).integers(0, 12 * 10**7, 20_000)
    twelfths = np.concatenate([np.arange(40_000), random, [12 * 10**7, 12 * 10**15]])
    lines = csv_rows([twelfths / 12]).decode().splitlines()
    assert lines == [repr(one / 12) for one in twelfths.tolist()]


@given(st.lists(words, min_size=1), words)
def test_texts_are_quoted_as_python_quotes_them(values: list[str], season: str) -> None:
    """Only where it is needed, and empty texts are nothing."""
    numbers = np.arange(len(values))
    columns = [repeated(season, len(values)), texts(values), numbers]
    wanted = plain([[season, value, number] for number, value in enumerate(values)])
    assert csv_rows(columns).decode() == wanted
    assert plain([[season, 1]]) == f"{quoted(season)},1\n"


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint16])
def test_integers_of_all_sizes(kind: type) -> None:
    values = np.array([0, 1, np.iinfo(kind).max, np.iinfo(kind).min], kind)
    assert csv_rows([values]).decode().splitlines() == [str(one) for one in values.tolist()]


def test_without_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lacks the library is told how to get it."""
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"needs polars.*install it with"):
        csv_rows([np.zeros(1)])
