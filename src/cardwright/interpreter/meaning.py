"""What the chapters of the language ask each other for: the meanings of a program's forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interpreter.effects import Pile, VirtualLocation
    from cardwright.interpreter.world import Cell, Meaning, PointMap, Result, World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program


class FoundCard(NamedTuple):
    """A card and where it was found: in a pile, in a virtual group, or by a variable."""

    card: CardId
    found_in: Pile | VirtualLocation
    at: int


class MoveTarget(NamedTuple):
    """A place in a pile: a position, the top (None), or that of another card."""

    pile: Pile
    position: int | None
    card: CardId | None = None


class Meanings:
    """The meanings of one program's forms, each made by the module of its chapter.

    A chapter knows its own forms, and asks here for what their operands mean. Seats, teams and
    owners are numbers from 0; among owners, players come first, then teams, then the table.
    """

    integer: Callable[[n.Node], Meaning[int]]
    string: Callable[[n.Node], Meaning[str]]
    points: Callable[[n.Node], Meaning[PointMap]]
    cell: Callable[[n.Node], Meaning[Cell]]
    condition: Callable[[n.Node], Meaning[bool]]
    seat: Callable[[n.Node], Meaning[int]]
    team: Callable[[n.Node], Meaning[int]]
    owner: Callable[[n.Node], Meaning[int]]
    card: Callable[[n.Node], Meaning[CardId | None]]
    source: Callable[[n.Node], Meaning[FoundCard | None]]
    target: Callable[[n.Node], Meaning[MoveTarget]]
    location: Callable[[n.Node], Meaning[Pile | VirtualLocation]]
    members: Callable[[n.Node], Meaning[list[Pile | VirtualLocation]]]
    items: Callable[[n.Node], Meaning[Sequence[Any]]]
    filtered: Callable[[n.Filter], Meaning[list[Any]]]
    action: Callable[[n.Node], Meaning[None]]

    def __init__(self, program: Program) -> None:
        self.program = program

    def locations(self, nodes: tuple[n.Node, ...]) -> Meaning[list[Pile | VirtualLocation]]:
        """Return the locations of several forms, or of one form that gives a set of them."""
        if len(nodes) == 1 and nodes[0].kind is ValueKind.LOCATIONS:
            return self.members(nodes[0])
        parts = [self.location(node) for node in nodes]
        return lambda world: [part(world) for part in parts]

    def counting(self, node: n.Node, body: Meaning[Result]) -> Meaning[Result]:
        """Return the body of a loop, which counts its rounds if they are to be counted."""
        if not self.program.rounds.counted(node):
            return body
        span = node.span

        def counted(world: World) -> Result:
            world.count(1, span)
            return body(world)

        return counted

    def count(self, node: n.Node) -> Callable[[World, int], None]:
        """Return a function that counts a number of rounds of a form at once."""
        if not self.program.rounds.counted(node):
            return lambda _world, _rounds: None
        span = node.span
        return lambda world, rounds: world.count(max(0, rounds), span)
