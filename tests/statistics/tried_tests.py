"""Tests tried on populations: how often they err, and how many deals they take."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from populations import LOTTERY, Population, cut_normal, rare

from cardwright.statistics.sequential import SequentialTest

if TYPE_CHECKING:
    from collections.abc import Callable

    from populations import Generator, Values

DEALS = 4_000
"""Deals after which a test that is still undecided ends."""


@dataclass(frozen=True)
class Tried:
    """How a test fared where one hypothesis is true."""

    wrong: float
    undecided: float
    deals: float


def centred(population: Population, mean: float) -> Callable[[Generator, int], Values]:
    """Return a way to draw values of a population that is moved to another mean."""
    return lambda generator, count: population.draw(generator, count) - population.mean + mean


def tried(
    test: SequentialTest, population: Population, *, true: bool, runs: int, seed: int = 1
) -> Tried:
    """Return how often a test accepts what is wrong, where H1 is `true` or else H0."""
    generator = np.random.default_rng(seed)
    draw = centred(population, test.h1 if true else test.h0)
    found = [test.judge(draw(generator, DEALS), test.looks(DEALS)) for _ in range(runs)]
    answers = [one.accepted for one in found]
    return Tried(
        answers.count("H0" if true else "H1") / runs,
        answers.count("undecided") / runs,
        float(np.mean([one.deals for one in found])),
    )


def by_the_ratio(test: SequentialTest, values: Values) -> tuple[str, int]:
    """Return what the usual sequential probability ratio test says, with the spread seen so far.

    That is what the test by betting is compared with.
    """
    counts = np.arange(1, len(values) + 1)
    shifted = values - (test.h0 + test.h1) / 2
    sums, squares = np.cumsum(shifted), np.cumsum(shifted**2)
    spread = (squares - sums**2 / counts) / np.maximum(counts - 1, 1)
    looks = test.looks(len(values))
    ratio = (test.h1 - test.h0) * sums[looks - 1] / np.maximum(spread[looks - 1], 1e-300)
    high, low = log((1 - test.beta) / test.alpha), log(test.beta / (1 - test.alpha))
    over = np.flatnonzero((ratio >= high) | (ratio <= low))
    if not len(over):
        return "undecided", len(values)
    return ("H1" if ratio[over[0]] >= high else "H0"), int(looks[over[0]])


def tried_by_the_ratio(
    test: SequentialTest, population: Population, *, true: bool, runs: int, seed: int = 1
) -> Tried:
    """Return the same of the usual test."""
    generator = np.random.default_rng(seed)
    draw = centred(population, test.h1 if true else test.h0)
    answers, deals = zip(
        *(by_the_ratio(test, draw(generator, DEALS)) for _ in range(runs)), strict=True
    )
    wrong = answers.count("H0" if true else "H1") / runs
    return Tried(wrong, answers.count("undecided") / runs, float(np.mean(deals)))


NORMAL = Population("normal", "normal", 0.0, cut_normal)
PLAYED = (
    (NORMAL, (5.0, 32.0)), (rare(0.01), (32.0,)), (rare(0.02), (32.0,)), (rare(0.05), (32.0,)),
    (LOTTERY, (99.0, 200.0)),
)  # fmt: skip
"""What sequential tests are tried on, and with which bounds."""


def table(runs: int) -> list[tuple[str, ...]]:
    """Return rows of errors and deals, of both tests, for hypotheses near and far."""
    rows = []
    for population, bounds in PLAYED:
        for step in (0.1, 0.3, 1.0):
            for bound in bounds:
                test = SequentialTest(0.0, step, bound=bound)
                cells = []
                for how in (tried, tried_by_the_ratio):
                    h0, h1 = (how(test, population, true=true, runs=runs) for true in (False, True))
                    cells += [
                        f"{100 * h0.wrong:.1f}", f"{100 * h1.wrong:.1f}",
                        f"{(h0.deals + h1.deals) / 2:,.0f}",
                    ]  # fmt: skip
                rows.append((population.name, f"{step:g}", f"{bound:g}", *cells))
    return rows
