"""What integers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.world import Fault
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, World

NOTHING_HIGHEST = -1
NOTHING_LOWEST = 2_147_483_647
"""What `scoremax` and `scoremin` give where there are no cards."""


def integer(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the meaning of an integer form."""
    assert isinstance(node, n.IntegerForm)
    match node:
        case n.Number(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            cell = by.cell(node)
            return lambda world: world.integers.get(cell(world), 0)
        case n.Arithmetic():
            return _arithmetic(by, node)
        case n.Triangle(number=number):
            return _checked(node, arithmetic.triangle, by.integer(number))
        case n.Fibonacci(number=number):
            return _checked(node, arithmetic.fibonacci, by.integer(number))
        case n.Random():
            return _random(by, node)
        case n.Size(collection=collection):
            items = by.items(collection)
            return lambda world: len(items(world))
        case n.Score():
            return _score(by, node)
        case n.Sum() | n.ExtremeScore():
            return _scores(by, node)
        case n.Total():
            return _total(by, node)
        case n.NumberOf(owner=owner):
            base = by.program.base
            own = by.seat(owner) if owner.kind is ValueKind.PLAYER else by.team(owner)
            return lambda world: own(world) + base
    assert_never(node)


def _arithmetic(by: Meanings, node: n.Arithmetic) -> Meaning[int]:
    first, *rest = map(by.integer, node.operands)
    operator, span = node.operator, node.span

    def meaning(world: World) -> int:
        value = first(world)
        for operand in rest:
            try:
                value = arithmetic.apply(operator, value, operand(world))
            except arithmetic.IntegerError as error:
                raise Fault(error.rule, str(error), span) from None
        return value

    return meaning


def _checked(node: n.Node, function: Callable[[int], int], operand: Meaning[int]) -> Meaning[int]:
    def meaning(world: World) -> int:
        try:
            return function(operand(world))
        except arithmetic.IntegerError as error:
            raise Fault(error.rule, str(error), node.span) from None

    return meaning


def _random(by: Meanings, node: n.Random) -> Meaning[int]:
    """Both bounds are included; one bound alone starts at 0."""
    first = by.integer(node.low)
    second = by.integer(node.high) if node.high is not None else None

    def meaning(world: World) -> int:
        low, high = (0, first(world)) if second is None else (first(world), second(world))
        if high < low:
            raise Fault("empty-range", f"nothing lies between {low} and {high}", node.span)
        return world.stream.between(low, high)

    return meaning


def _score(by: Meanings, node: n.Score) -> Meaning[int]:
    points = by.points(node.points)
    card = by.card(node.card)

    def score(world: World) -> int:
        worth = points(world)
        scored = card(world)
        if scored is None:
            raise Fault("no-card", "there is no card to score", node.span)
        return worth.of(scored)

    return score


def _scores(by: Meanings, node: n.Sum | n.ExtremeScore) -> Meaning[int]:
    points = by.points(node.points)
    location = by.location(node.location)
    if isinstance(node, n.Sum):

        def total(world: World) -> int:
            worth = points(world)
            return _add_up(map(worth.of, location(world).cards), node)

        return total
    best, nothing = (max, NOTHING_HIGHEST) if node.highest else (min, NOTHING_LOWEST)

    def extreme(world: World) -> int:
        worth = points(world)
        return best(map(worth.of, location(world).cards), default=nothing)

    return extreme


def _total(by: Meanings, node: n.Total) -> Meaning[int]:
    items = by.items(node.collection)
    value = by.counting(node, by.integer(node.value))
    slot = node.variable.slot

    def meaning(world: World) -> int:
        values = []
        for item in tuple(items(world)):
            world.env[slot] = item
            values.append(value(world))
        return _add_up(values, node)

    return meaning


def _add_up(values: Iterable[int], node: n.Node) -> int:
    """Return a sum, if it fits in 64 bits."""
    try:
        return arithmetic.checked(sum(values))
    except arithmetic.IntegerError as error:
        raise Fault(error.rule, str(error), node.span) from None
