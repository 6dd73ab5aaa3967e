"""Populations of which the mean is known: what intervals and tests are tried on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Generator = np.random.Generator

MOON = 26.0
"""How far off a rare deal is, in standard deviations of the others."""

CUT = 4.0
"""Where normal values are cut off that have to have bounds: beyond are 6 in 100,000."""


@dataclass(frozen=True)
class Population:
    """Independent values with a name, a kind, their mean, and a way to draw so many of them."""

    name: str
    kind: str
    mean: float
    draw: Callable[[Generator, int], Values]


def cut_normal(generator: Generator, count: int) -> Values:
    """Return normal values that are cut off, which leaves their mean where it is."""
    return np.clip(generator.normal(size=count), -CUT, CUT)


def rare(chance: float, lower: float = MOON, kind: str = "rare") -> Population:
    """Return normal values, cut off, of which some are lower."""

    def draw(generator: Generator, count: int) -> Values:
        return cut_normal(generator, count) - lower * (generator.random(count) < chance)

    return Population(f"{100 * chance:g} % are {lower:g} lower", kind, -lower * chance, draw)


def either(chance: float, one: float = 1.0, other: float = 0.0) -> Population:
    """Return values that are one number with a chance, and else another."""

    def draw(generator: Generator, count: int) -> Values:
        return np.where(generator.random(count) < chance, one, other)

    name = f"{one:g} in {100 * chance:g} %, else {other:g}"
    return Population(name, "constant", chance * one + (1 - chance) * other, draw)


LOTTERY = either(0.99, 1, -99)
"""A game that pays 1, or takes 99 once in 100 deals: the mean is 0, and hardly ever looks it."""

SCORES = (
    Population("normal", "normal", 0.0, lambda generator, n: generator.normal(size=n)),
    Population("exponential", "skewed", 1.0, lambda generator, n: generator.exponential(size=n)),
    Population(
        "lognormal", "skewed", float(np.exp(0.5)), lambda generator, n: generator.lognormal(size=n)
    ),
    rare(0.05),
    rare(0.01),
    either(0.9),
    either(0.9, 1, -9),
    either(1.0),
)
"""Scores, which nobody knows bounds of."""

RAREST = rare(0.001, 500.0, "rarest")
"""Scores of which so few are so far off that no number of deals in the tables is enough."""


def _lopsided(one: float, other: float) -> Population:
    """Return shares that are mostly near 1, and at times near 0."""
    return Population(
        f"beta({one:g}, {other:g})",
        "skewed",
        one / (one + other),
        lambda generator, n: generator.beta(one, other, n),
    )


def _of_four(chance: float) -> Population:
    return Population(
        f"quarters, mean {chance:g}",
        "normal",
        chance,
        lambda generator, n: generator.binomial(4, chance, n) / 4,
    )


SHARES = (
    either(0.5),
    _of_four(0.25),
    _of_four(0.9),
    _lopsided(0.4, 0.1),
    _lopsided(8, 0.4),
    _lopsided(1, 0.1),
    either(0.9),
    either(0.97),
    either(0.99),
    either(1.0),
)
"""Shares of wins of a deal, from 0 to 1."""

BOUNDED = (
    *((one, 0.0, 1.0) for one in SHARES),
    (LOTTERY, -99.0, 99.0),
    *((rare(chance), -32.0, 32.0) for chance in (0.05, 0.01)),
    (RAREST, -505.0, 505.0),
)
"""Populations with bounds that are known."""

COUNTS = (5, 10, 30, 100, 1_000)
"""Sample sizes in all tables."""
