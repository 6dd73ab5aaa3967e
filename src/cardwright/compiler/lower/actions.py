"""Actions: immediate changes of the board; and steps, which do them in order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    differ,
    equal,
    sub,
)
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.kernels.information import FORGET, QUEUE, REMEMBER, STORAGES, TURN
from cardwright.compiler.layout import CONCEALED, PileForm
from cardwright.compiler.lower import card_sets, cards, collections, piles, points, storages, words
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, OVERFLOW
from cardwright.compiler.lower.values import (
    CardList,
    CardSet,
    LoweredPile,
    Value,
    is_memory,
)
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_REPEATS, NO_ROOM
from cardwright.program.nodes import StatePart

if TYPE_CHECKING:
    from typing import TypeGuard

    from cardwright.compiler.lower.cards import LoweredCard, LoweredTarget
    from cardwright.compiler.lower.lowering import Lowering

# Steps ------------------------------------------------------------------------------------


def step(low: Lowering, node: n.Node) -> None:
    """Do a step outside choices, where everything happens at once."""
    match node:
        case n.Do(steps=steps):
            for inner in steps:
                step(low, inner)
        case n.When(test=test, body=body):
            with low.b.when(low.holds(test)):
                step(low, body)
        case n.ForEach():
            _for_each(low, node)
        case n.Let(variable=variable, value=value, body=body):
            with low.scratch():
                low.env[variable.slot] = bind(low, value)
                step(low, body)
        case _:
            action(low, node)


def bind(low: Lowering, node: n.Node) -> Value:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    match node.kind:
        case ValueKind.INTEGER:
            return low.b.let(low.integer(node), "let")
        case ValueKind.STRING:
            return low.b.let(low.string(node), "let")
        case ValueKind.BOOLEAN:
            return low.b.let(low.condition(node), "let")
        case ValueKind.LOCATION:
            return low.location(node, keep=True)
        case ValueKind.CARD:
            return cards.held(low, node)
        case ValueKind.PLAYER:
            return low.b.let(low.seat(node), "let")
        case ValueKind.TEAM:
            return low.b.let(low.team(node), "let")
        case ValueKind.LOCATIONS:
            return collections.members(low, node)
    if isinstance(node, n.Variable):
        return low.env[node.slot]
    if collections.are_owners(low, node):
        return collections.owner_set(low, node)
    return collections.values_of(low, node)


def _for_each(low: Lowering, node: n.ForEach) -> None:
    if moves_each(low, node) and _move_each(low, node):
        return
    if low.unrolls and _is_short(low, node):
        assert isinstance(node.collection, n.Everyone)
        for owner, _ in card_sets.each_owner(low, node.collection):
            low.moves += 1
            low.env[node.variable.slot] = owner
            with low.scratch():
                step(low, node.body)
        return
    low.moves += 1
    before, low.still = low.still, not n.writes(node.body) & (StatePart.CARDS | StatePart.HOLDERS)
    with low.scratch(), collections.each(low, node.collection, node.variable, listed=True):
        low.rounds(node)
        step(low, node.body)
    low.still = before


_SHORT = 24
"""Most forms of the body of a loop that is written out."""


def _is_short(low: Lowering, node: n.ForEach) -> bool:
    """Return whether a loop over all players is short, and its rounds do not count."""
    match node.collection:
        case n.Everyone(others=False):
            return not low.counts(node) and sum(1 for _ in n.walk(node.body)) <= _SHORT
    return False


# Actions ----------------------------------------------------------------------------------


def action(low: Lowering, node: n.Node) -> None:
    """Do an action."""
    if isinstance(node, n.Repeat | n.RepeatAll):
        low.moves += 1
    with low.scratch():
        _action(low, node)
    if n.writes(node) & StatePart.CARDS:
        low.moves += 1


def _action(low: Lowering, node: n.Node) -> None:
    match node:
        case n.Set():
            _set(low, node)
        case n.SetPoints():
            points.set_points(low, node)
        case n.Increase():
            _increase(low, node)
        case n.Move():
            _move(low, node)
        case n.Swap() if node.left.kind is ValueKind.CARD:
            _swap_cards(low, node)
        case n.Swap():
            _swap_locations(low, node)
        case n.Remember():
            _remember(low, node)
        case n.Forget():
            _forget(low, node)
        case n.Shuffle():
            _shuffle(low, node)
        case n.Cycle():
            _cycle(low, node)
        case n.Pass():
            low.act()
        case n.Repeat():
            _repeat(low, node)
        case n.RepeatAll():
            _repeat_all(low, node)
        case _:
            raise AssertionError(node)


def _set(low: Lowering, node: n.Set) -> None:
    assert isinstance(node.storage, n.Storage)
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    if node.storage.storage is n.StorageKind.INTEGER:
        _store(low, "integers", cell, low.integer(node.value))
    else:
        _store(low, "strings", cell, low.string(node.value))


def _store(low: Lowering, field: str, cell: ir.Expr, value: ir.Expr) -> None:
    low.write(field, cell, value)
    stored = low.read(field, cell)
    low.report("saw_stored", CONTEXT_LOCAL, const(STORAGES.index(field)), cell, stored)
    low.act()


def _increase(low: Lowering, node: n.Increase) -> None:
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    now = low.read("integers", cell)
    amount = low.integer(node.amount) if node.amount is not None else ONE
    op, overflows = (Op.ADD, "add_overflows") if node.sign > 0 else (Op.SUB, "subtract_overflows")
    if low.analysis.overflows(node):
        low.check(call(overflows, now, amount), "overflow", OVERFLOW, node.span)
    _store(low, "integers", cell, ir.Binary(op, now, amount))


def _cycle(low: Lowering, node: n.Cycle) -> None:
    seat = low.seat(node.player)
    if node.queue:
        low.queue(low.players, add(seat, ONE))
    else:
        low.make_current(low.players, seat)
    low.report("saw_turn", CONTEXT_LOCAL, const(QUEUE if node.queue else TURN), seat)
    low.act()


def _repeat(low: Lowering, node: n.Repeat) -> None:
    rounds = low.integer(node.count)
    if low.analysis.bounds(node.count)[1] > MOST_REPEATS:
        many = compare(Rel.GT, rounds, const(MOST_REPEATS))
        what = f"{{a:,}} rounds are more than {MOST_REPEATS:,}"
        low.check(many, "length", what, node.count.span, rounds)
    rounds = low.b.let(rounds, "rounds")
    low.rounds(node, ir.Select(compare(Rel.GT, rounds, ZERO), rounds, ZERO))
    _do_often(low, node.action, rounds)


def _repeat_all(low: Lowering, node: n.RepeatAll) -> None:
    """Do the action as often as the location that the card names has cards now."""
    assert isinstance(node.action, n.Move | n.Forget)
    named = node.action.card
    while isinstance(named, n.Actual):
        named = named.card
    assert isinstance(named, n.End | n.Position | n.BestCard)
    rounds = low.b.variable(ZERO, "rounds")
    with low.scratch():
        low.b.set(rounds, piles.length(low, low.location(named.location)))
    low.rounds(node, rounds)
    _do_often(low, node.action, rounds)


def _do_often(low: Lowering, node: n.Node, rounds: ir.Expr) -> None:
    if moves_tops(low, node):
        _move_many(low, node, rounds)
        return
    with low.b.count(rounds):
        action(low, node)


# Cards ------------------------------------------------------------------------------------


def _shuffle(low: Lowering, node: n.Shuffle) -> None:
    place = low.location(node.location)
    if isinstance(place, LoweredPile):
        low.changes(place.slot)
    if isinstance(place, LoweredPile) and low.defers(place):
        low.b.run("defer_shuffle", low.board.base, low.board.base, place.slot)
    else:
        base, count = piles.array(low, place, node), piles.length(low, place)
        low.b.run("shuffle", low.board.base, base, count)
    if isinstance(place, LoweredPile):
        low.report("saw_shuffle", BOARD, CONTEXT_LOCAL, place.slot)
    low.act()


def _move(low: Lowering, node: n.Move) -> None:
    taken = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        none = equal(taken.card, NONE) if taken.bit is None else words.is_none(taken.bit)
        low.check(none, "empty-move", "there is no card to move", node.card.span)
    _put(low, taken, cards.target(low, node.target), node)


def _put(low: Lowering, taken: LoweredCard, aim: LoweredTarget, node: n.Move) -> None:
    """Take a card out of its real place, then put it at its target."""
    if is_memory(taken.place):
        what = "a memory location holds no cards to move, only references; use forget"
        low.fail("memory-move", what, node.card.span)
    if is_memory(aim.pile):
        what = "cards cannot be put into a memory location; use remember"
        low.fail("memory-destination", what, node.target.span)
    source, at = _real_place(low, taken)
    target = replace(aim.pile, slot=low.b.let(aim.pile.slot, "to"))
    low.changes(source.slot, target.slot)
    position = None
    if aim.position is not None:
        same = low.b.let(equal(target.slot, source.slot), "same")
        room = low.b.let(sub(piles.count(low, target), ir.Convert(same, ir.Type.INT)), "room")
        position = _position(low, aim, source, taken, same)
        _within(low, position, room, node.target)
    card = node.card
    top = isinstance(card, n.End) and card.top and low.analysis.is_real(card.location)
    piles.take(low, source, taken.card, at, taken.bit, top=top)
    _learn(low, taken.card, source, target)
    piles.put(low, target, taken.card, position, taken.bit)
    low.report("saw_move", BOARD, CONTEXT_LOCAL, taken.card, source.slot, target.slot)
    low.act()


def _real_place(low: Lowering, taken: LoweredCard) -> tuple[LoweredPile, ir.Expr | None]:
    """Return where a card lies, which leaves the group through which it was taken.

    The position is None if it is not known, or need not be.
    """
    if isinstance(taken.place, LoweredPile) and (
        taken.at is not None or not piles.is_pile(taken.place)
    ):
        return replace(taken.place, slot=low.b.let(taken.place.slot, "from")), taken.at
    if isinstance(taken.place, CardList):
        assert taken.at is not None
        low.b.run("leave", low.arena(taken.place.at), taken.at)
    if isinstance(taken.place, CardSet) and taken.place.by_number:
        bits = taken.place.bits
        assert isinstance(bits, ir.Local)
        low.b.set(bits, words.common(bits, words.inverted(piles.bit(low, taken.card))))
    if taken.held is not None:
        return taken.held.pile, taken.held.at
    pile = cards.lies_in(low, taken.card)
    return pile, cards.position_in(low, pile, taken.card) if piles.is_pile(pile) else None


def _position(
    low: Lowering, aim: LoweredTarget, source: LoweredPile, taken: LoweredCard, same: ir.Expr
) -> ir.Expr:
    """Return the position in the list that is left once the card is taken out."""
    assert aim.position is not None
    if aim.card is None:
        return aim.position
    at = cards.position_in(low, source, taken.card)
    behind = both(both(same, differ(taken.card, aim.card)), compare(Rel.LT, at, aim.position))
    return low.b.let(sub(aim.position, ir.Convert(behind, ir.Type.INT)), "position")


def _within(low: Lowering, position: ir.Expr, room: ir.Expr, target: n.Node) -> None:
    if isinstance(position, ir.Const) and position.value == 0:
        return
    beyond = ir.OrderTest(Rel.ULT, room, position)
    what = "there is no position {a} to put a card among {b}"
    low.check(beyond, "position", what, target.span, position, room)


def _learn(low: Lowering, card: ir.Expr, source: LoweredPile, target: LoweredPile) -> None:
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


def _swap_cards(low: Lowering, node: n.Swap) -> None:
    """Two real cards take each other's exact places, however they were swapped."""
    left, right = cards.source(low, node.left), cards.source(low, node.right)
    for swapped, side in ((left, node.left), (right, node.right)):
        low.check(equal(swapped.card, NONE), "no-card", "there is no card to swap", side.span)
        if is_memory(swapped.place):
            what = "a reference in memory cannot be swapped"
            low.fail("memory-move", what, side.span)
    places = [cards.lies_in(low, swapped.card) for swapped in (left, right)]
    low.changes(*(pile.slot for pile in places))
    first, second = places
    exchanged = first.slot, left.card, second.slot, right.card
    low.b.run("swap_cards", low.board.base, *exchanged)
    _learn(low, left.card, first, second)
    _learn(low, right.card, second, first)
    low.report("saw_swap", BOARD, CONTEXT_LOCAL, *exchanged)
    low.act()


