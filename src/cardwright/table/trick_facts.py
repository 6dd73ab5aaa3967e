"""What the rules of a game say of its tricks, as far as claims need it.

It is read from the program: a trick goes to the best card of a map of points, and what it brings is
a sum over its cards, or the same for all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.constants import NotConstantError, truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.program import Program

TRICK = "TRICK"
"""What the library's games call the place of a seat's card in a trick."""

HAND = "HAND"
"""What the library's games call a hand, also one that lies open."""


class _Write(NamedTuple):
    """A value that the rules store: its name, on what it depends, and where."""

    name: str
    value: n.Node | None
    guards: tuple[n.Node, ...]
    """The conditions under which it is stored."""
    by_trick: bool
    """Whether that depends on the cards of a trick otherwise than by a sum."""
    in_tricks: bool
    """Whether it may be stored while tricks are played."""

    @property
    def parts(self) -> tuple[n.Node, ...]:
        """All on which it depends."""
        return self.guards if self.value is None else (self.value, *self.guards)


@dataclass(frozen=True)
class TrickFacts:
    """What a program says of tricks.

    `best_wins`: the best card by points wins, in all tricks by the same points. `adds_up`: what a
    trick brings is the same for all of them, or a sum over its cards. `worth` names the maps of
    points by which cards that are won count; None if they may count otherwise. `draws`: cards may
    come to hands while tricks are played.
    """

    best_wins: bool
    adds_up: bool
    worth: frozenset[str] | None
    draws: bool

    @classmethod
    def of(cls, program: Program) -> TrickFacts:
        """Return what the rules of a program are like."""
        reader = _TrickReader()
        for item in program.items:
            reader.read(item, _FormPlace())
        relevant = _behind({*_names(program.score, n.Storage)}, reader.writes)
        writes = [one for one in reader.writes if one.name in relevant]
        adds_up = not any(one.by_trick or _reads_order(one.parts) for one in writes)
        worth = _worth(program, reader, writes) if adds_up else None
        return cls(_best_wins(reader), adds_up, worth, reader.draws)


class _FormPlace(NamedTuple):
    """Where a form stands: see `_Write`."""

    guards: tuple[n.Node, ...] = ()
    bound: frozenset[int] = frozenset()
    """The variables that are cards of a trick, or come from them."""
    whole: frozenset[int] = frozenset()
    """Those that are all cards of a trick."""
    by_trick: bool = False
    in_tricks: bool = False
    ends_trick: bool = False
    """Whether it is done between tricks, and not within one."""

    def under(self, guard: n.Node) -> _FormPlace:
        """Return where something stands that is done under a condition."""
        by = self.by_trick or _of_trick(guard, self.bound)
        return self._replace(guards=(*self.guards, guard), by_trick=by)


class _TrickReader:
    """Reads what is stored outside of choices, and how the next player is found.

    `leaders` are how the next player is found when a trick is over, and `won` the places to
    which cards of tricks go.
    """

    def __init__(self) -> None:
        self.writes: list[_Write] = []
        self.leaders: list[tuple[n.Node, _FormPlace]] = []
        self.won: set[str] = set()
        self.draws = False

    def read(self, node: n.Node, at: _FormPlace) -> None:
        """Read a form and all below it."""
        match node:
            case n.Choice():
                return
            case n.Stage(items=items):
                plays = _plays_tricks(node)
                self.draws = self.draws or (plays and _draws(node))
                self._all(items, at._replace(in_tricks=at.in_tricks or plays, ends_trick=plays))
            case n.When(test=test, body=body):
                if _known(test) is not False:
                    self.read(body, at.under(test))
            case n.Fork(test=test, item=item, otherwise=otherwise):
                ways = {True: (item,), False: (otherwise,), None: (item, otherwise)}[_known(test)]
                self._all(ways, at.under(test))
            case n.Let(value=value, variable=variable, body=body):
                if _of_trick(value, at.bound):
                    parts = isinstance(value, n.Combine) and not _filters(value)
                    whole = at.whole | {variable.slot} if parts else at.whole - {variable.slot}
                    at = at._replace(bound=at.bound | {variable.slot}, whole=whole)
                self.read(body, at)
            case n.ForEach(collection=collection, variable=variable, body=body):
                if _of_trick(collection, at.bound):
                    at = at.under(collection)
                    at = at._replace(bound=at.bound | {variable.slot})
                self.read(body, at)
            case n.Set(storage=storage, value=value):
                self._write(storage, value, at, by=_of_trick(value, at.bound))
            case n.SetPoints(storage=storage):
                self._write(storage, node, at, by=False)
            case n.Increase(storage=storage, amount=amount):
                by = amount is not None and _of_trick(amount, at.bound)
                self._write(storage, amount, at, by=by and not _whole_sum(amount))
            case n.Move(card=card, target=target):
                if _of_trick(card, at.bound):
                    self.won.update(_names(target, n.Place))
            case n.Cycle(player=player, queue=True):
                if at.ends_trick:
                    self.leaders.append((player, at))
            case _:
                self._all(n.children(node), at)

    def _all(self, nodes: Iterable[n.Node | None], at: _FormPlace) -> None:
        for node in nodes:
            if node is not None:
                self.read(node, at)

    def _write(self, storage: n.Node, value: n.Node | None, at: _FormPlace, *, by: bool) -> None:
        (name,) = _names(storage, n.Storage, deep=False)
        self.writes.append(_Write(name, value, at.guards, at.by_trick or by, at.in_tricks))


