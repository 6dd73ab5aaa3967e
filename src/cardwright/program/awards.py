"""Awards of point maps, and lists of names: forms with their own punctuation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.diagnosis.mistakes import NUMBERS, named_number
from cardwright.program.keys import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code, Edit, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.source import Span

_AWARD = "((KEY : VALUE) ... INTEGER)"
_EXAMPLE = "for example ((RANK : Q) (SUIT : SPADES) 13)"


def elaborate_award(by: Elaborator, form: Form) -> n.Node:
    """Return one award: pairs of key and value, then the points."""
    problem = _problem(form)
    if problem:
        meant = _loose_pair(form)
        if meant is None:
            by.complain.shape(form.span, problem, _AWARD, _EXAMPLE)
            return by.bad(form)
        message = "the key and the value of an award have a bracket of their own"
        seen = by.extensions.unfolding.as_written(form)
        paired = _loose_pair(seen) or meant
        edits = difference(by.report.source, seen, paired)
        by.complain.shape(form.span, message, _AWARD, f"write {shown(paired)}", edits)
        form = meant
    listed = _listed_value(form)
    if listed is not None:
        _one_award_each(by, form, *listed)
        return by.bad(form, ValueKind.AWARD)
    pairs = [_pair(by, item) for item in form.items[:-1]]
    points = by.elaborate(form.items[-1], ValueKind.INTEGER)
    keys = tuple(key for key, _ in pairs)
    values = tuple(value for _, value in pairs)
    if any(isinstance(node, n.Bad) for node in (*keys, *values, points)):
        return by.bad(form, ValueKind.AWARD)
    return n.Award(ValueKind.AWARD, form.span, keys, values, points)


def _loose_pair(form: Form) -> Form | None:
    """Return what `(KEY : VALUE POINTS)` is meant to be."""
    if len(form.items) != 4 or not is_word(form.items[1], ":"):
        return None
    *pair, points = form.items
    inner = Form(tuple(pair), pair[0].span.to(pair[-1].span))
    return Form((inner, points), form.span)


def _problem(form: Form) -> str:
    """Return why a form is not an award; nothing if it looks like one."""
    if not form.items or not isinstance(form.items[0], Form):
        return "this is not an award"
    if isinstance(form.items[-1], Form) and is_pair(form.items[-1]):
        return "this award has no points"
    return "" if len(form.items) > 1 else "this is not an award"


def _listed_value(form: Form) -> tuple[int, Form] | None:
    """Return the place of a pair `(KEY : (A, B))`, whose value is a list, and that list."""
    for at, pair in enumerate(form.items[:-1]):
        if isinstance(pair, Form) and is_pair(pair) and isinstance(pair.items[2], Form):
            value = pair.items[2]
            names = all(is_atom(name, AtomKind.NAME) for name in value.items[::2])
            commas = all(is_word(mark, ",") for mark in value.items[1::2])
            if len(value.items) > 2 and names and commas:
                return at, value
    return None


def _one_award_each(by: Elaborator, form: Form, at: int, values: Form) -> None:
    """Report a list of values in an award."""
    seen = by.extensions.unfolding.as_written(form)
    pair = seen.items[at]
    assert isinstance(pair, Form)
    each = []
    for name in values.items[::2]:
        one = Form((*pair.items[:2], name), pair.span)
        each.append(shown(Form((*seen.items[:at], one, *seen.items[at + 1 :]), form.span), 4_000))
    by.complain.shape(
        values.span,
        "an award is for one value, not for a list of values",
        _AWARD,
        f"one award each: {' '.join(each[:2])}{' ...' if len(each) > 2 else ''}",
        () if ";" in by.report.source.at(form.span) else rewritten(form.span, " ".join(each)),
    )


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
    if isinstance(item, Form) and len(item.items) == 3:
        sign = item.items[1]  # what is wrong with it as a sign of arithmetic does not matter
        by.report.drop(
            one for one in by.report.of_code(Code.BAD_CHARACTER) if one.span == sign.span
        )
    unfolding = by.extensions.unfolding
    written = unfolding.place_of(item) or item
    if written is item and isinstance(item, Form):
        written = unfolding.as_written(item)
    message, expected, advice = _misshapen(written)
    meant = advice.removeprefix("write ") if advice != _EXAMPLE else None
    by.complain.shape(written.span, message, expected, advice, rewritten(written.span, meant))
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
            _misplaced_comma(by, form, item, "a comma is missing before this")
            return None
        elif at % 2 == 0 and is_word(item, ","):
            _misplaced_comma(by, form, item, "a name is missing before this comma")
            return None
        elif at % 2 == 0:
            if not is_atom(item, AtomKind.NAME):
                by.report.add(
                    Code.WRONG_KIND,
                    item.span,
                    f"{shown(item)} is not a name, and such a list has only names",
                    expected="a name in capitals, such as HEARTS",
                    help=_spelt(item, form),
                    edits=_all_named(form),
                )
                return None
            assert isinstance(item, Atom)
            names.append(item)
    if len(form.items) % 2 == 0 and sound:
        _misplaced_comma(by, form, form, "a name is missing after the last comma")
        return None
    return names if sound else None


def _misplaced_comma(by: Elaborator, form: Form, item: Syntax, message: str) -> None:
    """Report a comma too many or too few."""
    edits = with_commas(by, form)
    by.complain.shape(item.span, message, "(NAME, NAME, ...)", edits=edits)


def with_commas(by: Elaborator, form: Form) -> tuple[Edit, ...]:
    """Return the edits that set one comma between any two items of a list."""
    items = [item for item in form.items if not is_word(item, ",")]
    if not all(isinstance(item, Atom) for item in items):
        return ()
    return difference(by.report.source, form, Form(separated(items, form.span), form.span))


def separated(items: Iterable[Syntax], span: Span) -> tuple[Syntax, ...]:
    """Return items with a comma between any two, which stands at this place."""
    comma = Atom(AtomKind.PUNCTUATION, ",", span)
    return tuple(part for item in items for part in (item, comma))[:-1]


def as_name(item: Syntax) -> str | None:
    """Return a small word in capitals, or the name of a small number."""
    if is_atom(item, AtomKind.WORD):
        assert isinstance(item, Atom)
        return item.text.upper()
    if is_atom(item, AtomKind.INTEGER):
        assert isinstance(item, Atom)
        number = int(item.text[:3])
        return NUMBERS[number] if number < len(NUMBERS) else None
    return None


def as_number(name: Atom) -> str | None:
    """Return a number spelt out as a name, in digits."""
    return str(NUMBERS.index(name.text)) if name.text in NUMBERS else None


def _all_named(form: Form) -> tuple[Edit, ...]:
    """Return the edits that make names of all items of a list; none if that is not possible."""
    wrong = [
        item
        for item in form.items
        if isinstance(item, Atom) and item.kind in {AtomKind.WORD, AtomKind.INTEGER}
    ]
    found = [rewritten(item.span, as_name(item)) for item in wrong]
    return tuple(edit for edits in found for edit in edits) if all(found) else ()


def _spelt(item: Syntax, form: Form) -> str:
    """Return how a number or a small word in a list could be written as a name."""
    if is_atom(item, AtomKind.INTEGER):
        values = [part for part in form.items if is_atom(part, AtomKind.INTEGER)]
        return f"values are names: {', '.join(shown(named_number(value)) for value in values[:4])}"
    meant = as_name(item)
    return "" if meant is None else f"did you mean {meant}?"
