"""What locations mean: real piles, and groups made of real cards."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from cardwright.interpreter import collections, integers, owners, storages
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.world import Pile, VirtualLocation
from cardwright.program import nodes as n
from cardwright.program.cards import Location, OwnerId
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS, NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program

    Holder: TypeAlias = Callable[[World], Pile | VirtualLocation]


def location(program: Program, node: n.Node) -> Holder:
    """Return the meaning of a location form: the pile, or the group it makes."""
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Place():
            return place(program, node)
        case n.Filter():
            passing = collections.filtered(program, node)
            return lambda world: VirtualLocation(passing(world))
        case n.Combine():
            return _combine(program, node)
        case n.Element():
            return _element(program, node)
        case n.Sequence():
            return _sequence(program, node)
        case n.EndRun():
            return _end_run(program, node)
        case n.Sort():
            cards = location(program, node.location)
            points = storages.points(program, node.points)

            def in_order(world: World) -> VirtualLocation:
                score = points(world).of
                return VirtualLocation(sorted(cards(world).cards, key=score))

            return in_order
    raise AssertionError(node)


def place(program: Program, node: n.Place) -> Callable[[World], Pile]:
    """Return the pile at a place; names, owners and indices may be computed."""
    kind = node.place
    if isinstance(node.name, n.Text) and node.index is None:
        text = node.name.value
        if isinstance(node.owner, n.Table):
            fixed = Location(program.table, kind, text)
            return lambda world: world.pile(fixed)
        holder = owners.owner(program, node.owner)
        return lambda world: world.pile(Location(OwnerId(holder(world)), kind, text))
    owner = owners.owner(program, node.owner)
    name = storages.string(program, node.name)
    index = integers.integer(program, node.index) if node.index is not None else None

    def meaning(world: World) -> Pile:
        whose, called = OwnerId(owner(world)), name(world)
        return world.pile(Location(whose, kind, called, index(world) if index else 0))

    return meaning


def _combine(program: Program, node: n.Combine) -> Holder:
    """Union, intersection and disjunction, in order of first occurrence."""
    parts = _parts(program, node.parts)
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


def _parts(
    program: Program, nodes: tuple[n.Node, ...]
) -> Callable[[World], list[Pile | VirtualLocation]]:
    """Return the locations of several forms, or of one form that gives a set of them."""
    if len(nodes) == 1 and nodes[0].kind is ValueKind.LOCATIONS:
        return collections.members(program, nodes[0])
    parts = [location(program, node) for node in nodes]
    return lambda world: [part(world) for part in parts]


def partition_parts(program: Program, nodes: tuple[n.Node, ...]) -> Callable[[World], list[CardId]]:
    """Return all cards of the locations of a partition, in order."""
    parts = _parts(program, nodes)
    return lambda world: [card for part in parts(world) for card in part.cards]


def _element(program: Program, node: n.Element) -> Holder:
    """Return an element of a set of locations: its first is its top."""
    members = collections.members(program, node.locations)
    index = node.index

    def meaning(world: World) -> Pile | VirtualLocation:
        found = members(world)
        if not found or index >= len(found):
            raise Fault(
                "position", f"a set of {len(found)} locations has no such element", node.span
            )
        return found[index]

    return meaning


def _sequence(program: Program, node: n.Sequence) -> Holder:
    """Return the n topmost cards, topmost first, or the n lowest in list order."""
    count = integers.integer(program, node.count)
    cards = location(program, node.location)
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


def _end_run(program: Program, node: n.EndRun) -> Holder:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = integers.integer(program, node.least)
    points = storages.points(program, node.points)
    cards = location(program, node.location)
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
