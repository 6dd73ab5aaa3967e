"""Strings of a program as numbers: all strings that a game can hold are known before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.program.program import Program


class Names:
    """The numbers of a program's strings, in alphabetical order; the empty string is 0."""

    def __init__(self, program: Program) -> None:
        found: dict[str, None] = {"": None}
        for card in program.cards:
            for key, value in card.attributes.items():
                found[key] = None
                found[value] = None
        for node in program.nodes():
            if isinstance(node, n.Text):
                found[node.value] = None
            elif isinstance(node, n.Strings):
                found.update(dict.fromkeys(node.values))
        self.texts: tuple[str, ...] = tuple(sorted(found))
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, text: str) -> int:
        """Return the number of a string of the program."""
        return self._numbers[text]
