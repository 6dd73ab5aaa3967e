"""Forms as snippets: their words, with a place to fill for every operand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, Part

if TYPE_CHECKING:
    from collections.abc import Sequence

VARIABLES = {
    ValueKind.CARD: "C",
    ValueKind.PLAYER: "P",
    ValueKind.TEAM: "T",
    ValueKind.LOCATION: "L",
    ValueKind.INTEGER: "N",
    ValueKind.STRING: "S",
}
"""How variables of a kind are mostly called."""

_PLACE = re.compile(r"\$(?:\d+|\{\d+:(?P<word>[^}]*)\})")

_PLACES = {"INTEGER_STORAGE": "STORAGE", "STRING_STORAGE": "STORAGE", "BOOLEAN": "CONDITION"}


def snippet(parts: Sequence[Part], closing: str = ")") -> str:
    """Return the inside of a bracket as a snippet, without the parts that may be left out."""
    return _SnippetWriter().text(parts) + closing


def without_places(text: str) -> str:
    """Return a snippet as plain text, with the words of its places."""
    return _PLACE.sub(lambda match: match["word"] or "", text)


class _SnippetWriter:
    """Writes parts with places numbered from 1."""

    def __init__(self) -> None:
        self.places = 0

    def text(self, parts: Sequence[Part]) -> str:
        return " ".join(filter(None, map(self._part, parts)))

    def _part(self, part: Part) -> str:
        match part:
            case Literal():
                return part.text
            case Binder():
                return "'" + self._place("V")
            case Operand():
                return self._place(_PLACES.get(part.name, part.name))
            case FormGroup(optional=True):
                return ""
            case FormGroup():
                return f"({self.text(part.parts)})"

    def _place(self, name: str) -> str:
        self.places += 1
        return f"${{{self.places}:{name}}}"
