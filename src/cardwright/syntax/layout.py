"""The layout of pieces on lines of limited width.

A form stands on one line if it may and fits. Otherwise its first words and short operands stay
beside its bracket and the other items begin rows below. The layout depends on the pieces alone,
never on the author's line breaks, so that formatting is idempotent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.syntax.pieces import Piece, PieceKind, separator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 90
"""Columns of a line. Only comments, and programs nested absurdly deep, go beyond."""

INDENT = 2
"""Columns by which the body of a form is indented relative to its bracket."""

_FAR_RIGHT = 60
"""From this column on, a form that needs several lines begins a row of its own."""

_SHORT = 24
"""Widest form that shares its row with others in a filled list; a plain award has up to 21."""

_HEADERS = {
    "choice": 1,
    "define": 1,
    "do": 1,
    "game": 0,
    "setup": 0,
    "stage": 1,
    "any": 2,
    "all": 2,
    "filter": 2,
    "let": 2,
    "label": 1,
    "put": 2,
    "set": 1,
    "inc": 1,
    "dec": 1,
    "repeat": 1,
    "scoring": 1,
}
"""How many operands of a broken form stay beside its head word; the others are its body."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a broken form is laid out.

    `indent` is the column where its rows begin. `header` is the number of items that stay on the
    line of the bracket if there is room; with 0, even the first one begins a row. `filled` says
    whether short items share rows like the words of a paragraph.
    """

    indent: int
    header: int
    filled: bool = False


def lay_out(pieces: Iterable[Piece]) -> str:
    """Return the text of pieces that stand below each other; it has no final line end."""
    page = _Page()
    for place, piece in enumerate(pieces):
        if place:
            page.row(0, blank=piece.blank)
        page.piece(piece, 0)
    return page.text()


class _Page:
    """The lines written so far, the last one in parts.

    A `tail` is what must still fit after a piece on its line, in columns: closing brackets, a
    comma, single words.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.parts: list[str] = []
        self.column = 0

    def text(self) -> str:
        return "\n".join([*self.lines, "".join(self.parts)])

    def row(self, indent: int, *, blank: bool = False) -> None:
        """Begin a new line, after a blank one if wanted."""
        self.lines.append("".join(self.parts))
        if blank:
            self.lines.append("")
        self.parts = [" " * indent]
        self.column = indent

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.column += len(text)

    def piece(self, piece: Piece, tail: int) -> None:
        """Write a piece, on one line if it fits, and its comment. A new row must follow that."""
        if piece.kind is not PieceKind.FORM or self.has_room(piece, tail):
            self.put(piece.flat())
        else:
            self.broken(piece, tail, self.shape(piece, tail))
        self.comment(piece.after)

    def comment(self, text: str) -> None:
        if text:
            self.put(f"  {text}")

    def has_room(self, piece: Piece, tail: int, before: int = 0) -> bool:
        """Return whether a piece fits on the rest of the line after `before` more columns."""
        return piece.width is not None and self.column + before + piece.width + tail <= WIDTH

    def broken(self, form: Piece, tail: int, shape: _Shape) -> None:
        """Write a form over several lines."""
        start = self.column
        self.put("(")
        self.comment(form.opening)
        for place, item in enumerate(form.items):
            after = _tail(form.items, place, tail)
            indent = start + INDENT
            if not self.joins(form, place, shape, after):
                self.row(shape.indent, blank=item.blank and place > 0)
                indent = shape.indent + INDENT
            elif place:
                self.put(separator(item))
            if _is_steps(form, item):
                self.broken(item, after, _Shape(indent, 0))
                self.comment(item.after)
            else:
                self.piece(item, after)
        if _ends_with_comment(form):
            self.row(start if shape.header else shape.indent - INDENT)
        self.put(")")

    def joins(self, form: Piece, place: int, shape: _Shape, tail: int) -> bool:
        """Return whether an item stays on the line instead of beginning a row."""
        item = form.items[place]
        if item.kind is PieceKind.NOTE:
            return False
        if place == 0:
            return shape.header > 0 and not form.opening
        before = form.items[place - 1]
        if before.after or before.kind is PieceKind.NOTE:
            return False
        if item.is_word(","):
            return True
        if item.kind is PieceKind.ATOM:
            apart = item.is_word("using", "else") or (item.blank and shape.filled)
            return not apart and self.has_room(item, tail, 1)
        if place < shape.header or before.is_word("using", "else", ":", ".."):
            return self.has_room(item, tail, 1) or self.column < _FAR_RIGHT
        may_share = shape.filled and not item.blank and _is_short(item) and _is_short(before)
        return may_share and self.has_room(item, tail, 1)

    def shape(self, form: Piece, tail: int) -> _Shape:
        """Choose how to break a form that begins at the current column."""
        if _is_filled(form):
            return _Shape(self.column + 1, 1, filled=True)
        body = self.column + INDENT
        if not form.head:
            return _Shape(body, 1)
        if form.head == "create" and form.items[1:] and form.items[1].is_word("deck"):
            return _Shape(body, len(form.items) - 1)
        if form.head in _HEADERS:
            return _Shape(body, 1 + _HEADERS[form.head])
        return self.aligned(form, tail)

    def aligned(self, form: Piece, tail: int) -> _Shape:
        """Align operands below the first one, unless one of them would only fit further left."""
        body = self.column + INDENT
        column = self.column + 1
        words = 0
        for item in form.items:
            if item.kind is not PieceKind.ATOM or item.is_word("using"):
                break
            column += len(item.text) + 1
            words += 1
            if item.after:
                return _Shape(body, words)
        for place in range(words, len(form.items)):
            width = form.items[place].width
            if width is not None and form.head not in {"and", "or"}:
                needed = width + _tail(form.items, place, tail)
                if body + needed <= WIDTH < column + needed:
                    return _Shape(body, words)
        if column >= _FAR_RIGHT or words == len(form.items):
            return _Shape(body, words)
        return _Shape(column, words + 1)


def _tail(items: Sequence[Piece], place: int, outer: int) -> int:
    """Return the columns of what follows an item directly on its line.

    That is a comma; after a form also the words that follow it; after the last item the closing
    brackets, its form's own and the `outer` ones.
    """
    if items[place].after:
        return 0
    columns = 0
    any_word = items[place].kind is PieceKind.FORM
    for following in range(place + 1, len(items)):
        item = items[following]
        if not (item.is_word(",") or any_word) or columns > WIDTH:
            return columns
        if item.kind is not PieceKind.ATOM or item.is_word("using", "else"):
            return columns
        columns += len(separator(item)) + len(item.text)
        if item.after:
            return columns
    return columns + 1 + outer


def _ends_with_comment(form: Piece) -> bool:
    """Return whether the last line inside a form ends with a comment, so it cannot be closed."""
    if not form.items:
        return form.opening != ""
    return form.items[-1].after != "" or form.items[-1].kind is PieceKind.NOTE


def _is_steps(form: Piece, item: Piece) -> bool:
    """Return whether an item is the list of steps of its form."""
    return form.head in {"do", "choice"} and item.kind is PieceKind.FORM


def _is_filled(form: Piece) -> bool:
    """Return whether the items of a broken form share rows: comma lists, awards, references."""
    forms = [item for item in form.items if item.kind is PieceKind.FORM]
    if any(item.is_word(",") for item in form.items) or not forms:
        return True
    if len(form.items) > 1 and not form.head and form.items[1].kind is PieceKind.ATOM:
        return True
    return len(forms) > 1 and not form.head and not any(item.head for item in forms)


def _is_short(item: Piece) -> bool:
    return item.width is not None and item.width <= _SHORT
