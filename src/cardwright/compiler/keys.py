"""Keys of forms: equal for forms that mean the same, anywhere in the source."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Hashable


def key(node: n.Node, *slots: int) -> Hashable:
    """Return a key of a form; variables are numbered as they occur, those of `slots` first."""
    return _key(node, {slot: at for at, slot in enumerate(slots)})


def _key(value: object, slots: dict[int, int]) -> Hashable:
    if isinstance(value, n.Variable):
        return "variable", slots.setdefault(value.slot, len(slots)), value.kind
    if isinstance(value, n.Node):
        parts = [
            _key(getattr(value, field.name), slots)
            for field in fields(value)
            if field.name != "span"
        ]
        return type(value).__name__, *parts
    if isinstance(value, tuple):
        return tuple(_key(item, slots) for item in value)
    return type(value).__name__, value
