"""The uncertainty of a measure: its interval from the sums of a tally, and that of a difference.

A standard error comes from the resampled sums, and the number of independent values is that of the
deals that contribute. A mean with bounds gets Agresti and Coull's interval between them, or Clopper
and Pearson's where it does not vary, any other mean Student's. A non-monotonic function gets the
image of its mean's interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cardwright.statistics.differences import difference_ends
from cardwright.statistics.intervals import bounded_interval, mean_interval
from cardwright.statistics.resampling import deviations, linear_sample
from cardwright.statistics.sample import Estimate, Sample

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.measure import InnerMean, Measure, Value
    from cardwright.analysis.tally import MeasureSums
    from cardwright.analysis.traces import Values
    from cardwright.statistics.differences import Reach

Method: TypeAlias = Literal["", "agresti-coull", "student", "constant"]
"""How an interval was made. Empty means that there is none, and `constant` that there is none
because all deals are equal, which says nothing about a mean without bounds."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A value with its interval, and how that was made."""

    estimate: Estimate
    method: Method = ""

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval: NaN if there is none."""
        low, high = self.estimate.low, self.estimate.high
        nan = float("nan")
        return (nan if low is None else low, nan if high is None else high)


@dataclass(frozen=True, eq=False)
class Side:
    """A measure of some batches together; `sums` are of all of them."""

    measure: Measure
    sums: Values
    players: int
    deals: int

    @classmethod
    def of(cls, measure: Measure, tallies: Sequence[MeasureSums]) -> Side | None:
        """Return a measure of batches, which play the same deals; None where it was not noted."""
        if any(measure.key not in tally.sums for tally in tallies):
            return None
        sums = reduce(add, (tally.sums[measure.key] for tally in tallies))
        deals = max(tally.deals_behind(measure.key) for tally in tallies)
        return cls(measure, sums, tallies[0].players, deals)

    @property
    def value(self) -> float:
        """The measure itself; NaN where there was nothing to measure."""
        return self._plain(self.measure.value)

    def uncertain(self, level: float) -> Uncertain:
        """Return the measure with its interval."""
        inner, value = self.measure.inner, self.value
        if not self.measure.interval:
            return Uncertain(Estimate(value, None, None, self.deals))
        if inner is None:
            moved = self._moved(self.measure.value)
            return _interval(value, moved, self.deals, self._bounds, level)
        mean = self._mean(inner, level)
        reach = _reach(inner, mean, self.players)
        low, high = (None, None) if reach is None else reach(1.0)
        return Uncertain(Estimate(value, low, high, self.deals), mean.method)

    def less(self, first: Side, level: float) -> Uncertain:
        """Return how much greater this is than the same measure of other games.

        Deals with the same number are taken to be the same: what they do to both is no difference.
        """
        deals, value = min(self.deals, first.deals), self.value - first.value
        if not self.measure.interval:
            return Uncertain(Estimate(value, None, None, deals))
        inner = self.measure.inner
        if inner is not None:
            mean = self._mean(inner, level)
            one = _reach(inner, first._mean(inner, level), first.players)
            other = _reach(inner, mean, self.players)
            if one is None or other is None:
                return Uncertain(Estimate(value, None, None, deals))
            low, high = difference_ends(one, other)
            return Uncertain(Estimate(value, low, high, deals), mean.method)
        bounds = None
        if self._bounds is not None and first._bounds is not None:
            ones, others = first._bounds, self._bounds
            bounds = others[0] - ones[1], others[1] - ones[0]
        moved = self._moved(self.measure.value) - first._moved(self.measure.value)
        return _interval(value, moved, deals, bounds, level)

    def _mean(self, inner: InnerMean, level: float) -> Uncertain:
        mean = self._plain(inner.value)
        return _interval(mean, self._moved(inner.value), self.deals, self._bounds, level)

    @property
    def _bounds(self) -> tuple[float, float] | None:
        bounds = self.measure.bounds
        return None if bounds is None else bounds(self.players)

    def _plain(self, value: Value) -> float:
        return float(value(self.sums[:1], self.players)[0])

    def _moved(self, value: Value) -> Values:
        return deviations(lambda sums: value(sums, self.players), self.sums)


def _reach(inner: InnerMean, mean: Uncertain, players: int) -> Reach | None:
    """Return the bounds of a function of a mean; None if the mean has no interval."""
    middle, low, high = mean.estimate.mean, mean.estimate.low, mean.estimate.high
    if low is None or high is None:
        return None
    return lambda part: inner.image(
        middle + part * (low - middle), middle + part * (high - middle), players
    )


def _interval(
    value: float,
    moved: Values,
    deals: int,
    bounds: tuple[float, float] | None,
    level: float,
) -> Uncertain:
    """Return a value with its interval; none where it or its standard error is unknown.

    Notes that leave their scale can lead out of the bounds, which are then ignored.
    """
    sample = linear_sample(value, moved, deals)
    if deals < 2 or np.isnan(value) or np.isnan(sample.variance):
        return Uncertain(sample.without_interval())
    if bounds is not None and bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9:
        return Uncertain(
            bounded_interval(_within(sample, *bounds), *bounds, level), "agresti-coull"
        )
    method: Method = "student" if sample.variance else "constant"
    return Uncertain(mean_interval(sample, level), method)


def _within(sample: Sample, least: float, most: float) -> Sample:
    return Sample(sample.count, min(max(sample.mean, least), most), sample.variance)
