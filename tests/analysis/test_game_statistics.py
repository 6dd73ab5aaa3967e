"""Counts of lengths, options, scores, ranks and wins, and of options by trick."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st
from made_games import game_lists, plain, traces_of

from cardwright import Game, Stream, play_random
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.statistics import Statistics, TrickOptions, quantile, statistics, tricks
from cardwright.game import game_seeds

GAMES = [
    plain([2, 0, 1], (0, 1), (1, 3), (2, 1)),
    plain([0, 0, 2], (0, 2)),
    plain([0, 0, 0], (2, 4), (0, 2)),
]


def test_counts_by_hand():
    """Three games of three seats."""
    found = Statistics.of(traces_of(GAMES))
    assert (found.games, found.players) == (3, 3)
    assert found.lengths == {3: 1, 1: 1, 2: 1}
    assert found.scores == (Counter({0: 2, 2: 1}), Counter({0: 3}), Counter({0: 1, 1: 1, 2: 1}))
    assert found.with_score == {0: 3, 1: 1, 2: 2}
    assert found.share_with(2) == pytest.approx(2 / 3)
    assert found.share_with(9) == 0
    assert found.ranks.tolist() == [[2, 0, 1], [3, 0, 0], [1, 1, 1]]
    assert found.wins.tolist() == [2, 3, 1]
    assert found.shared == pytest.approx([1 / 2 + 1 / 3, 1 + 1 / 2 + 1 / 3, 1 / 3])
    assert found.tied == 2
    assert (found.decisions, found.choices, found.single) == (6, 13, 2)
    assert found.mean_length == 2
    assert found.mean_scores() == pytest.approx([2 / 3, 0, 1])
    assert found.options.counts == {1: 2, 2: 2, 3: 1, 4: 1}
    assert found.options.mean_by_ply() == pytest.approx([7 / 3, 5 / 2, 1])
    assert found.options.mean_by_seat() == pytest.approx([5 / 3, 3, 5 / 2])
    record = found.record()
    assert record["length"] == {
        "mean": 2,
        "least": 1,
        "quarter": 1,
        "median": 2,
        "three_quarters": 3,
        "most": 3,
    }
    assert record["wins_by_seat"] == pytest.approx([2 / 3, 1, 1 / 3])


def leaves(value, name=""):
    """Return the numbers of a JSON object by their places in it."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {key: leaf for at, one in items for key, leaf in leaves(one, f"{name}.{at}").items()}
    return {name: -1 if value is None else value}


@given(game_lists(), st.data())
def test_halves_add_up(games, data):
    """Statistics and tricks of two parts are those of the whole, whatever the parts."""
    cut = data.draw(st.integers(0, len(games)))
    whole = traces_of(games)
    parts = [whole.take(slice(0, cut)), whole.take(slice(cut, None))]
    one, both = Statistics.of(whole), statistics(parts)
    assert leaves(one.record()) == pytest.approx(leaves(both.record()))
    assert (one.scores, one.with_score, one.lengths) == (both.scores, both.with_score, both.lengths)
    assert one.options.by_ply == pytest.approx(both.options.by_ply)
    assert TrickOptions.of(whole).sums == pytest.approx(tricks(parts).sums)


@given(st.lists(st.integers(-5, 5), min_size=1), st.floats(0, 1))
def test_quantiles(numbers, share):
    """The number is one of them; so many are not above it, and fewer are below it."""
    found = quantile(Counter(numbers), share)
    assert found in numbers
    assert sum(number <= found for number in numbers) >= share * len(numbers)
    assert sum(number < found for number in numbers) <= share * len(numbers)
    assert quantile(Counter([1, 2]), 0.5) == 1  # no more than half lie above it
    with pytest.raises(ValueError, match="nothing"):
        quantile(Counter(), share)


@pytest.mark.parametrize("name", ["hearts", "president"])
def test_random_games_in_bulk(name):
    """Sums that are made natively are those of the same games, played choice by choice."""
    game, seeds = Game.load(name), list(game_seeds(5, 30))
    made = []
    for seed in seeds:
        state, rows = game.start(seed), []
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        while (seat := state.player) is not None:
            rows.append((int(seat), state.option_count))
            state.play(streams[seat].below(state.option_count))
        sign = -1 if game.highest_wins else 1  # games made up for tests are won by low scores
        made.append(plain([sign * score for score in state.scores], *rows))
    recorded = Statistics.of(traces_of(made))
    bulk = Statistics.of_random(play_random(game, seeds))
    for field in ("games", "lengths", "decisions", "choices", "single", "tied"):
        assert getattr(bulk, field) == getattr(recorded, field), field
    assert bulk.ranks.tolist() == recorded.ranks.tolist()
    assert bulk.options is None
    assert bulk.record()["options"] is None
    assert (bulk + recorded).options is None


def test_tricks_by_hand():
    """Two seats: passing first, then two tricks, the leader's options and the other's."""
    games = [
        plain([0, 1], (0, 9), (0, 5), (1, 2), (1, 3), (0, 1)),
        plain([0, 1], (0, 9), (1, 7), (0, 4), (0, 3), (1, 1)),
    ]
    found = TrickOptions.of(traces_of(games), first=1, groups=2)
    assert found.means().tolist() == [[6, 3], [3, 1]]
    assert found.deviations() == pytest.approx(np.array([[2**0.5, 2**0.5], [0, 0]]))
    assert np.isnan(TrickOptions.of(traces_of(games), first=1, groups=1).deviations()).all()
    by_three = TrickOptions.of(traces_of(games[:1]), per_trick=3, groups=1)
    assert by_three.means() == pytest.approx(np.array([[9, 7 / 2], [3, 1]]))


def test_what_cannot_be_counted():
    """No games, other numbers of seats, impossible tricks."""
    two, three = (Statistics.of(traces_of([plain([0] * seats, (0, 1))])) for seats in (2, 3))
    with pytest.raises(AnalysisError, match="numbers of players"):
        two + three
    with pytest.raises(AnalysisError, match="no finished games"):
        statistics([])
    with pytest.raises(AnalysisError, match="no finished games"):
        tricks([])
    with pytest.raises(AnalysisError, match="1 decision or more"):
        TrickOptions.of(traces_of(GAMES), per_trick=0)
