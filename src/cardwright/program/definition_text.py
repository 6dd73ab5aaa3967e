"""The text of definitions: their names, uses and variables, before any word has a meaning."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.program.forms import BY_KEY
from cardwright.program.keys import key_of
from cardwright.program.shapes import Binder, Gap, Misfit, fit
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    if isinstance(item, Atom):
        return item
    items = tuple(map(put_in, item.items))
    same = all(new is old for new, old in zip(items, item.items, strict=True))
    return item if same else Form(items, item.span)


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


def declared_names(game: Form) -> Iterator[str]:
    """Yield the names of a game's declarations."""
    for item in game.items:
        if isinstance(item, Form) and is_word(item.head, "declare"):
            yield from (atom.text for atom in item.items if isinstance(atom, Atom))


def name_of(use: Form) -> str:
    """Return the name of the definition that is used."""
    head = use.head
    assert isinstance(head, Atom)
    return head.text


def forms_in(item: Syntax) -> Iterator[Form]:
    """Yield the forms of a text in which definitions can be used."""
    pending = [item]
    while pending:
        found = pending.pop()
        if isinstance(found, Form) and not is_word(found.head, "deck"):
            yield found
            pending += reversed(found.items)


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


def point_maps(item: Syntax) -> Iterator[Syntax]:
    """Yield the variables that name point maps of the game, as older dialects write them."""
    for form in forms_in(item):
        for word, place in pairwise(form.items):
            if is_word(word, "using") or is_word(word, "points"):
                yield place
