"""Two versions of rules compared as trees: what was renamed, changed, added, removed or moved.

A version's tree is as it is written, before anything is settled: with the branches that its
constants rule out, the labels of options, and the constants by their names. It is made of parts,
typed nodes with a digest each that does not depend on what variables are called. Equal parts are
passed over, and of two that differ the operands are compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.game.errors import GameFileError
from cardwright.program import nodes as n
from cardwright.program.check import check, deep_recursion
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.fitting import forms_in
from cardwright.program.frame import ProgramElaborator
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.source import Source, Span

_NAMED = n.Number | n.Text | n.Truth | n.Strings | n.Range
"""Values that can be those of a declared constant."""

_TELLING_KIND = n.Everyone | n.TurnOwner | n.Numbered | n.Variable
"""Classes whose kind of value says what is meant, and nothing below them does."""

_ALIKE = 0.35
"""Least likeness of two forms that are taken for two versions of one."""

_MOVED = 0.8
"""Least likeness of a step that is gone and one that is new, to be one that was moved."""

_SMALL = 2
"""Size of steps that are found anywhere, so that none of them is one that was moved."""

_LIKELY = 0.34
"""Least share of the places of a name that have to be those of another, to be called that."""

_AROUND = 3
"""How many forms around a name make up its place."""

_KEYS = frozenset({"RANK", "SUIT", "COLOR", "COLOUR"})
"""Attributes that are hardly ever called otherwise."""


@dataclass(frozen=True)
class Version:
    """The rules of one version: what they say, and the text in which they say it."""

    source: Source
    program: Program
    form: Form

    @cached_property
    def values(self) -> Mapping[str, Constant]:
        """The values of the declared constants that have one."""
        return {
            known.name: known.value for known in self.program.declared if known.value is not None
        }

    def constant(self, node: n.Node) -> str | None:
        """Return the declared constant by which a value is written, without its apostrophe."""
        text = self.source.text[node.span.start : node.span.end]
        named = isinstance(node, _NAMED) and text.startswith("'") and text[1:] in self.values
        return text[1:] if named else None

    @cached_property
    def roots(self) -> tuple[n.Node, ...]:
        """The nodes that are compared: the places of decks, all items as a block, the score."""
        program = self.program
        block = n.Do(program.score.kind, self.form.span, program.items)
        return (*(deck.location for deck in program.decks), block, program.score)

    @cached_property
    def nodes(self) -> tuple[n.Node, ...]:
        """All nodes below the roots."""
        return tuple(node for root in self.roots for node in n.walk(root))

    @cached_property
    def derived(self) -> Mapping[str, str]:
        """What declares those constants that follow from others, in one line each."""
        given = {known.name for known in self.program.declared if known.value != known.default}
        forms = {
            self.excerpt(form.items[2].span)[1:]: self.excerpt(form.items[1].span)
            for form in forms_in(self.form)
            if form.starts_with("declare") and len(form.items) == 3
        }
        return {name: text for name, text in forms.items() if "'" in text and name not in given}

    def section(self, words: str) -> Span | None:
        """Return the place of the first part of the frame with a form that begins so."""
        outer = [item for item in self.form.items if isinstance(item, Form)]
        setup = [item for form in outer if form.starts_with("setup") for item in form.items]
        for part in (*setup, *outer):
            if isinstance(part, Form) and any(
                form.starts_with(*words.split()) for form in forms_in(part)
            ):
                return part.span
        return None

    def excerpt(self, span: Span | None) -> str:
        """Return the text of a span in one line, without comments; nothing for no span."""
        lines = self.source.at(span).split("\n") if span is not None else ()
        return " ".join(" ".join(line.partition(";")[0] for line in lines).split())

    def line(self, span: Span | None) -> int | None:
        """Return the line in which a span begins, counted from 1."""
        return None if span is None else self.source.line_at(span.start)


def version_of(
    source: Source, overrides: Mapping[str, Constant] | None = None, base: int | None = None
) -> Version:
    """Return a version of a game; raises GameFileError for rules that do not pass the check."""
    report = Diagnostics(source)
    reading = read(source, report)
    if reading.form is not None:
        with deep_recursion():
            program = ProgramElaborator(report, dict(overrides or {}), base).program(reading.form)
        if program is not None and not report.errors:
            return Version(source, program, reading.form)
    raise GameFileError(check(source, overrides, base))


# Parts ------------------------------------------------------------------------------------


class RuleName(NamedTuple):
    """What a name in the rules is of: its namespace, the sort of its owner, and the name.

    The namespace is that of a storage or a location, `text` for any other string, `constant` for a
    declared constant.
    """

    space: str
    owner: str
    name: str


Renamed: TypeAlias = "Mapping[RuleName, str]"
"""Names of the first version that are others in the second."""


@dataclass(eq=False)
class Part:
    """A node with the parts below it, by the fields that hold them.

    `digest` is equal for equal trees, whatever variables are called. `label` is what the node says
    itself. `slot` is that of the variable which it is, or binds; `names` are those that it has.
    """

    node: n.Node
    label: tuple[object, ...]
    fields: Mapping[str, tuple[Part, ...]]
    slot: int | None
    names: tuple[RuleName, ...]
    parent: Part | None = None
    role: str = ""
    digest: int = field(init=False)
    size: int = field(init=False)

    def __post_init__(self) -> None:
        below = [(name, *(part.digest for part in parts)) for name, parts in self.fields.items()]
        self.digest = hash((self.label, *below))
        self.size = 1 + sum(part.size for part in self.children)
        for name, parts in self.fields.items():
            for part in parts:
                part.parent, part.role = self, name

    @property
    def children(self) -> tuple[Part, ...]:
        """All parts directly below."""
        return tuple(part for parts in self.fields.values() for part in parts)

    @cached_property
    def below(self) -> Counter[int]:
        """How often each digest occurs in the part and below it."""
        return Counter(part.digest for part in walk(self))

    def under(self, name: str) -> tuple[Part, ...]:
        """Return the parts of one field."""
        return self.fields.get(name, ())


def walk(part: Part) -> Iterator[Part]:
    """Yield a part and all below it, outermost first, in order."""
    pending = [part]
    while pending:
        next_part = pending.pop()
        yield next_part
        pending += reversed(next_part.children)


@dataclass(frozen=True)
class Parts:
    """Makes the parts of one version.

    `renamed` gives what is compared in the place of a name; `common` are the declared constants of
    both versions, which count by their names. All others count by their values.
    """

    version: Version
    common: frozenset[str]
    renamed: Renamed

    def roots(self) -> list[Part]:
        """Return the parts of all that is compared."""
        return [self.part_of(root) for root in self.version.roots]

    def part_of(self, node: n.Node) -> Part:
        """Return the part of a node, with all below it."""
        declared = self.version.constant(node)
        names = _names(node) if declared is None else (RuleName("constant", "", declared),)
        label: list[object] = [type(node).__name__]
        fields: dict[str, tuple[Part, ...]] = {}
        if declared is not None and declared in self.common:
            label = ["constant", self._called(names[0])]
        elif (value := self._known(node)) is not None:
            label = ["Number", (0, str(value))]
        else:
            label += [node.kind.value] if isinstance(node, _TELLING_KIND) else []
            for name in () if isinstance(node, n.Variable) else node.operand_names:
                value = getattr(node, name)
                if name == "variable":
                    label.append(value.kind.value)
                elif name == "name" and isinstance(value, n.Text):
                    label.append(self._called(names[0]))
                else:
                    items = value if isinstance(value, tuple) else (value,)
                    parts = tuple(self.part_of(item) for item in items if isinstance(item, n.Node))
                    fields |= {name: parts} if parts else {}
                    others = [item for item in enumerate(items) if not isinstance(item[1], n.Node)]
                    label += [(at, self._text(item)) for at, item in others]
        variable = node if isinstance(node, n.Variable) else n.binds(node)
        slot = None if variable is None else variable.slot
        return Part(node, tuple(label), fields, slot, names)

    def _known(self, node: n.Node) -> Constant | None:
        """Return what arithmetic comes to before the game, whatever constants have which value."""
        if not isinstance(node, n.Arithmetic) or any(map(self.version.constant, n.walk(node))):
            return None
        try:
            return constant(node)
        except NotConstantError:
            return None

    def _called(self, name: RuleName) -> str:
        return self.renamed.get(name, name.name)

    def _text(self, value: object) -> object:
        if isinstance(value, str):
            return self._called(RuleName("text", "", value))
        return str(value) if isinstance(value, int) else value  # -1 and -2 have equal hashes


def _names(node: n.Node) -> tuple[RuleName, ...]:
    """Return the names that a node itself has, if they are written out."""
    match node:
        case n.Storage(name=n.Text() as name):
            return (RuleName(node.storage.value, owner_sort(node.owner), name.value),)
        case n.Place(name=n.Text() as name) | n.Indexed(name=n.Text() as name):
            return (RuleName(node.place.value, owner_sort(node.owner), name.value),)
        case n.Text():
            return (RuleName("text", "", node.value),)
        case n.Strings():
            return tuple(RuleName("text", "", value) for value in node.values)
    return ()


def owner_sort(owner: n.Node) -> str:
    """Return the sort of an owner, as rules write it."""
    if owner.kind & ValueKind.PLAYER:
        return "player"
    return "team" if owner.kind & ValueKind.TEAM else "game"


# Names ------------------------------------------------------------------------------------


def renamings(before: Version, after: Version) -> Renamed:
    """Return the names that occur in one version only and stand where another name stood.

    Two names are of one thing if they are of one namespace and mostly stand in the same places.
    """
    used = _used(before), _used(after)
    gone = [name for name in used[0] if name not in used[1]]
    new = [name for name in used[1] if name not in used[0]]
    if not gone or not new:
        return {}
    unnamed = dict.fromkeys((*gone, *new), "?")
    common = frozenset(before.values.keys() & after.values.keys())
    old_places, new_places = (
        _places(Parts(version, common, unnamed)) for version in (before, after)
    )
    renamed: dict[RuleName, str] = {}
    for old in gone:
        left = [name for name in new if name[:2] == old[:2] and name.name not in renamed.values()]
        shares = {name: _shared(old_places[old], new_places[name]) for name in left}
        best = max(left, key=shares.__getitem__, default=None)
        if best is not None and shares[best] >= _LIKELY:
            renamed[old] = best.name
    return dict(sorted(renamed.items()))


def _used(version: Version) -> dict[RuleName, None]:
    """Return all names of a version, in the order of their first use."""
    pairs = [pair for card in version.program.cards for pair in card.attributes.items()]
    names = [RuleName("text", "", text) for pair in pairs for text in pair]
    names += [RuleName("constant", "", name) for name in version.values]
    return dict.fromkeys([*names, *(name for node in version.nodes for name in _names(node))])


def _places(parts: Parts) -> Mapping[RuleName, Counter[object]]:
    """Return the places of all names: the forms around them, as trees without new names."""
    places: defaultdict[RuleName, Counter[object]] = defaultdict(Counter)
    cards = parts.version.program.cards
    for key, value in {pair for card in cards for pair in card.attributes.items()}:
        places[RuleName("text", "", value)]["value", key if key in _KEYS else ""] += 1
    for part in (part for root in parts.roots() for part in walk(root)):
        for at, name in enumerate(part.names):
            around, height = part.parent, 0
            while around is not None and height < _AROUND:
                places[name][height, at, around.digest] += 1
                around, height = around.parent, height + 1
    return places


def _shared(before: Counter[object], after: Counter[object]) -> float:
    total = max(before.total(), after.total())
    return (before & after).total() / total if total else 0.0


# Differences ------------------------------------------------------------------------------


class ChangeKind(StrEnum):
    """What happened to a part of the rules."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    RENAMED = "renamed"


