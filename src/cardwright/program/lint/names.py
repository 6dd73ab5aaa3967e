"""Warnings about names that hold nothing, or are read nowhere: mostly misspelt ones.

These are names of storages, locations, attributes of cards and their values, and strings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.diagnosis.suggestions import NO_ADVICE, Advice
from cardwright.program.effects import EffectAnalysis
from cardwright.program.kinds import ValueKind
from cardwright.program.lint.actions import queued_within
from cardwright.program.nodes import StatePart
from cardwright.syntax.diagnostic import Code, Related, rewritten
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

Kept: TypeAlias = "n.Storage | n.Place"
"""A form that names a storage or a location."""

# What is filled and what is read ---------------------------------------------------------------


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

    @classmethod
    def of(cls, program: Program) -> Uses:
        """Return what a program fills and reads."""
        uses = cls()
        targets = [deck.location for deck in program.decks if isinstance(deck.location, n.Place)]
        bound = any(map(uses._fill, targets))
        only_filled = set(map(id, targets))
        for node in program.nodes():
            match node:
                case (
                    n.Set(storage=n.Storage() as kept)
                    | n.SetPoints(storage=n.Storage() as kept)
                    | n.Increase(storage=n.Storage() as kept)
                ):
                    uses._fill(kept)
                    only_filled.add(id(kept))
                    if isinstance(node, n.Set) and isinstance(kept.name, n.Text):
                        uses.values[_family(kept), kept.name.value].append(node.value)
                case n.Move(target=target) | n.Remember(target=target):
                    location = _location(target)
                    bound |= uses._fill(location)
                    only_filled.add(id(location))
                case n.Swap(left=left, right=right):
                    bound |= uses._fill(_location(left))
                    bound |= uses._fill(_location(right))
                case n.Indexed(name=n.Text() as name):
                    uses.read[StorageFamily(node.owner.kind, node.place.value), name.value] += []
                case n.Indexed():
                    uses.read_open.add(StorageFamily(node.owner.kind, node.place.value))
                case n.Storage() | n.Place():
                    if id(node) not in only_filled:
                        _record(node, uses.read, uses.read_open)
                case n.Forget() | n.Shuffle():
                    pass  # what was there before is gone, or in another order
                case _ if node.traits.writes & (StatePart.CARDS | StatePart.STORED):
                    uses.unknown = True
        for node in program.nodes() if bound else ():
            match node:
                case n.Let(value=n.Place() as place) | n.EachLocation(location=n.Place() as place):
                    uses._fill(place)
                case n.Indexed():
                    uses.filled_open.add(StorageFamily(node.owner.kind, node.place.value))
        return uses

    def _fill(self, target: n.Node) -> bool:
        """Record a target as filled; return whether a variable stands for it."""
        if isinstance(target, n.Storage | n.Place):
            _record(target, self.filled, self.filled_open)
        return isinstance(target, n.Variable | n.Element)


def _record(node: Kept, places: Places, open_families: set[StorageFamily]) -> None:
    if isinstance(node.name, n.Text):
        places[_family(node), node.name.value].append(node)
    else:
        open_families.add(_family(node))


def _family(node: Kept) -> StorageFamily:
    word = node.storage.value if isinstance(node, n.Storage) else node.place.value
    return StorageFamily(node.owner.kind, word)


def _location(target: n.Node) -> n.Node:
    while isinstance(target, n.End | n.Position | n.BestCard):
        target = target.location
    return target


# What may be meant -----------------------------------------------------------------------------


def _stored_as(program: Program, uses: Uses, name: n.Text) -> Advice:
    """Return how a string that is stored under a name is written, if one is."""
    kept = [
        node
        for places in (uses.filled, uses.read)
        for (family, other), nodes in places.items()
        if other == name.value and family.word == "str"
        for node in nodes
    ]
    texts = list(dict.fromkeys(_written(program.source.text, node) for node in kept))
    if not texts:
        return NO_ADVICE
    edits = rewritten(name.span, texts[0]) if len(texts) == 1 else ()
    return Advice(f"{name.value} is the name of a storage: {texts[0]}", edits)


def _written(text: str, node: n.Node) -> str:
    return " ".join(text[node.span.start : node.span.end].split())


# Attributes and values that no card has --------------------------------------------------------


def lint_attributes(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn of attributes that no card has, and of values that no card has for an attribute.

    Cards of a deck that these constants make zero times count too.
    """
    known: dict[str, dict[str, None]] = {}
    for attributes in (*(card.attributes for card in program.cards), *program.absent):
        for attribute, held in attributes.items():
            known.setdefault(attribute, {})[held] = None
    for key, value in _attributes(program):
        if key.value not in known:
            stored = _stored_as(program, uses, key)
            report.add(
                Code.UNKNOWN_KEY,
                key.span,
                f"no card has an attribute {key.value}",
                expected=f"one of {', '.join(known)}",
                help=stored.text or did_you_mean(key.value, known),
                edits=stored.edits or rewritten(key.span, near(key.value, known)),
            )
        elif value is not None and value.value not in known[key.value]:
            values = known[key.value]
            others = [other for other in known if value.value in known[other]]
            stored = _stored_as(program, uses, value)
            edits = stored.edits or rewritten(value.span, near(value.value, values))
            advice = stored.text or did_you_mean(value.value, values)
            report.add(
                Code.UNKNOWN_VALUE,
                value.span,
                f"no card has {key.value} {value.value}",
                expected=f"one of {_listed(list(values), 20)}",
                help=f"it is a value of {others[0]}" if others else advice,
                edits=() if others else edits,
            )


