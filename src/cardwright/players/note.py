"""Notes: what a player reports of a decision, for the study of games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """How a player judged the options between which it chose; None for what it does not know.

    Estimates are shares of the other seats that are left behind, from 0 (last) to 1 (first).
    `spread` is that of the best option less that of the worst, `average` the mean over the options,
    and `best` that of the best. `lead` has for every seat the estimate if the best option is taken.
    `iterations` is how many rollouts or searches it took.
    """

    spread: float | None = None
    average: float | None = None
    best: float | None = None
    lead: tuple[float, ...] | None = None
    iterations: int | None = None
