"""To which family of changes a place of the text belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from cardwright.evolution.variation.material import Material
    from cardwright.syntax.source import Span

_SECTIONS = {
    "declare": ChangeFamily.CONSTANTS,
    "setup": ChangeFamily.DECK,
    "scoring": ChangeFamily.SCORING,
}


def family_of(material: Material, span: Span) -> ChangeFamily:
    """Return the family of a place: that of the smallest site around it, or of its section."""
    around = [one for one in material.sites if _within(span, one.span)]
    if around:
        return min(around, key=lambda one: one.span.end - one.span.start).family
    for item in material.form.items:
        if isinstance(item, Form) and _within(span, item.span):
            for word, family in _SECTIONS.items():
                if is_word(item.head, word):
                    return family
    return ChangeFamily.STEPS


def _within(span: Span, around: Span) -> bool:
    return around.start <= span.start and span.end <= around.end
