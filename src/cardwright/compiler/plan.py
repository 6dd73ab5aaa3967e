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
    otherwise: int
    """The place where play goes on if the test of a fork fails; as `then` for all others."""


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
        self.frames[self.end] = ((0, self._block(items, (), 0, self.end, (0, 0))),)
        self.cycles[self.end] = 0

    def _count(self, items: tuple[n.Node, ...]) -> int:
        """Return how many places there are in a block."""
        return sum(map(self._size, items))

    def _size(self, item: n.Node) -> int:
        """Return how many places an item has: one, and those in it, with one for a stage's turn."""
        match item:
            case n.Stage(items=items):
                return 1 + self._count(items) + 1
            case n.Fork():
                return 1 + self._count(item.ways)
        return 1

    def _block(
        self,
        items: tuple[n.Node, ...],
        outer: Frames,
        block: int,
        then: int,
        depth: tuple[int, int],
        *,
        first: int = 0,
    ) -> int:
        """Number items of a block from the `first` on, and return the number that follows."""
        players, teams = depth
        at = first
        for node in items:
            pc = self._next
            self._next += 1
            after = then if node is items[-1] else pc + self._size(node)
            frames = (*outer, (block, at))
            at += 1
            otherwise = after
            if isinstance(node, n.Fork) and node.otherwise is not None:
                otherwise = pc + 1 + self._size(node.item)
            self._place(Item(pc, node, players, teams, after, otherwise), frames)
            if isinstance(node, n.Stage):
                inner = (players + (not node.team), teams + node.team)
                self._stage(node, frames, pc, after, inner)
            elif isinstance(node, n.Fork):
                self.starts |= {pc + 1, otherwise, after}
                at = self._block((node.item,), outer, block, after, depth, first=at)
                if node.otherwise is not None:
                    at = self._block((node.otherwise,), outer, block, after, depth, first=at + 1)
        return at

    def _stage(
        self, stage: n.Stage, outer: Frames, pc: int, then: int, depth: tuple[int, int]
    ) -> None:
        block = self._blocks
        self._blocks += 1
        turn_pc = pc + 1 + self._count(stage.items)
        end = self._block(stage.items, outer, block, turn_pc, depth)
        assert self._next == turn_pc
        self._next += 1
        first = pc + 1
        turn = TurnItem(turn_pc, stage, *depth, first, then)
        self._place(turn, (*outer, (block, end)))
        self.starts |= {pc, first, turn_pc, then}

    def _place(self, place: Item | TurnItem, frames: Frames) -> None:
        self.places[place.pc] = place
        self.frames[place.pc] = frames
        self.cycles[place.pc] = place.players
        if isinstance(place, Item) and isinstance(place.node, n.Choice):
            self.choices.append(place)
            self.starts |= {place.pc, place.then}
