"""What values the forms of a program can have, and which locations they can name.

All answers are safe: bounds may be too wide, and what is not known is None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import integers
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import Kind

if TYPE_CHECKING:
    from cardwright.program.program import Program

LONGEST = 1 << 20
"""No collection has more items than this; sums over collections are bounded by it."""

_FULL = (integers.SMALLEST, integers.LARGEST)
_ALL_KINDS = frozenset(LocationKind)
_FEW = 64
"""Most values that an integer or a string is tracked for."""


class Values:
    """What the forms of one program can be."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.binders: dict[int, n.Node] = {}
        self.points_sites: list[n.SetPoints] = []
        for node in program.nodes():
            variable = getattr(node, "variable", None)
            if isinstance(variable, n.Variable):
                self.binders[variable.slot] = node
            if isinstance(node, n.SetPoints):
                self.points_sites.append(node)
        self._bounding: set[int] = set()

    def bounds(self, node: n.Node) -> tuple[int, int]:
        """Return bounds of an integer form."""
        match node:
            case n.Number(value=value):
                return value, value
            case n.Variable(slot=slot):
                return self._variable_bounds(self.binders[slot])
            case n.Size():
                return 0, LONGEST
            case n.NumberOf():
                return 0, self.program.players + 1
            case n.Arithmetic():
                return self.arithmetic_bounds(node) or _FULL
            case n.Random(low=low, high=high):
                first, last = self.bounds(low), self.bounds(high or low)
                return (0, max(0, first[1])) if high is None else (first[0], max(first[0], last[1]))
            case n.Score() | n.Sum() | n.ExtremeScore():
                worth = self.points_bound(node.points)
                if worth is None:
                    return _FULL
                if isinstance(node, n.ExtremeScore):
                    return min(-worth, -1), max(worth, 2**31 - 1)
                times = LONGEST if isinstance(node, n.Sum) else 1
                return -worth * times, worth * times
        return _FULL

    def _variable_bounds(self, binder: n.Node) -> tuple[int, int]:
        collection = getattr(binder, "collection", None)
        if isinstance(binder, n.Let):
            return self.bounds(binder.value)
        while isinstance(collection, n.Filter):
            collection = collection.collection
        if isinstance(collection, n.Range):
            first, last = self.bounds(collection.low)[0], self.bounds(collection.high)[1]
            return first, max(first, last)  # of nothing, anything may be said
        return _FULL

    def arithmetic_bounds(self, node: n.Arithmetic) -> tuple[int, int] | None:
        """Return the bounds of a sum, difference, product or remainder; None if it may fail."""
        low, high = self.bounds(node.operands[0])
        for operand in node.operands[1:]:
            other_low, other_high = self.bounds(operand)
            match node.operator:
                case n.Operator.ADD:
                    low, high = low + other_low, high + other_high
                case n.Operator.SUBTRACT:
                    low, high = low - other_high, high - other_low
                case n.Operator.MULTIPLY:
                    corners = [a * b for a in (low, high) for b in (other_low, other_high)]
                    low, high = min(corners), max(corners)
                case n.Operator.REMAINDER | n.Operator.DIVIDE if other_low > 0:
                    if node.operator is n.Operator.REMAINDER:
                        low, high = (0 if low >= 0 else 1 - other_high), other_high - 1
                    else:
                        low, high = min(low, 0), max(high, 0)
                case _:
                    return None
            if low < integers.SMALLEST or high > integers.LARGEST:
                return None
        return low, high

    def points_bound(self, storage: n.Node) -> int | None:
        """Return a bound of any card's points under a point map; None if 64 bits are in doubt."""
        worst = 0
        for site in self.sites_of(storage):
            if id(site) in self._bounding:
                return None  # its points are worked out from its own map
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

    def integers(self, node: n.Node) -> tuple[int, ...] | None:
        """Return the values that an integer form can have, if they are few and known."""
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
                collection = getattr(binder, "collection", None)
                while isinstance(collection, n.Filter):
                    collection = collection.collection
                return collection.values if isinstance(collection, n.Strings) else None
            case n.Attribute(key=n.Text(value=key)):
                values = dict.fromkeys(
                    [""] + [card.attributes.get(key, "") for card in self.program.cards]
                )
                return tuple(values)
        return None

    def kinds(self, node: n.Node, *, moved: bool = False) -> frozenset[LocationKind]:
        """Return the kinds of location that a card or location form can name.

        `moved` says that a card in a variable may have gone elsewhere since it was found.
        """
        match node:
            case n.Place(place=kind) | n.Indexed(place=kind):
                return frozenset((kind,))
            case n.Variable(slot=slot, kind=Kind.CARD):
                found = self._bound_kinds(self.binders[slot])
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
        found = self.kinds(node.location, moved=moved)  # type: ignore[attr-defined]
        return _ALL_KINDS if moved and LocationKind.MEMORY in found else found

    def _bound_kinds(self, binder: n.Node) -> frozenset[LocationKind]:
        if isinstance(binder, n.Let):
            return self.kinds(binder.value)
        return self.kinds(binder.collection)  # type: ignore[attr-defined]

    def is_real(self, node: n.Node) -> bool:
        """Say whether a location form names a real location, not a group of cards from several."""
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
        """Say whether the elements of a set of locations are real locations."""
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
        """Say whether a form reads a variable."""
        return any(isinstance(one, n.Variable) and one.slot == slot for one in n.walk(node))
