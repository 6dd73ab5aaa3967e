"""Schemas of what is sent: a part of JSON Schema, by which requests are checked and described."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.english import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema: TypeAlias = dict[str, Any]

REFERENCE = "#/components/schemas/"
"""Where the description of the interface has the schemas that have names."""

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def fields(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """Return the schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def shape(words: str, /, **members: Schema) -> Schema:
    """Return the schema of an object with all these members and no others, described in words."""
    return _described(fields(members), words)


def text(most: int, words: str = "") -> Schema:
    """Return the schema of a string of at most so many characters."""
    return _described({"type": "string", "maxLength": most}, words)


def whole(least: int, most: int, words: str = "") -> Schema:
    """Return the schema of an integer between bounds, both included."""
    return _described({"type": "integer", "minimum": least, "maximum": most}, words)


def number(least: float, most: float, words: str = "") -> Schema:
    """Return the schema of a number between bounds, both included."""
    return _described({"type": "number", "minimum": least, "maximum": most}, words)


def listed(items: Schema, most: int, words: str = "") -> Schema:
    """Return the schema of a list of at most so many items."""
    return _described({"type": "array", "items": items, "maxItems": most}, words)


def listing(items: Schema, words: str = "") -> Schema:
    """Return the schema of a list of any length, as answers have them."""
    return _described({"type": "array", "items": items}, words)


def one_of(*values: str | int | None, words: str = "") -> Schema:
    """Return the schema of one of some values."""
    return _described({"enum": list(values)}, words)


def nullable(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def reference(name: str) -> Schema:
    """Return the schema that has this name in the description of the interface."""
    return {"$ref": f"{REFERENCE}{name}"}


def _described(schema: Schema, words: str) -> Schema:
    return {**schema, "description": words} if words else schema


def complaint(
    value: object, schema: Schema, named: Mapping[str, Schema] | None = None
) -> str | None:
    """Return what is wrong with a value, and where; None if it fits the schema.

    `named` has the schemas to which references lead.
    """
    return _Check(named or {}).value(value, schema, "")


class _Check:
    """A check of a value; `where` is a place in it such as `seats[1].kind`."""

    def __init__(self, named: Mapping[str, Schema]) -> None:
        self._named = named

    def value(self, value: object, schema: Schema, where: str) -> str | None:
        place = where or "the request"
        if "$ref" in schema:
            return self.value(value, self._named[schema["$ref"].removeprefix(REFERENCE)], where)
        if "anyOf" in schema:
            found = [self.value(value, one, where) for one in schema["anyOf"]]
            return None if None in found else found[0]
        if "enum" in schema:
            return _not_among(value, schema["enum"], place)
        kind = schema.get("type")
        if kind is not None and not _is(value, kind):
            return f"{place} must be {_article(kind)}"
        match value:
            case str():
                return _too_long(value, schema, place)
            case bool():
                return None
            case int() | float():
                return _out_of_range(value, schema, place)
            case list() | tuple():
                return self._items(value, schema, where)
            case dict():
                return self._members(value, schema, where)
        return None

    def _items(
        self, items: list[object] | tuple[object, ...], schema: Schema, where: str
    ) -> str | None:
        most = schema.get("maxItems")
        if most is not None and len(items) > most:
            return (
                f"{where or 'the request'} has {counted(len(items), 'item')}; {most:,} are allowed"
            )
        for at, item in enumerate(items):
            if found := self.value(item, schema.get("items", {}), f"{where}[{at}]"):
                return found
        return None

    def _members(self, members: dict[str, object], schema: Schema, where: str) -> str | None:
        place, known = where or "the request", schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in members:
                return f"{place} lacks {name}"
        rest = schema.get("additionalProperties", {})
        most = schema.get("maxProperties")
        if most is not None and len(members) > most:
            return f"{place} has {counted(len(members), 'member')}; {most:,} are allowed"
        for name, item in members.items():
            if name not in known and rest is False:
                names = ", ".join(known) or "none"
                return f"{place} has no member {name[:40]!r}; its members are: {names}"
            inner = f"{where}.{name[:40]}" if where else name[:40]
            if found := self.value(item, known.get(name, rest), inner):
                return found
        return None


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return isinstance(value, _TYPES[kind])


def _article(kind: str) -> str:
    if kind == "null":
        return kind
    return f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


def _not_among(value: object, values: list[object], place: str) -> str | None:
    if any(value == one and type(value) is type(one) for one in values):
        return None
    known = ", ".join("null" if one is None else str(one) for one in values)
    return f"{place} must be one of {known}"


def _too_long(value: str, schema: Schema, place: str) -> str | None:
    most = schema.get("maxLength")
    if most is not None and len(value) > most:
        return f"{place} has {counted(len(value), 'character')}; {most:,} are allowed"
    return None


def _out_of_range(value: float, schema: Schema, place: str) -> str | None:
    least, most = schema.get("minimum"), schema.get("maximum")
    if (least is not None and value < least) or (most is not None and value > most):
        return (
            f"{place} must be from {least} to {most}"
            if most is not None
            else (f"{place} must be at least {least}")
        )
    return None


MOST_NUMBER = 10**9 - 1
"""The largest number of a move or an event that is looked for."""


def natural(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that plain digits write; None for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None  # Python refuses to read very long numbers
    found = int(text)
    return found if found <= most else None
