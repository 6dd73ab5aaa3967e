"""The names of a file that fit in a certain place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.fitting import STORED
from cardwright.program.kinds import ValueKind
from cardwright.program.symbols import SymbolSort
from cardwright.syntax.tree import Atom, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.editor.expected import Expected
    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Operand
    from cardwright.program.symbols import NameIndex

_OWNERS = {ValueKind.TABLE: "game", ValueKind.PLAYER: "player", ValueKind.TEAM: "team"}


@dataclass(frozen=True)
class KnownNames:
    """The names of a file, by what they may be used for."""

    names: NameIndex

    def for_operand(
        self, part: Operand, shape: FormShape | None, expected: Expected
    ) -> Iterator[tuple[str, str]]:
        """Yield the names that fit an operand that is a string, each with what it is."""
        word = shape.key.removeprefix("_ ") if shape else ""
        if shape is not None and word in STORED:
            yield from self._stored(word, _OWNERS.get(expected.kinds[0], ""))
        elif word == "indexed" and len(expected.items) > 2:
            kind = expected.items[2]
            owner = _OWNERS.get(expected.kinds[1], "")
            yield from self._stored(kind.text if isinstance(kind, Atom) else "", owner)
        elif part.name == "KEY" or word in {"partition", "cardatt"}:
            yield from ((name, "an attribute") for name in self.names.values)
        elif part.name == "IS":
            yield from self._values(expected.items[0])
        else:
            compared = expected.items[1] if len(expected.items) > 1 else None
            yield from self._values(_attribute_of(compared))

    def _stored(self, word: str, owner: str) -> Iterator[tuple[str, str]]:
        for symbol in self.names.symbols(SymbolSort.STORAGE, SymbolSort.LOCATION):
            held_by, _, held_as = symbol.home.partition(" ")
            if held_as == word and owner in {held_by, ""}:
                yield symbol.name, f"{held_by} {word}"

    def _values(self, attribute: Syntax | None) -> Iterator[tuple[str, str]]:
        """Yield the values of an attribute, or all strings if it is not known."""
        key = attribute.text if isinstance(attribute, Atom) else ""
        if key in self.names.values:
            yield from ((name, key) for name in self.names.values[key])
            return
        for symbol in self.names.symbols(SymbolSort.VALUE):
            owners = [key for key, values in self.names.values.items() if symbol.name in values]
            yield symbol.name, ", ".join(owners)


def _attribute_of(item: Syntax | None) -> Syntax | None:
    """Return the attribute that a form reads, if it reads one."""
    if isinstance(item, Form) and is_word(item.head, "cardatt") and len(item.items) > 1:
        return item.items[1]
    return None
