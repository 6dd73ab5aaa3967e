"""Standings: each bot's exact results in a season so far."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import SEATS, TRICKS
from cardwright.league.rows import csv_rows, repeated, texts

if TYPE_CHECKING:
    from cardwright.league.block import Column
    from cardwright.league.roster import Roster, RosterEntry
    from cardwright.league.tally import BlockTally

PARTS = 12
"""Places are counted in twelfths, which two, three and four seats can share."""

_GAMES, _PLACES, _POINTS, _ALL_TRICKS, _TRICKS, _HEARTS, _QUEENS = 0, 1, 5, 6, 7, 8, 9
_COLUMNS = 10


@dataclass(frozen=True)
class BotStanding:
    """The results of a bot.

    `places` are its shares of first to fourth places, which add up to `games`. `rounds` counts
    those of its games; `tricks`, `hearts` and `queens` (of spades) are what it took itself.
    """

    entry: RosterEntry
    games: int
    places: tuple[Fraction, ...]
    points: int
    rounds: int
    tricks: int
    hearts: int
    queens: int

    @property
    def mean_place(self) -> float:
        """Its mean place, 1 to 4; NaN without games."""
        total = sum(place * share for place, share in enumerate(self.places, 1))
        return float(total / self.games) if self.games else float("nan")

    @property
    def points_a_game(self) -> float:
        """Its mean points per game; NaN without games."""
        return self.points / self.games if self.games else float("nan")

    @property
    def points_a_round(self) -> float:
        """Its mean points per round; NaN without games."""
        return self.points / self.rounds if self.rounds else float("nan")


@dataclass(frozen=True, eq=False)
class LeagueStandings:
    """The results of all bots of a roster; `counts` has a row for each, and columns of integers.

    The columns are games, twelfths of first to fourth places, points, all tricks of its games, and
    tricks, hearts and queens of spades taken.
    """

    roster: Roster
    counts: Column

    @classmethod
    def none(cls, roster: Roster) -> LeagueStandings:
        """Return the standings before the first game."""
        return cls(roster, np.zeros((len(roster), _COLUMNS), np.int64))

    def running(self, tally: BlockTally, seats: Column) -> Column:
        """Return the counts after each of some games, shape (games, entries, columns).

        `seats` has the roster rows of the bots of these games, shape (games, 4). A bot in several
        seats of a game is credited only with the first of them.
        """
        games = len(seats)
        gained = np.zeros((games, len(self.roster), _COLUMNS), np.int64)
        places = tally.places()
        for seat in range(SEATS):
            first = (seats[:, :seat] != seats[:, seat, None]).all(1)
            game = np.flatnonzero(first)
            mine = gained[game, seats[game, seat]]
            mine[:, _GAMES] = 1
            mine[:, _PLACES:_POINTS] = places[game, seat]
            mine[:, _POINTS] = tally.totals[game, seat]
            mine[:, _ALL_TRICKS] = TRICKS * tally.rounds[game]
            mine[:, _TRICKS] = tally.tricks[game, seat]
            mine[:, _HEARTS] = tally.hearts[game, seat]
            mine[:, _QUEENS] = tally.queens_taken[game, seat]
            gained[game, seats[game, seat]] = mine
        if games:
            gained[0] += self.counts
        return np.cumsum(gained, axis=0, out=gained)

    def each(self) -> list[BotStanding]:
        """Return the results of every bot, in the order of the roster."""
        return [
            BotStanding(
                entry=entry,
                games=row[_GAMES],
                places=tuple(Fraction(twelfths, PARTS) for twelfths in row[_PLACES:_POINTS]),
                points=row[_POINTS],
                rounds=row[_ALL_TRICKS] // TRICKS,
                tricks=row[_TRICKS],
                hearts=row[_HEARTS],
                queens=row[_QUEENS],
            )
            for entry, row in zip(self.roster.entries, self.counts.tolist(), strict=True)
        ]

    def ranked(self) -> list[BotStanding]:
        """Return the results of every bot, ranked by mean place, then by points per game.

        Bots equal in both stay in the order of the roster; those without games are last.
        """
        played = [one for one in self.each() if one.games]
        played.sort(key=lambda one: (one.mean_place, one.points_a_game))
        return played + [one for one in self.each() if not one.games]


def standing_rows(season: str, first: int, roster: Roster, counts: Column) -> bytes:
    """Return the rows of Standings.csv for counts from `running`: a block of rows per game.

    `first` is the number of games over in the first of these blocks. Season, Game, Name, Author,
    Games Played, #1 to #4, Points, Rounds Played, Tricks Won, Hearts, Queens; places and rounds
    are written as floats.
    """
    games, entries, _ = counts.shape
    flat = counts.reshape(games * entries, _COLUMNS).T
    every = np.tile(np.arange(entries), games)
    return csv_rows(
        [
            repeated(season, games * entries),
            np.repeat(np.arange(first, first + games), entries),
            texts(roster.names).gather(every),
            texts(roster.authors).gather(every),
            flat[_GAMES],
            *(flat[_PLACES:_POINTS] / PARTS),
            flat[_POINTS],
            flat[_ALL_TRICKS] / TRICKS,
            *flat[_TRICKS:],
        ]
    )
