"""What an `any` may pick, as bits: of cards, or of a few players, strings or integers.

The bits of cards that lie by number are the cards themselves; those of a pile are positions in it.
Other items are counted from the first.
"""

from __future__ import annotations

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, call, compare, const, mul, sub
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import conditions, integers, locations, masks, piles
from cardwright.compiler.lower.collections import everyone
from cardwright.compiler.lower.lowering import Held, LoweredPile, Lowering, Value, card_at
from cardwright.compiler.pile_forms import WORD, PileForm
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind


def are_bits(low: Lowering, pick: n.ForEach) -> bool:
    """Return whether what an `any` may pick can be had as bits, whatever the game is like."""
    collection = pick.collection
    if low.program.rounds.counted(pick):
        return False
    if collection.kind is ValueKind.LOCATION:
        return _are_cards(low, collection)
    if isinstance(collection, n.Filter):
        test = collection.test
        if low.program.rounds.counted(collection) or not low.analysis.pure(test):
            return False
        collection = collection.collection
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


def _are_cards(low: Lowering, collection: n.Node) -> bool:
    if not masks.fits(low):
        return False
    if isinstance(collection, n.Filter):
        slot = collection.variable.slot
        if low.program.rounds.counted(collection) or not masks.known(low, collection.test, slot):
            return False
        collection = collection.collection
    return masks.is_array(low, collection)


def bits(low: Lowering, pick: n.ForEach) -> ir.Expr:
    """Return what an `any` may pick, as bits."""
    collection = pick.collection
    if collection.kind is ValueKind.LOCATION:
        return _cards(low, collection)
    if isinstance(collection, n.Filter):
        return _passing(low, collection)
    return _all(low, collection)


def _cards(low: Lowering, collection: n.Node) -> ir.Expr:
    """Return the cards, or the positions of the cards, that an `any` may pick."""
    if isinstance(collection, n.Filter):
        found = masks.chosen(low, collection)
        assert found is not None
        return found.positions
    pile = locations.location(low, collection)
    assert isinstance(pile, LoweredPile)
    return piles.mask(low, pile) if pile.form is PileForm.MASK else _first(low, low.count(pile))


def _first(low: Lowering, count: ir.Expr) -> ir.Expr:
    """Return as many bits, from the lowest; there may be 64, or by mistake less than none."""
    if isinstance(count, ir.Const):
        return const(-1 if count.value == WORD else (1 << count.value) - 1)
    count = low.b.let(count, "count")
    below = ir.Binary(Op.SHL, const(-1), ir.Binary(Op.AND, count, const(WORD - 1)))
    some = ir.Binary(Op.XOR, below, const(-1))
    most = ir.Select(compare(Rel.EQ, count, const(WORD)), const(-1), some)
    return ir.Select(compare(Rel.LE, count, ZERO), ZERO, most)


def _all(low: Lowering, collection: n.Node) -> ir.Expr:
    """Return all items of a list that is not of cards."""
    match collection:
        case n.Everyone(others=others):
            those = _first(low, const(everyone(low, collection)))
            if not others:
                return those
            own = ir.Binary(Op.SHL, ONE, low.current(_cycle(low, collection)))
            return ir.Binary(Op.AND, those, ir.Binary(Op.XOR, own, const(-1)))
        case n.Strings(values=values):
            return _first(low, const(len(values)))
        case n.Range(low=first, high=last):
            start, end = integers.integer(low, first), integers.integer(low, last)
            return _first(low, add(sub(end, start), ONE))
    raise AssertionError(collection)


def _cycle(low: Lowering, collection: n.Node) -> int:
    teams = collection.kind is ValueKind.TEAMS
    return low.layout.player_cycles + low.teams if teams else low.players


def _passing(low: Lowering, node: n.Filter) -> ir.Expr:
    """Return the items of a list that pass a test."""
    found = low.b.variable(ZERO, "bits")
    with locations.each_of_mask(low, _all(low, node.collection)) as at:
        low.env[node.variable.slot] = _item(low, node.collection, at)
        holds = conditions.tested(low, node.test)
        own = ir.Select(holds, ir.Binary(Op.SHL, ONE, at), ZERO)
        low.b.set(found, ir.Binary(Op.OR, found, own))
    return found


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
    collection = pick.collection
    base = collection.collection if isinstance(collection, n.Filter) else collection
    bit = low.b.let(call("nth_bit", found, index), "bit")
    at = low.b.let(call("lowest_one", bit), "at")
    if collection.kind is not ValueKind.LOCATION:
        return _item(low, base, at)
    pile = locations.location(low, base)
    assert isinstance(pile, LoweredPile)
    if pile.form is PileForm.MASK:
        return Held(at, pile, None, low.moves, bit)
    array = locations.array(low, pile, base)
    card = low.b.let(card_at(low, array, at), "card")
    memory = pile.kind is LocationKind.MEMORY
    return card if memory else Held(card, pile, at, low.moves, None)
