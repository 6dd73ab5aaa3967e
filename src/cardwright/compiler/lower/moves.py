"""Actions that move cards, and those on references in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    both,
    call,
    compare,
    const,
    differ,
    equal,
    sub,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.kernels.sightings import FORGET, REMEMBER
from cardwright.compiler.layout import CONCEALED, PileForm
from cardwright.compiler.lower import (
    card_sets,
    cards,
    locations,
    piles,
    words,
)
from cardwright.compiler.lower.lowered_values import CardList, Cards, CardSet, LoweredPile
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.limits import NO_ROOM

if TYPE_CHECKING:
    from cardwright.compiler.lower.cards import LoweredCard, LoweredTarget
    from cardwright.compiler.lower.lowering import Lowering


def _is_memory(place: Cards | None) -> bool:
    return isinstance(place, LoweredPile) and place.kind is LocationKind.MEMORY


def move(low: Lowering, node: n.Move) -> None:
    """Take a card and put it somewhere."""
    found = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        none = equal(found.card, NONE) if found.bit is None else words.is_none(found.bit)
        low.check(none, "empty-move", "there is no card to move", node.card.span)
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
    source, at = _real_place(low, found)
    target = replace(aim.pile, slot=low.b.let(aim.pile.slot, "to"))
    low.changes(source.slot, target.slot)
    if aim.position is None:
        top = isinstance(node.card, n.End) and node.card.top
        if top:
            assert isinstance(node.card, n.End)
            top = low.analysis.is_real(node.card.location)
        piles.take(low, source, found.card, at, found.bit, top=top)
        _learn(low, found.card, source, target)
        piles.put_on_top(low, target, found.card, found.bit)
    else:
        same = low.b.let(equal(target.slot, source.slot), "same")
        room = low.b.let(sub(low.count(target), ir.Convert(same, ir.Type.INT)), "room")
        position = _position(low, aim, source, found, same)
        _within(low, position, room, node.target)
        piles.take(low, source, found.card, at, found.bit)
        _learn(low, found.card, source, target)
        piles.put_at(low, target, position, found.card)
    low.report("saw_move", BOARD, CONTEXT_LOCAL, found.card, source.slot, target.slot)
    low.act()


def _real_place(low: Lowering, found: LoweredCard) -> tuple[LoweredPile, ir.Expr | None]:
    """Return where a card lies, which leaves the group through which it was found.

    The position is None if it is not known, or need not be.
    """
    if isinstance(found.found_in, LoweredPile) and (
        found.at is not None or not piles.is_pile(found.found_in)
    ):
        return replace(found.found_in, slot=low.b.let(found.found_in.slot, "from")), found.at
    if isinstance(found.found_in, CardList):
        assert found.at is not None
        low.b.run("leave", low.arena(found.found_in.at), found.at)
    if isinstance(found.found_in, CardSet):
        card_sets.without(low, found.found_in, found.card)
    if found.held is not None:
        return found.held.pile, found.held.at
    pile = cards.lies_in(low, found.card)
    return pile, cards.position_in(low, pile, found.card) if piles.is_pile(pile) else None


def _position(
    low: Lowering, aim: LoweredTarget, source: LoweredPile, found: LoweredCard, same: ir.Expr
) -> ir.Expr:
    """Return the position in the list that is left once the card is taken out."""
    assert aim.position is not None
    if aim.card is None:
        return aim.position
    at = cards.position_in(low, source, found.card)
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


def _learn(low: Lowering, card: ir.Expr, source: LoweredPile, target: LoweredPile) -> None:
    """Update the lists of known cards."""
    if not low.learns or not _teaches(low, source, target):
        return
    if source.base is None or target.base is None or source.base in low.layout.teaching:
        low.b.run("learn_move", low.board.base, card, source.slot, target.slot)
    else:
        low.b.run("add_known", low.board.base, target.slot, card)


def _teaches(low: Lowering, source: LoweredPile, target: LoweredPile) -> bool:
    """Return whether a card that goes from a location to another may change what is known."""
    if source.base is None or target.base is None:
        return True
    if source.base in low.layout.teaching:
        return True
    return source.kind is LocationKind.VISIBLE and target.kind in CONCEALED


def swap_cards(low: Lowering, node: n.Swap) -> None:
    """Two real cards take each other's exact places, however they were found."""
    left, right = cards.source(low, node.left), cards.source(low, node.right)
    for found, side in ((left, node.left), (right, node.right)):
        low.check(equal(found.card, NONE), "no-card", "there is no card to swap", side.span)
        if _is_memory(found.found_in):
            what = "a reference in memory cannot be swapped"
            low.fail("memory-move", what, side.span)
    places = [cards.lies_in(low, found.card) for found in (left, right)]
    low.changes(*(pile.slot for pile in places))
    first, second = places
    low.b.run("swap_cards", low.board.base, first.slot, left.card, second.slot, right.card)
    _learn(low, left.card, first, second)
    _learn(low, right.card, second, first)
    places_of = first.slot, left.card, second.slot, right.card
    low.report("saw_swap", BOARD, CONTEXT_LOCAL, *places_of)
    low.act()


