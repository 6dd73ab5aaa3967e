"""Awards of point maps, and lists of names: forms with their own punctuation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.keys import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from cardwright.program.elaborate import Elaborator

_AWARD = "((KEY : VALUE) ... INTEGER)"
_EXAMPLE = "for example ((RANK : Q) (SUIT : SPADES) 13)"


def elaborate_award(by: Elaborator, form: Form) -> n.Node:
    """Return one award: pairs of key and value, then the points."""
    problem = _problem(form)
    if problem:
        by.complain.shape(form.span, problem, _AWARD, _EXAMPLE)
        return by.bad(form)
    pairs = [_pair(by, item) for item in form.items[:-1]]
    points = by.elaborate(form.items[-1], ValueKind.INTEGER)
    keys = tuple(key for key, _ in pairs)
    values = tuple(value for _, value in pairs)
    if any(isinstance(node, n.Bad) for node in (*keys, *values, points)):
        return by.bad(form, ValueKind.AWARD)
    return n.Award(ValueKind.AWARD, form.span, keys, values, points)


def _problem(form: Form) -> str:
    """Return why a form is not an award; nothing if it looks like one."""
    if not form.items or not isinstance(form.items[0], Form):
        return "this is not an award"
    if isinstance(form.items[-1], Form) and is_pair(form.items[-1]):
        return "this award has no points"
    return "" if len(form.items) > 1 else "this is not an award"


def _pair(by: Elaborator, item: Syntax) -> tuple[n.Node, n.Node]:
    """Return key and value of `(KEY : VALUE)`, or of the oldest files' `(KEY (VALUE))`."""
    if isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], ":"):
        key = by.elaborate(item.items[0], ValueKind.STRING)
        return key, by.elaborate(item.items[2], ValueKind.STRING)
    if isinstance(item, Form) and len(item.items) == 2:
        name, value = item.items
        if is_atom(name, AtomKind.NAME) and isinstance(value, Form):
            key = by.elaborate(name, ValueKind.STRING)
            bare = len(value.items) == 1 and is_atom(value.items[0], AtomKind.NAME)
            return key, by.elaborate(value.items[0] if bare else value, ValueKind.STRING)
    by.complain.shape(item.span, *_misshapen(item))
    return by.bad(item), by.bad(item)


def _misshapen(item: Syntax) -> tuple[str, str, str]:
    """Return why an item is not a pair: the message, what was expected, and how to write it."""
    parts = item.items if isinstance(item, Form) else ()
    key, value = (parts[0], parts[-1]) if len(parts) in {2, 3} else (None, None)
    if key is None or value is None or isinstance(key, Form):
        return "this is not a pair of key and value", "(KEY : VALUE)", _EXAMPLE
    meant = f"({shown(key)} : {shown(value)})"
    message = "the key and the value of an award are separated by a colon"
    return message, "(KEY : VALUE)", f"write {meant}"


def elaborate_strings(by: Elaborator, form: Form) -> n.Node:
    """Return a list of names as a collection."""
    names = name_list(by, form)
    if names is None:
        return by.bad(form, ValueKind.STRINGS)
    return n.Strings(ValueKind.STRINGS, form.span, tuple(atom.text for atom in names))


def name_list(by: Elaborator, form: Form) -> list[Atom] | None:
    """Return the names of a list `(A, B, C)`; None if it was reported."""
    names: list[Atom] = []
    sound = True
    for at, item in enumerate(form.items):
        if is_atom(item, AtomKind.BAD):
            sound = False
        elif at % 2 == 1 and not is_word(item, ","):
            by.complain.shape(item.span, "a comma is missing before this", "(NAME, NAME, ...)")
            return None
        elif at % 2 == 0 and is_word(item, ","):
            by.complain.shape(item.span, "a name is missing before this comma", "(NAME, NAME, ...)")
            return None
        elif at % 2 == 0:
            if not is_atom(item, AtomKind.NAME):
                by.report.add(
                    Code.WRONG_KIND,
                    item.span,
                    f"{shown(item)} is not a name, and such a list has only names",
                    expected="a name in capitals, such as HEARTS",
                    help=_spelt(item),
                )
                return None
            assert isinstance(item, Atom)
            names.append(item)
    if len(form.items) % 2 == 0 and sound:
        by.complain.shape(form.span, "a name is missing after the last comma", "(NAME, NAME, ...)")
        return None
    return names if sound else None


def _spelt(item: Syntax) -> str:
    """Return how a number or a small word could be written as a name."""
    if is_atom(item, AtomKind.INTEGER):
        return "ranks are spelt out: TWO, TEN"
    if is_atom(item, AtomKind.WORD):
        assert isinstance(item, Atom)
        return f"did you mean {item.text.upper()}?"
    return ""