def _attributes(program: Program) -> Iterator[tuple[n.Text, n.Text | None]]:
    for node in program.nodes():
        match node:
            case n.Attribute(key=n.Text() as key) | n.Partition(key=n.Text() as key):
                yield key, None
            case n.Equal(left=left, right=right):
                for read, beside in ((left, right), (right, left)):
                    if isinstance(read, n.Attribute) and isinstance(read.key, n.Text):
                        yield read.key, beside if isinstance(beside, n.Text) else None
            case n.Award():
                for name, value in zip(node.keys, node.values, strict=True):
                    if isinstance(name, n.Text):
                        yield name, value if isinstance(value, n.Text) else None


def _listed(names: list[str], most: int) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


# Storages and locations that are read but never filled, or the reverse -------------------------

_ALIKE = 0.75
"""How similar names must be if nothing but their likeness says that one of them is a mistake."""

_DEFAULT = {"sto": "0", "str": "empty", "points": "0 for every card"}
"""What a storage holds that was never set; locations are empty."""

_SECRET = re.compile(r"\b(isto|istr)\b")
"""The words of a secret, which is a location of cards to all that comes after its elaboration."""

_OWNERS = {ValueKind.TABLE: "the table", ValueKind.PLAYER: "players", ValueKind.TEAM: "teams"}


