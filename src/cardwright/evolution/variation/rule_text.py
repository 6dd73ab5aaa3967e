"""Rules compared token by token: their distance, and forms that have to stay."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardwright.evolution.errors import KeepError
from cardwright.program.fitting import forms_in
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read, tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Comment, Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.syntax.diagnostic import Edit
    from cardwright.syntax.tree import Syntax


@lru_cache(maxsize=64)
def program_tokens(text: str) -> tuple[str, ...]:
    """Return the words, numbers, marks and brackets of a text, in order; the latest are kept."""
    source = Source("rules", text)
    return tuple(
        token.text if isinstance(token, Atom) else token[0]
        for token in tokens(source, Diagnostics(source))
        if not isinstance(token, Comment)
    )


def tokens_of(item: Syntax) -> Iterator[str]:
    """Yield the tokens of an item, in order."""
    if isinstance(item, Atom):
        yield item.text
        return
    yield "("
    for inner in item.items:
        yield from tokens_of(inner)
    yield ")"


def words_of(item: Syntax) -> str:
    """Return the words and brackets of an item on one line, without comments."""
    if isinstance(item, Atom):
        return item.text
    return "(" + " ".join(map(words_of, item.items)) + ")"


def word_counts(item: Syntax) -> Counter[str]:
    """Return how often each word is in an item."""
    return Counter(token for token in tokens_of(item) if token not in {"(", ")"})


# Distances ------------------------------------------------------------------------------------


def distance(one: str, other: str, most: int | None = None) -> int:
    """Return the distance of two texts of rules: how many tokens differ.

    It is the smallest number of tokens to be put in, taken out or exchanged for another, which
    makes it a metric (Levenshtein's, on tokens): 0 for the same rules in any layout and with any
    comments, the same both ways, and never more than by way of third rules. Tokens are words,
    numbers, marks and brackets: another number is 1, a condition negated 3, a step deleted as much
    as it has tokens. With `most`, every distance beyond it is given as `most + 1`, sooner.
    """
    return levenshtein(program_tokens(one), program_tokens(other), most)


def levenshtein(one: Sequence[str], other: Sequence[str], most: int | None = None) -> int:
    """Return the smallest number of items put in, taken out or exchanged; see `distance`.

    It takes time in proportion to the square of the distance, and once to the length: what is
    reached with a number of changes on each diagonal is followed (Ukkonen, Algorithms for
    approximate string matching, Information and Control 64, 1985). A diagonal is how many more
    items of the other are used up, and what is reached on it how many of the first.
    """
    shortest = min(len(one), len(other))
    start = _slide(one, other, 0, 0)
    end = 0
    while end < shortest - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    limit = max(len(one), len(other)) if most is None else most
    goal = len(other) - len(one)
    reached = {0: 0}
    for changes in range(limit + 1):
        if reached.get(goal, -1) >= len(one):
            return changes
        furthest = {}
        for diagonal in range(-changes - 1, changes + 2):
            if -len(one) <= diagonal <= len(other):
                exchanged = reached.get(diagonal, -2) + 1
                put_in = reached.get(diagonal - 1, -1)
                taken_out = reached.get(diagonal + 1, -2) + 1
                at = min(max(exchanged, put_in, taken_out), len(one), len(other) - diagonal)
                furthest[diagonal] = _slide(one, other, at, diagonal)
        reached = furthest
    return limit + 1


def _slide(one: Sequence[str], other: Sequence[str], at: int, diagonal: int) -> int:
    """Return how far the items are the same from a place on."""
    while at < len(one) and at + diagonal < len(other) and one[at] == other[at + diagonal]:
        at += 1
    return at


# Forms that people want to stay as they are -----------------------------------------------------


class KeptText(NamedTuple):
    """A form that has to stay: its tokens, and how often the original has it."""

    tokens: tuple[str, ...]
    times: int


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
    form = program_tokens(text)
    times = _count(program_tokens(original), form)
    if not times:
        raise KeepError(
            f"`{text}` cannot be kept, as the game does not have it; "
            "layout does not matter, but all its words and brackets do"
        )
    return KeptText(form, times)


def keeps(text: str, kept: Iterable[KeptText]) -> bool:
    """Return whether a text has each of these forms as often as the original."""
    found = program_tokens(text)
    return all(_count(found, form) == times for form, times in kept)


def _count(tokens: Sequence[str], form: Sequence[str]) -> int:
    """Return how often a form occurs; it cannot overlap itself, as its brackets match."""
    text, part = ("".join(f"\n{token}\n" for token in one) for one in (tokens, form))
    return text.count(part)


def kept_spans(form: Form, kept: Iterable[KeptText]) -> tuple[Span, ...]:
    """Return where the kept forms stand in a program."""
    wanted = {kept_form.tokens for kept_form in kept}
    return tuple(
        inner.span
        for inner in (forms_in(form) if wanted else ())
        if tuple(tokens_of(inner)) in wanted
    )


def touches(edits: Iterable[Edit], spans: Sequence[Span]) -> bool:
    """Return whether one of the edits changes something within one of the spans."""
    return any(
        span.start < edit.span.end and edit.span.start < span.end
        for edit in edits
        for span in spans
        if not (edit.span.start <= span.start and span.end <= edit.span.end)
    )