def _swap_locations(low: Lowering, node: n.Swap) -> None:
    sides = [low.location(side, keep=True) for side in (node.left, node.right)]
    for side, form in zip(sides, (node.left, node.right), strict=True):
        if not isinstance(side, LoweredPile):
            low.fail("virtual-destination", "only real locations can be swapped", form.span)
            continue
        if is_memory(side):
            low.fail("memory-move", "memory locations cannot be swapped", form.span)
        what = "this location is empty: nothing to swap"
        low.check(piles.is_empty(low, side), "no-card", what, form.span)
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
            if low.shared.by_hand and not _deals_a_set(low, left, right):
                return False
            return not low.learns or _learns_at_once(low, left, right)
    return False


def _deals_a_set(low: Lowering, left: n.Place, right: n.Place) -> bool:
    """Return whether cards that are moved are dealt as a set."""
    source, target = (piles.base_of(low, place) for place in (left, right))
    if source is None or source != low.layout.dealt or target is None:
        return False
    return low.layout.forms.form_of(target) is PileForm.MASK


def _learns_at_once(low: Lowering, left: n.Place, right: n.Place) -> bool:
    """Return whether what several moves teach can be seen when they are done."""
    source, target = (piles.base_of(low, place) for place in (left, right))
    if source is None or target is None or source in low.layout.teaching:
        return False
    seen = left.place is LocationKind.VISIBLE and right.place in CONCEALED
    return not seen or low.layout.forms.form_of(target) is PileForm.PILE


