"""Rules as far as all know what they look at: cards that lie open, and nothing that is drawn.

Where they go on, they go on alike in all worlds that differ in hidden cards only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.interpreter.effects import Pile, VirtualLocation
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.values import Meanings
from cardwright.program.cards import OPEN_KINDS

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

    from cardwright.interpreter.stream import Item, Words
    from cardwright.interpreter.world import Meaning, Result, World
    from cardwright.program.cards import CardId


class DependsError(Exception):
    """What comes depends on something that not everybody sees."""


class OpenStream(Stream):
    """A stream of which only shuffles are drawn; `drawn` says whether there was one so far."""

    __slots__ = ("drawn",)

    def __init__(self, words: Words, *, drawn: bool) -> None:
        self.words = words
        self.drawn = drawn

    def next(self) -> int:
        """Raise DependsError: on what is drawn depends what comes."""
        raise DependsError

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Permute a list, whose order nobody knows from now on."""
        self.drawn = True
        ordinary = Stream.at(self.words)
        ordinary.shuffle(items)
        self.words = ordinary.words


class OpenMeanings(Meanings):
    """Meanings by which rules look at no card that not everybody knows; see `_known`."""

    def looked_at(self, found: Meaning[Result]) -> Meaning[Result]:
        """Return what is found; to look at other cards raises DependsError."""

        def meaning(world: World) -> Result:
            result = found(world)
            if not all(_known(world, card) for card in _cards(result)):
                raise DependsError
            return result

        return meaning


def _cards(found: Any) -> Sequence[CardId]:
    """Return the cards of what a form gives: a card or none, a place, or several places."""
    if isinstance(found, list):
        return [card for place in found for card in place.cards]
    if isinstance(found, Pile | VirtualLocation):
        return found.cards
    return () if found is None else (found,)


def _known(world: World, card: CardId) -> bool:
    """Return whether everybody knows which card it is.

    All do before anything was drawn, and where the card lies open. They also do where all hidden
    cards with its back lie in one place, by number.
    """
    stream, place = world.stream, world.where[card]
    if place.kind in OPEN_KINDS or not (isinstance(stream, OpenStream) and stream.drawn):
        return True
    if world.pile(place).ordered:
        return False
    cards = world.rules.program.cards
    return all(
        where == place or where.kind in OPEN_KINDS
        for other, where in zip(cards, world.where, strict=True)
        if other.back == cards[card].back
    )
