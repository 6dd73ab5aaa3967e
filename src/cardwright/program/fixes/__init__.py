"""Fixes: what a form of the wrong shape was meant to be, found by trial.

Each fix proposes forms that differ from the given one by one common mistake. The first proposal
that has a shape of the table is taken: the mistake is reported in one message, and the form is read
as it was meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.fixes import brackets, conditions, operands, words
from cardwright.program.forms import BY_KEY
from cardwright.program.keys import key_of
from cardwright.program.shapes import FormShape, fits_any
from cardwright.syntax.tree import Form, is_left_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.common_mistakes import CommonMistake


MOST_ITEMS = 50
"""Longest form that is fixed, in items: a longer one would take too many trials."""


def fix(form: Form, shapes: Sequence[FormShape]) -> CommonMistake | None:
    """Return the mistake that keeps a form from fitting these shapes, if one is found."""
    if len(form.items) > MOST_ITEMS or any(map(is_left_out, form.items)):
        return None
    key = key_of(form)
    for propose in _FIXES:
        for mistake in propose(form, shapes):
            meant = mistake.meant
            assert isinstance(meant, Form)
            if fits_any(meant, shapes if key_of(meant) == key else BY_KEY.get(key_of(meant), ())):
                return mistake
    return None


def fix_fitting(form: Form) -> CommonMistake | None:
    """Return the mistake in a form that fits a shape of the table only by accident."""
    if len(form.items) > MOST_ITEMS or any(map(is_left_out, form.items)):
        return None
    return (
        brackets.listed_award(form)
        or brackets.listed_step(form)
        or brackets.loose_item(form)
        or conditions.without_bracket(form)
        or operands.attribute(form)
    )


_FIXES: tuple[Callable[[Form, Sequence[FormShape]], Iterator[CommonMistake]], ...] = (
    conditions.otherwise,
    operands.doubled,
    brackets.steps,
    operands.sign,
    operands.sizes,
    operands.negation,
    operands.unequal,
    operands.how_often,
    operands.thousands,
    operands.glued,
    brackets.awards,
    brackets.owner,
    brackets.storage,
    brackets.names,
    brackets.inner_form,
    operands.variable,
    words.missing_word,
    words.wrong_word,
    operands.end_of_stage,
    operands.several_steps,
)
