"""The formatter: the same program and the same comments, in one standard layout."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from cardwright.english import counted
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read, tokens
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, Comment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.syntax.reader import ReadText

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


def _pieces(source: Source, reading: ReadText) -> Sequence[Piece]:
    """Return the program's piece with the own-line comments before it and after it.

    Closing brackets are kept together: a comment that follows the last item of a form moves behind
    them and becomes the comment of the form, unless there is another one. What follows the program
    is left out if that is not comments alone: that tail stays as it is.
    """
    text, form = source.text, reading.form
    assert form is not None
    end = len(text) if reading.rest is None else form.span.end
    listed = deque(t for t in tokens(source, Diagnostics(source)) if t.span.start < end)
    levels: list[tuple[list[Piece], str, bool]] = [([], "", False)]
    cursor, moves = 0, False
    while listed:
        token = listed.popleft()
        blank = text.count("\n", cursor, token.span.start) > 1
        cursor = token.span.end
        if isinstance(token, Comment):
            levels[-1][0].append(Piece(PieceKind.NOTE, token.text, blank=blank, width=None))
            continue
        comment = ""
        following = listed[0] if listed else None
        if isinstance(following, Comment) and "\n" not in text[cursor : following.span.start]:
            comment, cursor = following.text, following.span.end
            brackets = _BRACKETS.match(text, cursor)
            moves = brackets is None or not text.startswith(";;", brackets.end())
            listed.popleft()
        if isinstance(token, Atom):
            word = token.text
            piece = Piece(PieceKind.ATOM, word, after=comment, blank=blank, width=len(word))
            levels[-1][0].append(piece)
        elif token.opens:
            levels.append(([], comment, blank))
        else:
            items, opening, blank = levels.pop()
            gathers = len(levels) > 1 or reading.rest is None
            if gathers and not comment and moves and items and items[-1].after:
                comment = items[-1].after
                items[-1] = replace(items[-1], after="")
            width = _width(items, opening)
            piece = Piece(PieceKind.FORM, "", tuple(items), opening, comment, blank, width)
            levels[-1][0].append(piece)
    return levels[0][0]


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


WIDTH = 90
"""Columns of a line. Only comments, and programs nested absurdly deep, go beyond."""

INDENT = 2
"""Columns by which the body of a form is indented relative to its bracket."""

_FAR_RIGHT = 60
"""From this column on, a form that needs several lines begins a row of its own."""

_SHORT = 24
"""Widest form that shares its row with others in a filled list; a plain award has up to 21."""

_HEADERS = {
    word: operands
    for operands, words in enumerate(
        (
            "game setup",
            "choice define do label stage set inc dec repeat scoring",
            "any all filter let put",
        )
    )
    for word in words.split()
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
        return piece.width is not None and self.column + before + piece.width + tail <= WIDTH

    def broken(self, form: Piece, tail: int, shape: _Shape) -> None:
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
            if form.head in {"do", "choice"} and item.kind is PieceKind.FORM:
                self.broken(item, after, _Shape(indent, 0))
                self.comment(item.after)
            else:
                self.piece(item, after)
        last = form.items[-1] if form.items else None
        if (last.after or last.kind is PieceKind.NOTE) if last else form.opening:
            self.row(start if shape.header else shape.indent - INDENT)
        self.put(")")

    def joins(self, form: Piece, place: int, shape: _Shape, tail: int) -> bool:
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


_BYTE_ORDER_MARK = "\ufeff"


class UnformattableError(ValueError):
    """Text whose brackets or characters are wrong; the message says where and how."""


def format_source(source: Source) -> str:
    """Return the text of a source in the formatter's layout; its lines end with LF.

    The words, brackets and comments are the same as before, in the same order; formatting the
    result once more does not change it. Text after the program stays as it is. Raises
    UnformattableError if the reader finds an error; the result is compared with the source before
    it is returned, so that nothing can be lost.
    """
    if source.text.startswith(_BYTE_ORDER_MARK):
        source = Source(source.name, source.text.removeprefix(_BYTE_ORDER_MARK))
    report = Diagnostics(source)
    reading = read(source, report)
    if report.errors or reading.form is None:
        raise UnformattableError(_refusal(report))
    text = lay_out(_pieces(source, reading))
    if reading.rest is not None:
        tail = source.text[reading.form.span.end :]
        text += "\n".join(line.rstrip() for line in tail.split("\n"))
    text = text.rstrip("\n") + "\n"
    if _texts(Source(source.name, text)) != _texts(source):
        raise UnformattableError(
            f"{source.name}: cannot be formatted: the formatter would have changed the program, "
            "which is a bug in the formatter; nothing was changed"
        )
    return text


def _texts(source: Source) -> tuple[list[str], list[str]]:
    """Return what formatting must preserve: atoms and brackets in order, and comments in order."""
    atoms: list[str] = []
    comments: list[str] = []
    for token in tokens(source, Diagnostics(source)):
        if isinstance(token, Comment):
            comments.append(token.text)
        else:
            atoms.append(token.text)
    return atoms, comments


def _refusal(report: Diagnostics) -> str:
    source = report.source
    first = report.errors[0]
    place = source.position(first.span.start)
    others = len(report.errors) - 1
    more = f" (and {counted(others, 'more error')})" if others else ""
    return (
        f"{source.name}:{place.line}:{place.column}: cannot be formatted: {first.message}{more}; "
        "nothing was changed"
    )
