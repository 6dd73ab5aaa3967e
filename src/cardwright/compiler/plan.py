"""What machine code needs to know of a program: numbered places, memory, fault sites."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler.layout import BoardLayout, Names, layout
from cardwright.program import nodes as n
from cardwright.program.chains import ChoiceOptions, options
from cardwright.program.effects import EffectAnalysis
from cardwright.program.integers import LARGEST
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from cardwright.program.program import Program

Frames: TypeAlias = "tuple[tuple[int, int], ...]"


class ProgramPlan:
    """A program with what is the same in all machine code for it: the meaning of its memory."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names(program)
        self.analysis = EffectAnalysis(program)
        self.layout: BoardLayout = layout(self.analysis, self.names)
        self.plan = BlockPlan(program.items)
        self.options: dict[int, ChoiceOptions] = {
            item.pc: options(self.analysis, self.layout.places, item.node)
            for item in self.plan.choices
            if isinstance(item.node, n.Choice)
        }


# Places -----------------------------------------------------------------------------------


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
    interpreter numbers them; `cycles` the current player cycle. At `starts`, play can go on.
    """

    def __init__(self, items: tuple[n.Node, ...]) -> None:
        self.places: dict[int, Item | TurnItem] = {}
        self.frames: dict[int, Frames] = {}
        self.cycles: dict[int, int] = {}
        self.starts = {0}
        self.choices: list[Item] = []
        self._blocks = 1
        self._next = 0
        self.end = sum(map(_size, items))
        self.frames[self.end] = ((0, self._block(items, (), 0, self.end, (0, 0))),)
        self.cycles[self.end] = 0

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
        at = first
        for node in items:
            pc = self._next
            self._next += 1
            after = then if node is items[-1] else pc + _size(node)
            frames = (*outer, (block, at))
            at += 1
            otherwise = after
            if isinstance(node, n.Fork) and node.otherwise is not None:
                otherwise = pc + 1 + _size(node.item)
            item = Item(pc, node, *depth, after, otherwise)
            self._place(item, frames)
            if isinstance(node, n.Choice):
                self.choices.append(item)
                self.starts |= {pc, after}
            elif isinstance(node, n.Stage):
                self._stage(node, frames, item)
            elif isinstance(node, n.Fork):
                self.starts |= {pc + 1, otherwise, after}
                at = self._block((node.item,), outer, block, after, depth, first=at)
                if node.otherwise is not None:
                    at = self._block((node.otherwise,), outer, block, after, depth, first=at + 1)
        return at

    def _stage(self, stage: n.Stage, outer: Frames, item: Item) -> None:
        block = self._blocks
        self._blocks += 1
        first, depth = item.pc + 1, (item.players + (not stage.team), item.teams + stage.team)
        turn_pc = first + sum(map(_size, stage.items))
        end = self._block(stage.items, outer, block, turn_pc, depth)
        self._next = turn_pc + 1
        self._place(TurnItem(turn_pc, stage, *depth, first, item.then), (*outer, (block, end)))
        self.starts |= {item.pc, first, turn_pc, item.then}

    def _place(self, place: Item | TurnItem, frames: Frames) -> None:
        self.places[place.pc] = place
        self.frames[place.pc] = frames
        self.cycles[place.pc] = place.players


def _size(item: n.Node) -> int:
    """Return how many places an item has: one, and those in it, with one for a stage's turn."""
    match item:
        case n.Stage(items=items):
            return 1 + sum(map(_size, items)) + 1
        case n.Fork():
            return 1 + sum(map(_size, item.ways))
    return 1


# Faults -----------------------------------------------------------------------------------


class Site(NamedTuple):
    """A rule that can be broken, its message, and the form in the source.

    `via` are the starts and ends of the uses of definitions through which the form is there. The
    message has up to three integers {a}, {b}, {c}; {p} is two to the power of `a`, or the largest
    integer.
    """

    rule: str
    message: str
    start: int
    end: int
    via: tuple[tuple[int, int], ...] = ()

    @property
    def span(self) -> Span:
        """The place of the form."""
        return Span(self.start, self.end, tuple(Span(*use) for use in self.via))

    @property
    def number(self) -> int:
        """The number of the site in machine code, the same in every part of a program."""
        return int.from_bytes(blake2b(repr(tuple(self)).encode(), digest_size=7).digest())

    def text(self, a: int, b: int, c: int) -> str:
        """Return the message with its integers."""
        return self.message.format(a=a, b=b, c=c, p=min(2 ** min(max(a, 0), 64), LARGEST))


@dataclass
class Sites:
    """All fault sites of a module, each with its number."""

    found: dict[Site, int] = field(default_factory=dict)

    def number(self, rule: str, message: str, span: Span) -> int:
        """Return the number of a site."""
        site = Site(rule, message, *span.text, tuple(use.text for use in span.via))
        if site not in self.found:
            self.found[site] = site.number
        return self.found[site]
