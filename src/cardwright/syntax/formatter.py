"""The formatter: the same program and the same comments, in one standard layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.layout import lay_out
from cardwright.syntax.pieces import program_pieces
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source
from cardwright.syntax.tokens import tokens
from cardwright.syntax.tree import Atom, Comment

if TYPE_CHECKING:
    from cardwright.syntax.tree import Form

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
    text = lay_out(program_pieces(source, reading, reading.form))
    if reading.rest is not None:
        text += _tidy_tail(source, reading.form)
    text = text.rstrip("\n") + "\n"
    if _texts(Source(source.name, text)) != _texts(source):
        raise UnformattableError(
            f"{source.name}: cannot be formatted: the formatter would have changed the program, "
            "which is a bug in the formatter; nothing was changed"
        )
    return text


def _tidy_tail(source: Source, program: Form) -> str:
    """Return the text after the program, without white space at line ends."""
    tail = source.text[program.span.end :]
    return "\n".join(line.rstrip() for line in tail.split("\n"))


def _texts(source: Source) -> tuple[list[str], list[str]]:
    """Return what formatting must preserve: atoms and brackets in order, and comments in order."""
    atoms: list[str] = []
    comments: list[str] = []
    for token in tokens(source, Diagnostics(source)):
        if isinstance(token, Comment):
            comments.append(token.text)
        else:
            atoms.append(token.text if isinstance(token, Atom) else token[0])
    return atoms, comments


def _refusal(report: Diagnostics) -> str:
    source = report.source
    first = report.errors[0]
    place = source.position(first.span.start)
    others = len(report.errors) - 1
    more = f" (and {others} more error{'s' if others > 1 else ''})" if others else ""
    return (
        f"{source.name}:{place.line}:{place.column}: cannot be formatted: {first.message}{more}; "
        "nothing was changed"
    )
