"""Notes: what a player reports about a decision, for the analysis of games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """How a player judged the options of a decision; None for what it does not know.

    Estimates are the share of the other seats that end up behind, from 0 (last) to 1 (first).
    `spread` is the best option's estimate minus the worst's, `average` the mean over the options,
    and `best` the best option's. `lead` has the estimate for every seat if the best option is
    taken. `iterations` is how many rollouts or searches it took, of all options together.

    The best of several noisy estimates is on average too high, and the worst too low (Smith and
    Winkler 2006, "The optimizer's curse"), so that `spread` is too large by chance, the more so the
    fewer the rollouts. `held_out_spread` is not: by one half of the rollouts the best and the worst
    option are chosen, by the other their difference is estimated; it is the mean of this and the
    same with the halves swapped (the double estimator of van Hasselt 2010, "Double Q-learning"). It
    is too small on average, as the options chosen may not be those that differ most. So what more
    and more rollouts would find is between the means of the two.

    `score_spread` is the difference of the highest and the lowest mean score among the options, in
    points, with the noise of `spread`.
    """

    spread: float | None = None
    average: float | None = None
    best: float | None = None
    lead: tuple[float, ...] | None = None
    iterations: int | None = None
    held_out_spread: float | None = None
    score_spread: float | None = None


SINGLE_NUMBERS = ("spread", "average", "best", "held_out_spread", "score_spread")
"""The members of a note that are one real number, or None."""
