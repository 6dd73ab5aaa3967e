"""Estimates with intervals: means, ratios, fairness by seat or team, and the share of luck."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from cardwright.statistics.intervals import (
    LEVEL,
    Estimate,
    Sample,
    bounded_interval,
    mean_interval,
    no_spread,
    share_interval,
    t_quantile,
)
from cardwright.statistics.measures import win_shares

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cardwright.game.game import Game


def mean(
    values: ArrayLike, least: float | None = None, most: float | None = None
) -> Estimate | None:
    """Return the mean of one value per deal, perhaps between bounds; None if there is no value."""
    counted = np.asarray(values, np.float64)
    return ratio(counted, np.ones(len(counted)), least, most)


def ratio(
    tops: ArrayLike, bottoms: ArrayLike, least: float | None = None, most: float | None = None
) -> Estimate | None:
    """Return the sum of `tops` over that of `bottoms`, which have a value for each deal.

    The standard error is that of the linearised ratio, whose value for a deal is
    R + (top - R bottom) / mean bottom (Cochran 1977, "Sampling techniques", chapter 6). None if the
    bottoms add up to 0.
    """
    above, below = np.asarray(tops, np.float64), np.asarray(bottoms, np.float64)
    if not below.sum():
        return None
    found = float(above.sum() / below.sum())
    sample = Sample.of(found + (above - found * below) / below.mean())
    if least is None or most is None:
        return replace(mean_interval(sample), mean=found)
    return bounded_interval(replace(sample, mean=min(max(found, least), most)), least, most)


def clipped(sample: Sample, least: float, most: float) -> Estimate:
    """Return an estimate that may lie out of the bounds, with its interval, moved into them.

    For what is unbiased only as long as it is not moved: the interval is Student's, around what was
    estimated, unless all deals are equal.
    """
    inside = min(max(sample.mean, least), most)
    if not sample.variance > 0:
        return bounded_interval(replace(sample, mean=inside), least, most)
    whole = mean_interval(sample)
    assert whole.low is not None
    assert whole.high is not None
    low, high = (min(max(end, least), most) for end in (whole.low, whole.high))
    return Estimate(inside, low, high, sample.count)


_FAR = 20.0
"""Half the logarithm of a variance ratio, beyond which no share changes and `exp` overflows."""


def share_between(results: NDArray[np.float64]) -> Estimate | None:
    """Return the share of the variance of results that is between deals: 1 if deals decide.

    `results` has shape (deals, games of a deal, sides), with two games or more. It is the
    intraclass correlation with the unbiased estimators of the variance components (Searle, Casella
    and McCulloch 1992, "Variance components", chapter 3): within deals W, the mean variance of a
    deal's games; between them B, the variance of the deals' means less W / games. Both are added up
    over the sides, each about its own mean: what a side is worth is not luck. A negative B counts
    as 0. The interval is Student's for half the logarithm of the variance ratio 1 + games B / W,
    where its ends are even (Fisher 1925, "Statistical methods for research workers", chapter 7),
    with the standard error of the linearised B / (B + W). None if all results are equal.
    """
    deals, games, _ = results.shape
    if deals < 2 or _same_by_side(results):
        return None
    means = results.mean(axis=1)
    within = results.var(axis=1, ddof=1).sum(axis=1)
    offsets = ((means - means.mean(axis=0)) ** 2).sum(axis=1)
    between = offsets * deals / (deals - 1) - within / games
    total = float(between.mean() + within.mean())
    share = float(between.mean()) / total
    by_deal = share + ((1 - share) * between - share * within) / total
    sample = Sample(deals, share, Sample.of(by_deal).variance)
    above, below = 1 + (games - 1) * share, 1 - share
    if not (sample.variance > 0 and above > 1e-9 and below > 1e-9):
        return clipped(sample, 0.0, 1.0)
    slope = games / (2 * above * below)
    margin = slope * t_quantile(deals - 1, LEVEL) * sqrt(sample.variance / deals)
    low, high = (_share(log(above / below) / 2 + by, games) for by in (-margin, margin))
    return Estimate(max(share, 0.0), max(low, 0.0), max(high, 0.0), deals)


def _share(z: float, games: int) -> float:
    """Return the share between deals whose variance ratio is exp(2 z)."""
    part = exp(-2 * min(max(z, -_FAR), _FAR))
    return (1 - part) / (1 + (games - 1) * part)


def _same_by_side(results: NDArray[np.float64]) -> bool:
    return all(no_spread(results[:, :, side].ravel()) for side in range(results.shape[2]))


def seat_fairness(wins: NDArray[np.float64]) -> Estimate | None:
    """Return 1 minus the distance of the sides' shares of the wins from equal ones.

    `wins` has shape (deals, sides). The distance is Euclidean, divided by that of a game which
    always the same side wins: so the result is 0 there, and 1 where all sides win equally often.
    For two sides the distance is the difference of their shares.

    The distance of estimated shares is too large by chance: its square by the sum of the shares'
    sampling variances, which is therefore taken off, and what remains below 0 counts as 0. The
    interval allows for as many directions as the shares can vary in: its half width is the standard
    error times the larger of Student's quantile and sqrt(q - k), where q is the quantile of the
    chi-square distribution with k degrees of freedom (k as Satterthwaite 1946). So it covers 1 as
    often as it claims if the sides are equal. None for one side, or fewer than two deals.
    """
    deals, sides = wins.shape
    if sides < 2 or deals < 2:
        return None
    offset = wins.mean(axis=0) - 1 / sides
    furthest = sqrt((sides - 1) / sides)
    covariance = np.cov(wins, rowvar=False) / deals
    noise = float(np.trace(covariance))
    square = float(offset @ offset)
    if noise < 1e-12:
        return share_interval(Sample(deals, max(0.0, 1 - sqrt(square) / furthest), 0.0))
    distance = sqrt(max(0.0, square - noise))
    directions = noise**2 / float((covariance**2).sum())
    error = sqrt(noise / directions)
    if square > 0:
        along = float(offset @ covariance @ offset) / square  # rounding may make 0 negative
        error = max(error, sqrt(max(0.0, along)))
    reach = max(t_quantile(deals - 1, LEVEL) ** 2, _chi_square(directions) - directions)
    margin = sqrt(reach) * error
    fair, low, high = (
        min(max(1 - away / furthest, 0.0), 1.0)
        for away in (distance, distance + margin, distance - margin)
    )
    return Estimate(fair, low, high, deals)


def _chi_square(freedom: float) -> float:
    """Return the quantile of the chi-square distribution (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + NormalDist().inv_cdf(LEVEL) * sqrt(part)) ** 3)


def sides_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: of each team, or each seat where teams overlap or miss some.

    In a game without partners every seat is a side.
    """
    teams = tuple(tuple(map(int, team)) for team in game.program.teams)
    if sorted(seat for team in teams for seat in team) == list(range(game.players)):
        return teams
    return tuple((seat,) for seat in range(game.players))


def side_wins(game: Game, best: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the sides' shares of the win, of shape (games, sides): 1/k for each of k winners.

    `best` says for each game and seat whether no seat has a better score. A side wins if one of its
    seats does.
    """
    won = np.stack([best[:, list(side)].any(axis=1) for side in sides_of(game)], axis=1)
    return win_shares(won)
