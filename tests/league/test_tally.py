"""Tallies: what the plain functions of the rules say, and no choices that are no rounds."""

from __future__ import annotations

import numpy as np
from made_rounds import made_round
from plain_league import QUEEN, score, tricks, winner
from seasons import block_of, game

from cardwright.league.block import BlockTally

GAMES = [*(game(seed) for seed in range(5)), [made_round((0, 0, 13, 0), 2)] * 3]


def test_rounds_are_those_of_the_plain_model() -> None:
    """Leads, winners, scores, the queen's seat and cards by seat of every round."""
    tally = BlockTally.of(block_of(GAMES, 30))
    rounds = [(at, nth, one) for at, part in enumerate(GAMES) for nth, one in enumerate(part, 1)]
    assert tally.first == 30
    for row, (at, number, choices) in enumerate(rounds):
        assert (tally.game[row], tally.number[row]) == (at, number)
        assert tally.scores[row].tolist() == score(choices)
        played = tricks(choices)
        assert tally.leads[row].tolist() == [trick[0][0] for trick in played]
        assert tally.winners[row].tolist() == [winner(trick) for trick in played]
        (queen,) = (winner(trick) for trick in played if QUEEN in dict(trick).values())
        assert tally.queens[row] == queen
        steps = [choices[0:4], choices[4:8], choices[8:12], *played]
        by_seat = [[card for _, card in sorted(step)] for step in steps]
        assert tally.cards[row].tolist() == by_seat
    assert tally.scores[-1].tolist() == [26, 26, 0, 26]


def test_games_are_sums_of_rounds() -> None:
    """What was taken is counted as it was, without the moon."""
    tally = BlockTally.of(block_of(GAMES))
    for at, rounds in enumerate(GAMES):
        totals = [sum(one) for one in zip(*map(score, rounds), strict=True)]
        assert tally.totals[at].tolist() == totals
        takers = [winner(trick) for choices in rounds for trick in tricks(choices)]
        assert tally.tricks[at].tolist() == [takers.count(seat) for seat in range(4)]
        assert tally.hearts[at].sum() == 13 * len(rounds) == 13 * tally.queens_taken[at].sum()
    assert tally.hearts[-1].tolist() == [0, 0, 39, 0]
    assert tally.queens_taken[-1].tolist() == [0, 0, 3, 0]


def test_plays_are_not_changed() -> None:
    """A block can be counted twice, and its arrays may be read-only."""
    block = block_of(GAMES)
    before = block.plays.copy()
    block.plays.flags.writeable = False
    BlockTally.of(block)
    assert np.array_equal(block.plays, before)


def test_a_tally_of_nothing() -> None:
    tally = BlockTally.of(block_of([]))
    assert tally.totals.shape == tally.scores.shape == (0, 4)
    assert tally.places().shape == (0, 4, 4)
