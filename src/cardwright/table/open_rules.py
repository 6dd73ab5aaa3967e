"""Rules as far as all know what they look at: cards that lie open, and nothing that is drawn.

Where they go on, they go on alike in all worlds that differ in hidden cards only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.interpreter.cards import meanings
from cardwright.interpreter.effects import Pile, VirtualLocation
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.values import Meanings, condition
from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

    from cardwright.interpreter.stream import Item
    from cardwright.interpreter.world import Meaning, Result, World
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program


class DependsError(Exception):
    """What comes depends on something that not everybody sees."""


class OpenStream(Stream):
    """A stream of which only shuffles are drawn, after which nobody knows the order."""

    __slots__ = ()

    def next(self) -> int:
        """Raise DependsError: on what is drawn depends what comes."""
        raise DependsError

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Permute a list."""
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

    All do where it lies open, and where all hidden cards with its back lie in one place, by number.
    """
    place = world.where[card]
    if place.kind in OPEN_KINDS:
        return True
    if world.pile(place).ordered:
        return False
    cards = world.rules.program.cards
    return all(
        where == place or where.kind in OPEN_KINDS
        for other, where in zip(cards, world.where, strict=True)
        if other.back == cards[card].back
    )


class _NotedMeanings(Meanings):
    """Meanings that note whether cards are looked at."""

    looks = False

    def looked_at(self, found: Meaning[Result]) -> Meaning[Result]:
        """Return what is found."""
        self.looks = True
        return found


def open_course(program: Program) -> bool:
    """Return whether all know which decision comes next: it depends on no hidden cards or draws.

    Conditions at which a stage ends, or by which it is left out, look at open cards only.
    """
    nodes = list(program.nodes())
    forks = [
        node
        for node in nodes
        if isinstance(node, n.Fork)
        and any(isinstance(inner, n.Stage | n.Choice) for inner in n.walk(node))
    ]
    tests = [*(node.end for node in nodes if isinstance(node, n.Stage)), *(f.test for f in forks)]
    return all(_open(program, test) for test in tests)


def _open(program: Program, test: n.Node) -> bool:
    nodes = list(n.walk(test))
    if any(node.traits.draws for node in nodes):
        return False
    by = meanings(program, _NotedMeanings)
    condition(by, test)
    assert isinstance(by, _NotedMeanings)
    places = [node for node in nodes if isinstance(node, n.Place)]
    return not by.looks or all(node.place is LocationKind.VISIBLE for node in places)