def _steady(node: n.Node) -> TypeGuard[n.Place]:
    """Return whether a form names a real location, the same after any move."""
    return (
        isinstance(node, n.Place)
        and node.place is not LocationKind.MEMORY
        and isinstance(node.owner, n.Table | n.Variable | n.TurnOwner)
        and isinstance(node.name, n.Text)
        and (node.index is None or isinstance(node.index, n.Number | n.Variable))
    )


def _move_many(low: Lowering, node: n.Node, rounds: ir.Expr) -> None:
    """Move cards one by one from the top of a location to that of another, in one operation."""
    assert isinstance(node, n.Move)
    assert isinstance(node.card, n.End)
    assert isinstance(node.target, n.End)
    with low.b.when(compare(Rel.GT, rounds, ZERO)):
        left = low.pile(node.card.location)
        right = cards.target(low, node.target).pile
        taken = ir.Select(equal(left.slot, right.slot), ONE, rounds)
        few = compare(Rel.GT, taken, piles.count(low, left))
        low.check(few, "empty-move", "there is no card to move", node.card.span)
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
            counted = low.counts(node) or low.analysis.mentions(place, slot)
            known = low.analysis.pure(place) and place.place is not LocationKind.MEMORY
            return not counted and known and card_sets.lies_by_number(low, node.collection)
    return False


