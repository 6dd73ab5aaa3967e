"""Groups of cards of a pile or a list as the positions that they have there, in a word.

The groups of a partition and the subsets of a pile with an order need no lists of their own while
nothing moves. They do before something does: positions of cards that moved mean nothing.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import NONE, ZERO, both, call, compare, const, mul, negate
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.layout import WORD
from cardwright.compiler.lower import card_sets, locations, masks, piles, run_sets, sets
from cardwright.compiler.lower.lowered_values import CardList, LoweredPile, PositionSet, RunSet
from cardwright.compiler.lower.lowering import card_at
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering


def has_positions(low: Lowering, node: n.Node) -> bool:
    """Return whether parts of a location can be had as positions: it lists few cards, each once."""
    if not masks.fit_a_word(low) or low.analysis.reorders_groups or not _is_plain(low, node):
        return False
    match node:
        case n.Place():
            return piles.is_pile(LoweredPile(ZERO, node.place, piles.form_of(low, node)))
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            if isinstance(held, LoweredPile):
                return piles.is_pile(held)
            return isinstance(held, CardList | PositionSet)
    return False


def _is_plain(low: Lowering, node: n.Node) -> bool:
    """Return whether a location, or each group of a set of them, lists every card once."""
    match node:
        case n.Place(place=kind):
            return kind is not LocationKind.MEMORY
        case n.Partition(parts=(inner,)) if inner.kind is ValueKind.LOCATION:
            return _is_plain(low, inner)
        case n.Combine(operation=n.SetOperation.UNION, parts=parts):
            return sets.is_disjoint(low, node) and all(
                part.kind is ValueKind.LOCATION and _is_plain(low, part) for part in parts
            )
        case n.Filter(collection=inner) | n.Subsets(location=inner):
            return _is_plain(low, inner)
        case n.Variable(slot=slot):
            binder = low.analysis.binders[slot]
            return _is_plain(low, binder.value if isinstance(binder, n.Let) else binder.collection)  # type: ignore[attr-defined]
    return False


def are_positions(low: Lowering, node: n.Node) -> bool:
    """Return whether the groups of a partition can be had as positions."""
    match node:
        case n.Partition(key=n.Text(), parts=(part,)) if part.kind is ValueKind.LOCATION:
            return has_positions(low, part)
    return False


def whole(low: Lowering, node: n.Node) -> PositionSet:
    """Return all cards of a location, or those that a set of positions has."""
    held = locations.location(low, node)
    if isinstance(held, PositionSet):
        return held
    count = locations.length(low, held)
    below = ir.Binary(Op.SHL, NONE, ir.Binary(Op.AND, count, const(WORD - 1)))
    some = ir.Binary(Op.XOR, below, NONE)
    every = ir.Select(compare(Rel.EQ, count, const(WORD)), NONE, some)
    array = locations.array(low, held, node)
    return PositionSet(low.b.variable(every, "positions"), array, count)


@contextmanager
def each_of_partition(
    low: Lowering, node: n.Partition, stop: Local | None
) -> Iterator[PositionSet]:
    """Run a block for each group of cards with the same value of an attribute."""
    (part,) = node.parts
    assert isinstance(node.key, n.Text)
    table = card_sets.alike(low.shared, node.key.value)
    held = whole(low, part)
    left = low.b.variable(held.mask, "left")
    test = compare(Rel.NE, left, ZERO)
    with low.b.loop(both(negate(stop), test) if stop is not None else test):
        first = card_at(low, held.array, call("lowest_one", left))
        like = ir.Load(ir.Offset(table, mul(first, const(8))), 8, signed=True)
        found = low.b.let(call("positions", held.array, held.count, like), "alike")
        group = low.b.variable(ir.Binary(Op.AND, left, found), "group")
        low.b.set(left, ir.Binary(Op.XOR, left, group))
        yield PositionSet(group, held.array, held.count)


def subset(low: Lowering, held: PositionSet, which: ir.Expr) -> PositionSet:
    """Return the subset of a set whose cards have the positions of some bits."""
    found = low.b.variable(call("deposit", which, held.mask), "subset")
    return PositionSet(found, held.array, held.count)


def written_out(low: Lowering, held: PositionSet, node: n.Node) -> CardList:
    """Return the cards of a set as a new list."""
    return CardList(low.made("list_of_positions", node.span, held.array, held.mask))


def settle(low: Lowering, node: n.Node) -> None:
    """Write out the sets in variables that actions read, since cards are about to move."""
    for slot, held in tuple(low.env.items()):
        if not low.analysis.mentions(node, slot):
            continue
        if isinstance(held, PositionSet):
            low.env[slot] = written_out(low, held, node)
        elif isinstance(held, RunSet):
            low.env[slot] = run_sets.written_out(low, held, node)


def positions(low: Lowering, node: n.Node) -> tuple[ir.Expr, PositionSet] | None:
    """Return the positions of a combination of sets of the same cards, and one of them; or None."""
    match node:
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            return (held.mask, held) if isinstance(held, PositionSet) else None
        case n.Combine(parts=parts):
            found = [positions(low, part) for part in parts]
            known = [one for one in found if one is not None]
            if len(known) < len(found) or len({one.array for _, one in known}) != 1:
                return None
            which = [mask for mask, _ in known]
            return low.b.let(_combined(low, node.operation, which), "positions"), known[0][1]
    return None


def _combined(low: Lowering, operation: n.SetOperation, which: list[ir.Expr]) -> ir.Expr:
    """Return the positions that are in all of some sets, in any, or in just one."""
    if operation is n.SetOperation.DISJUNCTION:
        return sets.in_just_one(low, which)
    found = which[0]
    for one in which[1:]:
        both_or_any = Op.AND if operation is n.SetOperation.INTERSECT else Op.OR
        found = ir.Binary(both_or_any, found, one)
    return found
