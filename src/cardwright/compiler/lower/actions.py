"""Actions: changes of the board, at once."""

from __future__ import annotations

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
    equal,
    sub,
)
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import (
    cards,
    conditions,
    integers,
    locations,
    owners,
    points,
    storages,
)
from cardwright.compiler.lower.lowering import CardList, Lowering, Pile, card_address
from cardwright.compiler.lower.points import OVERFLOW
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import Kind

if TYPE_CHECKING:
    from cardwright.compiler.lower.cards import Source, Target

MAX_REPEATS = 1_000_000
"""Most rounds of one `repeat`; more is an error, not an endless wait."""


def action(low: Lowering, node: n.Node) -> None:
    """Do an action."""
    if isinstance(node, n.Repeat | n.RepeatAll):
        low.moves += 1
    with low.scratch():
        _action(low, node)
    if not isinstance(node, n.Set | n.SetPoints | n.Increase | n.Cycle | n.Pass):
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
        case n.Swap() if node.left.kind is Kind.CARD:
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


# Storages ---------------------------------------------------------------------------------


def _set(low: Lowering, node: n.Set) -> None:
    assert isinstance(node.storage, n.Storage)
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    if node.storage.storage is n.StorageKind.INTEGER:
        low.store("integers", cell, value=integers.integer(low, node.value))
    else:
        low.store("strings", cell, value=storages.string(low, node.value))
    low.act()


def set_if(low: Lowering, test: n.Node, node: n.Set) -> None:
    """Store a value if a test holds, without a branch that nobody could predict."""
    assert isinstance(node.storage, n.Storage)
    with low.scratch():
        holds = low.b.let(conditions.condition(low, test), "holds")
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    integer = node.storage.storage is n.StorageKind.INTEGER
    field = "integers" if integer else "strings"
    form = integers.integer if integer else storages.string
    new = form(low, node.value)
    low.store(field, cell, value=ir.Select(holds, new, low.board.load(field, cell)))


def _increase(low: Lowering, node: n.Increase) -> None:
    assert isinstance(node.storage, n.Storage)
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    now = low.b.let(low.board.load("integers", cell), "now")
    amount = integers.integer(low, node.amount) if node.amount is not None else ONE
    op, overflows = (Op.ADD, "add_overflows") if node.sign > 0 else (Op.SUB, "subtract_overflows")
    low.check(call(overflows, now, amount), "overflow", OVERFLOW, node.span)
    low.store("integers", cell, value=ir.Binary(op, now, amount))
    low.act()


# Cards ------------------------------------------------------------------------------------


def _is_memory(place: Pile | CardList | None) -> bool:
    return isinstance(place, Pile) and place.kind is LocationKind.MEMORY


def _move(low: Lowering, node: n.Move) -> None:
    found = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        low.check(equal(found.card, NONE), "empty-move", "there is no card to move", node.card.span)
    _put(low, found, cards.target(low, node.target), node)


def _put(low: Lowering, found: Source, aim: Target, node: n.Move) -> None:
    """Take a card out of its real place, then put it to its aim."""
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
        case n.End(top=True, location=location) if low.facts.is_real(location):
            low.b.run("take_top", low.board.base, slot)
        case _:
            low.b.run("take", low.board.base, slot, at)


def _real_place(low: Lowering, found: Source) -> tuple[ir.Expr, ir.Expr]:
    """Return the slot and position of a card; it leaves a group through which it was found."""
    if isinstance(found.found_in, Pile) and found.at is not None:
        return low.b.let(found.found_in.slot, "from"), found.at
    if isinstance(found.found_in, CardList):
        assert found.at is not None
        low.b.run("leave", low.arena(found.found_in.at), found.at)
    if found.held is not None:
        return found.held.slot, found.held.at
    return cards.lies_in(low, found.card)


def _position(low: Lowering, aim: Target, found: Source, at: ir.Expr, same: ir.Expr) -> ir.Expr:
    """Return the position in the list that remains once the card is taken out."""
    assert aim.position is not None
    if aim.card is None:
        return aim.position
    other = ir.Compare(Rel.NE, found.card, aim.card)
    behind = both(both(same, other), compare(Rel.LT, at, aim.position))
    return low.b.let(sub(aim.position, ir.Convert(behind, ir.Type.INT)), "position")


def _within(low: Lowering, position: ir.Expr, room: ir.Expr, target: n.Node) -> None:
    if isinstance(position, ir.Const) and position.value == 0:
        return
    low.check(
        ir.Compare(Rel.ULT, room, position),
        "position",
        "there is no position {a} to put a card among {b}",
        target.span,
        position,
        room,
    )


