"""Tests of cards as masks: one bit for each card, so that a whole location is tested at once.

This works for programs of up to 64 cards, and for tests that depend only on a card's attributes and
on values that are the same for all cards of the location.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ZERO, call, const, mul
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import cards, conditions, locations, piles, storages
from cardwright.compiler.lower.lowering import LoweredPile, card_at
from cardwright.compiler.pile_forms import WORD, PileForm
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering, Shared


@dataclass(frozen=True)
class Passing:
    """The positions, as a bit mask, of the cards of an array that pass a test.

    Without an array the positions are the cards themselves.
    """

    positions: ir.Expr
    cards: ir.Expr | None
    pile: LoweredPile

    def card(self, low: Lowering, at: ir.Expr) -> ir.Expr:
        """Return the card at a position."""
        return at if self.cards is None else card_at(low, self.cards, at)


def passing(
    low: Lowering, collection: n.Node, variable: n.Variable, test: n.Node, *, opposite: bool
) -> Passing | None:
    """Return which cards of a location pass a test (or do not); None if masks cannot express it.

    Their order is lost.
    """
    if collection.kind is not ValueKind.LOCATION or not fits(low):
        return None
    if isinstance(collection, n.Filter):
        if low.program.rounds.counted(collection):
            return None
        inner = mask(low, collection.test, collection.variable.slot)
        if inner is None:
            return None
        base, also = collection.collection, inner
    else:
        base, also = collection, None
    if not is_array(low, base):
        return None
    own = mask(low, test, variable.slot)
    if own is None:
        return None
    if opposite:
        own = _inverted(low, own)
    if also is not None:
        own = ir.Binary(Op.AND, own, also)
    return select(low, base, own, ordered=False)


def select(low: Lowering, base: n.Node, which: ir.Expr, *, ordered: bool = True) -> Passing:
    """Return the positions of the cards of a real location that a mask names."""
    pile = locations.location(low, base)
    assert isinstance(pile, LoweredPile)
    if pile.form is PileForm.MASK or (piles.is_masked(pile) and not ordered):
        both = ir.Binary(Op.AND, piles.mask(low, pile), which)
        return Passing(low.b.let(both, "cards"), None, pile)
    array = locations.array(low, pile, base)
    found = low.b.let(call("positions", array, low.count(pile), which), "positions")
    return Passing(found, array, pile)


def chosen(low: Lowering, node: n.Filter) -> Passing | None:
    """Return the positions of the cards of a real location that pass a filter's test, or None."""
    if not is_array(low, node.collection) or low.program.rounds.counted(node):
        return None
    which = mask(low, node.test, node.variable.slot)
    return select(low, node.collection, which) if which is not None else None


def fits(low: Lowering) -> bool:
    """Return whether masks work for this program: it has at most 64 cards, also in one pile."""
    return low.layout.capacity <= WORD


def is_array(low: Lowering, node: n.Node) -> bool:
    """Return whether a form names a real location and its evaluation cannot fail."""
    return low.analysis.is_real(node) and low.analysis.pure(node)


def mask(low: Lowering, test: n.Node, slot: int) -> ir.Expr | None:
    """Return the mask of the cards for which a test of a variable holds, or None."""
    return low.b.let(_mask(low, test, slot), "mask") if known(low, test, slot) else None


def known(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether a test of a variable can be expressed as a mask."""
    return fits(low) and low.analysis.pure(test) and _simple(low, test, slot)


def _simple(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether `_mask` knows a test."""
    if not low.analysis.mentions(test, slot):
        return True
    match test:
        case n.Not(test=inner):
            return _simple(low, inner, slot)
        case n.Logic(tests=tests):
            return all(_simple(low, inner, slot) for inner in tests)
        case n.Equal():
            return _sides(low, test, slot) is not None
    return False


def _sides(low: Lowering, test: n.Equal, slot: int) -> tuple[n.Node, n.Node] | None:
    """Return the side that reads the variable's card, and the other, which must not."""
    for own, other in ((test.left, test.right), (test.right, test.left)):
        if low.analysis.mentions(other, slot):
            continue
        match own:
            case n.Attribute(key=n.Text(), card=n.Variable(slot=read)) if read == slot:
                return own, other
            case n.Variable(kind=ValueKind.CARD, slot=read) if read == slot:
                return own, other
    return None


def _mask(low: Lowering, test: n.Node, slot: int) -> ir.Expr:
    if not low.analysis.mentions(test, slot):
        return ir.Select(conditions.condition(low, test), const(-1), ZERO)
    match test:
        case n.Not(test=inner):
            return _inverted(low, _mask(low, inner, slot))
        case n.Logic(tests=tests):
            first, *rest = (_mask(low, inner, slot) for inner in tests)
            for other in rest:
                first = ir.Binary(Op.AND if test.every else Op.OR, first, other)
            return first
        case n.Equal():
            found = _equal(low, test, slot)
            return _inverted(low, found) if test.negated else found
    raise AssertionError(test)


def _inverted(low: Lowering, value: ir.Expr) -> ir.Expr:
    return ir.Binary(Op.XOR, value, const(-1))


def _equal(low: Lowering, test: n.Equal, slot: int) -> ir.Expr:
    sides = _sides(low, test, slot)
    assert sides is not None
    own, other = sides
    if isinstance(own, n.Attribute):
        assert isinstance(own.key, n.Text)
        table = attribute_masks(low.shared, own.key.value)
        wanted = storages.string(low, other)
        if isinstance(wanted, ir.Const):
            return const(_attribute_masks(low.shared, own.key.value)[wanted.value])
        return ir.Load(ir.Offset(table, mul(wanted, const(8))), 8, signed=True)
    card = low.b.let(cards.card(low, other), "card")
    shift = ir.Binary(Op.AND, card, const(WORD - 1))
    bit = ir.Binary(Op.SHL, const(1), shift)
    return ir.Select(ir.OrderTest(Rel.GE, card, ZERO), bit, ZERO)


def attribute_masks(shared: Shared, key: str) -> ir.Data:
    """Return the table of the cards that have each value of a key."""
    return shared.integers(f"masks {key}", _attribute_masks(shared, key), 8, signed=True)


def _attribute_masks(shared: Shared, key: str) -> list[int]:
    found = [0] * len(shared.names)
    for card in shared.program.cards:
        found[shared.names.number(card.attributes.get(key, ""))] |= 1 << card.id
    return [value - (1 << WORD) if value >> (WORD - 1) else value for value in found]


def has(which: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Return whether a mask names a card."""
    bit = ir.Binary(Op.AND, ir.Binary(Op.SHR, which, card), const(1))
    return ir.OrderTest(Rel.NE, bit, ZERO)
