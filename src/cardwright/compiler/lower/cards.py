"""Card references: as a card, as a source, and as a target of a move.

A reference to an empty location names no card, which is -1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    call,
    compare,
    const,
    either,
    equal,
    sub,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import best, card_sets, integers, locations, owners, piles, points
from cardwright.compiler.lower.lowered_values import (
    Cards,
    CardSet,
    Held,
    LoweredPile,
    PositionSet,
    RunSet,
    UnionView,
    Value,
)
from cardwright.compiler.lower.lowering import card_at
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


@dataclass(frozen=True)
class LoweredCard:
    """A card and where it was found: at a position of a real location, or of a list.

    The position is None for a card found by a variable: it is the card's real position.
    """

    card: ir.Expr
    found_in: Cards | None
    at: ir.Expr | None
    held: Held | None = None
    """The known place of a card found by a variable."""
    bit: ir.Expr | None = None
    """The mask of the card, if it is known."""


@dataclass(frozen=True)
class LoweredTarget:
    """A place in a real location: a position, the top (None), or that of another card."""

    pile: LoweredPile | None
    position: ir.Expr | None
    card: ir.Expr | None = None


def held(low: Lowering, node: n.Node) -> Value:
    """Return the card that a reference names for a variable to hold; no card is an error."""
    if isinstance(node, n.Variable):
        return low.env[node.slot]
    found = low.b.let(card(low, node), "let")
    low.check(equal(found, NONE), "no-card", "there is no card to bind", node.span)
    return found


def card(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the card that a reference names, or -1."""
    match node:
        case n.Variable(slot=slot):
            return owners.scalar(low, slot)
        case n.Actual(card=inner):
            return card(low, inner)
        case n.End(top=top, location=location) if not low.analysis.is_real(location):
            if card_sets.lies_by_number(low, location):
                return _end_of_set(low, card_sets.card_set(low, location), top=top).card
            held = low.env.get(location.slot) if isinstance(location, n.Variable) else None
            if isinstance(held, UnionView):
                return card(low, replace(node, location=held.node))
            if not isinstance(location, n.Variable | n.Sort):
                return _virtual_end(low, node)
    return source(low, node).card


def _virtual_end(low: Lowering, node: n.End) -> ir.Expr:
    """Return the first or last card of a virtual location."""
    found = low.b.variable(NONE, "end")
    if node.top:
        with locations.each_card(low, node.location) as item:
            low.b.set(found, item)
        return found
    stop = low.b.variable(FALSE, "stop")
    with locations.each_card(low, node.location, stop=stop) as item:
        low.b.set(found, item)
        low.b.set(stop, TRUE)
    return found


def _end_of_sorted(low: Lowering, node: n.Sort, *, top: bool) -> ir.Expr:
    """Return the first card of fewest points, or the last one of most, or -1; no list is sorted."""
    worth = points.worth(low, node.points)
    found = low.b.variable(NONE, "end")
    best = low.b.variable(ZERO, "best")
    with locations.each_card(low, node.location) as item:
        score = low.b.let(worth(item), "score")
        beyond = compare(Rel.GE if top else Rel.LT, score, best)
        better = low.b.let(either(equal(found, NONE), beyond), "better")
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(found, ir.Select(better, item, found))
    return found


def source(low: Lowering, node: n.Node) -> LoweredCard:
    """Return where a reference finds its card; the card is -1 if there is none."""
    match node:
        case n.End(top=top, location=n.Sort() as location):
            return LoweredCard(_end_of_sorted(low, location, top=top), None, None)
        case n.Variable() | n.Actual():
            held = _held(low, node)
            return LoweredCard(
                low.b.let(card(low, node), "card"), None, None, held, held.bit if held else None
            )
        case n.End(top=top, location=location):
            place = locations.location(low, location)
            if isinstance(place, LoweredPile) and not piles.is_pile(place):
                found, bit = piles.end(low, place, top=top)
                return LoweredCard(found, place, None, None, bit)
            if isinstance(place, CardSet):
                return _end_of_set(low, place, top=top)
            if isinstance(place, PositionSet):
                return _end_of_positions(low, place, top=top)
            count = locations.length(low, place)
            base = locations.array(low, place, node)
            if low.defers(place):
                low.settle(ONE)
            at = low.b.let(sub(count, const(1)), "last") if top else ZERO
            end = low.b.variable(NONE, "card")
            with low.b.when(ir.OrderTest(Rel.GT, count, ZERO)):
                low.b.set(end, card_at(low, base, at))
            return LoweredCard(end, place, at)
        case n.Position():
            return _position(low, node)
        case n.BestCard():
            return _best(low, node)
    raise AssertionError(node)


def _end_of_set(low: Lowering, held: CardSet, *, top: bool) -> LoweredCard:
    """Return the first or last card of a set, with the place where it lies if that is known."""
    mask = low.b.let(held.mask, "set")
    number = call("highest_one" if top else "lowest_one", mask)
    card = low.b.let(ir.Select(equal(mask, ZERO), NONE, number), "card")
    place = None
    if held.pile is not None and held.moves == low.moves:
        place = Held(card, held.pile, None, low.moves, None)
    return LoweredCard(card, held, None, place)


