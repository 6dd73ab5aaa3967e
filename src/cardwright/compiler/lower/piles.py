"""The cards of a location in memory: in masks or piles of a state, or in lists that are made.

Most operations on real locations have a short form where it is known before the game how the cards
lie, and call a kernel that finds out where it is not.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    equal,
    mul,
    offset,
    sub,
    unlikely,
)
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import points, words
from cardwright.compiler.lower.lowering import LIST, Lowering, card_address, card_at
from cardwright.compiler.lower.values import CardList, Cards, CardSet, LoweredPile
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.limits import MOST_CARDS, NO_ROOM
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


def form_of(low: Lowering, node: n.Node) -> PileForm | None:
    """Return how the cards of a real location lie, or of each of a set; None if it varies."""
    forms = _forms(low, node)
    return next(iter(forms)) if len(forms) == 1 else None


def _forms(low: Lowering, node: n.Node) -> frozenset[PileForm]:
    match node:
        case n.Place() if node.place is not LocationKind.MEMORY:
            named = families_of(node, low.analysis) or ()
            bases = low.layout.places.bases
            if named and all(family in bases for family in named):
                return frozenset(low.layout.forms.form_of(bases[family]) for family in named)
        case n.Variable(slot=slot):
            return _forms(low, bound_to(low, slot))
        case (
            n.Element(locations=inner) | n.Filter(collection=inner) | n.EachLocation(location=inner)
        ):
            return _forms(low, inner)
    return frozenset((PileForm.PILE,))  # what is computed in play has an order


def bound_to(low: Lowering, slot: int) -> n.Node:
    """Return the form of what a variable denotes, or of that of which it denotes an item."""
    binder = low.analysis.binders[slot]
    if isinstance(binder, n.Let):
        return binder.value
    assert isinstance(binder, n.ForEach | n.Quantifier | n.Filter | n.EachLocation | n.Total)
    return binder.collection


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


def count(low: Lowering, pile: LoweredPile) -> ir.Expr:
    """Return the number of cards of a location, now."""
    if pile.form is None:
        return low.b.let(call("size", low.board.base, pile.slot), "count")
    if pile.form.masked:
        cards = low.board.load("mask", pile.slot, part=pile.part)
        return low.b.let(call("count_ones", cards), "count")
    return low.b.let(low.board.load("count", pile.slot), "count")


def mask(low: Lowering, pile: LoweredPile) -> ir.Expr:
    """Return the cards of a location as a mask, now; the game has no more than masks have bits."""
    if is_masked(pile):
        return low.b.let(low.board.load("mask", pile.slot, part=pile.part), "cards")
    mask_ = call("mask_of", low.board.base, pile.slot, type=low.layout.mask)
    return low.b.let(mask_, "cards")


def bit(low: Lowering, card: ir.Expr) -> ir.Expr:
    """Return the mask of one card."""
    return words.single(low.layout.mask, card)


def end(low: Lowering, pile: LoweredPile, *, top: bool) -> tuple[ir.Expr, ir.Expr | None]:
    """Return the top or bottom card of a location without a plain pile, and perhaps its mask.

    The card is -1 if the location is empty.
    """
    if is_masked(pile):
        which = low.b.variable(mask(low, pile), "card")
        if pile.form is PileForm.LAZY:  # it rarely has several
            with low.b.when(unlikely(words.several(which))):
                at = sub(call("count_ones", which), ONE) if top else ZERO
                card = card_at(low, low.board.at("card", pile.slot, ZERO), at)
                low.b.set(which, bit(low, card))
        alone = pile.form is PileForm.LAZY
        number = call("highest_one" if top and not alone else "lowest_one", which)
        held = low.b.let(ir.Select(words.is_some(which), number, NONE), "card")
        return held, which if alone else None
    held = low.b.variable(NONE, "card")
    size = count(low, pile)
    at = low.b.let(sub(size, ONE), "last") if top else ZERO
    with low.b.when(compare(Rel.GT, size, ZERO)):
        low.b.set(held, call("card_lying", low.board.base, pile.slot, at))
    return held, None


# Changing ---------------------------------------------------------------------------------


def put(
    low: Lowering,
    pile: LoweredPile,
    card: ir.Expr,
    at: ir.Expr | None = None,
    known: ir.Expr | None = None,
) -> None:
    """Put a card on top of a location, or at a position; by number it goes elsewhere.

    `known` is the card's mask, if there is one already.
    """
    match pile.form:
        case PileForm.MASK:
            add_all(low, pile, known or bit(low, card))
        case PileForm.LAZY if at is None and pile.base is not None and pile.base == low.fresh:
            only = known or bit(low, card)
            low.b.add(low.board.store("mask", pile.slot, value=only, part=pile.part))
        case PileForm.LAZY if at is None:
            with low.b.when(unlikely(words.is_some(mask(low, pile)))):
                low.b.run("lay_more", low.board.base, pile.slot, NONE, card)
            add_all(low, pile, known or bit(low, card))
        case PileForm.PILE if at is None:
            low.b.run("push", low.board.base, pile.slot, card)
            low.store("where", card, value=pile.slot)
        case PileForm.PILE if at is not None:
            low.b.run("insert", low.board.base, pile.slot, at, card)
            low.store("where", card, value=pile.slot)
        case _:
            low.b.run("put", low.board.base, pile.slot, NONE if at is None else at, card)


def take(
    low: Lowering,
    pile: LoweredPile,
    card: ir.Expr,
    at: ir.Expr | None,
    known: ir.Expr | None,
    *,
    top: bool,
) -> None:
    """Take a card out of a location, given its position and its mask if they are known."""
    match pile.form:
        case PileForm.MASK:
            drop_all(low, pile, known or bit(low, card))
        case PileForm.LAZY:
            with low.b.when(unlikely(words.several(mask(low, pile)))):
                low.b.run("leave_pile", low.board.base, pile.slot, card)
            drop_all(low, pile, known or bit(low, card))
        case PileForm.PILE | PileForm.SORTED if top:
            low.b.run("take_top", low.board.base, pile.slot)
        case PileForm.PILE | PileForm.SORTED if at is not None:
            low.b.run("take", low.board.base, pile.slot, at)
        case _:
            low.b.run("remove", low.board.base, pile.slot, card)


def add_all(low: Lowering, pile: LoweredPile, cards: ir.Expr) -> None:
    """Add some cards to those of a location that is a mask."""
    _change(low, pile, Op.OR, cards)


def drop_all(low: Lowering, pile: LoweredPile, cards: ir.Expr) -> None:
    """Take some cards out of those of a location that is a mask."""
    _change(low, pile, Op.XOR, cards)


def _change(low: Lowering, pile: LoweredPile, op: Op, cards: ir.Expr) -> None:
    value = ir.Binary(op, low.board.load("mask", pile.slot, part=pile.part), cards)
    low.b.add(low.board.store("mask", pile.slot, value=value, part=pile.part))


def is_empty(low: Lowering, pile: LoweredPile) -> ir.Expr:
    """Return whether a location has no cards."""
    if is_masked(pile):
        return words.is_none(mask(low, pile))
    return equal(count(low, pile), ZERO)


# In whichever form ------------------------------------------------------------------------


def length(low: Lowering, cards: Cards) -> ir.Expr:
    """Return the number of cards of a location."""
    match cards:
        case LoweredPile():
            return count(low, cards)
        case CardList(at=at):
            return low.b.let(ir.Load(low.arena(at), 8, tag=LIST), "count")
        case CardSet(bits=bits):
            return low.b.let(call("count_ones", bits), "count")


def array(low: Lowering, cards: Cards, node: n.Node) -> ir.Expr:
    """Return the address of a location's first card; a set or a mask is written out as a list."""
    if isinstance(cards, LoweredPile) and is_pile(cards):
        return low.b.let(low.board.at("card", cards.slot, ZERO), "cards")
    made = cards if isinstance(cards, CardList) else copied(low, cards, node)
    return low.b.let(low.arena(made.at, 8), "cards")


