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

from cardwright.lab.contrast import Contrast, Reading, contrasts
from cardwright.lab.errors import LabError
from cardwright.lab.findings import CellMean, Effect, Findings, Noise, Shift, fine_width
from cardwright.lab.labels import cell_label
from cardwright.lab.moments import Moments, deals_for, family, moments, statistic
from cardwright.lab.sequential import verdicts
from cardwright.statistics.intervals import share_interval
from cardwright.statistics.resampling import resamples
from cardwright.statistics.sample import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.findings import Statistic
    from cardwright.lab.outcomes import Outcomes, Values
    from cardwright.lab.plan import LabPlan

RESAMPLES = 1_000
"""Resamples of the deals for bootstrap intervals of main effects."""

_DEALS = 16_384
"""Deals that are worked on at a time, which bounds the memory; results do not depend on it."""


@dataclass(frozen=True, eq=False)
class _Measured:
    """One response against one class: moments, and the main effects' integers deal by deal.

    `rows` are the moments of the sum over all cells of a deal, `over_base` those of the cells less
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
    """Return what an experiment came to.

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
        shifts=tuple(_shifts(plan, sums, measured)),
        means=tuple(mean for one in measured for mean in _means(plan, outcomes, one)),
        noises=tuple(map(_noise, measured)),
        tested=tuple(verdicts(plan, outcomes)),
    )


def _measured(
    outcomes: Outcomes, sums: Sequence[Contrast], opponents: int, response: int
) -> _Measured:
    scale = outcomes.responses[response].scale * outcomes.seatings * outcomes.tested
    divisors = [one.divisor * scale for one in sums]
    weights = np.array([one.weights for one in sums], dtype=float).T
    count = sum(one.reading is Reading.MAIN for one in sums)
    by_contrast: list[list[Moments]] = []
    by_cell: list[list[Moments]] = []
    by_row: list[list[Moments]] = []
    over_base: list[list[Moments]] = []
    base = _base(outcomes)
    scales = [scale] * len(outcomes.cells)
    mains = np.empty((outcomes.deals, count))
    for first in range(0, outcomes.deals, _DEALS):
        here = outcomes.sums[opponents][first : first + _DEALS, :, response].astype(float)
        values = here @ weights
        mains[first : first + _DEALS] = values[:, :count]
        by_contrast.append(moments(values, divisors))
        by_cell.append(moments(here, scales))
        if base is not None:
            over_base.append(moments(here - here[:, [base]], scales))
        by_row.append(moments(here.sum(axis=1, keepdims=True), [scale]))
    return _Measured(
        opponents=opponents,
        response=response,
        contrasts=_added(by_contrast),
        cells=_added(by_cell),
        over_base=_added(over_base),
        rows=_added(by_row)[0],
        mains=mains,
    )


def _base(outcomes: Outcomes) -> int | None:
    """Return the number of the cell with all factors at their first levels, if it was played."""
    base = (0,) * len(outcomes.cells[0])
    return outcomes.cells.index(base) if base in outcomes.cells else None


def _added(parts: Sequence[Sequence[Moments]]) -> list[Moments]:
    """Return the moments of parts of the deals together."""
    return [
        Moments(
            sum(one.count for one in column),
            sum(one.total for one in column),
            sum(one.squares for one in column),
            column[0].divisor,
        )
        for column in zip(*parts, strict=True)
    ]


