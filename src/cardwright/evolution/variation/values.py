"""Operators on values: numbers, strings, words and declared constants."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import (
    Proposal,
    VariationDraw,
    near_number,
    on_site,
    replaced,
)
from cardwright.program.cards import LocationKind
from cardwright.program.fitting import variables_in
from cardwright.program.forms import SHAPES
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Turn
from cardwright.program.plain import constant_text
from cardwright.program.shapes import Literal, Operand
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite
    from cardwright.game.settings import Values
    from cardwright.program.constants import Constant
    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Part
    from cardwright.syntax.source import Span

# Numbers and strings --------------------------------------------------------------------------


@on_site(lambda _rules, site: is_atom(site.item, AtomKind.INTEGER))
def number(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """Change a number by a small step, double or halve it, or take another of the same file.

    Numbers of players are left alone: their games are others. Those of points and of cards that are
    dealt are changed here too, as what the number stands in decides the family.
    """
    before = int(draw.rules.written(site))
    after = near_number(before, draw.rules.numbers, draw.random)
    return None if after == before else replaced(site, str(after))


@on_site(
    lambda rules, site: (
        is_atom(site.item, AtomKind.NAME)
        and site.role != "KEY"
        and bool(rules.vocabulary.like(site.span))
    )
)
def string(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Write another string of the same group: a suit for a suit, a storage for a storage.

    The groups are those of `Vocabulary`. The keys of awards stay, as ranks are no suits.
    """
    return replaced(site, draw.one_of(draw.rules.vocabulary.like(site.span)))


# Words ----------------------------------------------------------------------------------------

_PLACES = frozenset(kind.value for kind in LocationKind)
"""Words that are part of a location's name: another one is another location, which is empty."""

_ALONE = (
    (ValueKind.BOOLEAN, ("true", "false")),
    (ValueKind.CYCLE_WORD | ValueKind.PLAYER, tuple(turn.value for turn in Turn)),
    (ValueKind.PLAYERS | ValueKind.TEAMS, ("player", "team")),
)
"""Words that are values by themselves, which may stand for each other where they fit."""


def _has_other_word(rules: ParsedRules, site: RuleSite) -> bool:
    return any(True for _ in _other_words(rules, site))


def word(draw: VariationDraw) -> Proposal | None:
    """Write another word or operator of the same kind: `<` for `<=`, `top` for `bottom`.

    Two words may stand for each other if the table of forms has rows that differ only in them, and
    give the same. In the scoring, `max` and `min` do.
    """
    sites = draw.sites(_has_other_word)
    scoring = ChangeFamily.SCORING in draw.families
    at = int(draw.random.integers(len(sites) + scoring)) if sites else 0
    if at == len(sites):
        return _other_end(draw.rules) if scoring else None
    site = sites[at]
    old, text = draw.one_of(list(_other_words(draw.rules, site)))
    edits = (Edit(old.span, text),)
    return Proposal(site.family, edits, site.span, _on_one_line(site.item, old, text))


def _on_one_line(item: Atom | Form, old: Atom, text: str) -> str:
    """Return the text of an item, on one line, with another word."""
    if isinstance(item, Form):
        return f"({' '.join(_on_one_line(inner, old, text) for inner in item.items)})"
    return text if item is old else item.text


def _other_end(rules: ParsedRules) -> Proposal:
    """Let the lowest score win instead of the highest, or the reverse."""
    item = rules.section("scoring").items[1]
    text = "min" if is_word(item, "max") else "max"
    return Proposal(ChangeFamily.SCORING, (Edit(item.span, text),), item.span, text)


def _other_words(rules: ParsedRules, site: RuleSite) -> Iterator[tuple[Atom, str]]:
    """Yield the words of a site that may be others, each with another one."""
    item = site.item
    if isinstance(item, Atom):
        for kind, words in _ALONE:
            if item.text in words and site.accepts & kind and is_atom(item, AtomKind.WORD):
                yield from ((item, other) for other in words if other != item.text)
    elif site.shape is not None and not _acts_alike(rules, site, item):
        for at, text in _exchanges().get(site.shape.pattern, ()):
            old = item.items[at]
            assert isinstance(old, Atom)
            yield old, text


def _acts_alike(rules: ParsedRules, site: RuleSite, form: Form) -> bool:
    """Return whether `any` would act as `all`: for a step that is in no choice."""
    if not site.gives & ValueKind.STEP or not form.starts_with("all"):
        return False
    around = (outer.shape for outer in rules.around(site))
    return not any(shape is not None and shape.head == "choice" for shape in around)


@cache
def _exchanges() -> dict[str, tuple[tuple[int, str], ...]]:
    """Return the words by which each row of the table can be turned into another.

    For each pattern, these are the place of the word and what may stand there.
    """
    found: defaultdict[str, dict[tuple[int, str], None]] = defaultdict(dict)
    for shape in SHAPES:
        for other in SHAPES:
            exchange = _exchange(shape, other)
            if exchange is not None:
                found[shape.pattern][exchange] = None
    return {pattern: tuple(words) for pattern, words in found.items()}


