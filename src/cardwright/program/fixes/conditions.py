"""Misshapen conditional steps with an `else`: what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.common_mistakes import CommonMistake, word
from cardwright.program.fixes.brackets import wrap
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.program.shapes import FormShape

_EXPECTED = "(BOOLEAN STEP else STEP)"


def otherwise(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(C S (else T))`, `(C S else)`, `(C else T)`, `(C S S else T)`: what stands around else."""
    items = form.items
    last = items[-1]
    if isinstance(last, Form) and is_word(last.head, "else") and len(last.items) > 1:
        yield _mistake(
            Form((*items[:-1], last.items[0], *last.items[1:]), form.span),
            last,
            "`else` stands between the two steps, without a bracket of its own",
        )
    at = next((i for i, item in enumerate(items) if is_word(item, "else")), 0)
    if not at:
        return
    before, after = items[1:at], items[at + 1 :]
    if not after:
        problem = "a step is missing after `else`"
        yield _mistake(Form(items[:at], form.span), items[at], problem)
    elif not before:
        negated = Form((word("not", items[0]), items[0]), items[0].span)
        yield _mistake(
            Form((negated, *after), form.span),
            items[at],
            "a step is missing before `else`",
            f"test the opposite: ((not {shown(items[0], 20)}) ...)",
        )
    elif len(before) > 1 or len(after) > 1:
        meant = (items[0], _one(before), items[at], _one(after))
        several = before if len(before) > 1 else after
        yield _mistake(
            Form(meant, form.span),
            several[1],
            "there is one step on each side of `else`",
            "put several steps into one: (do (STEP...))",
        )


def _one(steps: Sequence[Syntax]) -> Syntax:
    if len(steps) == 1:
        return steps[0]
    inner = wrap(steps)
    return Form((word("do", steps[0]), inner), inner.span)


def _mistake(meant: Form, place: Syntax, message: str, advice: str = "") -> CommonMistake:
    return CommonMistake(
        meant, Code.WRONG_SHAPE, place.span, message, expected=_EXPECTED, help=advice
    )