def _effects(
    plan: LabPlan, outcomes: Outcomes, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> Iterator[Effect]:
    resampled = _resampled(plan, sums, measured)
    for at, one in enumerate(measured):
        found = [statistic(each, plan.level) for each in one.contrasts]
        for reading in Reading:
            numbers = [n for n, each in enumerate(sums) if each.reading is reading]
            together = family([found[n] for n in numbers], outcomes.deals, plan.level)
            for number, each in zip(numbers, together, strict=True):
                interval = resampled[at][number] if resampled and reading is Reading.MAIN else None
                yield _effect(
                    plan,
                    outcomes,
                    one,
                    contrast=sums[number],
                    number=number,
                    found=each,
                    resampled=interval,
                )


def _effect(
    plan: LabPlan,
    outcomes: Outcomes,
    one: _Measured,
    *,
    contrast: Contrast,
    number: int,
    found: Statistic,
    resampled: tuple[float, float] | None,
) -> Effect:
    fine = None
    if found.spread is not None:
        width = fine_width(outcomes.responses[one.response])
        fine = deals_for(found.spread, width, outcomes.deals, plan.level)
    return Effect(
        contrast=number,
        opponents=one.opponents,
        response=one.response,
        found=found,
        gain=_gain(contrast, one.cells, found),
        resampled=resampled,
        halved=4 * outcomes.deals if found.error else None,
        fine=fine,
    )


def _gain(contrast: Contrast, cells: Sequence[Moments], found: Statistic) -> float | None:
    """Return the variance of a contrast with own deals for each cell, over that with common ones.

    None where it is not known, or where nothing varies.
    """
    if not found.spread:
        return None
    apart = sum(
        weight**2 * (cell.variance or 0.0)
        for weight, cell in zip(contrast.weights, cells, strict=True)
    )
    return apart / contrast.divisor**2 / found.spread**2


def _resampled(
    plan: LabPlan, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> list[list[tuple[float, float]]]:
    """Return percentile intervals of the main effects of all that was measured; none for one deal.

    The same resamples are used for all (Efron and Tibshirani 1993, chapter 13).
    """
    deals = len(measured[0].mains)
    if deals < 2:
        return []
    totals = [
        np.hstack([weights @ one.mains for one in measured])
        for weights in resamples(deals, RESAMPLES, plan.seed)
    ]
    tail = (1 - plan.level) / 2
    lows, highs = np.quantile(np.vstack(totals), [tail, 1 - tail], axis=0)
    count = measured[0].mains.shape[1]
    found = []
    for at, one in enumerate(measured):
        divisors = [each.divisor * deals for each in one.contrasts[:count]]
        columns = range(at * count, (at + 1) * count)
        found.append([
            (float(lows[column]) / divisor, float(highs[column]) / divisor)
            for column, divisor in zip(columns, divisors, strict=True)
        ])  # fmt: skip
    return found


def _shifts(
    plan: LabPlan, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> Iterator[Shift]:
    """Yield differences of main effects between each two classes, which played the same deals."""
    for first, second in combinations(measured, 2):
        if first.response != second.response:
            continue
        count = first.mains.shape[1]
        divisors = [one.divisor for one in first.contrasts[:count]]
        differences = moments(second.mains - first.mains, divisors)
        found = [statistic(one, plan.level) for one in differences]
        for number, one in enumerate(family(found, len(first.mains), plan.level)):
            yield Shift(number, first.response, first.opponents, second.opponents, one)


def _means(plan: LabPlan, outcomes: Outcomes, one: _Measured) -> Iterator[CellMean]:
    share = outcomes.responses[one.response].unit == "share"
    differences = [statistic(over, plan.level) for over in one.over_base]
    base = _base(outcomes)
    for number, cell in enumerate(one.cells):
        if share:
            values = outcomes.sums[one.opponents][:, number, one.response] / cell.divisor
            estimate = share_interval(values, plan.level)
        else:
            found = statistic(cell, plan.level)
            estimate = Estimate(found.value, found.low, found.high, cell.count)
        difference = differences[number] if differences and number != base else None
        yield CellMean(number, one.opponents, one.response, estimate, difference)


def _noise(one: _Measured) -> Noise:
    """Return the spread of a deal in a cell, with and without that of the deals themselves."""
    cells, deals = len(one.cells), one.rows.count
    variances = [cell.variance for cell in one.cells]
    if one.rows.variance is None:
        return Noise(one.opponents, one.response, None, None)
    total = sum(variance for variance in variances if variance is not None)
    within = sqrt(total / cells)
    if cells < 2:
        return Noise(one.opponents, one.response, within, None)
    # The sum of squares within cells is that of the deals' means, and the rest. Deals are one
    # less in both, so it falls out.
    rest = max(0.0, total - one.rows.variance / cells)
    assert deals > 1
    return Noise(one.opponents, one.response, within, sqrt(rest / (cells - 1)))
