"""Forms with their own punctuation: awards, lists of names, tables of numbers, and decks."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.constants import Constant, NotConstantError, constant
from cardwright.program.diagnosis.mistakes import NUMBERS, named_number
from cardwright.program.expansion import Made, PointTable
from cardwright.program.fitting import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import shown
from cardwright.syntax.diagnostic import Code, Edit, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.context import Elaboration
    from cardwright.syntax.source import Span

_AWARD = "((KEY : VALUE) ... INTEGER)"
_EXAMPLE = "for example ((RANK : Q) (SUIT : SPADES) 13)"


def elaborate_award(by: Elaboration, form: Form) -> n.Node:
    """Return one award: pairs of key and value, then the points."""
    problem = _award_problem(form)
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
    pairs = [_award_pair(by, item) for item in form.items[:-1]]
    points = by.elaborate(form.items[-1], ValueKind.INTEGER)
    keys = tuple(key for key, _ in pairs)
    values = tuple(value for _, value in pairs)
    if any(isinstance(node, n.ErrorNode) for node in (*keys, *values, points)):
        return by.bad(form, ValueKind.AWARD)
    return n.Award(ValueKind.AWARD, form.span, keys, values, points)


def _loose_pair(form: Form) -> Form | None:
    """Return what `(KEY : VALUE POINTS)` is meant to be."""
    if len(form.items) != 4 or not is_word(form.items[1], ":"):
        return None
    *pair, points = form.items
    inner = Form(tuple(pair), pair[0].span.to(pair[-1].span))
    return Form((inner, points), form.span)


def _award_problem(form: Form) -> str:
    if not isinstance(form.head, Form):
        return "this is not an award"
    if is_pair(form.items[-1]):
        return "this award has no points"
    return "" if len(form.items) > 1 else "this is not an award"


def _listed_value(form: Form) -> tuple[int, Form] | None:
    """Return the place of a pair `(KEY : (A, B))`, whose value is a list, and that list."""
    for at, pair in enumerate(form.items[:-1]):
        value = pair.items[2] if is_pair(pair) else None
        if isinstance(value, Form):
            names = all(is_atom(name, AtomKind.NAME) for name in value.items[::2])
            commas = all(is_word(mark, ",") for mark in value.items[1::2])
            if len(value.items) > 2 and names and commas:
                return at, value
    return None


def _one_award_each(by: Elaboration, form: Form, at: int, values: Form) -> None:
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


def _award_pair(by: Elaboration, item: Syntax) -> tuple[n.Node, n.Node]:
    """Return key and value of `(KEY : VALUE)`, or of the oldest files' `(KEY (VALUE))`."""
    match item:
        case Form(items=(key, colon, value)) if is_word(colon, ":"):
            return by.elaborate(key, ValueKind.STRING), by.elaborate(value, ValueKind.STRING)
        case Form(items=(key, Form() as value)) if is_atom(key, AtomKind.NAME):
            bare = len(value.items) == 1 and is_atom(value.items[0], AtomKind.NAME)
            named = value.items[0] if bare else value
            return by.elaborate(key, ValueKind.STRING), by.elaborate(named, ValueKind.STRING)
    if isinstance(item, Form) and len(item.items) == 3:
        sign = item.items[1]  # what is wrong with it as a sign of arithmetic does not matter
        by.report.drop(
            error for error in by.report.of_code(Code.BAD_CHARACTER) if error.span == sign.span
        )
    unfolding = by.extensions.unfolding
    written = unfolding.place_of(item) or item
    if written is item and isinstance(item, Form):
        written = unfolding.as_written(item)
    message, advice, meant = "this is not a pair of key and value", _EXAMPLE, None
    match written:
        case Form(items=(Atom() as key, value) | (Atom() as key, _, value)):
            meant = f"({shown(key)} : {shown(value)})"
            message = "the key and the value of an award are separated by a colon"
            advice = f"write {meant}"
    edits = rewritten(written.span, meant)
    by.complain.shape(written.span, message, "(KEY : VALUE)", advice, edits)
    return by.bad(item), by.bad(item)


def elaborate_strings(by: Elaboration, form: Form) -> n.Node:
    """Return a list of names as a collection."""
    names = _name_list(by, form)
    if names is None:
        return by.bad(form, ValueKind.STRINGS)
    return n.Strings(ValueKind.STRINGS, form.span, tuple(atom.text for atom in names))


def _name_list(by: Elaboration, form: Form) -> list[Atom] | None:
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
        elif is_atom(item, AtomKind.NAME):
            names.append(item)
        elif at % 2 == 0:
            by.report.add(
                Code.WRONG_KIND,
                item.span,
                f"{shown(item)} is not a name, and such a list has only names",
                expected="a name in capitals, such as HEARTS",
                help=_spelt(item, form),
                edits=_all_named(form),
            )
            return None
    if len(form.items) % 2 == 0 and sound:
        _misplaced_comma(by, form, form, "a name is missing after the last comma")
        return None
    return names if sound else None