class TreeDifference(NamedTuple):
    """One difference between two trees; a part is missing where there is no counterpart."""

    before: Part | None
    after: Part | None
    kind: ChangeKind = ChangeKind.CHANGED


class TreeComparison:
    """Compares trees, and collects the `differences`."""

    def __init__(self) -> None:
        self.differences: list[TreeDifference] = []
        self._slots: dict[int, int] = {}

    def roots(self, before: Sequence[Part], after: Sequence[Part]) -> None:
        """Compare all roots; of other numbers of decks not their places."""
        shown = len(before) if len(before) == len(after) else 2
        for pair in zip(before[-shown:], after[-shown:], strict=True):
            self._pair(*pair)
        self._find_moves()

    def _pair(self, before: Part, after: Part) -> None:
        """Compare two parts of which one stands where the other stood."""
        if before.digest == after.digest and self._agree(before, after):
            return
        if not _is_version(before, after):
            old, new = (part.under("steps") or (part,) for part in (before, after))
            if type(before.node) is not type(after.node) and (before, after) != (*old, *new):
                self._lists(old, new, before, after)
            else:
                self.differences.append(TreeDifference(before, after))
            return
        if before.slot is not None and after.slot is not None:
            self._slots[before.slot] = after.slot
        if before.label != after.label:
            self.differences.append(TreeDifference(before, after))
        for name in {**before.fields, **after.fields}:
            self._lists(before.under(name), after.under(name), before, after)

    def _lists(
        self, before: Sequence[Part], after: Sequence[Part], outer: Part, outer_after: Part
    ) -> None:
        """Compare two lists of parts, which lie in these."""
        if len(before) == 1 == len(after):
            self._pair(before[0], after[0])
            return
        pairs = list(_aligned(before, after))
        paired = {id(part) for pair in pairs for part in pair}
        gone = [part for part in before if id(part) not in paired]
        new = [part for part in after if id(part) not in paired]
        if len(gone) == 1 == len(new) and likeness(gone[0], new[0]) < _MOVED:
            pairs.append((gone.pop(), new.pop()))
        for pair in pairs:
            self._pair(*pair)
        if not all(isinstance(part.node, n.Action | n.Control | n.Award) for part in (*gone, *new)):
            self.differences.append(TreeDifference(outer, outer_after))
            return
        self.differences += [TreeDifference(part, None, ChangeKind.REMOVED) for part in gone]
        self.differences += [TreeDifference(None, part, ChangeKind.ADDED) for part in new]

    def _agree(self, before: Part, after: Part) -> bool:
        """Return whether parts of equal digests have the same variables in the same places."""
        agreed = True
        for old, new in zip(walk(before), walk(after), strict=True):
            if old.slot is not None and new.slot is not None:
                if not isinstance(old.node, n.Variable):
                    self._slots[old.slot] = new.slot
                agreed &= self._slots.setdefault(old.slot, new.slot) == new.slot
        return agreed

    def _find_moves(self) -> None:
        """Take a step that is gone here and new there for one that was moved."""
        for gone in [old for old, new, _ in self.differences if old and not new]:
            for new in [new for old, new, _ in self.differences if new and not old]:
                same = type(gone.node) is type(new.node) and gone.size > _SMALL
                if same and likeness(gone, new) >= _MOVED:
                    self.differences.remove(TreeDifference(gone, None, ChangeKind.REMOVED))
                    self.differences.remove(TreeDifference(None, new, ChangeKind.ADDED))
                    self.differences.append(TreeDifference(gone, new, ChangeKind.MOVED))
                    self._pair(gone, new)
                    break


