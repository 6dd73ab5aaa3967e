"""Ratings: one strength for each entrant, fitted to all games at once.

The model is Plackett and Luce's: of the players not yet placed, each comes next with a chance in
proportion to its strength; for two players it is Bradley and Terry's. An entrant who has several
seats in a game counts as that many players of one strength. Ratings are on the scale of Elo's,
400 log10 of the strength, with a mean of 0. They do not depend on the order of the games.

A tie counts as all orders of its players in equal parts, so that a tie of two is half a win and
half a loss. With S the strengths of those placed worse and S_T those of a part T of the k who tie,
the logarithm of the likelihood of a tie is the sum of the k logarithmic strengths less, for each
size from 1 to k, the mean of log(S + S_T) over all parts T of this size: the mean of the
log-likelihood over the k! orders.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from math import comb, log
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.arena.settings import RESAMPLES
from cardwright.markup.lazy_display import shown_by
from cardwright.statistics.intervals import LEVEL, Estimate, t_quantile
from cardwright.statistics.resampling import resamples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cardwright.arena.deals import DealArrays
    from cardwright.statistics.intervals import Values

    Choices: TypeAlias = "tuple[dict[tuple[int, ...], float], NDArray[np.float64]]"

ELO = 400 / log(10)
"""Elo points for a strength e times as great."""

PRIOR = 0.5
"""Wins, and losses, that the prior gives each entrant against an average player, which keep all
ratings finite.

