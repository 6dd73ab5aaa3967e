"""Names that one version has instead of others: the same things under new names."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cardwright.authoring.rule_difference.part import Part, Parts, RuleName, walk
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.authoring.rule_difference.version import Version

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
