"""Abstract evaluation of collections and of what variables hold; see `abstract_world`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.game import abstract_values as values
from cardwright.game.bounds import DOUBT, Bag, Truth
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.abstract_world import AbstractWorld

_MOST_COUNTED = 1_000


def items(known: AbstractWorld, node: n.Node) -> Sequence[Any] | None:
    """Return the items of a collection other than of cards, if they are known."""
    first = known.program.players if node.kind is ValueKind.TEAMS else 0
    match node:
        case n.Everyone():
            count = len(known.program.teams) if first else known.program.players
            cycle = (known.world.teams if first else known.world.players)[-1]
            left_out = cycle.current if node.others else None
            return [first + one for one in range(count) if one != left_out]
        case n.Range():
            low, high = values.number(known, node.low), values.number(known, node.high)
            if low.sure and high.sure and high.low - low.low < _MOST_COUNTED:
                return [Between(each, each) for each in range(low.low, high.low + 1)]
        case n.Strings(values=words):
            return words
        case n.Filter() if node.kind not in (ValueKind.LOCATION, ValueKind.LOCATIONS):
            candidates = items(known, node.collection)
            if candidates is None:
                return None
            passed = []
            for item in candidates:
                known.env[node.variable.slot] = item
                result = known.truth(node.test)
                if result is None:
                    return None
                passed += [item] if result else []
            return passed
    return None


def bound(known: AbstractWorld, kind: ValueKind, item: Any) -> Any:
    """Return what a variable of a kind holds for a picked item; DOUBT if unknown."""
    match kind:
        case ValueKind.INTEGER:
            return ANY_INTEGER if item is DOUBT else Between(item, item)
        case ValueKind.STRING:
            return None if item is DOUBT else item
        case ValueKind.TEAM:
            return DOUBT if item is DOUBT else known.program.players + item
        case ValueKind.LOCATION:
            if item is DOUBT:
                return known.anything
            return known.at(item) if isinstance(item, Location) else Bag(item, ordered=True)
    return item


def value(known: AbstractWorld, node: n.Node) -> Any:
    """Return what `let` binds."""
    match node.kind:
        case ValueKind.INTEGER:
            return values.number(known, node)
        case ValueKind.STRING:
            return values.text(known, node)
        case ValueKind.BOOLEAN:
            return known.truth(node)
        case ValueKind.LOCATION:
            return known.bag(node)
        case ValueKind.CARD:
            return values.card(known, node)
        case ValueKind.PLAYER | ValueKind.TEAM:
            return values.owner(known, node)
    return items(known, node)


def takes(known: AbstractWorld, node: n.Node, item: Any) -> Truth:
    """Return whether an item, as `any` picks it, is in a collection."""
    if item is DOUBT:
        return None
    if node.kind is ValueKind.LOCATION:
        return _has(known, node, item)
    if node.kind is ValueKind.LOCATIONS:
        return _takes_group(known, node, item)
    found = items(known, node)
    return None if found is None else bound(known, ITEM_KINDS[node.kind], item) in found


def _has(known: AbstractWorld, node: n.Node, card: CardId) -> Truth:
    """Return whether a card is in a location; for a filter this is quicker than its bag."""
    if not isinstance(node, n.Filter):
        return known.bag(node).has(card)
    held = _has(known, node.collection, card)
    if held is False:
        return False
    known.env[node.variable.slot] = card
    passed = known.truth(node.test)
    return held if passed else passed


def _takes_group(known: AbstractWorld, node: n.Node, group: Location | tuple[CardId, ...]) -> Truth:
    if isinstance(group, Location):
        return None
    match node:
        case n.Filter():
            if _takes_group(known, node.collection, group) is False:
                return False
            known.env[node.variable.slot] = Bag(group, ordered=True)
            return None if known.truth(node.test) is not False else False
        case n.Subsets():
            bag = known.bag(node.location)
            missing = any(bag.has(card) is False for card in group)
            return False if missing else None
    return None
