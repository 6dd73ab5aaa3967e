"""Sums over games: parts add up, and intervals are as wide as they should be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from made_games import game_lists, led, plain, traces_of

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.formulas import MeasureRules
from cardwright.analysis.results import (
    MeasureSums,
    Study,
    compared,
    heuristics,
    row_of,
    table,
    tallied,
)
from cardwright.statistics.resampling import weights
from deep import usually

SMALL = Study(resamples=6, seed=3)


@given(game_lists(most=7), st.data())
def test_parts_add_up_to_the_whole(games, data):
    """Two halves, of whatever size, have the sums of all games; resamples too."""
    cut = data.draw(st.integers(0, len(games)))
    traces = traces_of(games)
    halves = [traces.take(slice(0, cut)), traces.take(slice(cut, None))]
    whole, parts = tallied([traces], SMALL), tallied(halves, SMALL)
    assert parts.games == whole.games == len(games)
    for key, sums in whole.sums.items():
        assert parts.sums[key] == pytest.approx(sums), key


def test_weights_belong_to_deals():
    """A deal has the same weights wherever it is met, and others in another study."""
    deals = np.arange(50)
    all_weights = weights(deals, 7, seed=5)
    assert all_weights.shape == (7, 50)
    assert (weights(deals[::-1], 7, 5)[:, ::-1] == all_weights).all()
    assert (weights(deals[20:30], 3, 5) == all_weights[:3, 20:30]).all()
    assert (weights(deals, 7, 6) != all_weights).any()


def test_weights_are_poissons():
    """Mean and variance are 1, the share of zeros 1/e, and different deals are independent."""
    drawn = weights(np.arange(400), 500, seed=1)
    count = drawn.size
    assert drawn.mean() == pytest.approx(1, abs=5 / count**0.5)
    assert drawn.var() == pytest.approx(1, abs=10 / count**0.5)
    assert (drawn == 0).mean() == pytest.approx(np.exp(-1), abs=5 / count**0.5)
    between = np.corrcoef(drawn, rowvar=False)[np.triu_indices(400, 1)]
    assert abs(between).max() < 6.5 / 500**0.5
    across = np.corrcoef(drawn)[np.triu_indices(500, 1)]
    assert abs(across).max() < 6.5 / 400**0.5


def test_intervals_have_the_width_of_theory():
    """The interval of a mean of n games is that of the normal law."""
    rng = np.random.default_rng(4)
    lengths = rng.integers(1, 20, 400)
    games = [plain([0, 1], *[(0, 2)] * count) for count in lengths]
    row = row_of(
        heuristics({"RR": MeasureSums.of(traces_of(games), Study())}), "shape", "decisions", "RR"
    )
    error = lengths.std() / 20
    assert row.value == pytest.approx(lengths.mean())
    assert row.high - row.low == pytest.approx(2 * 1.96 * error, rel=0.12)
    assert (row.low + row.high) / 2 == pytest.approx(row.value, abs=0.3 * error)


@pytest.mark.slow
def test_intervals_cover_the_truth():
    """Of many intervals for a rate of wins, 95 % hold it, but for four standard deviations."""
    rng = np.random.default_rng(8)
    covered, trials = 0, usually(50, 200)
    for trial in range(trials):
        games = [plain([1, 1 - win], (0, 2)) for win in rng.integers(0, 2, 100)]
        tally = MeasureSums.of(traces_of(games), Study(resamples=300, seed=trial))
        row = row_of(heuristics({"RR": tally}), "shape", "shared_wins", "RR")
        covered += row.low <= 0.5 <= row.high
    assert covered >= 0.95 * trials - 4 * (0.95 * 0.05 * trials) ** 0.5


def test_tables_of_a_deal_are_drawn_together():
    """Four equal games of a deal are worth no more than one: the interval stays as wide."""
    rng = np.random.default_rng(2)
    lengths = rng.integers(1, 20, 60)

    def width(tables):
        games = []
        for deal, count in enumerate(lengths):
            for number in range(tables):
                game = plain([0, 1], *[(0, 2)] * count)
                game.deal, game.table = deal + 1, number
                games.append(game)
        rows = heuristics({"RR": MeasureSums.of(traces_of(games), Study())})
        row = row_of(rows, "shape", "decisions", "RR")
        return row.high - row.low

    assert width(4) == pytest.approx(width(1))


def test_paired_differences():
    """A game that is one decision longer at every deal differs by 1, without doubt."""
    lengths = np.random.default_rng(3).integers(1, 30, 40)
    sides = [
        {
            "RR": MeasureSums.of(
                traces_of([plain([0, 1], *[(0, 2)] * (n + more)) for n in lengths]), Study()
            )
        }
        for more in (0, 1)
    ]
    row = row_of(compared(*sides), "shape", "decisions", "RR")
    assert row.value == pytest.approx(1)
    # Equal differences have no interval, but so many of one sign are no accident.
    assert (row.constant, row.deals, row.side(0)) == (True, 40, 1)
    assert np.isnan([row.low, row.high]).all()
    assert row_of(compared(*reversed(sides)), "shape", "decisions", "RR").value == pytest.approx(-1)
    unpaired = row_of(heuristics(sides[0]), "shape", "decisions", "RR")
    assert unpaired.high - unpaired.low > 3


def test_pooled_batches_are_of_all_their_decisions():
    """Spread is pooled over both batches with players that think, decision by decision."""
    one = MeasureSums.of(traces_of([led([0, 1], [0.5, 0.5])]), SMALL)
    quiet = led([0, 1], [0.5, 0.5], [0.5, 0.5])
    quiet.decisions = [(seat, count, (0.0, *note[1:])) for seat, count, note in quiet.decisions]
    rows = heuristics({"AA": one, "AR": MeasureSums.of(traces_of([quiet]), SMALL)})
    assert row_of(rows, "articles", "spread", "AA").value == pytest.approx(0.6)
    assert row_of(rows, "articles", "spread", "AR").value == 0
    pooled = row_of(rows, "articles", "spread", "AA+AR")
    assert (pooled.value, pooled.games) == (pytest.approx(0.2), 2)


def test_what_was_not_noted_is_said():
    """Random players note nothing: lines stay, without a number, and say why."""
    rows = heuristics({"AA": MeasureSums.of(traces_of([plain([0, 1], (0, 2))] * 3), SMALL)})
    drama = row_of(rows, "articles", "drama", "AA")
    assert np.isnan([drama.value, drama.low, drama.high]).all()
    assert "noted" in drama.note
    assert row_of(rows, "engine", "drama", "AA").value == 0  # NaN becomes 0, as in the program
    frame = table(rows)
    assert frame.columns[:4] == ["family", "name", "batch", "value"]
    assert frame.height == len(rows)
    assert frame["value"].is_nan().sum() == 0


def test_studies_must_be_one():
    """Sums with other weights, or of other definitions, belong to other questions."""
    traces = traces_of([plain([0, 1], (0, 2))])
    one, other = (
        MeasureSums.of(traces, SMALL),
        MeasureSums.of(traces, Study(MeasureRules(ties="shared"), 6, 3)),
    )
    with pytest.raises(AnalysisError, match="different studies"):
        one + other
    with pytest.raises(AnalysisError, match="different studies"):
        heuristics({"RR": one, "AA": other})
    three = MeasureSums.of(traces_of([plain([0, 1, 2], (0, 2))]), SMALL)
    with pytest.raises(AnalysisError, match="different kinds"):
        one + three
    with pytest.raises(AnalysisError, match="numbers of players"):
        heuristics({"RR": one, "AA": three})
    with pytest.raises(AnalysisError, match="one batch"):
        heuristics({})
    with pytest.raises(AnalysisError, match="no finished games"):
        tallied([traces.take(slice(0, 0))], SMALL)
    with pytest.raises(AnalysisError, match="resample"):
        Study(resamples=0)
    with pytest.raises(AnalysisError, match="no engine beauty of RR"):
        row_of(heuristics({"RR": one}), "engine", "beauty", "RR")
