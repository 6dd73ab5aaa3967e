"""Candidates: rules made from other rules, and how they were made."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


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