def swap_locations(low: Lowering, node: n.Swap) -> None:
    """Exchange the contents of two real locations."""
    sides = (
        locations.location(low, node.left, keep=True),
        locations.location(low, node.right, keep=True),
    )
    for side, form in zip(sides, (node.left, node.right), strict=True):
        if not isinstance(side, LoweredPile):
            low.fail("virtual-destination", "only real locations can be swapped", form.span)
            continue
        if _is_memory(side):
            low.fail("memory-move", "memory locations cannot be swapped", form.span)
        low.check(
            piles.is_empty(low, side),
            "no-card",
            "this location is empty: nothing to swap",
            form.span,
        )
    left, right = sides
    if isinstance(left, LoweredPile) and isinstance(right, LoweredPile):
        low.changes(left.slot, right.slot)
        low.report("saw_exchange", BOARD, CONTEXT_LOCAL, left.slot, right.slot)
        done = call("exchange", low.board.base, low.context.base, left.slot, right.slot)
        low.attempt(done, "capacity", NO_ROOM, node.span)
        low.act()


def moves_tops(low: Lowering, node: n.Node) -> bool:
    """Return whether an action moves a card from the top of one location to that of another.

    Both are the same however often it is done, and what is known of the source does not change.
    Nobody sees each card go.
    """
    if low.shared.seen and not low.shared.by_hand:
        return False
    match node:
        case n.Move(card=n.End(top=True, location=left), target=n.End(top=True, location=right)):
            if not _steady(left) or not _steady(right):
                return False
            assert isinstance(left, n.Place)
            assert isinstance(right, n.Place)
            if low.shared.by_hand and not _deals_a_set(low, left, right):
                return False
            return not low.learns or _learns_at_once(low, left, right)
    return False


def _deals_a_set(low: Lowering, left: n.Place, right: n.Place) -> bool:
    """Return whether cards that are moved are dealt as a set."""
    source, target = (piles.base_of(low, place) for place in (left, right))
    if source is None or source != low.layout.dealt or target is None:
        return False
    return low.layout.forms.of(target) is PileForm.MASK


def _learns_at_once(low: Lowering, left: n.Place, right: n.Place) -> bool:
    """Return whether what several moves teach can be seen when they are done."""
    source, target = (piles.base_of(low, place) for place in (left, right))
    if source is None or target is None or source in low.layout.teaching:
        return False
    seen = left.place is LocationKind.VISIBLE and right.place in CONCEALED
    return not seen or low.layout.forms.of(target) is PileForm.PILE


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
        if low.shared.by_hand:
            low.b.run("settle_set", low.board.base, low.board.base, left.slot, rounds)
            low.report("saw_deal", BOARD, CONTEXT_LOCAL, left.slot, right.slot, rounds)
        elif low.defers(left):
            low.settle(rounds)
        if left.form is PileForm.PILE and right.form is PileForm.MASK:
            kernel = "deal"
        else:
            kernel = "move_many"
        low.b.run(kernel, low.board.base, left.slot, right.slot, rounds)
        if low.learns and _teaches(low, left, right):
            low.b.run("learn_top", low.board.base, right.slot, rounds)
        low.act()


def moves_each(low: Lowering, node: n.ForEach) -> bool:
    """Return whether a loop moves every card of a set to the top of one location."""
    if low.shared.seen:
        return False
    match node:
        case n.ForEach(
            variable=n.Variable(slot=slot),
            body=n.Move(
                card=n.Variable(slot=moved), target=n.End(top=True, location=n.Place() as place)
            ),
        ) if slot == moved:
            counted = low.program.rounds.counted(node) or low.analysis.mentions(place, slot)
            known = low.analysis.pure(place) and place.place is not LocationKind.MEMORY
            return not counted and known and card_sets.lies_by_number(low, node.collection)
    return False


def move_each(low: Lowering, node: n.ForEach) -> bool:
    """Move every card of a set, in one operation if they lie together; return whether they do."""
    assert isinstance(node.body, n.Move)
    found, source = card_sets.found_with_place(low, node.collection)
    if source is None:
        return False
    target = cards.target(low, node.body.target).pile
    assert target is not None
    if low.learns and _teaches(low, source, target):
        return False
    low.changes(source.slot, target.slot)
    piles.drop_all(low, source, found)
    if target.form is PileForm.MASK:
        piles.add_all(low, target, found)
    else:
        with locations.each_of_mask(low, found) as card:
            piles.put_on_top(low, target, card, low.b.let(piles.bit(low, card), "bit"))
    if low.acted is not None:
        with low.b.when(differ(found, ZERO)):
            low.act()
    low.moves += 1
    return True


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
    low.report("saw_reference", BOARD, CONTEXT_LOCAL, const(REMEMBER), aim.pile.slot, card)
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
    slot = found.found_in.slot
    low.report("saw_reference", BOARD, CONTEXT_LOCAL, const(FORGET), slot, found.card)
    low.b.run("take", low.board.base, slot, found.at)
    low.act()