def _known(test: n.Node) -> bool | None:
    """Return whether a condition holds, if that is known before the game."""
    try:
        return truth(test)
    except NotConstantError:
        return None


def _of_trick(node: n.Node, bound: frozenset[int]) -> bool:
    """Return whether a form is about cards of a trick."""
    return any(
        TRICK in _names(one, n.Place, deep=False)
        if isinstance(one, n.Place)
        else isinstance(one, n.Variable) and one.slot in bound
        for one in n.walk(node)
    )


def _names(node: n.Node, kind: type[n.Place | n.Storage], *, deep: bool = True) -> tuple[str, ...]:
    """Return the names of places or stored values in a form; an empty one for a computed name."""
    found = n.walk(node) if deep else (node,)
    return tuple(
        one.name.value if isinstance(one.name, n.Text) else ""
        for one in found
        if isinstance(one, kind)
    )


def _plays_tricks(stage: n.Stage) -> bool:
    """Return whether a turn of a stage is a trick: cards are laid to it, and taken."""

    def both(node: n.Node) -> bool:
        moves = [one for one in n.walk(node) if isinstance(one, n.Move)]
        laid = any(TRICK in _names(one.target, n.Place) for one in moves)
        return laid and any(_of_trick(one.card, frozenset()) for one in moves)

    inner = (one for one in n.walk(stage) if isinstance(one, n.Stage) and one is not stage)
    return both(stage) and not any(map(both, inner))


def _draws(stage: n.Stage) -> bool:
    """Return whether cards may come to hands in a stage."""
    moved = (
        place
        for one in n.walk(stage)
        if isinstance(one, n.Move | n.Swap)
        for place in n.walk(one.target if isinstance(one, n.Move) else one)
        if isinstance(place, n.Place)
    )
    return any(
        place.place is LocationKind.INVISIBLE or _names(place, n.Place, deep=False)[0] in {HAND, ""}
        for place in moved
    )


def _filters(node: n.Node) -> bool:
    """Return whether a form takes some of several cards only."""
    return any(isinstance(one, n.Filter | n.Position | n.End | n.Sequence) for one in n.walk(node))


def _whole_sum(amount: n.Node | None) -> bool:
    """Return whether an amount is a sum over all of some cards."""
    return isinstance(amount, n.Sum) and not _filters(amount)


def _best_wins(reader: _TrickReader) -> bool:
    """Return whether the owner of the best card of a trick is always the next to lead.

    Which cards are compared may depend on each card itself, but not on the others, and on nothing
    that changes from trick to trick but by what is led.
    """
    if not reader.leaders:
        return False
    names: set[str] = set()
    for player, at in reader.leaders:
        best = player.card if isinstance(player, n.OwnerOf) else None
        if not isinstance(best, n.BestCard) or not best.highest or at.by_trick:
            return False
        tests = [one.test for one in n.walk(best.location) if isinstance(one, n.Filter)]
        if not _all_of_trick(best.location, at) or any(map(_compares, tests)):
            return False
        names.update(_names(best.location, n.Storage), _names(best.points, n.Storage))
    behind = _behind(names, reader.writes)
    return not any(
        one.name in behind
        and one.in_tricks
        and not isinstance(one.value, n.SetPoints)
        and (one.by_trick or not isinstance(one.value, n.Text | n.Number))
        for one in reader.writes
    )


def _all_of_trick(location: n.Node, at: _FormPlace) -> bool:
    """Return whether cards are those of a whole trick, perhaps filtered."""
    while isinstance(location, n.Filter):
        location = location.collection
    if isinstance(location, n.Variable):
        return location.slot in at.whole
    return isinstance(location, n.Combine) and _of_trick(location, at.bound)


def _compares(test: n.Node) -> bool:
    """Return whether a condition on a card looks at others."""
    return any(isinstance(one, n.Place | n.Quantifier | n.Size) for one in n.walk(test))


def _behind(names: set[str], writes: Sequence[_Write]) -> set[str]:
    """Return the names of stored values on which those of some names depend, with these."""
    found = {*names, ""}
    while True:
        more = {
            name
            for one in writes
            if one.name in found
            for part in one.parts
            for name in _names(part, n.Storage)
        }
        if more <= found:
            return found
        found |= more


def _reads_order(parts: Sequence[n.Node]) -> bool:
    """Return whether values depend on the order in which cards lie somewhere."""
    kinds = n.End | n.Position | n.Sequence | n.EndRun | n.Runs | n.Tuples | n.Sort
    return any(isinstance(one, kinds) for part in parts for one in n.walk(part))


def _worth(
    program: Program, reader: _TrickReader, writes: Sequence[_Write]
) -> frozenset[str] | None:
    """Return the maps by which won cards count; None if they, or tricks, count otherwise."""
    places = {TRICK, *reader.won}
    maps: set[str] = set()
    for part in (program.score, *(part for one in writes for part in one.parts)):
        sums = [one for one in n.walk(part) if isinstance(one, n.Sum)]
        counted = sum(_names(one.location, n.Place).count(name) for one in sums for name in places)
        if counted != sum(_names(part, n.Place).count(name) for name in places):
            return None
        for one in sums:
            if places & {*_names(one.location, n.Place)}:
                maps.update(_names(one.points, n.Storage))
    per_trick = any(
        one.in_tricks and not any(places & {*_names(part, n.Place)} for part in one.parts)
        for one in writes
        if not isinstance(one.value, n.SetPoints)
    )
    made = Counter(one.name for one in reader.writes if isinstance(one.value, n.SetPoints))
    if per_trick or any(made[name] != 1 for name in maps):
        return None
    return frozenset(maps)
