"""What steps mean outside choices, where everything happens at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.interpreter import (
    actions,
    cards,
    collections,
    conditions,
    integers,
    locations,
    owners,
    rounds,
    storages,
)
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.labels import sayer
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.actions import Act
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program


def step(program: Program, node: n.Node) -> Act:
    """Return what a step does."""
    match node:
        case n.Do():
            steps = [step(program, inner) for inner in node.steps]
            say = sayer(program, node)
            if say is not None:
                steps.insert(0, say)

            def do(world: World) -> None:
                for act in steps:
                    act(world)

            return do
        case n.When():
            test = conditions.condition(program, node.test)
            body = step(program, node.body)

            def when(world: World) -> None:
                if test(world):
                    body(world)

            return when
        case n.ForEach():
            return _for_each(program, node)
        case n.Let():
            value = bound(program, node.value)
            body = step(program, node.body)
            slot = node.variable.slot

            def let(world: World) -> None:
                world.env[slot] = value(world)
                body(world)

            return let
    return actions.action(program, node)


def _for_each(program: Program, node: n.ForEach) -> Act:
    """Iterate over the items that exist at the start."""
    items = collections.items(program, node.collection)
    body = rounds.counting(program, node, step(program, node.body))
    slot = node.variable.slot

    def meaning(world: World) -> None:
        for item in tuple(items(world)):
            world.env[slot] = item
            body(world)

    return meaning


def bound(program: Program, node: n.Node) -> Callable[[World], Any]:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    match node.kind:
        case ValueKind.INTEGER:
            return integers.integer(program, node)
        case ValueKind.STRING:
            return storages.string(program, node)
        case ValueKind.BOOLEAN:
            return conditions.condition(program, node)
        case ValueKind.LOCATION:
            return locations.location(program, node)
        case ValueKind.CARD:
            return _card(program, node)
        case ValueKind.PLAYER:
            return owners.seat(program, node)
        case ValueKind.TEAM:
            return owners.team(program, node)
    return collections.items(program, node)


def _card(program: Program, node: n.Node) -> Callable[[World], CardId]:
    found = cards.card(program, node)
    span = node.span

    def meaning(world: World) -> CardId:
        card = found(world)
        if card is None:
            raise Fault("no-card", "there is no card to bind", span)
        return card

    return meaning
