"""Slots: where a state keeps the real locations of a game.

A location whose sort of owner, name and index are known before the game has a slot of its own, so
that finding it costs an addition at most. The others take slots from a pool as they get cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_COMPUTED

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.program.values import Values

_MOST_FIXED = 1_024
"""Most fixed slots; forms that would need more use the pool."""

KINDS = tuple(LocationKind)


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


def sort_of(owner: n.Node, program: Program) -> OwnerRange:
    """Return which sort of owners a form can give."""
    if isinstance(owner, n.Table):
        return OwnerRange(program.table, 1)
    if owner.kind is ValueKind.TEAM:
        return OwnerRange(program.players, len(program.teams))
    return OwnerRange(0, program.players)


@dataclass(frozen=True)
class Places:
    """The slots of a program: families with their first slots, and the size of the pool.

    `indexed` are the kinds and names that the form `indexed` lists; the name is None if it is
    computed. Such locations are never forgotten.
    """

    bases: dict[LocationFamily, int]
    fixed: int
    pool: int
    locations: tuple[Location, ...]
    indexed: frozenset[tuple[LocationKind, str | None]]

    @cached_property
    def fixed_locations(self) -> frozenset[Location]:
        """The locations that have slots of their own."""
        return frozenset(self.locations)

    def lists(self, location: Location) -> bool:
        """Return whether `indexed` may list a location."""
        return not self.indexed.isdisjoint({(location.kind, location.name), (location.kind, None)})

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
    indexed: set[tuple[LocationKind, str | None]] = set()
    pooled = False
    for node in facts.program.nodes():
        if isinstance(node, n.Indexed):
            indexed.add((node.place, node.name.value if isinstance(node.name, n.Text) else None))
        if isinstance(node, n.Place):
            families = families_of(node, facts)
            if families is None or len(locations) > _MOST_FIXED:
                pooled = True
                continue
            for family in families:
                if family not in bases:
                    bases[family] = len(locations)
                    locations += [
                        Location(OwnerId(owner), family.kind, family.name, family.at)
                        for owner in range(family.sort.first, sum(family.sort))
                    ]
    pool = MOST_COMPUTED if pooled else 0
    return Places(bases, len(locations), pool, tuple(locations), frozenset(indexed))
