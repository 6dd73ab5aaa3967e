"""Pieces: the forms of a program together with the comments and blank lines around them.

The reader keeps forms and comments apart, which suits everyone except the formatter. Here each
comment is attached to its place again: at the end of the line of a piece, or on a line of its own
before one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from cardwright.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.syntax.reader import ReadText
    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Atom, Comment


_BRACKETS = re.compile(r"(?:[ \t\r\n\f\v]*\))+[ \t\r\f\v]*")
"""Closing brackets and the rest of the white space on the line of the last one."""


class PieceKind(Enum):
    """What a piece is: an atom, a form, or a comment on a line of its own."""

    ATOM = "atom"
    FORM = "form"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Piece:
    """An atom, a form or an own-line comment, as it is to be laid out.

    `opening` is the comment on the line of a form's opening bracket, `after` the one at the end of
    the piece's last line. `blank` says that the author left a blank line before the piece. `width`
    is the number of columns the piece needs on one line; None if it must not stand on one line.
    """

    kind: PieceKind
    text: str = ""
    items: tuple[Piece, ...] = ()
    opening: str = ""
    after: str = ""
    blank: bool = False
    width: int | None = 0

    def is_word(self, *texts: str) -> bool:
        """Return whether the piece is an atom with one of these texts."""
        return self.kind is PieceKind.ATOM and self.text in texts

    @property
    def head(self) -> str:
        """The text of a form's first item if that is an atom, else nothing."""
        return self.items[0].text if self.items and self.items[0].kind is PieceKind.ATOM else ""

    def flat(self) -> str:
        """Return the piece on one line; only for pieces that have a width."""
        if self.kind is not PieceKind.FORM:
            return self.text
        parts: list[str] = []
        for item in self.items:
            parts += [separator(item) if parts else "", item.flat()]
        return f"({''.join(parts)})"


def separator(item: Piece) -> str:
    """Return what stands before an item on its line: a comma sticks to the word before it."""
    return "" if item.is_word(",") else " "


def program_pieces(source: Source, reading: ReadText, program: Form) -> tuple[Piece, ...]:
    """Return the program's piece with the own-line comments before it and after it.

    Comments after the program are left out if there is other text: that tail stays as it is.
    """
    return _Gatherer(source, reading).program(program)


class _Gatherer:
    """Walks the forms in the order of the text.

    `cursor` is the end of what was passed last. `moves` says whether the comment taken last may
    move behind the closing brackets after it, which then have no comment of their own.
    """

    def __init__(self, source: Source, reading: ReadText) -> None:
        self.text = source.text
        self.comments = reading.comments
        self.next_comment = 0
        self.cursor = 0
        self.moves = False
        self.has_rest = reading.rest is not None

    def program(self, form: Form) -> tuple[Piece, ...]:
        before = tuple(self._notes(form.span.start))
        if self.has_rest:
            return (*before, self._form(form, form.span.end, gather=False))
        end = len(self.text)
        return (*before, self._form(form, end), *self._notes(end))

    def _form(self, form: Form, limit: int, *, gather: bool = True) -> Piece:
        """Return the piece of a form; the next token or the end of the text is at the limit.

        Closing brackets are kept together: a comment that follows the last item moves behind them
        and becomes the comment of the form, unless there is another one.
        """
        blank = self._blank(form.span.start)
        self.cursor = form.span.start + 1
        end = form.span.end - 1
        starts = [item.span.start for item in form.items] + [end]
        opening = self._line_comment(starts[0])
        items: list[Piece] = []
        for item, next_start in zip(form.items, starts[1:], strict=True):
            items += self._notes(item.span.start)
            if isinstance(item, Form):
                items.append(self._form(item, next_start))
            else:
                items.append(self._atom(item, next_start))
        items += self._notes(end)
        self.cursor = form.span.end
        after = self._line_comment(limit)
        if gather and not after and self.moves and items and items[-1].after:
            after = items[-1].after
            items[-1] = replace(items[-1], after="")
        width = _width(items, opening)
        return Piece(PieceKind.FORM, "", tuple(items), opening, after, blank, width)

    def _atom(self, atom: Atom, limit: int) -> Piece:
        blank = self._blank(atom.span.start)
        self.cursor = atom.span.end
        after = self._line_comment(limit)
        width = len(atom.text)
        return Piece(PieceKind.ATOM, atom.text, after=after, blank=blank, width=width)

    def _line_comment(self, limit: int) -> str:
        """Take the comment on the line of the cursor, if one is there before the limit."""
        comment = self._peek(limit)
        if comment is None or "\n" in self.text[self.cursor : comment.span.start]:
            return ""
        brackets = _BRACKETS.match(self.text, comment.span.end)
        self.moves = brackets is None or not self.text.startswith(";;", brackets.end())
        return self._take(comment)

    def _notes(self, limit: int) -> Iterator[Piece]:
        """Take all comments before the limit, each as a piece of its own."""
        while (comment := self._peek(limit)) is not None:
            blank = self._blank(comment.span.start)
            yield Piece(PieceKind.NOTE, self._take(comment), blank=blank, width=None)

    def _peek(self, limit: int) -> Comment | None:
        if self.next_comment < len(self.comments):
            comment = self.comments[self.next_comment]
            if comment.span.start < limit:
                return comment
        return None

    def _take(self, comment: Comment) -> str:
        self.next_comment += 1
        self.cursor = comment.span.end
        return comment.text

    def _blank(self, offset: int) -> bool:
        return self.text.count("\n", self.cursor, offset) > 1


def _width(items: Sequence[Piece], opening: str) -> int | None:
    """Return the width of a form: none if a comment or its meaning spreads it over lines."""
    if opening or _stands_tall(items):
        return None
    width = 2 + max(0, len(items) - 1)
    for item in items:
        if item.width is None or item.after:
            return None
        width += item.width - (item is not items[0] and item.is_word(","))
    return width


def _stands_tall(items: Sequence[Piece]) -> bool:
    """Return whether a form reads better over several lines, however short it is."""
    if len(items) < 2 or items[0].kind is not PieceKind.ATOM:
        return False
    head = items[0].text
    if head == "game":  # the program, not a place like (game vloc ROW)
        return items[1].kind is not PieceKind.ATOM
    if head == "do":
        return len(items[1].items) > 1
    if head == "setup":
        return any(_creates_deck(item) for item in items)
    return head in {"stage", "choice"}


def _creates_deck(form: Piece) -> bool:
    if form.head == "repeat":
        return any(_creates_deck(item) for item in form.items)
    return form.head == "create" and form.items[1:] != () and form.items[1].is_word("deck")