def _misplaced_comma(by: Elaboration, form: Form, item: Syntax, message: str) -> None:
    edits = with_commas(by, form)
    by.complain.shape(item.span, message, "(NAME, NAME, ...)", edits=edits)


def with_commas(by: Elaboration, form: Form) -> tuple[Edit, ...]:
    """Return the edits that set one comma between any two items of a list."""
    items = [item for item in form.items if not is_word(item, ",")]
    if not all(isinstance(item, Atom) for item in items):
        return ()
    return difference(by.report.source, form, Form(separated(items, form.span), form.span))


def separated(items: Iterable[Syntax], span: Span) -> tuple[Syntax, ...]:
    """Return items with a comma between any two, which stands at this place."""
    comma = Atom(AtomKind.PUNCTUATION, ",", span)
    return tuple(part for item in items for part in (item, comma))[:-1]


def _as_name(item: Syntax) -> str | None:
    """Return a small word in capitals, or the name of a small number."""
    if is_atom(item, AtomKind.WORD):
        return item.text.upper()
    if is_atom(item, AtomKind.INTEGER):
        number = int(item.text[:3])
        return NUMBERS[number] if number < len(NUMBERS) else None
    return None


def as_number(name: Atom) -> str | None:
    """Return a number spelt out as a name, in digits."""
    return str(NUMBERS.index(name.text)) if name.text in NUMBERS else None


def _all_named(form: Form) -> tuple[Edit, ...]:
    """Return the edits that make names of all items of a list; none if that is not possible."""
    changed = [
        rewritten(item.span, _as_name(item))
        for item in form.items
        if is_atom(item, AtomKind.WORD) or is_atom(item, AtomKind.INTEGER)
    ]
    return tuple(edit for edits in changed for edit in edits) if all(changed) else ()


def _spelt(item: Syntax, form: Form) -> str:
    if is_atom(item, AtomKind.INTEGER):
        values = [part for part in form.items if is_atom(part, AtomKind.INTEGER)]
        return f"values are names: {', '.join(shown(named_number(value)) for value in values[:4])}"
    meant = _as_name(item)
    return "" if meant is None else f"did you mean {meant}?"


TABLE_PATTERN = "(declare ((NAME : INTEGER) ...) 'V)"


def read_table(by: Elaboration, value: Syntax) -> n.Node | None:
    """Return the table that a declared value is; None if it is something else."""
    if not isinstance(value, Form) or not value.items or not all(map(is_pair, value.items)):
        return None
    values: dict[str, int] = {}
    sound = True
    for pair in filter(is_pair, value.items):
        key = _table_entry(by, pair.items[0], ValueKind.STRING)
        number = _table_entry(by, pair.items[2], ValueKind.INTEGER)
        if not isinstance(key, str) or not isinstance(number, int):
            sound = False
        elif key in values:
            sound = False
            by.report.add(Code.WRONG_SHAPE, pair.span, f"{key} is in this table twice")
        else:
            values[key] = number
    if not sound:
        return n.ErrorNode(ValueKind.WORTHS, value.span)
    return PointTable(ValueKind.WORTHS, value.span, tuple(values.items()))


def _table_entry(by: Elaboration, item: Syntax, kind: ValueKind) -> object:
    expected = "names, numbers, and constants declared before"
    return known_before(by, by.elaborate(item, kind), expected)


def known_before(
    by: Elaboration, node: n.Node, expected: str, of_owners: str = ""
) -> Constant | None:
    """Return a value that is known before the game; another one is reported."""
    if isinstance(node, n.ErrorNode):
        return None
    try:
        return constant(node)
    except NotConstantError as error:
        reason = error.reason or "this is not known before the game starts"
        help_ = of_owners if error.node.kind & _OWNERS else ""
        by.report.add(Code.NOT_CONSTANT, error.node.span, reason, expected=expected, help=help_)
        return None


_OWNERS = ValueKind.PLAYERS | ValueKind.TEAMS | ValueKind.PLAYER | ValueKind.TEAM


MAX_CARDS = 5_000
"""Most cards a game may have; 100 packs of 52 fit easily."""

Attributes: TypeAlias = dict[str, str]

_ATTRIBUTE_SHAPE = "(KEY (VALUE, ...)) or, with nested attributes, (KEY (VALUE (KEY ...)) ...)"
_DECK_EXAMPLE = "for example (deck (RANK (A, K)) (COLOR (RED (SUIT (HEARTS, DIAMONDS)))))"


