"""What an experiment says: effects with intervals, from one value a deal.

A deal is played in all cells, from the same seats and against all classes, so a contrast has one
value in each deal, in which the luck of the cards has cancelled as far as it can. Deals are
independent, games of a deal are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.contrast import Contrast, ContrastReading, cell_label, contrasts
from cardwright.lab.factor import LabError
from cardwright.lab.findings import (
    CellMean,
    Effect,
    Findings,
    Moments,
    Noise,
    Shift,
    deals_for,
    family,
    fine_width,
    moments,
    statistic,
)
from cardwright.lab.stopping import verdicts
from cardwright.statistics.intervals import bounded_interval, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.findings import Statistic
    from cardwright.lab.outcomes import Outcomes, Values
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Bounds

_DEALS = 16_384
"""Deals that are processed at a time, which bounds the memory; results do not depend on it."""


@dataclass(frozen=True, eq=False)
class _Measured:
    """One response against one class: moments, and the main effects' integers deal by deal.

    `rows` are the moments of the sum over all cells of a deal, `over_base` those of the cells minus
    the base; there are none without a base.
    """

    opponents: int
    response: int
    contrasts: list[Moments]
    cells: list[Moments]
    over_base: list[Moments]
    rows: Moments
    mains: Values


def effects(plan: LabPlan, outcomes: Outcomes) -> Findings:
    """Return the findings of an experiment.

    Families, within which p values are adjusted and joint intervals hold, are the contrasts of one
    reading on one response against one class of opponents; for differences between classes, the
    main effects on one response between two classes. Raises LabError if there is no deal.
    """
    if not outcomes.deals:
        raise LabError("no deal of this experiment is complete: there is nothing to report yet")
    sums = contrasts(plan, outcomes.cells)
    measured = [
        _measured(outcomes, sums, opponents, response)
        for opponents in range(len(outcomes.sums))
        for response in range(len(outcomes.responses))
    ]
    return Findings(
        name=plan.name,
        level=plan.level,
        deals=outcomes.deals,
        games=outcomes.deals * outcomes.seatings * len(outcomes.cells) * len(outcomes.sums),
        opponents=tuple(who.name for who in plan.opponents),
        responses=outcomes.responses,
        cells=outcomes.cells,
        labels=tuple(cell_label(plan.factors, cell) for cell in outcomes.cells),
        contrasts=sums,
        effects=tuple(_effects(plan, outcomes, sums, measured)),
        shifts=tuple(_shifts(plan, measured)),
        means=tuple(mean for one in measured for mean in _means(plan, outcomes, one)),
        noises=tuple(map(_noise, measured)),
        tested=tuple(verdicts(plan, outcomes)),
    )


def _measured(
    outcomes: Outcomes, sums: Sequence[Contrast], opponents: int, response: int
) -> _Measured:
    measured = outcomes.responses[response]
    scale = measured.scale * outcomes.seatings * outcomes.tested
    divisors = [one.divisor * scale for one in sums]
    weights = np.array([one.weights for one in sums], dtype=float).T
    count = sum(one.reading is ContrastReading.MAIN for one in sums)
    by_contrast: list[list[Moments]] = []
    by_cell: list[list[Moments]] = []
    by_row: list[list[Moments]] = []
    over_base: list[list[Moments]] = []
    base = _base(outcomes)
    scales = [scale] * len(outcomes.cells)
    of_sums = [one.bounds(measured.bounds) for one in sums]
    of_cells = [measured.bounds] * len(outcomes.cells)
    of_gaps = [_gap(measured.bounds)] * len(outcomes.cells)
    mains = np.empty((outcomes.deals, count))
    for first in range(0, outcomes.deals, _DEALS):
        here = outcomes.sums[opponents][first : first + _DEALS, :, response].astype(float)
        values = here @ weights
        mains[first : first + _DEALS] = values[:, :count]
        by_contrast.append(moments(values, divisors, of_sums))
        by_cell.append(moments(here, scales, of_cells))
        if base is not None:
            over_base.append(moments(here - here[:, [base]], scales, of_gaps))
        by_row.append(moments(here.sum(axis=1, keepdims=True), [scale], [None]))
    return _Measured(
        opponents=opponents,
        response=response,
        contrasts=_added(by_contrast),
        cells=_added(by_cell),
        over_base=_added(over_base),
        rows=_added(by_row)[0],
        mains=mains,
    )


def _gap(of: Bounds | None) -> Bounds | None:
    """Return the bounds of the difference of two values that have these bounds."""
    return None if of is None else (of[0] - of[1], of[1] - of[0])


def _base(outcomes: Outcomes) -> int | None:
    """Return the number of the cell with all factors at their first levels, if it was played."""
    base = (0,) * len(outcomes.cells[0])
    return outcomes.cells.index(base) if base in outcomes.cells else None


def _added(parts: Sequence[Sequence[Moments]]) -> list[Moments]:
    """Return the combined moments of parts of the deals."""
    return [
        Moments(
            sum(one.count for one in column),
            sum(one.total for one in column),
            sum(one.squares for one in column),
            column[0].divisor,
            column[0].bounds,
        )
        for column in zip(*parts, strict=True)
    ]


def _effects(
    plan: LabPlan, outcomes: Outcomes, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> Iterator[Effect]:
    for one in measured:
        for reading in ContrastReading:
            numbers = [n for n, each in enumerate(sums) if each.reading is reading]
            together = family([one.contrasts[n] for n in numbers], plan.level)
            for number, found in zip(numbers, together, strict=True):
                yield _effect(
                    plan, outcomes, one, contrast=sums[number], number=number, found=found
                )


def _effect(
    plan: LabPlan,
    outcomes: Outcomes,
    one: _Measured,
    *,
    contrast: Contrast,
    number: int,
    found: Statistic,
) -> Effect:
    fine = None
    if found.spread:
        width = fine_width(outcomes.responses[one.response])
        fine = deals_for(found.spread, width, outcomes.deals, plan.level)
    return Effect(
        contrast=number,
        opponents=one.opponents,
        response=one.response,
        found=found,
        gain=_gain(contrast, one.cells, found),
        halved=4 * outcomes.deals if found.spread else None,
        fine=fine,
    )


def _gain(contrast: Contrast, cells: Sequence[Moments], found: Statistic) -> float | None:
    """Return the variance of a contrast with separate deals per cell, over that with common ones.

    None where it is unknown, or where nothing varies.
    """
    if not found.spread:
        return None
    apart = sum(
        weight**2 * (cell.variance or 0.0)
        for weight, cell in zip(contrast.weights, cells, strict=True)
    )
    return apart / contrast.divisor**2 / found.spread**2


def _shifts(plan: LabPlan, measured: Sequence[_Measured]) -> Iterator[Shift]:
    """Yield differences of main effects between each two classes, which played the same deals."""
    for first, second in combinations(measured, 2):
        if first.response != second.response:
            continue
        count = first.mains.shape[1]
        mains = first.contrasts[:count]
        divisors, bounds = [one.divisor for one in mains], [_gap(one.bounds) for one in mains]
        differences = moments(second.mains - first.mains, divisors, bounds)
        for number, one in enumerate(family(differences, plan.level)):
            yield Shift(number, first.response, first.opponents, second.opponents, one)


def _means(plan: LabPlan, outcomes: Outcomes, one: _Measured) -> Iterator[CellMean]:
    bounds = outcomes.responses[one.response].bounds
    differences = [statistic(over, plan.level) for over in one.over_base]
    base = _base(outcomes)
    for number, cell in enumerate(one.cells):
        estimate = (
            mean_interval(cell.sample, plan.level)
            if bounds is None
            else bounded_interval(cell.sample, *bounds, plan.level)
        )
        difference = differences[number] if differences and number != base else None
        yield CellMean(number, one.opponents, one.response, estimate, difference)


def _noise(one: _Measured) -> Noise:
    """Return the total and the residual standard deviation of a deal in a cell."""
    cells, deals = len(one.cells), one.rows.count
    variances = [cell.variance for cell in one.cells]
    if one.rows.variance is None:
        return Noise(one.opponents, one.response, None, None)
    total = sum(variance for variance in variances if variance is not None)
    within = sqrt(total / cells)
    if cells < 2:
        return Noise(one.opponents, one.response, within, None)
    # The sum of squares within cells is that of the deals' means plus the residual. Both have one
    # degree of freedom less than there are deals, which cancels.
    rest = max(0.0, total - one.rows.variance / cells)
    assert deals > 1
    return Noise(one.opponents, one.response, within, sqrt(rest / (cells - 1)))
