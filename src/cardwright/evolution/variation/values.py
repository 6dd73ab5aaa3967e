"""Operators on values: numbers, strings, words and declared constants."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import Proposal, near_number, one_of
from cardwright.program.cards import LocationKind
from cardwright.program.check import holds
from cardwright.program.fitting import variables_in
from cardwright.program.forms import SHAPES
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Turn
from cardwright.program.plain import constant_text
from cardwright.program.shapes import Literal, Operand
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite
    from cardwright.game.settings import Settings, Values
    from cardwright.program.constants import Constant
    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Part
    from cardwright.syntax.source import Span


@dataclass(frozen=True, slots=True)
class NumberOperator:
    """Changes a number by a small step, doubles or halves it, or takes another of the same file.

    Numbers of players are left alone: their games are others. Those of points and of cards that are
    dealt are changed here too, as what the number stands in decides the family.
    """

    name: str = "number"
    families: frozenset[ChangeFamily] = frozenset(
        {ChangeFamily.SCORING, ChangeFamily.DECK, ChangeFamily.STEPS}
    )

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another number in the place of one; see `near_number`."""
        sites = material.chosen(self.name, families, _is_number)
        if not sites:
            return None
        site = one_of(sites, random)
        number = _value(site)
        changed = near_number(number, material.numbers, random)
        if changed == number:
            return None
        edits = (Edit(site.span, str(changed)),)
        return Proposal(site.family, edits, site.span, str(changed))


def _is_number(site: RuleSite) -> bool:
    return is_atom(site.item, AtomKind.INTEGER)


def _value(site: RuleSite) -> int:
    assert isinstance(site.item, Atom)
    return int(site.item.text)


@dataclass(frozen=True, slots=True)
class StringOperator:
    """Writes another string of the same group: a suit for a suit, a storage for a storage.

    The groups are those of `Vocabulary`. The keys of awards stay, as ranks are no suits.
    """

    name: str = "string"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.SCORING, ChangeFamily.STEPS})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another string in the place of one."""

        def suits(site: RuleSite) -> bool:
            named = is_atom(site.item, AtomKind.NAME) and site.role != "KEY"
            return named and bool(material.vocabulary.like(site.span))

        sites = material.chosen(self.name, families, suits)
        if not sites:
            return None
        site = one_of(sites, random)
        text = one_of(material.vocabulary.like(site.span), random)
        return Proposal(site.family, (Edit(site.span, text),), site.span, text)


_PLACES = frozenset(kind.value for kind in LocationKind)
"""Words that are part of a location's name: another one is another location, which is empty."""

_ALONE = (
    (ValueKind.BOOLEAN, ("true", "false")),
    (ValueKind.CYCLE_WORD | ValueKind.PLAYER, tuple(turn.value for turn in Turn)),
    (ValueKind.PLAYERS | ValueKind.TEAMS, ("player", "team")),
)
"""Words that are values by themselves, which may stand for each other where they fit."""


