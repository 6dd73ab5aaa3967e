"""Real locations in memory: as masks, or as piles of cards in order.

Most operations have a short form where it is known before the game how the cards lie, and call a
kernel that finds out where it is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import NONE, ZERO, call, compare, const, equal, sub, unlikely
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import words
from cardwright.compiler.lower.lowered_values import CardList, LoweredPile
from cardwright.compiler.lower.lowering import card_at
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.syntax.source import Span


def form_of(low: Lowering, node: n.Node) -> PileForm | None:
    """Return how the cards of a real location lie, or of each of a set; None if it varies."""
    forms = _forms(low, node)
    return next(iter(forms)) if len(forms) == 1 else None


def _forms(low: Lowering, node: n.Node) -> frozenset[PileForm]:
    """Return how the cards of a real location can lie, or of those of a set."""
    match node:
        case n.Place() if node.place is not LocationKind.MEMORY:
            named = families_of(node, low.analysis) or ()
            bases = low.layout.places.bases
            if named and all(family in bases for family in named):
                return frozenset(low.layout.forms.of(bases[family]) for family in named)
        case n.Variable(slot=slot):
            binder = low.analysis.binders[slot]
            return _forms(low, binder.value if isinstance(binder, n.Let) else binder.collection)  # type: ignore[attr-defined]
        case n.Element(locations=inner) | n.Filter(collection=inner):
            return _forms(low, inner)
        case n.EachLocation(location=inner):
            return _forms(low, inner)
    return frozenset((PileForm.PILE,))  # what is computed in play has an order


def base_of(low: Lowering, place: n.Place) -> int | None:
    """Return the first slot of the family of a place, if it is known."""
    named = families_of(place, low.analysis)
    if named is None or len(named) != 1:
        return None
    return low.layout.places.bases.get(named[0])


# Reading ----------------------------------------------------------------------------------


def is_masked(pile: LoweredPile) -> bool:
    """Return whether there is a mask of the cards of a location."""
    return pile.form is not None and pile.form.masked


def is_pile(pile: LoweredPile) -> bool:
    """Return whether the cards of a location are known to lie as bytes in their order."""
    return pile.form in {PileForm.PILE, PileForm.SORTED}


def mask(low: Lowering, pile: LoweredPile) -> ir.Expr:
    """Return the cards of a location as a mask, now; the game has no more than masks have bits."""
    if is_masked(pile):
        return low.b.let(low.board.load("mask", pile.slot, part=pile.part), "cards")
    found = call("mask_of", low.board.base, pile.slot, type=low.layout.mask)
    return low.b.let(found, "cards")


def bit(low: Lowering, card: ir.Expr) -> ir.Expr:
    """Return the mask of one card."""
    return words.single(low.layout.mask, card)


def spread(low: Lowering, pile: LoweredPile, span: Span) -> CardList:
    """Return a new list of the cards of a location in their order."""
    return CardList(low.made("spread", span, low.board.base, pile.slot))


def end(low: Lowering, pile: LoweredPile, *, top: bool) -> tuple[ir.Expr, ir.Expr | None]:
    """Return the top or bottom card of a location, or -1 if it is empty; and its mask, perhaps."""
    if pile.form is PileForm.LAZY:
        return _single(low, pile, top=top)
    if pile.form is PileForm.MASK:
        cards = mask(low, pile)
        which = call("highest_one" if top else "lowest_one", cards)
        return low.b.let(ir.Select(words.is_some(cards), which, NONE), "card"), None
    held = low.b.variable(NONE, "card")
    count = low.count(pile)
    at = low.b.let(sub(count, const(1)), "last") if top else ZERO
    with low.b.when(compare(Rel.GT, count, ZERO)):
        low.b.set(held, at_position(low, pile, at))
    return held, None


def at_position(low: Lowering, pile: LoweredPile, at: ir.Expr) -> ir.Expr:
    """Return the card at a position, which is below the number of cards."""
    if is_pile(pile):
        return card_at(low, low.board.at("card", pile.slot, ZERO), at)
    return call("card_lying", low.board.base, pile.slot, at)


def _single(low: Lowering, pile: LoweredPile, *, top: bool) -> tuple[ir.Expr, ir.Expr]:
    """Return an end of a location that rarely has several cards, or -1; and its mask."""
    which = low.b.variable(mask(low, pile), "card")
    with low.b.when(unlikely(words.several(which))):
        at = sub(call("count_ones", which), const(1)) if top else ZERO
        card = card_at(low, low.board.at("card", pile.slot, ZERO), at)
        low.b.set(which, bit(low, card))
    some = words.is_some(which)
    return low.b.let(ir.Select(some, call("lowest_one", which), NONE), "card"), which


# Changing ---------------------------------------------------------------------------------


def put_on_top(
    low: Lowering, pile: LoweredPile, card: ir.Expr, mask_of: ir.Expr | None = None
) -> None:
    """Put a card on top of a location, given the card's mask if it is known."""
    match pile.form:
        case PileForm.MASK:
            add_all(low, pile, mask_of or bit(low, card))
        case PileForm.LAZY if pile.base is not None and pile.base == low.fresh:
            put(low, pile, mask_of or bit(low, card))
        case PileForm.LAZY:
            which = mask(low, pile)
            with low.b.when(unlikely(words.is_some(which))):
                low.b.run("lay_more", low.board.base, pile.slot, NONE, card)
            add_all(low, pile, mask_of or bit(low, card))
        case PileForm.PILE:
            low.b.run("push", low.board.base, pile.slot, card)
            low.store("where", card, value=pile.slot)
        case PileForm.SORTED:
            low.b.run("insert_by_number", low.board.base, pile.slot, card)
            low.store("where", card, value=pile.slot)
        case _:
            low.b.run("put", low.board.base, pile.slot, NONE, card)


