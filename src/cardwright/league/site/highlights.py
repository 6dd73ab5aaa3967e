"""Highlights: the games of a season that are worth seeing."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.block import SEATS
from cardwright.league.tally import MOON

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.league.block import Column
    from cardwright.league.site.part import SeasonPart
    from cardwright.league.site.ranking import RankingRow

SHOWN = 12
"""The most games shown of a kind."""


@dataclass(frozen=True)
class Highlight:
    """A game worth seeing: its main seat, the round to look at, and the amount."""

    game: int
    round: int
    seat: int
    amount: float
    entries: tuple[int, ...]
    totals: tuple[int, ...]

    @property
    def won(self) -> bool:
        """Whether the seat had the fewest points at the end."""
        return self.totals[self.seat] == min(self.totals)


class Highlights:
    """The best of each kind in a season, added up part by part, whatever its parts are.

    `moons` are sorted by the points that the shooter was behind the leader before the round, those
    that won the game first; `shot` counts all moons. `losses` are sorted by the points between the
    first and the last.
    """

    def __init__(self) -> None:
        self.shot = 0
        self.moons: list[Highlight] = []
        self.losses: list[Highlight] = []
        self._games: list[tuple[int, Column, Column]] = []

    def add(self, part: SeasonPart) -> None:
        """Add some more games."""
        totals = part.tally.totals
        gaps = totals.max(axis=1) - totals.min(axis=1)
        found = [
            _highlight(part, at, 1, int(totals[at].argmax()), int(gaps[at]))
            for at in np.argsort(-gaps, kind="stable")[:SHOWN].tolist()
        ]
        self.losses = _most([*self.losses, *found])
        moons = list(_moons(part))
        self.shot += len(moons)
        self.moons = _most([*self.moons, *moons], won_first=True)
        kept = part.seats.astype(np.uint16), totals.astype(np.uint8)
        self._games.append((part.block.first, *kept))

    def upsets(self, rows: Iterable[RankingRow]) -> list[Highlight]:
        """Return games that a bot won alone against three that are better over the season.

        They are sorted by how much better these are, in places, and then by the margin in points.
        """
        rows = list(rows)
        merit = np.full(1 + max((row.entry for row in rows), default=0), np.nan)
        for row in rows:
            merit[row.entry] = row.mean_place
        found: list[tuple[float, float, Highlight]] = []
        for first, seats, totals in self._games:
            winner = totals.argmin(axis=1)
            at = np.arange(len(seats))
            others = np.ones(seats.shape, bool)
            others[at, winner] = False
            places = merit[seats]
            gaps = places[at, winner] - np.where(others, places, 0).sum(axis=1) / (SEATS - 1)
            worst = (
                (places < places[at, winner][:, None])[others].reshape(-1, SEATS - 1).all(axis=1)
            )
            alone = (totals == totals[at, winner][:, None]).sum(axis=1) == 1
            margin = np.sort(totals, axis=1)[:, 1].astype(int) - totals[at, winner]
            good = np.flatnonzero(worst & alone)
            order = good[np.lexsort((-margin[good], -gaps[good]))][:SHOWN]
            for game in order.tolist():
                seated = seats[game], totals[game]
                one = _of(first + game, seated, 1, int(winner[game]), float(gaps[game]))
                found.append((-float(gaps[game]), -float(margin[game]), one))
        found.sort(key=lambda one: (*one[:2], one[2].game))
        return [one for _, _, one in found[:SHOWN]]


def _moons(part: SeasonPart) -> Iterable[Highlight]:
    """Yield the moons of some games, with their shooters' distance to the leader in points."""
    scores, tally = part.tally.scores, part.tally
    sums = scores.cumsum(axis=0)
    ends = tally.rounds.cumsum()
    for row in np.flatnonzero(scores.sum(axis=1) > MOON).tolist():
        game = int(tally.game[row])
        start = int(ends[game] - tally.rounds[game])
        before = sums[row] - scores[row] - (sums[start - 1] if start else 0)
        seat = int(scores[row].argmin())
        behind = int(before[seat] - before.min())
        yield _highlight(part, game, int(tally.number[row]), seat, behind)


def _highlight(part: SeasonPart, at: int, number: int, seat: int, amount: float) -> Highlight:
    seated = part.seats[at], part.tally.totals[at]
    return _of(part.block.first + at, seated, number, seat, amount)


def _of(
    game: int, seated: tuple[Column, Column], number: int, seat: int, amount: float
) -> Highlight:
    entries, totals = (tuple(one.tolist()) for one in seated)
    return Highlight(game, number, seat, amount, entries, totals)


def _most(found: list[Highlight], *, won_first: bool = False) -> list[Highlight]:
    def order(one: Highlight) -> tuple[float, ...]:
        return won_first and not one.won, -one.amount, one.game, one.round

    return heapq.nsmallest(SHOWN, found, key=order)
