"""Constant propagation before play: the branches of other variants are removed.

A file for a family of games tests its constants everywhere. Once their values are known, most of
these tests are decided, and what cannot happen in this variant is removed: engines, and people who
look at its places, see one game. What remains still has everything that could fail or draw, so the
game is the same.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant, node_of
from cardwright.program.kinds import ValueKind
from cardwright.program.labels import Labelled

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from cardwright.program.program import Program

    Known: TypeAlias = Mapping[int, bool]

_NOTHING: Known = MappingProxyType({})


def settle(program: Program) -> Program:
    """Return the program without the steps and stages that its constants rule out."""
    return replace(
        program, items=_steps(tuple(map(settled, program.items))), score=settled(program.score)
    )


def settled(node: n.Node, known: Known = _NOTHING) -> n.Node:
    """Return a node with everything in it settled: a condition that is known is a `Truth`.

    `known` are the outcomes of decided conditions that are bound to variables, by their slots.
    """
    if isinstance(node, n.Variable):
        return node_of(known[node.slot], node.span) if node.slot in known else node
    changed: dict[str, Any] = {}
    for name in n.operands(node):
        old = getattr(node, name)
        if name == "variable":
            continue
        new = _part(old, known)
        if isinstance(node, n.Let) and name == "value" and isinstance(new, n.Truth):
            known = {**known, node.variable.slot: new.value}
        if new is not old:
            changed[name] = new
    return _decided(replace(node, **changed) if changed else node)


def _part(value: object, known: Known) -> object:
    """Return an operand, or several, settled; the very same object if nothing changes."""
    if isinstance(value, n.Node):
        return settled(value, known)
    if isinstance(value, tuple):
        parts = tuple(_part(item, known) for item in value)
        same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if same else parts
    return value


def _decided(node: n.Node) -> n.Node:
    """Return what a node whose operands are settled reduces to."""
    match node:
        case n.Logic():
            return _logic(node)
        case n.Not() | n.Compare() | n.Equal() | n.Size():
            return _value(node)
        case n.Arithmetic() | n.Triangle() | n.Fibonacci():
            return _value(node)
        case n.Do():
            return replace(node, steps=_steps(node.steps))
        case n.Choice():
            return replace(node, steps=_steps(node.steps))
        case n.Stage():
            return replace(node, items=_steps(node.items))
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
    """Return the value of a node, if it is already known."""
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


def _steps(steps: tuple[n.Node, ...]) -> tuple[n.Node, ...]:
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
