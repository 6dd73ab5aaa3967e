"""Labels: the words that an author gives an option.

They stand in the tree of a program only until it is complete. Then they are taken out, and what
they say is kept beside it, so that engines and analyses see a game without labels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.known_values import KnownValues
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

    Parts: TypeAlias = "tuple[str | n.Node, ...]"


@dataclass(frozen=True, slots=True)
class Labelled(n.Control):
    """A step with words for the option in which it is: texts, and values as they are then."""

    parts: Parts
    body: n.Node


def unlabelled(program: Program, report: Diagnostics | None = None) -> Program:
    """Return a program without labels in its tree: a labelled step is a block of its own.

    A label is left out if it may say what the choosing player does not see; it is then reported.
    """
    nodes = program.nodes()
    if not any(isinstance(node, Labelled) for node in nodes):
        return program
    taken = _Taken(nodes)
    if report is not None:
        for choice in nodes:
            for step in choice.steps if isinstance(choice, n.Choice) else ():
                taken.report(step, report)
    items = tuple(map(taken.out, program.items))
    return replace(program, items=items, labels=tuple(taken.labels))


class _Taken(KnownValues):
    """Takes labels out of a tree, and keeps those that say nothing hidden with their blocks.

    What is known is what the choosing player knows.
    """

    def __init__(self, nodes: Iterable[n.Node]) -> None:
        super().__init__(nodes)
        self.labels: list[tuple[n.Node, Parts]] = []
        self._step: n.Node | None = None

    def report(self, step: n.Node, report: Diagnostics) -> None:
        """Note the labels in a step of a choice that are left out."""
        self._step = step
        for label in n.walk(step):
            for part in label.parts if isinstance(label, Labelled) else ():
                if isinstance(part, n.Node) and not self._told(part):
                    report.add(
                        Code.HIDDEN_CARD,
                        part.span,
                        "this label is left out, as it may tell of a card that the choosing "
                        "player cannot see",
                        help="say only what follows from open cards, the player's own hand and "
                        "what it picks",
                    )
        self._step = None

    def out(self, node: n.Node) -> n.Node:
        """Return a node without the labels in it; the very same one if it has none."""
        if isinstance(node, Labelled):
            block = n.Do(node.kind, node.span, (self.out(node.body),))
            if all(isinstance(part, str) or self._told(part) for part in node.parts):
                self.labels.append((block, node.parts))
            return block
        changed: dict[str, Any] = {}
        for name in n.operands(node):
            old = getattr(node, name)
            new = self._part(node, old)
            if new is not old:
                changed[name] = new
        return replace(node, **changed) if changed else node

    def _part(self, around: n.Node, value: object) -> object:
        if isinstance(value, n.Node):
            return self.out(value)
        if not isinstance(value, tuple):
            return value
        parts = []
        for item in value:
            if isinstance(around, n.Choice):
                self._step = item
            parts.append(self._part(around, item))
        return value if all(a is b for a, b in zip(parts, value, strict=True)) else tuple(parts)

    # What the choosing player knows ---------------------------------------------------------

    def _told(self, part: n.Node) -> bool:
        """Return whether a part may be said; an unseen card in a variable is said by its place."""
        if isinstance(part, n.Variable) and part.kind is ValueKind.CARD:
            return True
        return self.knows(part)

    def sees(self, node: n.Place | n.Indexed) -> bool:
        """Return whether the choosing player sees the cards of a location."""
        if super().sees(node):
            return True
        owner = node.owner
        own = isinstance(owner, n.TurnOwner) and owner.turn is n.Turn.CURRENT
        return (
            own
            and owner.kind is ValueKind.PLAYER
            and node.place is LocationKind.INVISIBLE
            and self._step is not None
            and not any(isinstance(one, n.Cycle) and not one.queue for one in n.walk(self._step))
        )
