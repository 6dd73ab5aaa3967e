"""Options by trick, for games in which every seat plays one card to every trick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.analysis.traces import Traces, Values

GROUPS = 10
"""Groups of games whose means show how much they vary, as in CardStock's articles."""


@dataclass(frozen=True, eq=False)
class TrickOptions:
    """Sums of options, of shape (groups, tricks, 2, 2).

    The third axis is the leader and the others, the fourth their decisions and their options.
    Games are put into groups by the numbers of their deals.
    """

    sums: Values

    @classmethod
    def of(
        cls, traces: Traces, per_trick: int | None = None, first: int = 0, groups: int = GROUPS
    ) -> TrickOptions:
        """Return the sums over some games.

        A trick has `per_trick` decisions, by default as many as seats, of which the first is the
        leader's. The `first` decisions of each game are not tricks: passing, say. Raises
        AnalysisError for impossible numbers.
        """
        width = traces.players if per_trick is None else per_trick
        if width < 1 or first < 0 or groups < 1:
            raise AnalysisError("a trick has 1 decision or more, and no less than 0 come before")
        at = traces.ply - first
        played = at >= 0
        trick = at[played] // width
        other = (at[played] % width != 0).astype(np.int64)
        group = traces.deal[traces.noted.game[played]] % groups
        count = int(trick.max(initial=-1)) + 1
        key = (group * count + trick) * 2 + other
        size = groups * count * 2
        options = traces.noted.options[played].astype(np.float64)
        sums = np.stack([np.bincount(key, minlength=size), np.bincount(key, options, size)], axis=1)
        return cls(sums.astype(np.float64).reshape(groups, count, 2, 2))

    def __add__(self, other: TrickOptions) -> TrickOptions:
        """Return the sums over both."""
        longer, shorter = sorted((self.sums, other.sums), key=lambda sums: -sums.shape[1])
        whole = longer.copy()
        whole[:, : shorter.shape[1]] += shorter
        return TrickOptions(whole)

    def means(self) -> Values:
        """Return the mean options by trick of the leader and of the others: shape (tricks, 2)."""
        return _quotient(self.sums.sum(axis=0))

    def deviations(self) -> Values:
        """Return the standard deviations of the groups' means, of the same shape.

        It is how much the means of a tenth of the games vary, not a standard error of the whole.
        NaN for a single group.
        """
        means = _quotient(self.sums)
        known = (~np.isnan(means)).sum(axis=0)
        middle = np.nansum(means, axis=0) / np.maximum(known, 1)
        squares = np.nansum((means - middle) ** 2, axis=0)
        spread: Values = np.sqrt(squares / np.where(known > 1, known - 1, np.nan))
        return spread


def tricks(
    parts: Iterable[Traces], per_trick: int | None = None, first: int = 0, groups: int = GROUPS
) -> TrickOptions:
    """Return the sums over all parts; see `TrickOptions.of`."""
    whole = None
    for part in parts:
        more = TrickOptions.of(part, per_trick, first, groups)
        whole = more if whole is None else whole + more
    if whole is None:
        raise AnalysisError("there are no finished games in these records")
    return whole


def _quotient(sums: Values) -> Values:
    with np.errstate(invalid="ignore"):
        means: Values = sums[..., 1] / sums[..., 0]
    return means
