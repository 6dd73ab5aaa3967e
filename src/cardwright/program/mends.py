"""Mends: what a form of the wrong shape was meant to be, found by trying.

Each mend proposes forms that differ from the one at hand by one slip of the pen. The first proposal
that has a shape of the table is taken: the slip is told in one message, and the form read as it was
meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.forms import BY_KEY, HEADS
from cardwright.program.keys import OWNER_KEYS, STORED, is_owner, key_of
from cardwright.program.kinds import Kind
from cardwright.program.shapes import Binder, Group, Literal, Misfit, Operand, Shape, fit
from cardwright.program.show import shown
from cardwright.program.slips import Slip, word
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CLOSE = {AtomKind.WORD, AtomKind.NAME, AtomKind.OPERATOR, AtomKind.PUNCTUATION, AtomKind.BAD}


def mend(form: Form, shapes: Sequence[Shape]) -> Slip | None:
    """Return the slip that makes a form miss all these shapes, if one is found."""
    key = key_of(form)
    for propose in _MENDS:
        for slip in propose(form, shapes):
            meant = slip.meant
            assert isinstance(meant, Form)
            if fits_any(meant, shapes if key_of(meant) == key else BY_KEY.get(key_of(meant), ())):
                return slip
    return None


def mend_fitting(form: Form) -> Slip | None:
    """Return the slip in a form that has a shape of the table only by accident."""
    return _listed_award(form) or _listed_step(form) or _loose_item(form) or _attribute(form)


def fits_any(form: Form, shapes: Sequence[Shape]) -> bool:
    """Say whether a form fits one of these shapes."""
    return any(not isinstance(fit(shape.parts, form.items), Misfit) for shape in shapes)


# Brackets ---------------------------------------------------------------------------------


def _steps(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(do (a) (b))`: the steps of a do or choice stand in one inner bracket."""
    head, *steps = form.items
    if not (is_word(head, "do") or is_word(head, "choice")) or not steps:
        return
    first = steps[0]
    if isinstance(first, Form) and not first.items:
        return
    if len(steps) > 1 and isinstance(first, Form) and not is_atom(first.head, AtomKind.WORD):
        stray: Syntax = steps[1]
        together = (*first.items, *steps[1:])
        message = f"all steps of a {shown(head)} stand in one inner bracket, and this is outside"
    else:
        stray = first
        together = tuple(steps)
        message = f"the steps of a {shown(head)} stand in a bracket of their own"
    inner = Form(together, first.span.to(steps[-1].span))
    yield Slip(
        Form((head, inner), form.span),
        Code.WRONG_SHAPE,
        stray.span,
        message,
        expected=f"({shown(head)} (STEP...))",
        help=f"write ({shown(head)} ({shown(together[0], 30)} ...))",
    )


