"""Statistics of many games, gathered as they are played, in memory that does not grow with them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import mean_interval, share_interval
from cardwright.statistics.sample import Sample

if TYPE_CHECKING:
    from cardwright.arena.referee import GameRecord
    from cardwright.game.native.random_games import Integers, RandomGames
    from cardwright.statistics.sample import Estimate
    from cardwright.statistics.ties import Ties

_INT64 = 2**63

FULL_MESSAGES = 1_000
"""Errors kept with their full message; of later ones only the first line is kept."""


@dataclass
class Running:
    """The mean, spread and bounds of whole numbers seen one at a time, or many at once.

    The sums are exact, so nothing depends on the order or the grouping. Values are integer
    multiples of 1/`unit`, such as shares of a win.
    """

    unit: int = 1
    count: int = 0
    least: int | None = None
    most: int | None = None
    _sum: int = field(default=0, repr=False)
    _squares: int = field(default=0, repr=False)

    def add(self, value: int, times: int = 1) -> None:
        """Count a number, once or more often."""
        if times:
            self._note(value, value, times, value * times, value * value * times)

    def add_all(self, values: Integers) -> None:
        """Count all numbers of an array."""
        if not len(values):
            return
        least, most = int(values.min()), int(values.max())
        if max(-least, most) ** 2 * len(values) >= _INT64:
            values = values.astype(object)  # Python integers, where 64 bits are too few
        self._note(least, most, len(values), int(values.sum()), int(values.dot(values)))

    def _note(self, least: int, most: int, count: int, total: int, squares: int) -> None:
        self.least = least if self.least is None else min(self.least, least)
        self.most = most if self.most is None else max(self.most, most)
        self.count += count
        self._sum += total
        self._squares += squares

    def merge(self, other: Running) -> None:
        """Count all numbers that another one has, of the same unit."""
        if other.least is not None and other.most is not None:
            self._note(other.least, other.most, other.count, other._sum, other._squares)

    @property
    def mean(self) -> float:
        """The mean; 0 if there were no numbers."""
        return self._sum / (self.count * self.unit) if self.count else 0.0

    @property
    def sample(self) -> Sample:
        """The sample from which an interval of the mean is made."""
        if not self.count:
            return Sample(0, math.nan, math.nan)
        if self.count < 2:
            return Sample(1, self.mean, math.nan)
        spread = self.count * self._squares - self._sum**2
        return Sample(
            self.count, self.mean, spread / (self.count * (self.count - 1) * self.unit**2)
        )

    @property
    def sd(self) -> float | None:
        """The standard deviation of a sample; None for fewer than two numbers."""
        return None if self.count < 2 else math.sqrt(self.sample.variance)


@dataclass
class SeatSummary:
    """What one seat got: its scores, and its share of the win in each game."""

    win: Running
    score: Running = field(default_factory=Running)

    @property
    def mean_score(self) -> Estimate:
        """The mean of its scores."""
        return mean_interval(self.score.sample)

    @property
    def win_share(self) -> Estimate:
        """Its share of the wins."""
        return share_interval(self.win.sample)

    def record(self) -> dict[str, float | None]:
        """Return this as a JSON object; what too few games leave unknown is null."""
        score, win = self.mean_score.record(), self.win_share.record()
        return {
            "score_mean": score["mean"],
            "score_low": score["low"],
            "score_high": score["high"],
            "score_sd": self.score.sd,
            "win_share": win["mean"],
            "win_low": win["low"],
            "win_high": win["high"],
        }


@dataclass
class Summary:
    """The outcomes of many games.

    `games` counts all of them. A game that stopped with an error has its seed and message in
    `errors` and counts for nothing else, since it has no result and an arbitrary length. `ties`
    says how a shared win counts.
    """

    players: int
    ties: Ties = field(default="shared", kw_only=True)
    games: int = 0
    errors: list[tuple[int, str]] = field(default_factory=list)
    seats: list[SeatSummary] = field(init=False)
    decisions: Running = field(default_factory=Running)
    option_sum: int = 0
    option_most: int = 0
    decision_sum: int = 0
    single_sum: int = 0

    def __post_init__(self) -> None:
        # Each share of a shared win is an integer number of these parts.
        parts = math.lcm(*range(1, self.players + 1))
        self.seats = [SeatSummary(Running(parts)) for _ in range(self.players)]

    def add(self, record: GameRecord) -> None:
        """Count one game."""
        self.games += 1
        if record.error is not None:
            self.add_error(record.seed, record.error)
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
            seat.win.add(0 if rank else self._part(seat.win, winners))

    def add_all(self, games: RandomGames) -> None:
        """Count many games; for those with errors only their number: see `add_error`."""
        self.games += len(games)
        ended = games.ended()
        self.decisions.add_all(ended.decisions)
        self.decision_sum += int(ended.decisions.sum())
        self.option_sum += int(ended.option_sums.sum())
        self.option_most = max(self.option_most, int(ended.option_most.max(initial=0)))
        self.single_sum += int(ended.single_sums.sum())
        best = ended.best()
        winners = best.sum(axis=1)
        for at, seat in enumerate(self.seats):
            seat.score.add_all(ended.scores[:, at])
            # How often the seat was one of 0, 1, 2... winners; at index 0, how often it was not
            # one.
            shared = np.bincount(winners * best[:, at], minlength=self.players + 1)
            seat.win.add(0, int(shared[0]))
            for sharing in range(1, self.players + 1):
                seat.win.add(self._part(seat.win, sharing), int(shared[sharing]))

    def _part(self, win: Running, sharing: int) -> int:
        """Return the share of a win for each of this many winners, in the counted parts."""
        return win.unit if self.ties == "full" else win.unit // sharing

    def add_error(self, seed: int, message: str) -> None:
        """Record the error of a game, which is counted separately."""
        if len(self.errors) >= FULL_MESSAGES:
            message = intern(message.split("\n", 1)[0])
        self.errors.append((seed, message))

    def merge(self, other: Summary) -> None:
        """Count all games of another summary, which come after these."""
        self.games += other.games
        for seed, message in other.errors:
            self.add_error(seed, message)
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.score.merge(theirs.score)
            mine.win.merge(theirs.win)
        self.decisions.merge(other.decisions)
        self.option_sum += other.option_sum
        self.option_most = max(self.option_most, other.option_most)
        self.decision_sum += other.decision_sum
        self.single_sum += other.single_sum

    @property
    def finished(self) -> int:
        """The number of finished games."""
        return self.decisions.count

    @property
    def option_mean(self) -> float | None:
        """Options per decision, over all decisions of all games; None if there were none."""
        return self.option_sum / self.decision_sum if self.decision_sum else None

    @property
    def single_share(self) -> float | None:
        """The share of decisions that left one option only; None if there were none."""
        return self.single_sum / self.decision_sum if self.decision_sum else None
