"""Cards that more players see than an author may think, or fewer: memory, and what teams hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.lint.hidden import same_place
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint_shown(program: Program, report: Diagnostics) -> None:
    """Warn of hidden cards that are remembered in sight of all, and of what no team member sees."""
    _warn_of_teams(program, report)
    binders = {
        variable.slot: node for node in program.nodes() if (variable := n.binds(node)) is not None
    }
    for block in _blocks(program.items):
        within = list(n.walk(block))
        moves = [node for node in within if isinstance(node, n.Move)]
        for node in within:
            if isinstance(node, n.Remember):
                place = _lies_in(node.card, binders)
                if place is None or _is_open(place, program):
                    continue
                if any(_shows(move, node.card, place, binders) for move in moves):
                    continue
                report.add(
                    Code.SHOWN_BY_MEMORY,
                    node.card.span,
                    "everybody sees what is remembered, and this card lies where not everybody "
                    "sees it",
                    help="move it first to where all see it; if all may know it, say so: "
                    ";; allow W618: the reason",
                )


def _warn_of_teams(program: Program, report: Diagnostics) -> None:
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


def _lies_in(card: n.Node, binders: dict[int, n.Node]) -> n.Place | None:
    """Return the location in which a card lies, if it is named by its place alone."""
    match card:
        case n.Actual(card=inner):
            return _lies_in(inner, binders)
        case n.End(location=n.Place() as place) | n.Position(location=n.Place() as place):
            return place
        case n.Variable(slot=slot):
            binder = binders.get(slot)
            if isinstance(binder, n.Let):
                return _lies_in(binder.value, binders)
            source = n.unfiltered(getattr(binder, "collection", card))
            return source if isinstance(source, n.Place) else None
    return None


def _is_open(place: n.Place, program: Program) -> bool:
    alone = program.players == 1 and place.owner.kind is ValueKind.PLAYER
    return place.place in OPEN_KINDS or (alone and place.place is LocationKind.INVISIBLE)


def _shows(move: n.Move, card: n.Node, place: n.Place, binders: dict[int, n.Node]) -> bool:
    """Return whether a move lets all players see the card of a place, before or after it."""
    source = _lies_in(move.card, binders)
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
