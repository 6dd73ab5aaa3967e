"""Values known before the game: constants, values from outside for them, and constant folding.

A file for a family of games tests its constants everywhere. Once their values are known, most of
these tests are decided, and what cannot happen is removed: engines, and people who look at its
places, see one game. What remains still has everything that could fail or draw, so the game is the
same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial, reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.expansion import Labelled
from cardwright.program.integers import (
    LARGEST,
    PASSES,
    SMALLEST,
    IntegerError,
    apply,
    fibonacci,
    triangle,
)
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    try:
        return _evaluated(node)
    except IntegerError as error:
        raise NotConstantError(node, str(error)) from None


def _evaluated(node: n.Node) -> Constant:
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
            # A value that differs from item to item is no constant.
            return apply(n.Operator.MULTIPLY, _count(node.collection), integer(node.value))
        case n.Logic():
            tests = (truth(test) for test in node.tests)
            return all(tests) if node.every else any(tests)
        case n.Not():
            return not truth(node.test)
        case n.Compare():
            return PASSES[node.operator](integer(node.left), integer(node.right))
        case n.Equal():
            return (constant(node.left) == constant(node.right)) != node.negated
        case n.Triangle():
            return triangle(integer(node.number))
        case n.Fibonacci():
            return fibonacci(integer(node.number))
        case n.Arithmetic():
            return reduce(partial(apply, node.operator), map(integer, node.operands))
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


def _count(collection: n.Node) -> int:
    """Return the number of items of a collection; in play, one that is too long is an error."""
    items = constant(collection)
    assert isinstance(items, range | tuple)
    count = max(0, items.stop - items.start) if isinstance(items, range) else len(items)
    if count > MOST_ITEMS:
        reason = f"this has {count:,} items, more than the {MOST_ITEMS:,} allowed"
        raise NotConstantError(collection, reason)
    return count


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


_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_RANGE = re.compile(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)")


def kind_of(value: Constant) -> str:
    """Return the kind of a constant in words."""
    return _WORDS[type(value)]


_WORDS: dict[type, str] = {
    bool: "a condition (true or false)",
    int: "an integer",
    str: "a name in capitals",
    tuple: "a list of names (A,B,C)",
    range: "a range (1..4)",
}


def mismatch(value: object, default: Constant) -> tuple[str, str] | None:
    """Return why a value cannot replace a constant: what it is, and what it should be."""
    expected = kind_of(default)
    if isinstance(value, list):
        value = tuple(value)
    if type(value) is not type(default):
        if isinstance(value, bool | int | str | tuple | range):
            return kind_of(value), expected
        return f"a {type(value).__name__}", expected
    if isinstance(value, int) and not SMALLEST <= value <= LARGEST:
        return "too large", "an integer of 64 bits"
    names = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
    for name in names:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"not a name: {name!r}", expected
    if isinstance(value, range) and value.step != 1:
        return "a range with steps", expected
    return None


def parse_value(text: str) -> Constant:
    """Return the constant that a text represents: 4, true, HEARTS, `A,B,C` or `1..4`.

    Raises ValueError if there is none.
    """
    stripped = text.strip()
    if re.fullmatch(r"-?[0-9]{1,19}", stripped):
        return int(stripped)
    if stripped.casefold() in {"true", "false"}:
        return stripped.casefold() == "true"
    if _NAME.fullmatch(stripped):
        return stripped
    bounds = _RANGE.fullmatch(stripped)
    if bounds:
        return range(int(bounds[1]), int(bounds[2]) + 1)
    names = [part.strip() for part in stripped.strip("()").split(",")]
    if all(_NAME.fullmatch(name) for name in names):
        return tuple(names)
    raise ValueError(
        f"{text!r} is not a value; write a number (4), a name (HEARTS), true or false, "
        "a list (A,B,C) or a range (1..4)"
    )


if TYPE_CHECKING:
    Known: TypeAlias = Mapping[int, bool]

_NOTHING: Known = MappingProxyType({})


def folded(node: n.Node, known: Known = _NOTHING) -> n.Node:
    """Return a node with everything in it settled: a condition that is known is a `Truth`.

    `known` are the outcomes of decided conditions that are bound to variables, by their slots.
    """
    if isinstance(node, n.Variable):
        return node_of(known[node.slot], node.span) if node.slot in known else node
    if isinstance(node, n.Let):
        value = folded(node.value, known)
        if isinstance(value, n.Truth):
            known = {**known, node.variable.slot: value.value}
    own = n.binds(node)
    return _decided(n.rebuilt(node, lambda inner: inner if inner is own else folded(inner, known)))


def _decided(node: n.Node) -> n.Node:
    """Return what a node whose operands are settled reduces to."""
    match node:
        case n.Logic():
            return _logic(node)
        case (
            n.Not() | n.Compare() | n.Equal() | n.Size()
            | n.Arithmetic() | n.Triangle() | n.Fibonacci()
        ):  # fmt: skip
            return _value(node)
        case n.Do() | n.Choice():
            return replace(node, steps=folded_steps(node.steps))
        case n.Stage():
            return replace(node, items=folded_steps(node.items))
        case n.Fork(otherwise=otherwise):
            other = None if otherwise is None else _step(otherwise)
            return replace(node, item=_body(node.item), otherwise=other)
        case n.When() | n.Let() | Labelled():
            return replace(node, body=_body(node.body))
        case n.ForEach():
            return replace(node, collection=_items(node.collection), body=_body(node.body))
        case n.Quantifier():
            return replace(node, collection=_items(node.collection))
        case n.Total():
            return _value(replace(node, collection=_items(node.collection)))
        case n.SetPoints():
            return replace(node, awards=tuple(a for a in node.awards if not _worthless(a)))
    return node


def _value(node: n.Node) -> n.Node:
    try:
        return node_of(constant(node), node.span)
    except NotConstantError:
        return node


def _logic(node: n.Logic) -> n.Node:
    """Return a conjunction or disjunction without the tests that are decided.

    A decided test may end it; the tests before it stay, since they come first and may fail.
    """
    tests: list[n.Node] = []
    for test in node.tests:
        if not isinstance(test, n.Truth):
            tests.append(test)
        elif test.value != node.every:
            tests.append(test)
            break
    if not tests:
        return node_of(node.every, node.span)
    return tests[0] if len(tests) == 1 else replace(node, tests=tuple(tests))


def _items(collection: n.Node) -> n.Node:
    """Return a collection to iterate over, without a filter that all its items pass.

    From several locations, a filter drops the empty ones whatever its test.
    """
    match collection:
        case n.Filter(test=n.Truth(value=True)) if not collection.kind & ValueKind.LOCATIONS:
            return collection.collection
    return collection


def folded_steps(steps: tuple[n.Node, ...]) -> tuple[n.Node, ...]:
    """Return the steps of a block that can happen."""
    kept = (_step(step) for step in steps)
    return tuple(step for step in kept if step is not None)


def _body(step: n.Node) -> n.Node:
    """Return a single step; one that cannot happen leaves an empty block."""
    return _step(step) or n.Do(step.kind, step.span, ())


def _step(step: n.Node) -> n.Node | None:
    """Return a step reduced to what can happen, or None if nothing can."""
    match step:
        case n.When(test=n.Truth(value=True)):
            return _step(step.body)
        case n.Fork(test=n.Truth(value=value), item=item, otherwise=otherwise):
            chosen = item if value else otherwise
            return None if chosen is None else _step(chosen)
        case n.When(test=n.Truth(value=False)) | n.Stage(end=n.Truth(value=True)):
            return None
        case n.Repeat(count=n.Number(value=0)):
            return None
    return step


def _worthless(award: n.Node) -> bool:
    """Return whether an award of a point map adds nothing, whatever the card."""
    match award:
        case n.Award(points=n.Number(value=0)):
            return all(isinstance(part, n.Text) for part in (*award.keys, *award.values))
    return False
