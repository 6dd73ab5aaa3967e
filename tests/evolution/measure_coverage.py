"""How often the intervals of fairness and luck cover the truth; run this for the table."""

from __future__ import annotations

import math
import sys

import numpy as np

from cardwright.evolution.measures.estimates import seat_fairness, share_between
from cardwright.evolution.measures.evidence import REPEATS

SAMPLES = 2_000


def fairness_of(shares: list[float]) -> float:
    """The fairness of sides that win with these probabilities."""
    sides = len(shares)
    square = sum((one - 1 / sides) ** 2 for one in shares)
    return 1 - math.sqrt(square * sides / (sides - 1))


def fairness_found(
    shares: list[float], deals: int, samples: int, seed: int = 1
) -> tuple[float, float]:
    """The mean of the estimates, and how often the interval covers the truth."""
    random = np.random.default_rng(seed)
    found = [
        seat_fairness(random.multinomial(1, shares, size=deals).astype(float))
        for _ in range(samples)
    ]
    return _summary([one for one in found if one is not None], fairness_of(shares))


def luck_found(share: float, deals: int, samples: int, seed: int = 1) -> tuple[float, float]:
    """The same for luck, in games for two that are won with one of two chances, by the deal."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(samples):
        chance = 0.5 + math.sqrt(share) / 2 * random.choice([-1, 1], size=(deals, 1, 1))
        wins = (random.random((deals, REPEATS, 1)) < chance).astype(float)
        found.append(share_between(np.concatenate([wins, 1 - wins], axis=2)))
    return _summary([one for one in found if one is not None], share)


def _summary(found: list, truth: float) -> tuple[float, float]:
    covered = [one.low - 1e-9 <= truth <= one.high + 1e-9 for one in found]
    return float(np.mean([one.mean for one in found])), float(np.mean(covered))


def rows(samples: int) -> list[str]:
    """The rows of the table of docs/evolution-measures.md."""
    made = []
    cases = [[0.5, 0.5], [0.7, 0.3], [1 / 4] * 4, [0.3, 0.25, 0.25, 0.2], [0.55, 0.15, 0.15, 0.15]]
    for shares in cases:
        told = ", ".join(f"{one:.2f}" for one in shares)
        cells = [fairness_found(shares, deals, samples) for deals in (20, 200)]
        made.append(_row(f"fairness, sides win {told}", fairness_of(shares), cells))
    for share in (0.0, 0.2, 0.6, 0.9):
        cells = [luck_found(share, deals, samples) for deals in (20, 200)]
        made.append(_row("luck", share, cells))
    return made


def _row(name: str, truth: float, cells: list[tuple[float, float]]) -> str:
    told = " | ".join(f"{mean:.2f}, {100 * covered:.1f} %" for mean, covered in cells)
    return f"| {name} | {truth:.2f} | {told} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows(SAMPLES)) + "\n")