def copied(low: Lowering, cards: Cards, node: n.Node) -> CardList:
    """Return a new list with the cards of a location."""
    if isinstance(cards, CardSet):
        return written_out(low, cards, node)
    if isinstance(cards, LoweredPile) and not is_pile(cards):
        return CardList(low.made("spread", node.span, low.board.base, cards.slot))
    base, count = array(low, cards, node), length(low, cards)
    return CardList(low.made("copy_list", node.span, base, count))


def written_out(low: Lowering, cards: CardSet, node: n.Node) -> CardList:
    """Return the cards of a set as a new list."""
    if cards.array is None:
        made = CardList(low.made("list_of_mask", node.span, cards.bits))
    else:
        args = cards.array.address, cards.bits
        made = CardList(low.made("list_of_positions", node.span, *args))
    if cards.run_points is not None:
        worth = points.worth(low, cards.run_points)
        scores = scores_of(low, made, worth, node)
        count = length(low, made)
        low.made("sort_cards", node.span, array(low, made, node), scores, count)
    return made


def write_out(low: Lowering, node: n.Node) -> None:
    """Write out the sets in variables that actions read, since cards are about to move.

    Positions of cards that moved mean nothing, and a run is to lie by points.
    """
    for slot, held in tuple(low.env.items()):
        match held:
            case CardSet(by_number=False) if low.analysis.mentions(node, slot):
                low.env[slot] = written_out(low, held, node)


