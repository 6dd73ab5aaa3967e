"""Choices: the options of a person's decision, with the cards that each names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.cards import Card


@dataclass(frozen=True)
class DescribedOption:
    """One option: its index, the words for it, and what it names.

    That are the cards that the person sees, and the seats of the players that it picks.
    """

    index: int
    words: str
    cards: tuple[Card, ...]
    players: tuple[int, ...] = ()
