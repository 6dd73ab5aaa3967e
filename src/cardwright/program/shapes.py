"""Patterns of forms: the small notation of the form table, and how a form is fitted to one.

A pattern is written like the form itself. Lower-case words, operators and dots stand for
themselves; `'V` is a variable that the form binds; a word in capitals is an operand of that kind;
`X...` is one or more of X; `[...]` may be left out; inner brackets group. So

    (filter COLLECTION 'V BOOLEAN)      (range INTEGER .. INTEGER)      (do (STEP...))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program.kinds import ValueKind, in_words
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown(item: Syntax, limit: int = 40) -> str:
    """Return the text of an item on one line, cut to a length."""
    text = _text(item, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _text(item: Syntax, room: int) -> str:
    if isinstance(item, Atom):
        return item.text
    words: list[str] = []
    for inner in item.items:
        words.append(_text(inner, room))
        if sum(map(len, words)) > room:
            break
    return "(" + " ".join(words).replace(" ,", ",") + ")"


_PIECE = re.compile(r"\.\.\.|\.\.|'[A-Z]+|[A-Z_]+|[a-z]+|[()\[\]]|[=!<>+\-*/%^:,]+")


@dataclass(frozen=True, slots=True)
class Literal:
    """A word that stands for itself; several, separated by bars in the table, are alternatives."""

    text: str


@dataclass(frozen=True, slots=True)
class Operand:
    """A place for a value of some kind."""

    kind: ValueKind
    name: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class Binder:
    """A place for the variable that the form binds."""


@dataclass(frozen=True, slots=True)
class FormGroup:
    """An inner bracket, or a part in square brackets that may be left out."""

    parts: tuple[Part, ...]
    optional: bool = False


Part: TypeAlias = Literal | Operand | Binder | FormGroup
Slot: TypeAlias = tuple[Operand | Binder, Syntax]


@dataclass(frozen=True, slots=True)
class Gap:
    """An optional operand that was left out."""

    operand: Operand


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a form does not fit a pattern: where, and what should be there."""

    item: Syntax | None
    reason: str


def parse(pattern: str) -> tuple[Part, ...]:
    """Return the parts of a pattern written as in the table."""
    pieces = _PIECE.findall(pattern)
    parts, end = _parse_until(pieces, 1, ")")
    if pieces[0] != "(" or end != len(pieces):
        raise ValueError(f"pattern {pattern!r} is not one form")
    return parts


def _parse_until(pieces: list[str], at: int, closing: str) -> tuple[tuple[Part, ...], int]:
    parts: list[Part] = []
    while pieces[at] != closing:
        piece = pieces[at]
        at += 1
        if piece in "([":
            inner, at = _parse_until(pieces, at, ")" if piece == "(" else "]")
            parts.append(FormGroup(inner, optional=piece == "["))
        elif piece == "...":
            last = parts.pop()
            assert isinstance(last, Operand)
            parts.append(Operand(last.kind, last.name, many=True))
        elif piece.startswith("'"):
            parts.append(Binder())
        elif piece.isupper():
            parts.append(Operand(_ACCEPTED.get(piece) or ValueKind[piece], piece))
        else:
            parts.append(Literal(piece))
    return tuple(parts), at + 1


_ACCEPTED = {
    "STEP": ValueKind.BODY,
    "ITEM": ValueKind.BLOCK,
    "PART": ValueKind.COMPARABLE,
    "PLAYERS": ValueKind.PLAYERS | ValueKind.TEAM,
}
"""Operands that accept more than the kind in their name: a step may be a bare action."""

Slots: TypeAlias = list["Slot | Gap"]


def fit(parts: Sequence[Part], items: Sequence[Syntax]) -> Slots | Misfit:
    """Fit items to parts: the operands with the items in their places, or the first misfit."""
    slots: Slots = []
    spare = len(items) - sum(_width(part) for part in parts)
    at = 0
    for part in parts:
        if isinstance(part, FormGroup) and part.optional:
            width = len(part.parts)
            if spare >= width:
                inner = fit(part.parts, items[at : at + width])
                if isinstance(inner, Misfit):
                    return inner
                slots.extend(inner)
                at += width
                spare -= width
            else:
                slots.extend(Gap(p) for p in part.parts if isinstance(p, Operand))
            continue
        if at >= len(items):
            return Misfit(None, f"{_name(part, parts[: parts.index(part)])} is missing")
        if isinstance(part, Operand) and part.many:
            count = 1 + max(0, spare)
            slots.extend((part, item) for item in items[at : at + count])
            at += count
            spare = 0
            continue
        misfit = _fit_one(part, items[at], slots)
        if misfit and isinstance(part, Literal) and at and is_word(items[at - 1], part.text):
            return Misfit(items[at - 1], f"a part is missing before {_name(part)}")
        if misfit:
            return misfit
        at += 1
    if at < len(items):
        extra = len(items) - at
        return Misfit(items[at], f"{extra} part{'s' if extra > 1 else ''} too many, from here on")
    return slots


def _fit_one(part: Part, item: Syntax, slots: Slots) -> Misfit | None:
    if isinstance(part, Literal):
        return None if is_word(item, part.text) else Misfit(item, f"{_name(part)} should be here")
    if isinstance(part, Binder) and not (
        isinstance(item, Atom) and item.kind in {AtomKind.VARIABLE, AtomKind.BAD}
    ):
        return Misfit(item, "a new variable should be here, such as 'C")
    if isinstance(part, Binder | Operand):
        slots.append((part, item))
        return None
    if not isinstance(item, Form):
        return Misfit(item, f"a bracket should open here: {_name(part)}")
    inner = fit(part.parts, item.items)
    if isinstance(inner, Misfit):
        return Misfit(inner.item or item, inner.reason)
    slots.extend(inner)
    return None


def _width(part: Part) -> int:
    return 0 if isinstance(part, FormGroup) and part.optional else 1


_OPERANDS = {
    "COLLECTION": "a collection",
    "STEP": "a step",
    "ITEM": "a stage or a block",
    "TARGET": "a player",
    "VALUE": "a value",
    "PART": "a name or a value",
}


def _name(part: Part, before: Sequence[Part] = ()) -> str:
    """Return the name of what should fill a part's place; `before` are the parts already there."""
    if isinstance(part, Binder):
        return "a variable"
    if isinstance(part, Operand):
        name = _OPERANDS.get(part.name) or in_words(part.kind)
        again = any(isinstance(other, Operand) and other.kind is part.kind for other in before)
        return f"a second {name.split(' ', 1)[1]}" if again else name
    return f"`{_pattern(part)}`"


def _pattern(part: Part) -> str:
    match part:
        case Literal():
            return part.text
        case Binder():
            return "'V"
        case Operand():
            return part.name + ("..." if part.many else "")
        case FormGroup():
            return "(" + " ".join(map(_pattern, part.parts)) + ")"
