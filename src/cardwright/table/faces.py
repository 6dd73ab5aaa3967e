"""Faces: how the cards of a game are named and drawn for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.wording.naming import DIGITS
from cardwright.game.wording.option_text import short_name
from cardwright.table.scene import CardFace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.program.cards import Card, CardId
    from cardwright.program.program import Program


class CardFaces:
    """Makes the faces of a game's cards, each once."""

    def __init__(self, program: Program, namer: PeopleNamer) -> None:
        self._cards = program.cards
        self._namer = namer
        self._known: dict[Card, CardFace] = {}

    def of(self, card: Card) -> CardFace:
        """Return the face of a card."""
        face = self._known.get(card)
        if face is None:
            rank, suit = card.attributes.get("RANK"), card.attributes.get("SUIT")
            face = self._known[card] = CardFace(
                id=int(card.id),
                name=self._namer.card(card),
                short=short_name(card, self._namer, symbols=True),
                rank=None if rank is None else DIGITS.get(rank, rank),
                suit=None if suit is None else suit.lower(),
                attributes=dict(card.attributes),
            )
        return face

    def all(self, cards: Iterable[Card]) -> tuple[CardFace, ...]:
        """Return the faces of cards."""
        return tuple(map(self.of, cards))

    def numbered(self, cards: Iterable[CardId]) -> tuple[CardFace, ...]:
        """Return the faces of cards by their numbers."""
        return tuple(self.of(self._cards[card]) for card in cards)
