"""What the chapters of the language share: the meanings of a program's forms, and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interpreter.effects import Pile, VirtualLocation
    from cardwright.interpreter.world import Meaning, Result, World
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

    The module of values finds here what it needs of that of cards, which builds on it. Seats, teams
    and owners are numbers from 0; among owners, players come first, then teams, then the table.
    """

    card: Callable[[n.Node], Meaning[CardId | None]]
    location: Callable[[n.Node], Meaning[Pile | VirtualLocation]]
    items: Callable[[n.Node], Meaning[Sequence[Any]]]

    def __init__(self, program: Program) -> None:
        self.program = program

    def present(
        self,
        found: Meaning[Result | None],
        node: n.Node,
        message: str,
        rule: str = "no-card",
    ) -> Meaning[Result]:
        """Return what is found; where there is nothing, a form breaks a rule."""

        def meaning(world: World) -> Result:
            result = found(world)
            if result is None:
                raise Fault(rule, message, node.span)
            return result

        return meaning

    def for_each(self, node: Any, body: Meaning[Result]) -> Meaning[list[Result]]:
        """Return what the body of a loop gives for each item of its collection."""
        items = self.items(node.collection)
        body = self.counting(node, body)
        slot = node.variable.slot

        def meaning(world: World) -> list[Result]:
            results = []
            for item in tuple(items(world)):
                world.env[slot] = item
                results.append(body(world))
            return results

        return meaning

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
