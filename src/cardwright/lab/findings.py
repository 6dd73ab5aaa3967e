"""Findings: all numbers that an experiment's report prints, as data.

The sums and sums of squares that they are made of are integers. Below 2^53 floats add and multiply
these exactly, in any order: results do not depend on the number of threads or the machine, and what
does not vary has a spread of 0.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.response import Better
from cardwright.statistics.intervals import (
    Sample,
    t_quantile,
    two_sided,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.outcomes import Values
    from cardwright.lab.plan import Cell
    from cardwright.lab.response import Bounds, Response
    from cardwright.statistics.intervals import Estimate
    from cardwright.statistics.sequential import Verdict

FORMAT, VERSION = "cardwright lab findings", 1

_DIGITS = 10
"""Digits of numbers that are written: fewer than machines agree on, more than anyone needs."""

_EXACT = 2**14
"""Deals whose sums are taken in floats; those of more are added up as integers."""


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


_Found = TypeVar("_Found", Effect, Shift)


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

    @property
    def shown(self) -> list[int]:
        """The numbers of the responses that are shown in detail: the primary one, and wins."""
        wins = self.response_number("wins")
        return [0, wins] if wins else [0]

    @property
    def leading(self) -> int | None:
        """The contrast of the largest main effect that is clear against any class, if one is."""
        clear = [
            effect
            for opponents in range(len(self.opponents))
            for effect in self.clear(self.effects_of(opponents, 0, ContrastReading.MAIN))
        ]
        return max(clear, key=lambda one: abs(one.found.value)).contrast if clear else None

    def contrast(self, effect: Effect | Shift | TestedEffect) -> Contrast:
        """Return the contrast that was found or tested."""
        return self.contrasts[effect.contrast]

    def name_of(self, found: Effect | Shift | TestedEffect) -> str:
        """Return the name of what was found or tested."""
        return self.contrasts[found.contrast].name

    def effects_of(self, opponents: int, response: int, reading: ContrastReading) -> list[Effect]:
        """Return the effects of one family, in the order of the contrasts."""
        return [
            effect
            for effect in self.effects
            if (effect.opponents, effect.response) == (opponents, response)
            and self.contrast(effect).reading is reading
        ]

    def largest(self, opponents: int, response: int, reading: ContrastReading) -> list[Effect]:
        """Return the effects of one family, the largest first."""
        family = self.effects_of(opponents, response, reading)
        return sorted(family, key=lambda effect: -abs(effect.found.value))

    def clear(self, found: Iterable[_Found]) -> list[_Found]:
        """Return those that are clear."""
        return [effect for effect in found if effect.found.clear(self.level)]

    def effect(self, opponents: int, contrast: int) -> Effect:
        """Return an effect on the primary response."""
        wanted = (opponents, contrast, 0)
        return next(
            effect
            for effect in self.effects
            if (effect.opponents, effect.contrast, effect.response) == wanted
        )

    def cell_means(self, opponents: int, response: int) -> list[CellMean]:
        """Return the means of all cells, in their order."""
        wanted = (opponents, response)
        return [mean for mean in self.means if (mean.opponents, mean.response) == wanted]

    def best_cells(self, opponents: int) -> list[int]:
        """Return the numbers of all cells, the one with the best primary response first."""
        means = [mean.estimate.mean for mean in self.cell_means(opponents, 0)]
        sign = -1 if self.responses[0].better is Better.HIGHER else 1
        return sorted(range(len(means)), key=lambda at: sign * means[at])

    def response_number(self, name: str) -> int | None:
        """Return the number of a response, if it was measured."""
        names = [response.name for response in self.responses]
        return names.index(name) if name in names else None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
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
            "effects": [
                {
                    "name": self.name_of(effect),
                    "reading": str(self.contrast(effect).reading),
                    **self._record(effect),
                }
                for effect in self.effects
            ],
            "shifts": list(map(self._record, self.shifts)),
            "means": list(map(self._record, self.means)),
            "noise": list(map(self._record, self.noises)),
            "tests": list(map(self._record, self.tested)),
        }

    def _record(self, found: Any) -> dict[str, Any]:
        """Return something found as a JSON object, with names of classes and responses."""
        record: dict[str, Any] = {}
        for field in fields(found):
            value = getattr(found, field.name)
            match field.name:
                case "opponents" | "first" | "second":
                    record[field.name] = self.opponents[value]
                case "response":
                    record[field.name] = self.responses[value].name
                case "found" | "verdict":
                    record |= _rounded(asdict(value))
                case "estimate":
                    record |= _rounded(value.record())
                case "difference":
                    record["to_base"] = value and _rounded(asdict(value))
                case _:
                    record[_COLUMNS.get(field.name, field.name)] = rounded(value)
        return record


_COLUMNS = {
    "gain": "common_deals_gain",
    "halved": "deals_for_half_the_width",
    "fine": "deals_for_fine",
}
"""What some numbers of an effect are called where they are written."""


def fine_width(response: Response) -> float:
    """Return a fine half-width of an interval: 0.1 of a unit, or 0.01 for shares."""
    return 0.01 if response.unit == "share" else 0.1


def rounded(value: Any) -> Any:
    """Return a float rounded to the digits that are written; anything else unchanged."""
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _rounded(record: dict[str, Any]) -> dict[str, Any]:
    return {name: rounded(value) for name, value in record.items()}


# Sums, and what they tell about a mean ------------------------------------------------------------


def samples(
    values: Values, divisors: Sequence[int], bounds: Sequence[Bounds | None]
) -> list[Sample]:
    """Return the samples of the columns of integers of shape (count, columns), each divided."""
    totals, squares = [0] * len(divisors), [0] * len(divisors)
    for first in range(0, len(values), _EXACT):
        part = values[first : first + _EXACT]
        totals = [a + int(b) for a, b in zip(totals, part.sum(axis=0), strict=True)]
        squared = np.einsum("ij,ij->j", part, part)
        squares = [a + int(b) for a, b in zip(squares, squared, strict=True)]
    return [
        Sample.of_sums(len(values), *column)
        for column in zip(totals, squares, divisors, bounds, strict=True)
    ]


def statistic(sample: Sample, level: float) -> Statistic:
    """Return a mean with its interval, and the p value for a true mean of 0.

    The p value is Student's, and so is the interval where values have no bounds; else see
    `bounded_interval`. For equal values p is known from bounds only: see `constant_chance`.
    """
    if sample.count < 2:
        return Statistic(sample.mean, None, None, None, None, None)
    error = sqrt(sample.variance / sample.count)
    ends = sample.estimate(level)
    p = two_sided(sample.mean / error, sample.count - 1) if error else constant_chance(sample)
    return Statistic(sample.mean, error, sqrt(sample.variance), ends.low, ends.high, p)


def constant_chance(sample: Sample) -> float | None:
    """Return how likely values that are all equal are if the mean is 0; None without bounds.

    If the mean is 0, this value c is most frequent when all others are at the bound on the other
    side of 0, at a distance B: then c has probability B / (B + |c|) in each of the deals. Twice the
    probability that all are c is p, as for other values. A value of 0 says nothing against a mean
    of 0.
    """
    if sample.bounds is None:
        return None
    if not sample.mean:
        return 1.0
    beyond = max(0.0, -sample.bounds[0] if sample.mean > 0 else sample.bounds[1])
    return min(1.0, 2 * (beyond / (beyond + abs(sample.mean))) ** sample.count)


def family(samples: Sequence[Sample], level: float) -> list[Statistic]:
    """Return the statistics of one family, with joint intervals and adjusted p values.

    Joint intervals are Šidák's (1967, "Rectangular confidence regions for the means of multivariate
    normal distributions"): with `level` to the power of 1/m for each of m they all hold with a
    probability of `level` or more, however the m are correlated. P values are adjusted by `holm`,
    in which unknown ones count as 1.
    """
    tested = [statistic(sample, level) for sample in samples]
    if not tested or samples[0].count < 2:
        return tested
    adjusted = holm([1.0 if one.p is None else one.p for one in tested])
    joint = [sample.estimate(level ** (1 / len(tested))) for sample in samples]
    return [
        replace(
            one, joint_low=ends.low, joint_high=ends.high, adjusted=None if one.p is None else p
        )
        for one, ends, p in zip(tested, joint, adjusted, strict=True)
    ]


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
