"""Scores: the results of bots in games and rounds, as counts of each value."""

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
"""The most points of a game: before its last round nobody has 100."""

TWELFTHS = 12


class Scores:
    """Counts, added up part by part; the first axis of each has a row per roster entry.

    - `points[entry, seat, n]`: games in this seat that ended with n points;
    - `places[entry, place, n]`: games with n twelfths of this place, which tied seats share;
    - `standing[entry, n]`: games with the place 1 + n / 2, the mean of the places shared;
    - `wins[entry, seat, n]`: games in this seat with n twelfths of the first place;
    - `rounds[entry, n]`: rounds of n points, after the moon adjustment;
    - `hearts`, `queens` (of spades) and `tricks`: totals taken in all games;
    - `shot` and `suffered`: rounds in which the bot shot the moon, or another seat did.
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
        # Without a moon the scores of a round add up to 26, with one to 78.
        moon = scores.sum(axis=1)[row] > MOON
        count_into(self.shot, entry[moon & (score == 0)])
        count_into(self.suffered, entry[moon & (score > 0)])

    @property
    def games(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The number of games that each entry is credited with."""
        counted: np.ndarray[tuple[int], np.dtype[np.int64]] = self.points.sum(axis=(1, 2))
        return counted


def halves(part: SeasonPart) -> Column:
    """Return twice the place of every seat of every game, less 2: 0 for the first, 6 for the last.

    Tied seats have the mean of the places that they share.
    """
    places = np.arange(SEATS)
    twice: Column = 2 * (part.tally.places() * places).sum(axis=2) // TWELFTHS
    return twice
