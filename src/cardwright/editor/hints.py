"""Hints between the words of a text: the kinds of variables where they are bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import InlayHint, InlayHintKind

from cardwright.program.kinds import in_words
from cardwright.program.nodes import Variable
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from cardwright.editor.document import Document
    from cardwright.syntax.source import Span

_PLAIN = frozenset({"player", "team"})
"""Collections that say by themselves what is in them."""


def inlay_hints(document: Document, within: Span) -> list[InlayHint]:
    """Return the kinds of variables in a stretch of text that the text itself does not tell.

    That is a variable of `let`, and one of `all`, `any` or `filter` that goes through anything but
    all players or all teams.
    """
    meaning = document.examined.meaning
    kinds = {
        binding.span.start: binding.value.kind
        for binding in (meaning.scope.bindings if meaning else ())
        if isinstance(binding.value, Variable) and binding.value.kind.known
    }
    found: list[InlayHint] = []
    pending = [document.form] if document.form else []
    while pending:
        form = pending.pop()
        if form.span.end < within.start or form.span.start > within.end:
            continue
        pending.extend(item for item in form.items if isinstance(item, Form))
        if len(form.items) < 3:
            continue
        source, bound = form.items[1:3]
        kind = kinds.get(bound.span.start)
        told = any(is_word(source, word) for word in _PLAIN)
        if kind is not None and not told and within.start <= bound.span.end <= within.end:
            place = document.lines.position(bound.span.end)
            label = in_words(kind).split(" ", 1)[1]
            found.append(InlayHint(place, label, InlayHintKind.Type, padding_left=True))
    return sorted(found, key=lambda hint: (hint.position.line, hint.position.character))