def _end_of_positions(low: Lowering, held: PositionSet, *, top: bool) -> LoweredCard:
    """Return the first or last card of a set of positions."""
    found = low.b.variable(NONE, "card")
    with low.b.when(compare(Rel.NE, held.mask, ZERO)):
        at = call("highest_one" if top else "lowest_one", held.mask)
        low.b.set(found, card_at(low, held.array, at))
    return LoweredCard(found, held, None)


def _held(low: Lowering, node: n.Node) -> Held | None:
    """Return where the card of a variable lies, if no card has moved since it was found."""
    while isinstance(node, n.Actual):
        node = node.card
    value = low.env.get(node.slot) if isinstance(node, n.Variable) else None
    return value if isinstance(value, Held) and value.moves == low.moves else None


def _position(low: Lowering, node: n.Position) -> LoweredCard:
    at = integers.integer(low, node.index)
    place = locations.location(low, node.location)
    count = locations.length(low, place)
    base = locations.array(low, place, node)
    held = low.b.variable(NONE, "card")
    with low.b.when(ir.OrderTest(Rel.GT, count, ZERO)):
        low.check(
            compare(Rel.UGE, at, count),
            "position",
            "there is no position {a} among {b} cards",
            node.span,
            at,
            count,
        )
        low.b.set(held, card_at(low, base, at))
    return LoweredCard(held, place, at)


def _best(low: Lowering, node: n.BestCard) -> LoweredCard:
    """Find the card with the extreme score; ties are broken at random."""
    worth = points.worth(low, node.points)
    bound = low.analysis.is_real(node.location) or isinstance(node.location, n.Variable)
    place = locations.location(low, node.location) if bound else None
    chosen = best.best_card(low, node, worth, place)
    if place is None or isinstance(place, CardSet | UnionView):
        return LoweredCard(chosen, place, None)
    if isinstance(place, LoweredPile) and place.kind is not LocationKind.MEMORY:
        return LoweredCard(chosen, place, None)
    base, count = locations.array(low, place, node), locations.length(low, place)
    return LoweredCard(chosen, place, find(low, base, count, chosen))


def find(low: Lowering, base: ir.Expr, count: ir.Expr, wanted: ir.Expr) -> ir.Expr:
    """Return the first position of a card in an array, or the number of cards there."""
    name = "find_byte" if low.layout.card_bytes == 1 else "find_wide"
    return low.b.let(call(name, base, count, wanted), "position")


def lies_in(low: Lowering, held: ir.Expr) -> LoweredPile:
    """Return the location where a card actually is, to take it from there."""
    slot = low.b.let(call("holder_slot", low.board.base, held), "slot")
    form = PileForm.PILE if low.layout.forms.masks == 0 else None  # piles lose cards alike
    return LoweredPile(slot, LocationKind.VISIBLE, form)


def position_in(low: Lowering, pile: LoweredPile, card: ir.Expr) -> ir.Expr:
    """Return the position of a card of a location."""
    if piles.is_pile(pile):
        array = low.board.at("card", pile.slot, ZERO)
        return find(low, array, low.count(pile), card)
    return low.b.let(call("position_in", low.board.base, pile.slot, card), "position")


def target(low: Lowering, node: n.Node) -> LoweredTarget:
    """Return the place that a reference names as the target of a move.

    The pile is None if the card that marks the place was found by a variable.
    """
    match node:
        case n.End(top=top, location=location):
            place = locations.location(low, location, keep=True)
            _refuse_virtual(low, place, node)
            return LoweredTarget(_real(place), None if top else ZERO)
        case n.Position(index=index, location=location):
            position = integers.integer(low, index)
            place = locations.location(low, location, keep=True)
            _refuse_virtual(low, place, node)
            return LoweredTarget(_real(place), position)
    found = source(low, node)
    if not isinstance(node, n.Variable):
        low.check(
            equal(found.card, NONE), "no-card", "there is no card to mark the place", node.span
        )
    best = found.found_in is None and isinstance(node, n.BestCard)
    if best or isinstance(found.found_in, CardSet | PositionSet | RunSet | UnionView):
        low.fail("virtual-destination", VIRTUAL, node.span)
    if found.found_in is None or found.at is None:
        pile = lies_in(low, found.card)
        if low.layout.forms.sorted:
            pile = replace(pile, form=None)
        if isinstance(found.found_in, LoweredPile):
            pile = replace(pile, kind=found.found_in.kind)
        return LoweredTarget(pile, position_in(low, pile, found.card), found.card)
    _refuse_virtual(low, found.found_in, node)
    return LoweredTarget(_real(found.found_in), found.at, found.card)


VIRTUAL = "cards cannot be put into a virtual group; name a real location"


def _refuse_virtual(low: Lowering, place: Cards, node: n.Node) -> None:
    if not isinstance(place, LoweredPile):
        low.fail("virtual-destination", VIRTUAL, node.span)


def _real(place: Cards) -> LoweredPile:
    """Return a real location; after a virtual one is reported, any will do."""
    return (
        place if isinstance(place, LoweredPile) else LoweredPile(ZERO, LocationKind.VISIBLE, None)
    )
