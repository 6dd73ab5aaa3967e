"""Findings of a contest: standings, seats, differences, the test's verdict, the matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.arena.bounds import difference_bounds, share_estimate, win_bounds
from cardwright.arena.plan import PlanError
from cardwright.statistics.intervals import LEVEL, mean_interval

if TYPE_CHECKING:
    from cardwright.arena.bounds import RangeBasis, ScoreRange
    from cardwright.arena.deals import DealArrays
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.schedule import Seating
    from cardwright.statistics.intervals import Estimate, Values
    from cardwright.statistics.sequential import SequentialTest, Verdict
    from cardwright.statistics.ties import Ties

Measure: TypeAlias = Literal["score", "win"]
"""What is measured: the score of a game, or the share of the win."""


BoundBasis: TypeAlias = "RangeBasis | Literal['stated', 'shares']"
"""How the bound of a test is known: it follows from a range of scores, somebody states it, or the
test is of shares of wins, which have bounds."""


def recorded(estimate: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate as a JSON object, null for none."""
    return None if estimate is None else estimate.record()


@dataclass(frozen=True)
class EntrantStanding:
    """What one entrant got in a game with others, on average, and how it behaved in all games.

    An entrant that met only copies of itself has estimates of no deals. `places` are the
    shares of its seats that came first, second... (`DealArrays.places`); None if no deal counts.
    `seats` is the number of seats it sat in, `decisions` and `faults` are its counts there,
    `seconds` is the average time of a decision, None if that was not kept. `over_field` is its
    score minus that of the field at the same tables, for a ladder only. The intervals of `score`
    and `over_field` are Student's; `score_guaranteed` and `over_field_guaranteed` are those by
    betting, where the range of scores is known.
    """

    entrant: str
    score: Estimate
    win: Estimate
    places: tuple[float, ...] | None
    seats: int
    decisions: int
    faults: int
    seconds: float | None = None
    over_field: Estimate | None = None
    score_guaranteed: Estimate | None = None
    over_field_guaranteed: Estimate | None = None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "entrant": self.entrant,
            "score": self.score.record(),
            "score_guaranteed": recorded(self.score_guaranteed),
            "win_share": self.win.record(),
            "places": None if self.places is None else list(self.places),
            "seats": self.seats,
            "decisions": self.decisions,
            "faults": self.faults,
            "seconds_per_decision": self.seconds,
            **(
                {
                    "over_field": self.over_field.record(),
                    "over_field_guaranteed": recorded(self.over_field_guaranteed),
                }
                if self.over_field
                else {}
            ),
        }


@dataclass(frozen=True)
class SeatEffect:
    """What a seat is worth, whoever sits there: its score minus the mean of its table, and wins.

    `effect_guaranteed` is as in `EntrantStanding`.
    """

    seat: int
    effect: Estimate
    win: Estimate
    effect_guaranteed: Estimate | None = None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "seat": self.seat,
            "score_effect": self.effect.record(),
            "score_effect_guaranteed": recorded(self.effect_guaranteed),
            "win_share": self.win.record(),
        }


@dataclass(frozen=True)
class Difference:
    """By how much one entrant's score and share of wins exceed another's, paired by deal.

    `gain` is what duplicate deals gain for the score: see `DealArrays.duplicate_gain`.
    `score_guaranteed` is as in `EntrantStanding`.
    """

    one: int
    other: int
    score: Estimate
    win: Estimate
    gain: Estimate | None
    score_guaranteed: Estimate | None = None

    def turned(self) -> Difference:
        """Return the difference the other way round."""
        guaranteed = self.score_guaranteed
        return replace(
            self,
            one=self.other,
            other=self.one,
            score=self.score.negated(),
            win=self.win.negated(),
            score_guaranteed=None if guaranteed is None else guaranteed.negated(),
        )

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "one": self.one,
            "other": self.other,
            "score": self.score.record(),
            "score_guaranteed": recorded(self.score_guaranteed),
            "win_share": self.win.record(),
            "duplicate_gain": recorded(self.gain),
        }


