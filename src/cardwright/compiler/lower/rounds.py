"""Rounds: stages in which every player in turn puts one card into a place of its own.

Such a stage ends when all have one card there. If all begin without one, it ends after one turn of
each: that is known before, and no end has to be tested.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import const
from cardwright.compiler.ir import Op
from cardwright.compiler.lower import words
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily


@dataclass(frozen=True)
class Round:
    """A stage that is a round: the slot of the first player's place."""

    first: int


def of_stage(low: Lowering, stage: n.Stage) -> Round | None:
    """Return a stage as a round, or None if it is none."""
    choices = [item for item in stage.items if isinstance(item, n.Choice)]
    tested = _one_each(stage.end)
    if stage.team or len(choices) != 1 or tested is None:
        return None
    family = _family(low, tested)
    if family is None or not low.layout.forms.of(low.layout.places.bases[family]).masked:
        return None
    actions = [_leaf(branch) for branch in choices[0].steps]
    if any(not _plays_one(low, action, family) for action in actions):
        return None
    own = {id(action) for leaf in actions for action in _steps(leaf)}
    for item in stage.items:
        for node in n.walk(item):
            if id(node) not in own and _touches(low, node, family):
                return None
    return Round(low.layout.places.bases[family])


def is_begun(low: Lowering, found: Round) -> ir.Expr:
    """Return whether somebody already has a card in the round."""
    cards: ir.Expr = words.none(low.layout.mask)
    for seat in range(low.program.players):
        own = low.board.load("mask", const(found.first + seat), part=f"/{found.first}")
        cards = ir.Binary(Op.OR, cards, own)
    return words.is_some(low.b.let(cards, "cards"))


def _one_each(end: n.Node) -> n.Place | None:
    """Return the place of which a test says that it has one card for each player."""
    match end:
        case n.Quantifier(
            every=True,
            collection=n.Everyone(others=False, kind=ValueKind.PLAYERS),
            variable=n.Variable(slot=slot),
            test=n.Equal(
                negated=False,
                left=n.Size(collection=n.Place(owner=n.Variable(slot=owner)) as place),
                right=n.Number(value=1),
            ),
        ) if slot == owner:
            return place
    return None


def _family(low: Lowering, place: n.Place) -> LocationFamily | None:
    found = families_of(place, low.analysis)
    if found is None or len(found) != 1 or found[0] not in low.layout.places.bases:
        return None
    return found[0]


def _leaf(branch: n.Node) -> n.Node:
    """Return what a branch does once its tests and its picks are passed."""
    node = branch
    while True:
        match node:
            case n.When(body=body) | n.Let(body=body):
                node = body
            case n.ForEach(choose=True, body=body):
                node = body
            case n.Do(steps=(body,)):
                node = body
            case _:
                return node


def _steps(leaf: n.Node) -> tuple[n.Node, ...]:
    return leaf.steps if isinstance(leaf, n.Do) else (leaf,)


def _plays_one(low: Lowering, leaf: n.Node, family: LocationFamily) -> bool:
    """Return whether actions put exactly one card into the current player's place, and no more."""
    played = 0
    for step in _steps(leaf):
        match step:
            case n.Move(
                card=card,
                target=n.End(location=n.Place(owner=n.TurnOwner(turn=n.Turn.CURRENT)) as place),
            ) if _family(low, place) == family:
                if not _elsewhere(low, card, family):
                    return False
                played += 1
            case _:
                if any(_touches(low, node, family) for node in n.walk(step)):
                    return False
    return played == 1


def _touches(low: Lowering, node: n.Node, family: LocationFamily) -> bool:
    """Return whether a form may change a place of a family, or whose turn it is."""
    match node:
        case n.Cycle() | n.Stage() | n.Swap() | n.Shuffle() | n.Repeat() | n.RepeatAll():
            return True
        case n.Move(card=n.Variable()):
            return True  # it may lie anywhere by now
        case n.Move(card=card, target=target):
            return not all(_elsewhere(low, one, family) for one in (card, target))
    return False


def _elsewhere(low: Lowering, node: n.Node, family: LocationFamily) -> bool:
    """Return whether the card or the place that a form names is surely of another family."""
    match node:
        case n.Variable(slot=slot):
            binder = low.analysis.binders[slot]
            if isinstance(binder, n.Let):
                return _elsewhere(low, binder.value, family)
            return _elsewhere(low, binder.collection, family)  # type: ignore[attr-defined]
        case n.End(location=inner) | n.BestCard(location=inner) | n.Filter(collection=inner):
            return _elsewhere(low, inner, family)
        case n.Place():
            return (found := _family(low, node)) is not None and found != family
    return False
