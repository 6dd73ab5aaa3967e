"""Two trees of rules compared: what was renamed, changed, added, removed or moved."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.authoring.rule_difference.version import ChangeKind
from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.authoring.rule_difference.version import Version
    from cardwright.program.constants import Constant

_TELLING_KIND = (n.Everyone, n.TurnOwner, n.Numbered)
"""Classes whose kind of value says what is meant, and nothing below them does."""


class RuleName(NamedTuple):
    """What a name in the rules is of: its namespace, the sort of its owner, and the name.

    The namespace is that of a storage or a location, `text` for any other string, `constant` for a
    declared constant.
    """

    space: str
    owner: str
    name: str


@dataclass(slots=True, eq=False)
class Part:
    """A node with the parts below it, by the fields that hold them.

    `digest` is equal for equal trees, whatever variables are called. `label` is what the node says
    itself. `slot` is that of the variable which it is, or binds; `named` is what it names.
    `beside` are the items of the game, for one of them.
    """

    node: n.Node
    label: tuple[object, ...]
    fields: tuple[tuple[str, tuple[Part, ...]], ...]
    digest: int
    size: int
    slot: int | None = None
    named: RuleName | None = None
    parent: Part | None = None
    role: str = ""
    beside: tuple[Part, ...] = ()
    _below: Counter[int] | None = None

    @property
    def children(self) -> tuple[Part, ...]:
        """All parts directly below."""
        return tuple(part for _, parts in self.fields for part in parts)

    @property
    def below(self) -> Counter[int]:
        """How often each digest occurs in the part and below it."""
        if self._below is None:
            self._below = Counter(part.digest for part in walk(self))
        return self._below

    @property
    def siblings(self) -> tuple[Part, ...]:
        """The parts in the same field of the part around, this one among them."""
        return self.parent.field(self.role) if self.parent is not None else self.beside

    def field(self, name: str) -> tuple[Part, ...]:
        """Return the parts of one field."""
        return next((parts for one, parts in self.fields if one == name), ())

    def ancestors(self) -> Iterator[Part]:
        """Yield the parts around this one, the innermost first."""
        part = self.parent
        while part is not None:
            yield part
            part = part.parent


def walk(part: Part) -> Iterator[Part]:
    """Yield a part and all below it, outermost first, in order."""
    pending = [part]
    while pending:
        found = pending.pop()
        yield found
        pending += reversed(found.children)


class Parts:
    """Makes the parts of one version.

    `renamed` gives what is compared in the place of a name; `common` are the declared constants of
    both versions, which count by their names. All others count by their values.
    """

    def __init__(
        self, version: Version, common: frozenset[str], renamed: Mapping[RuleName, str]
    ) -> None:
        self._version = version
        self._common = common
        self._renamed = renamed

    def of(self, node: n.Node) -> Part:
        """Return the part of a node, with all below it."""
        constant = self._version.constant(node)
        if constant is not None and constant in self._common:
            name = self._renamed.get(RuleName("constant", "", constant), constant)
            return self._made(node, ("constant", name), ())
        named = _named(node)
        label: list[object] = [type(node).__name__]
        if isinstance(node, _TELLING_KIND):
            label.append(node.kind.value)
        if named is not None:
            label.append(self._renamed.get(named, named.name))
        slot: int | None = None
        held: list[tuple[str, tuple[Part, ...]]] = []
        for name in node.operand_names:
            value = getattr(node, name)
            if isinstance(value, n.Variable) and name == "variable":
                slot = value.slot
                label.append(value.kind.value)
            elif isinstance(value, n.Node):
                if not (name == "name" and named is not None):
                    held.append((name, (self.of(value),)))
            elif isinstance(value, tuple):
                nodes = tuple(self.of(item) for item in value if isinstance(item, n.Node))
                held.append((name, nodes))
                label += [
                    (at, self._text(item))
                    for at, item in enumerate(value)
                    if not isinstance(item, n.Node)
                ]
            elif isinstance(node, n.Variable):
                slot = node.slot
            else:
                label.append(value if not isinstance(node, n.Text) else self._text(node.value))
        if isinstance(node, n.Variable):
            label.append(node.kind.value)
        part = self._made(node, tuple(label), tuple(held))
        part.slot, part.named = slot, named
        return part

    def _text(self, value: object) -> object:
        return (
            self._renamed.get(RuleName("text", "", value), value)
            if isinstance(value, str)
            else value
        )

    def _made(
        self,
        node: n.Node,
        label: tuple[object, ...],
        held: tuple[tuple[str, tuple[Part, ...]], ...],
    ) -> Part:
        digests = tuple((name, *(part.digest for part in parts)) for name, parts in held)
        size = 1 + sum(part.size for _, parts in held for part in parts)
        made = Part(node, label, held, hash((label, digests)), size)
        for name, parts in held:
            for part in parts:
                part.parent, part.role = made, name
        return made


def _named(node: n.Node) -> RuleName | None:
    """Return what a storage or a location is called, if its name is written out."""
    match node:
        case n.Storage(name=n.Text() as name):
            return RuleName(node.storage.value, owner_sort(node.owner), name.value)
        case n.Place(name=n.Text() as name) | n.Indexed(name=n.Text() as name):
            return RuleName(node.place.value, owner_sort(node.owner), name.value)
    return None


def owner_sort(owner: n.Node) -> str:
    """Return the sort of an owner, as rules write it."""
    if owner.kind & ValueKind.PLAYER:
        return "player"
    return "team" if owner.kind & ValueKind.TEAM else "game"


_ALIKE = 0.35
"""Least likeness of parts that are taken for two versions of one."""


class Aligned(NamedTuple):
    """Pairs of parts that belong together, and the parts that have no counterpart."""

    pairs: tuple[tuple[Part, Part], ...]
    before: tuple[Part, ...]
    after: tuple[Part, ...]


def aligned(before: Sequence[Part], after: Sequence[Part]) -> Aligned:
    """Pair the parts of two lists so that the pairs keep their order and are most alike in sum."""
    first = 0
    shortest = min(len(before), len(after))
    while first < shortest and before[first].digest == after[first].digest:
        first += 1
    last = 0
    while last < shortest - first and before[-1 - last].digest == after[-1 - last].digest:
        last += 1
    heads = list(zip(before[:first], after[:first], strict=True))
    tails = list(zip(before[len(before) - last :], after[len(after) - last :], strict=True))
    inner = _most_alike(before[first : len(before) - last], after[first : len(after) - last])
    paired = {id(part) for pair in inner for part in pair}
    return Aligned(
        (*heads, *inner, *tails),
        tuple(part for part in before[first : len(before) - last] if id(part) not in paired),
        tuple(part for part in after[first : len(after) - last] if id(part) not in paired),
    )


def _most_alike(before: Sequence[Part], after: Sequence[Part]) -> list[tuple[Part, Part]]:
    """Return the best pairs in order, by dynamic programming as for an edit distance."""
    if len(before) == 1 == len(after):
        both = before[0], after[0]
        return [both] if type(both[0].node) is type(both[1].node) else []
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    alike = [[likeness(one, other) for other in after] for one in before]
    worth = [[_worth(alike[i][j], one) for j in range(len(after))] for i, one in enumerate(before)]
    for i in range(len(before) - 1, -1, -1):
        for j in range(len(after) - 1, -1, -1):
            paired = best[i + 1][j + 1] + worth[i][j] if alike[i][j] >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs: list[tuple[Part, Part]] = []
    i = j = 0
    while i < len(before) and j < len(after):
        if alike[i][j] >= _ALIKE and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            pairs.append((before[i], after[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _worth(alike: float, part: Part) -> float:
    """Return what a pair is worth: a little more for larger parts, of which fewer shall move."""
    return alike * (1 + min(part.size, 100) / 200)


def likeness(before: Part, after: Part) -> float:
    """Return how alike two parts are, from 0 to 1 for equal ones.

    That is the Dice coefficient of the trees in them, with a tenth for the same class.
    """
    if before.digest == after.digest:
        return 1.0
    if isinstance(before.node, n.Award) and isinstance(after.node, n.Award):
        same = all(
            [part.digest for part in before.field(name)] == [p.digest for p in after.field(name)]
            for name in ("keys", "values")
        )
        return 0.9 if same else 0.2
    kind = 0.1 if before.label[0] == after.label[0] else 0.0
    small, large = sorted((before, after), key=lambda part: part.size)
    if large.size > 12 * small.size:
        return kind
    other = large.below
    shared = sum(min(count, other[digest]) for digest, count in small.below.items())
    return kind + 0.9 * 2 * shared / (before.size + after.size)


_RELATED = 0.3
"""Least likeness of two forms of one class that are compared part by part."""

_MOVED = 0.8
"""Least likeness of a step that is gone and one that is new, to be one that was moved."""

_DEEPEST = 4
"""How far below a form it is looked for what stood there before."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One difference between two trees; a part is missing where there is no counterpart.

    `around` is the part in the other version into which an added part came, or from which a removed
    one went. `kept` is what of the old form is in the new one, or the other way round.
    """

    kind: ChangeKind
    before: Part | None
    after: Part | None
    around: Part | None = None
    kept: tuple[Part, Part] | None = None
    swapped: bool = False


class TreeComparison:
    """Compares trees, and collects the differences in `found`."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._slots: dict[int, int] = {}
        self._taken: set[int] = set()

    def items(self, before: Sequence[Part], after: Sequence[Part]) -> None:
        """Compare the items of two programs, and look for what was moved between them."""
        self._lists(before, after, None, None)
        self._moves()

    def pair(self, before: Part, after: Part) -> None:
        """Compare two parts of which one stands where the other stood."""
        if before.digest == after.digest and self._agree(before, after):
            return
        if _same_value(before, after):
            return
        if type(before.node) is not type(after.node):
            self._other_class(before, after)
        elif isinstance(before.node, n.Fork) and _crossed(before.children, after.children, 1, 2):
            self._swap(before, after)
        elif self._descends(before, after):
            self._bind(before, after)
            if before.label != after.label:
                self._add(ChangeKind.CHANGED, before, after)
            self._fields(before, after)
        elif not self._around(before, after):
            self._add(ChangeKind.CHANGED, before, after)

    def _descends(self, before: Part, after: Part) -> bool:
        """Return whether two forms of one class are told apart by their parts."""
        if isinstance(before.node, n.Control):
            return True
        if before.label != after.label or not before.fields:
            return False
        names = [name for name, _ in before.fields]
        differing = [
            name
            for name in names
            if [p.digest for p in before.field(name)] != [p.digest for p in after.field(name)]
        ]
        return len(differing) < 2 or likeness(before, after) >= _RELATED

    def _fields(self, before: Part, after: Part) -> None:
        names = dict.fromkeys(name for name, _ in (*before.fields, *after.fields))
        for name in names:
            old, new = before.field(name), after.field(name)
            several = isinstance(getattr(before.node, name), tuple)
            if several or len(old) != len(new):
                self._lists(old, new, before, after)
            else:
                for one, other in zip(old, new, strict=True):
                    self.pair(one, other)

    def _lists(
        self,
        before: Sequence[Part],
        after: Sequence[Part],
        around_before: Part | None,
        around_after: Part | None,
    ) -> None:
        """Compare two lists of parts."""
        for at in range(min(len(before), len(after)) - 1 if len(before) == len(after) else 0):
            if _branches_crossed(before[at : at + 2], after[at : at + 2]):
                self._swap(before[at], after[at])
                before, after = ((*parts[:at], *parts[at + 2 :]) for parts in (before, after))
                self._lists(before, after, around_before, around_after)
                return
        if (
            len(before) == len(after)
            and all(
                type(one.node) is type(other.node) and likeness(one, other) >= _RELATED
                for one, other in zip(before, after, strict=True)
                if one.digest != other.digest
            )
            and {p.digest for p in before} != {p.digest for p in after}
        ):
            for one, other in zip(before, after, strict=True):
                self.pair(one, other)
            return
        both = aligned(before, after)
        for one, other in both.pairs:
            self.pair(one, other)
        gone, new = list(both.before), list(both.after)
        for one in both.before:
            same = next((p for p in new if p.digest == one.digest), None)
            if same is not None:
                self._agree(one, same)
                self._add(ChangeKind.MOVED, one, same)
                gone.remove(one)
                new.remove(same)
        if len(gone) == 1 == len(new) and len(before) == len(after):
            self.pair(gone[0], new[0])
            return
        for one in gone:
            self._add(ChangeKind.REMOVED, one, None, around_after)
        for other in new:
            self._add(ChangeKind.ADDED, None, other, around_before)

    def _other_class(self, before: Part, after: Part) -> None:
        """Compare a form with one of another class in its place."""
        if after.digest in _digests(before.children) or before.digest in _digests(after.children):
            self._around(before, after)
            return
        old, new = before.field("steps"), after.field("steps")
        if isinstance(after.node, n.Do) and len(new) > 0:
            self._lists((before,), new, before, after)
        elif isinstance(before.node, n.Do) and len(old) > 0:
            self._lists(old, (after,), before, after)
        elif not self._around(before, after):
            self._add(ChangeKind.CHANGED, before, after)

    def _around(self, before: Part, after: Part) -> bool:
        """Tell of a form that was put around another, or taken away from around it."""
        inner = _within(after, before)
        outer = _within(before, after) if inner is None else None
        if inner is not None:
            self._add(ChangeKind.CHANGED, before, after, kept=(before, inner))
            self.pair(before, inner)
        elif outer is not None:
            self._add(ChangeKind.CHANGED, before, after, kept=(outer, after))
            self.pair(outer, after)
        return inner is not None or outer is not None

    def _add(
        self,
        kind: ChangeKind,
        before: Part | None,
        after: Part | None,
        around: Part | None = None,
        kept: tuple[Part, Part] | None = None,
    ) -> None:
        self.found.append(Found(kind, before, after, around, kept))

    def _swap(self, before: Part, after: Part) -> None:
        self.found.append(Found(ChangeKind.CHANGED, before, after, swapped=True))

    # Variables ----------------------------------------------------------------------------

    def _bind(self, before: Part, after: Part) -> None:
        if before.slot is not None and after.slot is not None:
            self._slots[before.slot] = after.slot
            self._taken.add(after.slot)

    def _agree(self, before: Part, after: Part) -> bool:
        """Return whether parts of equal digests have the same variables in the same places."""
        agreed = True
        for one, other in zip(walk(before), walk(after), strict=True):
            if one.slot is None or other.slot is None:
                continue
            if not isinstance(one.node, n.Variable):
                self._bind(one, other)
            elif one.slot in self._slots:
                agreed &= self._slots[one.slot] == other.slot
            elif other.slot in self._taken:
                agreed = False
            else:
                self._bind(one, other)
        return agreed

    # Moves --------------------------------------------------------------------------------

    def _moves(self) -> None:
        """Take a part that is gone here and new there for one that was moved."""
        gone = [one for one in self.found if one.kind is ChangeKind.REMOVED]
        for one in gone:
            assert one.before is not None
            if one.before.size < 3 or not isinstance(one.before.node, n.Control | n.Action):
                continue
            best, most = None, _MOVED
            for other in self.found:
                if other.kind is ChangeKind.ADDED and other.after is not None:
                    alike = likeness(one.before, other.after)
                    if alike >= most and type(one.before.node) is type(other.after.node):
                        best, most = other, alike + 1e-9
            if best is not None and best.after is not None:
                self.found.remove(one)
                at = self.found.index(best)
                self.found[at] = Found(ChangeKind.MOVED, one.before, best.after)
                self.pair(one.before, best.after)


