"""Rollouts: the results of games in which every seat chooses at random from a state on."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The results of random games from one state, added up for every seat.

    `count` games were finished, and `failed` were abandoned because they broke a rule; these are
    not counted otherwise. `scores` and `ranks` are sums; a rank is how many seats have a strictly
    better score. `won[seat][w - 1]` says how often a seat was one of w winners. Rollouts from the
    same state can be added.
    """

    count: int
    failed: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, the sum of its shares of the wins: each of w winners has 1/w."""
        return tuple(
            float(sum(Fraction(times, winners) for winners, times in enumerate(row, start=1)))
            for row in self.won
        )

    def _repr_html_(self) -> str:
        from cardwright.game.displays import rollouts_html

        return rollouts_html(self)

    def __add__(self, other: Rollouts) -> Rollouts:
        return Rollouts(
            self.count + other.count,
            self.failed + other.failed,
            _sums(self.scores, other.scores),
            _sums(self.ranks, other.ranks),
            tuple(_sums(mine, others) for mine, others in zip(self.won, other.won, strict=True)),
        )

    @classmethod
    def none(cls, players: int, failed: int = 0) -> Rollouts:
        """Return rollouts of which none was finished."""
        zeros = (0,) * players
        return cls(0, failed, zeros, zeros, (zeros,) * players)

    @classmethod
    def from_sums(cls, count: int, failed: int, rows: Sequence[Sequence[int]]) -> Rollouts:
        """Return rollouts from the sums that `cardwright.compiler.kernels.rollouts` describes."""
        return cls(
            count,
            failed,
            tuple((upper << 32) + lower for upper, lower, *_ in rows),
            tuple(row[2] for row in rows),
            tuple(tuple(row[3:]) for row in rows),
        )

    @classmethod
    def of(cls, scores: Sequence[int], ranks: Sequence[int], count: int = 1) -> Rollouts:
        """Return rollouts that all ended with these scores and ranks."""
        winners = ranks.count(0)
        alike = tuple(count if winners == one else 0 for one in range(1, len(scores) + 1))
        zeros = (0,) * len(scores)
        return cls(
            count,
            0,
            tuple(count * score for score in scores),
            tuple(count * rank for rank in ranks),
            tuple(zeros if rank else alike for rank in ranks),
        )


def _sums(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(one + other for one, other in zip(left, right, strict=True))
