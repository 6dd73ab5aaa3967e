"""Statistics of many games, gathered as they are played, in memory that does not grow with them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.arena.referee import Record

NORMAL_95 = 1.96
"""Standard errors on either side of a mean that make an interval of 95 %, if it is normal."""

FULL_MESSAGES = 1_000
"""Errors kept with all they say; of later ones, which say the same, the first line is kept."""


@dataclass
class Running:
    """The mean, spread and bounds of numbers seen one at a time (Welford's method)."""

    count: int = 0
    mean: float = 0.0
    least: float = math.inf
    most: float = -math.inf
    _squares: float = field(default=0.0, repr=False)

    def add(self, value: float) -> None:
        """Count one number."""
        self.count += 1
        step = value - self.mean
        self.mean += step / self.count
        self._squares += step * (value - self.mean)
        self.least = min(self.least, value)
        self.most = max(self.most, value)

    @property
    def sd(self) -> float | None:
        """The standard deviation of a sample; None for fewer than two numbers."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else None

    @property
    def margin(self) -> float | None:
        """Half the width of the normal 95 % interval of the mean: 1.96 * sd / sqrt(count)."""
        return None if self.sd is None else NORMAL_95 * self.sd / math.sqrt(self.count)


@dataclass
class SeatSummary:
    """What one seat got: its scores, and its share of the win in each game."""

    score: Running = field(default_factory=Running)
    win: Running = field(default_factory=Running)


@dataclass
class Summary:
    """What many games came to.

    `games` counts all of them. A game that stopped with an error has its seed and message in
    `errors` and counts for nothing else, for it has no result and an arbitrary length.
    """

    players: int
    games: int = 0
    errors: list[tuple[int, str]] = field(default_factory=list)
    seats: list[SeatSummary] = field(init=False)
    decisions: Running = field(default_factory=Running)
    option_sum: int = 0
    option_most: int = 0
    decision_sum: int = 0
    single_sum: int = 0

    def __post_init__(self) -> None:
        self.seats = [SeatSummary() for _ in range(self.players)]

    def add(self, record: Record) -> None:
        """Count one game."""
        self.games += 1
        if record.error is not None:
            self._add_error(record.seed, record.error)
            return
        counts = [options for _, options, _ in record.decisions]
        self.decisions.add(len(counts))
        self.decision_sum += len(counts)
        self.option_sum += sum(counts)
        self.option_most = max(self.option_most, max(counts, default=0))
        self.single_sum += counts.count(1)
        winners = record.ranks.count(0)
        for seat, score, rank in zip(self.seats, record.scores, record.ranks, strict=True):
            seat.score.add(score)
            seat.win.add(0 if rank else 1 / winners)

    def _add_error(self, seed: int, message: str) -> None:
        if len(self.errors) >= FULL_MESSAGES:
            message = intern(message.split("\n", 1)[0])
        self.errors.append((seed, message))

    @property
    def finished(self) -> int:
        """The number of games that came to an end."""
        return self.decisions.count

    @property
    def option_mean(self) -> float | None:
        """Options a decision, over all decisions of all games; None if there were none."""
        return self.option_sum / self.decision_sum if self.decision_sum else None

    @property
    def single_share(self) -> float | None:
        """The share of decisions that left one option only; None if there were none."""
        return self.single_sum / self.decision_sum if self.decision_sum else None
