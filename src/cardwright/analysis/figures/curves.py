"""Curves through games: histories on a common scale, and local regression.

Histories run from 0, where a game begins, to 1, where it ends. LOESS is local regression with
tricube weights (Cleveland and Devlin 1988, "Locally weighted regression"), as R's `loess` with
`surface = "direct"`, statistics exact, and ggplot's curves.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cardwright.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.analysis.records import Integers, Traces, Values

POINTS = 100
"""Points of a common scale, as in CardStock's articles."""


def grid(points: int = POINTS) -> Values:
    """Return points from 0 to 1."""
    return np.linspace(0, 1, points)


SpreadName: TypeAlias = Literal["spread", "score_spread"]
"""Spreads of estimated places, or of estimated scores: fields of `Decisions`."""


def spread_histories(
    traces: Traces, points: int = POINTS, name: SpreadName = "spread"
) -> tuple[Values, float]:
    """Return the spreads of each game that has any, by linear interpolation: shape (games, points).

    They are divided by the largest spread of all games, which is returned as well. Raises
    AnalysisError if none were noted.
    """
    values = getattr(traces.noted, name)
    known = ~np.isnan(values)
    if not known.any():
        raise AnalysisError("no player noted spreads in these games: use a player that notes them")
    most = float(values[known].max()) or 1.0
    return noted_histories(traces, values, points) / most, most


def noted_histories(traces: Traces, values: Values, points: int = POINTS) -> Values:
    """Return what was noted along each game that has any of it: shape (games, points)."""
    known = ~np.isnan(values)
    at = grid(points)
    rows = [
        np.interp(at, traces.portion[known][rows], values[known][rows])
        for _, rows in _by_game(traces.noted.game[known])
    ]
    return np.array(rows).reshape(-1, points)


def lead_histories(
    traces: Traces, points: int = POINTS, *, ended: bool = False
) -> tuple[Values, Integers]:
    """Return lead vectors of each game that has any, by linear interpolation, and which games.

    Shape (games, seats, points). With `ended` the decisions end before 1 and the final places
    follow there, as in CardStock's articles: decision t of T is at t/T, from 0 on. Raises
    AnalysisError if none were noted.
    """
    known = ~np.isnan(traces.noted.lead).any(axis=1)
    if not known.any():
        raise AnalysisError("no player noted leads in these games: use a player that notes them")
    leads, at = traces.noted.lead[known], grid(points)
    plies, lengths = traces.ply[known], np.bincount(traces.noted.game, minlength=len(traces))
    found, games = [], []
    for game, rows in _by_game(traces.noted.game[known]):
        values, where = leads[rows], traces.portion[known][rows]
        if ended:
            values = np.vstack([values, traces.final_places[game]])
            where = np.r_[plies[rows] / lengths[game], 1.0]
        found.append([np.interp(at, where, values[:, seat]) for seat in range(traces.players)])
        games.append(game)
    return np.array(found), np.array(games)


def finishing_order(traces: Traces) -> Integers:
    """Return the seats of each game from the first to the last: shape (games, seats).

    Seats that tie are in seat order.
    """
    order: Integers = np.argsort(traces.ranks, axis=1, kind="stable")
    return order


def _by_game(games: Integers) -> Iterator[tuple[int, slice]]:
    """Yield each game of a sorted column with its rows."""
    starts = np.flatnonzero(np.r_[True, games[1:] != games[:-1]])
    for begin, end in zip(starts, np.r_[starts[1:], len(games)], strict=True):
        yield int(games[begin]), slice(int(begin), int(end))


# Local regression -------------------------------------------------------------------------------

SPAN = 0.75
DEGREE = 2
_LEVEL = 0.95

_MOST_PLACES = 400
"""The most different x; if there are more, neighbours are merged first."""


@dataclass(frozen=True, eq=False)
class LoessCurve:
    """A curve at some x with standard errors; `scale` is the residuals' standard error."""

    x: Values
    y: Values
    error: Values
    scale: float

    def band(self, level: float = _LEVEL) -> tuple[Values, Values]:
        """Return the lower and the upper edge of a pointwise band, by normal quantiles."""
        margin = NormalDist().inv_cdf((1 + level) / 2) * self.error
        return self.y - margin, self.y + margin


