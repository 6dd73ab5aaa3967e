"""What conditions mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from cardwright.program import nodes as n
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, World


def condition(by: Meanings, node: n.Node) -> Meaning[bool]:
    """Return the meaning of a condition."""
    assert isinstance(node, n.ConditionForm)
    match node:
        case n.Truth(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Not(test=test):
            inner = by.condition(test)
            return lambda world: not inner(world)
        case n.Logic():
            return _logic(by, node)
        case n.Compare(operator=sign):
            order = PASSES[sign]
            left, right = by.integer(node.left), by.integer(node.right)
            return lambda world: order(left(world), right(world))
        case n.Equal():
            return _equal(by, node)
        case n.Quantifier():
            return _quantifier(by, node)
    assert_never(node)


def _logic(by: Meanings, node: n.Logic) -> Meaning[bool]:
    """Conjunction or disjunction, from left to right, no further than needed."""
    tests = [by.condition(test) for test in node.tests]
    every = node.every

    def meaning(world: World) -> bool:
        for test in tests:
            if test(world) is not every:
                return not every
        return every

    return meaning


def _equal(by: Meanings, node: n.Equal) -> Meaning[bool]:
    left, right = _value(by, node.left), _value(by, node.right)
    if node.negated:
        return lambda world: left(world) != right(world)
    return lambda world: left(world) == right(world)


def _value(by: Meanings, node: n.Node) -> Meaning[Any]:
    """Return a comparable value; cards, players and teams are compared by identity."""
    match node.kind:
        case ValueKind.INTEGER:
            return by.integer(node)
        case ValueKind.STRING:
            return by.string(node)
        case ValueKind.CARD:
            return by.card(node)
        case ValueKind.PLAYER:
            return by.seat(node)
        case _:
            return by.team(node)


def _quantifier(by: Meanings, node: n.Quantifier) -> Meaning[bool]:
    """Short-circuit, in order of the collection."""
    items = by.items(node.collection)
    test = by.counting(node, by.condition(node.test))
    slot, every = node.variable.slot, node.every

    def meaning(world: World) -> bool:
        env = world.env
        for item in items(world):
            env[slot] = item
            if test(world) is not every:
                return not every
        return every

    return meaning
