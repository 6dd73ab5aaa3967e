"""The plan of a program: its places, numbered, and the active stages and cycles at each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cardwright.program import nodes as n

Frames: TypeAlias = "tuple[tuple[int, int], ...]"


@dataclass(frozen=True)
class Item:
    """An item of a block: its place, its node, and the depths of the cycles."""

    pc: int
    node: n.Node
    players: int
    teams: int
    then: int
    """The place that follows."""


@dataclass(frozen=True)
class TurnItem:
    """The end of a stage's items, where the turn passes: its place and its stage."""

    pc: int
    stage: n.Stage
    players: int
    teams: int
    first: int
    then: int


class BlockPlan:
    """The places of a program, numbered in textual order.

    `frames` gives for each place the enclosing blocks and how far each has been run, as the
    interpreter numbers them; `cycles` the current player cycle.
    """

    def __init__(self, items: tuple[n.Node, ...]) -> None:
        self.places: dict[int, Item | TurnItem] = {}
        self.frames: dict[int, Frames] = {}
        self.cycles: dict[int, int] = {}
        self.starts = {0}
        self.choices: list[Item] = []
        self._blocks = 1
        self._next = 0
        self.end = self._count(items)
        self._block(items, (), 0, self.end, (0, 0))
        self.frames[self.end] = ((0, len(items)),)
        self.cycles[self.end] = 0

    def _count(self, items: tuple[n.Node, ...]) -> int:
        """Return how many places there are in a block: one for each item and each stage's turn."""
        inner = [self._count(item.items) + 1 for item in items if isinstance(item, n.Stage)]
        return len(items) + sum(inner)

    def _block(
        self,
        items: tuple[n.Node, ...],
        outer: Frames,
        block: int,
        then: int,
        depth: tuple[int, int],
    ) -> None:
        players, teams = depth
        for at, node in enumerate(items):
            pc = self._next
            size = 1
            if isinstance(node, n.Stage):
                size += self._count(node.items) + 1
            self._next += 1
            after = then if at == len(items) - 1 else pc + size
            frames = (*outer, (block, at))
            self._place(Item(pc, node, players, teams, after), frames)
            if isinstance(node, n.Stage):
                inner = (players + (not node.team), teams + node.team)
                self._stage(node, frames, pc, after, inner)

    def _stage(
        self, stage: n.Stage, outer: Frames, pc: int, then: int, depth: tuple[int, int]
    ) -> None:
        block = self._blocks
        self._blocks += 1
        turn_pc = pc + 1 + self._count(stage.items)
        self._block(stage.items, outer, block, turn_pc, depth)
        assert self._next == turn_pc
        self._next += 1
        first = pc + 1
        turn = TurnItem(turn_pc, stage, *depth, first, then)
        self._place(turn, (*outer, (block, len(stage.items))))
        self.starts |= {pc, first, turn_pc, then}

    def _place(self, place: Item | TurnItem, frames: Frames) -> None:
        self.places[place.pc] = place
        self.frames[place.pc] = frames
        self.cycles[place.pc] = place.players
        if isinstance(place, Item) and isinstance(place.node, n.Choice):
            self.choices.append(place)
            self.starts |= {place.pc, place.then}
