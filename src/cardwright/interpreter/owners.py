"""What owners mean: players, teams and the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.world import Fault, successor
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, TurnCycle, World


def owner(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the number of an owner of storage: players first, then teams, then the table."""
    if isinstance(node, n.Table):
        table = by.program.table
        return lambda _: table
    if node.kind is ValueKind.TEAM:
        players = by.program.players
        number = by.team(node)
        return lambda world: players + number(world)
    return by.seat(node)


def seat(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the seat of a player, from 0."""
    assert isinstance(node, n.PlayerForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.TurnOwner(turn=turn):
            return _turn(turn, by.program.players, team=False)
        case n.Numbered():
            return _numbered(by, node, by.program.players, "player")
        case n.OwnerOf():
            return _holder(by, node)
    assert_never(node)


def team(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the number of a team, from 0."""
    assert isinstance(node, n.TeamForm)
    teams = by.program.teams
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.TurnOwner(turn=turn):
            return _turn(turn, len(teams), team=True)
        case n.Numbered():
            return _numbered(by, node, len(teams), "team")
        case n.TeamOf(player=player):
            of_seat: dict[int, int] = {s: i for i, seats in enumerate(teams) for s in seats}
            member = by.seat(player)
            return lambda world: of_seat[member(world)]
    assert_never(node)


def _turn(turn: n.Turn, count: int, *, team: bool) -> Meaning[int]:
    def cycle(world: World) -> TurnCycle:
        return (world.teams if team else world.players)[-1]

    match turn:
        case n.Turn.CURRENT if not team:
            return lambda world: world.players[-1].current
        case n.Turn.CURRENT:
            return lambda world: cycle(world).current
        case n.Turn.NEXT:
            return lambda world: successor(cycle(world), count)
        case n.Turn.PREVIOUS:
            return lambda world: (cycle(world).current - 1) % count


def _numbered(by: Meanings, node: n.Numbered, count: int, what: str) -> Meaning[int]:
    number = by.integer(node.number)
    base = by.program.base

    def meaning(world: World) -> int:
        value = number(world)
        if not base <= value < base + count:
            raise Fault(
                "owner-number",
                f"there is no {what} {value}: they are numbered {base} to {base + count - 1}",
                node.span,
            )
        return value - base

    return meaning


def _holder(by: Meanings, node: n.OwnerOf) -> Meaning[int]:
    """Return the holder of a card; a reference in memory is held where the real card lies."""
    card = by.card(node.card)
    players = by.program.players

    def meaning(world: World) -> int:
        held = card(world)
        if held is None:
            raise Fault("no-card", "there is no card to have an owner", node.span)
        holder = world.where[held].owner
        if holder >= players:
            raise Fault("no-owner", "this card belongs to no player", node.span)
        return holder

    return meaning
