"""Analysis of the steps of a choice: what they do, and which picks decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Key: TypeAlias = tuple[str, str | None]
"""The subject of a note: its sort, and the name of what is stored; None for any or for none."""

Picks: TypeAlias = frozenset[int]
"""The `any` forms of a choice, by identity: its nodes live as long as the program."""

NO_PICKS: Picks = frozenset()

_STORAGES = {
    n.StorageKind.INTEGER: "integers",
    n.StorageKind.STRING: "strings",
    n.StorageKind.POINTS: "points",
}


class _Bound(NamedTuple):
    """A variable in scope: the form it denotes, and the picks that decide its value."""

    form: n.Node
    picks: Picks


Scope: TypeAlias = "Mapping[int, _Bound]"
"""The variables in scope, by their slots."""


class Act(NamedTuple):
    """An action within a step of a choice, with the picks that decide what it does."""

    node: n.Node
    scope: Scope
    picks: Picks


class NoteAct(NamedTuple):
    """What is known about a note: the picks that decide it, and its text."""

    picks: Picks
    written: frozenset[object]


_MOVED = "what it does with cards is shown by the cards themselves"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never played",
    n.Expression: "it does nothing; which picks decide it is found by its variables",
    n.Award: "it is a part of a point map",
    n.Choice: "no step of a choice has one in it",
    n.Stage: "no step of a choice has one in it",
    n.Fork: "no step of a choice has one in it",
    n.Move: _MOVED,
    n.Swap: _MOVED,
    n.Shuffle: _MOVED,
}
"""The classes of nodes that make no note of an option, with the reason."""


def acts_of(node: n.Node, scope: Scope, under: Picks) -> Iterator[Act]:
    """Yield the actions of a step in order; `under` are the picks that decide if they happen."""
    match node:
        case n.ForEach(collection=collection, variable=variable, body=body, choose=choose):
            deciding = _deciding(collection, scope)
            mine = frozenset({id(node)}) if choose else deciding
            inner = {**scope, variable.slot: _Bound(collection, mine)}
            yield from acts_of(body, inner, under if choose else under | deciding)
        case n.Let(value=value, variable=variable, body=body):
            bound = _Bound(value, _deciding(value, scope))
            yield from acts_of(body, {**scope, variable.slot: bound}, under)
        case n.When(test=test, body=body):
            yield from acts_of(body, scope, under | _deciding(test, scope))
        case n.Do(steps=steps):
            for step in steps:
                yield from acts_of(step, scope, under)
        case n.Repeat(count=count, action=action):
            yield from acts_of(action, scope, under | _deciding(count, scope))
        case n.RepeatAll(action=action):
            yield from acts_of(action, scope, under)
        case _:
            yield Act(node, scope, under | _deciding(node, scope))


def _deciding(node: n.Node, scope: Scope) -> Picks:
    """Return the picks that decide the value of a form."""
    used = (inner.slot for inner in n.walk(node) if isinstance(inner, n.Variable))
    return NO_PICKS.union(*(scope[slot].picks for slot in used if slot in scope))


def notes_of(acts: list[Act]) -> dict[Key, NoteAct]:
    """Return the notes of a step by their subjects."""
    notes: dict[Key, NoteAct] = {}
    for act in acts:
        if (key := _key(act.node)) is not None:
            known = notes.get(key, NoteAct(NO_PICKS, frozenset()))
            notes[key] = NoteAct(known.picks | act.picks, known.written | {written(act.node)})
    return notes


def _key(node: n.Node) -> Key | None:
    """Return the subject of an action's note; None for an action on cards."""
    match node:
        case (
            n.Set(storage=n.Storage() as storage)
            | n.SetPoints(storage=n.Storage() as storage)
            | n.Increase(storage=n.Storage() as storage)
        ):
            return _STORAGES[storage.storage], _name(storage.name)
        case n.Remember(target=target):
            names = {_name(place.name) for place in places_of(target, {})}
            return "remembered", names.pop() if len(names) == 1 else None
        case n.Forget():
            return "forgot", None
        case n.Cycle(queue=queue):
            return "follows" if queue else "current", None
        case n.Pass():
            return "passed", None
    return None


def _name(node: n.Node) -> str | None:
    return node.value if isinstance(node, n.Text) else None


def written(node: n.Node) -> object:
    """Return a form as a value that is equal for equal texts, anywhere in the source."""
    if isinstance(node, n.Variable):
        return node.name
    return type(node), *(_part(getattr(node, name)) for name in n.operands(node))


def _part(value: object) -> object:
    if isinstance(value, n.Node):
        return written(value)
    return tuple(map(_part, value)) if isinstance(value, tuple) else value


def places_of(node: n.Node, scope: Scope) -> list[n.Place]:
    """Return the places from which a card or a collection of cards may come; none if not known."""
    match node:
        case n.Place():
            return [node]
        case n.Variable(slot=slot) if slot in scope:
            return places_of(scope[slot].form, scope)
    parts = [
        part
        for name in ("card", "location", "locations", "collection", "parts")
        for part in _as_tuple(getattr(node, name, ()))
    ]
    found = [places_of(part, scope) for part in parts]
    return [place for places in found for place in places] if all(found) else []


def _as_tuple(value: n.Node | tuple[n.Node, ...]) -> tuple[n.Node, ...]:
    return value if isinstance(value, tuple) else (value,)
