"""Brackets that are missing, or one too few: each function proposes what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.common_mistakes import CommonMistake
from cardwright.program.forms import BY_KEY, HEADS
from cardwright.program.keys import OWNER_KEYS, STORED, is_owner, is_pair, key_of
from cardwright.program.shapes import fits_any
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.program.shapes import FormShape


def steps(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
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
        message = f"all steps of a {shown(head)} belong in one inner bracket; this is outside it"
    else:
        stray = first
        together = tuple(steps)
        message = f"the steps of a {shown(head)} need a bracket of their own"
    inner = Form(together, first.span.to(steps[-1].span))
    yield CommonMistake(
        Form((head, inner), form.span),
        Code.WRONG_SHAPE,
        stray.span,
        message,
        expected=f"({shown(head)} (STEP...))",
        help=f"write ({shown(head)} ({shown(together[0], 30)} ...))",
    )


def awards(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game points X) ((SUIT : A) 3))`: every award has a bracket of its own."""
    for at, item in enumerate(form.items):
        if isinstance(item, Form) and is_pair(item):
            inner = Form(form.items[at:], item.span.to(form.items[-1].span))
            yield _awards_mistake(
                Form((*form.items[:at], Form((inner,), inner.span)), form.span), inner
            )
            return


def _awards_mistake(meant: Form, award: Form) -> CommonMistake:
    return CommonMistake(
        meant,
        Code.WRONG_SHAPE,
        award.span,
        "each award has a bracket of its own, and all awards have one around them",
        expected="((AWARD) (AWARD) ...), with awards such as ((SUIT : HEARTS) 1)",
        help=f"write ({shown(award, 60)})",
    )


def listed_award(form: Form) -> CommonMistake | None:
    """`(set (game points X) ((SUIT : A) 3))`: an award in place of the list of awards."""
    awards = form.items[-1] if len(form.items) > 2 else None
    if not isinstance(awards, Form) or not (is_word(form.head, "set") or is_word(form.head, "put")):
        return None
    if not isinstance(awards.head, Form) or not is_pair(awards.head):
        return None
    listed = Form((awards,), awards.span)
    return _awards_mistake(Form((*form.items[:-1], listed), form.span), awards)


def listed_step(form: Form) -> CommonMistake | None:
    """`(do (turn pass))`: a step in place of the list of steps."""
    if not (is_word(form.head, "do") or is_word(form.head, "choice")):
        return None
    inner = form.items[1]
    if not isinstance(inner, Form) or not is_atom(inner.head, AtomKind.WORD):
        return None
    return next(steps(form, ()))


def loose_item(form: Form) -> CommonMistake | None:
    """`(stage player (end ...) do (...))`: the bracket of an item is missing."""
    if not is_word(form.head, "stage"):
        return None
    return next(
        (mistake for mistake in inner_form(form, ()) if mistake.span > form.items[2].span), None
    )


def owner(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(current player iloc HAND)`: an owner of several words has a bracket of its own."""
    at = _stored(form)
    if at < 2 or key_of(form) not in OWNER_KEYS:
        return
    owner = wrap(form.items[:at])
    yield _bracket(form, (owner, *form.items[at:]), owner)


def storage(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(shuffle game iloc STOCK)`: a storage or location has a bracket of its own."""
    at = _stored(form)
    if at < 2 or not is_owner(form.items[at - 1]):
        return
    for end in (at + 2, at + 3):
        if end <= len(form.items):
            inner = wrap(form.items[at - 1 : end])
            yield _bracket(form, (*form.items[: at - 1], inner, *form.items[end:]), inner)


def _stored(form: Form) -> int:
    """Return the index of the first word that belongs between an owner and a name; else 0."""
    words = (i for i, item in enumerate(form.items) if isinstance(item, Atom) and i > 1)
    return next((i for i in words if shown(form.items[i]) in STORED), 0)


def inner_form(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(set (game sto X) size (game iloc STOCK))`: a form without its bracket."""
    for at, item in enumerate(form.items):
        if at == 0 or not isinstance(item, Atom) or item.text not in HEADS | {"end"}:
            continue
        for end in range(at + 2, min(at + 6, len(form.items)) + 1):
            inner = wrap(form.items[at:end])
            if item.text == "end" or fits_any(inner, BY_KEY.get(item.text, ())):
                yield _bracket(form, (*form.items[:at], inner, *form.items[end:]), inner)


def names(form: Form, _shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(all HEARTS, CLUBS 'S ...)`: a list of names has a bracket of its own."""
    comma = next((i for i, item in enumerate(form.items) if is_word(item, ",")), 0)
    if comma < 2:
        return
    end = comma
    while end + 1 < len(form.items) and is_word(form.items[end], ","):
        end += 2
    inner = wrap(form.items[comma - 1 : end])
    if all(is_atom(item, AtomKind.NAME) for item in inner.items[::2]):
        yield _bracket(form, (*form.items[: comma - 1], inner, *form.items[end:]), inner)


def wrap(items: Sequence[Syntax]) -> Form:
    """Return a bracket around some items."""
    return Form(tuple(items), items[0].span.to(items[-1].span))


def _bracket(form: Form, items: Sequence[Syntax], inner: Form) -> CommonMistake:
    return CommonMistake(
        Form(tuple(items), form.span),
        Code.WRONG_SHAPE,
        inner.span,
        f"{shown(inner)[1:-1]} needs a bracket of its own",
        help=f"write {shown(inner, 60)}",
    )
