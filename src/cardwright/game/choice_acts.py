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


_Way: TypeAlias = tuple[object, frozenset[object], frozenset[object]]
"""A sort of action, and the places between which it moves cards; none if they are not known."""


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
            notes[key] = NoteAct(known.picks | act.picks, known.written | {n.written(act.node)})
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


def places_of(node: n.Node, scope: Scope) -> list[n.Place]:
    """Return the places from which a card or a collection of cards may come; none if not known."""
    match node:
        case n.Place():
            return [node]
        case n.Variable(slot=slot) if slot in scope:
            return places_of(scope[slot].form, scope)
        case n.Actual(card=card):
            return places_of(card, scope)
    sources = [places_of(source, scope) for source in n.card_sources(node)]
    return [place for places in sources for place in places] if all(sources) else []


def alike(one: list[Act], other: list[Act]) -> bool:
    """Return whether two steps may move the same cards between the same places."""
    ways, others = _ways(one), _ways(other)
    return bool(ways) and _covered(ways, others) and _covered(others, ways)


def _ways(acts: list[Act]) -> list[_Way]:
    ways: list[_Way] = []
    for act in acts:
        match act.node:
            case n.Move(card=left, target=right) | n.Swap(left=left, right=right):
                sort = type(act.node), left.kind
                ways.append((sort, _ends(left, act.scope), _ends(right, act.scope)))
            case n.Shuffle(location=location):
                ways.append((n.Shuffle, _ends(location, act.scope), frozenset()))
    return ways


def _ends(node: n.Node, scope: Scope) -> frozenset[object]:
    return frozenset(map(n.written, places_of(node, scope)))


def _covered(ways: list[_Way], others: list[_Way]) -> bool:
    """Return whether each action has one of its sort that may share its sources and targets."""
    return all(
        any(
            way[0] == other[0]
            and all(not a or not b or a & b for a, b in zip(way[1:], other[1:], strict=True))
            for other in others
        )
        for way in ways
    )
