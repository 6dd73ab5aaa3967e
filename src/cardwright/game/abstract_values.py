"""Abstract evaluation of integers, strings, cards and owners; see `abstract_world`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.game import abstract_items as collections
from cardwright.game.bounds import DOUBT, Bag, extreme, total
from cardwright.interpreter.integers import NOTHING_HIGHEST, NOTHING_LOWEST
from cardwright.interpreter.world import successor
from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, CardId, OwnerId
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between, applied
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.abstract_world import AbstractWorld
    from cardwright.interpreter.world import Cell, PointMap


def number(known: AbstractWorld, node: n.Node) -> Between:
    """Return the bounds of an integer."""
    match node:
        case n.Number(value=value):
            return Between(value, value)
        case n.Variable(slot=slot):
            found: Between = known.env[slot]
            return found
        case n.Storage():
            cell = _cell(known, node)
            if cell is None:
                return ANY_INTEGER
            stored = known.world.integers.get(cell, 0)
            return Between(stored, stored)
        case n.Arithmetic():
            return _arithmetic(known, node)
        case n.Size(collection=collection):
            return _size(known, collection)
        case n.Sum(location=location) | n.ExtremeScore(location=location):
            return _scores(known, node, known.bag(location))
        case n.Score():
            scored, points = card(known, node.card), _points(known, node.points)
            if points is None or scored is DOUBT or scored is None:
                return ANY_INTEGER
            return Between(points(scored), points(scored))
        case n.NumberOf(owner=whose):
            read = owner(known, whose)
            if read is DOUBT:
                return ANY_INTEGER
            # A team as an owner comes after the players; as a number it does not.
            first = known.program.players if whose.kind is ValueKind.TEAM else 0
            counted = read - first + known.program.base
            return Between(counted, counted)
    return ANY_INTEGER


def _arithmetic(known: AbstractWorld, node: n.Arithmetic) -> Between:
    first, *rest = (number(known, operand) for operand in node.operands)
    for operand in rest:
        found = applied(node.operator, first, operand)
        first = ANY_INTEGER if found is None else found.cut()
    return first


def _size(known: AbstractWorld, node: n.Node) -> Between:
    if node.kind is ValueKind.LOCATION:
        before = known.consulted
        size = known.bag(node).size
        if isinstance(node, n.Place):  # their number does not depend on which they are
            known.consulted = before
        return size
    items = collections.items(known, node)
    return Between(0, ANY_INTEGER.high) if items is None else Between(len(items), len(items))


def _points(known: AbstractWorld, node: n.Node) -> Callable[[CardId], int] | None:
    cell = _cell(known, node) if isinstance(node, n.Storage) else None
    if cell is None:
        return None
    points: PointMap | None = known.world.points.get(cell)
    return points.of if points else _nothing


def _scores(known: AbstractWorld, node: n.Sum | n.ExtremeScore, bag: Bag) -> Between:
    points = _points(known, node.points)
    if points is None:
        return ANY_INTEGER
    worth = [points(card) for card in bag.sure]
    others = [points(card) for card in bag.maybe]
    if isinstance(node, n.Sum):
        return total(bag, worth, others)
    if node.highest:
        return extreme(bag, worth, others, NOTHING_HIGHEST)
    low, high = extreme(bag, [-w for w in worth], [-o for o in others], -NOTHING_LOWEST)
    return Between(-high, -low)


def text(known: AbstractWorld, node: n.Node) -> str | None:
    """Return a string, or None if it is unknown."""
    match node:
        case n.Text(value=value):
            return value
        case n.Attribute():
            key, of = text(known, node.key), card(known, node.card)
            if key is None or of is DOUBT:
                return None
            return "" if of is None else known.program.cards[of].attributes.get(key, "")
        case n.Storage():
            cell = _cell(known, node)
            return known.world.strings.get(cell, "") if cell else None
        case n.Variable(slot=slot):
            found: str | None = known.env[slot]
            return found
    return None


def _cell(known: AbstractWorld, node: n.Storage) -> Cell | None:
    whose, name = owner(known, node.owner), text(known, node.name)
    return None if whose is DOUBT or name is None else (OwnerId(whose), name)


def card(known: AbstractWorld, node: n.Node) -> Any:
    """Return a card, None for none, or DOUBT."""
    match node:
        case n.Variable(slot=slot):
            return known.env[slot]
        case n.Actual(card=inner):
            return card(known, inner)
        case n.End(top=top):
            bag = known.bag(node.location)
            if bag.ordered:
                return bag.sure[-1 if top else 0] if bag.sure else None
    return DOUBT


def owner(known: AbstractWorld, node: n.Node) -> Any:
    """Return the number of an owner, players before teams before the table, or DOUBT."""
    table = known.program.table
    if isinstance(node, n.Table):
        return table
    of_team = node.kind is ValueKind.TEAM
    first = known.program.players if of_team else 0
    count = len(known.program.teams) if of_team else known.program.players
    match node:
        case n.Variable(slot=slot):
            return known.env[slot]
        case n.TurnOwner(turn=turn):
            cycle = (known.world.teams if of_team else known.world.players)[-1]
            if turn is n.Turn.CURRENT:
                return first + cycle.current
            if turn is n.Turn.NEXT:
                return first + successor(cycle, count)
            return first + (cycle.current - 1) % count
        case n.Numbered(number=inner):
            value = number(known, inner)
            at = value.low - known.program.base
            return first + at if value.sure and 0 <= at < count else DOUBT
        case n.TeamOf(player=player):
            seat = owner(known, player)
            for team, seats in enumerate(known.program.teams):
                if seat in seats:
                    return first + team
        case n.OwnerOf(card=inner):
            held = card(known, inner)
            if held is not DOUBT and held is not None:
                where = known.world.where[held]
                if where.kind in OPEN_KINDS and where.owner < known.program.players:
                    return where.owner
    return DOUBT


def _nothing(_card: CardId) -> int:
    return 0
