"""Deals: which part of a game is played again and again, each time with cards dealt anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.program import Program


def deal_stage(program: Program) -> n.Stage | None:
    """Return the stage of which a turn is a deal; None if the game has none that can be recognised.

    It is the first stage of the game's own items in which players choose, and of which every turn
    begins with a deal: before its first choice or inner stage it shuffles, and then moves cards in
    a loop over all players, both whatever the state.
    """
    for item in program.items:
        if isinstance(item, n.Stage) and any(isinstance(node, n.Choice) for node in n.walk(item)):
            return item if _begins_with_a_deal(item) else None
    return None


def _begins_with_a_deal(stage: n.Stage) -> bool:
    shuffled = False
    for item in stage.items:
        if isinstance(item, (n.Choice, n.Stage, n.Fork)):
            return False
        for step in _certain(item):
            if isinstance(step, n.Shuffle):
                shuffled = True
            elif shuffled and _serves_everyone(step):
                return True
    return False


def _certain(step: n.Node) -> Iterator[n.Node]:
    """Yield the steps that are taken whatever the state, in order, loops as a whole."""
    match step:
        case n.Do(steps=steps):
            for inner in steps:
                yield from _certain(inner)
        case n.Let(body=body):
            yield from _certain(body)
        case n.When():
            pass
        case _:
            yield step


def _serves_everyone(step: n.Node) -> bool:
    """Return whether a step moves cards in a loop over all players."""
    loops = (node for node in n.walk(step) if isinstance(node, n.ForEach))
    return any(
        isinstance(loop.collection, n.Everyone)
        and not loop.collection.others
        and any(isinstance(node, n.Move) for node in n.walk(loop.body))
        for loop in loops
    )
