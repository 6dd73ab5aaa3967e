"""Plain texts without warnings that their author's text does not have.

An operand that stands within another form in the plain text may bind a variable that is bound
around it there, and a constant that was looked up in a table is used no more.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.program.check import examine
from cardwright.program.expansion import FreshNames
from cardwright.syntax.diagnostic import Code, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from cardwright.program.check import Examined
    from cardwright.syntax.diagnostic import Diagnostics

MOST_ROUNDS = 8
"""How often a text is looked through: a declaration may be the last use of another."""


def tidied(name: str, text: str, before: Diagnostics, base: int | None) -> str:
    """Return a plain text with variables renamed that hide others, and without unused constants.

    What the author's text has of that, according to the messages `before`, stays.
    """
    known = {one.message for one in before}
    for _ in range(MOST_ROUNDS):
        examined = examine(Source(name, text), base=base)
        edits = [*_renamings(examined, text, known), *_declarations(examined, known)]
        if not edits:
            break
        text = apply_edits(text, edits)
    return text


def _renamings(examined: Examined, text: str, known: Set[str]) -> Iterator[Edit]:
    """Yield the edits that give other names to variables that hide others."""
    assert examined.meaning is not None
    scope, fresh = examined.meaning.scope, FreshNames(text)
    hiding = {
        one.span
        for one in examined.checked.diagnostics.of_code(Code.SHADOWING)
        if one.message not in known
    }
    for binding in scope.bindings:
        if binding.span in hiding:
            new = fresh.variable(binding.name)
            yield Edit(binding.span, new)
            yield from (Edit(span, new) for span, used in scope.uses if used is binding)


def _declarations(examined: Examined, known: Set[str]) -> Iterator[Edit]:
    """Yield the edits that take declarations away that nothing uses."""
    unused = {
        one.span
        for one in examined.checked.diagnostics.of_code(Code.UNUSED_VARIABLE)
        if one.message not in known
    }
    game = examined.form
    for before, item in pairwise(game.items) if game and unused else ():
        declares = isinstance(item, Form) and is_word(item.head, "declare") and len(item.items) > 2
        if declares and item.items[2].span in unused:  # type: ignore[union-attr]
            start = item.span.start
            gap = examined.checked.source.text[before.span.end : start]
            yield Edit(Span(start - (len(gap) if gap.isspace() else 0), item.span.end), "")