def _move_each(low: Lowering, node: n.ForEach) -> bool:
    """Move every card of a set, in one operation if they lie together; return whether they do."""
    assert isinstance(node.body, n.Move)
    group = card_sets.cards_of(low, node.collection)
    moved, source = group.bits, group.pile
    if source is None:
        return False
    target = cards.target(low, node.body.target).pile
    if low.learns and _teaches(low, source, target):
        return False
    low.changes(source.slot, target.slot)
    piles.drop_all(low, source, moved)
    if target.form is PileForm.MASK:
        piles.add_all(low, target, moved)
    else:
        with low.each_bit(moved) as card:
            piles.put(low, target, card)
    if low.acted is not None:
        with low.b.when(differ(moved, ZERO)):
            low.act()
    low.moves += 1
    return True


def _remember(low: Lowering, node: n.Remember) -> None:
    """Put a reference to a card into a memory location."""
    card = low.b.let(low.card(node.card), "card")
    if not isinstance(node.card, n.Variable):
        what = "there is no card to remember"
        low.check(equal(card, NONE), "no-card", what, node.card.span)
    aim = cards.target(low, node.target)
    if not is_memory(aim.pile):
        what = "cards are remembered in memory locations: (game mem ...)"
        low.fail("memory-destination", what, node.target.span)
    room = piles.count(low, aim.pile)
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


def _forget(low: Lowering, node: n.Forget) -> None:
    forgotten = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        what = "there is nothing to forget"
        low.check(equal(forgotten.card, NONE), "empty-move", what, node.card.span)
    if not is_memory(forgotten.place):
        what = "only what is in a memory location can be forgotten"
        low.fail("memory-move", what, node.card.span)
        return
    assert isinstance(forgotten.place, LoweredPile)
    assert forgotten.at is not None
    low.changes(forgotten.place.slot)
    slot = forgotten.place.slot
    low.report("saw_reference", BOARD, CONTEXT_LOCAL, const(FORGET), slot, forgotten.card)
    low.b.run("take", low.board.base, slot, forgotten.at)
    low.act()
