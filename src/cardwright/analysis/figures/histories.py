"""Histories of games on a common scale: from 0, where a game begins, to 1, where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cardwright.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.analysis.traces import Integers, Traces, Values

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