def _digests(parts: Sequence[Part]) -> set[int]:
    return {part.digest for part in parts}


def _crossed(before: Sequence[Part], after: Sequence[Part], one: int, other: int) -> bool:
    """Return whether two parts, and only they, have changed places."""
    if len(before) != len(after) or len(before) <= other:
        return False
    old, new = [part.digest for part in before], [part.digest for part in after]
    old[one], old[other] = old[other], old[one]
    return old == new


def _branches_crossed(before: Sequence[Part], after: Sequence[Part]) -> bool:
    """Return whether two steps under opposite conditions have changed places."""
    if not all(isinstance(part.node, n.When) for part in (*before, *after)):
        return False
    tests = [[part.children[0] for part in parts] for parts in (before, after)]
    opposite = isinstance(tests[0][1].node, n.Not)
    if not opposite or tests[0][1].children[0].digest != tests[0][0].digest:
        return False
    if [one.digest for one in tests[0]] != [one.digest for one in tests[1]]:
        return False
    bodies = [[part.children[1] for part in parts] for parts in (before, after)]
    return bodies[0][0].digest != bodies[1][0].digest and _crossed(bodies[0], bodies[1], 0, 1)


def _within(outer: Part, inner: Part) -> Part | None:
    """Return the part below a form that is another form, or much like it."""
    level = list(outer.children)
    for _ in range(_DEEPEST):
        for part in level:
            same = part.digest == inner.digest and (inner.size > 1 or part.parent is outer)
            if same or (
                type(part.node) is type(inner.node)
                and inner.size > 3
                and likeness(part, inner) > _MOVED
            ):
                return part
        level = [child for part in level for child in part.children]
    return None


