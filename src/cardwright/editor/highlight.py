"""What each word of a game file is, for colours."""

from __future__ import annotations

from enum import Enum, IntFlag
from typing import TYPE_CHECKING

from cardwright.program.symbols import SymbolSort, Use
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.tree import Atom, AtomKind, Comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.editor.document import Document
    from cardwright.syntax.source import Span


class TokenType(Enum):
    """The types of words, by their names in the protocol, in the order of the legend."""

    KEYWORD = "keyword"
    OPERATOR = "operator"
    NUMBER = "number"
    COMMENT = "comment"
    VARIABLE = "variable"
    FUNCTION = "function"
    PROPERTY = "property"
    NAMESPACE = "namespace"
    TYPE = "type"
    ENUM_MEMBER = "enumMember"


class TokenModifier(IntFlag):
    """What is said of a word besides its type; the names in the protocol are those in small."""

    DECLARATION = 1
    READONLY = 2
    MODIFICATION = 4


_SYMBOLS = {
    SymbolSort.CONSTANT: TokenType.VARIABLE,
    SymbolSort.VARIABLE: TokenType.VARIABLE,
    SymbolSort.DEFINITION: TokenType.FUNCTION,
    SymbolSort.STORAGE: TokenType.PROPERTY,
    SymbolSort.LOCATION: TokenType.NAMESPACE,
    SymbolSort.ATTRIBUTE: TokenType.TYPE,
    SymbolSort.VALUE: TokenType.ENUM_MEMBER,
}
_ATOMS = {
    AtomKind.WORD: TokenType.KEYWORD,
    AtomKind.OPERATOR: TokenType.OPERATOR,
    AtomKind.INTEGER: TokenType.NUMBER,
    AtomKind.VARIABLE: TokenType.VARIABLE,
    AtomKind.NAME: TokenType.ENUM_MEMBER,
}
_TYPES = list(TokenType)

LEGEND_TYPES = [one.value for one in TokenType]
LEGEND_MODIFIERS = [str(one.name).lower() for one in TokenModifier]


def semantic_tokens(document: Document, within: Span | None = None) -> list[int]:
    """Return the words of a text, or of a stretch of it, five numbers each as the protocol has it.

    Comments of several lines do not occur in the language, so no word goes beyond its line.
    """
    data: list[int] = []
    line = character = 0
    for span, kind, modifiers in _words(document):
        if within is not None and not within.start <= span.start < within.end:
            continue
        start, end = document.lines.position(span.start), document.lines.position(span.end)
        if start.line != end.line:
            continue
        ahead = start.character - (character if start.line == line else 0)
        length = end.character - start.character
        data += (start.line - line, ahead, length, _TYPES.index(kind), modifiers)
        line, character = start.line, start.character
    return data


def _words(document: Document) -> Iterator[tuple[Span, TokenType, int]]:
    named = {one.span.end: one for one in document.names.all}
    for token in tokens(document.source, Diagnostics(document.source)):
        if isinstance(token, Comment):
            yield token.span, TokenType.COMMENT, 0
        elif isinstance(token, Atom) and token.kind in _ATOMS:
            found = named.get(token.span.end)
            if found is None:
                yield token.span, _ATOMS[token.kind], 0
                continue
            modifiers = TokenModifier(0)
            if found.use is Use.BINDS:
                modifiers |= TokenModifier.DECLARATION
            elif found.use is Use.FILLS:
                modifiers |= TokenModifier.MODIFICATION
            if found.symbol.sort is SymbolSort.CONSTANT:
                modifiers |= TokenModifier.READONLY
            yield token.span, _SYMBOLS[found.symbol.sort], int(modifiers)
