"""What stands before the cursor: the brackets that are open there, and the word being typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import MAX_DEPTH, tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Comment, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"(?:'?[A-Za-z0-9_]+|'|[=!<>+\-*/%^]+)$")
_REST = re.compile(r"[A-Za-z0-9_]*")


@dataclass
class OpenForm:
    """A bracket that is open at the cursor, with the complete items in it so far."""

    start: int
    items: list[Syntax] = field(default_factory=list)


@dataclass(frozen=True)
class Cursor:
    """A place in a text where something is typed.

    `word` is the span of the word around the cursor, which a completion replaces; it is empty if
    there is none. `closed` says whether a closing bracket follows at once.
    """

    forms: Sequence[OpenForm]
    word: Span
    typed: str
    closed: bool


def cursor_at(text: str, offset: int) -> Cursor | None:
    """Return what is open at an offset; None in a comment, and where nothing can be completed."""
    match = _WORD.search(text, text.rfind("\n", 0, offset) + 1, offset)
    start = match.start() if match else offset
    rest = _REST.match(text, offset)
    end = rest.end() if rest else offset
    forms = _open_forms(text[:start])
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if forms is None or ";;" in line:
        return None
    closed = text[end:].lstrip(" \t")[:1] == ")"
    return Cursor(forms, Span(start, end), text[start:offset], closed)


def _open_forms(text: str) -> list[OpenForm] | None:
    """Return the brackets open at the end of a text; None if they are nested absurdly deep."""
    source = Source("", text)
    stack: list[OpenForm] = []
    for token in tokens(source, Diagnostics(source)):
        if isinstance(token, Comment):
            continue
        if isinstance(token, Atom):
            if stack:
                stack[-1].items.append(token)
        elif token[0] in "([{":
            stack.append(OpenForm(token[1]))
            if len(stack) > MAX_DEPTH:
                return None
        elif stack:
            done = stack.pop()
            form = Form(tuple(done.items), Span(done.start, token[1] + 1))
            if stack:
                stack[-1].items.append(form)
    return stack