def _awards(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(set (game points X) ((SUIT : A) 3))`: every award has a bracket of its own."""
    for at, item in enumerate(form.items):
        if isinstance(item, Form) and is_pair(item):
            inner = Form(form.items[at:], item.span.to(form.items[-1].span))
            yield _awards_slip(
                Form((*form.items[:at], Form((inner,), inner.span)), form.span), inner
            )
            return


def _awards_slip(meant: Form, award: Form) -> Slip:
    return Slip(
        meant,
        Code.WRONG_SHAPE,
        award.span,
        "each award has a bracket of its own, and all awards have one around them",
        expected="((AWARD) (AWARD) ...), with awards such as ((SUIT : HEARTS) 1)",
        help=f"write ({shown(award, 60)})",
    )


def _listed_award(form: Form) -> Slip | None:
    """`(set (game points X) ((SUIT : A) 3))`: an award stands in place of the list of awards."""
    awards = form.items[-1] if len(form.items) > 2 else None
    if not isinstance(awards, Form) or not (is_word(form.head, "set") or is_word(form.head, "put")):
        return None
    if not isinstance(awards.head, Form) or not is_pair(awards.head):
        return None
    listed = Form((awards,), awards.span)
    return _awards_slip(Form((*form.items[:-1], listed), form.span), awards)


def _listed_step(form: Form) -> Slip | None:
    """`(do (turn pass))`: a step stands in place of the list of steps."""
    if not (is_word(form.head, "do") or is_word(form.head, "choice")):
        return None
    inner = form.items[1]
    if not isinstance(inner, Form) or not is_atom(inner.head, AtomKind.WORD):
        return None
    return next(_steps(form, ()))


def is_pair(form: Form) -> bool:
    """Say whether a form looks like key and value of an award."""
    return len(form.items) == 3 and is_word(form.items[1], ":")


def _loose_item(form: Form) -> Slip | None:
    """`(stage player (end ...) do (...))`: the bracket of an item is missing."""
    if not is_word(form.head, "stage"):
        return None
    return next((slip for slip in _inner_form(form, ()) if slip.span > form.items[2].span), None)


def _attribute(form: Form) -> Slip | None:
    """`(cardatt 'C SUIT)`: the attribute comes before the card."""
    if not is_word(form.head, "cardatt") or not is_atom(form.items[2], AtomKind.NAME):
        return None
    head, card, key = form.items
    is_card = isinstance(card, Form) and key_of(card) in {"top", "bottom", "max", "min"}
    if not is_card and not is_atom(card, AtomKind.VARIABLE):
        return None
    meant = Form((head, key, card), form.span)
    return Slip(
        meant,
        Code.WRONG_SHAPE,
        form.span,
        "the attribute comes before the card",
        expected="(cardatt STRING CARD)",
        help=f"write {shown(meant)}",
    )


def _owner(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(current player iloc HAND)`: an owner of several words has a bracket of its own."""
    at = _stored(form)
    if at < 2 or key_of(form) not in OWNER_KEYS:
        return
    owner = _wrap(form.items[:at])
    yield _bracket(form, (owner, *form.items[at:]), owner)


def _storage(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(shuffle game iloc STOCK)`: a storage or location has a bracket of its own."""
    at = _stored(form)
    if at < 2 or not is_owner(form.items[at - 1]):
        return
    for end in (at + 2, at + 3):
        if end <= len(form.items):
            inner = _wrap(form.items[at - 1 : end])
            yield _bracket(form, (*form.items[: at - 1], inner, *form.items[end:]), inner)


def _stored(form: Form) -> int:
    """Return where the first word stands that comes between an owner and a name; else 0."""
    words = (i for i, item in enumerate(form.items) if isinstance(item, Atom) and i > 1)
    return next((i for i in words if shown(form.items[i]) in STORED), 0)


def _inner_form(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(set (game sto X) size (game iloc STOCK))`: a form without its bracket."""
    for at, item in enumerate(form.items):
        if at == 0 or not isinstance(item, Atom) or item.text not in HEADS | {"end"}:
            continue
        for end in range(at + 2, min(at + 6, len(form.items)) + 1):
            inner = _wrap(form.items[at:end])
            if item.text == "end" or fits_any(inner, BY_KEY.get(item.text, ())):
                yield _bracket(form, (*form.items[:at], inner, *form.items[end:]), inner)


def _names(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(all HEARTS, CLUBS 'S ...)`: a list of names has a bracket of its own."""
    comma = next((i for i, item in enumerate(form.items) if is_word(item, ",")), 0)
    if comma < 2:
        return
    end = comma
    while end + 1 < len(form.items) and is_word(form.items[end], ","):
        end += 2
    inner = _wrap(form.items[comma - 1 : end])
    if all(is_atom(item, AtomKind.NAME) for item in inner.items[::2]):
        yield _bracket(form, (*form.items[: comma - 1], inner, *form.items[end:]), inner)


def _wrap(items: Sequence[Syntax]) -> Form:
    return Form(tuple(items), items[0].span.to(items[-1].span))


def _bracket(form: Form, items: Sequence[Syntax], inner: Form) -> Slip:
    return Slip(
        Form(tuple(items), form.span),
        Code.WRONG_SHAPE,
        inner.span,
        f"{shown(inner)[1:-1]} needs a bracket of its own",
        help=f"write {shown(inner, 60)}",
    )


# Words ------------------------------------------------------------------------------------


def _missing_word(form: Form, shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(sum L (game points W))`: a word of the form is missing."""
    shapes = [shape for shape in shapes if isinstance(shape.parts[0], Literal)]
    short = [shape for shape in shapes if _least(shape) > len(form.items)]
    if not short and any(len(form.items) < len(_spread(shape)) for shape in shapes):
        short = [shape for shape in shapes if len(form.items) < len(_spread(shape))]
    found: dict[int, list[str]] = {}
    for shape in short:
        places = [
            (at, part.text)
            for at, part in enumerate(_spread(shape))
            if isinstance(part, Literal)
            and 0 < at <= len(form.items)
            and not any(is_word(item, part.text) for item in form.items)
            and fits_any(_with(form, at, part.text), [shape])
        ]
        if not places:
            return
        for at, text in places:
            found.setdefault(at, []).append(text)
    for at, texts in found.items():
        before = f"before {shown(form.items[at])}" if at < len(form.items) else "at the end"
        place = form.items[at] if at < len(form.items) else form
        yield Slip(
            _with(form, at, texts[0]),
            Code.WRONG_SHAPE,
            place.span,
            f"{_either(texts)} is missing {before}",
            expected=_patterns(shapes),
        )


def _wrong_word(form: Form, shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(current playr)`: another word stands where a word of the form should."""
    found: dict[int, list[str]] = {}
    for shape in shapes:
        for at, part in enumerate(_spread(shape)[: len(form.items)]):
            item = form.items[at]
            if at == 0 or not isinstance(part, Literal) or not isinstance(item, Atom):
                continue
            if item.kind in _CLOSE and fits_any(_with(form, at, part.text, instead=1), [shape]):
                found.setdefault(at, []).append(part.text)
    for at, texts in found.items():
        item = form.items[at]
        meant = near(shown(item), texts)
        if meant is None and is_atom(item, AtomKind.NAME):
            continue
        yield Slip(
            _with(form, at, meant or texts[0], instead=1),
            Code.WRONG_SHAPE,
            item.span,
            f"{_either(texts)} should stand here, not {shown(item)}",
            expected=_patterns(shapes),
            help=f"did you mean {meant}?" if meant else "",
        )


def _with(form: Form, at: int, text: str, instead: int = 0) -> Form:
    place = form.items[min(at, len(form.items) - 1)]
    kind = AtomKind.WORD if text.isalpha() else AtomKind.OPERATOR
    atom = Atom(kind, text, place.span)
    return Form((*form.items[:at], atom, *form.items[at + instead :]), form.span)


def _least(shape: Shape) -> int:
    return sum(not (isinstance(part, Group) and part.optional) for part in shape.parts)


def _spread(shape: Shape) -> list[Literal | Operand | Binder | Group]:
    """Return the parts of a shape with those that may be left out."""
    parts: list[Literal | Operand | Binder | Group] = []
    for part in shape.parts:
        parts.extend(part.parts if isinstance(part, Group) and part.optional else (part,))
    return parts


def _either(texts: Sequence[str]) -> str:
    words = [f"`{text}`" for text in dict.fromkeys(texts)]
    return " or ".join((", ".join(words[:-1]), words[-1]) if len(words) > 1 else words)


def _patterns(shapes: Sequence[Shape]) -> str:
    return " or ".join(list(dict.fromkeys(shape.pattern for shape in shapes))[:3])


# Variables, numbers, steps ----------------------------------------------------------------


def _variable(form: Form, shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(all 'P player ...)`, `(all player P ...)`: the variable is out of place or out of shape."""
    if len(form.items) < 3 or not any(isinstance(part, Binder) for s in shapes for part in s.parts):
        return
    head, first, second, *rest = form.items
    if is_atom(first, AtomKind.VARIABLE):
        yield Slip(
            Form((head, second, first, *rest), form.span),
            Code.WRONG_SHAPE,
            first.span,
            f"the variable {shown(first)} stands after what it is bound to",
            expected=_patterns(shapes),
            help=f"write ({shown(head)} {shown(second)} {shown(first)} ...)",
        )
    if is_atom(second, AtomKind.NAME) or is_atom(second, AtomKind.WORD):
        assert isinstance(second, Atom)
        meant = Atom(AtomKind.VARIABLE, f"'{second.text.upper()}", second.span)
        yield Slip(
            Form((head, first, meant, *rest), form.span),
            Code.WRONG_SHAPE,
            second.span,
            "a new variable should be here, with its apostrophe",
            expected=_patterns(shapes),
            help=f"did you mean {meant.text}?",
        )


def _sign(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
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
        yield Slip(
            Form((*form.items[:at], meant, *form.items[at + 2 :]), form.span),
            Code.WRONG_SHAPE,
            sign.span.to(number.span),
            "numbers are written without a sign",
            help=f"write {shown(meant)}",
        )


def _glued(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`myScore`, `2H`: names are in capitals and start with a letter."""
    for at, item in enumerate(form.items):
        end = at + 1
        while end < len(form.items) and _touch(form.items[end - 1], form.items[end]):
            end += 1
        if end == at + 1 or is_atom(item, AtomKind.VARIABLE):
            continue
        text = "".join(shown(part) for part in form.items[at:end])
        span = item.span.to(form.items[end - 1].span)
        name = Atom(AtomKind.NAME, text.upper(), span)
        advice = f"did you mean {name.text}?"
        if is_atom(item, AtomKind.INTEGER):
            advice = "names start with a letter; ranks are spelt out: TWO, TEN"
        yield Slip(
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


def _several_steps(form: Form, shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(all player 'P (a) (b))`: several steps where one stands."""
    for shape in shapes:
        last = shape.parts[-1]
        count = len(shape.parts)
        if not isinstance(last, Operand) or last.kind != Kind.BODY or last.many:
            continue
        steps = form.items[count - 1 :]
        if len(steps) < 2:
            continue
        yield Slip(
            Form((*form.items[: count - 1], _do(steps)), form.span),
            Code.WRONG_SHAPE,
            steps[1].span,
            f"only one step can stand in {shown(form, 30)}",
            expected=shape.pattern,
            help="put several steps into one: (do (STEP...))",
        )


def _do(steps: Sequence[Syntax]) -> Form:
    inner = _wrap(steps)
    return Form((word("do", steps[0]), inner), inner.span)


def _end_of_stage(form: Form, _shapes: Sequence[Shape]) -> Iterator[Slip]:
    """`(stage player (choice ...))`: the end of the stage is missing, or stands too late."""
    if not is_word(form.head, "stage") or len(form.items) < 3:
        return
    ends = [item for item in form.items if isinstance(item, Form) and is_word(item.head, "end")]
    others = [item for item in form.items[2:] if item not in ends]
    if ends and ends[0] is form.items[2]:
        return
    unknown = Form((word("end", form), Atom(AtomKind.BAD, "", form.items[0].span)), form.span)
    yield Slip(
        Form((*form.items[:2], ends[0] if ends else unknown, *others), form.span),
        Code.WRONG_SHAPE,
        ends[0].span if ends else form.items[0].span,
        f"the end of a stage comes first, after `{shown(form.items[1])}`"
        if ends
        else "this stage does not say when it ends",
        expected="(stage player (end BOOLEAN) ITEM...)",
        help="" if ends else "for example (end (== (game sto ROUND) 3))",
    )


_MENDS: tuple[Callable[[Form, Sequence[Shape]], Iterator[Slip]], ...] = (
    _steps,
    _sign,
    _glued,
    _awards,
    _owner,
    _storage,
    _names,
    _inner_form,
    _variable,
    _missing_word,
    _wrong_word,
    _end_of_stage,
    _several_steps,
)
