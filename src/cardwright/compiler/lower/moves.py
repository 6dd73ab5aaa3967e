"""Actions that move cards, and those on references in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    both,
    compare,
    const,
    equal,
    sub,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import (
    cards,
    locations,
)
from cardwright.compiler.lower.lowering import (
    CardList,
    LoweredPile,
    Lowering,
    card_address,
)
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.cards import LoweredCard, LoweredTarget


def _is_memory(place: LoweredPile | CardList | None) -> bool:
    return isinstance(place, LoweredPile) and place.kind is LocationKind.MEMORY


def move(low: Lowering, node: n.Move) -> None:
    """Take a card and put it somewhere."""
    found = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        low.check(equal(found.card, NONE), "empty-move", "there is no card to move", node.card.span)
    _put(low, found, cards.target(low, node.target), node)


def _put(low: Lowering, found: LoweredCard, aim: LoweredTarget, node: n.Move) -> None:
    """Take a card out of its real place, then put it at its target."""
    assert aim.pile is not None
    if _is_memory(found.found_in):
        what = "a memory location holds no cards to move, only references; use forget"
        low.fail("memory-move", what, node.card.span)
    if _is_memory(aim.pile):
        what = "cards cannot be put into a memory location; use remember"
        low.fail("memory-destination", what, node.target.span)
    slot, at = _real_place(low, found)
    to = low.b.let(aim.pile.slot, "to")
    low.changes(slot, to)
    same = low.b.let(equal(to, slot), "same")
    if aim.position is None:
        _take(low, node, slot, at)
        _learn(low, found.card, slot, to)
        low.b.run("push", low.board.base, to, found.card)
    else:
        room = sub(low.board.load("count", to), ir.Convert(same, ir.Type.INT))
        position = _position(low, aim, found, at, same)
        room = low.b.let(room, "room")
        _within(low, position, room, node.target)
        _take(low, node, slot, at)
        _learn(low, found.card, slot, to)
        low.b.run("insert", low.board.base, to, position, found.card)
    low.store("where", found.card, value=to)
    low.act()


def _take(low: Lowering, node: n.Move, slot: ir.Expr, at: ir.Expr) -> None:
    """Take a card out of its place."""
    match node.card:
        case n.End(top=True, location=location) if low.analysis.is_real(location):
            low.b.run("take_top", low.board.base, slot)
        case _:
            low.b.run("take", low.board.base, slot, at)


def _real_place(low: Lowering, found: LoweredCard) -> tuple[ir.Expr, ir.Expr]:
    """Return the slot and position of a card, which leaves the group through which it was found."""
    if isinstance(found.found_in, LoweredPile) and found.at is not None:
        return low.b.let(found.found_in.slot, "from"), found.at
    if isinstance(found.found_in, CardList):
        assert found.at is not None
        low.b.run("leave", low.arena(found.found_in.at), found.at)
    if found.held is not None:
        return found.held.slot, found.held.at
    return cards.lies_in(low, found.card)


def _position(
    low: Lowering, aim: LoweredTarget, found: LoweredCard, at: ir.Expr, same: ir.Expr
) -> ir.Expr:
    """Return the position in the list that is left once the card is taken out."""
    assert aim.position is not None
    if aim.card is None:
        return aim.position
    other = ir.OrderTest(Rel.NE, found.card, aim.card)
    behind = both(both(same, other), compare(Rel.LT, at, aim.position))
    return low.b.let(sub(aim.position, ir.Convert(behind, ir.Type.INT)), "position")


def _within(low: Lowering, position: ir.Expr, room: ir.Expr, target: n.Node) -> None:
    if isinstance(position, ir.Const) and position.value == 0:
        return
    low.check(
        ir.OrderTest(Rel.ULT, room, position),
        "position",
        "there is no position {a} to put a card among {b}",
        target.span,
        position,
        room,
    )


def _learn(low: Lowering, card: ir.Expr, source: ir.Expr, target: ir.Expr) -> None:
    """Update the lists of known cards."""
    if low.layout.known:
        low.b.run("learn_move", low.board.base, card, source, target)


def swap_cards(low: Lowering, node: n.Swap) -> None:
    """Two real cards take each other's exact places, however they were found."""
    left, right = cards.source(low, node.left), cards.source(low, node.right)
    for found, side in ((left, node.left), (right, node.right)):
        low.check(equal(found.card, NONE), "no-card", "there is no card to swap", side.span)
        if _is_memory(found.found_in):
            what = "a reference in memory cannot be swapped"
            low.fail("memory-move", what, side.span)
    places = [cards.lies_in(low, found.card) for found in (left, right)]
    low.changes(*(slot for slot, _ in places))
    for (slot, at), other in zip(places, (right, left), strict=True):
        address = card_address(low, low.board.at("card", slot, ZERO), at)
        low.b.add(ir.Store(address, other.card, low.layout.card_bytes))
    (first, _), (second, _) = places
    low.store("where", left.card, value=second)
    low.store("where", right.card, value=first)
    _learn(low, left.card, first, second)
    _learn(low, right.card, second, first)
    low.act()


