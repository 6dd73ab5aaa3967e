"""The table of measures: every row is computed somewhere, and the formulas that are shared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from cardwright.analysis.measures import FORMULAS, NAMED
from cardwright.evolution.measures.table import MEASURES as SEARCHED
from cardwright.interpreter import machine
from cardwright.lab.response import responses
from cardwright.statistics.measures import MEASURES, over_chance, ranks, win_shares
from cardwright.statistics.ties import TIES

TABLES = st.integers(2, 5).flatmap(
    lambda seats: st.lists(
        st.lists(st.integers(-3, 3), min_size=seats, max_size=seats), min_size=1, max_size=5
    )
)


def test_every_row_is_computed_by_somebody() -> None:
    """Nobody computes what is not in the table, and nothing stands in it in vain."""
    lab = [one.name for one in responses(4, lowest_wins=True, hearts=True, match=True)]
    searched = {one.measure.key for one in SEARCHED.values()}
    assert set(MEASURES) == {*FORMULAS, *searched, *(f"seat {name}" for name in lab)}


def test_words_have_no_gaps() -> None:
    """What differs from use to use is filled in where it is shown."""
    lab = responses(4, lowest_wins=True, hearts=True, match=True)
    named = [one.counting(ties).about for one in NAMED.values() for ties in TIES]
    shown = [*named, *(one.words for one in SEARCHED.values()), *(one.about for one in lab)]
    assert all(text and "{" not in text for text in shown)
    assert SEARCHED["drama"].words.startswith("In games of the strongest player: how far behind")


@given(TABLES, st.booleans())
def test_ranks_are_those_of_the_rules(scores: list[list[int]], highest_wins: bool) -> None:
    """The interpreter counts who is better one by one."""
    expected = [machine.ranks(row, highest_wins=highest_wins) for row in scores]
    found = ranks(np.array(scores), highest_wins=highest_wins)
    assert found.tolist() == expected
    shares = win_shares(found == 0)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert ((shares > 0) == (found == 0)).all()


def test_a_fair_share_is_nothing_over_chance() -> None:
    """A side that wins its share gains nothing, and one that always wins gains 1."""
    assert [over_chance(wins, 4) for wins in (0.25, 1.0)] == [0, 1]
    assert over_chance(np.array([0.0]), 4).tolist() == pytest.approx([-1 / 3])