def each_in(
    low: Lowering, cards: Cards, node: n.Node, stop: ir.Local | None = None
) -> AbstractContextManager[ir.Expr]:
    """Run a block for each card of a given location, from bottom to top."""
    if isinstance(cards, LoweredPile) and cards.form is PileForm.MASK:
        return low.each_bit(mask(low, cards), stop)
    if isinstance(cards, CardSet) and cards.run_points is None:
        return _each_of_set(low, cards, stop)
    return _each_of_array(low, cards, node, stop)


@contextmanager
def _each_of_set(low: Lowering, cards: CardSet, stop: ir.Local | None) -> Iterator[ir.Expr]:
    with low.each_bit(cards.bits, stop) as at:
        yield card_of(low, cards, at)


@contextmanager
def _each_of_array(
    low: Lowering, cards: Cards, node: n.Node, stop: ir.Local | None
) -> Iterator[ir.Expr]:
    base, count = array(low, cards, node), length(low, cards)
    with low.b.count(count, stop=stop) as at:
        yield low.b.let(card_at(low, base, at), "card")


def card_of(low: Lowering, cards: CardSet, at: ir.Expr) -> ir.Expr:
    """Return the card of a set whose bit has a number."""
    if cards.array is None:
        return at
    return low.b.let(card_at(low, cards.array.address, at), "card")


@contextmanager
def new_list(low: Lowering, node: n.Node) -> Iterator[tuple[Callable[[ir.Expr], None], CardList]]:
    """Open a new list; yields the function that adds a card to it, and the list itself."""
    most = low.program.rounds.cards(node)
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


def find(low: Lowering, base: ir.Expr, count: ir.Expr, wanted: ir.Expr) -> ir.Expr:
    """Return the first position of a card in an array, or the number of cards there."""
    name = "find_byte" if low.layout.card_bytes == 1 else "find_wide"
    return low.b.let(call(name, base, count, wanted), "position")


# Points -----------------------------------------------------------------------------------


def scores_of(low: Lowering, cards: CardList, worth: points.Worth, node: n.Node) -> ir.Expr:
    """Return the address of the scores of a list's cards, 8 bytes each."""
    base, count = array(low, cards, node), length(low, cards)
    at = low.made("reserve_words", node.span, count)
    scores = low.b.let(low.arena(at), "scores")
    with low.b.count(count) as position:
        score = worth(card_at(low, base, position))
        low.b.add(ir.Store(offset(scores, mul(position, const(8))), score, 8, LIST))
    return scores
