"""Events: what the person sees of a decision and its consequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.cards import Card


@dataclass(frozen=True)
class Event:
    """A decision as the person saw it.

    `number` counts decisions from 0; `words` is a sentence without the seat's name, as in
    `plays 5 of CLUBS`. `cards` are those it moved that the person sees. `changes` are sentences
    about what followed before the next decision: a trick taken, cards dealt, a score.
    """

    number: int
    seat: int
    words: str
    cards: tuple[Card, ...]
    changes: tuple[str, ...]
