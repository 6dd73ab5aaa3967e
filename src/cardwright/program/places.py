"""Slots: where a state keeps the real locations of a game.

A location whose sort of owner, name and index are known before the game has a slot of its own, so
that finding it costs an addition at most. The others take slots from a pool as they get cards.
Locations without an order come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind
from cardwright.program.families import LocationFamily, sort_of
from cardwright.program.limits import MOST_COMPUTED
from cardwright.program.order import place_order

if TYPE_CHECKING:
    from cardwright.program.values import Values

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
        return tuple(one for family in self.mentions for one in family.locations())

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
        return frozenset(one for one in ordered if self.lists(one))

    @cached_property
    def unordered_locations(self) -> frozenset[Location]:
        """The locations without an order."""
        return frozenset(self.locations[: self.unordered])

    @property
    def slots(self) -> int:
        """The number of slots; after the pool there is one that is always empty."""
        return self.fixed + (self.pool + 1 if self.pool else 0)


def families_of(place: n.Place, facts: Values) -> list[LocationFamily] | None:
    """Return the families that a form can name, names outermost; None if unknown."""
    names = facts.strings(place.name)
    indices = (0,) if place.index is None else facts.integers(place.index)
    if names is None or indices is None or len(names) * len(indices) > _MOST_FIXED:
        return None
    sort = sort_of(place.owner, facts.program)
    return [LocationFamily(sort, place.place, name, at) for name in names for at in indices]


def places(facts: Values) -> Places:
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
