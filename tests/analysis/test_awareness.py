"""Awareness: its formulas against counting by hand, its laws, and its mean course."""

from __future__ import annotations

from itertools import permutations
from math import log2

import numpy as np
import pytest
from drawn import loaded
from hypothesis import given, strategies as st

from cardwright import Game, GameError, Stream
from cardwright.analysis.statistics import (
    MEASURES,
    AwarenessSums,
    CourseError,
    measures,
    resampled,
    who_knows,
)
from cardwright.arena.effect_replay import at_random, record_awareness, ways_in_bits
from cardwright.game import game_seeds
from cardwright.game.whereabouts import Awareness, Sight

SHOWING = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, TEN, NINE)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
    (move (top ((1 player) iloc HAND)) (top (game vloc OPEN)))
    (move (top (game vloc OPEN)) (top ((1 player) iloc HAND)))))
  (stage player
    (end (== (game sto TURNS) 2))
    (choice ((inc (game sto TURNS)))))
  (scoring max 0))
"""
"""Six cards, two in each hand; one of the first player's is shown, and taken back."""


def one(name, seed=1):
    return next(record_awareness(loaded(name), at_random([seed])))


@given(st.lists(st.integers(0, 3), min_size=0, max_size=3))
def test_ways_are_counted(sizes):
    """The number of ways is that of different distributions, all of them listed."""
    places = [place for place, size in enumerate(sizes) for _ in range(size)]
    assert 2 ** ways_in_bits(sizes) == pytest.approx(len(set(permutations(places))))


def test_bits_by_hand():
    """Six cards: of four unseen, two are in the other's hand and two in the stock."""
    found = next(record_awareness(Game.from_text(SHOWING), at_random([3])))
    assert found.movers.tolist() == [0, 1]
    assert found.bits == pytest.approx(np.full((2, 2), log2(6)))
    # The second player has seen one card of the first: of three others, one is in that hand.
    assert found.remembered == pytest.approx(np.array([[log2(6), log2(3)]] * 2))
    assert found.seen.tolist() == [[2, 2]] * 2
    assert found.known.tolist() == [[2, 3]] * 2
    table = who_knows(found, 1)
    assert table.shape == (6, 2)
    assert sorted(table[:, 0].tolist()) == [Sight.UNKNOWN] * 3 + [Sight.KNOWN] + [Sight.SEEN] * 2


def test_leduc():
    """A card in hand of six: of five unseen, one is the other's. Then the board is open."""
    found = one("leduc", 3)
    assert found.bits[0] == pytest.approx([log2(5)] * 2)
    boards = found.seen[:, 0] == 2
    assert found.bits[boards] == pytest.approx(np.full((boards.sum(), 2), log2(4)))


@pytest.mark.parametrize("name", ["hearts", "gofish", "rummy", "president", "skitgubbe", "golfsix"])
def test_laws(name):
    """Memory never makes less certain; what is seen is known; all is as many cards as there are."""
    game = loaded(name)
    for found in record_awareness(game, at_random(game_seeds(4, 2))):
        assert (found.remembered <= found.bits + 1e-9).all()
        assert (found.remembered >= 0).all()
        assert (found.seen <= found.known).all()
        assert (found.known <= len(game.cards)).all()
        everything = found.known == len(game.cards)
        assert (found.remembered[everything] == 0).all()


@pytest.mark.parametrize("name", ["gofish", "schwimmen"])
def test_what_is_known_is_so(name):
    """At each decision, a seat's sights agree with what the state says that it sees and knows."""
    game = loaded(name)
    [found] = record_awareness(game, at_random([11]))
    state = game.start(11)
    streams = [Stream.of_seat(11, seat) for seat in range(game.players)]
    for at in range(len(found)):
        assert state.player == found.movers[at]
        for seat in range(game.players):
            knowledge = state.knowledge(seat)
            sure = np.array([mask & (mask - 1) == 0 for mask in knowledge.masks])
            known = found.sights[at, seat] != Sight.UNKNOWN
            assert (known <= sure).all()  # choices may have told it more than it saw
        state.play(streams[state.player].below(state.option_count))
    assert state.finished


