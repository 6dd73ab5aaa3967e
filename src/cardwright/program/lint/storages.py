"""Storages and locations that are read but never filled: mostly misspelt ones."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.traits import StatePart
from cardwright.syntax.diagnostic import Code, rewritten
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from cardwright.program.kinds import ValueKind
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


class _Family(NamedTuple):
    """Names that share a namespace: of one sort of owner and one sort of storage."""

    owner: ValueKind
    word: str


@dataclass
class _Uses:
    """Which names of each family are filled, whether any may be, and where names are first read."""

    filled: dict[_Family, set[str]] = field(default_factory=lambda: defaultdict(set))
    open: set[_Family] = field(default_factory=set)
    read: dict[tuple[_Family, str], n.Storage | n.Place] = field(default_factory=dict)
    unknown: bool = False
    """Whether something whose name is not known may be filled."""

    def fill(self, node: n.Storage | n.Place) -> None:
        """Record that something is put there."""
        if isinstance(node.name, n.Text):
            self.filled[_family(node)].add(node.name.value)
        else:
            self.open.add(_family(node))

    def look(self, node: n.Storage | n.Place) -> None:
        """Record that something is read there."""
        if isinstance(node.name, n.Text):
            self.read.setdefault((_family(node), node.name.value), node)


def _family(node: n.Storage | n.Place) -> _Family:
    word = node.storage.value if isinstance(node, n.Storage) else node.place.value
    return _Family(node.owner.kind, word)


def lint_storages(program: Program, report: Diagnostics) -> None:
    """Warn once of every name that is read and never filled."""
    uses = _Uses()
    for deck in program.decks:
        if isinstance(deck.location, n.Place):
            uses.fill(deck.location)
    targets = [_note(node, uses) for node in program.nodes()]
    if any(targets):
        _fill_bound(program, uses)
    for (family, name), node in uses.read.items():
        if uses.unknown or family in uses.open or name in uses.filled[family]:
            continue
        default = {"sto": "0", "str": "empty", "points": "0 for every card"}
        what = "storage" if family.word in default else "location"
        report.add(
            Code.NEVER_SET,
            node.span,
            f"the {what} {name} is read, but never {'set' if what == 'storage' else 'filled'}: "
            f"it is always {default.get(family.word, 'empty')}",
            help=did_you_mean(name, uses.filled[family]),
            edits=rewritten(node.name.span, near(name, uses.filled[family])),
        )


def _note(node: n.Node, uses: _Uses) -> bool:
    """Record what one node fills or reads; return whether it fills a place held by a variable."""
    match node:
        case n.Set(storage=n.Storage() as storage):
            uses.fill(storage)
        case n.SetPoints(storage=n.Storage() as storage):
            uses.fill(storage)
        case n.Increase(storage=n.Storage() as storage):
            uses.fill(storage)
        case n.Move(target=target) | n.Remember(target=target):
            return _fill_target(target, uses)
        case n.Swap(left=left, right=right):
            return _fill_target(left, uses) | _fill_target(right, uses)
        case n.Storage() | n.Place():
            uses.look(node)
        case n.Forget() | n.Shuffle():
            pass  # what was there before is gone, or in another order
        case _ if node.traits.writes & (StatePart.CARDS | StatePart.STORED):
            uses.unknown = True
    return False


def _fill_target(target: n.Node, uses: _Uses) -> bool:
    location = target
    while isinstance(location, n.End | n.Position | n.BestCard):
        location = location.location
    if isinstance(location, n.Place):
        uses.fill(location)
    return isinstance(location, n.Variable | n.Element)


def _fill_bound(program: Program, uses: _Uses) -> None:
    """Count every place that a variable may denote as filled, where variables are targets."""
    for node in program.nodes():
        match node:
            case n.Let(value=n.Place() as place):
                uses.fill(place)
            case n.EachLocation(location=n.Place() as place):
                uses.fill(place)
            case n.Indexed():
                uses.open.add(_Family(node.owner.kind, node.place.value))
