"""Notes: what a player reports about a decision, for the analysis of games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """How a player judged the options of a decision; None for what it does not know.

    Estimates are the share of the other seats that end up behind, from 0 (last) to 1 (first).
    `spread` is the best option's estimate minus the worst's, `average` the mean over the options,
    and `best` the best option's. `lead` has the estimate for every seat if the best option is
    taken. `iterations` is how many rollouts or searches it took.
    """

    spread: float | None = None
    average: float | None = None
    best: float | None = None
    lead: tuple[float, ...] | None = None
    iterations: int | None = None
