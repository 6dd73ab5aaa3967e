"""What locations mean: real piles, and groups made of real cards."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.effects import VirtualLocation
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.cards import Location, OwnerId
from cardwright.program.limits import MOST_CARDS, NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, World


def location(by: Meanings, node: n.Node) -> Meaning[Pile | VirtualLocation]:
    """Return the meaning of a location form: the pile, or the group it makes."""
    assert isinstance(node, n.LocationForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Place():
            return _place(by, node)
        case n.Filter():
            passing = by.filtered(node)
            return lambda world: VirtualLocation(passing(world))
        case n.Combine():
            return _combine(by, node)
        case n.Element():
            return _element(by, node)
        case n.Sequence():
            return _sequence(by, node)
        case n.EndRun():
            return _end_run(by, node)
        case n.Sort():
            cards = by.location(node.location)
            points = by.points(node.points)

            def in_order(world: World) -> VirtualLocation:
                score = points(world).of
                return VirtualLocation(sorted(cards(world).cards, key=score))

            return in_order
    assert_never(node)


def _place(by: Meanings, node: n.Place) -> Meaning[Pile]:
    """Return the pile at a place; names, owners and indices may be computed."""
    kind = node.place
    if isinstance(node.name, n.Text) and node.index is None:
        text = node.name.value
        if isinstance(node.owner, n.Table):
            fixed = Location(by.program.table, kind, text)
            return lambda world: world.pile(fixed)
        holder = by.owner(node.owner)
        return lambda world: world.pile(Location(OwnerId(holder(world)), kind, text))
    owner = by.owner(node.owner)
    name = by.string(node.name)
    index = by.integer(node.index) if node.index is not None else None

    def meaning(world: World) -> Pile:
        whose, called = OwnerId(owner(world)), name(world)
        return world.pile(Location(whose, kind, called, index(world) if index else 0))

    return meaning


def _combine(by: Meanings, node: n.Combine) -> Meaning[Pile | VirtualLocation]:
    """Union, intersection and disjunction, in order of first occurrence."""
    parts = by.locations(node.parts)
    operation = node.operation

    def meaning(world: World) -> VirtualLocation:
        lists = [part.cards for part in parts(world)]
        if operation is n.SetOperation.UNION:
            if sum(map(len, lists)) > MOST_CARDS:
                raise Fault("capacity", NO_ROOM, node.span)
            return VirtualLocation([card for cards in lists for card in cards])
        if operation is n.SetOperation.INTERSECT:
            first = lists[0] if lists else []
            common = set(first).intersection(*lists)
            return VirtualLocation([card for card in dict.fromkeys(first) if card in common])
        times = Counter(chain.from_iterable(lists))
        return VirtualLocation([card for card, number in times.items() if number == 1])

    return meaning


def _element(by: Meanings, node: n.Element) -> Meaning[Pile | VirtualLocation]:
    """Return an element of a set of locations: its first is its top."""
    members = by.members(node.locations)
    index = node.index

    def meaning(world: World) -> Pile | VirtualLocation:
        found = members(world)
        if not found or index >= len(found):
            raise Fault(
                "position", f"a set of {len(found)} locations has no such element", node.span
            )
        return found[index]

    return meaning


def _sequence(by: Meanings, node: n.Sequence) -> Meaning[Pile | VirtualLocation]:
    """Return the n topmost cards, topmost first, or the n lowest in list order."""
    count = by.integer(node.count)
    cards = by.location(node.location)
    top = node.top

    def meaning(world: World) -> VirtualLocation:
        wanted = count(world)
        held = cards(world).cards
        if not 0 <= wanted <= len(held):
            raise Fault("length", f"there are {len(held)} cards, not {wanted}", node.span)
        if top:
            return VirtualLocation(held[len(held) - wanted :][::-1])
        return VirtualLocation(held[:wanted])

    return meaning


def _end_run(by: Meanings, node: n.EndRun) -> Meaning[Pile | VirtualLocation]:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = by.integer(node.least)
    points = by.points(node.points)
    cards = by.location(node.location)
    top = node.top

    def meaning(world: World) -> VirtualLocation:
        shortest = max(least(world), 1)
        score = points(world).of
        held = cards(world).cards
        scores = list(map(score, reversed(held) if top else held))
        longest = _run_length(scores)
        if longest < shortest:
            return VirtualLocation([])
        run = held[-longest:] if top else held[:longest]
        return VirtualLocation(sorted(run, key=score))

    return meaning


def _run_length(scores: Sequence[int]) -> int:
    """Return how many of the first scores, at most, are consecutive in some order.

    Of different scores, so many are consecutive whose extremes are so far apart.
    """
    longest = 0
    low = high = scores[0] if scores else 0
    seen: set[int] = set()
    for length, score in enumerate(scores, 1):
        if score in seen:
            break
        seen.add(score)
        low, high = min(low, score), max(high, score)
        if high - low == length - 1:
            longest = length
    return longest
