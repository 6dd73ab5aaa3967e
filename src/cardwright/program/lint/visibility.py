"""Options that depend on a card that the choosing player cannot see.

Cards that more players see than an author may think, or fewer: memory, and what teams hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

_BY_PARTS = "it reads no card itself; its operands are examined one by one"
_TOGETHER = "only reads of single cards are examined, not aggregates over many"
_UNSURE = "the origin of its cards is not tracked: no warning is better than a false one"
_NO_MOVE = "it moves no cards to where the choosing player no longer sees them"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with an error gets no notes",
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


def lint_hidden(choice: n.Choice, program: Program, report: Diagnostics) -> None:
    """Note tests inside a choice that read cards the choosing player does not see."""
    for step in choice.steps:
        _Looker(program, report).step(step)


class _Looker:
    """Follows one step of a choice, and where unseen cards went in it."""

    def __init__(self, program: Program, report: Diagnostics) -> None:
        self.program = program
        self.report = report
        self.drawn_to: set[Hashable] = set()

    def step(self, node: n.Node) -> None:
        match node:
            case n.When(test=test, body=body) | n.ForEach(collection=test, body=body):
                self.test(test)
                self.step(body)
            case n.Let(body=body):
                self.step(body)
            case n.Do(steps=steps):
                for inner in steps:
                    self.step(inner)
            case n.Move(card=card, target=n.End(location=n.Place() as target)):
                if self._unseen(card):
                    self.drawn_to.add(same_place(target))

    def test(self, test: n.Node) -> None:
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
            case n.Variable():
                source = self.program.bound_to(card)
                if source.kind is ValueKind.CARD:
                    return self._unseen(source)
                return any(map(self._concealed, self._places(source)))
            case (
                n.End(location=location)
                | n.Position(location=location)
                | n.BestCard(location=location)
            ):
                return any(map(self._concealed, self._places(location)))
            case n.Actual(card=inner):
                return self._unseen(inner)
        return False

    def _places(self, location: n.Node) -> Iterator[n.Place]:
        match location:
            case n.Place():
                yield location
            case n.Variable():
                yield from self._places(self.program.bound_to(location))
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


def lint_memory(program: Program, report: Diagnostics) -> None:
    """Warn of hidden cards that are remembered in sight of all."""
    for block in _blocks(program.items):
        within = list(n.walk(block))
        moves = [node for node in within if isinstance(node, n.Move)]
        for node in within:
            if not isinstance(node, n.Remember):
                continue
            place = _lies_in(node.card, program)
            if place is None or _is_open(place, program):
                continue
            if not any(_shows(move, node.card, place, program) for move in moves):
                report.add(
                    Code.SHOWN_BY_MEMORY,
                    node.card.span,
                    "everybody sees what is remembered, and this card lies where not everybody "
                    "sees it",
                    help="move it first to where all see it; if all may know it, say so: "
                    ";; allow W618: the reason",
                )


def lint_team_places(program: Program, report: Diagnostics) -> None:
    """Warn once of each name of a team's location for its own eyes: teams have none."""
    seen: set[str] = set()
    for node in program.nodes():
        if not isinstance(node, n.Place) or node.owner.kind is not ValueKind.TEAM:
            continue
        name = node.name.value if isinstance(node.name, n.Text) else ""
        if node.place is LocationKind.INVISIBLE and name not in seen:
            seen.add(name)
            report.add(
                Code.UNSEEN_BY_TEAM,
                node.span,
                "nobody sees the cards in a team's iloc, not even its members",
                help="a card for one of them lies in an iloc of that player; what all may see is "
                "vloc, what nobody may see hloc",
            )


def _blocks(items: Iterable[n.Node]) -> Iterator[n.Node]:
    """Yield what is carried out at once: blocks, and the steps of choices."""
    for item in items:
        match item:
            case n.Stage(items=inner) | n.Choice(steps=inner):
                yield from _blocks(inner)
            case n.Fork():
                yield from _blocks(child for child in n.children(item) if child is not item.test)
            case _:
                yield item


def _lies_in(card: n.Node, program: Program) -> n.Place | None:
    """Return the location in which a card lies, if it is named by its place alone."""
    match n.unwrapped(card):
        case n.End(location=n.Place() as place) | n.Position(location=n.Place() as place):
            return place
        case n.Variable(slot=slot):
            binder = program.binders[slot]
            if isinstance(binder, n.Let):
                return _lies_in(binder.value, program)
            source = n.unfiltered(n.bound_form(binder))
            return source if isinstance(source, n.Place) else None
    return None


def _is_open(place: n.Place, program: Program) -> bool:
    alone = program.players == 1 and place.owner.kind is ValueKind.PLAYER
    return place.place in OPEN_KINDS or (alone and place.place is LocationKind.INVISIBLE)


def _shows(move: n.Move, card: n.Node, place: n.Place, program: Program) -> bool:
    source = _lies_in(move.card, program)
    target = getattr(move.target, "location", None)
    if not isinstance(target, n.Place):
        return False
    same = source is not None and same_place(source) == same_place(place)
    if isinstance(card, n.Variable):
        same = isinstance(move.card, n.Variable) and move.card.slot == card.slot
    if same and target.place in OPEN_KINDS:
        return True
    came = source is not None and source.place in OPEN_KINDS
    return came and same_place(target) == same_place(place)
