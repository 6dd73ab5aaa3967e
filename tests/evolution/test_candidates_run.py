"""A sample of the candidates that `scripts/candidates` makes by the hundred thousand."""

from __future__ import annotations

import pytest

import candidates_run
from candidates_run import make
from cardwright.evolution.candidate import (
    Departure,
    DepartureReason as Reason,
    Evaluated,
    FunnelStep,
)
from cardwright.statistics.intervals import Estimate


@pytest.mark.parametrize(("game", "number"), [("leduc", 1), ("agram", 3)])
def test_candidates_of_library_games_come_through_or_leave(game: str, number: int) -> None:
    """Without an exception or a measure that is not finite."""
    batch = make(game, number, 5)
    assert batch.wrong == []
    assert batch.outcomes.total() == batch.candidates == 5


def test_the_same_number_makes_the_same_candidates() -> None:
    assert make("kuhn", 4, 2).outcomes == make("kuhn", 4, 2).outcomes


ORIGINAL = candidates_run.funnel_of("kuhn").original


class _Failing:
    """A funnel of which every candidate is wrong in some way."""

    def __init__(self, outcome: Evaluated | None) -> None:
        self.original = ORIGINAL
        self._outcome = outcome

    def evaluate(self, *_given: object) -> Evaluated:
        if self._outcome is None:
            raise KeyError("of a test")
        return self._outcome


NOT_FINITE = Evaluated(None, None, "x", {"luck": Estimate(0.5, None, float("nan"), 3)})
TRIED, COMPARED = (
    Evaluated(None, Departure(step, Reason.BROKEN)) for step in (FunnelStep.TRY, FunnelStep.PLAY)
)
WRONG = {
    "an exception": (None, "KeyError: 'of a test'"),
    "what is not finite": (NOT_FINITE, "luck is Estimate"),
    "no fingerprint": (COMPARED, "no fingerprint"),
    "no fingerprint yet": (TRIED, ""),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the rules, which are written to a file."""
    outcome, told = WRONG[case]
    monkeypatch.setattr(candidates_run, "funnel_of", lambda _: _Failing(outcome))
    batch = make("kuhn", 5, 1)
    assert [bool(told) and told in what for what, _ in batch.wrong] == [True] * bool(told)
    assert all("(game" in text for _, text in batch.wrong)


def test_a_slow_candidate_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates_run, "SLOW", 0.0)
    batch = make("kuhn", 6, 1)
    assert ["it took" in what for what, _ in batch.wrong] == [True]
