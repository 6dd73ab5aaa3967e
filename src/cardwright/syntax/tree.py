"""Forms: the shape of a program, before its words have any meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from cardwright.syntax.source import Span


class AtomKind(Enum):
    """What an atom is, by its letters alone."""

    WORD = "word"
    NAME = "name"
    VARIABLE = "variable"
    INTEGER = "integer"
    OPERATOR = "operator"
    PUNCTUATION = "punctuation"
    BAD = "unreadable text"


@dataclass(frozen=True, slots=True)
class Atom:
    """A word, name, variable, number, operator or punctuation mark.

    The text of a variable includes its apostrophe. An atom without text is unreadable, and stands
    for a part of the program that was left out.
    """

    kind: AtomKind
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Form:
    """A bracket and what it holds."""

    items: tuple[Syntax, ...]
    span: Span

    @property
    def head(self) -> Syntax | None:
        """The first item, if there is one."""
        return self.items[0] if self.items else None

    def replaced(self, start: int, end: int, *items: Syntax) -> Form:
        """Return the form with other items in the place of those from `start` to `end`."""
        return Form((*self.items[:start], *items, *self.items[end:]), self.span)

    def starts_with(self, *words: str) -> bool:
        """Return whether the form begins with these words."""
        return len(self.items) >= len(words) and all(
            is_word(item, word) for item, word in zip(self.items, words, strict=False)
        )


Syntax: TypeAlias = Atom | Form


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, with its semicolons and without its line end."""

    text: str
    span: Span


_WORDS = (AtomKind.WORD, AtomKind.OPERATOR, AtomKind.PUNCTUATION)
"""A tuple, as members of an enumeration are compared faster than hashed."""


def is_word(item: Syntax | None, text: str) -> TypeGuard[Atom]:
    """Return whether an item is this word, operator or punctuation mark."""
    return isinstance(item, Atom) and item.text == text and item.kind in _WORDS


def is_left_out(item: Syntax) -> bool:
    """Return whether an item stands for text that was left out, as its brackets do not match."""
    return isinstance(item, Atom) and not item.text


def is_atom(item: Syntax | None, kind: AtomKind) -> TypeGuard[Atom]:
    """Return whether an item is an atom of this kind."""
    return isinstance(item, Atom) and item.kind is kind