def put_at(low: Lowering, pile: LoweredPile, at: ir.Expr, card: ir.Expr) -> None:
    """Put a card into a location at a position; by number it goes elsewhere."""
    if pile.form is PileForm.MASK:
        add_all(low, pile, bit(low, card))
    elif pile.form is PileForm.PILE:
        low.b.run("insert", low.board.base, pile.slot, at, card)
        low.store("where", card, value=pile.slot)
    else:
        low.b.run("put", low.board.base, pile.slot, at, card)


def take(
    low: Lowering,
    pile: LoweredPile,
    card: ir.Expr,
    at: ir.Expr | None,
    mask_of: ir.Expr | None = None,
    *,
    top: bool = False,
) -> None:
    """Take a card out of a location, given its position and the card's mask if they are known."""
    match pile.form:
        case PileForm.MASK:
            drop_all(low, pile, mask_of or bit(low, card))
        case PileForm.LAZY:
            which = mask(low, pile)
            with low.b.when(unlikely(words.several(which))):
                low.b.run("leave_pile", low.board.base, pile.slot, card)
            drop_all(low, pile, mask_of or bit(low, card))
        case PileForm.PILE | PileForm.SORTED if top:
            low.b.run("take_top", low.board.base, pile.slot)
        case PileForm.PILE | PileForm.SORTED if at is not None:
            low.b.run("take", low.board.base, pile.slot, at)
        case _:
            low.b.run("remove", low.board.base, pile.slot, card)


def add_all(low: Lowering, pile: LoweredPile, cards: ir.Expr) -> None:
    """Add some cards to those of a location that is a mask."""
    now = low.board.load("mask", pile.slot, part=pile.part)
    put(low, pile, ir.Binary(Op.OR, now, cards))


def drop_all(low: Lowering, pile: LoweredPile, cards: ir.Expr) -> None:
    """Take some cards out of those of a location that is a mask."""
    now = low.board.load("mask", pile.slot, part=pile.part)
    put(low, pile, ir.Binary(Op.XOR, now, cards))


def put(low: Lowering, pile: LoweredPile, cards: ir.Expr) -> None:
    """Make some cards those of a location that is a mask."""
    low.b.add(low.board.store("mask", pile.slot, value=cards, part=pile.part))


def is_empty(low: Lowering, pile: LoweredPile) -> ir.Expr:
    """Return whether a location has no cards."""
    if is_masked(pile):
        return words.is_none(mask(low, pile))
    return equal(low.count(pile), ZERO)
