"""Measures of games: sums over games, and a number computed from the sums.

Every measure here is a function of sums of some terms, and each game has its terms. So records can
be read in parts, sums of parts added, and a bootstrap resample is the same sums with weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.traces import Flags, Integers, Traces, Values
    from cardwright.statistics.ties import Ties

Batch: TypeAlias = Literal["RR", "AR", "AA"]
"""Which players: all random; one that thinks, in the first seat, among random ones; all think."""

Terms: TypeAlias = "Callable[[Traces, MeasureRules], Values]"
"""Terms of games: shape (games, some number of terms)."""

Value: TypeAlias = "Callable[[Values, int], Values]"
"""The measure from sums of terms, shape (resamples, terms), and the number of seats."""

Bounds: TypeAlias = "Callable[[int], tuple[float, float]]"
"""The bounds of a value in a game with this many seats, whatever happens."""

Image: TypeAlias = "Callable[[float, float, int], tuple[float, float]]"
"""The least and the greatest value of a function over an interval, for a number of seats."""


@dataclass(frozen=True)
class InnerMean:
    """A mean of which a measure is a non-monotonic function, and how that maps intervals.

    At the turning point the measure itself has no useful standard error.
    """

    value: Value
    image: Image


@dataclass(frozen=True)
class MeasureRules:
    """The choices that the definitions leave open.

    `winner` says who the winner is in measures of lead vectors: the seat with the largest entry in
    the last one, as in CardStock's articles, or the seat with the best result. `ties` says whether
    a shared first place counts as a full win, as there, or 1/k for each of k. Both apply to the
    articles' family only; the others have definitions of their own. `ahead` is the estimate from
    which a seat counts as certain to win, for decisiveness in the corrected family.
    """

    winner: Literal["last_lead", "result"] = "last_lead"
    ties: Ties = "full"
    ahead: float = 0.8


@dataclass(frozen=True)
class Measure:
    """A measure: its name and family, and the groups of batches from which it may be taken.

    Each group gives a value of its own, from the sums over its batches together. `noted` says that
    the decisions must be in the records. `status` is empty, or says why a number is unreliable:
    "off" for what CardStock's program has switched off, "broken" for what does not measure what it
    claims. `weight` is that in the program's genetic search. The measure needs at least this many
    `seats`: most compare seats, and say nothing about a single one. `bounds` are those of the
    value, or of the `inner` mean of which it is a function; None for a mean without any. `by_ties`
    says that it counts shared wins as the rules say.
    """

    name: str
    family: str
    terms: Terms
    value: Value
    groups: tuple[tuple[Batch, ...], ...]
    noted: bool = True
    status: str = ""
    weight: float | None = None
    interval: bool = True
    note: str = ""
    seats: int = 2
    bounds: Bounds | None = None
    inner: InnerMean | None = None
    by_ties: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Family and name, the key of its sums in tallies."""
        return (self.family, self.name)


EACH: tuple[tuple[Batch, ...], ...] = (("RR",), ("AR",), ("AA",))
THINKING: tuple[tuple[Batch, ...], ...] = (("AA",), ("AR",), ("AA", "AR"))
"""Groups for what thinking players tell: all thinking, one thinking, and both pooled."""


def unit(players: int) -> tuple[float, float]:
    """Return the bounds of shares and of places on the scale from last to first: 0 and 1."""
    del players
    return 0.0, 1.0


def ratio(sums: Values, players: int) -> Values:
    """Return the first sum divided by the second: a mean; NaN where there was nothing."""
    del players
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Values = sums[:, 0] / sums[:, 1]
    return mean


def rest(sums: Values, players: int) -> Values:
    """Return 1 minus the mean."""
    return 1 - ratio(sums, players)


def total(traces: Traces, games: Integers, values: Values | None = None) -> Values:
    """Return for every game the sum of its values, or their number."""
    sums: Values = np.bincount(games, values, minlength=len(traces)).astype(np.float64)
    return sums


def mean_terms(values: Values, known: Flags | None = None) -> Values:
    """Return terms for the mean of one value per game, over games where it is known."""
    if known is None:
        known = np.ones(len(values), bool)
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)], axis=1)


def shares(counts: Values, of: Values) -> Values:
    """Return quotients, with 0 for 0 / 0."""
    found: Values = counts / np.where(of, of, 1)
    return found