def lint_storages(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn once of every name that is only read, or that is only filled and like another one."""
    text = program.source.text
    missing = {
        (family, name): nodes
        for (family, name), nodes in uses.read.items()
        if nodes and not uses.unknown and family not in uses.filled_open
        if (family, name) not in uses.filled
    }
    for (family, name), nodes in missing.items():
        what, verb = _sort(family)
        default = _DEFAULT.get(family.word, "empty")
        if secret := _SECRET.search(text, nodes[0].span.start, nodes[0].span.end):
            what, verb, default = "secret", "set", "0" if secret[1] == "isto" else "empty"
        meant = _meant(text, nodes[0], uses.filled)
        queued = next(filter(None, (queued_within(program, node) for node in nodes)), None)
        related: tuple[Related, ...] = ()
        if queued is not None:
            related = (
                Related(queued.span, "it is queued in the inner stage, for that stage alone"),
            )
            if not meant.text:
                who, kept = _written(text, queued.player), _written(text, nodes[0])
                meant = Advice(f"store who it is in the inner stage: (set {kept} (pid {who}))")
        report.add(
            Code.NEVER_SET,
            nodes[0].span,
            f"the {what} {name} is read, but never {verb}: it is always {default}",
            help=meant.text,
            related=related,
            edits=meant.edits,
        )
    sound = {key: places for key, places in uses.read.items() if key not in missing}
    for (family, name), nodes in uses.filled.items():
        if (family, name) in uses.read or family in uses.read_open:
            continue
        meant = _meant(text, nodes[0], sound, _ALIKE)
        if not meant.text or (family.holds_cards and len(nodes) > 1):
            continue  # it may be there for the players to see
        what, verb = _sort(family)
        message = f"the {what} {name} is {verb}, but never read"
        report.add(Code.NEVER_READ, nodes[0].span, message, help=meant.text, edits=meant.edits)


def _sort(family: StorageFamily) -> tuple[str, str]:
    return ("location", "filled") if family.holds_cards else ("storage", "set")


def _meant(text: str, node: Kept, others: Places, alike: float = 0.6) -> Advice:
    assert isinstance(node.name, n.Text)
    name, family = node.name.value, _family(node)
    beside = {other for kin, other in others if kin == family and not _numbered_alike(name, other)}
    match = near(name, beside, alike)
    if match is not None:
        times = len(others[family, match])
        often = f" It is used in {_counted(times)}" if times > 1 else ""
        return Advice(f"did you mean {match}?{often}", rewritten(node.name.span, match))
    namesakes = [(kin, places) for (kin, other), places in others.items() if other == name]
    namesakes = [(kin, places) for kin, places in namesakes if places]
    for other, places in namesakes:
        if other.holds_cards is not family.holds_cards:
            continue
        where = _counted(len(places))
        if other.owner is family.owner and family.holds_cards:
            advice = f"did you mean {other.word}? {name} is {other.word} in {where}"
            return Advice(advice, rewritten(_word_span(text, node), other.word))
        if other.word == family.word:
            whose, here = _OWNERS[other.owner], _OWNERS[family.owner]
            return Advice(f"{name} belongs to {whose} in {where}, but to {here} here")
    for other, places in namesakes:
        if other.holds_cards is not family.holds_cards:
            written = _written(text, places[0])
            return Advice(f"{name} is {other.word} in {_counted(len(places))}: {written}")
    return NO_ADVICE


def _numbered_alike(name: str, other: str) -> bool:
    return re.sub(r"\d", "", name) == re.sub(r"\d", "", other)


def _counted(places: int) -> str:
    return f"{places} places" if places != 1 else "one place"


def _word_span(text: str, node: Kept) -> Span:
    word = re.search(r"[a-z]+$", text[: node.name.span.start].rstrip())
    return Span(*word.span()) if word else node.span


# Comparisons of strings that can never be equal ------------------------------------------------


def lint_strings(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn of names that are compared with a storage, or a variable, that never holds them."""
    pairs = [
        (holder, name)
        for node in program.nodes()
        if isinstance(node, n.Equal)
        for holder, name in ((node.left, node.right), (node.right, node.left))
        if isinstance(name, n.Text) and isinstance(holder, n.Storage | n.Variable)
        if not _is_constant(program, name)
    ]
    if not pairs:
        return
    possible = _PossibleStrings(program, uses)
    seen: set[str] = set()
    for holder, name in pairs:
        values = possible.values(holder)
        if values is None or name.value in values:
            _warn_of_empty(report, uses, holder, name, seen)
        elif values != {""}:
            what = holder.name.value if isinstance(holder.name, n.Text) else holder.name
            meant = near(name.value, values - {""})
            stored = _stored_as(program, uses, name)
            unset = name.value == "NONE" and isinstance(holder, n.Storage)
            report.add(
                Code.NEVER_EQUAL,
                name.span,
                f"{what} is never {name.value}",
                expected=f"one of {_listed(sorted(values - {''}), 12)}",
                help="what was never set is empty, which equals no name; set it to NONE first"
                if unset
                else stored.text or (f"did you mean {meant}?" if meant else ""),
                edits=() if unset else stored.edits or rewritten(name.span, meant),
                related=_where_stored(uses, holder, "" if unset else meant or ""),
            )


def _where_stored(uses: Uses, holder: n.Storage | n.Variable, name: str) -> tuple[Related, ...]:
    """Return the only place where a name is stored, which may be the one that is wrong."""
    if not isinstance(holder, n.Storage) or not isinstance(holder.name, n.Text):
        return ()
    values = uses.values.get((_family(holder), holder.name.value), [])
    places = [value.span for value in values if isinstance(value, n.Text) and value.value == name]
    return (Related(places[0], f"{name} is stored here"),) if len(places) == 1 else ()


def _warn_of_empty(
    report: Diagnostics, uses: Uses, holder: n.Storage | n.Variable, name: n.Text, seen: set[str]
) -> None:
    """Warn once of a storage of the table that is compared with NONE before anything sets it.

    That is sure if everything that is stored there follows in the text.
    """
    if not isinstance(holder, n.Storage) or not isinstance(holder.owner, n.Table):
        return
    if name.value != "NONE" or not isinstance(holder.name, n.Text):
        return
    family, kept = _family(holder), holder.name.value
    filled = uses.filled.get((family, kept), [])
    late = all(_stands(node) > _stands(holder) for node in filled)
    if late and filled and family not in uses.filled_open and kept not in seen:
        message = f"{kept} is not NONE here at first: it is empty until it is set"
        advice = f"set it before: (set (game str {kept}) NONE)"
        report.add(Code.NEVER_EQUAL, name.span, message, help=advice)
    seen.add(kept)


def _stands(node: n.Node) -> int:
    """Return where a form stands in the program, though it may come from a definition."""
    return (*node.span.via, node.span)[0].start


def _is_constant(program: Program, node: n.Node) -> bool:
    """Return whether a node is a declared constant, which the game's user may change."""
    return program.source.text.startswith("'", node.span.start)


class _PossibleStrings:
    """The strings that storages and variables can hold; what was never set holds none."""

    def __init__(self, program: Program, uses: Uses) -> None:
        self.facts = EffectAnalysis(program)
        self.uses = uses
        self.asked: set[tuple[StorageFamily, str]] = set()

    def values(self, node: n.Node) -> set[str] | None:
        """Return the strings that a form can give; None if they are not known."""
        if not isinstance(node, n.Storage):
            if _is_constant(self.facts.program, self._source(node)):
                return None
            known = self.facts.strings(node)
            return None if known is None else set(known)
        family = _family(node)
        if not isinstance(node.name, n.Text) or family in self.uses.filled_open:
            return None
        key = (family, node.name.value)
        if key in self.asked:
            return {""}  # what it holds through itself, it holds otherwise
        self.asked.add(key)
        strings: set[str] | None = {""}
        for value in self.uses.values.get(key, ()):
            more = self.values(value)
            strings = None if strings is None or more is None else strings | more
        self.asked.remove(key)
        return strings

    def _source(self, node: n.Node) -> n.Node:
        """Return what a variable iterates over or is bound to; another form itself."""
        while isinstance(node, n.Variable):
            binder = self.facts.binders[node.slot]
            value = binder.value if isinstance(binder, n.Let) else None
            node = value or n.unfiltered(getattr(binder, "collection", binder))
        return node
