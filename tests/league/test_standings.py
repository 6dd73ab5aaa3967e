"""Standings: exact after any number of games, and fit to be shown."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from made_rounds import made_round
from plain_tables import SHARES
from seasons import block_of, game, roster_of

from cardwright.league.block import BlockTally
from cardwright.league.outputs import LeagueStandings, standing_rows

BOTS = [("Ann", "Me"), ("Bob", "You"), ("Cy", "You"), ("Dora", "Me"), ("Eve", "")]
GAMES = [
    [made_round((13, 0, 0, 0), 0)],
    [made_round((1, 5, 5, 2), 3)],
    [made_round((4, 4, 4, 1), 3)],
]
SEATS = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [3, 3, 2, 0]], np.int32)


def final(games: slice = slice(None), before: LeagueStandings | None = None) -> LeagueStandings:
    """Return the standings after some of the games."""
    before = before or LeagueStandings.none(roster_of(BOTS))
    counts = before.running(BlockTally.of(block_of(GAMES[games])), SEATS[games])
    return LeagueStandings(before.roster, counts[-1])


def test_what_a_bot_has_got() -> None:
    """Shares are exact; a second seat in a game counts nothing."""
    _, bob, _, dora, eve = final().each()
    assert (bob.entry.name, bob.games, bob.points, bob.rounds) == ("Bob", 2, 31, 2)
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert bob.places == (0, third + half, third + half, third)
    assert bob.mean_place == pytest.approx((3 + 2.5) / 2)
    assert (bob.points_a_game, bob.points_a_round) == (15.5, 15.5)
    assert (bob.tricks, bob.hearts, bob.queens) == (5, 5, 0)
    assert dora.games == 3
    assert dora.places == (1 + third, third + third, third + third, third)
    assert (dora.points, dora.tricks) == (26 + 1 + 4, 0 + 1 + 4)
    assert (eve.games, eve.points, eve.rounds) == (0, 0, 0)
    assert math.isnan(eve.mean_place)
    assert math.isnan(eve.points_a_game)
    assert math.isnan(eve.points_a_round)


def test_ranked() -> None:
    """By mean places, then points; those that did not play are last."""
    ranked = final().ranked()
    assert [one.entry.name for one in ranked] == ["Dora", "Cy", "Bob", "Ann", "Eve"]
    keys = [(one.mean_place, one.points_a_game) for one in ranked[:-1]]
    assert keys == sorted(keys)
    names = [one.entry.name for one in final(slice(1)).ranked()]
    assert names == ["Ann", "Bob", "Cy", "Dora", "Eve"]
    assert [one.entry.name for one in LeagueStandings.none(roster_of(BOTS)).ranked()] == [
        name for name, _ in BOTS
    ]


def test_games_can_be_added_in_parts() -> None:
    """What is carried over is all there is to know; no games change nothing."""
    whole = final()
    parts = final(slice(1, None), final(slice(1)))
    assert (whole.counts == parts.counts).all()
    none = whole.running(BlockTally.of(block_of([])), SEATS[:0])
    assert none.shape == (0, 5, 10)


def test_running_counts_do_not_fall_and_make_whole_games() -> None:
    """After each game the places of all bots are as many as the seats that were credited."""
    games = [game(seed) for seed in range(12)]
    rng = np.random.default_rng(0)
    seats = rng.integers(0, 5, (12, 4)).astype(np.int32)
    counts = LeagueStandings.none(roster_of(BOTS)).running(BlockTally.of(block_of(games)), seats)
    for one, after in pairwise(counts):
        assert (after >= one).all()
    credited = np.cumsum([len(set(row)) for row in seats.tolist()])
    assert (counts[:, :, 0].sum(1) == credited).all()
    assert (counts[:, :, 1:5].sum((1, 2)) == 12 * credited).all()


def test_many_games_stay_exact() -> None:
    """Thirds are added as integers: a third of a million games is written as one division."""
    counts = np.full((1, 1, 10), 12 * 10**6 + 4, np.int64)
    line = standing_rows("S", 7, roster_of(BOTS[:1]), counts).decode()
    assert line.split(",")[:5] == ["S", "7", "Ann", "Me", "12000004"]
    assert line.split(",")[5] == repr((12 * 10**6 + 4) / 12) == "1000000.3333333334"
    assert line.count("\n") == 1


def test_places_are_shared_as_the_plain_table_says() -> None:
    """All cases of better and worse seats, in all orders of the seats."""
    seen = set()
    for number in range(4**4):
        scores = [number // 4**seat % 4 for seat in range(4)]
        tally = BlockTally.of(block_of([GAMES[0]]))
        places = type(tally)(**{**vars(tally), "totals": np.array([scores])}).places()
        for seat, mine in enumerate(scores):
            case = (sum(one < mine for one in scores), sum(one > mine for one in scores))
            assert tuple(places[0, seat]) == SHARES[case]
            seen.add(case)
    assert seen == set(SHARES)
