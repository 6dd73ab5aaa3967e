"""Parts: the nodes of a typed tree as they are compared, each with a digest of all below it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.authoring.rule_difference.version import Version

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
