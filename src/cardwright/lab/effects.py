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

from cardwright.lab.contrast import ContrastReading, cell_label, contrasts
from cardwright.lab.factor import LabError
from cardwright.lab.findings import (
    CellMean,
    Effect,
    Findings,
    Noise,
    Shift,
    deals_for,
    family,
    fine_width,
    samples,
    statistic,
)
from cardwright.lab.stopping import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.findings import Statistic
    from cardwright.lab.outcomes import Outcomes, Values
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Bounds
    from cardwright.statistics.intervals import Sample


@dataclass(frozen=True, eq=False)
class _Measured:
    """One response against one class: samples, and the contrasts' integers deal by deal.

    `rows` is the sample of the sum over all cells of a deal, `over_base` those of the cells minus
    the base; there are none without a base.
    """

    opponents: int
    response: int
    values: Values
    contrasts: list[Sample]
    cells: list[Sample]
    over_base: list[Sample]
    rows: Sample


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
        opponents=tuple(player.name for player in plan.opponents),
        responses=outcomes.responses,
        cells=outcomes.cells,
        labels=tuple(cell_label(plan.factors, cell) for cell in outcomes.cells),
        contrasts=sums,
        effects=tuple(_effects(plan, outcomes, sums, measured)),
        shifts=tuple(_shifts(plan, outcomes, sums, measured)),
        means=tuple(mean for one in measured for mean in _means(plan, outcomes, one)),
        noises=tuple(map(_noise, measured)),
        tested=tuple(verdicts(plan, outcomes)),
    )


def _measured(
    outcomes: Outcomes, sums: Sequence[Contrast], opponents: int, response: int
) -> _Measured:
    bounds, scale = outcomes.responses[response].bounds, outcomes.scale(response)
    cells, count = outcomes.integers(opponents, response), len(outcomes.cells)
    values = outcomes.contrasted(sums, opponents, response)
    base = _base(outcomes)
    return _Measured(
        opponents,
        response,
        values,
        samples(
            values,
            [contrast.divisor * scale for contrast in sums],
            [contrast.bounds(bounds) for contrast in sums],
        ),
        samples(cells, [scale] * count, [bounds] * count),
        []
        if base is None
        else samples(cells - cells[:, [base]], [scale] * count, [_gap(bounds)] * count),
        samples(cells.sum(axis=1, keepdims=True), [scale], [None])[0],
    )


def _gap(bounds: Bounds | None) -> Bounds | None:
    """Return the bounds of the difference of two values that have these bounds."""
    return None if bounds is None else (bounds[0] - bounds[1], bounds[1] - bounds[0])


def _base(outcomes: Outcomes) -> int | None:
    """Return the number of the cell with all factors at their first levels, if it was played."""
    base = (0,) * len(outcomes.cells[0])
    return outcomes.cells.index(base) if base in outcomes.cells else None


def _effects(
    plan: LabPlan, outcomes: Outcomes, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> Iterator[Effect]:
    for response in measured:
        width = fine_width(outcomes.responses[response.response])
        for reading in ContrastReading:
            numbers = [at for at, contrast in enumerate(sums) if contrast.reading is reading]
            together = family([response.contrasts[at] for at in numbers], plan.level)
            for number, found in zip(numbers, together, strict=True):
                spread, deals = found.spread, outcomes.deals
                yield Effect(
                    contrast=number,
                    opponents=response.opponents,
                    response=response.response,
                    found=found,
                    gain=_gain(sums[number], response.cells, found),
                    halved=4 * deals if spread else None,
                    fine=deals_for(spread, width, deals, plan.level) if spread else None,
                )


def _gain(contrast: Contrast, cells: Sequence[Sample], found: Statistic) -> float | None:
    """Return the variance of a contrast with separate deals per cell, over that with common ones.

    None where it is unknown, or where nothing varies.
    """
    if not found.spread:
        return None
    apart = sum(
        weight**2 * cell.variance for weight, cell in zip(contrast.weights, cells, strict=True)
    )
    return apart / contrast.divisor**2 / found.spread**2


def _shifts(
    plan: LabPlan, outcomes: Outcomes, sums: Sequence[Contrast], measured: Sequence[_Measured]
) -> Iterator[Shift]:
    """Yield differences of main effects between each two classes, which played the same deals."""
    mains = [
        contrast for contrast in sums if contrast.reading is ContrastReading.MAIN
    ]  # these are the first
    for first, second in combinations(measured, 2):
        if first.response == second.response:
            differences = samples(
                (second.values - first.values)[:, : len(mains)],
                [main.divisor * outcomes.scale(first.response) for main in mains],
                [_gap(contrast.bounds) for contrast in first.contrasts[: len(mains)]],
            )
            for number, one in enumerate(family(differences, plan.level)):
                yield Shift(number, first.response, first.opponents, second.opponents, one)


def _means(plan: LabPlan, outcomes: Outcomes, one: _Measured) -> Iterator[CellMean]:
    base = _base(outcomes)
    for number, cell in enumerate(one.cells):
        difference = None
        if one.over_base and number != base:
            difference = statistic(one.over_base[number], plan.level)
        yield CellMean(number, one.opponents, one.response, cell.estimate(plan.level), difference)


def _noise(one: _Measured) -> Noise:
    """Return the total and the residual standard deviation of a deal in a cell."""
    cells = len(one.cells)
    if one.rows.count < 2:
        return Noise(one.opponents, one.response, None, None)
    total = sum(cell.variance for cell in one.cells)
    # The sum of squares within cells is that of the deals' means plus the residual. Both have one
    # degree of freedom less than there are deals, which cancels.
    rest = max(0.0, total - one.rows.variance / cells)
    residual = sqrt(rest / (cells - 1)) if cells > 1 else None
    return Noise(one.opponents, one.response, sqrt(total / cells), residual)
