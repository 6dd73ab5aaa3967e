"""Options that depend on a card that the choosing player cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


_BY_PARTS = "it reads no card itself; its operands are examined one by one"
_TOGETHER = "only reads of single cards are examined, not aggregates over many"
_UNSURE = "the origin of its cards is not tracked: no warning is better than a false one"
_NO_MOVE = "it moves no cards to where the choosing player no longer sees them"

LEFT_OUT: dict[type[n.Node], str] = {
    n.Bad: "a program with an error gets no notes",
    n.Condition: _BY_PARTS,
    n.Award: _BY_PARTS,
    **dict.fromkeys((n.Arithmetic, n.Triangle, n.Fibonacci, n.Random), _BY_PARTS),
    **dict.fromkeys((n.Size, n.Sum, n.ExtremeScore, n.Total), _TOGETHER),
    **dict.fromkeys(n.CARDLESS, "it gives no cards"),
    **dict.fromkeys((n.Element, n.EndRun, n.Runs, n.Tuples, n.Indexed), _UNSURE),
    **dict.fromkeys((n.Set, n.SetPoints, n.Increase, n.Remember, n.Forget), _NO_MOVE),
    **dict.fromkeys((n.Shuffle, n.Cycle, n.Pass), _NO_MOVE),
    **dict.fromkeys((n.Repeat, n.RepeatAll), "the moves that it repeats are not tracked"),
    n.Swap: _UNSURE,
    n.Choice: "its steps are examined one by one",
    n.Stage: "it holds no conditions of an option",
    n.Fork: "it holds no conditions of an option",
}
"""The classes of nodes that are not examined for hidden cards, with the reason."""


def lint_hidden(program: Program, report: Diagnostics) -> None:
    """Note tests inside choices that read cards the choosing player does not see."""
    for choice in program.nodes():
        if isinstance(choice, n.Choice):
            for step in choice.steps:
                _Looker(report).step(step)


class _Looker:
    """Tracks one step of a choice: what variables iterate over, and where unseen cards went."""

    def __init__(self, report: Diagnostics) -> None:
        self.report = report
        self.runs_over: dict[int, n.Node] = {}
        self.drawn_to: set[Hashable] = set()

    def step(self, node: n.Node) -> None:
        match node:
            case n.When(test=test, body=body):
                self.test(test)
                self.step(body)
            case n.ForEach(collection=collection, variable=variable, body=body):
                self.runs_over[variable.slot] = collection
                self.test(collection)
                self.step(body)
            case n.Let(value=value, variable=variable, body=body):
                self.runs_over[variable.slot] = value
                self.step(body)
            case n.Do(steps=steps):
                for inner in steps:
                    self.step(inner)
            case n.Move(card=card, target=n.End(location=n.Place() as target)):
                if self._unseen(card):
                    self.drawn_to.add(same_place(target))

    def test(self, test: n.Node) -> None:
        for node in n.walk(test):
            variable, collection = n.binds(node), getattr(node, "collection", None)
            if variable is not None and isinstance(collection, n.Node):
                self.runs_over[variable.slot] = collection
        for node in n.walk(test):
            if isinstance(node, n.Attribute | n.Score) and self._unseen(node.card):
                self.report.add(
                    Code.HIDDEN_CARD,
                    node.span,
                    "which options there are depends on a card that the choosing player cannot see",
                    help="decide it after the choice, in a (do ...), if players should not know",
                )
                return

    def _unseen(self, card: n.Node) -> bool:
        match card:
            case n.Variable(slot=slot):
                source = self.runs_over.get(slot)
                if source is None:
                    return False
                if source.kind is ValueKind.CARD:
                    return self._unseen(source)
                return any(map(self._concealed, self._places(source)))
            case n.End(location=location) | n.Position(location=location):
                return any(map(self._concealed, self._places(location)))
            case n.BestCard(location=location):
                return any(map(self._concealed, self._places(location)))
            case n.Actual(card=inner):
                return self._unseen(inner)
        return False

    def _places(self, location: n.Node) -> Iterator[n.Place]:
        """Yield the real locations from which a form takes its cards."""
        match location:
            case n.Place():
                yield location
            case n.Variable(slot=slot) if slot in self.runs_over:
                yield from self._places(self.runs_over[slot])
            case n.Filter(collection=inner) | n.Sort(location=inner) | n.Sequence(location=inner):
                yield from self._places(inner)
            case n.Combine(parts=parts) | n.Partition(parts=parts):
                for part in parts:
                    yield from self._places(part)
            case n.EachLocation(location=inner) | n.Subsets(location=inner):
                yield from self._places(inner)

    def _concealed(self, place: n.Place) -> bool:
        own = isinstance(place.owner, n.TurnOwner) and place.owner.turn is n.Turn.CURRENT
        match place.place:
            case LocationKind.HIDDEN:
                return True
            case LocationKind.INVISIBLE:
                return not own or same_place(place) in self.drawn_to
            case LocationKind.OTHERS:
                return own
        return same_place(place) in self.drawn_to


def same_place(place: n.Place) -> Hashable:
    """Return what two forms for one location have in common, wherever they stand."""

    def text(node: n.Node | None) -> Hashable:
        if node is None:
            return None
        values = (getattr(node, name, None) for name in ("value", "turn", "slot"))
        return (type(node).__name__, *values, *(text(child) for child in n.children(node)))

    return text(place.owner), place.place, text(place.name), text(place.index)
