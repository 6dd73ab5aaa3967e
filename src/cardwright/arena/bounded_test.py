"""The sequential test of a match: of what it is, and how far from 0 the value of a deal can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.plan import PlanError
from cardwright.arena.shares import difference_bounds

if TYPE_CHECKING:
    from cardwright.arena.deals import DealArrays
    from cardwright.arena.findings import BoundBasis, Measure
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.score_range import ScoreRange
    from cardwright.statistics.sample import Values
    from cardwright.statistics.sequential import SequentialTest, Verdict
    from cardwright.statistics.ties import Ties


class UnboundedTestError(PlanError):
    """A test whose values have no known bounds, or hypotheses beyond them: nothing would hold."""

    wrong_call = True


@dataclass(frozen=True)
class BoundedTest:
    """A sequential test of what is measured, with a bound, and how that is known."""

    test: SequentialTest
    measure: Measure
    basis: BoundBasis

    @classmethod
    def of(
        cls,
        test: SequentialTest,
        measure: Measure,
        ties: Ties,
        plan: RunPlan,
        scores: ScoreRange | None,
    ) -> BoundedTest:
        """Return a test between entrants 0 and 1 of a plan: with its own bound, or what is known.

        `scores` is the range of the game's scores, if it is known. Raises UnboundedTestError where
        no bound is known, or if hypotheses are out of it.
        """
        if test.bound is not None:
            return cls(test, measure, "stated")
        seats = np.array(plan.tables, dtype=np.int64)
        basis: BoundBasis
        if measure == "win":
            bounds, basis = difference_bounds(seats, 0, 1, ties), "shares"
        elif scores is not None:
            bounds, basis = scores.difference_bounds(seats, 0, 1), scores.basis
        else:
            raise UnboundedTestError(
                "a test of points needs to know how much a deal can be worth, and no range of "
                f"scores of {plan.game.name} is proved from its rules or declared in the file "
                "beside it: state the bound (--bound POINTS), declare the range ([[scores]] in its "
                "TOML file), or test shares of the wins, which have bounds (--measure win)"
            )
        try:
            bounded = replace(test, bound=max(map(abs, bounds)))
        except ValueError as error:
            raise UnboundedTestError(str(error)) from None
        return cls(bounded, measure, basis)

    def __str__(self) -> str:
        return f"{self.test} of the {self.measure}"

    def verdict(self, deals: DealArrays, values: Values) -> Verdict:
        """Return the verdict on these values, one per deal; raises PlanError beyond the bound."""
        looks = self.test.looks(len(deals) + deals.left_out)
        counts = np.searchsorted(deals.numbers, looks)
        try:
            return self.test.judge(values, looks, counts)
        except ValueError as error:
            raise PlanError(f"the sequential test cannot go on: {error}") from None
