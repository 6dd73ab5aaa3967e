"""Findings of a contest: standings, seats, differences, the test's verdict, the matrix."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from cardwright.arena.bounds import WinRange, share_estimate
from cardwright.arena.plan import PlanError
from cardwright.arena.settings import Measure
from cardwright.markup.lazy_display import shown_by
from cardwright.statistics.intervals import LEVEL, mean_interval

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.arena.bounds import RangeBasis, ScoreRange, SeatRange
    from cardwright.arena.deals import DealArrays
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.schedule import Seating
    from cardwright.statistics.intervals import Estimate, Values
    from cardwright.statistics.sequential import SequentialTest, Verdict
    from cardwright.statistics.ties import Ties

MEASURES: tuple[Measure, ...] = get_args(Measure)

BoundBasis: TypeAlias = "RangeBasis | Literal['stated', 'shares']"
"""How the bound of a test is known: it follows from a range of scores, somebody states it, or the
test is of shares of wins, which have bounds."""


class _Finding:
    """A value that is a JSON object by its fields; `NAMES` has those with another name there."""

    NAMES: ClassVar[Mapping[str, str]] = {}

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            self.NAMES.get(field.name, field.name): recorded(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
        }


def recorded(value: Any) -> Any:
    """Return a value as JSON has it; null for none."""
    if isinstance(value, tuple):
        return [recorded(item) for item in value]
    return value.record() if hasattr(value, "record") else value


@dataclass(frozen=True)
class EntrantStanding(_Finding):
    """What one entrant got in a game with others, on average, and how it behaved in all games.

    An entrant that met only copies of itself has estimates of no deals. `places` are the
    shares of its seats that came first, second... (`DealArrays.places`); None if no deal counts.
    `seats` is the number of seats it sat in, `decisions` and `faults` are its counts there,
    `seconds` is the average time of a decision, None if that was not kept. `over_field` is its
    score minus that of the field at the same tables, for a ladder only. The intervals of `score`
    and `over_field` are Student's; `score_guaranteed` and `over_field_guaranteed` are those by
    betting, where the range of scores is known.
    """

    NAMES: ClassVar[Mapping[str, str]] = {"win": "win_share", "seconds": "seconds_per_decision"}

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
        """Return this as a JSON object; only one of a ladder has what is over the field."""
        whole = super().record()
        if self.over_field is None:
            del whole["over_field"], whole["over_field_guaranteed"]
        return whole


@dataclass(frozen=True)
class SeatEffect(_Finding):
    """What a seat is worth, whoever sits there: its score minus the mean of its table, and wins.

    `effect_guaranteed` is as in `EntrantStanding`.
    """

    NAMES: ClassVar[Mapping[str, str]] = {
        "effect": "score_effect",
        "effect_guaranteed": "score_effect_guaranteed",
        "win": "win_share",
    }

    seat: int
    effect: Estimate
    win: Estimate
    effect_guaranteed: Estimate | None = None


@dataclass(frozen=True)
class Difference(_Finding):
    """By how much one entrant's score and share of wins exceed another's, paired by deal.

    `gain` is what duplicate deals gain for the score: see `DealArrays.duplicate_gain`.
    `score_guaranteed` is as in `EntrantStanding`.
    """

    NAMES: ClassVar[Mapping[str, str]] = {"win": "win_share", "gain": "duplicate_gain"}

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


# Sequential tests ---------------------------------------------------------------------------------


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
        values: SeatRange
        basis: BoundBasis
        if measure == "win":
            values, basis = WinRange(ties), "shares"
        elif scores is not None:
            values, basis = scores, scores.basis
        else:
            raise UnboundedTestError(
                "a test of points needs to know how much a deal can be worth, and no range of "
                f"scores of {plan.game.name} is proved from its rules or declared in the file "
                "beside it: state the bound (--bound POINTS), declare the range ([[scores]] in its "
                "TOML file), or test shares of the wins, which have bounds (--measure win)"
            )
        bounds = values.difference_bounds(np.array(plan.tables, dtype=np.int64), 0, 1)
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
        test = self.test
        return {
            "measure": self.measure,
            **{name: getattr(test, name) for name in ("h0", "h1", "alpha", "beta")},
            "bound_basis": self.bound_basis,
            "verdict": self.verdict.record(),
            "estimate": self.estimate.record(),
        }


# The payoff matrix --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matrix(_Finding):
    """What the entrant of a row gets in a game against the one of the column.

    `kind` says what a cell is: `alone`, the mean of the row's entrant alone against copies of the
    column's (on the diagonal against copies of itself); or `difference`, the mean of the row's
    minus the column's in all games in which both sit. A cell is None where they never met.
    """

    kind: str
    measure: Measure
    cells: tuple[tuple[Estimate | None, ...], ...]

    _repr_html_ = shown_by("cardwright.arena.displays", "matrix_html")

    def means(self) -> list[list[float]]:
        """Return the means alone; NaN where there is none."""
        return [[float("nan") if cell is None else cell.mean for cell in row] for row in self.cells]


def alone_matrix(deals: DealArrays, measure: Measure, level: float = LEVEL) -> Matrix:
    """Return what each entrant gets alone against copies of each other entrant, and of itself.

    Its share of wins among copies of itself has no interval where shared wins are fractions: it is
    the same in every game.
    """
    many = deals.entrants
    cells = np.array([_alone(table, many) for table in deals.tables], dtype=np.int64)
    values = deals.means(deals.column(measure), cells[deals.table], many * many)
    least, most = deals.wins.mean_bounds(cells, many * many)

    def cell(place: int) -> Estimate | None:
        return estimated(measure, values[:, place], (least[place], most[place]), level)

    rows = (range(row * many, (row + 1) * many) for row in range(many))
    return Matrix("alone", measure, tuple(tuple(map(cell, row)) for row in rows))


def difference_matrix(deals: DealArrays, measure: Measure, level: float = LEVEL) -> Matrix:
    """Return the mean difference of each pair of entrants in the games in which both sit."""
    many = deals.entrants
    cells: list[list[Estimate | None]] = [[None] * many for _ in range(many)]
    for row in range(many):
        for column in range(row):
            values = deals.difference(measure, row, column)
            estimate = estimated(measure, values, deals.difference_bounds(row, column), level)
            if estimate is not None:
                cells[row][column], cells[column][row] = estimate, estimate.negated()
    return Matrix("difference", measure, tuple(map(tuple, cells)))


def estimated(
    measure: Measure, values: Values, bounds: tuple[float, float], level: float = LEVEL
) -> Estimate | None:
    """Return the mean of what is measured, ignoring NaN; None for no values.

    `bounds` are those of a share of wins.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    return (
        share_estimate(known, *bounds, level) if measure == "win" else mean_interval(known, level)
    )


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