@dataclass(frozen=True, slots=True)
class WordOperator:
    """Writes another word or operator of the same kind: `<` for `<=`, `top` for `bottom`.

    Two words may stand for each other if the table of forms has rows that differ only in them, and
    give the same. In the scoring, `max` and `min` do.
    """

    name: str = "word"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.SCORING, ChangeFamily.STEPS})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another word in the place of one."""

        def suits(site: RuleSite) -> bool:
            return any(True for _ in _others(material, site))

        sites = list(material.chosen(self.name, families, suits))
        at = int(random.integers(len(sites) + (ChangeFamily.SCORING in families))) if sites else 0
        if at == len(sites):
            return _other_end(material) if ChangeFamily.SCORING in families else None
        site = sites[at]
        word, text = one_of(list(_others(material, site)), random)
        return Proposal(site.family, (Edit(word.span, text),), site.span, _with(site, word, text))


def _with(site: RuleSite, word: Atom, text: str) -> str:
    """Return the text of a site, on one line, with another word."""

    def said(item: Atom | Form) -> str:
        if isinstance(item, Form):
            return f"({' '.join(map(said, item.items))})"
        return text if item is word else item.text

    return said(site.item)


def _other_end(material: ParsedRules) -> Proposal | None:
    """Return the change by which the lowest score wins instead of the highest, or the reverse."""
    for item in material.form.items:
        if isinstance(item, Form) and is_word(item.head, "scoring"):
            span = item.items[1].span
            text = "min" if is_word(item.items[1], "max") else "max"
            return Proposal(ChangeFamily.SCORING, (Edit(span, text),), span, text)
    return None


def _others(material: ParsedRules, site: RuleSite) -> Iterator[tuple[Atom, str]]:
    """Yield the words of a site that may be others, each with another one."""
    item = site.item
    if isinstance(item, Atom):
        for kind, words in _ALONE:
            if item.text in words and site.accepts & kind and is_atom(item, AtomKind.WORD):
                yield from ((item, word) for word in words if word != item.text)
        return
    if site.shape is None or _acts_alike(material, site):
        return
    for at, text in _exchanges().get(site.shape.pattern, ()):
        word = item.items[at]
        assert isinstance(word, Atom)
        yield word, text


def _acts_alike(material: ParsedRules, site: RuleSite) -> bool:
    """Return whether `any` would act as `all`: for a step that is in no choice."""
    item = site.item
    if not isinstance(item, Form) or not site.gives & ValueKind.STEP or not item.starts_with("all"):
        return False
    around = (one.shape for one in material.around(site))
    return not any(shape is not None and shape.head == "choice" for shape in around)


@cache
def _exchanges() -> dict[str, tuple[tuple[int, str], ...]]:
    """Return the words by which each row of the table can be turned into another.

    For each pattern, these are the place of the word and what may stand there.
    """
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in SHAPES:
        for other in SHAPES:
            at = _differ(one, other)
            if at is not None:
                part = other.parts[at]
                assert isinstance(part, Literal)
                found[one.pattern].append((at, part.text))
    return {pattern: tuple(dict.fromkeys(words)) for pattern, words in found.items()}


def _differ(one: FormShape, other: FormShape) -> int | None:
    """Return the place of the only word in which two rows differ; None if there is more."""
    if one.result != other.result or len(one.parts) != len(other.parts) or one.mark != other.mark:
        return None
    if _means_the_same(one, other):
        return None
    places = [
        at for at, (a, b) in enumerate(zip(one.parts, other.parts, strict=True)) if not _same(a, b)
    ]
    if len(places) != 1:
        return None
    left, right = (shape.parts[places[0]] for shape in (one, other))
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return None
    return None if {left.text, right.text} & _PLACES else places[0]


def _same(one: Part, other: Part) -> bool:
    """Return whether two parts are the same, or the same operand, which may be there more often."""
    if isinstance(one, Operand) and isinstance(other, Operand):
        return one.kind is other.kind
    return one == other


def _means_the_same(one: FormShape, other: FormShape) -> bool:
    """Return whether two rows are two ways to write the same, such as `%` and `mod`."""
    meant = [
        (shape.node.func, shape.node.keywords)
        for shape in (one, other)
        if isinstance(shape.node, partial)
    ]
    return len(meant) == 2 and meant[0] == meant[1]


_FEW = 4
"""Most values of which each is drawn as often as any other."""


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A declared constant: its name, the value that it has, and where that is written."""

    name: str
    value: Constant
    span: Span


