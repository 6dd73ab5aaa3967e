"""What card references mean: as a card, as a source, and as a target of a move.

A reference to an empty location names no card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.effects import Pile, VirtualLocation
from cardwright.interpreter.meaning import FoundCard, MoveTarget
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, World
    from cardwright.program.cards import CardId


def card(by: Meanings, node: n.Node) -> Meaning[CardId | None]:
    """Return the card that a reference names, or None."""
    assert isinstance(node, n.CardForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.End(top=top):
            location = by.location(node.location)
            at = -1 if top else 0

            def end(world: World) -> CardId | None:
                cards = location(world).cards
                return cards[at] if cards else None

            return end
        case n.Actual(card=inner):
            return by.card(inner)
    found = by.source(node)

    def meaning(world: World) -> CardId | None:
        place = found(world)
        return place.card if place else None

    return meaning


def source(by: Meanings, node: n.Node) -> Meaning[FoundCard | None]:
    """Return where a reference finds its card, or None if there is no card."""
    assert isinstance(node, n.CardForm)
    match node:
        case n.Variable() | n.Actual():
            return _real(by.card(node))
        case n.End(top=top):
            location = by.location(node.location)

            def end(world: World) -> FoundCard | None:
                place = location(world)
                if not place.cards:
                    return None
                at = len(place.cards) - 1 if top else 0
                return FoundCard(place.cards[at], place, at)

            return end
        case n.Position():
            return _position(by, node)
        case n.BestCard():
            return _best(by, node)
    assert_never(node)


def _real(card: Meaning[CardId | None]) -> Meaning[FoundCard | None]:

    def meaning(world: World) -> FoundCard | None:
        found = card(world)
        if found is None:
            return None
        pile = world.piles[world.where[found]]
        return FoundCard(found, pile, pile.cards.index(found))

    return meaning


def _position(by: Meanings, node: n.Position) -> Meaning[FoundCard | None]:
    index = by.integer(node.index)
    location = by.location(node.location)

    def meaning(world: World) -> FoundCard | None:
        at = index(world)
        place = location(world)
        if not place.cards:
            return None
        if not 0 <= at < len(place.cards):
            raise Fault(
                "position",
                f"there is no position {at} among {len(place.cards)} cards",
                node.span,
            )
        return FoundCard(place.cards[at], place, at)

    return meaning


def _best(by: Meanings, node: n.BestCard) -> Meaning[FoundCard | None]:
    points = by.points(node.points)
    location = by.location(node.location)
    extreme = max if node.highest else min

    def meaning(world: World) -> FoundCard:
        score = points(world).of
        place = location(world)
        if not place.cards:
            raise Fault("no-card", "there is no card to choose the best from", node.span)
        best = extreme(map(score, place.cards))
        tied = list(dict.fromkeys(card for card in place.cards if score(card) == best))
        chosen = tied[0] if len(tied) == 1 else world.stream.one_of(tied)
        return FoundCard(chosen, place, place.cards.index(chosen))

    return meaning


def target(by: Meanings, node: n.Node) -> Meaning[MoveTarget]:
    """Return the place that a reference names as the target of a move."""
    match node:
        case n.End(top=top):
            location = by.location(node.location)
            position = None if top else 0
            return lambda world: MoveTarget(_target_pile(world, location(world), node), position)
        case n.Position():
            index = by.integer(node.index)
            location = by.location(node.location)

            def at_position(world: World) -> MoveTarget:
                position = index(world)
                return MoveTarget(_target_pile(world, location(world), node), position)

            return at_position
    found = by.source(node)

    def at_card(world: World) -> MoveTarget:
        place = found(world)
        if place is None:
            raise Fault("no-card", "there is no card to mark the place", node.span)
        return MoveTarget(_real_pile(place.found_in, node), place.at, place.card)

    return at_card


def _target_pile(world: World, place: Pile | VirtualLocation, node: n.End | n.Position) -> Pile:
    """Return the pile that a card is put into, if it can hold one."""
    pile = _real_pile(place, node)
    world.make_room(pile, node.location.span)
    return pile


def _real_pile(place: Pile | VirtualLocation, node: n.Node) -> Pile:
    if isinstance(place, VirtualLocation):
        raise Fault(
            "virtual-destination",
            "cards cannot be put into a virtual group; name a real location",
            node.span,
        )
    return place
