"""What became of a candidate: its measures, or the step of the funnel at which it left, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.evolution.candidate import Candidate
    from cardwright.statistics.sample import Estimate


class FunnelStep(StrEnum):
    """The steps of the funnel, in order; each costs more than those before it."""

    VARY = "vary"
    CHECK = "check"
    TRY = "try"
    COMPARE = "compare"
    PLAY = "play"
    SEARCH = "search"


class DepartureReason(StrEnum):
    """Why a candidate left the funnel, as the report counts it."""

    NO_CHANGE = "no change passed the check"
    WARNED = "the rules have a new warning"
    BROKEN = "a game breaks a rule"
    ENDLESS = "a game does not end within the limits"
    TOO_LARGE = "a game has too many options, or takes too long"
    NO_CHOICES = "there is nothing to choose"
    IDLE = "an option does nothing"
    KNOWN = "it plays like one that is known"
    DEALT = "the deal decides"
    ONE_SEAT = "one seat always wins"
    DRAWN = "nobody ever wins"


@dataclass(frozen=True, slots=True)
class Departure:
    """Where and why a candidate left, with details such as the message of an error."""

    step: FunnelStep
    reason: DepartureReason
    detail: str = ""


@dataclass(frozen=True)
class Evaluated:
    """A candidate after the funnel.

    `candidate` is None if none could be made. `fingerprint` is the same for candidates that play
    alike; it is empty for those that left before it was taken. `measures` has what was measured, by
    the names of measures; each value is finite, and what could not be measured is not there. The
    outcome depends only on the candidate and the plan, not on the time it took.
    """

    candidate: Candidate | None
    departure: Departure | None = None
    fingerprint: str = ""
    measures: Mapping[str, Estimate] = field(default_factory=dict)
