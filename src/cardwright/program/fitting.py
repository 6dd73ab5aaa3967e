"""Which shapes of the form table a form fits, and what their operands may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.definition_text import UseForm
from cardwright.program.forms import BY_KEY
from cardwright.program.keys import BARE, key_of
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, FormShape, Gap, Misfit, Operand, Slot, Slots, fit
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Sequence

Value: TypeAlias = "n.Node | tuple[n.Node, ...] | None"
Fits: TypeAlias = list[tuple[FormShape, Slots]]
"""Shapes that a form fits, with the form's items in their places."""


def fitting(shapes: Sequence[FormShape], form: Form) -> Fits:
    """Return the shapes that a form fits, with its operands in their places."""
    fits = ((shape, fit(shape.parts, form.items)) for shape in shapes)
    return [(shape, slots) for shape, slots in fits if not isinstance(slots, Misfit)]


def may_give(item: Syntax, expected: ValueKind) -> bool:
    """Return whether an item is a known form that may give one of the expected kinds."""
    shapes = BY_KEY.get(key_of(item), []) if isinstance(item, Form) else []
    return any(shape.result & expected for shape in shapes)


def may_be(item: Syntax, kind: ValueKind) -> bool:
    """Return whether an item looks as if it could give a value of a kind."""
    if isinstance(item, UseForm):
        return may_be(item.body, kind)
    if isinstance(item, Form):
        return may_give(item, kind)
    if item.kind is AtomKind.WORD:
        return bool(BARE.get(item.text, ValueKind(0)) & kind)
    return bool(_ATOMS.get(item.kind, ~ValueKind(0)) & kind)


_ATOMS = {
    AtomKind.NAME: ValueKind.STRING,
    AtomKind.INTEGER: ValueKind.INTEGER,
    AtomKind.OPERATOR: ValueKind(0),
    AtomKind.PUNCTUATION: ValueKind(0),
}


def missing_words(form: Form, expected: ValueKind) -> list[FormShape]:
    """Return the shapes that a form would fit with one more word at its start."""
    found = []
    for key, shapes in BY_KEY.items():
        wanted = [shape for shape in shapes if shape.result & expected]
        if key.startswith("_") or not wanted:
            continue
        items = (Atom(AtomKind.WORD, key, form.span), *form.items)
        for shape in wanted:
            slots = fit(shape.parts, items)
            if not isinstance(slots, Misfit) and all(map(suits, slots)):
                found.append(shape)
    return found


def suits(slot: Slot | Gap) -> bool:
    """Return whether the item in a slot looks as if it could give what the slot needs."""
    if isinstance(slot, Gap) or isinstance(slot[0], Binder):
        return True
    kind, item = slot[0].kind, slot[1]
    if isinstance(item, Form) and key_of(item) == "_" and not kind & ValueKind.CONTROL:
        return kind is ValueKind.AWARD
    return may_be(item, kind)


def stands_for(node: n.Node) -> ValueKind:
    """Return what a node can serve as: its value, and its storage if it is one."""
    if isinstance(node, n.Storage):
        return node.kind | _STORAGES.get(node.kind, ValueKind(0))
    return node.kind


_STORAGES = {
    ValueKind.INTEGER: ValueKind.INTEGER_STORAGE,
    ValueKind.STRING: ValueKind.STRING_STORAGE,
}


def results(shapes: Sequence[FormShape]) -> ValueKind:
    """Return what some shapes give."""
    kinds = ValueKind(0)
    for shape in shapes:
        kinds |= shape.result
    return kinds


def item_at(slots: Slots, at: int) -> Syntax | None:
    """Return the item in a slot."""
    slot = slots[at] if at < len(slots) else None
    return slot[1] if isinstance(slot, tuple) else None


def accepted(shape: FormShape, slots: Slots, at: int, expected: ValueKind) -> ValueKind:
    """Return the kinds that a shape accepts for its operand at a place."""
    slot = slots[at] if at < len(slots) else None
    if not isinstance(slot, tuple) or not isinstance(slot[0], Operand):
        return ValueKind(0)
    if shape.custom == "filter" and slot[0].kind is ValueKind.COLLECTION:
        wanted = expected & ValueKind.COLLECTION & ~ValueKind.TEAM
        return wanted | (ValueKind.TEAM if wanted & ValueKind.PLAYERS else ValueKind(0))
    return slot[0].kind


def preferred(fits: Fits, expected: ValueKind) -> tuple[FormShape, Slots]:
    """Return the shape that is meant where several fit: a location before a card, if both will do.

    So `let` of the top of a set is its first location, as ever, though it could be a card.
    """
    if expected & ValueKind.LOCATION:
        for pair in fits:
            if pair[0].result & ValueKind.LOCATION:
                return pair
    return fits[0]


def gather(slots: Slots, values: list[n.Node | None]) -> list[Value]:
    """Return the operands in order, those of a repeated part together in a tuple."""
    operands: list[n.Node | list[n.Node] | None] = []
    before: object = None
    for slot, value in zip(slots, values, strict=True):
        part = slot[0] if isinstance(slot, tuple) else None
        if not (isinstance(part, Operand) and part.many):
            operands.append(value)
        else:
            assert value is not None
            if part is not before:
                operands.append([])
            gathered = operands[-1]
            assert isinstance(gathered, list)
            gathered.append(value)
        before = part
    return [tuple(item) if isinstance(item, list) else item for item in operands]


def single(result: ValueKind, expected: ValueKind) -> ValueKind:
    """Return the kind of value of a shape's result, without the storage flags."""
    kind = result & ~(ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE)
    return kind & expected or kind
