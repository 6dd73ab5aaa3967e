"""Deeds: what an option does, apart from what it picks.

Two branches do the same deed if they move cards in the same way, whatever they pick and whatever
they store beside it: to lead and to follow are one deed. A branch that moves no card does what it
stores. Notes beside a move count only where a description has to mention them, as
`cardwright.game.wording` finds out: where two branches that are offered together would do the same
with cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.choice_acts import NO_PICKS, acts_of, notes_of, places_of
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from cardwright.game.choice_acts import Act, Key

_MOVES = (n.Move, n.Swap, n.Shuffle)


class Deed(NamedTuple):
    """What a branch does: a key that is equal for equal deeds, and phrases in words."""

    key: Hashable
    phrases: tuple[str, ...]


def deed_of(step: n.Node, told: frozenset[Key], picks: Mapping[int, str]) -> Deed:
    """Return the deed of a branch of a choice.

    `told` are the notes that descriptions always mention; `picks` has a name for the variable of
    every `any`, by its slot, the same in branches that pick the same.
    """
    acts = list(acts_of(step, {}, NO_PICKS))
    moves = [act for act in acts if isinstance(act.node, _MOVES)]
    if moves:
        acts = [act for act in acts if act in moves or not told.isdisjoint(notes_of([act]))]
    bound = {**_bound(step), **picks}
    key = bool(moves), *(_canonical(act.node, bound) for act in acts)
    phrases = [_phrase(act) for act in acts]
    return Deed(key, tuple(dict.fromkeys(phrase for phrase in phrases if phrase)))


def _bound(step: n.Node) -> dict[int, n.Node | str]:
    """Return what the other variables of a step are bound to: a value, or each of some items."""
    return {
        node.variable.slot: node.value if isinstance(node, n.Let) else node.collection
        for node in n.walk(step)
        if isinstance(node, n.Let) or (isinstance(node, n.ForEach) and not node.choose)
    }


def _canonical(node: n.Node, bound: Mapping[int, n.Node | str]) -> Hashable:
    """Return a form as a value that does not depend on the names of variables."""
    if isinstance(node, n.Variable):
        meant = bound.get(node.slot, node.name)
        return meant if isinstance(meant, str) else ("bound", _canonical(meant, bound))
    parts = (_part(getattr(node, name), bound) for name in n.operands(node))
    return type(node).__name__, *parts


def _part(value: object, bound: Mapping[int, n.Node | str]) -> Hashable:
    if isinstance(value, n.Node):
        return _canonical(value, bound)
    if isinstance(value, tuple):
        return tuple(_part(item, bound) for item in value)
    return str(value)


# In words ---------------------------------------------------------------------------------


def _phrase(act: Act) -> str:
    match act.node:
        case n.Move(card=card, target=target):
            source = "" if isinstance(card, n.Variable) else _places(card, act)
            return f"{source} to {_places(target, act)}".strip()
        case n.Swap(left=left, right=right):
            return f"swap {_places(left, act)} and {_places(right, act)}"
        case n.Shuffle(location=location):
            return f"shuffle {_places(location, act)}"
        case n.Set(storage=n.Storage(name=name), value=value):
            return f"{_text(name)} {_text(value)}".strip()
        case n.Increase(storage=n.Storage(name=name), sign=sign):
            return f"{_text(name)} {'up' if sign > 0 else 'down'}"
        case n.Pass():
            return "pass"
    return type(act.node).__name__.lower()


def _places(node: n.Node, act: Act) -> str:
    names = [_text(place.name) for place in places_of(node, act.scope)]
    return "/".join(dict.fromkeys(name for name in names if name)) or "cards"


def _text(node: n.Node) -> str:
    if isinstance(node, n.Text | n.Number):
        return str(node.value)
    return ""
