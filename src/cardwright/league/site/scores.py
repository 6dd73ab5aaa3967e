"""Scores: what bots got in games and rounds, as counts of how often each number came up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.site.part import count_into
from cardwright.league.tally import MOON

if TYPE_CHECKING:
    from cardwright.league.block import Column
    from cardwright.league.site.part import SeasonPart

MOST_POINTS = 99 + MOON
"""Points of a game at most: before its last round nobody has 100."""

TWELFTHS = 12


class Scores:
    """Counts, grown part by part; the first axis of each has a row a roster entry.

    - `points[entry, seat, n]`: games in this seat that ended with n points;
    - `places[entry, place, n]`: games with n twelfths of this place, which seats that tie share;
    - `standing[entry, n]`: games with the place 1 + n / 2, in the middle of those that are shared;
    - `wins[entry, seat, n]`: games in this seat with n twelfths of the first place;
    - `rounds[entry, n]`: rounds of n points, after what a moon does to them;
    - `hearts`, `queens` (of spades) and `tricks`: what was taken in all games;
    - `shot` and `suffered`: rounds in which the bot shot the moon, or somebody else did.
    """

    def __init__(self, entries: int) -> None:
        self.points = np.zeros((entries, SEATS, MOST_POINTS + 1), np.int64)
        self.places = np.zeros((entries, SEATS, TWELFTHS + 1), np.int64)
        self.standing = np.zeros((entries, 2 * SEATS - 1), np.int64)
        self.wins = np.zeros((entries, SEATS, TWELFTHS + 1), np.int64)
        self.rounds = np.zeros((entries, MOON + 1), np.int64)
        self.hearts, self.queens, self.tricks, self.shot, self.suffered = (
            np.zeros(entries, np.int64) for _ in range(5)
        )

    def add(self, part: SeasonPart) -> None:
        """Count some more games."""
        tally = part.tally
        game, seat = np.nonzero(part.credited)
        entry = part.seats[game, seat]
        count_into(self.points, entry, seat, tally.totals[game, seat])
        shared = tally.places()[game, seat]
        count_into(self.places, entry[:, None], np.arange(SEATS), shared)
        count_into(self.standing, entry, halves(part)[game, seat])
        count_into(self.wins, entry, seat, shared[:, 0])
        for counts, taken in (
            (self.hearts, tally.hearts),
            (self.queens, tally.queens_taken),
            (self.tricks, tally.tricks),
        ):
            np.add.at(counts, entry, taken[game, seat])
        self._add_rounds(part)

    def _add_rounds(self, part: SeasonPart) -> None:
        scores = part.tally.scores
        row, seat = np.nonzero(part.credited_by_round)
        entry, score = part.by_round[row, seat], scores[row, seat]
        count_into(self.rounds, entry, score)
        # Without a moon the scores of a round make 26, with one 78.
        moon = scores.sum(axis=1)[row] > MOON
        count_into(self.shot, entry[moon & (score == 0)])
        count_into(self.suffered, entry[moon & (score > 0)])

    @property
    def games(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many games each entry is credited with."""
        counted: np.ndarray[tuple[int], np.dtype[np.int64]] = self.points.sum(axis=(1, 2))
        return counted


def halves(part: SeasonPart) -> Column:
    """Return twice the place of every seat of every game, less 2: 0 for the first, 6 for the last.

    Seats that tie have the middle of the places that they share.
    """
    places = np.arange(SEATS)
    twice: Column = 2 * (part.tally.places() * places).sum(axis=2) // TWELFTHS
    return twice
