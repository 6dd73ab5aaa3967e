"""Lists of cards made in the arena."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ZERO,
    add,
    compare,
    const,
    mul,
    offset,
    sub,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import (
    card_sets,
    collections,
    conditions,
    integers,
    locations,
    piles,
    points,
    position_sets,
    run_sets,
    vectors,
)
from cardwright.compiler.lower.lowered_values import (
    CardList,
    Cards,
    CardSet,
    LoweredPile,
    PositionSet,
    RunSet,
    UnionView,
)
from cardwright.compiler.lower.lowering import LIST, Lowering, card_address, card_at
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS, MOST_ITEMS, NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def listed(low: Lowering, node: n.Node) -> CardList:
    """Return the cards of a location as a new list."""
    if isinstance(node, n.Combine) and node.operation is n.SetOperation.UNION:
        return _union(low, node)
    if not isinstance(node, n.Filter | n.Sequence):
        held = locations.location(low, node)
        with new_list(low, node) as (push, result), locations.each_in(low, held, node) as card:
            push(card)
        return result
    if isinstance(node, n.Filter) and low.analysis.noticed(node, node.test):
        with (
            new_list(low, node) as (push, result),
            collections.each(low, node.collection, node.variable) as card,
        ):
            assert isinstance(card, ir.Expr)
            low.rounds(node)
            with low.b.when(conditions.tested(low, node.test)):
                push(card)
        return result
    with new_list(low, node) as (push, result), locations.each_card(low, node) as card:
        push(card)
    return result


@contextmanager
def new_list(low: Lowering, node: n.Node) -> Iterator[tuple[Callable[[ir.Expr], None], CardList]]:
    """Open a new list; yields the function that adds a card to it, and the list itself."""
    most = most_cards(low, node)
    width = low.layout.card_bytes
    base = low.reserve(8 + most * width + 24, node.span)
    first = low.b.let(low.arena(base, 8), "list")
    count = low.b.variable(ZERO, "length")

    def push(card: ir.Expr) -> None:
        if most == MOST_CARDS:
            low.check(compare(Rel.GE, count, const(most)), "capacity", NO_ROOM, node.span)
        low.b.add(ir.Store(card_address(low, first, count), card, width, "card"))
        low.b.set(count, add(count, const(1)))

    yield push, CardList(base)
    low.b.add(ir.Store(low.arena(base), count, 8, LIST))
    low.give_back(add(add(base, const(24)), mul(count, const(width))))


def most_cards(low: Lowering, node: n.Node) -> int:
    """Return how many cards a location can have at most."""
    match node:
        case n.Place():
            return low.layout.capacity
        case n.Filter(collection=inner):
            return most_cards(low, inner)
        case n.Sequence(location=inner) | n.EndRun(location=inner) | n.Sort(location=inner):
            return most_cards(low, inner)
        case n.Variable() if low.analysis.is_real(node):
            return low.layout.capacity
        case n.Combine(parts=parts):
            total = 0
            for part in parts:
                if part.kind is ValueKind.LOCATION:
                    total += most_cards(low, part)
                elif isinstance(part, n.EachLocation) and isinstance(part.collection, n.Everyone):
                    total += low.program.players * most_cards(low, part.location)
                else:
                    return MOST_CARDS
            return min(total, MOST_CARDS)
    return MOST_CARDS


def _union(low: Lowering, node: n.Combine) -> CardList:
    """Return all cards of several locations, in order."""
    if len(node.parts) == 1 and node.parts[0].kind is ValueKind.LOCATIONS:
        part = node.parts[0]
        vector = None if low.analysis.pure(part) else vectors.members(low, part)
        with new_list(low, node) as (push, result):
            if vector is None:
                with (
                    collections.each_location(low, part) as held,
                    locations.each_in(low, held, node) as card,
                ):
                    push(card)
            else:
                with (
                    vectors.each_of_vector(low, vector) as value,
                    locations.each_in(low, vectors.as_location(low, vector, value), node) as card,
                ):
                    push(card)
        return result
    if all(low.analysis.pure(part) for part in node.parts):
        with new_list(low, node) as (push, result):
            for part in node.parts:
                with locations.each_card(low, part) as card:
                    push(card)
        return result
    found = [locations.location(low, part) for part in node.parts]
    with new_list(low, node) as (push, result):
        for held in found:
            with locations.each_in(low, held, node) as card:
                push(card)
    return result


def combined(low: Lowering, node: n.Combine) -> CardList:
    """Return an intersection or a disjunction, in order of first occurrence."""
    parts = parts_vector(low, node.parts, node)
    kernel = "intersect" if node.operation is n.SetOperation.INTERSECT else "disjoin"
    return CardList(low.made(kernel, node.span, parts))


def parts_vector(low: Lowering, parts: tuple[n.Node, ...], node: n.Node) -> ir.Expr:
    """Return a vector of lists: the cards of each of several locations."""
    if len(parts) == 1 and parts[0].kind is ValueKind.LOCATIONS:
        inner = vectors.members(low, parts[0])
        base = low.reserve(8 * (MOST_ITEMS + 2), node.span)
        count = low.b.variable(ZERO, "parts")
        low.give_back(add(add(base, const(16)), mul(vectors.vector_length(low, inner), const(8))))
        with vectors.each_of_vector(low, inner) as value:
            held = vectors.as_location(low, inner, value)
            copy = copied(low, held, node)
            low.b.add(ir.Store(offset(low.arena(base, 8), mul(count, const(8))), copy.at, 8, LIST))
            low.b.set(count, add(count, const(1)))
        low.b.add(ir.Store(low.arena(base), count, 8, LIST))
        return base
    base = low.reserve(8 * (len(parts) + 1), node.span)
    low.b.add(ir.Store(low.arena(base), const(len(parts)), 8, LIST))
    for at, part in enumerate(parts):
        held = locations.location(low, part)
        copy = copied(low, held, node)
        low.b.add(ir.Store(low.arena(base, 8 + 8 * at), copy.at, 8, LIST))
    return base


def copied(low: Lowering, held: Cards, node: n.Node) -> CardList:
    """Return a new list with the cards of a location."""
    if isinstance(held, CardSet):
        return card_sets.written_out(low, held, node)
    if isinstance(held, PositionSet):
        return position_sets.written_out(low, held, node)
    if isinstance(held, RunSet):
        return run_sets.written_out(low, held, node)
    if isinstance(held, UnionView):
        return copied(low, locations.location(low, held.node), held.node)
    if isinstance(held, LoweredPile) and not piles.is_pile(held):
        return piles.spread(low, held, node.span)
    base, count = locations.array(low, held, node), locations.length(low, held)
    return CardList(low.made("copy_list", node.span, base, count))


def element(low: Lowering, node: n.Element) -> Cards:
    """Return an element of a set of locations: its first is its top."""
    vector = vectors.members(low, node.locations)
    count = vectors.vector_length(low, vector)
    index = const(node.index) if node.index >= 0 else sub(count, const(1))
    low.check(
        compare(Rel.UGE, index, count),
        "position",
        "a set of {a} locations has no such element",
        node.span,
        count,
    )
    return vectors.as_location(low, vector, vectors.item(low, vector, index))


def scores_of(low: Lowering, held: CardList, worth: points.Worth, node: n.Node) -> ir.Expr:
    """Return the address of the scores of a list's cards, 8 bytes each."""
    base, count = locations.array(low, held, node), locations.length(low, held)
    at = low.made("reserve_words", node.span, count)
    scores = low.b.let(low.arena(at), "scores")
    with low.b.count(count) as position:
        score = worth(card_at(low, base, position))
        low.b.add(ir.Store(offset(scores, mul(position, const(8))), score, 8, LIST))
    return scores


def in_order(low: Lowering, node: n.Sort) -> CardList:
    """Return the cards in ascending order of points; equal ones keep their order."""
    worth = points.worth(low, node.points)
    held = copied(low, locations.location(low, node.location), node)
    scores = scores_of(low, held, worth, node)
    args = (locations.array(low, held, node), scores, locations.length(low, held))
    low.made("sort_cards", node.span, *args)
    return held


def end_run(low: Lowering, node: n.EndRun) -> CardList:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = integers.clamp(low, integers.integer(low, node.least), 1)
    worth = points.worth(low, node.points)
    held = copied(low, locations.location(low, node.location), node)
    scores = scores_of(low, held, worth, node)
    args = (locations.array(low, held, node), scores, locations.length(low, held), least)
    return CardList(low.made("end_run", node.span, *args, const(int(node.top))))
