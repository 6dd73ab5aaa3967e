"""Words and operators that could stand in each other's places, by the table of forms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.operator import Proposal
from cardwright.program.cards import LocationKind
from cardwright.program.forms import SHAPES
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Turn
from cardwright.program.shapes import Literal, Operand
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite
    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Part

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
        material: Material,
        mates: Sequence[Material],
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


def _other_end(material: Material) -> Proposal | None:
    """Return the change by which the lowest score wins instead of the highest, or the reverse."""
    for item in material.form.items:
        if isinstance(item, Form) and is_word(item.head, "scoring"):
            span = item.items[1].span
            text = "min" if is_word(item.items[1], "max") else "max"
            return Proposal(ChangeFamily.SCORING, (Edit(span, text),), span, text)
    return None


def _others(material: Material, site: RuleSite) -> Iterator[tuple[Atom, str]]:
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


def _acts_alike(material: Material, site: RuleSite) -> bool:
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
