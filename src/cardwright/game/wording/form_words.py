"""Forms in words: patterns with places for operands, and conditions said without a negation."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.english import listed
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

_PLACE = re.compile(r"\{(\w+)(?:\?([^|}]*)\|([^}]*))?\}")
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}


def owner_word(node: n.Node) -> str:
    """Return what an owner is called."""
    return "team" if node.kind & (ValueKind.TEAM | ValueKind.TEAMS) else "player"


def in_words(pattern: str, node: n.Node, say: Callable[[n.Node], str]) -> str:
    """Return a pattern filled with the operands of a node, of which `say` says the forms.

    `{top?x|y}` is the first text if the operand is true, `{kind}` a player or a team; all other
    places are operands.
    """

    def operand(place: re.Match[str]) -> str:
        match getattr(node, place[1]):
            case bool() as first:
                return place[2] if first else place[3]
            case ValueKind():
                return owner_word(node)
            case n.Turn() as turn:
                return turn.value
            case tuple() as items:
                return listed([say(item) for item in items])
            case n.Node() as form:
                return say(form)
            case value:
                return str(value)

    return _PLACE.sub(operand, pattern)


def said_directly(test: n.Node) -> n.Node:
    """Return a condition, or for the negation of a comparison its opposite."""
    match test:
        case n.Not(test=n.Not(test=inner)):
            return said_directly(inner)
        case n.Not(test=n.Compare() as inner):
            return replace(inner, operator=_OPPOSITE[inner.operator])
        case n.Not(test=n.Equal() as inner):
            return replace(inner, negated=not inner.negated)
    return test
