"""Lists of items made in the arena."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    ZERO,
    add,
    compare,
    const,
    equal,
    mul,
    offset,
)
from cardwright.compiler.ir import Local, Rel
from cardwright.compiler.lower import (
    card_sets,
    collections,
    conditions,
    groups,
    piles,
    position_sets,
    run_sets,
)
from cardwright.compiler.lower.lowered_values import (
    CardList,
    Cards,
    CardSet,
    LoweredPile,
    PositionSet,
    RunSet,
    Value,
    Vector,
)
from cardwright.compiler.lower.lowering import LIST, Lowering
from cardwright.program import nodes as n
from cardwright.program.limits import MOST_ITEMS, NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.compiler.layout import PileForm
    from cardwright.program.cards import LocationKind


TOO_LONG = "this has {a:,} items, more than the 1,000,000 allowed"


def vector_length(low: Lowering, vector: Vector) -> ir.Expr:
    """Return the number of items of a vector."""
    return low.b.let(ir.Load(low.arena(vector.at), 8, tag=LIST), "length")


def item(low: Lowering, vector: Vector, at: ir.Expr) -> ir.Expr:
    """Return the integer at a position of a vector."""
    address = offset(low.arena(vector.at, 8), mul(at, const(8)))
    return low.b.let(ir.Load(address, 8, signed=True, tag=LIST), "item")


@contextmanager
def each_of_vector(low: Lowering, vector: Vector, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each integer of a vector."""
    base = low.b.let(low.arena(vector.at, 8), "items")
    with low.b.count(vector_length(low, vector), stop=stop) as at:
        address = offset(base, mul(at, const(8)))
        yield low.b.let(ir.Load(address, 8, signed=True, tag=LIST), "item")


def as_location(low: Lowering, vector: Vector, item: ir.Expr) -> Cards:
    """Return the location that an integer of a vector represents."""
    if vector.sets:
        mask = low.b.variable(item, "group")
        if vector.points is not None:
            return RunSet(mask, vector.among, vector.points)
        if vector.among is not None:
            return replace(vector.among, mask=mask)
        return CardSet(mask, None, low.moves)
    if vector.kind is None:
        return CardList(item)
    return LoweredPile(item, vector.kind, vector.form)


def as_integer(value: Value) -> ir.Expr:
    """Return the integer that represents an item in a vector."""
    match value:
        case LoweredPile(slot=slot):
            return slot
        case CardList(at=at):
            return at
        case CardSet(mask=mask) | PositionSet(mask=mask) | RunSet(mask=mask):
            return mask
    assert isinstance(value, ir.Expr)
    return value


@contextmanager
def new_vector(
    low: Lowering,
    node: n.Node,
    kind: LocationKind | None = None,
    form: PileForm | None = None,
) -> Iterator[tuple[Callable[[ir.Expr], None], Vector]]:
    """Open a new vector; yields the function that adds an item to it, and the vector itself.

    What is made while it is open comes after it and stays; if nothing is, the vector's unused
    memory is freed.
    """
    size = 8 * (MOST_ITEMS + 2)
    base = low.reserve(size, node.span)
    first = low.b.let(low.arena(base, 8), "vector")
    count = low.b.variable(ZERO, "length")

    def push(item: ir.Expr) -> None:
        low.check(compare(Rel.GE, count, const(MOST_ITEMS)), "capacity", NO_ROOM, node.span)
        low.b.add(ir.Store(offset(first, mul(count, const(8))), item, 8, LIST))
        low.b.set(count, add(count, ONE))

    yield push, Vector(base, kind, form)
    low.b.add(ir.Store(low.arena(base), count, 8, LIST))
    with low.b.when(equal(low.context.load("top"), add(base, const(size)))):
        low.give_back(add(add(base, const(8)), mul(count, const(8))))


def values_of(low: Lowering, node: n.Node) -> Vector:
    """Return the items of a list of players, teams, integers or strings as a vector."""
    with new_vector(low, node) as (push, result):
        if isinstance(node, n.Filter):
            with collections.each(low, node.collection, node.variable) as item:
                low.rounds(node)
                with low.b.when(conditions.tested(low, node.test)):
                    push(as_integer(item))
        else:
            with collections.each(low, node, None) as item:
                push(as_integer(item))
    length = vector_length(low, result)
    low.give_back(add(add(result.at, const(8)), mul(length, const(8))))
    return result


def members(low: Lowering, node: n.Node) -> Vector:
    """Return the elements of a set of locations as a vector."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Vector)
            return value
        case n.Partition() if not card_sets.are_sets(low, node) and not (
            low.still and position_sets.are_positions(low, node)
        ):
            return groups.partition(low, node)
        case n.Runs() if run_sets.are_runs(low, node):
            return run_sets.runs(low, node)
        case n.Runs():
            return groups.runs(low, node)
        case n.Tuples():
            return groups.tuples(low, node)
        case n.Indexed():
            return groups.indexed(low, node)
        case n.EachLocation() | n.Filter() | n.Subsets() | n.Partition():
            return _gathered(low, node)
    raise AssertionError(node)


def _gathered(low: Lowering, node: n.Node) -> Vector:
    """Return elements that are found in sequence as a vector."""
    kind, form = None, None
    if low.analysis.real_members(node):
        (kind,) = low.analysis.kinds(node)
        form = piles.form_of(low, node)
    with (
        new_vector(low, node, kind, form) as (push, result),
        collections.each_location(low, node, keep=True) as held,
    ):
        found = held
        if isinstance(found, CardSet) and low.analysis.takes_from_groups:
            found = card_sets.written_out(low, found, node)
        if isinstance(found, PositionSet) and not (low.still and _is_steady(low, node)):
            found = position_sets.written_out(low, found, node)
        if isinstance(found, RunSet) and not (low.still or found.among is None):
            found = run_sets.written_out(low, found, node)
        push(as_integer(found))
    match found:
        case RunSet(among=among, points=points):
            return replace(result, sets=True, among=among, points=points)
        case PositionSet():
            return replace(result, sets=True, among=found)
    return replace(result, sets=isinstance(found, CardSet))


def _is_steady(low: Lowering, node: n.Node) -> bool:
    """Return whether all groups of a set are of the same array, and none loses cards."""
    if low.analysis.takes_from_groups:
        return False
    match node:
        case n.Filter(collection=inner):
            return _is_steady(low, inner)
        case n.Subsets(location=part) | n.Partition(parts=(part,)):
            return isinstance(part, n.Place | n.Variable)
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            return isinstance(held, Vector) and held.among is not None
    return False