def test_hearts_course():
    """Nobody sees but 13 cards at first; in the end all see all. Uncertainty only falls."""
    found = one("hearts")
    assert found.sights.shape == (52, 4, 52)
    assert found.seen[0].tolist() == [13] * 4
    ways = ways_in_bits([13, 13, 13])
    assert found.bits[0] == pytest.approx([ways] * 4)
    assert (np.diff(found.bits, axis=0) <= 1e-9).all()
    assert found.cards[0] == "A of CLUBS" or len(set(found.cards)) == 52


def test_broken_games_raise():
    """A game that breaks a rule has no awareness, but an error that says so."""
    text = SHOWING.replace("(inc (game sto TURNS))", "(set (game sto TURNS) (// 1 0))")
    with pytest.raises(GameError, match="division"):
        list(record_awareness(Game.from_text(text), at_random([1])))


# Courses ------------------------------------------------------------------------------------


def made(values, seats=1):
    """Return an awareness whose bits are given, of two cards that nobody knows."""
    bits = np.repeat(np.array(values, float)[:, None], seats, axis=1)
    sights = np.zeros((len(values), seats, 2), np.uint8)
    return Awareness(("A", "B"), np.zeros(len(values), np.int8), bits, bits / 2, sights)


def test_resampling():
    """A straight course stays straight on any grid; a single decision holds throughout."""
    line = np.linspace(6, 2, 9)[:, None]
    assert resampled(line, 5)[:, 0] == pytest.approx([6, 5, 4, 3, 2])
    assert resampled(line, 17)[:, 0] == pytest.approx(np.linspace(6, 2, 17))
    assert resampled(np.array([[3.0]]), 4)[:, 0].tolist() == [3, 3, 3, 3]
    with pytest.raises(CourseError, match="without decisions"):
        resampled(np.empty((0, 2)))


def test_mean_and_error():
    """Means and standard errors over games, as for any sample."""
    course = AwarenessSums.of([made([4, 2]), made([8, 2, 2]), made([])], 1, points=3)
    assert (course.games, course.idle) == (2, 1)
    assert course.grid.tolist() == [0, 0.5, 1]
    assert course.mean("bits")[:, 0].tolist() == [6, 2.5, 2]
    samples = np.array([[4, 3, 2], [8, 2, 2]])
    expected = samples.std(axis=0, ddof=1) / 2**0.5
    assert course.error("bits")[:, 0] == pytest.approx(expected)
    assert course.mean("remembered")[:, 0].tolist() == [3, 1.25, 1]
    assert course.mean("known").tolist() == [[0]] * 3
    assert np.isnan(AwarenessSums.of([made([1])], 1).error("bits")).all()


@given(st.lists(st.lists(st.floats(0, 60), max_size=5), max_size=6), st.integers(0, 6))
def test_courses_add_up(values, cut):
    """Two halves make the whole."""
    games = [made(one, seats=2) for one in values]
    whole = AwarenessSums.of(games, 2, points=7)
    parts = AwarenessSums.of(games[:cut], 2, points=7) + AwarenessSums.of(games[cut:], 2, points=7)
    assert (parts.games, parts.idle) == (whole.games, whole.idle)
    assert parts.sums == pytest.approx(whole.sums)
    assert parts.squares == pytest.approx(whole.squares)


def test_unlike_courses():
    """Other grids and other numbers of players do not add up, and nothing has no mean."""
    with pytest.raises(CourseError, match="cannot be added up"):
        _ = AwarenessSums.none(2) + AwarenessSums.none(3)
    with pytest.raises(CourseError, match="cannot be added up"):
        _ = AwarenessSums.none(2) + AwarenessSums.none(2, points=5)
    with pytest.raises(CourseError, match="no games"):
        AwarenessSums.none(2).mean("bits")
    with pytest.raises(CourseError, match="two points"):
        AwarenessSums.none(2, points=1)


def test_measures_of_a_game():
    """Cards are counted as shares of all."""
    found = measures(one("leduc"))
    assert list(found) == list(MEASURES)
    assert found["seen"][0] == pytest.approx([1 / 6] * 2)
    assert (found["seen"] <= found["known"]).all()