def _is_version(before: Part, after: Part) -> bool:
    """Return whether two forms are one of which parts differ."""
    if isinstance(before.node, n.Control):
        return type(before.node) is type(after.node)
    return before.label == after.label and likeness(before, after) >= _ALIKE


def _aligned(before: Sequence[Part], after: Sequence[Part]) -> Iterator[tuple[Part, Part]]:
    """Yield pairs of parts that belong together: equal ones, and between them those most alike."""
    old, new = ([part.digest for part in parts] for parts in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, start, end, left, last in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(before[start:end], after[left:last], strict=True)
            continue
        first = left
        for part in before[start:end]:
            alike = [(likeness(part, after[at]), -at) for at in range(first, last)]
            best, at = max(alike, default=(0.0, 0))
            if best >= _ALIKE:
                yield part, after[-at]
                first = 1 - at


def likeness(before: Part, after: Part) -> float:
    """Return how alike two parts are, from 0 to 1 for equal ones.

    That is the Dice coefficient of the trees in them, with a tenth for the same class. Awards
    belong together if they are for the same cards.
    """
    if before.digest == after.digest:
        return 1.0
    if isinstance(before.node, n.Award) and isinstance(after.node, n.Award):
        return 0.9 if award_key(before) == award_key(after) else 0.2
    kind = 0.1 if before.label[0] == after.label[0] else 0.0
    return kind + 1.8 * (before.below & after.below).total() / (before.size + after.size)


def award_key(award: Part) -> list[int]:
    """Return what is equal for awards that are for the same cards."""
    return [part.digest for part in (*award.under("keys"), *award.under("values"))]
