"""Rules in RECYCLE for reading: the text of a game's file, cut into pieces by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.tree import Atom, AtomKind, Comment

if TYPE_CHECKING:
    from cardwright.syntax.source import Source

_KINDS = {
    AtomKind.WORD: "word",
    AtomKind.OPERATOR: "operator",
    AtomKind.INTEGER: "number",
    AtomKind.VARIABLE: "variable",
    AtomKind.NAME: "name",
}


def coloured_pieces(source: Source) -> list[list[str]]:
    """Return the text in pieces, each with its kind; that of brackets and space is empty."""
    pieces: list[list[str]] = []
    last = 0
    for token in tokens(source, Diagnostics(source)):
        if not isinstance(token, Atom | Comment):
            continue
        kind = "comment" if isinstance(token, Comment) else _KINDS.get(token.kind, "")
        start, end = token.span.start, token.span.end
        if start > last:
            pieces.append([source.text[last:start], ""])
        pieces.append([source.text[start:end], kind])
        last = end
    if last < len(source.text):
        pieces.append([source.text[last:], ""])
    return pieces
