"""Another way to build options, slow and simple, to compare the engine's with.

Every option is found by running its step from a fresh copy of the world, with the picks of its
`any`s prescribed; a run that comes to an `any` without a prescription shows how many items it has,
and is begun anew once for each. Nothing is ever undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interpreter.actions import action
from cardwright.interpreter.cards import meanings
from cardwright.interpreter.values import condition, value
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.interpreter.world import World
    from cardwright.program.program import Program


class _NeedsPick(Exception):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count


def outcomes(program: Program, choice: n.Choice, world: World) -> Iterator[World]:
    """Yield the world after each option of a choice, in order."""
    for step in choice.steps:
        yield from _explore(program, step, world, ())


def _explore(
    program: Program, step: n.Node, world: World, picks: tuple[int, ...]
) -> Iterator[World]:
    copy = world.copy()
    copy.journal = noted = []
    left = list(picks)
    try:
        _run(program, step, copy, lambda count: _take(left, count))
    except _NeedsPick as needed:
        for pick in range(needed.count):
            yield from _explore(program, step, world, (*picks, pick))
        return
    if noted:
        copy.journal = None
        copy.frames[-1].at += 1
        yield copy


def _take(left: list[int], count: int) -> int:
    if not left:
        raise _NeedsPick(count)
    return left.pop(0)


def _run(program: Program, node: n.Node, world: World, take: Callable[[int], int]) -> None:
    match node:
        case n.Do():
            for step in node.steps:
                _run(program, step, world, take)
        case n.When():
            if condition(meanings(program), node.test)(world):
                _run(program, node.body, world, take)
        case n.Let():
            world.env[node.variable.slot] = value(meanings(program), node.value)(world)
            _run(program, node.body, world, take)
        case n.ForEach():
            items = tuple(meanings(program).items(node.collection)(world))
            if node.choose:
                items = (items[take(len(items))],) if items else ()
            for item in items:
                world.env[node.variable.slot] = item
                _run(program, node.body, world, take)
        case _:
            action(meanings(program), node)(world)
