"""Leaving the funnel: the signal within it, and what a fault of a game means for a candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import Departure, DepartureReason, FunnelStep

if TYPE_CHECKING:
    from cardwright.game.errors import GameError
    from cardwright.interpreter.world import Fault
    from cardwright.program.program import Program

_REASONS = {
    "steps": DepartureReason.ENDLESS,
    "decisions": DepartureReason.ENDLESS,
    "capacity": DepartureReason.TOO_LARGE,
    "depth": DepartureReason.TOO_LARGE,
}
"""Why a candidate leaves, by the rule that a game broke; it is broken by all others."""


class LeftError(Exception):
    """A candidate has left the funnel; `Funnel.evaluate` returns the departure."""

    def __init__(self, step: FunnelStep, reason: DepartureReason, detail: str = "") -> None:
        super().__init__(detail)
        self.departure = Departure(step, reason, detail)


def left_by_fault(step: FunnelStep, fault: Fault, program: Program) -> LeftError:
    """Return how a candidate leaves for a rule that one of its games broke."""
    line = program.source.position(fault.span.start).line
    return _left(step, fault.rule, fault.message, line)


def left_by_error(step: FunnelStep, error: GameError) -> LeftError:
    """Return the same for the error of a game."""
    return _left(step, error.rule, error.reason, error.place.line)


def _left(step: FunnelStep, rule: str, message: str, line: int) -> LeftError:
    detail = f"line {line}: {message} ({rule})"
    return LeftError(step, _REASONS.get(rule, DepartureReason.BROKEN), detail)
