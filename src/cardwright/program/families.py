"""Families of locations: those of one kind, name and index that a whole sort of owners has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

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
