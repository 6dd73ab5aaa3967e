"""Misshapen conditional steps with an `else`: what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.common_mistakes import CommonMistake, word
from cardwright.program.fitting import may_be
from cardwright.program.fixes.brackets import wrap
from cardwright.program.kinds import ValueKind
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


def without_bracket(form: Form) -> CommonMistake | None:
    """`(do (C S))`, `(do ((C S) else T))`: a condition among steps, or an `else` after its step."""
    if is_word(form.head, "stage"):
        before, steps = form.items[:3], form.items[3:]
    elif is_word(form.head, "do") or is_word(form.head, "choice"):
        before, listed = form.items[:1], form.items[1]
        if not isinstance(listed, Form):
            return None
        steps = listed.items
    else:
        return None
    better = bracketed(steps)
    if better is None:
        return None
    pair = next(new for new, old in zip(better, steps, strict=False) if new is not old)
    assert isinstance(pair, Form)
    made = better if len(before) > 1 else (Form(better, form.items[1].span),)
    meant = Form((*before, *made), form.span)
    stray = next((item for item in steps if is_word(item, "else")), None)
    if stray is None or stray.span.start > pair.span.end:
        return _pair_mistake(meant, pair)
    return _mistake(
        meant,
        stray,
        "`else` stands outside of the bracket of its condition",
        f"write {shown(pair, 60)}",
    )


def _pair_mistake(meant: Form, pair: Form) -> CommonMistake:
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        pair.items[0].span,
        "a condition and its step belong in one bracket",
        expected="(BOOLEAN STEP)",
        help=f"write {shown(pair, 60)}",
    )


def bracketed(steps: Sequence[Syntax]) -> tuple[Syntax, ...] | None:
    """Return steps with each condition and its step in a bracket; None if they are so already.

    An `else` with its step goes into the bracket of the condition before it.
    """
    made: list[Syntax] = []
    at = 0
    while at < len(steps):
        item = steps[at]
        following = steps[at + 1] if at + 1 < len(steps) else None
        before = made[-1] if made else None
        if not isinstance(following, Form):
            made.append(item)
            at += 1
        elif is_condition(item) and may_be(following, ValueKind.CONTROL):
            made.append(wrap((item, following)))
            at += 2
        elif is_word(item, "else") and before is not None:
            if not isinstance(before, Form) or len(before.items) != 2:
                return None
            if not is_condition(before.head):
                return None
            items = (*before.items, item, following)
            made[-1] = Form(items, before.span.to(following.span))
            at += 2
        else:
            made.append(item)
            at += 1
    return tuple(made) if len(made) < len(steps) else None


def is_condition(item: Syntax | None) -> bool:
    """Return whether an item is surely a condition, and no step."""
    if not isinstance(item, Form) or not may_be(item, ValueKind.BOOLEAN):
        return False
    return not may_be(item, ValueKind.CONTROL)


def _one(steps: Sequence[Syntax]) -> Syntax:
    if len(steps) == 1:
        return steps[0]
    inner = wrap(steps)
    return Form((word("do", steps[0]), inner), inner.span)


def _mistake(meant: Form, place: Syntax, message: str, advice: str = "") -> CommonMistake:
    return CommonMistake(
        meant, Code.WRONG_SHAPE, place.span, message, expected=_EXPECTED, help=advice
    )
