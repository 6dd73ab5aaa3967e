"""Fixes: what a form of the wrong shape was meant to be, found by trial.

Each fix proposes forms that differ from the given one by one common mistake. The first proposal
that has a shape of the table is taken: the mistake is reported in one message, and the form is read
as it was meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.english import listed
from cardwright.program.diagnosis.mistakes import CommonMistake, patterns, word
from cardwright.program.fitting import (
    OWNER_KEYS,
    STORED,
    free_variables,
    is_owner,
    is_pair,
    key_of,
    may_be,
)
from cardwright.program.forms import BY_KEY, HEADS, FormShape, fits_any
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, shown
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_left_out, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.shapes import Part

MOST_ITEMS = 50
"""Longest form that is fixed, in items: a longer one would take too many trials."""

_STEPS = "put several steps into one: (do (STEP...))"


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


_ACCIDENTAL = {"set", "put", "do", "choice", "stage", "cardatt"}
"""The words of forms in which there is such a mistake."""


def fix_fitting(form: Form) -> CommonMistake | None:
    """Return the mistake in a form that fits a shape of the table only by accident."""
    if not isinstance(form.head, Atom) or form.head.text not in _ACCIDENTAL:
        return None
    if len(form.items) > MOST_ITEMS or any(map(is_left_out, form.items)):
        return None
    match form.items:
        case (Atom(text="set" | "put"), _, *_, Form(items=(Form() as pair, *_)) as award) if (
            is_pair(pair)
        ):  # (set (game points X) ((SUIT : A) 3))
            return _award(Form((*form.items[:-1], _wrap([award])), form.span), award)
        case (Atom(text="do" | "choice"), Form() as inner, *_) if is_atom(
            inner.head, AtomKind.WORD
        ):  # (do (turn pass))
            return next(_steps(form, ()))
        case (Atom(text="stage"), _, end, *_):  # (stage player (end ...) do (...))
            loose = (mistake for mistake in _inner_form(form, ()) if mistake.span > end.span)
            return next(loose, None) or _without_bracket(form)
        case (Atom(text="cardatt") as head, card, Atom(kind=AtomKind.NAME) as key):
            is_card = isinstance(card, Form) and key_of(card) in {"top", "bottom", "max", "min"}
            if is_card or is_atom(card, AtomKind.VARIABLE):
                meant, message = (
                    Form((head, key, card), form.span),
                    "the attribute comes before the card",
                )
                advice = f"write {shown(meant)}"
                return CommonMistake(meant, form.span, message, "(cardatt STRING CARD)", advice)
    return _without_bracket(form)


# Brackets --------------------------------------------------------------------------------------


def _steps(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(do (a) (b))`: the steps of a do or choice belong in one inner bracket."""
    head, *steps = form.items
    if not (is_word(head, "do") or is_word(head, "choice")) or not steps:
        return
    first = steps[0]
    if isinstance(first, Form) and not first.items:
        return
    if len(steps) > 1 and isinstance(first, Form) and not is_atom(first.head, AtomKind.WORD):
        stray: Syntax = steps[1]
        together = (*first.items, *steps[1:])
        message = f"all steps of a {head.text} belong in one inner bracket; this is outside it"
    else:
        stray = first
        together = tuple(steps)
        message = f"the steps of a {head.text} need a bracket of their own"
    inner = Form(together, first.span.to(steps[-1].span))
    yield CommonMistake(
        Form((head, inner), form.span),
        stray.span,
        message,
        expected=f"({head.text} (STEP...))",
        help=f"write ({head.text} ({shown(together[0], 30)} ...))",
    )


