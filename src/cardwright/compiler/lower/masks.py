"""Tests of cards as masks: one bit for each card, so that a whole location is tested at once.

This works for programs of up to 128 cards, and for tests that depend only on a card's attributes
and on values that are the same for all cards of the location.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import builder, ir
from cardwright.compiler.builder import ZERO, call, const, mul
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import (
    cards,
    conditions,
    locations,
    piles,
    sets,
    storages,
    thresholds,
    words,
)
from cardwright.compiler.lower.lowered_values import LoweredPile
from cardwright.compiler.lower.lowering import card_at
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
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
        own = words.inverted(own)
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
    """Return whether masks work for this program: they have a bit for every card."""
    return len(low.program.cards) <= low.layout.mask_bits


def fit_a_word(low: Lowering) -> bool:
    """Return whether a mask fits in a word of 8 bytes, in which sets are kept in memory."""
    return fits(low) and low.layout.mask is ir.Type.INT


def is_array(low: Lowering, node: n.Node) -> bool:
    """Return whether a form names a real location and its evaluation cannot fail.

    A location of references may have more of them than a mask has bits, unlike any other.
    """
    if not low.analysis.is_real(node) or not low.analysis.pure(node):
        return False
    few = low.layout.capacity <= low.layout.mask_bits
    return few or LocationKind.MEMORY not in low.analysis.kinds(node)


def mask(low: Lowering, test: n.Node, slot: int) -> ir.Expr | None:
    """Return the mask of the cards for which a test of a variable holds, or None."""
    return low.b.let(mask_of(low, test, slot), "mask") if known(low, test, slot) else None


def known(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether a test of a variable can be expressed as a mask."""
    return fits(low) and low.analysis.pure(test) and _simple(low, test, slot)


def known_once_begun(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether a test is a mask as soon as there is a card to test.

    What it compares the first card with may break a rule.
    """
    if not fits(low) or low.analysis.draws(test):
        return False
    return isinstance(test, n.Compare | n.Equal) and _simple(low, test, slot)


def _simple(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether `_mask` knows a test."""
    if not low.analysis.mentions(test, slot):
        return True
    match test:
        case n.Not(test=inner):
            return _simple(low, inner, slot)
        case n.Logic(tests=tests):
            return all(_simple(low, inner, slot) for inner in tests)
        case n.Equal() if _sides(low, test, slot) is not None:
            return True
        case n.Quantifier() if _belongs(low, test, slot):
            return sets.is_set(low, test.collection)
        case n.Quantifier():
            return _is_joined(low, test, slot)
    return thresholds.threshold(low, test, slot) is not None


def _is_joined(low: Lowering, test: n.Quantifier, slot: int) -> bool:
    """Return whether a quantifier joins masks of a card: one for each of some cards or owners."""
    collection = test.collection
    if low.program.rounds.counted(test) or low.analysis.mentions(collection, slot):
        return False
    if not _simple(low, test.test, slot):
        return False
    return isinstance(collection, n.Everyone) or sets.is_set(low, collection)


def _joined(low: Lowering, test: n.Quantifier, slot: int) -> ir.Expr:
    """Return the cards for which a test holds with one of some items, or with all of them."""
    neutral = (words.every if test.every else words.none)(low.layout.mask)
    found = low.b.variable(neutral, "mask")
    join = Op.AND if test.every else Op.OR
    if isinstance(test.collection, n.Everyone):
        for owner, belongs in sets.each_owner(low, test.collection):
            low.env[test.variable.slot] = owner
            own = mask_of(low, test.test, slot)
            if belongs is not None:
                own = builder.select(belongs, own, neutral)
            low.b.set(found, ir.Binary(join, found, own))
        return found
    members = sets.as_set(low, test.collection)
    assert members is not None
    with locations.each_of_mask(low, members) as item:
        low.env[test.variable.slot] = item
        low.b.set(found, ir.Binary(join, found, mask_of(low, test.test, slot)))
    return found


def _belongs(low: Lowering, test: n.Quantifier, slot: int) -> bool:
    """Return whether a test says that a variable's card is one of a location, or is not."""
    if test.collection.kind is not ValueKind.LOCATION or low.program.rounds.counted(test):
        return False
    match test.test:
        case n.Equal(left=n.Variable(slot=left), right=n.Variable(slot=right), negated=negated):
            same = {left, right} == {slot, test.variable.slot}
            return (
                same and negated is test.every and not low.analysis.mentions(test.collection, slot)
            )
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


def mask_of(low: Lowering, test: n.Node, slot: int) -> ir.Expr:
    """Return the mask of the cards for which a test of a variable holds."""
    if not low.analysis.mentions(test, slot):
        holds = conditions.condition(low, test)
        return words.only_if(holds, words.every(low.layout.mask))
    match test:
        case n.Not(test=inner):
            return words.inverted(mask_of(low, inner, slot))
        case n.Logic(tests=tests):
            first, *rest = (mask_of(low, inner, slot) for inner in tests)
            for other in rest:
                first = ir.Binary(Op.AND if test.every else Op.OR, first, other)
            return first
        case n.Equal() if _sides(low, test, slot) is not None:
            found = _equal(low, test, slot)
            return words.inverted(found) if test.negated else found
        case n.Quantifier() if _belongs(low, test, slot):
            members = sets.as_set(low, test.collection)
            assert members is not None
            return words.inverted(members) if test.every else members
        case n.Quantifier():
            return _joined(low, test, slot)
    if (compared := thresholds.threshold(low, test, slot)) is not None:
        return thresholds.mask(low, compared)
    raise AssertionError(test)


def _equal(low: Lowering, test: n.Equal, slot: int) -> ir.Expr:
    sides = _sides(low, test, slot)
    assert sides is not None
    own, other = sides
    if isinstance(own, n.Attribute):
        assert isinstance(own.key, n.Text)
        return with_value(low, own.key.value, storages.string(low, other))
    card = low.b.let(cards.card(low, other), "card")
    return words.only_if(ir.OrderTest(Rel.GE, card, ZERO), piles.bit(low, card))


def with_value(low: Lowering, key: str, value: ir.Expr) -> ir.Expr:
    """Return the mask of the cards that have a value of a key, given as the string's number."""
    found = masks_by_value(low.shared, key)
    kind, step = low.layout.mask, low.layout.mask_bits // 8
    if isinstance(value, ir.Const):
        return words.word(kind, found[value.value])
    table = low.shared.integers(f"masks {key}", found, step)
    return ir.Load(ir.Offset(table, mul(value, const(step))), step, step == 8, kind)


def masks_by_value(shared: Shared, key: str) -> list[int]:
    """Return the cards that have each value of a key, by the number of the value."""
    found = [0] * len(shared.names)
    for card in shared.program.cards:
        found[shared.names.number(card.attributes.get(key, ""))] |= 1 << card.id
    return found
