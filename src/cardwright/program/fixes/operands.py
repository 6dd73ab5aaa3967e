"""Misshapen variables, numbers, names and steps: each function proposes what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.common_mistakes import CommonMistake, word
from cardwright.program.definition_text import free_variables
from cardwright.program.fitting import may_be
from cardwright.program.fixes.brackets import wrap
from cardwright.program.fixes.conditions import bracketed, is_condition
from cardwright.program.fixes.words import patterns
from cardwright.program.keys import key_of
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, Operand, fits_any
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.shapes import FormShape


def variable(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(all 'P player ...)`, `(all player P ...)`: the variable is misplaced or misspelt."""
    if len(form.items) < 3 or not any(isinstance(part, Binder) for s in shapes for part in s.parts):
        return
    head, first, second, *rest = form.items
    about = {one.text for item in rest for one in free_variables(item)}
    named = is_atom(second, AtomKind.NAME) and shown(first) not in about
    if is_atom(first, AtomKind.VARIABLE) and not named:
        yield CommonMistake(
            Form((head, second, first, *rest), form.span),
            Code.WRONG_SHAPE,
            first.span,
            f"the variable {shown(first)} comes after what it is bound to",
            expected=patterns(shapes),
            help=f"write ({shown(head)} {shown(second)} {shown(first)} ...)",
        )
    if is_atom(second, AtomKind.NAME) or is_atom(second, AtomKind.WORD):
        assert isinstance(second, Atom)
        meant = Atom(AtomKind.VARIABLE, f"'{second.text.upper()}", second.span)
        yield CommonMistake(
            Form((head, first, meant, *rest), form.span),
            Code.WRONG_SHAPE,
            second.span,
            "a new variable should be here, with its apostrophe",
            expected=patterns(shapes),
            help=f"did you mean {meant.text}?",
        )


def forgotten(
    form: Form, shapes: Sequence[FormShape], is_known: Callable[[str], bool]
) -> CommonMistake | None:
    """`(filter L (== (cardatt SUIT 'C) X))`: the variable that what follows is about is missing."""
    for shape in shapes:
        at = next((i for i, part in enumerate(shape.parts) if isinstance(part, Binder)), 0)
        if not at or len(form.items) != len(shape.parts) - 1:
            continue
        if not isinstance(form.items[at], Form):
            continue
        body = Form(form.items[at:], form.span)
        about = {one.text for one in free_variables(body) if not is_known(one.text)}
        if len(about) != 1:
            continue
        (name,) = about
        new = Atom(AtomKind.VARIABLE, name, form.items[at].span)
        meant = Form((*form.items[:at], new, *form.items[at:]), form.span)
        if not fits_any(meant, [shape]):
            continue
        return CommonMistake(
            meant,
            Code.WRONG_SHAPE,
            form.items[at].span,
            f"`{shown(form.items[0])}` needs a variable here: {name} is missing",
            expected=shape.pattern,
            help=f"write ({' '.join(shown(item, 30) for item in meant.items[: at + 1])} ...)",
        )
    return None


def sign(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`-3`: numbers have no sign."""
    for at in range(1, len(form.items) - 1):
        sign, number = form.items[at : at + 2]
        touching = sign.span.end == number.span.start
        if not (is_word(sign, "-") or is_word(sign, "+")) or not touching:
            continue
        if not is_atom(number, AtomKind.INTEGER):
            continue
        assert isinstance(number, Atom)
        zero = Atom(AtomKind.INTEGER, "0", sign.span)
        meant = number if is_word(sign, "+") else Form((sign, zero, number), number.span)
        yield CommonMistake(
            Form((*form.items[:at], meant, *form.items[at + 2 :]), form.span),
            Code.WRONG_SHAPE,
            sign.span.to(number.span),
            "numbers are written without a sign",
            help=f"write {shown(meant)}",
        )


def sizes(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(subsets L 2 .. 4)`: a test of size compares with one number."""
    if (
        len(form.items) != 5
        or not is_word(form.head, "subsets")
        or not is_word(form.items[3], "..")
    ):
        return
    head, location, low, dots, high = form.items
    meant = Form((head, location, Atom(AtomKind.OPERATOR, "<=", dots.span), high), form.span)
    if not (isinstance(low, Atom) and low.text == "1"):
        group = Atom(AtomKind.VARIABLE, "'GROUP", dots.span)
        size = Form((word("size", dots), group), dots.span)
        test = Form((Atom(AtomKind.OPERATOR, ">=", dots.span), size, low), dots.span)
        meant = Form((word("filter", head), meant, group, test), form.span)
    yield CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        low.span.to(high.span),
        "the size of subsets is compared with one number",
        expected="(subsets LOCATION <= INTEGER)",
        help=f"write {shown(meant, 90)}",
    )


