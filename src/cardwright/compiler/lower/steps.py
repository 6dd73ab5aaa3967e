"""Steps outside choices, where everything happens at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.lower import actions, collections, conditions, moves, sets, union_views
from cardwright.program import nodes as n
from cardwright.program.nodes import StatePart

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
                view = union_views.view(low, node)
                low.env[node.variable.slot] = view or collections.bind(low, node.value)
                step(low, node.body)
        case _:
            actions.action(low, node)


def for_each(low: Lowering, node: n.ForEach) -> None:
    """Iterate over the items that exist at the start."""
    if moves.moves_each(low, node) and moves.move_each(low, node):
        return
    if low.unrolls and _is_short(low, node):
        for owner, _ in sets.each_owner(low, node.collection):
            low.moves += 1
            low.env[node.variable.slot] = owner
            with low.scratch():
                step(low, node.body)
        return
    low.moves += 1
    before, low.still = low.still, not n.writes(node.body) & (StatePart.CARDS | StatePart.HOLDERS)
    with (
        low.scratch(),
        collections.each(low, node.collection, node.variable, listed=True),
    ):
        low.rounds(node)
        step(low, node.body)
    low.still = before


_SHORT = 24
"""Most forms of the body of a loop that is written out."""


def _is_short(low: Lowering, node: n.ForEach) -> bool:
    """Return whether a loop over all players is short, and its rounds do not count."""
    match node.collection:
        case n.Everyone(others=False):
            counted = low.program.rounds.counted(node)
            return not counted and sum(1 for _ in n.walk(node.body)) <= _SHORT
    return False
