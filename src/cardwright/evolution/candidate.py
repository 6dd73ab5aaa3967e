"""Candidates: rules made from other rules, how they were made, and what became of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping  # noqa: TC003 - candidates are read from files
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from cardwright.statistics.intervals import Estimate  # noqa: TC001 - so are estimates
from cardwright.syntax.diagnostic import Code


class ChangeFamily(StrEnum):
    """What a change is about; `--vary` names some of these, or `all`."""

    CONSTANTS = "constants"
    SCORING = "scoring"
    DECK = "deck"
    STEPS = "steps"


@dataclass(frozen=True, slots=True)
class CandidateChange:
    """One change of a text of rules, for people and for the lineage.

    `operator` is the name of what made it, such as `number`. `line` is counted from 1 in the
    parent's text. `before` and `after` are the texts of what was replaced and of what stands there
    now; the first is empty for what was added, the second for what was deleted. `source` names the
    game that the new text is from, if that is another.
    """

    operator: str
    family: ChangeFamily
    line: int
    before: str
    after: str
    source: str = ""


@dataclass(frozen=True)
class Candidate:
    """Rules that pass the check, in the formatter's layout, and where they come from.

    `parents` are the names of the candidates that it was made from; the original has none.
    `changes` lead from the text of the first parent to this one.
    """

    text: str
    parents: tuple[str, ...] = ()
    changes: tuple[CandidateChange, ...] = ()

    @cached_property
    def name(self) -> str:
        """Twelve hexadecimal digits that only this text has."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


ONLY_STYLE = frozenset(
    {
        Code.TRAILING_TEXT,
        Code.SHADOWING,
        Code.UNUSED_DEFINITION,
        Code.UNUSED_VARIABLE,
        Code.POINTLESS_ALLOW,
        Code.LABEL_OUTSIDE,
    }
)
"""Warnings about how rules are written. All others say that a part of the rules does not do what it
says: a condition that never holds, a value that nobody reads, a choice without options.
"""


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
