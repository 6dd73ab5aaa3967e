"""Parts of a contest's report: standings, seat effects, differences, a test's verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from cardwright.arena.score_range import RangeBasis
    from cardwright.statistics.sample import Estimate
    from cardwright.statistics.sequential import SequentialTest, Verdict

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
