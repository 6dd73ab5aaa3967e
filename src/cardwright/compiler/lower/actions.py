"""Actions: immediate changes of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
)
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.kernels.sightings import QUEUE, STORAGES, TURN
from cardwright.compiler.lower import (
    integers,
    locations,
    moves,
    owners,
    points,
    storages,
)
from cardwright.compiler.lower.lowered_values import LoweredPile
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL
from cardwright.compiler.lower.points import OVERFLOW
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_REPEATS
from cardwright.program.nodes import StatePart

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


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
            moves.move(low, node)
        case n.Swap() if node.left.kind is ValueKind.CARD:
            moves.swap_cards(low, node)
        case n.Swap():
            moves.swap_locations(low, node)
        case n.Remember():
            moves.remember(low, node)
        case n.Forget():
            moves.forget(low, node)
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
        low.keep("integers", cell, integers.integer(low, node.value))
        _report_stored(low, "integers", cell)
    else:
        low.keep("strings", cell, storages.string(low, node.value))
        _report_stored(low, "strings", cell)
    low.act()


def _report_stored(low: Lowering, field: str, cell: ir.Expr) -> None:
    number = const(STORAGES.index(field))
    low.report("saw_stored", CONTEXT_LOCAL, number, cell, low.stored(field, cell))


def _increase(low: Lowering, node: n.Increase) -> None:
    assert isinstance(node.storage, n.Storage)
    cell = low.b.let(storages.cell(low, node.storage), "cell")
    now = low.stored("integers", cell)
    amount = integers.integer(low, node.amount) if node.amount is not None else ONE
    op, overflows = (Op.ADD, "add_overflows") if node.sign > 0 else (Op.SUB, "subtract_overflows")
    if low.analysis.overflows(node):
        low.check(call(overflows, now, amount), "overflow", OVERFLOW, node.span)
    low.keep("integers", cell, ir.Binary(op, now, amount))
    _report_stored(low, "integers", cell)
    low.act()


# Cards ------------------------------------------------------------------------------------


def _shuffle(low: Lowering, node: n.Shuffle) -> None:
    held = locations.location(low, node.location)
    if isinstance(held, LoweredPile):
        low.changes(held.slot)
    if low.defers(held):
        assert isinstance(held, LoweredPile)
        low.b.run("defer_shuffle", low.board.base, low.board.base, held.slot)
    else:
        base, count = locations.array(low, held, node), locations.length(low, held)
        low.b.run("shuffle", low.board.base, base, count)
    if isinstance(held, LoweredPile):
        low.report("saw_shuffle", BOARD, CONTEXT_LOCAL, held.slot)
    low.act()


# Turns and repetition ---------------------------------------------------------------------


def _cycle(low: Lowering, node: n.Cycle) -> None:
    seat = owners.seat(low, node.player)
    if node.queue:
        low.queue(low.players, add(seat, ONE))
    else:
        low.make_current(low.players, seat)
    low.report("saw_turn", CONTEXT_LOCAL, const(QUEUE if node.queue else TURN), seat)
    low.act()


def _repeat(low: Lowering, node: n.Repeat) -> None:
    """Evaluate and do the action repeatedly."""
    rounds = integers.integer(low, node.count)
    if low.analysis.bounds(node.count)[1] > MOST_REPEATS:
        low.check(
            compare(Rel.GT, rounds, const(MOST_REPEATS)),
            "length",
            f"{{a:,}} rounds are more than {MOST_REPEATS:,}",
            node.count.span,
            rounds,
        )
    rounds = low.b.let(rounds, "rounds")
    some = compare(Rel.GT, rounds, ZERO)
    low.rounds(node, ir.Select(some, rounds, ZERO))
    if moves.moves_tops(low, node.action):
        moves.move_many(low, node.action, rounds)
        return
    with low.b.count(rounds):
        action(low, node.action)


def _repeat_all(low: Lowering, node: n.RepeatAll) -> None:
    """Do the action as often as the location that the card names has cards now."""
    assert isinstance(node.action, n.Move | n.Forget)
    named = node.action.card
    while isinstance(named, n.Actual):
        named = named.card
    assert isinstance(named, n.End | n.Position | n.BestCard)
    rounds = low.b.variable(ZERO, "rounds")
    with low.scratch():
        low.b.set(rounds, locations.length(low, locations.location(low, named.location)))
    low.rounds(node, rounds)
    if moves.moves_tops(low, node.action):
        moves.move_many(low, node.action, rounds)
        return
    with low.b.count(rounds):
        action(low, node.action)
