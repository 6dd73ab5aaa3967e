"""Forms that people want to stay as they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.variation.program_tokens import program_tokens
from cardwright.game.errors import CardwrightError
from cardwright.program.fitting import forms_in
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.syntax.diagnostic import Edit
    from cardwright.syntax.tree import Syntax


class KeepError(CardwrightError):
    """A form to be kept that is no form, or that the original does not have."""

    wrong_call = True


@dataclass(frozen=True, slots=True)
class KeptText:
    """A form that has to stay: its tokens, and how often the original has it."""

    tokens: tuple[str, ...]
    count: int


@lru_cache(maxsize=64)
def kept_texts(original: str, keep: tuple[str, ...]) -> tuple[KeptText, ...]:
    """Return the forms in `keep`, which are compared token by token, whatever their layout.

    Raises KeepError for a text that is not one form in brackets, and for one that the original does
    not have.
    """
    return tuple(_kept(original, text) for text in keep)


def _kept(original: str, text: str) -> KeptText:
    source = Source("keep", text)
    report = Diagnostics(source)
    reading = read(source, report)
    if report.errors or reading.form is None or reading.rest is not None:
        why = f": {report.errors[0].message}" if report.errors else ""
        raise KeepError(
            f"`{text}` cannot be kept, as it is not one form in brackets{why}; "
            "copy it from the file, as in (repeat 13 (move ...))"
        )
    tokens = program_tokens(text)
    count = _count(program_tokens(original), tokens)
    if not count:
        raise KeepError(
            f"`{text}` cannot be kept, as the game does not have it; "
            "layout does not matter, but all its words and brackets do"
        )
    return KeptText(tokens, count)


def keeps(text: str, kept: Iterable[KeptText]) -> bool:
    """Return whether a text has each of these forms as often as the original."""
    tokens = program_tokens(text)
    return all(_count(tokens, one.tokens) == one.count for one in kept)


def _count(tokens: Sequence[str], form: Sequence[str]) -> int:
    """Return how often a form occurs; it cannot overlap itself, as its brackets match."""
    text, part = ("".join(f"\n{token}\n" for token in one) for one in (tokens, form))
    return text.count(part)


def kept_spans(form: Form, kept: Sequence[KeptText]) -> tuple[Span, ...]:
    """Return where the kept forms stand in a program."""
    wanted = {one.tokens for one in kept}
    heads = {one[:2] for one in wanted}
    return tuple(
        inner.span
        for inner in forms_in(form)
        if wanted and _head(inner) in heads and tuple(_tokens(inner)) in wanted
    )


def touches(edits: Iterable[Edit], spans: Sequence[Span]) -> bool:
    """Return whether one of the edits changes something within one of the spans."""
    return any(
        span.start < edit.span.end and edit.span.start < span.end
        for edit in edits
        for span in spans
        if not (edit.span.start <= span.start and span.end <= edit.span.end)
    )


def _head(form: Form) -> tuple[str, ...]:
    first = form.items[0] if form.items else None
    return ("(", first.text if isinstance(first, Atom) else "(" if first is not None else ")")


def _tokens(item: Syntax) -> Iterator[str]:
    if isinstance(item, Atom):
        yield item.text
        return
    yield "("
    for inner in item.items:
        yield from _tokens(inner)
    yield ")"
