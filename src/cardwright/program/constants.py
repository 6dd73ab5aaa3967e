"""Values known before the game: declared constants, numbers of players, sizes of decks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.integers import IntegerError, apply, compare, fibonacci, triangle
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_ITEMS

if TYPE_CHECKING:
    from cardwright.syntax.source import Span

Constant: TypeAlias = int | bool | str | tuple[str, ...] | range
"""An integer, a condition's outcome, a string, a list of strings, or a range of integers."""


class NotConstantError(ValueError):
    """A node whose value is known only during a game, or that has none; it holds the node."""

    def __init__(self, node: n.Node, reason: str = "") -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


def constant(node: n.Node) -> Constant:
    """Return the value of a node; raises NotConstantError if there is none before the game."""
    match node:
        case n.Number() | n.Text() | n.Truth():
            return node.value
        case n.Strings():
            return node.values
        case n.Range():
            return range(integer(node.low), integer(node.high) + 1)
        case n.Size(collection=n.Strings() | n.Range()):
            return _count(node.collection)
        case n.Filter():
            items = constant(node.collection)
            assert isinstance(items, range | tuple)
            return items if truth(node.test) else items[:0]
        case n.Total():
            return _times(node, _count(node.collection))
        case n.Logic():
            tests = (truth(test) for test in node.tests)
            return all(tests) if node.every else any(tests)
        case n.Not():
            return not truth(node.test)
        case n.Compare():
            return compare(node.operator, integer(node.left), integer(node.right))
        case n.Equal():
            return (constant(node.left) == constant(node.right)) != node.negated
        case n.Arithmetic() | n.Triangle() | n.Fibonacci():
            return _arithmetic(node)
    raise NotConstantError(node)


def integer(node: n.Node) -> int:
    """Return the value of an integer node."""
    value = constant(node)
    assert isinstance(value, int)
    return value


def truth(node: n.Node) -> bool:
    """Return the outcome of a condition."""
    value = constant(node)
    assert isinstance(value, bool)
    return value


def _arithmetic(node: n.Arithmetic | n.Triangle | n.Fibonacci) -> int:
    try:
        match node:
            case n.Triangle():
                return triangle(integer(node.number))
            case n.Fibonacci():
                return fibonacci(integer(node.number))
            case n.Arithmetic():
                value, *rest = map(integer, node.operands)
                for right in rest:
                    value = apply(node.operator, value, right)
                return value
    except IntegerError as error:
        raise NotConstantError(node, str(error)) from None


def _count(collection: n.Node) -> int:
    """Return the number of items of a collection; in play, one that is too long is an error."""
    items = constant(collection)
    assert isinstance(items, range | tuple)
    count = max(0, items.stop - items.start) if isinstance(items, range) else len(items)
    if count > MOST_ITEMS:
        reason = f"this has {count:,} items, more than the {MOST_ITEMS:,} allowed"
        raise NotConstantError(collection, reason)
    return count


def _times(total: n.Total, count: int) -> int:
    """Return a sum of equal values; one of a different value for each item is none here."""
    try:
        return apply(n.Operator.MULTIPLY, count, integer(total.value))
    except IntegerError as error:
        raise NotConstantError(total, str(error)) from None


def node_of(value: Constant, span: Span) -> n.Node:
    """Return the node that represents a constant."""
    match value:
        case bool():
            return n.Truth(ValueKind.BOOLEAN, span, value)
        case int():
            return n.Number(ValueKind.INTEGER, span, value)
        case str():
            return n.Text(ValueKind.STRING, span, value)
        case tuple():
            return n.Strings(ValueKind.STRINGS, span, value)
        case range():
            low = n.Number(ValueKind.INTEGER, span, value.start)
            high = n.Number(ValueKind.INTEGER, span, value.stop - 1)
            return n.Range(ValueKind.INTEGERS, span, low, high)