def swap_locations(low: Lowering, node: n.Swap) -> None:
    """Exchange the contents of two real locations."""
    sides = (
        locations.location(low, node.left, keep=True),
        locations.location(low, node.right, keep=True),
    )
    for side, form in zip(sides, (node.left, node.right), strict=True):
        if isinstance(side, CardList):
            low.fail("virtual-destination", "only real locations can be swapped", form.span)
            continue
        if _is_memory(side):
            low.fail("memory-move", "memory locations cannot be swapped", form.span)
        empty = equal(low.count(side), ZERO)
        low.check(empty, "no-card", "this location is empty: nothing to swap", form.span)
    left, right = sides
    if isinstance(left, LoweredPile) and isinstance(right, LoweredPile):
        low.changes(left.slot, right.slot)
        low.b.run("exchange", low.board.base, left.slot, right.slot)
        low.act()


def moves_tops(low: Lowering, node: n.Node) -> bool:
    """Return whether an action moves a card from the top of one location to that of another.

    Both are the same however often it is done, and no lists of known cards are kept.
    """
    match node:
        case n.Move(card=n.End(top=True, location=left), target=n.End(top=True, location=right)):
            return not low.layout.known and _steady(left) and _steady(right)
    return False


def _steady(node: n.Node) -> bool:
    """Return whether a form names a real location, the same after any move."""
    return (
        isinstance(node, n.Place)
        and node.place is not LocationKind.MEMORY
        and isinstance(node.owner, n.Table | n.Variable | n.TurnOwner)
        and isinstance(node.name, n.Text)
        and (node.index is None or isinstance(node.index, n.Number | n.Variable))
    )


def move_many(low: Lowering, node: n.Node, rounds: ir.Expr) -> None:
    """Move cards one by one from the top of a location to that of another, in one operation."""
    assert isinstance(node, n.Move)
    assert isinstance(node.card, n.End)
    assert isinstance(node.target, n.End)
    with low.b.when(compare(Rel.GT, rounds, ZERO)):
        left = locations.location(low, node.card.location)
        assert isinstance(left, LoweredPile)
        right = cards.target(low, node.target).pile
        assert right is not None
        what = "there is no card to move"
        taken = ir.Select(equal(left.slot, right.slot), ONE, rounds)
        low.check(compare(Rel.GT, taken, low.count(left)), "empty-move", what, node.card.span)
        low.changes(left.slot, right.slot)
        low.b.run("move_many", low.board.base, left.slot, right.slot, rounds)
        low.act()


def remember(low: Lowering, node: n.Remember) -> None:
    """Put a reference to a card into a memory location."""
    card = low.b.let(cards.card(low, node.card), "card")
    if not isinstance(node.card, n.Variable):
        what = "there is no card to remember"
        low.check(equal(card, NONE), "no-card", what, node.card.span)
    aim = cards.target(low, node.target)
    assert aim.pile is not None
    if not _is_memory(aim.pile):
        what = "cards are remembered in memory locations: (game mem ...)"
        low.fail("memory-destination", what, node.target.span)
    room = low.count(aim.pile)
    if aim.position is not None:
        _within(low, aim.position, room, node.target)
    full = compare(Rel.GE, room, const(low.layout.capacity))
    what = f"a memory location holds at most {low.layout.capacity} references"
    low.check(full, "capacity", what, node.target.span)
    at = room if aim.position is None else aim.position
    low.changes(aim.pile.slot)
    low.b.run("insert", low.board.base, aim.pile.slot, at, card)
    low.act()


def forget(low: Lowering, node: n.Forget) -> None:
    """Take a reference out of a memory location."""
    found = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        what = "there is nothing to forget"
        low.check(equal(found.card, NONE), "empty-move", what, node.card.span)
    if not _is_memory(found.found_in):
        what = "only what is in a memory location can be forgotten"
        low.fail("memory-move", what, node.card.span)
        return
    assert isinstance(found.found_in, LoweredPile)
    assert found.at is not None
    low.changes(found.found_in.slot)
    low.b.run("take", low.board.base, found.found_in.slot, found.at)
    low.act()
