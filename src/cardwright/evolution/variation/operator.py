"""What all operators share: proposals, and random choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from cardwright.evolution.candidate import CandidateChange
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.candidate import ChangeFamily
    from cardwright.evolution.variation.parsed_rules import ParsedRules


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that may be made of a text; it need not pass the check.

    The `edits` are all that is to be done. For people, `span` is the place in the text that is
    changed, and `after` what stands there then; the text before is that of the span. `source` names
    the candidate that the new text is from, if that is another one.
    """

    family: ChangeFamily
    edits: tuple[Edit, ...]
    span: Span
    after: str
    source: str = ""

    def change(self, operator: str, material: ParsedRules) -> CandidateChange:
        """Return the change as it is recorded, made by an operator of this name."""
        line = material.source.line_at(self.span.start)
        before = material.source.at(self.span)
        return CandidateChange(operator, self.family, line, before, self.after, self.source)


def removal(material: ParsedRules, span: Span) -> Edit:
    """Return the edit that takes out what stands at a span, with the white space before it."""
    text = material.text
    start = span.start
    while start and text[start - 1].isspace():
        start -= 1
    # A comment before it would otherwise swallow what follows.
    line = text.rfind("\n", 0, start) + 1
    commented = ";;" in text[line:start]
    return Edit(Span(span.start if commented else start, span.end), "")


class VariationOperator(Protocol):
    """One way to change rules.

    An operator has no state: what it draws follows from the materials and the generator.
    """

    @property
    def name(self) -> str:
        """What it changes, in a word or two, such as `number`; it is written in each change."""
        ...

    @property
    def families(self) -> frozenset[ChangeFamily]:
        """The families of changes that it can make."""
        ...

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return a change of the material, of one of these families; None if there is none.

        `mates` are other rules from which parts may be taken. The result differs from the text, as
        far as can be said without a check.
        """
        ...


_Item = TypeVar("_Item")


def one_of(items: Sequence[_Item], random: np.random.Generator) -> _Item:
    """Draw one of some items, each as likely; raises ValueError if there is none."""
    return items[int(random.integers(len(items)))]


def by_weight(weights: Sequence[float], random: np.random.Generator) -> int:
    """Draw a place in a list, in proportion to the weight there."""
    left = random.random() * sum(weights)
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    return len(weights) - 1


def near_number(number: int, others: Sequence[int], random: np.random.Generator) -> int:
    """Draw a number of 0 or more in the place of another.

    In four of ten cases it is one step away, in two more two or three steps; else the double or the
    half, one of the `others`, or a number between a quarter and four times as much, where small
    factors are as frequent as large ones. It may be the number itself, where nothing else is found.

    A step is 1, and of large numbers a twentieth: 299 in the place of 300 would be no other game.
    """
    unit = max(1, round(number / 20))
    way = random.random()
    if way < 0.4:
        return max(0, number + (unit if random.random() < 0.5 else -unit))
    if way < 0.6:
        step = unit * int(random.integers(2, 4))
        return max(0, number + (step if random.random() < 0.5 else -step))
    if way < 0.76:
        return number * 2 if random.random() < 0.5 else number // 2
    if way < 0.88 and others:
        return others[int(random.integers(len(others)))]
    return round(number * 4 ** random.uniform(-1, 1))
