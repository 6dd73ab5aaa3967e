"""Counting the rounds of loops in play; see `cardwright.program.rounds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.program import Program

Result = TypeVar("Result")


def counting(
    program: Program, node: n.Node, body: Callable[[World], Result]
) -> Callable[[World], Result]:
    """Return the body of a loop wrapped to count its rounds, or itself if they are not counted."""
    if not program.rounds.counted(node):
        return body
    span = node.span

    def counted(world: World) -> Result:
        world.count(1, span)
        return body(world)

    return counted


def count(program: Program, node: n.Node) -> Callable[[World, int], None]:
    """Return a function that counts a number of rounds of a form at once."""
    if not program.rounds.counted(node):
        return lambda _world, _rounds: None
    span = node.span
    return lambda world, rounds: world.count(max(0, rounds), span)
