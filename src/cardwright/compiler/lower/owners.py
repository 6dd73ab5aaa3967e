"""Owners: players, teams and the table, as integers."""

from __future__ import annotations

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
    differ,
    equal,
    sub,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import piles, words
from cardwright.compiler.lower.lowering import entry
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

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
            return low.scalar(slot)
        case n.TurnOwner():
            return _turn(low, node, team=False)
        case n.Numbered():
            return _numbered(low, node, low.program.players, "player")
        case n.OwnerOf():
            return _holder(low, node)
    raise AssertionError(node)


def team(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of a team, from 0."""
    match node:
        case n.Variable(slot=slot):
            return low.scalar(slot)
        case n.TurnOwner():
            return _turn(low, node, team=True)
        case n.Numbered():
            return _numbered(low, node, len(low.program.teams), "team")
        case n.TeamOf(player=player):
            of_seat = [0] * low.program.players
            for number, seats in enumerate(low.program.teams):
                for member in seats:
                    of_seat[member] = number
            table = low.shared.integers("team_of", of_seat, 1)
            return low.b.let(entry(table, seat(low, player), 1), "team")
    raise AssertionError(node)


def _turn(low: Lowering, node: n.TurnOwner, *, team: bool) -> ir.Expr:
    cycle, count = low.cycle(team=team), low.owners(team=team)
    match node.turn:
        case n.Turn.CURRENT:
            return low.current(cycle)
        case n.Turn.NEXT:
            return successor(low, cycle, count)
        case n.Turn.PREVIOUS:
            now = low.current(cycle)
            first = equal(now, ZERO)
            return low.b.let(ir.Select(first, const(count - 1), sub(now, ONE)), "previous")


def successor(low: Lowering, cycle: int, count: int) -> ir.Expr:
    """Return the successor in a cycle: the one that is queued, or else the next in order."""
    queued = low.read("queued", const(cycle), "queued")
    following = low.b.let(add(low.current(cycle), ONE), "next")
    wrapped = ir.Select(equal(following, const(count)), ZERO, following)
    if queued == ZERO:
        return low.b.let(wrapped, "next")
    return low.b.let(ir.Select(differ(queued, ZERO), sub(queued, ONE), wrapped), "next")


def _numbered(low: Lowering, node: n.Numbered, count: int, what: str) -> ir.Expr:
    base = low.program.base
    number = sub(low.integer(node.number), const(base))
    if low.analysis.fails(node):
        number = low.b.let(number, "number")
        beyond = compare(Rel.UGE, number, const(count))
        message = f"there is no {what} {{a}}: {what}s are numbered {base} to {base + count - 1}"
        low.check(beyond, "owner-number", message, node.span, add(number, const(base)))
    return number


def _holder(low: Lowering, node: n.OwnerOf) -> ir.Expr:
    """Return the holder of a card; a reference in memory is held where the real card lies."""
    card = low.b.let(low.card(node.card), "held")
    if not isinstance(node.card, n.Variable):
        low.check(equal(card, NONE), "no-card", "there is no card to have an owner", node.span)
    if (holder := _holder_of_best(low, node.card, card)) is not None:
        return holder
    slot = low.b.let(call("holder_slot", low.board.base, card), "slot")
    holder = low.b.let(call("slot_owner", low.board.base, slot), "holder")
    nobody = compare(Rel.GE, holder, const(low.program.players))
    low.check(nobody, "no-owner", "this card belongs to no player", node.span)
    return holder


def _holder_of_best(low: Lowering, node: n.Node, card: ir.Expr) -> ir.Expr | None:
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
        ) if slot == owner:
            form = piles.form_of(low, place)
            first = piles.base_of(low, place)
            if first is None or form is None or not form.masked:
                return None
            bit = low.b.let(piles.bit(low, card), "bit")
            holder: ir.Expr = ZERO
            for seat in range(1, low.program.players):
                cards = low.board.load("mask", const(first + seat), part=f"/{first}")
                has = words.is_some(words.common(cards, bit))
                holder = words.joined(holder, ir.Select(has, const(seat), ZERO))
            return low.b.let(holder, "holder")
    return None
