"""What conditions mean."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.interpreter import cards, collections, integers, owners, rounds, storages
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.world import World
    from cardwright.program.program import Program

    Condition: TypeAlias = Callable[[World], bool]

_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def condition(program: Program, node: n.Node) -> Condition:
    """Return the meaning of a condition."""
    match node:
        case n.Truth(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Not(test=test):
            inner = condition(program, test)
            return lambda world: not inner(world)
        case n.Logic():
            return _logic(program, node)
        case n.Compare(operator=sign):
            order = _ORDER[sign]
            left = integers.integer(program, node.left)
            right = integers.integer(program, node.right)
            return lambda world: order(left(world), right(world))
        case n.Equal():
            return _equal(program, node)
        case n.Quantifier():
            return _quantifier(program, node)
    raise AssertionError(node)


def _logic(program: Program, node: n.Logic) -> Condition:
    """Conjunction or disjunction, from left to right, no further than needed."""
    tests = [condition(program, test) for test in node.tests]
    every = node.every

    def meaning(world: World) -> bool:
        for test in tests:
            if test(world) is not every:
                return not every
        return every

    return meaning


def _equal(program: Program, node: n.Equal) -> Condition:
    left, right = (_value(program, side) for side in (node.left, node.right))
    if node.negated:
        return lambda world: left(world) != right(world)
    return lambda world: left(world) == right(world)


def _value(program: Program, node: n.Node) -> Callable[[World], Any]:
    """Return a comparable value; cards, players and teams are compared by identity."""
    match node.kind:
        case ValueKind.INTEGER:
            return integers.integer(program, node)
        case ValueKind.STRING:
            return storages.string(program, node)
        case ValueKind.CARD:
            return cards.card(program, node)
        case ValueKind.PLAYER:
            return owners.seat(program, node)
        case _:
            return owners.team(program, node)


def _quantifier(program: Program, node: n.Quantifier) -> Condition:
    """Short-circuit, in order of the collection."""
    items = collections.items(program, node.collection)
    test = rounds.counting(program, node, condition(program, node.test))
    slot, every = node.variable.slot, node.every

    def meaning(world: World) -> bool:
        env = world.env
        for item in items(world):
            env[slot] = item
            if test(world) is not every:
                return not every
        return every

    return meaning
