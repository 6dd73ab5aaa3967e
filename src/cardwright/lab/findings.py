"""Findings: all numbers that an experiment's report prints, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import ceil, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.statistics.intervals import (
    Sample,
    bounded_interval,
    mean_interval,
    t_quantile,
    two_sided,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.contrast import Contrast, ContrastReading
    from cardwright.lab.outcomes import Values
    from cardwright.lab.plan import Cell
    from cardwright.lab.response import Bounds, Response
    from cardwright.statistics.intervals import Estimate
    from cardwright.statistics.sequential import Verdict

FORMAT, VERSION = "cardwright lab findings", 1

_DIGITS = 10
"""Digits of numbers that are written: fewer than machines agree on, more than anyone needs."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A mean over deals, in units of its response; None is what the deals cannot tell.

    A single deal tells only the value, equal values without bounds tell neither the interval nor p.
    `error` is the standard error, `spread` the standard deviation of a deal's value. `low`
    and `high` are the interval of this mean by itself, `joint_low` and `joint_high` the one that
    holds jointly for its family. `p` is for the hypothesis of no effect, `adjusted` the same after
    Holm's adjustment.
    """

    value: float
    error: float | None
    spread: float | None
    low: float | None
    high: float | None
    p: float | None
    joint_low: float | None = None
    joint_high: float | None = None
    adjusted: float | None = None

    @property
    def margin(self) -> float | None:
        """Half the width of the interval of this mean by itself."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def clear(self, level: float) -> bool:
        """Say whether "no effect" is rejected at the level, adjusted for the family (Holm)."""
        return self.adjusted is not None and self.adjusted <= 1 - level

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {name: rounded(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Effect:
    """The value of a contrast against one class of opponents, on one response.

    `gain` is how many times as many deals would be needed if each cell had its own instead of the
    common ones; it is below 1 where an effect differs greatly from deal to deal. `halved` and
    `fine` are how many deals an interval of half the width, and one of `fine_width` to each side,
    would need. All three are None for an effect that is the same in every deal.
    """

    contrast: int
    opponents: int
    response: int
    found: Statistic
    gain: float | None
    halved: int | None
    fine: int | None


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much a contrast differs against the class `second` from the class `first`."""

    contrast: int
    response: int
    first: int
    second: int
    found: Statistic


@dataclass(frozen=True, slots=True)
class CellMean:
    """The mean of a response in a cell against a class of opponents.

    `difference` is that to the base, deal by deal; None for the base itself, or if the base is not
    played.
    """

    cell: int
    opponents: int
    response: int
    estimate: Estimate
    difference: Statistic | None = None


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of a deal's value in a cell: total, and residual.

    The second is what is left of the table of deals and cells after the means of both are
    subtracted; None for fewer than two deals or cells.
    """

    opponents: int
    response: int
    within: float | None
    residual: float | None


@dataclass(frozen=True, slots=True)
class TestedEffect:
    """What a sequential test says about a main effect."""

    contrast: int
    opponents: int
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class Findings:
    """All findings of an experiment.

    `games` were played of `deals`; `opponents` are names of classes and `labels` those of cells.
    Contrasts, cells, classes and responses are referred to by their numbers here.
    """

    name: str
    level: float
    deals: int
    games: int
    opponents: tuple[str, ...]
    responses: tuple[Response, ...]
    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    contrasts: tuple[Contrast, ...]
    effects: tuple[Effect, ...]
    shifts: tuple[Shift, ...]
    means: tuple[CellMean, ...]
    noises: tuple[Noise, ...]
    tested: tuple[TestedEffect, ...] = ()

    @property
    def games_a_deal(self) -> int:
        """The number of games of a deal, over all cells, seatings and classes."""
        return self.games // self.deals

    def of(self, opponents: int, response: int, reading: ContrastReading) -> list[Effect]:
        """Return the effects of one family, in the order of the contrasts."""
        return [
            effect
            for effect in self.effects
            if (effect.opponents, effect.response) == (opponents, response)
            and self.contrasts[effect.contrast].reading is reading
        ]

    def cell_means(self, opponents: int, response: int) -> list[CellMean]:
        """Return the means of all cells, in their order."""
        wanted = (opponents, response)
        return [mean for mean in self.means if (mean.opponents, mean.response) == wanted]

    def response_number(self, name: str) -> int | None:
        """Return the number of a response, if it was measured."""
        names = [response.name for response in self.responses]
        return names.index(name) if name in names else None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        names = [response.name for response in self.responses]
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "level": self.level,
            "deals": self.deals,
            "games": self.games,
            "opponents": list(self.opponents),
            "responses": [asdict(response) for response in self.responses],
            "cells": [
                {"label": label, "levels": list(cell)}
                for label, cell in zip(self.labels, self.cells, strict=True)
            ],
            "contrasts": [asdict(contrast) for contrast in self.contrasts],
            "effects": [self._effect(effect, names) for effect in self.effects],
            "shifts": [
                {
                    "contrast": shift.contrast,
                    "response": names[shift.response],
                    "first": self.opponents[shift.first],
                    "second": self.opponents[shift.second],
                    **shift.found.record(),
                }
                for shift in self.shifts
            ],
            "means": [
                {
                    "cell": mean.cell,
                    "opponents": self.opponents[mean.opponents],
                    "response": names[mean.response],
                    **{key: rounded(value) for key, value in mean.estimate.record().items()},
                    "to_base": None if mean.difference is None else mean.difference.record(),
                }
                for mean in self.means
            ],
            "noise": [
                {
                    "opponents": self.opponents[noise.opponents],
                    "response": names[noise.response],
                    "within": rounded(noise.within),
                    "residual": rounded(noise.residual),
                }
                for noise in self.noises
            ],
            "tests": [
                {
                    "contrast": test.contrast,
                    "opponents": self.opponents[test.opponents],
                    **{key: rounded(value) for key, value in test.verdict.record().items()},
                }
                for test in self.tested
            ],
        }

    def _effect(self, effect: Effect, names: list[str]) -> dict[str, Any]:
        contrast = self.contrasts[effect.contrast]
        return {
            "contrast": effect.contrast,
            "name": contrast.name,
            "reading": str(contrast.reading),
            "opponents": self.opponents[effect.opponents],
            "response": names[effect.response],
            **effect.found.record(),
            "common_deals_gain": rounded(effect.gain),
            "deals_for_half_the_width": effect.halved,
            "deals_for_fine": effect.fine,
        }


def fine_width(response: Response) -> float:
    """Return a fine half-width of an interval: 0.1 of a unit, or 0.01 for shares."""
    return 0.01 if response.unit == "share" else 0.1


def rounded(value: Any) -> Any:
    """Return a float rounded to the digits that are written; anything else unchanged."""
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class Moments:
    """The sum and the sum of squares of `count` integers, each to be divided by `divisor`.

    The quotient lies between the `bounds`, if there are any.
    """

    count: int
    total: int
    squares: int
    divisor: int
    bounds: Bounds | None = None

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / (self.count * self.divisor)

    @property
    def variance(self) -> float | None:
        """The sample variance; None for fewer than two values."""
        if self.count < 2:
            return None
        scaled = self.count * self.squares - self.total**2
        return scaled / (self.count * (self.count - 1) * self.divisor**2)

    @property
    def sample(self) -> Sample:
        """What an interval of the mean is made of."""
        variance = self.variance
        return Sample(self.count, self.mean, nan if variance is None else variance)


def moments(
    values: Values, divisors: Sequence[int], bounds: Sequence[Bounds | None]
) -> list[Moments]:
    """Return the moments of the columns of integers of shape (count, columns)."""
    totals = values.sum(axis=0).tolist()
    squares = np.einsum("ij,ij->j", values, values).tolist()
    return [
        Moments(len(values), int(total), int(square), divisor, between)
        for total, square, divisor, between in zip(totals, squares, divisors, bounds, strict=True)
    ]


def statistic(of: Moments, level: float) -> Statistic:
    """Return a mean with its interval, and the p value for a true mean of 0.

    The p value is Student's, and so is the interval where values have no bounds; else see
    `bounded_interval`. For equal values p is known from bounds only: see `constant_chance`.
    """
    variance = of.variance
    if variance is None:
        return Statistic(of.mean, None, None, None, None, None)
    error = sqrt(variance / of.count)
    low, high = _ends(of, level)
    p = two_sided(of.mean / error, of.count - 1) if error else constant_chance(of)
    return Statistic(value=of.mean, error=error, spread=sqrt(variance), low=low, high=high, p=p)


def constant_chance(of: Moments) -> float | None:
    """Return how likely values that are all equal are if the mean is 0; None without bounds.

    If the mean is 0, this value c is most frequent when all others are at the bound on the other
    side of 0, at a distance B: then c has probability B / (B + |c|) in each of the deals. Twice the
    probability that all are c is p, as for other values. A value of 0 says nothing against a mean
    of 0.
    """
    if of.total == 0:
        return None if of.bounds is None else 1.0
    if of.bounds is None:
        return None
    value = of.mean
    beyond = max(0.0, -of.bounds[0] if value > 0 else of.bounds[1])
    return min(1.0, 2 * (beyond / (beyond + abs(value))) ** of.count)


def _ends(of: Moments, level: float) -> tuple[float | None, float | None]:
    estimate = (
        mean_interval(of.sample, level)
        if of.bounds is None
        else bounded_interval(of.sample, *of.bounds, level)
    )
    return estimate.low, estimate.high


def family(of: Sequence[Moments], level: float) -> list[Statistic]:
    """Return the statistics of one family, with joint intervals and adjusted p values.

    Joint intervals are Šidák's (1967, "Rectangular confidence regions for the means of multivariate
    normal distributions"): with `level` to the power of 1/m for each of m they all hold with a
    probability of `level` or more, however the m are correlated. P values are adjusted by `holm`,
    in which unknown ones count as 1.
    """
    found = [statistic(one, level) for one in of]
    if not found or of[0].count < 2:
        return found
    adjusted = holm([1.0 if one.p is None else one.p for one in found])
    together = []
    for one, each, p in zip(of, found, adjusted, strict=True):
        low, high = _ends(one, level ** (1 / len(found)))
        together.append(
            replace(each, joint_low=low, joint_high=high, adjusted=None if each.p is None else p)
        )
    return together


def holm(values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number (Holm 1979), in their order.

    The k-th smallest of m, from 0, is multiplied by m - k, and none is below a smaller one's.
    """
    order = sorted(range(len(values)), key=lambda at: values[at])
    adjusted = [0.0] * len(values)
    most = 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = most
    return adjusted


def deals_for(spread: float, half_width: float, deals: int, level: float) -> int:
    """Return how many deals of this spread an interval of this half-width needs.

    It is (t spread / half_width)², with the quantile t for the `deals` that there are; at least 2.
    """
    return max(2, ceil((t_quantile(deals - 1, level) * spread / half_width) ** 2))
