"""Two texts of rules line by line: what was taken out, what came in, and what stands around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

AROUND = 3
"""Unchanged lines that are shown before and after a change."""

_PIECES = re.compile(r"\s+|[A-Za-z0-9_']+|.")
_ALIKE = 0.5
"""How similar two lines must be, from 0 to 1, for their differences to be marked within them."""

_Opcode: TypeAlias = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class DifferencePart:
    """A part of a line; `marked` if it is what differs from the line that it replaces."""

    text: str
    marked: bool = False


_Parts: TypeAlias = tuple[DifferencePart, ...]


@dataclass(frozen=True)
class DifferenceLine:
    """A line that is the same in both texts, or only in one, with its numbers from 1."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    parts: tuple[DifferencePart, ...]


def difference(
    before: str, after: str, around: int = AROUND
) -> tuple[tuple[DifferenceLine, ...], ...]:
    """Return the hunks of the difference of two texts; none if they are equal."""
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        tuple(line for code in group for line in _lines(code, old, new))
        for group in matcher.get_grouped_opcodes(around)
    )


def _lines(code: _Opcode, old: Sequence[str], new: Sequence[str]) -> Iterator[DifferenceLine]:
    kind, old_start, old_end, new_start, new_end = code
    if kind == "equal":
        for at in range(old_end - old_start):
            parts = _whole(old[old_start + at])
            yield DifferenceLine("same", old_start + at + 1, new_start + at + 1, parts)
        return
    left: list[_Parts] = [_whole(line) for line in old[old_start:old_end]]
    right: list[_Parts] = [_whole(line) for line in new[new_start:new_end]]
    if len(left) == len(right):
        pairs = zip(old[old_start:old_end], new[new_start:new_end], strict=True)
        for at, (one, other) in enumerate(pairs):
            left[at], right[at] = _marked(one, other)
    for at, parts in enumerate(left):
        yield DifferenceLine("out", old_start + at + 1, None, parts)
    for at, parts in enumerate(right):
        yield DifferenceLine("in", None, new_start + at + 1, parts)


def _whole(line: str) -> _Parts:
    return (DifferencePart(line),)


def _marked(one: str, other: str) -> tuple[_Parts, _Parts]:
    """Return two lines with their differences marked, or whole if they have little in common."""
    left, right = _PIECES.findall(one), _PIECES.findall(other)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return _whole(one), _whole(other)
    old, new = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        if b > a:
            old.append(DifferencePart("".join(left[a:b]), kind != "equal"))
        if d > c:
            new.append(DifferencePart("".join(right[c:d]), kind != "equal"))
    return tuple(old), tuple(new)
