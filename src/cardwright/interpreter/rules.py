"""Rules: a program ready to run, shared by all worlds that play it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.interpreter import conditions, integers, locations
from cardwright.interpreter.options import explorer
from cardwright.interpreter.points import PointMap
from cardwright.interpreter.steps import step
from cardwright.program import nodes as n
from cardwright.program.deals import deal_stage
from cardwright.program.limits import OPTION_WORDS
from cardwright.program.places import places
from cardwright.program.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.actions import Act
    from cardwright.interpreter.conditions import Condition
    from cardwright.interpreter.options import Explore
    from cardwright.interpreter.points import Awards
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


LEFT_OUT: dict[type[n.Node], str] = {n.Bad: "a program with errors is never run"}
"""The classes of nodes that are given no meaning, with the reason."""


class Run(NamedTuple):
    """A block that runs without a decision: a do, any, all or let."""

    act: Act
    span: Span


class Decide(NamedTuple):
    """A choice, with the explorer of each of its steps, and the most options it may have.

    `labelled` says whether options of it may have labels.
    """

    explorers: tuple[Explore, ...]
    span: Span
    node: n.Choice
    most: int
    labelled: bool


class Test(NamedTuple):
    """A test on which it depends whether the next item is played, or that at another place."""

    holds: Condition
    otherwise: int
    span: Span


class Skip(NamedTuple):
    """Play goes on at a later place of the block."""

    then: int


class RuleBlock:
    """A numbered list of items, of the game or of a stage; a stage repeats them until its end.

    A fork stands in it as its test, its items, and what skips the second of them. `deal` says that
    each repetition is a deal.
    """

    __slots__ = ("deal", "end", "items", "number", "span", "team")

    def __init__(self, number: int, span: Span, end: Condition | None, *, team: bool) -> None:
        self.number = number
        self.span = span
        self.end = end
        self.team = team
        self.deal = False
        self.items: tuple[Item, ...] = ()


Item: TypeAlias = Run | Decide | Test | Skip | RuleBlock


class Rules:
    """The meanings of a program's items, and everything that its worlds share."""

    def __init__(
        self, program: Program, most_options: Callable[[n.Choice], int] | None = None
    ) -> None:
        """Prepare a program; `most_options` is the most options that a choice may have."""
        self.program = program
        self._most_options = most_options or (lambda _: OPTION_WORDS)
        self.decks = [
            (locations.place(program, deck.location), deck.cards)
            for deck in program.decks
            if isinstance(deck.location, n.Place)
        ]
        self._blocks = 0
        self._deal = deal_stage(program)
        self.items = self._block(program.score.span, program.items)
        self.score = integers.integer(program, program.score)
        self.places = places(Values(program))
        """Which locations are known before the game, and how the others get slots."""
        self._maps: dict[Awards, PointMap] = {}

    def _block(
        self,
        span: Span,
        items: tuple[n.Node, ...],
        end: Condition | None = None,
        *,
        team: bool = False,
    ) -> RuleBlock:
        block = RuleBlock(self._blocks, span, end, team=team)
        self._blocks += 1
        found: list[Item] = []
        for item in items:
            self._add(found, item)
        block.items = tuple(found)
        return block

    def _add(self, items: list[Item], node: n.Node) -> None:
        """Add a node to the items of a block; a fork is several."""
        if not isinstance(node, n.Fork):
            items.append(self._item(node))
            return
        holds = conditions.condition(self.program, node.test)
        at = len(items)
        items.append(Skip(at))
        self._add(items, node.item)
        if node.otherwise is not None:
            items.append(Skip(len(items)))
        items[at] = Test(holds, len(items), node.span)
        if node.otherwise is not None:
            end = len(items) - 1
            self._add(items, node.otherwise)
            items[end] = Skip(len(items))

    def _item(self, node: n.Node) -> Item:
        match node:
            case n.Stage():
                end = conditions.condition(self.program, node.end)
                block = self._block(node.span, node.items, end, team=node.team)
                block.deal = node is self._deal
                return block
            case n.Choice():
                explorers = tuple(explorer(self.program, inner) for inner in node.steps)
                labelled = any(self.program.label(inner) for inner in n.walk(node))
                return Decide(explorers, node.span, node, self._most_options(node), labelled)
        return Run(step(self.program, node), node.span)

    def point_map(self, awards: Awards) -> PointMap:
        """Return the point map of some awards; equal ones share the scores computed so far."""
        try:
            return self._maps[awards]
        except KeyError:
            if len(self._maps) > _MAPS_KEPT:
                self._maps.clear()
            found = self._maps[awards] = PointMap(awards, self.program)
            return found


_MAPS_KEPT = 1_000
