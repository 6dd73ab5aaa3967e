"""Choices: the options of a person's decision, with the cards that each names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.cards import Card


@dataclass(frozen=True)
class Choice:
    """One option: its index, the words for it, and the cards seen by the person that it names."""

    index: int
    words: str
    cards: tuple[Card, ...]
