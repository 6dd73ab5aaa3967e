"""The names that a program's rules use: what words for people may be given for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.compiler.layout import Names
from cardwright.game.naming import Namer
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.program import Program


_COMMENT = re.compile(r";.*")
_WORD = re.compile(r"(?<!')\b[A-Z][A-Za-z0-9_]*")


class RuleNames:
    """The names of one program: of places and stored values, its strings, cards and labels.

    A name that is computed may be any of its strings. `elsewhere` has the words of the file: with
    other values of constants rules may use what they do not use here.
    """

    def __init__(self, program: Program) -> None:
        nodes = program.nodes()
        self.elsewhere = frozenset(_WORD.findall(_COMMENT.sub("", program.source.text)))
        self.texts = frozenset(Names(program).texts) - {""}
        self.places = self._named(node.name for node in nodes if isinstance(node, n.Place))
        self.stored = self._named(node.name for node in nodes if isinstance(node, n.Storage))
        namer = Namer(program)
        cards = frozenset(map(namer.card, program.cards))
        absent = (value for attributes in program.absent for value in attributes.values())
        values = (value for card in program.cards for value in card.attributes.values())
        self.cards = frozenset({*cards, *values, *absent})
        self.labels = {
            label_key(parts): sum(not isinstance(part, str) for part in parts)
            for _, parts in program.labels
        }

    def _named(self, forms: Iterable[n.Node]) -> frozenset[str]:
        """Return the names that some forms give."""
        found = set()
        for form in forms:
            if not isinstance(form, n.Text):
                return self.texts
            found.add(form.value)
        return frozenset(found)


def label_key(parts: Iterable[object]) -> str:
    """Return the words of a label that are written out: `ASK FOR`, empty if it has none."""
    return " ".join(part.upper() for part in parts if isinstance(part, str))
