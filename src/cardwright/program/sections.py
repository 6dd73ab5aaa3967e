"""The sections of a program and the parts of its set-up: their names and shapes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.diagnosis.fixes import fix
from cardwright.program.diagnosis.mistakes import CommonMistake, word
from cardwright.program.diagnosis.suggestions import FOREIGN
from cardwright.program.forms import BY_KEY
from cardwright.program.keys import second_word
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import FormShape, fits_any, parse
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from cardwright.program.elaborate import Elaborator

_row = partial(FormShape, "Sections", result=ValueKind(0), node=n.Bad, sentence="")

SHAPES = {
    name: [_row(pattern=p, example=example, parts=parse(p)) for p in patterns]
    for name, example, patterns in (
        ("declare", "(declare 4 'PLAYERS)", ["(declare VALUE 'V)"]),
        (
            "scoring",
            "(scoring max ((current player) sto SCORE))",
            ["(scoring max INTEGER)", "(scoring min INTEGER)"],
        ),
        ("create players", "(create players 4)", ["(create players INTEGER)"]),
        (
            "create secret",
            "(create secret (player isto BID) (range 0 .. 13))",
            [
                "(create secret (player isto STRING) INTEGERS)",
                "(create secret (player istr STRING) STRINGS)",
            ],
        ),
    )
}
"""The shapes of the sections whose parts are ordinary values."""

_SECTION_WORDS = ("declare", "setup", "scoring")
_PARTS = {"create": ("players", "teams", "deck", "secret"), "repeat": ()}


def well_formed(by: Elaborator, form: Form, section: str) -> Form | None:
    """Return a section in its proper shape; errors are reported.

    None if it is unclear what was meant.
    """
    shapes = SHAPES[section]
    if fits_any(form, shapes):
        return form
    found = fix(form, shapes)
    if found is None or not isinstance(found.meant, Form) or not fits_any(found.meant, shapes):
        by.complain.misfit(form, shapes)
        return None
    by.complain.mistake(found, form)
    return found.meant


def section_mistake(item: Syntax) -> CommonMistake | None:
    """Return the mistake in the name of a section, if an item of the game has one."""
    if not isinstance(item, Form):
        return None
    head = item.head
    if len(item.items) == 2 and not second_word(item) and is_atom(item.items[1], AtomKind.VARIABLE):
        return _declaration(item)
    if not is_atom(head, AtomKind.WORD):
        return None
    assert isinstance(head, Atom)
    meant = near(head.text, _SECTION_WORDS, 0.75)
    if item.starts_with("score", "max") or item.starts_with("score", "min"):
        meant = "scoring"
    elif head.text in BY_KEY or head.text in FOREIGN or head.text in _SECTION_WORDS:
        return None
    return _renamed(item, 0, meant)


def _declaration(item: Form) -> CommonMistake | None:
    """`(4 'PLAYERS)`: the word declare is missing."""
    value, variable = item.items
    if isinstance(value, Atom) and value.kind not in {AtomKind.INTEGER, AtomKind.NAME}:
        return None
    return CommonMistake(
        Form((word("declare", variable), value, variable), item.span),
        item.span,
        f"the word declare is missing at the start of {shown(item)}",
        expected="(declare VALUE 'V)",
    )


def part_mistake(item: Syntax) -> CommonMistake | None:
    """Return the mistake in the name of a part of the set-up, if an item of it has one."""
    if not isinstance(item, Form) or not is_atom(item.head, AtomKind.WORD):
        return None
    first = shown(item.items[0])
    if first not in _PARTS:
        return _renamed(item, 0, near(first, _PARTS))
    if first != "create" or len(item.items) < 2 or not is_atom(item.items[1], AtomKind.WORD):
        return None
    second = shown(item.items[1])
    return None if second in _PARTS[first] else _renamed(item, 1, near(second, _PARTS[first]))


def is_part(item: Syntax) -> bool:
    """Return whether an item is a part of a set-up."""
    if not isinstance(item, Form):
        return False
    inner = item.items[-1] if is_word(item.head, "repeat") else item
    return isinstance(inner, Form) and is_word(inner.head, "create")


def _renamed(form: Form, at: int, meant: str | None) -> CommonMistake | None:
    if meant is None:
        return None
    wrong = form.items[at]
    return CommonMistake(
        form.replaced(at, at + 1, word(meant, wrong)),
        wrong.span,
        f"{'nothing in the frame of a game' if at == 0 else 'nothing that is created'} is called "
        f"`{shown(wrong)}`",
        help=f"did you mean {meant}?",
        code=Code.UNKNOWN_FORM,
    )
