"""Steps outside choices, where everything happens at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.lower import actions, collections, conditions
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


def step(low: Lowering, node: n.Node) -> None:
    """Do a step."""
    match node:
        case n.Do(steps=steps):
            for inner in steps:
                step(low, inner)
        case n.When(test=test, body=body):
            with low.b.when(conditions.holds(low, test)):
                step(low, body)
        case n.ForEach():
            for_each(low, node)
        case n.Let():
            with low.scratch():
                low.env[node.variable.slot] = collections.bind(low, node.value)
                step(low, node.body)
        case _:
            actions.action(low, node)


def for_each(low: Lowering, node: n.ForEach) -> None:
    """Iterate over the items that exist at the start."""
    low.moves += 1
    with (
        low.scratch(),
        collections.each(low, node.collection, node.variable, listed=True),
    ):
        low.rounds(node)
        step(low, node.body)
