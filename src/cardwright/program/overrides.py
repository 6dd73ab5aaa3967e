"""Other values for declared constants: reading them from text, and checking their kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.program.integers import LARGEST, SMALLEST

if TYPE_CHECKING:
    from cardwright.program.constants import Constant

_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_RANGE = re.compile(r"(-?[0-9]+)\s*\.\.\s*(-?[0-9]+)")


def kind_of(value: Constant) -> str:
    """Return the kind of a constant in words."""
    match value:
        case bool():
            return "a condition (true or false)"
        case int():
            return "an integer"
        case str():
            return "a name in capitals"
        case tuple():
            return "a list of names (A,B,C)"
        case range():
            return "a range (1..4)"


def mismatch(value: object, default: Constant) -> tuple[str, str] | None:
    """Return why a value cannot replace a constant: what it is, and what it should be."""
    expected = kind_of(default)
    if isinstance(value, list):
        value = tuple(value)
    if type(value) is not type(default):
        if isinstance(value, bool | int | str | tuple | range):
            return kind_of(value), expected
        return f"a {type(value).__name__}", expected
    if isinstance(value, int) and not SMALLEST <= value <= LARGEST:
        return "too large", "an integer of 64 bits"
    names = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
    for name in names:
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"not a name: {name!r}", expected
    if isinstance(value, range) and value.step != 1:
        return "a range with steps", expected
    return None


def parse_value(text: str) -> Constant:
    """Return the constant that a text represents: 4, true, HEARTS, `A,B,C` or `1..4`.

    Raises ValueError if there is none.
    """
    stripped = text.strip()
    if re.fullmatch(r"-?[0-9]{1,19}", stripped):
        return int(stripped)
    if stripped.casefold() in {"true", "false"}:
        return stripped.casefold() == "true"
    if _NAME.fullmatch(stripped):
        return stripped
    bounds = _RANGE.fullmatch(stripped)
    if bounds:
        return range(int(bounds[1]), int(bounds[2]) + 1)
    names = [part.strip() for part in stripped.strip("()").split(",")]
    if all(_NAME.fullmatch(name) for name in names):
        return tuple(names)
    raise ValueError(
        f"{text!r} is not a value; write a number (4), a name (HEARTS), true or false, "
        "a list (A,B,C) or a range (1..4)"
    )