def _awards(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game points X) ((SUIT : A) 3))`: every award has a bracket of its own."""
    for at, item in enumerate(form.items):
        if isinstance(item, Form) and is_pair(item):
            inner = _wrap(form.items[at:])
            yield _award(form.replaced(at, len(form.items), _wrap([inner])), inner)
            return


def _award(meant: Form, award: Form) -> CommonMistake:
    return CommonMistake(
        meant,
        award.span,
        "each award has a bracket of its own, and all awards have one around them",
        expected="((AWARD) (AWARD) ...), with awards such as ((SUIT : HEARTS) 1)",
        help=f"write ({shown(award, 60)})",
    )


def _unbracketed(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """An owner, a storage or a list of names without a bracket of its own.

    `(current player iloc HAND)`, `(shuffle game iloc STOCK)`, `(all HEARTS, CLUBS 'S ...)`.
    """
    items = form.items
    words = (at for at, item in enumerate(items) if isinstance(item, Atom) and item.text in STORED)
    stored = next((at for at in words if at > 1), 0)
    if stored and key_of(form) in OWNER_KEYS:
        yield _bracket(form, 0, stored)
    if stored and is_owner(items[stored - 1]):
        ends = range(stored + 2, min(stored + 3, len(items)) + 1)
        yield from (_bracket(form, stored - 1, end) for end in ends)
    comma = next((at for at, item in enumerate(items) if is_word(item, ",")), 0)
    if comma > 1:
        end = comma
        while end + 1 < len(items) and is_word(items[end], ","):
            end += 2
        if all(is_atom(item, AtomKind.NAME) for item in items[comma - 1 : end : 2]):
            yield _bracket(form, comma - 1, end)


def _inner_form(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game sto X) size (game iloc STOCK))`: a form without its bracket."""
    for at, item in enumerate(form.items):
        if at == 0 or not isinstance(item, Atom) or item.text not in HEADS | {"end"}:
            continue
        for end in range(at + 2, min(at + 6, len(form.items)) + 1):
            inner = _wrap(form.items[at:end])
            if item.text == "end" or fits_any(inner, BY_KEY.get(item.text, ())):
                yield _bracket(form, at, end)


def _wrap(items: Sequence[Syntax]) -> Form:
    return Form(tuple(items), items[0].span.to(items[-1].span))


def _bracket(form: Form, start: int, end: int) -> CommonMistake:
    inner = _wrap(form.items[start:end])
    return CommonMistake(
        form.replaced(start, end, inner),
        inner.span,
        f"{shown(inner)[1:-1]} needs a bracket of its own",
        help=f"write {shown(inner, 60)}",
    )


# Conditions and steps --------------------------------------------------------------------------


def _otherwise(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(C S (else T))`, `(C S else)`, `(C else T)`, `(C S S else T)`: what stands around else."""
    items = form.items
    last = items[-1]
    if isinstance(last, Form) and is_word(last.head, "else") and len(last.items) > 1:
        yield _else(
            Form((*items[:-1], *last.items), form.span),
            last,
            "`else` stands between the two steps, without a bracket of its own",
        )
    at = next((i for i, item in enumerate(items) if is_word(item, "else")), 0)
    if not at:
        return
    before, after = items[1:at], items[at + 1 :]
    if not after:
        yield _else(Form(items[:at], form.span), items[at], "a step is missing after `else`")
    elif not before:
        negated = Form((word("not", items[0]), items[0]), items[0].span)
        yield _else(
            Form((negated, *after), form.span),
            items[at],
            "a step is missing before `else`",
            f"test the opposite: ((not {shown(items[0], 20)}) ...)",
        )
    elif len(before) > 1 or len(after) > 1:
        one, other = (steps[0] if len(steps) == 1 else _do(steps) for steps in (before, after))
        stray = (before if len(before) > 1 else after)[1]
        meant = Form((items[0], one, items[at], other), form.span)
        yield _else(meant, stray, "there is one step on each side of `else`", _STEPS)


def _else(meant: Form, place: Syntax, message: str, advice: str = "") -> CommonMistake:
    return CommonMistake(meant, place.span, message, "(BOOLEAN STEP else STEP)", advice)


def _without_bracket(form: Form) -> CommonMistake | None:
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
    better = _bracketed(steps)
    if better is None:
        return None
    pair = next(new for new, old in zip(better, steps, strict=False) if new is not old)
    assert isinstance(pair, Form)
    made = better if len(before) > 1 else (Form(better, form.items[1].span),)
    meant = Form((*before, *made), form.span)
    stray = next((item for item in steps if is_word(item, "else")), None)
    if stray is None or stray.span.start > pair.span.end:
        return _pair(meant, pair)
    message = "`else` stands outside of the bracket of its condition"
    return _else(meant, stray, message, f"write {shown(pair, 60)}")


def _pair(meant: Form, pair: Form, advice: str = "write") -> CommonMistake:
    return CommonMistake(
        meant,
        pair.items[0].span,
        "a condition and its step belong in one bracket",
        expected="(BOOLEAN STEP)",
        help=f"{advice} {shown(pair, 60)}",
    )


def _bracketed(steps: Sequence[Syntax]) -> tuple[Syntax, ...] | None:
    """Return steps with each condition and its step in a bracket; None if they are so already.

    An `else` with its step goes into the bracket of the condition before it.
    """
    made: list[Syntax] = []
    at = 0
    while at < len(steps):
        item = steps[at]
        following = steps[at + 1] if at + 1 < len(steps) else None
        before = made[-1] if made else None
        if isinstance(following, Form) and _is_condition(item) and _is_step(following):
            made.append(_wrap((item, following)))
            at += 2
        elif isinstance(following, Form) and is_word(item, "else") and before is not None:
            if not isinstance(before, Form) or len(before.items) != 2:
                return None
            if not _is_condition(before.head):
                return None
            made[-1] = Form((*before.items, item, following), before.span.to(following.span))
            at += 2
        else:
            made.append(item)
            at += 1
    return tuple(made) if len(made) < len(steps) else None


def _is_condition(item: Syntax | None) -> bool:
    """Return whether an item is surely a condition, and no step."""
    return isinstance(item, Form) and may_be(item, ValueKind.BOOLEAN) and not _is_step(item)


def _is_step(item: Form) -> bool:
    return may_be(item, ValueKind.CONTROL)


def _several_steps(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(all player 'P (a) (b))`: several steps in place of one."""
    for shape in shapes:
        last = shape.parts[-1]
        first = len(shape.parts) - 1
        if not isinstance(last, Operand) or last.kind != ValueKind.BODY or last.many:
            continue
        steps = form.items[first:]
        conditional = isinstance(shape.parts[0], Operand)
        if conditional and not may_be(form.items[0], ValueKind.BOOLEAN | ValueKind.INTEGER):
            continue
        if len(steps) < 2:
            continue
        paired = _bracketed(steps)
        if paired is not None and _is_condition(steps[0]):
            whole = len(paired) == 1
            guarded = paired[0] if whole else _wrap((steps[0], _do(steps[1:])))
            assert isinstance(guarded, Form)
            meant = form.replaced(first, len(form.items), guarded)
            yield _pair(meant, guarded, "write" if whole else "for example")
            continue
        yield CommonMistake(
            form.replaced(first, len(form.items), _do(paired or steps)),
            steps[1].span,
            f"{shown(form, 30)} takes only one step",
            expected=shape.pattern,
            help=_STEPS,
        )


def _do(steps: Sequence[Syntax]) -> Form:
    inner = _wrap(steps)
    return Form((word("do", steps[0]), inner), inner.span)


def _end_of_stage(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(stage player (choice ...))`: the end of the stage is missing, or comes too late."""
    if not is_word(form.head, "stage") or len(form.items) < 3:
        return
    ends = [item for item in form.items if isinstance(item, Form) and is_word(item.head, "end")]
    third = form.items[2]
    if ends and ends[0] is third:
        yield from _several_ends(form, ends[0])
        return
    expected = "(stage player (end BOOLEAN) ITEM...)"
    condition = None if ends else _condition(third)
    if condition is not None:
        end = Form((word("end", condition), condition), third.span)
        meant, message = form.replaced(2, 3, end), f"`end` is missing before {shown(condition)}"
        yield CommonMistake(meant, third.span, message, expected, f"write {shown(end, 60)}")
        return
    others = [item for item in form.items[2:] if item not in ends]
    if ends:
        meant = Form((*form.items[:2], ends[0], *others), form.span)
        message = f"the end of a stage comes first, after `{shown(form.items[1])}`"
        yield CommonMistake(meant, ends[0].span, message, expected)
        return
    head = form.items[0]
    unknown = Form((word("end", form), Atom(AtomKind.BAD, "", head.span)), form.span)
    meant = Form((*form.items[:2], unknown, *others), form.span)
    message, advice = "this stage does not say when it ends", "(end (== (game sto ROUND) 3))"
    yield CommonMistake(meant, head.span, message, expected, f"for example {advice}")


def _several_ends(form: Form, end: Form) -> Iterator[CommonMistake]:
    """`(end A B)`: two conditions are one condition with `or`."""
    tests = end.items[1:]
    if len(tests) < 2 or not all(may_be(test, ValueKind.BOOLEAN) for test in tests):
        return
    joined = Form((word("or", tests[0]), *tests), tests[0].span.to(tests[-1].span))
    meant = Form((end.items[0], joined), end.span)
    yield CommonMistake(
        form.replaced(2, 3, meant),
        tests[1].span,
        "a stage has one end; several conditions are joined by `or`, or by `and`",
        expected="(end BOOLEAN)",
        help=f"for example {shown(meant, 60)}",
    )


def _condition(item: Syntax) -> Form | None:
    inner = item.items[0] if isinstance(item, Form) and len(item.items) == 1 else item
    if not isinstance(inner, Form) or not may_be(inner, ValueKind.BOOLEAN):
        return None
    return None if inner is item and may_be(inner, ValueKind.BLOCK) else inner


# Variables, numbers and names ------------------------------------------------------------------


def _variable(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(all 'P player ...)`, `(all player P ...)`: the variable is misplaced or misspelt."""
    if len(form.items) < 3 or not any(isinstance(part, Binder) for s in shapes for part in s.parts):
        return
    head, first, second, *rest = form.items
    about = {variable.text for item in rest for variable in free_variables(item)}
    named = is_atom(second, AtomKind.NAME) and shown(first) not in about
    if is_atom(first, AtomKind.VARIABLE) and not named:
        yield CommonMistake(
            form.replaced(1, 3, second, first),
            first.span,
            f"the variable {first.text} comes after what it is bound to",
            expected=patterns(shapes),
            help=f"write ({shown(head)} {shown(second)} {shown(first)} ...)",
        )
    if is_atom(second, AtomKind.NAME) or is_atom(second, AtomKind.WORD):
        meant = Atom(AtomKind.VARIABLE, f"'{second.text.upper()}", second.span)
        yield CommonMistake(
            form.replaced(2, 3, meant),
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
        place = form.items[at]
        if not isinstance(place, Form):
            continue
        body = Form(form.items[at:], form.span)
        about = {variable.text for variable in free_variables(body) if not is_known(variable.text)}
        if len(about) != 1:
            continue
        (name,) = about
        meant = form.replaced(at, at, Atom(AtomKind.VARIABLE, name, place.span))
        if fits_any(meant, [shape]):
            return CommonMistake(
                meant,
                place.span,
                f"`{shown(form.items[0])}` needs a variable here: {name} is missing",
                expected=shape.pattern,
                help=f"write ({' '.join(shown(item, 30) for item in meant.items[: at + 1])} ...)",
            )
    return None


def _sign(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`-3`: numbers have no sign."""
    for at in range(1, len(form.items) - 1):
        sign, number = form.items[at : at + 2]
        if sign.span.end != number.span.start or not is_atom(number, AtomKind.INTEGER):
            continue
        if is_word(sign, "-") or is_word(sign, "+"):
            zero = Atom(AtomKind.INTEGER, "0", sign.span)
            meant = number if sign.text == "+" else Form((sign, zero, number), number.span)
            yield CommonMistake(
                form.replaced(at, at + 2, meant),
                sign.span.to(number.span),
                "numbers are written without a sign",
                help=f"write {shown(meant)}",
            )


def _operands(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """An operand that a form does not have, or that it lacks."""
    match form.items:
        case (Atom(text="subsets") as head, location, low, Atom(text="..") as dots, high):
            most = Atom(AtomKind.OPERATOR, "<=", dots.span)
            meant = Form((head, location, most, high), form.span)
            if not (isinstance(low, Atom) and low.text == "1"):
                group = Atom(AtomKind.VARIABLE, "'GROUP", dots.span)
                size = Form((word("size", dots), group), dots.span)
                test = Form((Atom(AtomKind.OPERATOR, ">=", dots.span), size, low), dots.span)
                meant = Form((word("filter", head), meant, group, test), form.span)
            yield CommonMistake(
                meant,
                low.span.to(high.span),
                "the size of subsets is compared with one number",
                expected="(subsets LOCATION <= INTEGER)",
                help=f"write {shown(meant, 90)}",
            )
        case (Atom(text="-") as head, _):
            meant = form.replaced(1, 1, Atom(AtomKind.INTEGER, "0", head.span))
            yield CommonMistake(
                meant,
                form.span,
                f"{shown(form, 30)} subtracts nothing",
                expected="(- INTEGER INTEGER)",
                help=f"a number is negated by subtracting it from 0: {shown(meant)}",
            )
        case (Atom(text="not") as head, left, _) if not isinstance(left, Form) or not may_be(
            left, ValueKind.BOOLEAN
        ):
            meant = form.replaced(0, 1, Atom(AtomKind.OPERATOR, "!=", head.span))
            yield CommonMistake(
                meant,
                head.span,
                "`not` turns one condition round; whether two values differ is asked by `!=`",
                expected="(not BOOLEAN) or (!= VALUE VALUE)",
                help=f"write {shown(meant)}",
            )
        case (Atom(text="repeat") as head, Form() as action) if may_be(action, ValueKind.ACTION):
            yield CommonMistake(
                form.replaced(1, 1, Atom(AtomKind.BAD, "", head.span)),
                form.span,
                "this does not say how often",
                expected="(repeat INTEGER ACTION) or (repeat all ACTION)",
                help=f"write a number before the action: (repeat 3 {shown(action)})",
            )


def _thousands(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`1,000`: numbers have no commas."""
    for at in range(1, len(form.items) - 2):
        first, comma, last = form.items[at : at + 3]
        touching = first.span.end == comma.span.start and comma.span.end == last.span.start
        if not touching or not is_word(comma, ","):
            continue
        if is_atom(first, AtomKind.INTEGER) and is_atom(last, AtomKind.INTEGER):
            number = Atom(AtomKind.INTEGER, first.text + last.text, first.span.to(last.span))
            meant, advice = form.replaced(at, at + 3, number), f"write {number.text}"
            message = "numbers are written without commas"
            yield CommonMistake(meant, number.span, message, help=advice)


def _glued(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`myScore`, `2H`: names are in capitals and start with a letter."""
    for at, item in enumerate(form.items):
        end = at + 1
        while end < len(form.items) and _touch(form.items[end - 1], form.items[end]):
            end += 1
        if at == 0 or end == at + 1 or is_atom(item, AtomKind.VARIABLE):
            continue
        text = "".join(shown(part) for part in form.items[at:end])
        name = Atom(AtomKind.NAME, text.upper(), item.span.to(form.items[end - 1].span))
        advice = f"did you mean {name.text}?"
        if is_atom(item, AtomKind.INTEGER):
            advice = "names start with a letter; ranks are spelt out: TWO, TEN"
        message = f"{text} is not a name: names are capital letters, then letters, digits and _"
        yield CommonMistake(form.replaced(at, end, name), name.span, message, help=advice)


_GLUE = {AtomKind.WORD, AtomKind.NAME, AtomKind.INTEGER}


def _touch(left: Syntax, right: Syntax) -> bool:
    if not isinstance(left, Atom) or not isinstance(right, Atom):
        return False
    return left.span.end == right.span.start and {left.kind, right.kind} <= _GLUE


def _doubled(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game sto X) 1 1)`: a part is doubled."""
    for at in range(1, len(form.items) - 1):
        first, second = form.items[at : at + 2]
        if isinstance(first, Atom) and isinstance(second, Atom) and first.text == second.text:
            message = f"{second.text} is written twice"
            yield CommonMistake(form.replaced(at, at + 1), second.span, message)


# Words of the form -----------------------------------------------------------------------------


def _missing_word(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(sum L (game points W))`: a word of the form is missing."""
    shapes = [shape for shape in shapes if isinstance(shape.parts[0], Literal)]
    short = [shape for shape in shapes if _least(shape) > len(form.items)]
    short = short or [shape for shape in shapes if len(form.items) < len(_spread(shape))]
    places: dict[int, list[str]] = {}
    for shape in short:
        fitting = [
            (at, part.text)
            for at, part in enumerate(_spread(shape))
            if isinstance(part, Literal)
            and 0 < at <= len(form.items)
            and not any(is_word(item, part.text) for item in form.items)
            and fits_any(_with(form, at, part.text), [shape])
        ]
        if not fitting:
            return
        for at, text in fitting:
            places.setdefault(at, []).append(text)
    for at, texts in places.items():
        inside = at < len(form.items)
        before = f"before {shown(form.items[at])}" if inside else "at the end"
        yield CommonMistake(
            _with(form, at, texts[0]),
            (form.items[at] if inside else form).span,
            f"{_either(texts)} is missing {before}",
            expected=patterns(shapes),
        )


def _wrong_word(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(current playr)`: another word in place of a word of the form."""
    places: dict[int, list[str]] = {}
    for shape in shapes:
        for at, part in enumerate(_spread(shape)[: len(form.items)]):
            item = form.items[at]
            if at == 0 or not isinstance(part, Literal) or not isinstance(item, Atom):
                continue
            if item.kind in _CLOSE and fits_any(_with(form, at, part.text, instead=1), [shape]):
                places.setdefault(at, []).append(part.text)
    for at, texts in places.items():
        item = form.items[at]
        meant = near(shown(item), texts)
        if meant is None and is_atom(item, AtomKind.NAME):
            continue
        yield CommonMistake(
            _with(form, at, meant or texts[0], instead=1),
            item.span,
            f"{_either(texts)} should stand here, not {shown(item)}",
            expected=patterns(shapes),
            help=f"did you mean {meant}?" if meant else "",
        )


_CLOSE = {AtomKind.WORD, AtomKind.NAME, AtomKind.OPERATOR, AtomKind.PUNCTUATION, AtomKind.BAD}


def _with(form: Form, at: int, text: str, instead: int = 0) -> Form:
    place = form.items[min(at, len(form.items) - 1)]
    kind = AtomKind.WORD if text.isalpha() else AtomKind.OPERATOR
    return form.replaced(at, at + instead, Atom(kind, text, place.span))


def _least(shape: FormShape) -> int:
    return sum(not (isinstance(part, FormGroup) and part.optional) for part in shape.parts)


def _spread(shape: FormShape) -> list[Part]:
    parts: list[Part] = []
    for part in shape.parts:
        parts.extend(part.parts if isinstance(part, FormGroup) and part.optional else (part,))
    return parts


def _either(texts: Sequence[str]) -> str:
    return listed([f"`{text}`" for text in dict.fromkeys(texts)], "or")


_FIXES: tuple[Callable[[Form, Sequence[FormShape]], Iterator[CommonMistake]], ...] = (
    _otherwise,
    _doubled,
    _steps,
    _sign,
    _operands,
    _thousands,
    _glued,
    _awards,
    _unbracketed,
    _inner_form,
    _variable,
    _missing_word,
    _wrong_word,
    _end_of_stage,
    _several_steps,
)
