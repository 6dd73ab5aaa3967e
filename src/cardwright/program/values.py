"""What values the forms of a program can have, and which locations they can name.

All answers are conservative: bounds may be too wide, and None means unknown.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.program import integers
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between, applied
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.program import Program

LONGEST = 1 << 20
"""No collection has more items than this; sums over collections are bounded by it."""

_ALL_KINDS = frozenset(LocationKind)
_HOLDING = {ValueKind.CARD, ValueKind.LOCATION, ValueKind.LOCATIONS}
_FEW = 64
"""Most values that an integer or a string is tracked for."""

_MOST_STEP = 1 << 12
_DRIFT = 1 << 60
"""How far a stored integer can go by additions of at most `_MOST_STEP`: further would take days of
nothing else, even at a billion of them a second."""


_ANYTHING = "it can be any integer of the language"
_OWNER = "an owner is neither a bounded value nor a location"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never analysed",
    n.Action: "it gives no value",
    n.Control: "it gives no value",
    n.Award: "it is handled where a point map is bounded",
    n.Condition: "conditions are only asked whether they may fail",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.Total: _ANYTHING,
    n.Table: _OWNER,
    n.TurnOwner: _OWNER,
    n.Numbered: _OWNER,
    n.OwnerOf: _OWNER,
    n.TeamOf: _OWNER,
    n.Everyone: _OWNER,
    n.Range: "its items are bounded where a variable iterates over them",
}
"""The classes of nodes about which nothing is known, with the reason; that is always safe."""


class Values:
    """What values the forms of one program can have."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.binders: dict[int, n.Node] = {}
        self.points_sites: list[n.SetPoints] = []
        for node in program.nodes():
            if (variable := n.binds(node)) is not None:
                self.binders[variable.slot] = node
            if isinstance(node, n.SetPoints):
                self.points_sites.append(node)
        self._bounding: set[int] = set()
        self._follows = True
        self._stored: dict[tuple[str, ...] | None, Between] = {}

    def bounds(self, node: n.Node) -> Between:
        """Return bounds of an integer form."""
        match node:
            case n.Storage(storage=n.StorageKind.INTEGER) if self._follows:
                return self.stored_bounds(self.strings(node.name))
            case n.Number(value=value):
                return Between(value, value)
            case n.Variable(slot=slot):
                return self._variable_bounds(self.binders[slot])
            case n.Size():
                return Between(0, LONGEST)
            case n.NumberOf():
                return Between(0, self.program.players + 1)
            case n.Arithmetic():
                return self.arithmetic_bounds(node) or ANY_INTEGER
            case n.Random(low=low, high=high):
                first = Between(0, 0) if high is None else self.bounds(low)
                return Between(first.low, max(first.low, self.bounds(high or low).high))
            case n.Score() | n.Sum() | n.ExtremeScore():
                worth = self.points_bound(node.points)
                if worth is None:
                    return ANY_INTEGER
                if isinstance(node, n.ExtremeScore):
                    return Between(min(-worth, -1), max(worth, 2**31 - 1))
                times = LONGEST if isinstance(node, n.Sum) else 1
                return Between(-worth * times, worth * times)
        return ANY_INTEGER

    def item_bounds(self, binder: n.ForEach) -> Between:
        """Return bounds of the items of a loop over integers."""
        return self._variable_bounds(binder)

    def _variable_bounds(self, binder: n.Node) -> Between:
        if isinstance(binder, n.Let):
            return self.bounds(binder.value)
        collection = n.unfiltered(getattr(binder, "collection", binder))
        if isinstance(collection, n.Range):
            first, last = self.bounds(collection.low).low, self.bounds(collection.high).high
            return Between(first, max(first, last))  # of no values at all, any bounds hold
        return ANY_INTEGER

    def arithmetic_bounds(self, node: n.Arithmetic) -> Between | None:
        """Return the bounds of a sum, difference, product or remainder; None if it may fail."""
        first, *rest = map(self.bounds, node.operands)
        for operand in rest:
            found = applied(node.operator, first, operand)
            if found is None or not found.fits:
                return None
            first = found
        return first

    def points_bound(self, storage: n.Node) -> int | None:
        """Return a bound on any card's points under a point map; None if it may exceed 64 bits."""
        worst = 0
        for site in self.sites_of(storage):
            if id(site) in self._bounding:
                return None  # its points are computed from its own map
            self._bounding.add(id(site))
            total = 0
            for award in site.awards:
                assert isinstance(award, n.Award)
                total += max(map(abs, self.bounds(award.points)))
            self._bounding.remove(id(site))
            worst = max(worst, total)
        return worst if worst * LONGEST <= integers.LARGEST else None

    def sites_of(self, storage: n.Node) -> list[n.SetPoints]:
        """Return the forms that may have set a point map."""
        assert isinstance(storage, n.Storage)
        return [site for site in self.points_sites if self._same_name(site.storage, storage)]

    def _same_name(self, one: n.Node, other: n.Node) -> bool:
        assert isinstance(one, n.Storage)
        assert isinstance(other, n.Storage)
        left, right = self.strings(one.name), self.strings(other.name)
        return left is None or right is None or bool(set(left) & set(right))

    def stored_bounds(self, names: tuple[str, ...] | None) -> Between:
        """Return bounds of the integers stored under some names, by what is ever put there.

        What is put there is bounded without looking at other stored integers.
        """
        if names not in self._stored:
            with self._without_stored():
                self._stored[names] = self._written(names)
        return self._stored[names]

    def _written(self, names: tuple[str, ...] | None) -> Between:
        found, down, up = Between(0, 0), False, False
        for node in self.program.nodes():
            match node:
                case n.Set(storage=n.Storage() as storage, value=value):
                    added = Between(0, 0)
                case n.Increase(storage=n.Storage() as storage, amount=value, sign=sign):
                    added = Between(1, 1) if value is None else self.bounds(value)
                    added = added if sign > 0 else Between(-added.high, -added.low)
                case _:
                    continue
            if storage.storage is not n.StorageKind.INTEGER or not self._may_be(storage, names):
                continue
            if isinstance(node, n.Set):
                put = self.bounds(node.value)
                found = Between(min(found.low, put.low), max(found.high, put.high))
            down, up = down or added.low < 0, up or added.high > 0
            if max(map(abs, added)) > _MOST_STEP or max(map(abs, found)) > _DRIFT:
                return ANY_INTEGER
        return Between(found.low - _DRIFT * down, found.high + _DRIFT * up)

    def _may_be(self, storage: n.Storage, names: tuple[str, ...] | None) -> bool:
        own = self.strings(storage.name)
        return own is None or names is None or bool(set(own) & set(names))

    @contextmanager
    def _without_stored(self) -> Iterator[None]:
        """Take a stored integer for any integer."""
        before, self._follows = self._follows, False
        yield
        self._follows = before

    def integers(self, node: n.Node) -> tuple[int, ...] | None:
        """Return the values that an integer form can have, if they are few and known.

        Nothing is known of stored integers here: a place with such an index is found in play.
        """
        with self._without_stored():
            low, high = self.bounds(node)
        return tuple(range(low, high + 1)) if high - low < _FEW else None

    def strings(self, node: n.Node) -> tuple[str, ...] | None:
        """Return the values that a string form can have, if they are known."""
        match node:
            case n.Text(value=value):
                return (value,)
            case n.Variable(slot=slot):
                binder = self.binders[slot]
                if isinstance(binder, n.Let):
                    return self.strings(binder.value)
                collection = n.unfiltered(getattr(binder, "collection", binder))
                return collection.values if isinstance(collection, n.Strings) else None
            case n.Attribute(key=n.Text(value=key)):
                values = dict.fromkeys(
                    [""] + [card.attributes.get(key, "") for card in self.program.cards]
                )
                return tuple(values)
        return None

    def stored_strings(self, name: str) -> tuple[str, ...] | None:
        """Return the strings that can ever be stored under a name, if they are known."""
        found: dict[str, None] = {}
        for node in self.program.nodes():
            match node:
                case n.Set(storage=n.Storage(storage=n.StorageKind.STRING) as storage, value=value):
                    if self._may_be(storage, (name,)):
                        values = self.strings(value)
                        if values is None:
                            return None
                        found |= dict.fromkeys(values)
        return tuple(found)

    def kinds(self, node: n.Node, *, moved: bool = False) -> frozenset[LocationKind]:
        """Return the kinds of location that a card or location form can name.

        `moved` says that a card in a variable may have moved since it was found.
        """
        match node:
            case n.Place(place=kind) | n.Indexed(place=kind):
                return frozenset((kind,))
            case n.Variable(slot=slot, kind=ValueKind.CARD):
                binder = self.binders[slot]
                moved |= isinstance(binder, n.Let) and _may_have_moved(binder.value)
                found = self._bound_kinds(binder)
                return _ALL_KINDS if moved or LocationKind.MEMORY in found else found
            case n.Variable(slot=slot):
                return self._bound_kinds(self.binders[slot])
            case n.Actual():
                return _ALL_KINDS
            case n.Combine(parts=parts) | n.Partition(parts=parts):
                return frozenset().union(*(self.kinds(part, moved=moved) for part in parts))
            case n.Filter(collection=inner) | n.EachLocation(location=inner):
                return self.kinds(inner, moved=moved)
            case n.Element(locations=inner):
                return self.kinds(inner, moved=moved)
            case (
                n.End(location=inner)
                | n.Position(location=inner)
                | n.BestCard(location=inner)
                | n.Sequence(location=inner)
                | n.EndRun(location=inner)
                | n.Sort(location=inner)
                | n.Subsets(location=inner)
                | n.Runs(location=inner)
                | n.Tuples(location=inner)
            ):
                found = self.kinds(inner, moved=moved)
                return _ALL_KINDS if moved and LocationKind.MEMORY in found else found
        return _ALL_KINDS

    def _bound_kinds(self, binder: n.Node) -> frozenset[LocationKind]:
        if isinstance(binder, n.Let):
            return self.kinds(binder.value)
        return self.kinds(binder.collection)  # type: ignore[attr-defined]

    def is_real(self, node: n.Node) -> bool:
        """Return whether a form names a real location, not a group of cards from several."""
        match node:
            case n.Place():
                return True
            case n.Variable(slot=slot):
                binder = self.binders[slot]
                if isinstance(binder, n.Let):
                    return self.is_real(binder.value)
                return self.real_members(binder.collection)  # type: ignore[attr-defined]
            case n.Element(locations=members):
                return self.real_members(members)
        return False

    def real_members(self, node: n.Node) -> bool:
        """Return whether the elements of a set of locations are real locations."""
        match node:
            case n.EachLocation(location=location):
                return self.is_real(location)
            case n.Indexed():
                return True
            case n.Filter(collection=collection):
                return self.real_members(collection)
            case n.Variable(slot=slot):
                binder = self.binders[slot]
                assert isinstance(binder, n.Let)
                return self.real_members(binder.value)
        return False

    def mentions(self, node: n.Node, slot: int) -> bool:
        """Return whether a form reads a variable."""
        return any(isinstance(one, n.Variable) and one.slot == slot for one in n.walk(node))


def _may_have_moved(card: n.Node) -> bool:
    """Return whether a card may lie elsewhere by now than where its form says it was found."""
    return any(isinstance(one, n.Variable) and one.kind in _HOLDING for one in n.walk(card))
