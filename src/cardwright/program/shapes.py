"""Patterns of forms: the small notation of the form table, and how a form is fitted to one.

A pattern is written like the form itself. Lower-case words, operators and dots stand for
themselves; `'V` is a variable that the form binds; a word in capitals is an operand of that kind;
`X...` is one or more of X; `[...]` may be left out; inner brackets group. So

    (filter COLLECTION 'V BOOLEAN)      (range INTEGER .. INTEGER)      (do (STEP...))
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program.kinds import ValueKind, in_words
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.program.expansion import Expand
    from cardwright.program.nodes import Node

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


@dataclass(frozen=True, slots=True)
class FormShape:
    """One row of the form table.

    `result` is the kind of value the form gives; a filter gives the kind of what it filters, so its
    result is a union. `node` makes the typed node from kind, span and operands in order of the
    pattern (a repeated operand gives a tuple, one left out gives None). `mark` names the one
    dialect ("A" or "C") that has the form, if that decides how players are numbered.

    `bound` is the kind of a variable that stands for values of a secret.

    A form with an `expansion` is an extension: the expansion makes the plain form that it stands
    for. With the node `expanded` that form is elaborated in its place; with a real one, engines
    know the extension itself, and the plain form is only its text.
    """

    section: str
    pattern: str
    result: ValueKind
    node: Callable[..., Node]
    sentence: str
    example: str
    mark: str = ""
    custom: str = ""
    expansion: Expand | None = None
    bound: ValueKind | None = None
    parts: tuple[Part, ...] = ()
    head: str = field(init=False, default="")
    """The word that identifies the form."""
    literals: int = field(init=False, default=0)
    """How many words of the pattern are literal; the more, the more specific it is."""

    def __post_init__(self) -> None:
        words = [part.text for part in self.parts if isinstance(part, Literal)]
        object.__setattr__(self, "head", words[0] if words else "")
        object.__setattr__(self, "literals", _literals(self.parts))

    @property
    def extension(self) -> bool:
        """Whether other engines lack the form: it is an extension of the language."""
        return self.expansion is not None

    @property
    def key(self) -> str:
        """The key in the table: the first item, or the second if that is a word."""
        first = self.parts[0]
        if isinstance(first, Literal):
            return first.text
        second = self.parts[1] if len(self.parts) > 1 else None
        return f"_ {second.text}" if isinstance(second, Literal) else "_"


def _literals(parts: Sequence[Part]) -> int:
    inner = (_literals(part.parts) if isinstance(part, FormGroup) else 0 for part in parts)
    return sum(isinstance(part, Literal) for part in parts) + sum(inner)


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
        if misfit:
            if isinstance(part, Literal) and at and is_word(items[at - 1], part.text):
                return Misfit(items[at - 1], f"a part is missing before {_name(part)}")
            return misfit
        at += 1
    if at < len(items):
        extra = len(items) - at
        return Misfit(items[at], f"{extra} part{'s' if extra > 1 else ''} too many, from here on")
    return slots


def _fit_one(part: Part, item: Syntax, slots: Slots) -> Misfit | None:
    if isinstance(part, Literal):
        return None if is_word(item, part.text) else Misfit(item, f"{_name(part)} should be here")
    if isinstance(part, Binder):
        if isinstance(item, Atom) and item.kind in {AtomKind.VARIABLE, AtomKind.BAD}:
            slots.append((part, item))
            return None
        return Misfit(item, "a new variable should be here, such as 'C")
    if isinstance(part, Operand):
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
    if isinstance(part, Literal):
        return f"`{part.text}`"
    if isinstance(part, Binder):
        return "a variable"
    if isinstance(part, Operand):
        name = _OPERANDS.get(part.name) or in_words(part.kind)
        again = any(isinstance(other, Operand) and other.kind is part.kind for other in before)
        return f"a second {name.split(' ', 1)[1]}" if again else name
    return f"`{_pattern(part)}`"


def _pattern(part: Part) -> str:
    """Return a part as it is written in the table."""
    match part:
        case Literal():
            return part.text
        case Binder():
            return "'V"
        case Operand():
            return part.name + ("..." if part.many else "")
        case FormGroup():
            return "(" + " ".join(map(_pattern, part.parts)) + ")"


def fits_any(form: Form, shapes: Sequence[FormShape]) -> bool:
    """Return whether a form fits one of these shapes."""
    return any(not isinstance(fit(shape.parts, form.items), Misfit) for shape in shapes)
