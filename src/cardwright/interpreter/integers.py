"""What integers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.interpreter import cards, collections, locations, owners, rounds, storages
from cardwright.interpreter.fault import Fault
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.interpreter.world import World
    from cardwright.program.program import Program

    Integer: TypeAlias = Callable[[World], int]

NOTHING_HIGHEST = -1
NOTHING_LOWEST = 2_147_483_647
"""What `scoremax` and `scoremin` give where there are no cards."""


def integer(program: Program, node: n.Node) -> Integer:
    """Return the meaning of an integer form."""
    match node:
        case n.Number(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            cell = storages.cell(program, node)
            return lambda world: world.integers.get(cell(world), 0)
        case n.Arithmetic():
            return _arithmetic(program, node)
        case n.Triangle(number=number):
            return _checked(node, arithmetic.triangle, integer(program, number))
        case n.Fibonacci(number=number):
            return _checked(node, arithmetic.fibonacci, integer(program, number))
        case n.Random():
            return _random(program, node)
        case n.Size(collection=collection):
            items = collections.items(program, collection)
            return lambda world: len(items(world))
        case n.Sum() | n.ExtremeScore() | n.Score():
            return _scores(program, node)
        case n.Total():
            return _total(program, node)
        case n.NumberOf(owner=owner):
            base = program.base
            own = (owners.seat if owner.kind is ValueKind.PLAYER else owners.team)(program, owner)
            return lambda world: own(world) + base
    raise AssertionError(node)


def _arithmetic(program: Program, node: n.Arithmetic) -> Integer:
    first, *rest = (integer(program, operand) for operand in node.operands)
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


def _checked(node: n.Node, function: Callable[[int], int], operand: Integer) -> Integer:
    def meaning(world: World) -> int:
        try:
            return function(operand(world))
        except arithmetic.IntegerError as error:
            raise Fault(error.rule, str(error), node.span) from None

    return meaning


def _random(program: Program, node: n.Random) -> Integer:
    """Both bounds are included; one bound alone starts at 0."""
    first = integer(program, node.low)
    second = integer(program, node.high) if node.high is not None else None

    def meaning(world: World) -> int:
        low, high = (0, first(world)) if second is None else (first(world), second(world))
        if high < low:
            raise Fault("empty-range", f"nothing lies between {low} and {high}", node.span)
        return world.stream.between(low, high)

    return meaning


def _scores(program: Program, node: n.Sum | n.ExtremeScore | n.Score) -> Integer:
    points = storages.points(program, node.points)
    if isinstance(node, n.Score):
        card = cards.card(program, node.card)

        def score(world: World) -> int:
            worth = points(world)
            scored = card(world)
            if scored is None:
                raise Fault("no-card", "there is no card to score", node.span)
            return worth.of(scored)

        return score
    location = locations.location(program, node.location)
    if isinstance(node, n.Sum):

        def total(world: World) -> int:
            worth = points(world)
            return add_up(map(worth.of, location(world).cards), node)

        return total
    best, nothing = (max, NOTHING_HIGHEST) if node.highest else (min, NOTHING_LOWEST)

    def extreme(world: World) -> int:
        worth = points(world)
        return best(map(worth.of, location(world).cards), default=nothing)

    return extreme


def _total(program: Program, node: n.Total) -> Integer:
    items = collections.items(program, node.collection)
    value = rounds.counting(program, node, integer(program, node.value))
    slot = node.variable.slot

    def meaning(world: World) -> int:
        values = []
        for item in tuple(items(world)):
            world.env[slot] = item
            values.append(value(world))
        return add_up(values, node)

    return meaning


def add_up(values: Iterable[int], node: n.Node) -> int:
    """Return a sum, if it fits in 64 bits."""
    try:
        return arithmetic.checked(sum(values))
    except arithmetic.IntegerError as error:
        raise Fault(error.rule, str(error), node.span) from None
