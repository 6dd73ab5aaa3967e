"""Owners: players, teams and the table, as integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ZERO, add, call, compare, const, differ, equal, sub
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import cards, integers, piles, sets, words
from cardwright.compiler.lower.lowered_values import Held
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


def owner(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of an owner of storage: players first, then teams, then the table."""
    if isinstance(node, n.Table):
        return const(low.program.table)
    if node.kind is ValueKind.TEAM:
        return add(const(low.program.players), team(low, node))
    return seat(low, node)


def seat(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the seat of a player, from 0."""
    match node:
        case n.Variable(slot=slot):
            return scalar(low, slot)
        case n.TurnOwner(turn=turn):
            return _turn(low, turn, low.players, low.program.players)
        case n.Numbered():
            return _numbered(low, node, low.program.players, "player")
        case n.OwnerOf():
            return _holder(low, node)
    raise AssertionError(node)


def team(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of a team, from 0."""
    match node:
        case n.Variable(slot=slot):
            return scalar(low, slot)
        case n.TurnOwner(turn=turn):
            cycle = low.layout.player_cycles + low.teams
            return _turn(low, turn, cycle, len(low.program.teams))
        case n.Numbered():
            return _numbered(low, node, len(low.program.teams), "team")
        case n.TeamOf(player=player):
            of_seat = [0] * low.program.players
            for number, seats in enumerate(low.program.teams):
                for member in seats:
                    of_seat[member] = number
            table = low.shared.integers("team_of", of_seat, 1)
            return low.b.let(ir.Load(ir.Offset(table, seat(low, player)), 1), "team")
    raise AssertionError(node)


def scalar(low: Lowering, slot: int) -> ir.Expr:
    """Return a variable that holds a single value."""
    value = low.env[slot]
    if isinstance(value, Held):
        return value.card
    assert isinstance(value, ir.Expr)
    return value


def _turn(low: Lowering, turn: n.Turn, cycle: int, count: int) -> ir.Expr:
    match turn:
        case n.Turn.CURRENT:
            return low.current(cycle)
        case n.Turn.NEXT:
            return successor(low, cycle, count)
        case n.Turn.PREVIOUS:
            now = low.current(cycle)
            first = equal(now, ZERO)
            return low.b.let(ir.Select(first, const(count - 1), sub(now, const(1))), "previous")


def successor(low: Lowering, cycle: int, count: int) -> ir.Expr:
    """Return the successor in a cycle: the one that is queued, or else the next in order."""
    queued = low.queued(cycle)
    following = low.b.let(add(low.current(cycle), const(1)), "next")
    wrapped = ir.Select(equal(following, const(count)), ZERO, following)
    if queued == ZERO:
        return low.b.let(wrapped, "next")
    return low.b.let(ir.Select(differ(queued, ZERO), sub(queued, const(1)), wrapped), "next")


def _numbered(low: Lowering, node: n.Numbered, count: int, what: str) -> ir.Expr:
    base = low.program.base
    number = sub(integers.integer(low, node.number), const(base))
    if low.analysis.fails(node):
        number = low.b.let(number, "number")
        low.check(
            compare(Rel.UGE, number, const(count)),
            "owner-number",
            f"there is no {what} {{a}}: they are numbered {base} to {base + count - 1}",
            node.span,
            add(number, const(base)),
        )
    return number


def _holder(low: Lowering, node: n.OwnerOf) -> ir.Expr:
    """Return the holder of a card; a reference in memory is held where the real card lies."""
    held = low.b.let(cards.card(low, node.card), "held")
    if not isinstance(node.card, n.Variable):
        low.check(equal(held, const(-1)), "no-card", "there is no card to have an owner", node.span)
    if (found := _holder_of_best(low, node.card, held)) is not None:
        return found
    slot = low.b.let(call("holder_slot", low.board.base, held), "slot")
    holder = low.b.let(call("slot_owner", low.board.base, slot), "holder")
    low.check(
        compare(Rel.GE, holder, const(low.program.players)),
        "no-owner",
        "this card belongs to no player",
        node.span,
    )
    return holder


def _holder_of_best(low: Lowering, node: n.Node, card: ir.Expr) -> ir.Expr | None:
    """Return the holder of the best of cards that lie in one place of each player, or None."""
    match n.unfiltered(node.location) if isinstance(node, n.BestCard) else None:
        case n.Combine(
            operation=n.SetOperation.UNION,
            parts=(
                n.EachLocation(
                    collection=n.Everyone(kind=ValueKind.PLAYERS),
                    variable=n.Variable(slot=slot),
                    location=n.Place(owner=n.Variable(slot=owner)) as place,
                ),
            ),
        ) if slot == owner and sets.is_set(low, place):
            families = families_of(place, low.analysis)
            assert families is not None
            first = low.layout.places.bases[families[0]]
            bit = low.b.let(piles.bit(low, card), "bit")
            holder: ir.Expr = ZERO
            for seat in range(1, low.program.players):
                cards_there = low.board.load("mask", const(first + seat), part=f"/{first}")
                has = ir.Binary(Op.AND, cards_there, bit)
                own = ir.Select(words.is_some(has), const(seat), ZERO)
                holder = ir.Binary(Op.OR, holder, own)
            return low.b.let(holder, "holder")
    return None


def cycle_current(low: Lowering) -> ir.Expr:
    """Return the current player."""
    return low.current(low.players)


def shifted(value: ir.Expr, by: int) -> ir.Expr:
    """Return a value shifted to the left."""
    return ir.Binary(Op.SHL, value, const(by)) if by else value