def loess(x: Values, y: Values, at: Values, span: float = SPAN, degree: int = DEGREE) -> LoessCurve:
    """Return the local regression of y on x, evaluated at some x.

    `span` is the share of the points that each local fit uses, `degree` that of the local
    polynomial: 0, 1 or 2, lowered where the points have too few different x. The cost
    grows with the number of points, and with the square of their different x. Raises AnalysisError
    if there are no points.
    """
    if not len(x):
        raise AnalysisError("there are no points to draw a curve through")
    places, counts, means, within = _places(np.asarray(x, float), np.asarray(y, float))
    degree = min(degree, len(places) - 1, 2)
    operator = _operator(places, counts, places, span, degree)
    fitted = operator @ means
    residual = within + float((counts * (means - fitted) ** 2).sum())
    # L has for each point the weight of every single point: those at one x have equal weights.
    trace = float(np.diagonal(operator).sum())
    squares = float((counts * (operator**2 / counts).sum(axis=1)).sum())
    freedom = counts.sum() - 2 * trace + squares
    scale = float(np.sqrt(max(residual, 0) / freedom)) if freedom > 1e-9 else float("nan")
    shown = _operator(places, counts, np.asarray(at, float), span, degree)
    errors = scale * np.sqrt((shown**2 / counts).sum(axis=1))
    return LoessCurve(np.asarray(at, float), shown @ means, errors, scale)


def _places(x: Values, y: Values) -> tuple[Values, Values, Values, float]:
    """Return the different x, the points at each, their mean y, and the residual squares within."""
    values, inverse = np.unique(x, return_inverse=True)
    if len(values) > _MOST_PLACES:
        edges = np.linspace(values[0], values[-1], _MOST_PLACES + 1)[1:-1]
        inverse = np.unique(np.searchsorted(edges, x), return_inverse=True)[1]
    counts = np.bincount(inverse).astype(float)
    means = np.bincount(inverse, y) / counts
    left = float(((y - means[inverse]) ** 2).sum())
    return np.bincount(inverse, x) / counts, counts, means, left


def _operator(places: Values, counts: Values, at: Values, span: float, degree: int) -> Values:
    """Return the matrix that maps the means at the different x to fitted values at some x."""
    distance = np.abs(at[:, None] - places[None, :])
    reach = np.maximum(_reach(distance, counts, span), _least_reach(distance, degree))
    share = np.clip(distance / reach[:, None], 0, 1)
    weight = (1 - share**3) ** 3 * counts
    powers = (places[None, :] - at[:, None])[..., None] / reach[:, None, None]
    basis = powers ** np.arange(degree + 1)
    moments = np.einsum("ap,apj,apk->ajk", weight, basis, basis)
    # Where a fit has too few different x, the minimum-norm solution is as good as any.
    solved = np.linalg.pinv(moments, hermitian=True)[:, 0, :]
    made: Values = np.einsum("aj,apj,ap->ap", solved, basis, weight)
    return made


def _reach(distance: Values, counts: Values, span: float) -> Values:
    """Return the bandwidth at each x: the distance to the farthest point of its span."""
    total = counts.sum()
    need = min(np.floor(total * span + 1e-5), total)
    order = np.argsort(distance, axis=1, kind="stable")
    counted = np.cumsum(counts[order], axis=1)
    last = (counted >= max(need, 1)).argmax(axis=1)
    reach: Values = np.take_along_axis(distance, order, axis=1)[np.arange(len(distance)), last]
    return reach * max(span, 1.0)


def _least_reach(distance: Values, degree: int) -> Values:
    """Return the bandwidth at which a fit has one more different x than its degree.

    Where many points share one x, the nearest ones of the span may all be there.
    """
    nearest: Values = np.sort(distance, axis=1)
    enough = nearest.shape[1] > degree + 1
    least: Values = nearest[:, degree + 1] if enough else 2 * nearest[:, -1] + 1
    return least