def _learn(low: Lowering, card: ir.Expr, source: ir.Expr, target: ir.Expr) -> None:
    """Keep the lists of known cards."""
    if low.layout.known:
        low.b.run("learn_move", low.board.base, card, source, target)


def _swap_cards(low: Lowering, node: n.Swap) -> None:
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


def _swap_locations(low: Lowering, node: n.Swap) -> None:
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
    if isinstance(left, Pile) and isinstance(right, Pile):
        low.changes(left.slot, right.slot)
        low.b.run("exchange", low.board.base, left.slot, right.slot)
        low.act()


def _remember(low: Lowering, node: n.Remember) -> None:
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


def _forget(low: Lowering, node: n.Forget) -> None:
    found = cards.source(low, node.card)
    if not isinstance(node.card, n.Variable):
        what = "there is nothing to forget"
        low.check(equal(found.card, NONE), "empty-move", what, node.card.span)
    if not _is_memory(found.found_in):
        what = "only what is in a memory location can be forgotten"
        low.fail("memory-move", what, node.card.span)
        return
    assert isinstance(found.found_in, Pile)
    assert found.at is not None
    low.changes(found.found_in.slot)
    low.b.run("take", low.board.base, found.found_in.slot, found.at)
    low.act()


def _shuffle(low: Lowering, node: n.Shuffle) -> None:
    held = locations.location(low, node.location)
    if isinstance(held, Pile):
        low.changes(held.slot)
    base, count = locations.array(low, held), locations.length(low, held)
    low.b.run("shuffle", low.board.base, base, count)
    low.act()


# Turns and repetition ---------------------------------------------------------------------


def _cycle(low: Lowering, node: n.Cycle) -> None:
    seat = owners.seat(low, node.player)
    if node.queue:
        low.store("queued", const(low.players), value=add(seat, ONE))
    else:
        low.store("current", const(low.players), value=seat)
    low.act()


def _repeat(low: Lowering, node: n.Repeat) -> None:
    """Evaluate and do the action, time after time."""
    rounds = integers.integer(low, node.count)
    if low.facts.bounds(node.count)[1] > MAX_REPEATS:
        low.check(
            compare(Rel.GT, rounds, const(MAX_REPEATS)),
            "length",
            f"{{a:,}} rounds are more than {MAX_REPEATS:,}",
            node.count.span,
            rounds,
        )
    rounds = low.b.let(rounds, "rounds")
    if _moves_tops(low, node.action):
        _move_many(low, node.action, rounds)
        return
    with low.b.count(rounds):
        action(low, node.action)


def _repeat_all(low: Lowering, node: n.RepeatAll) -> None:
    """As often as the location that the card names has cards now."""
    assert isinstance(node.action, n.Move | n.Forget)
    named = node.action.card
    while isinstance(named, n.Actual):
        named = named.card
    assert isinstance(named, n.End | n.Position | n.BestCard)
    rounds = low.b.variable(ZERO, "rounds")
    with low.scratch():
        low.b.set(rounds, locations.length(low, locations.location(low, named.location)))
    if _moves_tops(low, node.action):
        _move_many(low, node.action, rounds)
        return
    with low.b.count(rounds):
        action(low, node.action)


def _moves_tops(low: Lowering, node: n.Node) -> bool:
    """Say whether an action moves a card from the top of one location to that of another.

    Both are the same however often it is done, and nobody keeps lists of known cards.
    """
    match node:
        case n.Move(card=n.End(top=True, location=left), target=n.End(top=True, location=right)):
            return not low.layout.known and _steady(left) and _steady(right)
    return False


def _steady(node: n.Node) -> bool:
    """Say whether a form names a real location, the same after any move."""
    return (
        isinstance(node, n.Place)
        and node.place is not LocationKind.MEMORY
        and isinstance(node.owner, n.Table | n.Variable | n.TurnOwner)
        and isinstance(node.name, n.Text)
        and (node.index is None or isinstance(node.index, n.Number | n.Variable))
    )


def _move_many(low: Lowering, node: n.Node, rounds: ir.Expr) -> None:
    """Move cards from the top of a location to that of another, one by one, all at once."""
    assert isinstance(node, n.Move)
    assert isinstance(node.card, n.End)
    assert isinstance(node.target, n.End)
    with low.b.when(compare(Rel.GT, rounds, ZERO)):
        left = locations.location(low, node.card.location)
        assert isinstance(left, Pile)
        right = cards.target(low, node.target).pile
        assert right is not None
        what = "there is no card to move"
        low.check(compare(Rel.GT, rounds, low.count(left)), "empty-move", what, node.card.span)
        low.changes(left.slot, right.slot)
        low.b.run("move_many", low.board.base, left.slot, right.slot, rounds)
        low.act()
