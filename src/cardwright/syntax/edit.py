"""Edits: small changes of a text that turn what is written into what was meant."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.reader import Bracket, tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Comment, Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.syntax.tree import Syntax


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with all these edits applied; raises ValueError if two overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < at:
            raise ValueError(f"two edits overlap at character {edit.span.start}")
        parts += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    return "".join((*parts, text[at:]))


_LONGEST = 4_000
"""Longest form that is compared, in tokens: the comparison takes quadratic time."""

_GLUED = re.compile(r"[\w'][\w']")
"""Two characters that would run together into one word."""


class _Word(NamedTuple):
    text: str
    span: Span


def difference(source: Source, given: Syntax, meant: Syntax) -> tuple[Edit, ...]:
    """Return the edits that turn a form of the source into the one that was meant.

    They touch only what differs: comments and line breaks stay. There are none if the form does not
    stand in the source as given, or if the author's comments stand in what would have to go.
    """
    old = list(_tokens(given))
    new = [token.text for token in _tokens(meant)]
    if max(len(old), len(new)) > _LONGEST or "" in new:
        return ()
    text = source.at(given.span)
    if _words(text) != [token.text for token in old]:
        return ()
    edits = tuple(_edits(source.text, old, new))
    start = given.span.start
    if any(edit.span.start < start or edit.span.end > given.span.end for edit in edits):
        return ()
    if any(";" in source.at(edit.span) for edit in edits):
        return ()
    moved = (Edit(Span(e.span.start - start, e.span.end - start), e.text) for e in edits)
    try:
        return edits if _words(apply_edits(text, moved)) == new else ()
    except ValueError:
        return ()


def _edits(text: str, old: Sequence[_Word], new: Sequence[str]) -> Iterator[Edit]:
    first = _common([token.text for token in old], new)
    shortest = min(len(old), len(new)) - first
    last = _common([token.text for token in reversed(old)], list(reversed(new)))
    last = min(last, shortest)
    changed, wanted = old[first : len(old) - last], new[first : len(new) - last]
    matcher = SequenceMatcher(None, [token.text for token in changed], wanted, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            yield from _change(text, old, first + i, first + j, wanted[k:m])


def _words(text: str) -> list[str]:
    source = Source("", text)
    return [
        token.round if isinstance(token, Bracket) else token.text
        for token in tokens(source, Diagnostics(source))
        if not isinstance(token, Comment)
    ]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _tokens(item: Syntax) -> Iterator[_Word]:
    if not isinstance(item, Form):
        yield _Word(item.text, Span(*item.span.text))
        return
    start, end = item.span.text
    yield _Word("(", Span(start, start + 1))
    for inner in item.items:
        yield from _tokens(inner)
    yield _Word(")", Span(end - 1, end))


def _change(
    text: str, old: Sequence[_Word], start: int, end: int, new: Sequence[str]
) -> Iterator[Edit]:
    gone = old[start:end]
    if gone and len(gone) == len(new):
        for token, word in zip(gone, new, strict=True):
            yield Edit(token.span, word)
    elif gone and new:
        yield Edit(gone[0].span.to(gone[-1].span), _joined(new))
    elif gone:
        spans = [_with_space(text, gone[0])]
        for token in gone[1:]:
            span = _with_space(text, token)
            if span.start <= spans[-1].end:
                spans[-1] = spans[-1].to(span)
            else:
                spans.append(span)
        yield from (Edit(span, "") for span in spans)
    else:
        yield from _insertion(old, start, list(new))


def _with_space(text: str, token: _Word) -> Span:
    """Return the span of a token to be deleted, with the space that would be left over."""
    start, end = token.span.text
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    if token.text == "(" or before.endswith("("):
        keeps = after.startswith((";", "\n", "\r"))
        end = end if keeps else len(text) - len(after)
    elif before and not before.endswith("\n") and ";;" not in before.rpartition("\n")[2]:
        start = len(before)
    if _GLUED.fullmatch(text[start - 1 : start] + text[end : end + 1]):
        end -= 1 if end > token.span.end else 0
    return Span(start, end)


def _insertion(old: Sequence[_Word], at: int, new: list[str]) -> Iterator[Edit]:
    """Yield edits that insert words: those that close after what is before them, others before.

    So a bracket around a form stands beside the form, wherever its lines break.
    """
    if at == 0:
        yield Edit(_at(old[0].span.start), _joined(new) + ("" if new[-1] == "(" else " "))
        return
    before = old[at - 1]
    closing = 0
    while closing < len(new) and new[closing] in {")", ","}:
        closing += 1
    rest = new[closing:]
    if closing:
        yield Edit(_at(before.span.end), "".join(new[:closing]))
    if not rest:
        return
    after = old[at] if at < len(old) else None
    if after is None or (after.text == ")" and before.text != "("):
        yield Edit(_at(before.span.end), f" {_joined(rest)}")
    else:
        gap = "" if rest[-1] == "(" or after.text in {")", ","} else " "
        yield Edit(_at(after.span.start), _joined(rest) + gap)


def _at(offset: int) -> Span:
    return Span(offset, offset)


def _joined(words: Sequence[str]) -> str:
    text = ""
    for word in words:
        tight = not text or text.endswith("(") or word in {")", ","}
        text += word if tight else f" {word}"
    return text
