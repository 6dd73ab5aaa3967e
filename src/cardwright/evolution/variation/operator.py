"""The protocol of a variation operator: where it can change a text, and one change at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cardwright.evolution.candidate import CandidateChange
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.candidate import ChangeFamily
    from cardwright.evolution.variation.material import Material


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

    def change(self, operator: str, material: Material) -> CandidateChange:
        """Return the change as it is recorded, made by an operator of this name."""
        line = material.source.line_at(self.span.start)
        before = material.source.at(self.span)
        return CandidateChange(operator, self.family, line, before, self.after, self.source)


def removal(material: Material, span: Span) -> Edit:
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
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return a change of the material, of one of these families; None if there is none.

        `mates` are other rules from which parts may be taken. The result differs from the text, as
        far as can be said without a check.
        """
        ...
