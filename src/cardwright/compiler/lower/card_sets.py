"""Locations and groups whose cards are listed by number, each once: as masks, without lists.

A place without an order lies by number, and so does what a filter or an intersection leaves of it,
and every group of a partition of it and every subset. The first card is the lowest bit, the next
subset an addition, and the cards of a rank one table's word.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import NONE, ZERO, add, both, call, compare, mul, negate
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import conditions, locations, masks, piles, sets
from cardwright.compiler.lower.lowered_values import CardList, CardSet, LoweredPile, Vector
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering, Shared


def lies_by_number(low: Lowering, node: n.Node) -> bool:
    """Return whether a location lists its cards by number, each once, and can be had as a mask."""
    if node.kind is not ValueKind.LOCATION or not masks.fit_a_word(low):
        return False
    if low.analysis.reorders_groups:
        return False
    match node:
        case n.Place():
            return piles.form_of(low, node) is PileForm.MASK
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            if isinstance(held, LoweredPile):
                return held.form is PileForm.MASK
            return isinstance(held, CardSet)
        case n.Filter(collection=collection):
            return lies_by_number(low, collection)
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=(first, *_)):
            return lies_by_number(low, first) and sets.is_set(low, node)
    return False


def has_no_repeats(low: Lowering, node: n.Combine) -> bool:
    """Return whether a combination can be had as a mask and has every card once."""
    return node.operation is not n.SetOperation.UNION and sets.is_set(low, node)


def cards(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the cards of a location that lies by number, now."""
    return low.b.let(_cards(low, node)[0], "cards")


def card_set(low: Lowering, node: n.Node) -> CardSet:
    """Return the cards that a location that lies by number has now."""
    found, pile = _cards(low, node)
    return CardSet(low.b.variable(found, "set"), pile, low.moves)


def _cards(low: Lowering, node: n.Node) -> tuple[ir.Expr, LoweredPile | None]:
    """Return the cards of a location, and the place where all of them lie if that is known."""
    match node:
        case n.Filter(collection=collection):
            found, pile = _cards(low, collection)
            return _passing(low, node, found), pile
        case n.Combine(parts=(first, *_)):
            common = sets.as_set(low, node)
            assert common is not None
            return common, _cards(low, first)[1]
    held = locations.location(low, node)
    if isinstance(held, CardSet):
        return held.mask, held.pile if held.moves == low.moves else None
    assert isinstance(held, LoweredPile)
    return piles.mask(low, held), held


def _passing(low: Lowering, node: n.Filter, found: ir.Expr) -> ir.Expr:
    """Return those of some cards that pass a test."""
    slot = node.variable.slot
    if not any(map(low.program.rounds.counted, n.walk(node.test))):
        which = masks.mask(low, node.test, slot)
        if which is not None:
            low.rounds(node, call("count_ones", found))
            return low.b.let(ir.Binary(Op.AND, found, which), "set")
        if masks.known_once_begun(low, node.test, slot):
            low.rounds(node, call("count_ones", found))
            some = low.b.variable(ZERO, "set")
            with low.b.when(compare(Rel.NE, found, ZERO)):
                low.b.set(some, ir.Binary(Op.AND, found, masks.mask_of(low, node.test, slot)))
            return some
    result = low.b.variable(ZERO, "set")
    with locations.each_of_mask(low, found) as card:
        low.rounds(node)
        low.env[slot] = card
        own = ir.Select(conditions.tested(low, node.test), piles.bit(low, card), ZERO)
        low.b.set(result, ir.Binary(Op.OR, result, own))
    return result


def found_with_place(low: Lowering, node: n.Node) -> tuple[ir.Expr, LoweredPile | None]:
    """Return the cards of a location now, and the place where all of them lie if that is known."""
    found, pile = _cards(low, node)
    return low.b.let(found, "cards"), pile


def home(low: Lowering, node: n.Node) -> LoweredPile | None:
    """Return the place without an order where the cards of a location or of groups lie, or None.

    It is found again, so nothing may have changed since they were.
    """
    match node:
        case n.Place() if piles.form_of(low, node) is PileForm.MASK and masks.is_array(low, node):
            return locations.place(low, node)
        case n.Filter(collection=inner) | n.Subsets(location=inner) | n.Partition(parts=(inner,)):
            return home(low, inner)
        case n.Variable(slot=slot):
            binder = low.analysis.binders[slot]
            return home(low, binder.value if isinstance(binder, n.Let) else binder.collection)  # type: ignore[attr-defined]
    return None


def written_out(low: Lowering, held: CardSet, node: n.Node) -> CardList:
    """Return the cards of a set as a new list."""
    return CardList(low.made("list_of_mask", node.span, held.mask))


# Groups -----------------------------------------------------------------------------------


def are_sets(low: Lowering, node: n.Node) -> bool:
    """Return whether every group of a set of locations lists its cards by number."""
    match node:
        case n.Partition(key=n.Text(), parts=(part,)):
            return lies_by_number(low, part)
        case n.Subsets(location=location):
            return lies_by_number(low, location)
        case n.Filter(collection=collection):
            return are_sets(low, collection)
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            return isinstance(held, Vector) and held.sets
    return False


@contextmanager
def each_of_partition(low: Lowering, node: n.Partition, stop: Local | None) -> Iterator[CardSet]:
    """Run a block for each group of cards with the same value of an attribute."""
    (part,) = node.parts
    assert isinstance(node.key, n.Text)
    table = alike(low.shared, node.key.value)
    found, pile = _cards(low, part)
    left = low.b.variable(found, "left")
    test = compare(Rel.NE, left, ZERO)
    with low.b.loop(both(negate(stop), test) if stop is not None else test):
        like = ir.Load(ir.Offset(table, mul(call("lowest_one", left), ir.Const(8))), 8, signed=True)
        group = low.b.variable(ir.Binary(Op.AND, left, like), "group")
        low.b.set(left, ir.Binary(Op.XOR, left, group))
        yield CardSet(group, pile, low.moves)


def number_of_groups(low: Lowering, node: n.Partition) -> ir.Expr:
    """Return how many groups there are, in whatever order."""
    (part,) = node.parts
    assert isinstance(node.key, n.Text)
    table = alike(low.shared, node.key.value)
    left = low.b.variable(sets.as_set(low, part) or ZERO, "left")
    number = low.b.variable(ZERO, "groups")
    with low.b.loop(compare(Rel.NE, left, ZERO)):
        like = ir.Load(ir.Offset(table, mul(call("lowest_one", left), ir.Const(8))), 8, signed=True)
        low.b.set(left, ir.Binary(Op.AND, left, ir.Binary(Op.XOR, like, NONE)))
        low.b.set(number, add(number, ir.Const(1)))
    return number


def alike(shared: Shared, key: str) -> ir.Data:
    """Return the table of the cards that have the same value of a key as each card."""
    by_value = masks.masks_by_value(shared, key)
    words = [by_value[shared.names.number(c.attributes.get(key, ""))] for c in shared.program.cards]
    return shared.integers(f"alike {key}", words, 8)


def subset(low: Lowering, held: CardSet, which: ir.Expr) -> CardSet:
    """Return the subset of a set whose cards have the positions of some bits."""
    found = low.b.variable(call("deposit", which, held.mask), "subset")
    return CardSet(found, held.pile, held.moves)


def without(low: Lowering, held: CardSet, card: ir.Expr) -> None:
    """Take a card out of a set."""
    others = ir.Binary(Op.XOR, piles.bit(low, card), NONE)
    low.b.set(held.mask, ir.Binary(Op.AND, held.mask, others))
