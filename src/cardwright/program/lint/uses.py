"""Which storages and locations a program fills, and which it reads."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.traits import StatePart
from cardwright.syntax.diagnostic import rewritten

if TYPE_CHECKING:
    from cardwright.program.kinds import ValueKind
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Edit

Kept: TypeAlias = "n.Storage | n.Place"
"""A form that names a storage or a location."""


class StorageFamily(NamedTuple):
    """Names that share a namespace: of one sort of owner and one sort of storage."""

    owner: ValueKind
    word: str

    @property
    def holds_cards(self) -> bool:
        """Whether these are locations."""
        return self.word not in {"sto", "str", "points"}


Places: TypeAlias = dict[tuple[StorageFamily, str], list[Kept]]


@dataclass
class Uses:
    """Where each name is filled and where it is read, and the families with computed names.

    `values` has what is stored under each name. `unknown` says that something whose name is not
    known may be filled.
    """

    filled: Places = field(default_factory=lambda: defaultdict(list))
    read: Places = field(default_factory=lambda: defaultdict(list))
    values: dict[tuple[StorageFamily, str], list[n.Node]] = field(
        default_factory=lambda: defaultdict(list)
    )
    filled_open: set[StorageFamily] = field(default_factory=set)
    read_open: set[StorageFamily] = field(default_factory=set)
    unknown: bool = False

    def fill(self, node: Kept) -> None:
        """Record that something is put there."""
        if isinstance(node.name, n.Text):
            self.filled[family_of(node), node.name.value].append(node)
        else:
            self.filled_open.add(family_of(node))

    def look(self, node: Kept) -> None:
        """Record that something is read there."""
        if isinstance(node.name, n.Text):
            self.read[family_of(node), node.name.value].append(node)
        else:
            self.read_open.add(family_of(node))


@dataclass(frozen=True)
class StoredString:
    """How a string that is stored under a name is written; nothing if none is."""

    name: str
    texts: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """What to write instead of the name alone."""
        return f"{self.name} is the name of a storage: {self.texts[0]}" if self.texts else ""

    def edits(self, name: n.Text) -> tuple[Edit, ...]:
        """Return the edit that writes the storage in the place of its name, if it is sure."""
        return rewritten(name.span, self.texts[0]) if len(self.texts) == 1 else ()


def stored_as(program: Program, uses: Uses, name: str) -> StoredString:
    """Return how a string that is stored under a name is written in a program."""
    kept = [
        one
        for places in (uses.filled, uses.read)
        for (family, other), nodes in places.items()
        if other == name and family.word == "str"
        for one in nodes
    ]
    texts = (" ".join(program.source.at(one.span).split()) for one in kept)
    return StoredString(name, tuple(dict.fromkeys(texts)))


def family_of(node: Kept) -> StorageFamily:
    """Return the family to which a storage or location belongs."""
    word = node.storage.value if isinstance(node, n.Storage) else node.place.value
    return StorageFamily(node.owner.kind, word)


def uses_of(program: Program) -> Uses:
    """Return what a program fills and reads."""
    uses = Uses()
    only_filled: set[int] = set()
    for deck in program.decks:
        if isinstance(deck.location, n.Place):
            uses.fill(deck.location)
            only_filled.add(id(deck.location))
    bound = False
    for node in program.nodes():
        match node:
            case n.Set(storage=n.Storage() as kept):
                uses.fill(kept)
                only_filled.add(id(kept))
                if isinstance(kept.name, n.Text):
                    uses.values[family_of(kept), kept.name.value].append(node.value)
            case n.SetPoints(storage=n.Storage() as kept) | n.Increase(storage=n.Storage() as kept):
                uses.fill(kept)
                only_filled.add(id(kept))
            case n.Move(target=target) | n.Remember(target=target):
                location = _location(target)
                bound |= _fill_target(location, uses)
                only_filled.add(id(location))
            case n.Swap(left=left, right=right):
                bound |= _fill_target(_location(left), uses)
                bound |= _fill_target(_location(right), uses)
            case n.Indexed(name=name):
                family = StorageFamily(node.owner.kind, node.place.value)
                if isinstance(name, n.Text):
                    uses.read[family, name.value] += []
                else:
                    uses.read_open.add(family)
            case n.Storage() | n.Place():
                if id(node) not in only_filled:
                    uses.look(node)
            case n.Forget() | n.Shuffle():
                pass  # what was there before is gone, or in another order
            case _ if node.traits.writes & (StatePart.CARDS | StatePart.STORED):
                uses.unknown = True
    if bound:
        _fill_bound(program, uses)
    return uses


def _location(target: n.Node) -> n.Node:
    while isinstance(target, n.End | n.Position | n.BestCard):
        target = target.location
    return target


def _fill_target(location: n.Node, uses: Uses) -> bool:
    """Record a target as filled; return whether a variable stands for it."""
    if isinstance(location, n.Place):
        uses.fill(location)
    return isinstance(location, n.Variable | n.Element)


def _fill_bound(program: Program, uses: Uses) -> None:
    """Count every place that a variable may denote as filled, where variables are targets."""
    for node in program.nodes():
        match node:
            case n.Let(value=n.Place() as place):
                uses.fill(place)
            case n.EachLocation(location=n.Place() as place):
                uses.fill(place)
            case n.Indexed():
                uses.filled_open.add(StorageFamily(node.owner.kind, node.place.value))
