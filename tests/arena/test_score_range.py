"""What follows from a range of scores for means and differences, and what a range is known by."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from cardwright import Game
from cardwright.arena.bounds import ScoreRange, ScoreRangeError
from cardwright.arena.results import Results
from cardwright.game.native.random_games import play_random
from cardwright.game.settings import settings_of
from cardwright.lab.response import single_deal
from deep import mostly_deep

SEATINGS = st.lists(st.integers(0, 2), min_size=2, max_size=4)


def all_scores(scores: ScoreRange, seats: int) -> np.ndarray:
    """Return all that the seats of a table can get, a row for each possibility."""
    found = np.array(list(product(range(scores.least, scores.most + 1), repeat=seats)))
    return found if scores.total is None else found[found.sum(axis=1) == scores.total]


@given(SEATINGS, st.integers(-3, 2), st.integers(1, 4), st.none() | st.integers(-6, 12))
def test_bounds_are_those_of_all_possible_scores(table, least, width, total) -> None:
    """At one table they are attained: no narrower ones hold."""
    scores = ScoreRange(least, least + width, "proved", total)
    possible = all_scores(scores, len(table))
    assume(len(possible))
    seating = np.array(table)
    low, high = scores.mean_bounds(seating[None, :], 3)
    for who in range(3):
        if who not in table:
            assert np.isnan([low[who], high[who]]).all()
            continue
        means = possible[:, seating == who].mean(axis=1)
        assert (low[who], high[who]) == pytest.approx((means.min(), means.max()))
        for other in set(table) - {who}:
            apart = means - possible[:, seating == other].mean(axis=1)
            bounds = scores.difference_bounds(seating[None, :], who, other)
            assert bounds == pytest.approx((apart.min(), apart.max()))
    effects = possible - possible.mean(axis=1, keepdims=True)
    bounds = scores.seat_bounds(len(table))
    assert bounds == pytest.approx((effects[:, 0].min(), effects[:, 0].max()))


@given(st.lists(SEATINGS.map(lambda one: (one * 2)[:3]), min_size=1, max_size=4), st.data())
def test_means_over_tables_stay_within_the_bounds(tables, data) -> None:
    total = data.draw(st.none() | st.integers(-3, 6))
    scores = ScoreRange(-1, 2, "proved", total)
    possible = all_scores(scores, 3)
    picks = data.draw(st.lists(st.integers(0, len(possible) - 1), min_size=4, max_size=4))
    played = np.array([possible[pick] for pick, _ in zip(picks, tables, strict=False)])
    seating = np.array(tables)
    low, high = scores.mean_bounds(seating, 3)
    for who in set(seating.ravel().tolist()):
        assert low[who] - 1e-9 <= played[seating == who].mean() <= high[who] + 1e-9


def test_a_range_is_proved_or_declared_or_not_known() -> None:
    assert ScoreRange.of(Game.load("kuhn")) == ScoreRange(-2, 2, "proved", 0)
    assert ScoreRange.of(Game.load("leduc")) == ScoreRange(-13, 13, "proved", None)
    rummy = Game.load("rummy")
    assert ScoreRange.of(rummy) is None
    rummy.declared_scores = (0, 200)
    assert ScoreRange.of(rummy) == ScoreRange(0, 200, "declared", None)
    assert str(ScoreRange(-2, 2, "proved", 0)) == "-2 to 2"
    kuhn = Game.load("kuhn")
    kuhn.declared_scores = (0, 1)
    assert ScoreRange.of(kuhn).basis == "proved"


def test_a_score_out_of_the_range_is_told_with_its_place() -> None:
    rows = {
        "deal": [0, 0, 3, 3], "table": [0, 0, 1, 1], "seat": [0, 1, 0, 1],
        "entrant": [0, 1, 1, 0], "score": [2, 0, 1, -99], "rank": [0, 1, 0, 1],
        "win": [1, 0, 1, 0], "decisions": [1] * 4, "faults": [0] * 4, "error": [None] * 4,
    }  # fmt: skip
    results = Results.of_columns(rows)
    ScoreRange(-99, 2, "declared").check(results, "g.rcy")
    said = r"seat p2 got -99 in deal 3 at table 1, but the file beside g.rcy declares .* -1 to 2"
    with pytest.raises(ScoreRangeError, match=said):
        ScoreRange(-1, 2, "declared").check(results, "g.rcy")


@pytest.mark.parametrize(
    "preset",
    mostly_deep(
        [None, *settings_of("hearts").presets],
        {"standard", "nomoon"}.__contains__,
    ),
)
def test_what_hearts_declares_holds_in_random_games(preset: str | None) -> None:
    """In single deals it is what has to add up, too; most presets declare something."""
    game = Game.load("hearts", preset=preset)
    if game.declared_scores is None:
        assert preset not in ("standard", "bicycle", "microsoft", "openspiel", "corin")
        return
    least, most = game.declared_scores
    scores = play_random(game, range(400), threads=1).ended().scores
    assert least <= scores.min()
    assert scores.max() <= most
    known = single_deal(game)
    assert known is None or known[:2] == (least, most)