@dataclass(frozen=True)
class TestedDifference:
    """A sequential test's verdict on how much better the first entrant is than the second.

    `estimate` is the mean of the same values over all deals that were played. It is not the test's:
    if a test has stopped early, it is biased away from the rejected hypothesis. `bound_basis` says
    how the test's bound is known.
    """

    test: SequentialTest
    measure: Measure
    verdict: Verdict
    estimate: Estimate
    bound_basis: BoundBasis

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "measure": self.measure,
            "h0": self.test.h0,
            "h1": self.test.h1,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "bound_basis": self.bound_basis,
            "verdict": self.verdict.record(),
            "estimate": self.estimate.record(),
        }


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


MEASURES = ("score", "win")
"""What a game is worth: its score, or the share of the win."""


@dataclass(frozen=True)
class Matrix:
    """What the entrant of a row gets in a game against the one of the column.

    `kind` says what a cell is: `alone`, the mean of the row's entrant alone against copies of the
    column's (on the diagonal against copies of itself); or `difference`, the mean of the row's
    minus the column's in all games in which both sit. A cell is None where they never met.
    """

    kind: str
    measure: str
    cells: tuple[tuple[Estimate | None, ...], ...]

    def means(self) -> list[list[float]]:
        """Return the means alone; NaN where there is none."""
        return [[float("nan") if cell is None else cell.mean for cell in row] for row in self.cells]

    def _repr_html_(self) -> str:
        from cardwright.arena.displays import matrix_html

        return matrix_html(self)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "kind": self.kind,
            "measure": self.measure,
            "cells": [[None if cell is None else cell.record() for cell in row]
                      for row in self.cells],
        }  # fmt: skip


def alone_matrix(deals: DealArrays, measure: str, level: float = LEVEL) -> Matrix:
    """Return what each entrant gets alone against copies of each other entrant, and of itself.

    Its share of wins among copies of itself has no interval where shared wins are fractions: it is
    the same in every game.
    """
    many = deals.entrants
    cells = np.array([_alone(table, many) for table in deals.tables], dtype=np.int64)
    values = deals.means(deals.column(measure), cells[deals.table], many * many)
    least, most = win_bounds(cells, many * many, deals.ties)

    def cell(place: int) -> Estimate | None:
        here = values[:, place]
        here = here[~np.isnan(here)]
        if not len(here):
            return None
        if measure == "win":
            return share_estimate(here, least[place], most[place], level)
        return mean_interval(here, level)

    return Matrix(
        "alone",
        measure,
        tuple(tuple(cell(row * many + column) for column in range(many)) for row in range(many)),
    )


def difference_matrix(deals: DealArrays, measure: str, level: float = LEVEL) -> Matrix:
    """Return the mean difference of each pair of entrants in the games in which both sit."""
    many = deals.entrants
    cells: list[list[Estimate | None]] = [[None] * many for _ in range(many)]
    for row in range(many):
        for column in range(row):
            values = deals.difference(measure, row, column)
            values = values[~np.isnan(values)]
            if len(values):
                if measure == "win":
                    bounds = deals.difference_bounds(row, column)
                    estimate = share_estimate(values, *bounds, level)
                else:
                    estimate = mean_interval(values, level)
                cells[row][column], cells[column][row] = estimate, estimate.negated()
    return Matrix("difference", measure, tuple(map(tuple, cells)))


def _alone(table: Seating, entrants: int) -> list[int]:
    """Return for each seat the number of its cell: row * entrants + column, or -1 for none."""
    kinds = set(table)
    if len(kinds) == 1:
        return [who * entrants + who for who in table]
    if len(kinds) > 2:
        return [-1] * len(table)
    return [
        who * entrants + next(iter(kinds - {who})) if table.count(who) == 1 else -1 for who in table
    ]
