"""What an `any` may pick, as bits: of cards, or of a few players, strings or integers.

The bits of cards that lie by number are the cards themselves; those of a pile are positions in it.
Other items are counted from the first.
"""

from __future__ import annotations

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, call, const, mul, sub
from cardwright.compiler.ir import Local, Op, Type
from cardwright.compiler.layout import WORD, PileForm
from cardwright.compiler.lower import conditions, integers, locations, masks, piles, words
from cardwright.compiler.lower.collections import everyone
from cardwright.compiler.lower.lowered_values import Held, LoweredPile, Value
from cardwright.compiler.lower.lowering import Lowering, card_at
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind


def are_bits(low: Lowering, pick: n.ForEach) -> bool:
    """Return whether what an `any` may pick can be had as bits, whatever the game is like."""
    collection = pick.collection
    if low.program.rounds.counted(pick):
        return False
    while isinstance(collection, n.Filter):
        if low.program.rounds.counted(collection) or low.analysis.draws(collection.test):
            return False
        collection = collection.collection
    if collection.kind is ValueKind.LOCATION:
        return masks.fits(low) and masks.is_array(low, collection)
    match collection:
        case n.Everyone():
            return everyone(low, collection) <= WORD
        case n.Strings(values=values):
            return len(values) <= WORD
        case n.Range(low=first, high=last):
            bounds = low.analysis.bounds
            few = bounds(last)[1] - bounds(first)[0] < WORD
            return few and low.analysis.pure(collection)
    return False


def kind_of_bits(low: Lowering, pick: n.ForEach) -> Type:
    """Return the type of the bits of what an `any` may pick."""
    cards = pick.collection.kind is ValueKind.LOCATION
    return low.layout.mask if cards else Type.INT


def bits(low: Lowering, pick: n.ForEach) -> ir.Expr:
    """Return what an `any` may pick, as bits."""
    collection = pick.collection
    if collection.kind is ValueKind.LOCATION:
        return _cards(low, collection)
    return _items(low, collection)


def _cards(low: Lowering, collection: n.Node) -> ir.Expr:
    """Return the cards, or the positions of the cards, that an `any` may pick."""
    base = n.unfiltered(collection)
    if not isinstance(collection, n.Filter):
        pile = locations.location(low, base)
        assert isinstance(pile, LoweredPile)
        if pile.form is PileForm.MASK:
            return piles.mask(low, pile)
        return words.first(low.layout.mask, low.count(pile))
    if base is collection.collection and (found := masks.chosen(low, collection)) is not None:
        return found.positions
    among = low.b.let(_cards(low, collection.collection), "among")
    which = masks.mask(low, collection.test, collection.variable.slot)
    pile = locations.location(low, base)
    assert isinstance(pile, LoweredPile)
    if which is not None and pile.form is PileForm.MASK:
        return ir.Binary(Op.AND, among, which)
    array = None if pile.form is PileForm.MASK else locations.array(low, pile, base)
    passing = low.b.variable(words.none(low.layout.mask), "bits")
    with locations.each_of_mask(low, among) as at:
        card = at if array is None else low.b.let(card_at(low, array, at), "card")
        low.env[collection.variable.slot] = card
        _keep_passing(low, passing, collection.test, at)
    return passing


def _keep_passing(low: Lowering, found: Local, test: n.Node, at: ir.Expr) -> None:
    """Add a bit to those found if a test holds."""
    own = words.only_if(conditions.tested(low, test), words.single(found.type, at))
    low.b.set(found, ir.Binary(Op.OR, found, own))


def _all(low: Lowering, collection: n.Node) -> ir.Expr:
    """Return all items of a list that is not of cards."""
    match collection:
        case n.Everyone(others=others):
            those = words.first(Type.INT, const(everyone(low, collection)))
            if not others:
                return those
            own = words.single(Type.INT, low.current(_cycle(low, collection)))
            return ir.Binary(Op.AND, those, words.inverted(own))
        case n.Strings(values=values):
            return words.first(Type.INT, const(len(values)))
        case n.Range(low=first, high=last):
            start, end = integers.integer(low, first), integers.integer(low, last)
            return words.first(Type.INT, low.b.let(add(sub(end, start), ONE), "count"))
    raise AssertionError(collection)


def _cycle(low: Lowering, collection: n.Node) -> int:
    teams = collection.kind is ValueKind.TEAMS
    return low.layout.player_cycles + low.teams if teams else low.players


def _items(low: Lowering, collection: n.Node) -> ir.Expr:
    """Return what an `any` may pick from a list that is not of cards."""
    if not isinstance(collection, n.Filter):
        return _all(low, collection)
    among = _items(low, collection.collection)
    passing = low.b.variable(ZERO, "bits")
    with locations.each_of_mask(low, among) as at:
        low.env[collection.variable.slot] = _item(low, n.unfiltered(collection), at)
        _keep_passing(low, passing, collection.test, at)
    return passing


def _item(low: Lowering, collection: n.Node, at: ir.Expr) -> ir.Expr:
    """Return the item of a list at a position."""
    match collection:
        case n.Everyone():
            return at
        case n.Strings(values=values):
            numbers = [low.names.number(text) for text in values]
            table = low.shared.integers("strings " + " ".join(values), numbers or [0], 2)
            return low.b.let(ir.Load(ir.Offset(table, mul(at, const(2))), 2), "string")
        case n.Range(low=first):
            return low.b.let(add(integers.integer(low, first), at), "number")
    raise AssertionError(collection)


def pick_nth(low: Lowering, pick: n.ForEach, found: ir.Expr, index: ir.Expr) -> Value:
    """Return the item of the n-th bit, counted from 0."""
    bit = low.b.let(call("nth_bit", found, index), "bit")
    return item(low, pick, low.b.let(call("lowest_one", bit), "at"), bit)


def item(low: Lowering, pick: n.ForEach, at: ir.Expr, bit: ir.Expr | None = None) -> Value:
    """Return the item of a bit, given by its number."""
    base = n.unfiltered(pick.collection)
    if pick.collection.kind is not ValueKind.LOCATION:
        return _item(low, base, at)
    pile = locations.location(low, base)
    assert isinstance(pile, LoweredPile)
    if pile.form is PileForm.MASK:
        return Held(at, pile, None, low.moves, bit)
    array = locations.array(low, pile, base)
    card = low.b.let(card_at(low, array, at), "card")
    memory = pile.kind is LocationKind.MEMORY
    return card if memory else Held(card, pile, at, low.moves, None)
