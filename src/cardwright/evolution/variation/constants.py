"""Declared constants: another value for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.near_number import near_number
from cardwright.evolution.variation.operator import Proposal
from cardwright.program.fitting import variables_in
from cardwright.program.plain import constant_text
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import Atom, Form, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.constant_values import ConstantValues
    from cardwright.evolution.variation.material import Material
    from cardwright.game.settings import Values
    from cardwright.program.constants import Constant
    from cardwright.syntax.source import Span

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
        material: Material,
        mates: Sequence[Material],
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

    def _values(self, one: _Declaration, material: Material) -> Values:
        """Return the values among which one is drawn; none for numbers near that which it has."""
        listed = self.constants.listed(one.name)
        if listed or isinstance(one.value, int | range):
            return listed
        return tuple(material.vocabulary.compared(one.name))


def _declarations(material: Material) -> Iterator[_Declaration]:
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