def _same_value(before: Part, after: Part) -> bool:
    """Return whether two parts have one value, which is known before the game.

    A form with a declared constant in it has a value of its own for each value of the constant.
    """
    values = [_value(part) for part in (before, after)]
    return None not in values and values[0] == values[1] and type(values[0]) is type(values[1])


def _value(part: Part) -> Constant | None:
    if part.size > 12 or not isinstance(part.node, n.Expression):
        return None
    if part.fields and any(one.label[0] == "constant" for one in walk(part)):
        return None
    try:
        return constant(part.node)
    except NotConstantError:
        return None


_LIKELY = 0.34
"""Least share of the places of a name that have to be those of another, to be called that."""

_AROUND = 3
"""How many forms around a name make up its place."""


class NameChange(NamedTuple):
    """A name of the first version, and that of the second."""

    before: RuleName
    after: RuleName


def renamings(before: Version, after: Version) -> tuple[NameChange, ...]:
    """Return the names that occur in one version only and stand where another name stood.

    Two names are of one thing if they are of one namespace and mostly stand in the same places.
    """
    names = _names(before), _names(after)
    gone = [name for name in names[0] if name not in names[1]]
    new = [name for name in names[1] if name not in names[0]]
    if not gone or not new:
        return ()
    unnamed = dict.fromkeys((*gone, *new), "?")
    common = frozenset(before.values.keys() & after.values.keys())
    places = [_places(version, Parts(version, common, unnamed)) for version in (before, after)]
    found = sorted(
        (
            (-_shared(places[0][one], places[1][other]), at, to, one, other)
            for at, one in enumerate(gone)
            for to, other in enumerate(new)
            if one[:2] == other[:2]
        ),
        key=lambda row: row[:3],
    )
    taken: set[RuleName] = set()
    renamed: list[NameChange] = []
    for score, _, _, one, other in found:
        if -score >= _LIKELY and one not in taken and other not in taken:
            taken |= {one, other}
            renamed.append(NameChange(one, other))
    return tuple(sorted(renamed))