def negation(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(- X)`: a number is negated by subtracting it from 0."""
    if len(form.items) != 2 or not is_word(form.head, "-"):
        return
    head, number = form.items
    meant = Form((head, Atom(AtomKind.INTEGER, "0", head.span), number), form.span)
    yield CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        f"{shown(form, 30)} subtracts nothing",
        expected="(- INTEGER INTEGER)",
        help=f"a number is negated by subtracting it from 0: {shown(meant)}",
    )


def unequal(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(not A B)`: whether two values differ is another form."""
    if len(form.items) != 3 or not is_word(form.head, "not"):
        return
    head, left, right = form.items
    if isinstance(left, Form) and may_be(left, ValueKind.BOOLEAN):
        return
    meant = Form((Atom(AtomKind.OPERATOR, "!=", head.span), left, right), form.span)
    yield CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        head.span,
        "`not` turns one condition round; whether two values differ is asked by `!=`",
        expected="(not BOOLEAN) or (!= VALUE VALUE)",
        help=f"write {shown(meant)}",
    )


def thousands(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`1,000`: numbers have no commas."""
    for at in range(1, len(form.items) - 2):
        first, comma, last = form.items[at : at + 3]
        touching = first.span.end == comma.span.start and comma.span.end == last.span.start
        numbers = is_atom(first, AtomKind.INTEGER) and is_atom(last, AtomKind.INTEGER)
        if not (touching and numbers and is_word(comma, ",")):
            continue
        span = first.span.to(last.span)
        meant = Atom(AtomKind.INTEGER, shown(first) + shown(last), span)
        yield CommonMistake(
            Form((*form.items[:at], meant, *form.items[at + 3 :]), form.span),
            Code.WRONG_SHAPE,
            span,
            "numbers are written without commas",
            help=f"write {meant.text}",
        )


def glued(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`myScore`, `2H`: names are in capitals and start with a letter."""
    for at, item in enumerate(form.items):
        end = at + 1
        while end < len(form.items) and _touch(form.items[end - 1], form.items[end]):
            end += 1
        if at == 0 or end == at + 1 or is_atom(item, AtomKind.VARIABLE):
            continue
        text = "".join(shown(part) for part in form.items[at:end])
        span = item.span.to(form.items[end - 1].span)
        name = Atom(AtomKind.NAME, text.upper(), span)
        advice = f"did you mean {name.text}?"
        if is_atom(item, AtomKind.INTEGER):
            advice = "names start with a letter; ranks are spelt out: TWO, TEN"
        yield CommonMistake(
            Form((*form.items[:at], name, *form.items[end:]), form.span),
            Code.WRONG_SHAPE,
            span,
            f"{text} is not a name: names are capital letters, then letters, digits and _",
            help=advice,
        )


def _touch(left: Syntax, right: Syntax) -> bool:
    glue = {AtomKind.WORD, AtomKind.NAME, AtomKind.INTEGER}
    both = isinstance(left, Atom) and isinstance(right, Atom)
    return both and left.span.end == right.span.start and {left.kind, right.kind} <= glue  # type: ignore[union-attr]


def doubled(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game sto X) 1 1)`: a part is doubled."""
    for at in range(1, len(form.items) - 1):
        first, second = form.items[at : at + 2]
        if isinstance(first, Atom) and isinstance(second, Atom) and first.text == second.text:
            yield CommonMistake(
                Form((*form.items[:at], *form.items[at + 1 :]), form.span),
                Code.WRONG_SHAPE,
                second.span,
                f"{shown(second)} is written twice",
            )


def several_steps(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(all player 'P (a) (b))`: several steps in place of one."""
    for shape in shapes:
        last = shape.parts[-1]
        count = len(shape.parts)
        if not isinstance(last, Operand) or last.kind != ValueKind.BODY or last.many:
            continue
        steps = form.items[count - 1 :]
        conditional = isinstance(shape.parts[0], Operand)
        if conditional and not may_be(form.items[0], ValueKind.BOOLEAN | ValueKind.INTEGER):
            continue
        if len(steps) < 2:
            continue
        paired = bracketed(steps)
        if paired is not None and is_condition(steps[0]):
            guarded = paired[0] if len(paired) == 1 else wrap((steps[0], _do(steps[1:])))
            yield CommonMistake(
                Form((*form.items[: count - 1], guarded), form.span),
                Code.WRONG_SHAPE,
                steps[0].span,
                "a condition and its step belong in one bracket",
                expected="(BOOLEAN STEP)",
                help=f"{'write' if len(paired) == 1 else 'for example'} {shown(guarded, 60)}",
            )
            continue
        yield CommonMistake(
            Form((*form.items[: count - 1], _do(paired or steps)), form.span),
            Code.WRONG_SHAPE,
            steps[1].span,
            f"{shown(form, 30)} takes only one step",
            expected=shape.pattern,
            help="put several steps into one: (do (STEP...))",
        )


def _do(steps: Sequence[Syntax]) -> Form:
    inner = wrap(steps)
    return Form((word("do", steps[0]), inner), inner.span)


def end_of_stage(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(stage player (choice ...))`: the end of the stage is missing, or comes too late."""
    if not is_word(form.head, "stage") or len(form.items) < 3:
        return
    ends = [item for item in form.items if isinstance(item, Form) and is_word(item.head, "end")]
    others = [item for item in form.items[2:] if item not in ends]
    if ends and ends[0] is form.items[2]:
        yield from _several_ends(form, ends[0])
        return
    condition = None if ends else _condition(form.items[2])
    if condition is not None:
        end = Form((word("end", condition), condition), form.items[2].span)
        yield CommonMistake(
            Form((*form.items[:2], end, *form.items[3:]), form.span),
            Code.WRONG_SHAPE,
            form.items[2].span,
            f"`end` is missing before {shown(condition)}",
            expected="(stage player (end BOOLEAN) ITEM...)",
            help=f"write {shown(end, 60)}",
        )
        return
    unknown = Form((word("end", form), Atom(AtomKind.BAD, "", form.items[0].span)), form.span)
    yield CommonMistake(
        Form((*form.items[:2], ends[0] if ends else unknown, *others), form.span),
        Code.WRONG_SHAPE,
        ends[0].span if ends else form.items[0].span,
        f"the end of a stage comes first, after `{shown(form.items[1])}`"
        if ends
        else "this stage does not say when it ends",
        expected="(stage player (end BOOLEAN) ITEM...)",
        help="" if ends else "for example (end (== (game sto ROUND) 3))",
    )


def _several_ends(form: Form, end: Form) -> Iterator[CommonMistake]:
    """`(end A B)`: two conditions are one condition with `or`."""
    tests = end.items[1:]
    if len(tests) < 2 or not all(may_be(test, ValueKind.BOOLEAN) for test in tests):
        return
    joined = Form((word("or", tests[0]), *tests), tests[0].span.to(tests[-1].span))
    meant = Form((end.items[0], joined), end.span)
    yield CommonMistake(
        Form((*form.items[:2], meant, *form.items[3:]), form.span),
        Code.WRONG_SHAPE,
        tests[1].span,
        "a stage has one end; several conditions are joined by `or`, or by `and`",
        expected="(end BOOLEAN)",
        help=f"for example {shown(meant, 60)}",
    )


def how_often(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(repeat ACTION)`: the number is missing."""
    if len(form.items) != 2 or not is_word(form.head, "repeat"):
        return
    head, action = form.items
    if not isinstance(action, Form) or not may_be(action, ValueKind.ACTION):
        return
    yield CommonMistake(
        Form((head, Atom(AtomKind.BAD, "", head.span), action), form.span),
        Code.WRONG_SHAPE,
        form.span,
        "this does not say how often",
        expected="(repeat INTEGER ACTION) or (repeat all ACTION)",
        help=f"write a number before the action: (repeat 3 {shown(action)})",
    )


def _condition(item: Syntax) -> Form | None:
    """Return the condition in place of the end of a stage, if there is one."""
    inner = item.items[0] if isinstance(item, Form) and len(item.items) == 1 else item
    if not isinstance(inner, Form) or not may_be(inner, ValueKind.BOOLEAN):
        return None
    return None if inner is item and may_be(inner, ValueKind.BLOCK) else inner


def attribute(form: Form) -> CommonMistake | None:
    """`(cardatt 'C SUIT)`: the attribute comes before the card."""
    if not is_word(form.head, "cardatt") or not is_atom(form.items[2], AtomKind.NAME):
        return None
    head, card, key = form.items
    is_card = isinstance(card, Form) and key_of(card) in {"top", "bottom", "max", "min"}
    if not is_card and not is_atom(card, AtomKind.VARIABLE):
        return None
    meant = Form((head, key, card), form.span)
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        "the attribute comes before the card",
        expected="(cardatt STRING CARD)",
        help=f"write {shown(meant)}",
    )
