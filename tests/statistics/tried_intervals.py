"""Intervals that are made of more than a list of values, tried on populations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from interval_coverage import Coverage

from cardwright.arena.deals import DealArrays
from cardwright.arena.ratings import ELO, rate
from cardwright.arena.schedule import match_tables, rotations
from cardwright.lab.findings import family, samples
from cardwright.statistics.intervals import bounded_interval, mean_interval
from cardwright.statistics.resampling import deviations, linear_sample, variance_reduction, weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from populations import Generator, Population, Values

    from cardwright.statistics.intervals import Estimate

RESAMPLES = 200


def by_bootstrap(*, share: bool) -> Callable[[Values], Estimate]:
    """Return the interval that heuristics have, of a mean of one value a game."""
    seeds = iter(range(10**9))

    def interval(values: Values) -> Estimate:
        count = len(values)
        terms = np.stack([values, np.ones(count)], axis=1)
        drawn = weights(np.arange(count), RESAMPLES, next(seeds)) @ terms
        sums = np.vstack([terms.sum(axis=0), drawn])
        moved = deviations(lambda sums: sums[:, 0] / sums[:, 1], sums)
        sample = linear_sample(float(values.mean()), moved, count)
        return bounded_interval(sample, 0, 1) if share else mean_interval(sample)

    return interval


def gains(population: Population, tables: int, deals: int, runs: int) -> Coverage:
    """Return how often the interval of a duplicate gain covers 1, where a deal has no luck."""
    generator = np.random.default_rng([2, deals])
    printed = covered = 0
    worth = np.linspace(-2, 2, tables)  # what the seats are worth does not count
    for _ in range(runs):
        values = population.draw(generator, deals * tables).reshape(deals, tables) + worth
        found = variance_reduction(values)
        if found is None or found.low is None or found.high is None:
            continue
        printed += 1
        covered += found.low <= 1 <= found.high
    return Coverage(covered / max(printed, 1), printed / runs)


DESIGNS = {
    "2 players, 130 Elo apart": (((0, 1), (1, 0)), (-0.375, 0.375)),
    "2 players, 522 Elo apart": (((0, 1), (1, 0)), (-1.5, 1.5)),
    "1 against 3 copies, 139 apart": (match_tables(2, 4), (-0.4, 0.4)),
    "4 players, 521 from first to last": (rotations((0, 1, 2, 3)), (-1.5, -0.5, 0.5, 1.5)),
}
"""Tables of a deal, and logarithms of the strengths of their entrants."""


def ratings(name: str, deals: int, runs: int) -> Coverage:
    """Return how often intervals of ratings cover the truth, over all entrants of a design."""
    tables, logs = DESIGNS[name]
    strengths = np.array(logs)
    truth = ELO * (strengths - strengths.mean())
    generator = np.random.default_rng([3, deals])
    found: list[bool] = []
    for run in range(runs):
        rated = rate(_played(tables, strengths, deals, generator), count=RESAMPLES, seed=run)
        for one, real in zip(rated.entrants, truth, strict=True):
            if one.low is not None and one.high is not None:
                found.append(bool(one.low <= real <= one.high))
    return Coverage(float(np.mean(found)) if found else 0.0, len(found) / (runs * len(logs)))


def _played(
    tables: tuple[tuple[int, ...], ...], strengths: Values, deals: int, generator: Generator
) -> DealArrays:
    """Return games whose ranks are Plackett and Luce's; half of the deals share their luck."""
    count, seats, entrants = len(tables), len(tables[0]), len(strengths)
    luck = generator.gumbel(size=(deals, count, seats))
    common = generator.gumbel(size=(deals, 1, seats))
    luck = np.where(generator.random((deals, 1, 1)) < 0.5, common, luck)
    score = (strengths[np.array(tables)][None] + luck).reshape(-1, seats)
    rank = np.argsort(np.argsort(-score, axis=1), axis=1)
    nothing = np.zeros(entrants, np.int64)
    return DealArrays(
        tables=tables,
        ties="shared",
        entrants=entrants,
        exchanged=0,
        numbers=np.arange(deals),
        at=np.repeat(np.arange(deals), count),
        table=np.tile(np.arange(count), deals),
        seating=np.tile(np.array(tables), (deals, 1)),
        score=score,
        rank=rank,
        win=(rank == 0).astype(float),
        failed=0,
        left_out=0,
        decisions=nothing,
        faults=nothing,
        seats_taken=nothing,
    )


EFFECTS = 7
"""Effects of a family in the lab, on which all of a deal's luck works in part."""

_SCALE = 1_000


def families(population: Population, deals: int, runs: int) -> tuple[float, float]:
    """Return how often joint intervals all hold, and how often Holm finds what is not there."""
    generator = np.random.default_rng([4, deals])
    held = found = 0
    for _ in range(runs):
        luck = population.draw(generator, deals)[:, None]
        own = population.draw(generator, deals * EFFECTS).reshape(deals, EFFECTS)
        values = np.rint(_SCALE * ((luck + own) / 2 - population.mean))
        together = family(samples(values, [_SCALE] * EFFECTS, [None] * EFFECTS), 0.95)
        held += all(
            one.joint_low is None or one.joint_high is None or one.joint_low <= 0 <= one.joint_high
            for one in together
        )
        found += any(one.adjusted is not None and one.adjusted <= 0.05 for one in together)
    return held / runs, found / runs
