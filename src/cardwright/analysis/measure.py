"""What a measure of games is: sums over games, and a number made of the sums.

Every measure here is a function of sums of some terms, and each game has its terms. So records can
be read in parts, sums of parts added, and a resample of a bootstrap is the same sums with weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.analysis.traces import Flags, Integers, Traces, Values

Batch: TypeAlias = Literal["RR", "AR", "AA"]
"""Which players: all random; one that thinks, in the first seat, among random ones; all think."""

Terms: TypeAlias = "Callable[[Traces, MeasureRules], Values]"
"""Terms of games: shape (games, some number of terms)."""

Value: TypeAlias = "Callable[[Values, int], Values]"
"""The measure from sums of terms, shape (resamples, terms), and the number of seats."""

Bounds: TypeAlias = "Callable[[int], tuple[float, float]]"
"""Between what a value lies in a game of so many seats, whatever comes."""

Image: TypeAlias = "Callable[[float, float, int], tuple[float, float]]"
"""The least and the greatest value of a function over an interval, for a number of seats."""


@dataclass(frozen=True)
class InnerMean:
    """A mean of which a measure is a function that turns round, and what that makes of intervals.

    There the measure itself has no standard error to speak of: at the turn it does not move.
    """

    value: Value
    image: Image


@dataclass(frozen=True)
class MeasureRules:
    """What is open in the definitions.

    `winner` says who the winner is in measures of lead vectors: the seat with the largest entry in
    the last one, as in CardStock's articles, or the seat with the best result. `ties` says whether
    a shared first place counts as a full win, as there, or 1/k for each of k. Both apply to the
    articles' family alone; the others have definitions of their own. `ahead` is the estimate from
    which on somebody is sure to win, for decisiveness in the corrected family.
    """

    winner: Literal["last_lead", "result"] = "last_lead"
    ties: Literal["full", "shared"] = "full"
    ahead: float = 0.8


@dataclass(frozen=True)
class Measure:
    """A measure: its name and family, and the groups of batches from which it may be taken.

    Each group gives a value of its own, from the sums over its batches together. `noted` says that
    the decisions must be in the records. `status` is empty, or says why a number is not to be
    relied on: "off" for what CardStock's program has switched off, "broken" for what does not
    measure what it says. `weight` is that in the program's genetic search. It is said of games with
    so many `seats` or more: most compare seats, and say nothing of a single one. `bounds` are those
    of the value, or of the `inner` mean of which it is a function; None for a mean without any.
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

    @property
    def key(self) -> tuple[str, str]:
        """Family and name, by which tallies have its sums."""
        return (self.family, self.name)


EACH: tuple[tuple[Batch, ...], ...] = (("RR",), ("AR",), ("AA",))
THINKING: tuple[tuple[Batch, ...], ...] = (("AA",), ("AR",), ("AA", "AR"))
"""Groups for what is told by thinking players: all alike, one alone, and both pooled."""


def unit(players: int) -> tuple[float, float]:
    """Return the bounds of shares and of places on the scale from last to first: 0 and 1."""
    del players
    return 0.0, 1.0


def ratio(sums: Values, players: int) -> Values:
    """Return the first sum by the second: a mean; NaN where there was nothing."""
    del players
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: Values = sums[:, 0] / sums[:, 1]
    return mean


def rest(sums: Values, players: int) -> Values:
    """Return 1 less the mean."""
    return 1 - ratio(sums, players)


def total(traces: Traces, games: Integers, values: Values | None = None) -> Values:
    """Return for every game the sum of the values that are its own, or how many there are."""
    sums: Values = np.bincount(games, values, minlength=len(traces)).astype(np.float64)
    return sums


def mean_terms(values: Values, known: Flags | None = None) -> Values:
    """Return terms for the mean over games of one value a game, of those where it is known."""
    if known is None:
        known = np.ones(len(values), bool)
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)], axis=1)


def shares(counts: Values, of: Values) -> Values:
    """Return quotients, 0 where nothing is divided by nothing."""
    found: Values = counts / np.where(of, of, 1)
    return found