def deck_cards(by: Elaboration, form: Syntax) -> list[Attributes] | None:
    """Return the attributes of a deck's cards in order of creation; None if it was reported."""
    problem, place = "a deck with its attributes should be here", form
    if isinstance(form, Form) and is_word(form.head, "deck") and len(form.items) > 1:
        place = form.items[1]
        if not is_atom(place, AtomKind.NAME):
            return _all_cards(by, form)
        problem = f"the attribute {shown(place)} needs a bracket of its own"
    expected = "(deck (KEY (VALUE, ...)) ...)"
    by.report.add(Code.BAD_DECK, place.span, problem, expected=expected, help=_DECK_EXAMPLE)
    return None


def _all_cards(by: Elaboration, form: Form) -> list[Attributes] | None:
    """Return the Cartesian product of the attributes after the first word of a form."""
    choices = [_alternatives(by, item) for item in form.items[1:]]
    keys = [alternatives for alternatives in choices if alternatives is not None]
    if len(keys) < len(choices):
        return None
    count = prod(map(len, keys))
    if count > MAX_CARDS:
        by.report.add(
            Code.DECK_SIZE,
            form.span,
            f"these attributes make {count:,} cards",
            expected=f"at most {MAX_CARDS:,} cards in a game",
        )
        return None
    return [dict(pair for part in parts for pair in part.items()) for parts in product(*keys)]


def _alternatives(by: Elaboration, item: Syntax) -> list[Attributes] | None:
    problem = _attribute_problem(item)
    if problem:
        message, advice = problem
        edits = _meant_attribute(by, item)
        by.report.add(
            Code.BAD_DECK, item.span, message, expected=_ATTRIBUTE_SHAPE, help=advice, edits=edits
        )
        return None
    assert isinstance(item, Form)
    assert isinstance(item.head, Atom)
    key = item.head.text
    alternatives: list[Attributes] = []
    for written in item.items[1:]:
        values = written if isinstance(written, Form) else _declared_values(by, written)
        if values is None:
            return None
        nested = len(values.items) > 1 and isinstance(values.items[1], Form)
        inner = _nested_values(by, key, values) if nested else _plain_values(by, key, values)
        if inner is None:
            return None
        alternatives.extend(inner)
        if len(alternatives) > MAX_CARDS:
            break
    return alternatives


def _meant_attribute(by: Elaboration, item: Syntax) -> tuple[Edit, ...]:
    """Return the edits that put the key in capitals, or the bracket around the values."""
    if not isinstance(item, Form) or len(item.items) < 2:
        return ()
    head, *values = item.items
    if is_atom(head, AtomKind.WORD):
        return rewritten(head.span, _as_name(head))
    if any(isinstance(value, Form) for value in values):
        return ()
    inner = Form(tuple(values), values[0].span.to(values[-1].span))
    return difference(by.report.source, item, Form((head, inner), item.span))


def _attribute_problem(item: Syntax) -> tuple[str, str] | None:
    if not isinstance(item, Form) or not item.items:
        return f"{shown(item)} is not an attribute with its values", _DECK_EXAMPLE
    head, values = item.items[0], item.items[1:]
    if not is_atom(head, AtomKind.NAME):
        name = shown(head).upper()
        advice = f"names are written in capitals: {name}" if is_atom(head, AtomKind.WORD) else ""
        return f"{shown(head)} is not the key of an attribute", advice or _DECK_EXAMPLE
    if not values or any(isinstance(value, Form) and not value.items for value in values):
        return f"{shown(head)} has no values", f"for example ({shown(head)} (A, K))"
    if all(isinstance(value, Form) or is_atom(value, AtomKind.VARIABLE) for value in values):
        return None
    message = f"the values of {shown(head)} need a bracket of their own"
    return message, f"for example ({shown(head)} (A, K))"


def _declared_values(by: Elaboration, variable: Atom) -> Form | None:
    """Return the values of an attribute that are a declared list, as they would be written."""
    node = by.elaborate(variable, ValueKind.STRINGS)
    if not isinstance(node, n.Strings):
        return None
    names = [Atom(AtomKind.NAME, name, variable.span) for name in node.values]
    values = Made(separated(names, variable.span), variable.span)
    by.extensions.add("(KEY 'V)", variable, (values,))
    return values


def _plain_values(by: Elaboration, key: str, values: Form) -> list[Attributes] | None:
    names = _name_list(by, values)
    return None if names is None else [{key: name.text} for name in names]


def _nested_values(by: Elaboration, key: str, values: Form) -> list[Attributes] | None:
    """Return the alternatives of a value with nested attributes: their Cartesian product."""
    head = values.head
    if not is_atom(head, AtomKind.NAME):
        by.report.add(
            Code.BAD_DECK,
            values.span,
            "a value with nested attributes starts with its name",
            expected="(VALUE (KEY ...) ...)",
            help=_DECK_EXAMPLE,
        )
        return None
    assert isinstance(head, Atom)
    inner = _all_cards(by, values)
    return None if inner is None else [{key: head.text, **card} for card in inner]
