"""How often intervals cover the truth, by simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from populations import Population, Values

    from cardwright.statistics.intervals import Estimate

_CLOSE = 1e-9


@dataclass(frozen=True)
class Coverage:
    """The share of printed intervals that cover the truth, and the share of samples with one.

    `width` is the median of their widths.
    """

    covered: float
    printed: float
    width: float = float("nan")

    def __str__(self) -> str:
        if not self.printed:
            return "none"
        shown = f"{100 * self.covered:.1f}"
        return (
            shown if self.printed > 0.9995 else f"{shown} (of {100 * self.printed:.0f} % printed)"
        )


def coverage(
    interval: Callable[[Values], Estimate],
    population: Population,
    count: int,
    runs: int,
    seed: int = 1,
) -> Coverage:
    """Return how often an interval from so many values covers their population's mean."""
    generator = np.random.default_rng([seed, count])
    covered = 0
    widths = []
    for _ in range(runs):
        found = interval(population.draw(generator, count))
        if found.low is None or found.high is None:
            continue
        widths.append(found.high - found.low)
        covered += found.low - _CLOSE <= population.mean <= found.high + _CLOSE
    printed = len(widths)
    width = float(np.median(widths)) if widths else float("nan")
    return Coverage(covered / max(printed, 1), printed / runs, width)
