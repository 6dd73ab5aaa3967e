"""Which locations have an order, and where a state keeps them.

An order is a matter of the program's text: locations whose order it neither reads nor makes keep
their cards by number. This is a rule of the language, which decides what options come first and
which card a tied `max` draws; the language page has it under "The order of the cards".

A location whose sort of owner, name and index are known before the game has a slot of its own, so
that finding it costs an addition at most. The others take slots from a pool as they get cards.
Locations without an order come first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.constants import NotConstantError, integer
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_COMPUTED, MOST_UNORDERED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.program.effects import EffectAnalysis
    from cardwright.program.program import Program


class OwnerRange(NamedTuple):
    """A range of owners: the players, the teams or the table."""

    first: int
    size: int


class LocationFamily(NamedTuple):
    """The locations of one kind, name and index, of one sort of owner."""

    sort: OwnerRange
    kind: LocationKind
    name: str
    at: int

    def locations(self) -> Iterator[Location]:
        """Yield the location of each owner, by number."""
        for owner in range(self.sort.first, sum(self.sort)):
            yield Location(OwnerId(owner), self.kind, self.name, self.at)


def sort_of(owner: n.Node, program: Program) -> OwnerRange:
    """Return which sort of owners a form can give."""
    if isinstance(owner, n.Table):
        return OwnerRange(program.table, 1)
    if owner.kind is ValueKind.TEAM:
        return OwnerRange(program.players, len(program.teams))
    return OwnerRange(0, program.players)


_BY_PARTS = "it reads no order itself; its operands are looked at one by one"
_OTHERWISE = "it finds its cards by something else than the order"
_OWN_LIST = "it makes a list of its own"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never played",
    n.Condition: _BY_PARTS,
    n.Control: _BY_PARTS,
    n.Award: _BY_PARTS,
    **dict.fromkeys((n.Arithmetic, n.Triangle, n.Fibonacci, n.Random), _BY_PARTS),
    **dict.fromkeys((n.Size, n.Sum, n.ExtremeScore, n.Total, n.Score, n.Attribute), _BY_PARTS),
    **dict.fromkeys(n.CARDLESS, "it gives no cards"),
    **dict.fromkeys((n.Set, n.SetPoints, n.Increase, n.Cycle, n.Pass), _BY_PARTS),
    n.BestCard: _OTHERWISE,
    n.Actual: _BY_PARTS,
    n.Swap: "it makes no order that anything reads unless its operands do",
    **dict.fromkeys((n.Partition, n.Subsets, n.Runs, n.Tuples, n.Sort), _OWN_LIST),
}
"""The classes of nodes that give no location an order, with the reason."""


@dataclass(frozen=True)
class PlaceOrder:
    """The families without an order, as the program first names them; all others have one.

    Of `ends` only the top or the bottom is ever read, and several cards never come to them at once:
    they rarely have more than one card then.
    """

    unordered: tuple[LocationFamily, ...]
    ends: tuple[LocationFamily, ...]
    reasons: tuple[tuple[_Meant, n.Node], ...] = field(compare=False)
    """What has an order, each with a form of the program that is the reason."""

    def reason(self, family: LocationFamily) -> n.Node | None:
        """Return the first form for which a family has an order, or None if it has none.

        That is where its order is read or made, or where it is named in a way that is known only in
        play.
        """
        if not self.is_ordered(family):
            return None
        return next((form for meant, form in self.reasons if meant.covers(family)), None)

    def is_ordered(self, place: LocationFamily | Location) -> bool:
        """Return whether the cards of a family, or of a location, have an order of their own."""
        if isinstance(place, LocationFamily):
            return place not in self.unordered
        return place not in self._locations

    @cached_property
    def _locations(self) -> frozenset[Location]:
        return frozenset(location for family in self.unordered for location in family.locations())


class _Meant(NamedTuple):
    """What a form can name: None stands for any name, or any index."""

    sort: OwnerRange
    kind: LocationKind
    name: str | None
    at: int | None

    def covers(self, family: LocationFamily) -> bool:
        """Return whether a family is among what the form can name."""
        return (self.sort, self.kind) == (family.sort, family.kind) and (
            self.name in {None, family.name} and self.at in {None, family.at}
        )


def place_order(program: Program) -> PlaceOrder:
    """Return which families of locations of a program have an order."""
    named: dict[LocationFamily, None] = {}
    ordered: dict[_Meant, n.Node] = {}
    for node in program.nodes():
        if isinstance(node, n.Place | n.Indexed):
            meant = _meant(node, program)
            if meant.name is None or meant.at is None or meant.kind is LocationKind.MEMORY:
                ordered.setdefault(meant, node)
            else:
                named[LocationFamily(meant.sort, meant.kind, meant.name, meant.at)] = None
    ends: dict[_Meant, n.Node] = {}
    for location, form, whole in _read(program):
        for place in _places(location, program):
            (ordered if whole else ends).setdefault(_meant(place, program), form)
    unordered = _outside(named, {**ordered, **ends})
    reasons = (*ordered.items(), *ends.items())
    heaps = [_meant(place, program) for to in _heaps(program) for place in _places(to, program)]
    return PlaceOrder(unordered, _ends(program, named, (*ordered, *heaps), ends), reasons)


def _heaps(program: Program) -> Iterator[n.Node]:
    for node in program.nodes():
        match node.action if isinstance(node, n.Repeat | n.RepeatAll) else None:
            case n.Move(target=n.End(location=location)):
                yield location


def _outside(
    named: dict[LocationFamily, None], ordered: Iterable[_Meant]
) -> tuple[LocationFamily, ...]:
    """Return the families that are none of the ordered ones, unless they are too many."""
    left = tuple(
        family for family in named if not any(covering.covers(family) for covering in ordered)
    )
    return left if sum(family.sort.size for family in left) <= MOST_UNORDERED else ()


def _ends(
    program: Program,
    named: dict[LocationFamily, None],
    ordered: Iterable[_Meant],
    ends: Iterable[_Meant],
) -> tuple[LocationFamily, ...]:
    """Return the families of which only the ends are read, and that rarely have several cards.

    Nor may a card mark a place in them.
    """
    if any(
        isinstance(node, n.Swap)
        or (isinstance(node, n.Move) and not isinstance(node.target, n.End))
        for node in program.nodes()
    ):
        return ()
    outside = _outside(named, ordered)
    return tuple(family for family in outside if any(end.covers(family) for end in ends))


def _meant(node: n.Place | n.Indexed, program: Program) -> _Meant:
    """Return what a form names, as far as it is a literal once constants are replaced."""
    name = node.name.value if isinstance(node.name, n.Text) else None
    at: int | None = None
    if isinstance(node, n.Place):
        at = 0 if node.index is None else _known(node.index)
    return _Meant(sort_of(node.owner, program), node.place, name, at)


def _known(index: n.Node) -> int | None:
    try:
        return integer(index)
    except NotConstantError:
        return None


def _read(program: Program) -> Iterator[tuple[n.Node, n.Node, bool]]:
    """Yield each location whose cards' order is read or made, and the form that does it.

    With them comes whether that is more than one end of it.
    """
    spared = {id(end) for node in program.nodes() for end in _spared(node)}
    many = {
        id(node.action.card)
        for node in program.nodes()
        if isinstance(node, n.Repeat) and isinstance(node.action, n.Move | n.Forget)
    }
    for node in program.nodes():
        match node:
            case n.End(location=location):
                if id(node) not in spared:
                    yield location, node, id(node) in many
            case n.Position() | n.Sequence() | n.EndRun() | n.Shuffle():
                yield node.location, node, True


def _spared(node: n.Node) -> Iterator[n.Node]:
    """Yield the forms within an action that may be a `top` or `bottom` without reading an order.

    They are the target of a move, which says where to put the card if there is an order, and the
    top from which a `repeat all` takes all cards. Whoever takes them from the bottom instead wants
    to keep their order.
    """
    match node:
        case n.Move() | n.Remember():
            yield node.target
        case n.RepeatAll(action=n.Move() | n.Forget() as action):
            card = n.unwrapped(action.card)
            if isinstance(card, n.End) and card.top:
                yield card


def _places(location: n.Node, program: Program) -> Iterator[n.Place | n.Indexed]:
    """Yield the forms that name the locations whose order the cards of a form may have.

    Groups, subsets, runs, tuples and sorted cards are lists of their own.
    """
    match location:
        case n.Place() | n.Indexed():
            yield location
        case n.Variable():
            yield from _places(program.bound_to(location), program)
        case n.Filter() | n.EachLocation() | n.Element() | n.Sequence() | n.Combine():
            for source in n.card_sources(location):
                yield from _places(source, program)


_MOST_FIXED = 1_024
"""Most fixed slots of locations with an order; forms that would need more use the pool."""

KINDS = tuple(LocationKind)


def in_order(location: Location) -> tuple[int, int, str, int]:
    """Return a key for the order of locations: by owner, kind, name (alphabetically) and index."""
    owner, kind, name, at = location
    return owner, KINDS.index(kind), name, at


@dataclass(frozen=True)
class Places:
    """The slots of a program: families with their first slots, and the size of the pool.

    The first `unordered` slots are those of locations without an order; all others have one, and of
    the next `ends` only an end is ever read.
    `indexed` are the kinds and names that the form `indexed` lists; the name is None if it is
    computed. Such locations are never forgotten.
    """

    bases: dict[LocationFamily, int]
    unordered: int
    ends: int
    fixed: int
    pool: int
    locations: tuple[Location, ...]
    indexed: frozenset[tuple[LocationKind, str | None]]
    mentions: tuple[LocationFamily, ...]
    """The families with slots of their own as the program first names them."""

    @cached_property
    def in_text(self) -> tuple[Location, ...]:
        """The locations that have slots of their own as the program first names them."""
        return tuple(location for family in self.mentions for location in family.locations())

    @cached_property
    def fixed_locations(self) -> frozenset[Location]:
        """The locations that have slots of their own."""
        return frozenset(self.locations)

    def lists(self, location: Location) -> bool:
        """Return whether `indexed` may list a location."""
        return not self.indexed.isdisjoint({(location.kind, location.name), (location.kind, None)})

    @cached_property
    def born_in_play(self) -> frozenset[Location]:
        """The locations with slots of their own that `indexed` lists in the order of their birth.

        Their orders are known, for it makes them; one of another owner's may have the same name.
        """
        ordered = self.locations[self.unordered + self.ends :]
        return frozenset(family for family in ordered if self.lists(family))

    @cached_property
    def unordered_locations(self) -> frozenset[Location]:
        """The locations without an order."""
        return frozenset(self.locations[: self.unordered])

    @property
    def slots(self) -> int:
        """The number of slots; after the pool there is one that is always empty."""
        return self.fixed + (self.pool + 1 if self.pool else 0)


def families_of(place: n.Place, facts: EffectAnalysis) -> list[LocationFamily] | None:
    """Return the families that a form can name, names outermost; None if unknown."""
    names = facts.strings(place.name)
    indices = (0,) if place.index is None else facts.integers(place.index)
    if names is None or indices is None or len(names) * len(indices) > _MOST_FIXED:
        return None
    sort = sort_of(place.owner, facts.program)
    return [LocationFamily(sort, place.place, name, at) for name in names for at in indices]


def places(facts: EffectAnalysis) -> Places:
    """Return the slots of a program."""
    bases: dict[LocationFamily, int] = {}
    locations: list[Location] = []

    def add(family: LocationFamily) -> None:
        if family not in bases:
            bases[family] = len(locations)
            locations.extend(family.locations())

    order = place_order(facts.program)
    for family in order.unordered:
        add(family)
    unordered = len(locations)
    for family in order.ends:
        add(family)
    ends = len(locations) - unordered
    indexed: set[tuple[LocationKind, str | None]] = set()
    mentions: dict[LocationFamily, None] = {}
    pooled = False
    for node in facts.program.nodes():
        if isinstance(node, n.Indexed):
            indexed.add((node.place, node.name.value if isinstance(node.name, n.Text) else None))
        if isinstance(node, n.Place):
            families = families_of(node, facts)
            if families is None or len(locations) - unordered > _MOST_FIXED:
                pooled = pooled or families is None or any(one not in bases for one in families)
                continue
            for family in families:
                add(family)
                mentions[family] = None
    return Places(
        bases, unordered, ends, len(locations), MOST_COMPUTED if pooled else 0, tuple(locations),
        frozenset(indexed), tuple(mentions),
    )  # fmt: skip