def _shared(before: Counter[object], after: Counter[object]) -> float:
    total = max(before.total(), after.total())
    return (before & after).total() / total if total else 0.0


def roots(version: Version) -> Sequence[n.Node]:
    """Return the nodes of a version that are compared: of decks' places, items and the score."""
    program = version.program
    return (*(deck.location for deck in program.decks), *program.items, program.score)


def _names(version: Version) -> dict[RuleName, None]:
    """Return all names of a version, in the order of their first use."""
    found: dict[RuleName, None] = {}
    for card in version.program.cards:
        for key, value in card.attributes.items():
            found[RuleName("text", "", key)] = None
            found[RuleName("text", "", value)] = None
    for name in version.values:
        found[RuleName("constant", "", name)] = None
    parts = Parts(version, frozenset(), {})
    for root in roots(version):
        for part in walk(parts.of(root)):
            for named in named_in(part):
                found[named] = None
    return found


def named_in(part: Part) -> Iterator[RuleName]:
    """Yield the names that a part itself has."""
    if part.named is not None:
        yield part.named
    elif isinstance(part.node, n.Text):
        yield RuleName("text", "", part.node.value)
    elif isinstance(part.node, n.Strings):
        for value in part.node.values:
            yield RuleName("text", "", value)


def _places(version: Version, parts: Parts) -> Mapping[RuleName, Counter[object]]:
    """Return the places of all names: the forms around them, as trees without new names."""
    places: defaultdict[RuleName, Counter[object]] = defaultdict(Counter)
    for key, value in {pair for card in version.program.cards for pair in card.attributes.items()}:
        places[RuleName("text", "", value)]["value", key if key in _KEYS else ""] += 1
    for root in roots(version):
        for part in walk(parts.of(root)):
            names = list(named_in(part))
            constant = version.constant(part.node)
            if constant is not None:
                names.append(RuleName("constant", "", constant))
            for at, named in enumerate(names):
                for height, around in zip(range(_AROUND), part.ancestors(), strict=False):
                    places[named][height, at, around.digest] += 1
    return places


_KEYS = frozenset({"RANK", "SUIT", "COLOR", "COLOUR"})
"""Attributes that are hardly ever called otherwise."""