They are halves, since between two players these shrink a large distance as Jeffreys' prior does,
which removes most of the bias (Firth 1993): with whole ones a distance of 522 points was 408 on
average after 5 deals of two games, with halves it is 480.
"""

_STEPS = 200
_CLOSE = 1e-9


@dataclass(frozen=True)
class Ratings:
    """A rating for each entrant, with its interval; `resamples` of the deals gave the intervals.

    If the games leave some ratings unbounded, as when somebody won every game, `bounded` is
    false: no entrant has an interval, and the distance between groups is the prior's.
    """

    entrants: tuple[Estimate, ...]
    bounded: bool
    resamples: int

    _repr_html_ = shown_by("cardwright.arena.displays", "ratings_html")

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "model": "Plackett-Luce, Elo scale, mean 0",
            "bounded": self.bounded,
            "resamples": self.resamples,
            "entrants": [entrant.record() for entrant in self.entrants],
        }


def rate(
    deals: DealArrays, *, count: int = RESAMPLES, seed: int = 0, level: float = LEVEL
) -> Ratings:
    """Fit ratings to all games of whole deals, with intervals by deal.

    An interval is the bootstrap's standard error times Student's quantile, its square widened by n
    / (n - 1), since n deals drawn from n vary too little (Hesterberg 2015, "What
    teachers should know about the bootstrap"). Percentiles are too narrow where deals are few, and
    end at the prior's ratings where somebody nearly always wins. The same seed gives the same
    intervals.
    """
    model = _Model.of(deals)
    fitted = model.fit(np.ones((1, len(deals))))[0]
    if len(deals) < 2 or not model.connected():
        alone = tuple(Estimate(float(value), None, None, len(deals)) for value in fitted)
        return Ratings(alone, bounded=model.connected(), resamples=0)
    drawn = np.concatenate([model.fit(weights) for weights in resamples(len(deals), count, seed)])
    spread = drawn.var(axis=0, ddof=1) * len(deals) / (len(deals) - 1)
    margins = t_quantile(len(deals) - 1, level) * np.sqrt(spread)
    return Ratings(
        tuple(
            _rating(float(value), float(margin), len(deals))
            for value, margin in zip(fitted, margins, strict=True)
        ),
        bounded=True,
        resamples=count,
    )


def _rating(value: float, margin: float, deals: int) -> Estimate:
    """Return a rating; one that no resample changes shows no spread, and has no interval."""
    if margin <= 1e-6:
        return Estimate(value, None, None, deals)
    return Estimate(value, value - margin, value + margin, deals)


@dataclass(frozen=True)
class _Model:
    """The terms of the likelihood.

    `numbers` has for each deal how often each entrant is among those who have a strength in the
    numerator, `sets` the different denominators as numbers of seats of each entrant, `weights`
    for each deal how much each of them counts.
    """

    numbers: Values
    sets: Values
    weights: Values
    better: NDArray[np.bool_]
    """Whether one entrant (row) came before another (column) in some game."""

    @classmethod
    def of(cls, deals: DealArrays) -> _Model:
        """Return the likelihood of all games of some deals; equal outcomes are computed once."""
        entrants = deals.entrants
        outcomes, which = np.unique(
            np.concatenate([deals.seating, deals.rank], axis=1), axis=0, return_inverse=True
        )
        which = which.reshape(-1)
        parts: list[dict[tuple[int, ...], float]] = []
        better = np.zeros((entrants, entrants), dtype=bool)
        for row in outcomes:
            seating, ranks = np.split(row, 2)
            parts.append(_denominators(seating.tolist(), ranks.tolist(), entrants))
            before = ranks[:, None] <= ranks[None, :]  # a tie is half a win of either
            ones, others = np.nonzero(before)
            better[seating[ones], seating[others]] = True
        names = sorted({name for part in parts for name in part})
        places = {name: place for place, name in enumerate(names)}
        matrix = np.zeros((len(parts), len(names)))
        for row_at, part in enumerate(parts):
            for name, weight in part.items():
                matrix[row_at, places[name]] += weight
        numbers = np.zeros((len(deals), entrants))
        weights = np.zeros((len(deals), len(names)))
        np.add.at(weights, deals.at, matrix[which])
        for seat in range(deals.seating.shape[1]):
            np.add.at(numbers, (deals.at, deals.seating[:, seat]), 1.0)
        return cls(numbers, np.array(names, dtype=float), weights, better)

    def connected(self) -> bool:
        """Say whether everybody beat everybody else, at least through a chain of others.

        Otherwise the likelihood has no maximum (Ford 1957).
        """
        reach = self.better | np.eye(len(self.better), dtype=bool)
        for _ in range(len(reach)):
            reach = (reach.astype(int) @ reach.astype(int)) > 0
        return bool(reach.all())

    def fit(self, drawn: Values) -> Values:
        """Return the ratings for weights of the deals, shape (many, deals), by Newton's method.

        The prior is that each entrant won and lost `PRIOR` games against one of strength 1.
        """
        counts, numbers = drawn @ self.weights, drawn @ self.numbers + PRIOR
        logs = np.zeros_like(numbers)
        for _ in range(_STEPS):
            strength = np.exp(logs)
            shares = strength[:, None, :] * self.sets / (strength @ self.sets.T)[:, :, None]
            weighted = counts[:, :, None] * shares
            lent = strength / (1 + strength)
            slope = numbers - weighted.sum(axis=1) - 2 * PRIOR * lent
            curve = -np.einsum("bki,bkj->bij", weighted, shares)
            diagonal = weighted.sum(axis=1) + 2 * PRIOR * lent * (1 - lent)
            curve[:, np.arange(logs.shape[1]), np.arange(logs.shape[1])] += diagonal
            step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
            longest = np.abs(step).max(axis=1, keepdims=True, initial=0.0)
            logs += step / np.maximum(longest, 1.0)
            if longest.max(initial=0.0) < _CLOSE:
                break
        centred: Values = ELO * (logs - logs.mean(axis=1, keepdims=True))
        return centred


def _denominators(
    seating: list[int], ranks: list[int], entrants: int
) -> dict[tuple[int, ...], float]:
    """Return the denominators of one game's likelihood, as numbers of seats, with their weights."""
    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for rank in set(ranks):
        tied = [who for who, its in zip(seating, ranks, strict=True) if its == rank]
        worse = [who for who, its in zip(seating, ranks, strict=True) if its > rank]
        for size in range(1, len(tied) + 1):
            for part in combinations(tied, size):
                weights[_numbers((*worse, *part), entrants)] += 1 / comb(len(tied), size)
    return weights


def _numbers(who: Iterable[int], entrants: int) -> tuple[int, ...]:
    counted = Counter(who)
    return tuple(counted[entrant] for entrant in range(entrants))
