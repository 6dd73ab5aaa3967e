"""Awareness over time: the mean course over many games of what seats know, and who knows what.

The decisions of a game are spaced evenly from 0, its first, to 1, its last; a game with one
decision is constant. Games of all lengths are put on one grid by linear interpolation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from cardwright.game.whereabouts import Awareness

    Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
    Codes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"

POINTS = 101
"""Points of the grid: every hundredth of a game."""

MEASURES = ("bits", "remembered", "seen", "known")
"""The measures of a course: two uncertainties in bits, and two shares of all cards, from 0 to 1."""


class CourseError(CardwrightError):
    """Courses that cannot be added up, or that have no mean."""


def resampled(values: Floats, points: int = POINTS) -> Floats:
    """Return values at N decisions, (N, P), at evenly spaced portions of the game, (points, P)."""
    count = len(values)
    if not count:
        raise CourseError("there is no course of a game without decisions")
    portion = np.linspace(0, 1, count)
    grid = np.linspace(0, 1, points)
    return np.column_stack([np.interp(grid, portion, column) for column in values.T])


def measures(awareness: Awareness) -> dict[str, Floats]:
    """Return the four measures of a game by name, each (N, P)."""
    cards = max(len(awareness.cards), 1)
    return {
        "bits": awareness.bits,
        "remembered": awareness.remembered,
        "seen": awareness.seen / cards,
        "known": awareness.known / cards,
    }


def who_knows(awareness: Awareness, seat: int) -> Codes:
    """Return what a seat knows about each card at each decision, (C, N): codes of `Sight`."""
    return np.ascontiguousarray(awareness.sights[:, seat, :].T)


@dataclass(frozen=True, eq=False)
class AwarenessSums:
    """Sums over games on a grid, for each of `MEASURES`: (points, P) of values and of squares.

    Courses of parts of the games add up to that of all of them. Games without decisions are counted
    in `idle` and nowhere else.
    """

    games: int
    idle: int
    sums: dict[str, Floats]
    squares: dict[str, Floats]

    @classmethod
    def none(cls, players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of no games at all."""
        if points < 2:
            raise CourseError(f"a course has at least two points, not {points}")
        sums = {name: np.zeros((points, players)) for name in MEASURES}
        squares = {name: np.zeros((points, players)) for name in MEASURES}
        return cls(0, 0, sums, squares)

    @classmethod
    def of(cls, games: Iterable[Awareness], players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of games, which are taken one by one and not kept."""
        course = cls.none(players, points)
        for one in games:
            course = course.with_game(one)
        return course

    @property
    def grid(self) -> Floats:
        """The portions of the game, from 0 to 1, (points)."""
        return np.linspace(0, 1, len(self.sums["bits"]))

    def with_game(self, awareness: Awareness) -> AwarenessSums:
        """Return the course with one more game."""
        if not len(awareness):
            return AwarenessSums(self.games, self.idle + 1, self.sums, self.squares)
        points = len(self.sums["bits"])
        found = {name: resampled(one, points) for name, one in measures(awareness).items()}
        squares = {name: one**2 for name, one in found.items()}
        return self + AwarenessSums(1, 0, found, squares)

    def __add__(self, other: AwarenessSums) -> AwarenessSums:
        """Return the course of the games of both; raises CourseError for unlike ones."""
        shapes = self.sums["bits"].shape, other.sums["bits"].shape
        if shapes[0] != shapes[1]:
            raise CourseError(
                "courses of games with different numbers of players, or with different grids, "
                f"cannot be added up: {shapes[0]} and {shapes[1]} points and players"
            )
        return AwarenessSums(
            self.games + other.games,
            self.idle + other.idle,
            {name: self.sums[name] + other.sums[name] for name in MEASURES},
            {name: self.squares[name] + other.squares[name] for name in MEASURES},
        )

    def mean(self, measure: str) -> Floats:
        """Return the mean of a measure over the games, (points, P); raises CourseError if none."""
        if not self.games:
            raise CourseError("there is no mean over no games: add at least one")
        return self.sums[measure] / self.games

    def error(self, measure: str) -> Floats:
        """Return the standard error of that mean, (points, P); NaN for a single game."""
        mean = self.mean(measure)
        if self.games < 2:
            return np.full_like(mean, np.nan)
        spread = np.maximum(self.squares[measure] - self.games * mean**2, 0) / (self.games - 1)
        return np.asarray(np.sqrt(spread / self.games))
