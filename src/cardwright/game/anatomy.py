"""The parts of a program, for people: the attributes of its cards, and its locations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.cards import Card
    from cardwright.program.program import Program

_SEEN_BY = {
    LocationKind.VISIBLE: "everybody",
    LocationKind.INVISIBLE: "its owner",
    LocationKind.HIDDEN: "nobody",
    LocationKind.OTHERS: "all but its owner",
    LocationKind.MEMORY: "everybody (remembered cards)",
}
_UNSEEN = {
    ("game", LocationKind.INVISIBLE),
    ("game", LocationKind.OTHERS),
    ("team", LocationKind.INVISIBLE),
}
"""Owners and kinds of locations whose cards nobody sees, since only a player looks at its own."""

_COMPUTED = "(computed name)"


class PlaceFacts(NamedTuple):
    """A named location, or one for each player or team: its owner, and who sees its cards."""

    owner: str
    kind: str
    name: str
    indexed: bool
    seen_by: str

    def __str__(self) -> str:
        name = f"{self.name} N" if self.indexed else self.name
        return f"{self.owner} {self.kind} {name}: seen by {self.seen_by}"


def places_of(program: Program) -> list[PlaceFacts]:
    """Return the locations that a program names, in order of first use, the table's first."""
    found: dict[PlaceFacts, None] = {}
    for node in program.nodes():
        if isinstance(node, n.Place):
            owner = {ValueKind.PLAYER: "player", ValueKind.TEAM: "team"}.get(
                node.owner.kind, "game"
            )
            name = node.name.value if isinstance(node.name, n.Text) else _COMPUTED
            seen = "nobody" if (owner, node.place) in _UNSEEN else _SEEN_BY[node.place]
            indexed = node.index is not None
            found[PlaceFacts(owner, node.place.value, name, indexed, seen)] = None
    return sorted(found, key=lambda place: place.owner != "game")


def attributes_of(cards: Iterable[Card]) -> dict[str, list[str]]:
    """Return the attributes of some cards and the values of each, in order of first use."""
    found: dict[str, dict[str, None]] = {}
    for card in cards:
        for key, value in card.attributes.items():
            found.setdefault(key, {})[value] = None
    return {key: list(values) for key, values in found.items()}
