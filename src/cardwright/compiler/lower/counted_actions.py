"""The rounds of actions that are not tried, counted before they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.lower import collections, conditions
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


def countable(low: Lowering, node: n.Node) -> bool:
    """Return whether the rounds of the actions that are counted can be told beforehand."""
    counted = low.program.rounds.counted
    if not any(map(counted, n.walk(node))):
        return True
    match node:
        case n.Do(steps=steps):
            return all(countable(low, step) for step in steps)
        case n.When(test=test, body=body):
            steady = low.analysis.pure(test) and _is_steady(low, test)
            return steady and countable(low, body)
        case n.ForEach(choose=False, collection=n.Variable() as group, body=body):
            return _is_steady(low, group) and not any(map(counted, n.walk(body)))
    return False


def _is_steady(low: Lowering, node: n.Node) -> bool:
    """Return whether a form reads nothing but variables that no action changes."""
    analysis = low.analysis
    return not analysis.takes_from_groups and not any(
        inner.traits.reads
        or (inner.kind is ValueKind.LOCATION and analysis.is_real(inner))
        or low.program.rounds.counted(inner)
        for inner in n.walk(node)
    )


def spend(low: Lowering, node: n.Node) -> None:
    """Count the rounds of actions that are not tried; `countable` says that it works."""
    if not any(map(low.program.rounds.counted, n.walk(node))):
        return
    match node:
        case n.Do(steps=steps):
            for step in steps:
                spend(low, step)
        case n.When(test=test, body=body):
            with low.b.when(conditions.holds(low, test)):
                spend(low, body)
        case n.ForEach(collection=collection):
            with low.scratch():
                low.rounds(node, collections.size(low, collection))