def _exchange(one: FormShape, other: FormShape) -> tuple[int, str] | None:
    """Return the place of the only word in which two rows differ, and the other's word there."""
    if one.result != other.result or len(one.parts) != len(other.parts) or one.mark != other.mark:
        return None
    pairs = enumerate(zip(one.parts, other.parts, strict=True))
    places = [(at, pair) for at, pair in pairs if not _same(*pair)]
    if len(places) != 1 or _means_the_same(one, other):
        return None
    at, (left, right) = places[0]
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return None
    return None if {left.text, right.text} & _PLACES else (at, right.text)


def _same(one: Part, other: Part) -> bool:
    """Return whether two parts are the same, or the same operand, which may be there more often."""
    if isinstance(one, Operand) and isinstance(other, Operand):
        return one.kind is other.kind
    return one == other


def _means_the_same(one: FormShape, other: FormShape) -> bool:
    """Return whether two rows are two ways to write the same, such as `%` and `mod`."""
    left, right = one.node, other.node
    return (
        isinstance(left, partial)
        and isinstance(right, partial)
        and (left.func, left.keywords) == (right.func, right.keywords)
    )


# Declared constants ---------------------------------------------------------------------------

_FEW = 4
"""Most values of which each is drawn as often as any other."""


class _Declaration(NamedTuple):
    """A declared constant: its name, the value that it has, and where that is written."""

    name: str
    value: Constant
    span: Span


def constant(draw: VariationDraw) -> Proposal | None:
    """Give a declared constant another of its values.

    They are those that the file beside the game lists; where it lists none, numbers near the one it
    has, and names that the rules compare it with. Values that do not go together are not proposed,
    nor are constants changed that follow from others.
    """
    rules, constants = draw.rules, draw.constants
    declared = [form for form in _declarations(rules) if form.name not in constants.derived]
    if not declared:
        return None
    name, before, span = draw.one_of(declared)
    values = constants.listed(name)
    if not values and not isinstance(before, int | range):
        values = tuple(rules.vocabulary.compared(name))
    after = _another(draw, before, values)
    if after is None or after == before:
        return None
    known = {one.name: one.value for one in rules.program.declared if one.value is not None}
    if not constants.allowed({**known, name: after}):
        return None
    text = constant_text(after)
    return Proposal(ChangeFamily.CONSTANTS, (Edit(span, text),), span, text)


def _declarations(rules: ParsedRules) -> Iterator[_Declaration]:
    """Yield the constants whose value is written out, rather than follows from others."""
    values = {one.span: one.value for one in rules.program.declared}
    for item in rules.form.items:
        if isinstance(item, Form) and is_word(item.head, "declare"):
            written, name = item.items[1:]
            value = values.get(name.span)
            plain = not any(True for _ in variables_in(written))
            if value is not None and isinstance(name, Atom) and plain:
                yield _Declaration(name.text[1:], value, written.span)


def _another(draw: VariationDraw, value: Constant, values: Values) -> Constant | None:
    """Draw another value of a constant; None where there is none."""
    match value:
        case bool():
            return not value
        case int():
            return _another_number(draw, value, [item for item in values if isinstance(item, int)])
        case str():
            return draw.any_of([item for item in values if isinstance(item, str) and item != value])
        case tuple():
            return _another_list(draw, value, [item for item in values if isinstance(item, str)])
        case range():
            step = 1 if draw.coin() else -1
            if draw.coin():
                return range(value.start + step, value.stop)
            return range(value.start, max(value.start + 1, value.stop + step))


def _another_number(draw: VariationDraw, value: int, values: Sequence[int]) -> int:
    """Draw a number near the value, among those that it may have; any of them if these are few."""
    others = [one for one in draw.rules.numbers if one in values or not values]
    near = near_number(abs(value), others, draw.random) * (-1 if value < 0 else 1)
    if not values or (near in values and len(values) > _FEW):
        return near
    return draw.one_of(values)


def _another_list(
    draw: VariationDraw, value: tuple[str, ...], values: Sequence[str]
) -> tuple[str, ...]:
    """Draw a list with one item more, less, exchanged, or in another place."""
    at, way = (int(draw.random.integers(count)) for count in (len(value), 4))
    name = draw.one_of(values or value)
    rest = value[:at] + value[at + 1 :]
    if way == 0 and len(value) > 1:
        return rest
    if way == 2:
        return (*value[:at], name, *value[at + 1 :])
    around, item = (value, name) if way == 1 else (rest, value[at])
    to = int(draw.random.integers(len(around) + 1))
    return (*around[:to], item, *around[to:])
