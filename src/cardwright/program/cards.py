"""Cards, seats and locations: what a program is about, as distinct types."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from collections.abc import Mapping

CardId = NewType("CardId", int)
"""The number of a card, in order of creation over all decks, from 0."""

Seat = NewType("Seat", int)
"""A player, from 0, however the file numbers them."""

OwnerId = NewType("OwnerId", int)
"""An owner: the players 0 to P-1, then the teams, then the table (see `Program.members`)."""


class LocationKind(StrEnum):
    """Who sees the cards of a location."""

    VISIBLE = "vloc"
    INVISIBLE = "iloc"
    HIDDEN = "hloc"
    OTHERS = "oloc"
    MEMORY = "mem"


OPEN_KINDS = (LocationKind.VISIBLE, LocationKind.MEMORY)
"""Kinds of locations whose cards everybody sees."""


class Location(NamedTuple):
    """A real location: its owner, kind, name, and `at`, the index among those of one name."""

    owner: OwnerId
    kind: LocationKind
    name: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its identity, its attributes in order of their keys' first use, and its back."""

    id: CardId
    attributes: Mapping[str, str]
    back: str

    def __hash__(self) -> int:
        return hash((self.id, self.back))
