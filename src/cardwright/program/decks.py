"""Decks: from the attributes of a deck to its cards."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.awards import as_name, name_list, separated
from cardwright.program.expansion import Made
from cardwright.program.kinds import ValueKind
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code, Edit, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from cardwright.program.elaborate import Elaborator

MAX_CARDS = 5_000
"""Most cards a game may have; 100 packs of 52 fit easily."""

Attributes: TypeAlias = dict[str, str]

_SHAPE = "(KEY (VALUE, ...)) or, with nested attributes, (KEY (VALUE (KEY ...)) ...)"
_EXAMPLE = "for example (deck (RANK (A, K)) (COLOR (RED (SUIT (HEARTS, DIAMONDS)))))"


def deck_cards(by: Elaborator, form: Syntax) -> list[Attributes] | None:
    """Return the attributes of a deck's cards in order of creation; None if it was reported."""
    if not isinstance(form, Form) or not is_word(form.head, "deck") or len(form.items) < 2:
        by.report.add(
            Code.BAD_DECK,
            form.span,
            "a deck with its attributes should be here",
            expected="(deck (KEY (VALUE, ...)) ...)",
            help=_EXAMPLE,
        )
        return None
    if is_atom(form.items[1], AtomKind.NAME):
        by.report.add(
            Code.BAD_DECK,
            form.items[1].span,
            f"the attribute {shown(form.items[1])} needs a bracket of its own",
            expected="(deck (KEY (VALUE, ...)) ...)",
            help=_EXAMPLE,
        )
        return None
    keys = [_alternatives(by, item) for item in form.items[1:]]
    sound = [alternatives for alternatives in keys if alternatives is not None]
    if len(sound) < len(keys):
        return None
    return _product(by, form, sound)


def _product(by: Elaborator, form: Form, keys: list[list[Attributes]]) -> list[Attributes] | None:
    count = prod(map(len, keys))
    if count > MAX_CARDS:
        by.report.add(
            Code.DECK_SIZE,
            form.span,
            f"these attributes make {count:,} cards",
            expected=f"at most {MAX_CARDS:,} cards in a game",
        )
        return None
    cards = []
    for parts in product(*keys):
        card: Attributes = {}
        for part in parts:
            card.update(part)
        cards.append(card)
    return cards


def _alternatives(by: Elaborator, item: Syntax) -> list[Attributes] | None:
    """Return the alternatives of one attribute: what it sets, for each of its values in order."""
    problem = _attribute_problem(item)
    if problem:
        message, advice = problem
        edits = _meant_attribute(by, item)
        by.report.add(Code.BAD_DECK, item.span, message, expected=_SHAPE, help=advice, edits=edits)
        return None
    assert isinstance(item, Form)
    assert isinstance(item.head, Atom)
    key = item.head.text
    found: list[Attributes] = []
    for written in item.items[1:]:
        values = written if isinstance(written, Form) else _declared(by, written)
        if values is None:
            return None
        inner = _branch(by, key, values) if _is_branch(values) else _leaf(by, key, values)
        if inner is None:
            return None
        found.extend(inner)
        if len(found) > MAX_CARDS:
            break
    return found


def _meant_attribute(by: Elaborator, item: Syntax) -> tuple[Edit, ...]:
    """Return the edits that put the key in capitals, or the bracket around the values."""
    if not isinstance(item, Form) or len(item.items) < 2:
        return ()
    head, *values = item.items
    if is_atom(head, AtomKind.WORD):
        return rewritten(head.span, as_name(head))
    if any(isinstance(value, Form) for value in values):
        return ()
    inner = Form(tuple(values), values[0].span.to(values[-1].span))
    return difference(by.report.source, item, Form((head, inner), item.span))


def _attribute_problem(item: Syntax) -> tuple[str, str] | None:
    """Return why an item is not an attribute with its values, and how to write it."""
    if not isinstance(item, Form) or not item.items:
        return f"{shown(item)} is not an attribute with its values", _EXAMPLE
    head, values = item.items[0], item.items[1:]
    if not is_atom(head, AtomKind.NAME):
        name = shown(head).upper()
        advice = f"names are written in capitals: {name}" if is_atom(head, AtomKind.WORD) else ""
        return f"{shown(head)} is not the key of an attribute", advice or _EXAMPLE
    if not values or any(isinstance(value, Form) and not value.items for value in values):
        return f"{shown(head)} has no values", f"for example ({shown(head)} (A, K))"
    if not all(isinstance(v, Form) or is_atom(v, AtomKind.VARIABLE) for v in values):
        return (
            f"the values of {shown(head)} need a bracket of their own",
            f"for example ({shown(head)} (A, K))",
        )
    return None


def _declared(by: Elaborator, variable: Atom) -> Form | None:
    """Return the values of an attribute that are a declared list, as they would be written."""
    node = by.elaborate(variable, ValueKind.STRINGS)
    if not isinstance(node, n.Strings):
        return None
    names = [Atom(AtomKind.NAME, name, variable.span) for name in node.values]
    values = Made(separated(names, variable.span), variable.span)
    by.extensions.add("(KEY 'V)", variable, (values,))
    return values


def _is_branch(values: Form) -> bool:
    return len(values.items) > 1 and isinstance(values.items[1], Form)


def _leaf(by: Elaborator, key: str, values: Form) -> list[Attributes] | None:
    names = name_list(by, values)
    return None if names is None else [{key: name.text} for name in names]


def _branch(by: Elaborator, key: str, values: Form) -> list[Attributes] | None:
    """Return the alternatives of a value with nested attributes: their Cartesian product."""
    head = values.head
    if not is_atom(head, AtomKind.NAME):
        by.report.add(
            Code.BAD_DECK,
            values.span,
            "a value with nested attributes starts with its name",
            expected="(VALUE (KEY ...) ...)",
            help=_EXAMPLE,
        )
        return None
    assert isinstance(head, Atom)
    nested = [_alternatives(by, item) for item in values.items[1:]]
    sound = [alternatives for alternatives in nested if alternatives is not None]
    if len(sound) < len(nested):
        return None
    inner = _product(by, values, sound)
    return None if inner is None else [{key: head.text, **card} for card in inner]