@dataclass(frozen=True, slots=True)
class ConstantOperator:
    """Gives a declared constant another of its values.

    They are those that the file beside the game lists; where it lists none, numbers near the one it
    has, and names that the rules compare it with. Values that do not go together are not proposed,
    nor are constants changed that follow from others.
    """

    constants: ConstantValues
    name: str = "constant"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.CONSTANTS})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return another value for one constant."""
        found = [one for one in _declarations(material) if one.name not in self.constants.derived]
        if not found:
            return None
        one = one_of(found, random)
        value = _another(one.value, self._values(one, material), material.numbers, random)
        if value is None or value == one.value:
            return None
        named = {two.name: two.value for two in material.program.declared if two.value is not None}
        if not self.constants.allowed({**named, one.name: value}):
            return None
        text = constant_text(value)
        return Proposal(ChangeFamily.CONSTANTS, (Edit(one.span, text),), one.span, text)

    def _values(self, one: _Declaration, material: ParsedRules) -> Values:
        """Return the values among which one is drawn; none for numbers near that which it has."""
        listed = self.constants.listed(one.name)
        if listed or isinstance(one.value, int | range):
            return listed
        return tuple(material.vocabulary.compared(one.name))


def _declarations(material: ParsedRules) -> Iterator[_Declaration]:
    """Yield the constants whose value is written out, rather than follows from others."""
    values = {one.span: one.value for one in material.program.declared}
    for item in material.form.items:
        if isinstance(item, Form) and is_word(item.head, "declare"):
            written, name = item.items[1:]
            value = values.get(name.span)
            if value is not None and isinstance(name, Atom) and _is_plain(written):
                yield _Declaration(name.text[1:], value, written.span)


def _is_plain(item: object) -> bool:
    """Return whether a value depends on no other constant."""
    return isinstance(item, Atom | Form) and not any(True for _ in variables_in(item))


def _another(
    value: Constant, values: Values, numbers: Sequence[int], random: np.random.Generator
) -> Constant | None:
    """Draw another value of a constant; None where there is none. The `numbers` are the file's."""
    match value:
        case bool():
            return not value
        case int():
            listed = [one for one in values if isinstance(one, int)]
            return _another_number(value, listed, numbers, random)
        case str():
            others = [one for one in values if isinstance(one, str) and one != value]
            return one_of(others, random) if others else None
        case tuple():
            return _another_list(value, [one for one in values if isinstance(one, str)], random)
        case range():
            return _another_range(value, random)


def _another_number(
    value: int, values: Sequence[int], numbers: Sequence[int], random: np.random.Generator
) -> int:
    """Draw a number near the value, among those that it may have; any of them if these are few."""
    others = [one for one in numbers if one in values or not values]
    near = near_number(abs(value), others, random) * (-1 if value < 0 else 1)
    if not values or (near in values and len(values) > _FEW):
        return near
    return one_of(values, random)


def _another_list(
    value: tuple[str, ...], values: Sequence[str], random: np.random.Generator
) -> tuple[str, ...]:
    """Draw a list with one item more, less, exchanged, or in another place."""
    at = int(random.integers(len(value)))
    way = int(random.integers(4))
    name = one_of(values or value, random)
    if way == 0 and len(value) > 1:
        return value[:at] + value[at + 1 :]
    if way == 1:
        to = int(random.integers(len(value) + 1))
        return (*value[:to], name, *value[to:])
    if way == 2:
        return (*value[:at], name, *value[at + 1 :])
    rest = value[:at] + value[at + 1 :]
    to = int(random.integers(len(value)))
    return (*rest[:to], value[at], *rest[to:])


def _another_range(value: range, random: np.random.Generator) -> range:
    """Draw a range with one bound one step away."""
    step = 1 if random.random() < 0.5 else -1
    if random.random() < 0.5:
        return range(value.start + step, value.stop)
    return range(value.start, max(value.start + 1, value.stop + step))


@dataclass(frozen=True, slots=True)
class ConstantValues:
    """The values of constants by name, those that follow from others, and what all must meet.

    For a list, the values are those of its items. A constant that is not named may have any value.
    The `requires` are conditions in RECYCLE. It can be hashed and sent to other processes.
    """

    values: tuple[tuple[str, Values], ...] = ()
    derived: frozenset[str] = frozenset()
    requires: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Settings) -> ConstantValues:
        """Return what the file beside a game says of its constants."""
        listed = tuple((name, one.values) for name, one in settings.declared.items() if one.values)
        derived = frozenset(name for name, one in settings.declared.items() if one.derived)
        return cls(listed, derived, tuple(one.condition for one in settings.requires))

    def listed(self, name: str) -> Values:
        """Return the values that a constant may have; none for any."""
        return next((values for known, values in self.values if known == name), ())

    def allowed(self, constants: Mapping[str, Constant]) -> bool:
        """Return whether the values of all constants go together.

        A condition that cannot be told, as it names a constant that the rules no longer have, rules
        nothing out.
        """
        for condition in self.requires:
            try:
                if not holds(condition, constants):
                    return False
            except ValueError:
                continue
        return True
