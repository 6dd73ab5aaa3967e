"""Which rows of the form table a form fits: its key, its operands, and the variable it binds.

A form that comes out of a definition also remembers how its author wrote it: `UseForm` and
`ParameterAtom` hold the text in the place of a use or a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from cardwright.program import nodes as n
from cardwright.program.expansion import Spliced
from cardwright.program.forms import BY_KEY, SECOND_WORDS, FormShape, build_filter
from cardwright.program.kinds import ANYTHING, NO_KIND, ValueKind
from cardwright.program.shapes import Binder, Gap, Misfit, Operand, Slot, Slots, fit
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STORED = SECOND_WORDS - {"player", "team"}
"""The words between an owner and a name: kinds of storages and of locations."""

TRUTHS = ("true", "false")
"""Words that are conditions."""

BARE = {
    "player": ValueKind.PLAYERS,
    "team": ValueKind.TEAMS,
    "game": ValueKind.TABLE,
    **dict.fromkeys(TRUTHS, ValueKind.BOOLEAN),
}
"""The words that are values by themselves."""

_KEYWORDS = (AtomKind.WORD, AtomKind.OPERATOR, AtomKind.PUNCTUATION)


def key_of(form: Form) -> str:
    """Return the key of a form in `BY_KEY`; it need not be there.

    `_ word` if the second word decides, `_` for a form without a word, nothing for empty brackets.
    """
    second = second_word(form)
    if second:
        return f"_ {second}"
    head = form.head
    if isinstance(head, Atom) and head.kind in _KEYWORDS and head.text not in TRUTHS:
        return head.text
    return "_" if form.items else ""


def second_word(form: Form) -> str:
    """Return the word in second place, if it is one that decides the form."""
    if len(form.items) < 2:
        return ""
    head, second = form.items[:2]
    if not is_atom(second, AtomKind.WORD):
        return ""
    if isinstance(head, Atom) and head.text in BY_KEY:
        return ""
    if second.text in STORED:
        return second.text
    if second.text in SECOND_WORDS and not is_atom(head, AtomKind.WORD):
        return second.text
    return ""


def is_owner(item: Syntax) -> bool:
    """Return whether an item looks like an owner: game, a variable, or a player or team form."""
    if isinstance(item, Atom):
        return item.kind is AtomKind.VARIABLE or item.text == "game"
    return key_of(item) in OWNER_KEYS


OWNER_KEYS = {"current", "next", "previous", "owner", "team", "_ player", "_ team"}
"""The keys of the forms that give a player or a team."""


def is_pair(item: Syntax) -> TypeGuard[Form]:
    """Return whether an item looks like key and value of an award."""
    return isinstance(item, Form) and len(item.items) == 3 and is_word(item.items[1], ":")


@dataclass(frozen=True, slots=True)
class ParameterAtom(Atom):
    """A parameter as it is written in a definition, and the argument in its place."""

    argument: Syntax


@dataclass(frozen=True, slots=True)
class UseForm(Form):
    """A use of a definition as it is written, and the body in its place."""

    body: Syntax


def put_in(item: Syntax) -> Syntax:
    """Return a text with arguments and bodies in the places that they have in the program."""
    if isinstance(item, ParameterAtom):
        return item.argument
    if isinstance(item, UseForm):
        return item.body
    return changed(item, put_in) if isinstance(item, Form) else item


def changed(form: Form, change: Callable[[Syntax], Syntax]) -> Form:
    """Return a form with its items changed; the very same one if none of them is another."""
    items = tuple(map(change, form.items))
    same = all(new is old for new, old in zip(items, form.items, strict=True))
    return form if same else Form(items, form.span)


def is_definition(item: Syntax) -> bool:
    """Return whether an item of a game is a definition."""
    return isinstance(item, Form) and is_word(item.head, "define")


def binder_of(form: Form) -> Syntax | None:
    """Return the variable that a form binds for the items after it, if it binds one."""
    for shape in BY_KEY.get(key_of(form), ()):
        if any(isinstance(part, Binder) for part in shape.parts):
            slots = fit(shape.parts, form.items)
            if not isinstance(slots, Misfit):
                named = [slot for slot in slots if not isinstance(slot, Gap)]
                return next(item for part, item in named if isinstance(part, Binder))
    return None


def name_of(use: Form) -> str:
    """Return the name of the definition that is used."""
    head = use.head
    assert isinstance(head, Atom)
    return head.text


def forms_in(item: Syntax) -> Iterator[Form]:
    """Yield the forms of a text in which definitions can be used."""
    pending = [item]
    while pending:
        form = pending.pop()
        if isinstance(form, Form) and not is_word(form.head, "deck"):
            yield form
            pending += reversed(form.items)


def label_words(form: Form) -> Form | None:
    """Return the bracket with what a label says, whose first name may be that of a definition."""
    words = form.items[1] if is_word(form.head, "label") and len(form.items) > 1 else None
    return words if isinstance(words, Form) else None


def variables_in(item: Syntax) -> Iterator[Atom]:
    """Yield every place of a variable in a text."""
    for form in forms_in(Form((item,), item.span)):
        for part in form.items:
            if isinstance(part, Atom) and part.kind is AtomKind.VARIABLE:
                yield part


def free_variables(item: Syntax, bound: frozenset[str] = frozenset()) -> Iterator[Atom]:
    """Yield the variables of a text that nothing in it binds."""
    if isinstance(item, Atom):
        if item.kind is AtomKind.VARIABLE and item.text not in bound:
            yield item
        return
    binder = binder_of(item)
    for part in item.items:
        if part is binder:
            assert isinstance(part, Atom)
            bound |= {part.text}
        else:
            yield from free_variables(part, bound)


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
        return bool(BARE.get(item.text, NO_KIND) & kind)
    return bool(_ATOMS.get(item.kind, ANYTHING) & kind)


_ATOMS = {
    AtomKind.NAME: ValueKind.STRING,
    AtomKind.INTEGER: ValueKind.INTEGER,
    AtomKind.OPERATOR: NO_KIND,
    AtomKind.PUNCTUATION: NO_KIND,
}


def missing_words(form: Form, expected: ValueKind) -> list[FormShape]:
    """Return the shapes that a form would fit with one more word at its start."""
    shapes_with = []
    for key, shapes in BY_KEY.items():
        wanted = [shape for shape in shapes if shape.result & expected]
        if key.startswith("_") or not wanted:
            continue
        items = (Atom(AtomKind.WORD, key, form.span), *form.items)
        for shape in wanted:
            slots = fit(shape.parts, items)
            if not isinstance(slots, Misfit) and all(map(suits, slots)):
                shapes_with.append(shape)
    return shapes_with


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
        return node.kind | _STORAGES.get(node.kind, NO_KIND)
    return node.kind


_STORAGES = {
    ValueKind.INTEGER: ValueKind.INTEGER_STORAGE,
    ValueKind.STRING: ValueKind.STRING_STORAGE,
}


def item_at(slots: Slots, at: int) -> Syntax | None:
    """Return the item in a slot."""
    slot = slots[at] if at < len(slots) else None
    return slot[1] if isinstance(slot, tuple) else None


def accepted(shape: FormShape, slots: Slots, at: int, expected: ValueKind) -> ValueKind:
    """Return the kinds that a shape accepts for its operand at a place."""
    slot = slots[at] if at < len(slots) else None
    if not isinstance(slot, tuple) or not isinstance(slot[0], Operand):
        return NO_KIND
    if shape.build is build_filter and slot[0].kind is ValueKind.COLLECTION:
        wanted = expected & ValueKind.COLLECTION & ~ValueKind.TEAM
        return wanted | (ValueKind.TEAM if wanted & ValueKind.PLAYERS else NO_KIND)
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
    """Return the operands in order, those of a repeated part together in a tuple.

    They have all steps that are in the place of one.
    """
    operands: list[Any] = []
    before: object = None
    for slot, value in zip(slots, values, strict=True):
        part = slot[0] if isinstance(slot, tuple) else None
        for one in [step.node for step in value.steps] if isinstance(value, Spliced) else [value]:
            if not isinstance(part, Operand) or not part.many:
                operands.append(one)
            elif part is before:
                operands[-1].append(one)
            else:
                operands.append([one])
            before = part
    return [tuple(item) if isinstance(item, list) else item for item in operands]
