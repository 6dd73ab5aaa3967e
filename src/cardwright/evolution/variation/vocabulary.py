"""Which strings of a program could stand in each other's places."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cardwright.editor.names import group
from cardwright.editor.symbols import SymbolSort
from cardwright.program import nodes as n
from cardwright.program.fitting import forms_in, is_pair
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.editor.names import NameIndex
    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.source import Span
    from cardwright.syntax.tree import Syntax


class Vocabulary:
    """The strings of one program, in groups.

    Names of storages, of locations and of attributes are exchanged with those of the same sort of
    owner. The values of an attribute are a group; and so are strings that are compared with the
    same thing, or stored in the same place.
    """

    def __init__(self, names: NameIndex, meaning: Elaborator, form: Form) -> None:
        self.names = names
        self._partners: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._groups: dict[int, dict[str, None]] = {}
        self._keyed: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for item, _, node in meaning.understood:
            if isinstance(item, Form) and isinstance(node, n.Equal | n.Set) and len(item.items) > 2:
                self._pair(item.items[1], item.items[2])
                self._pair(item.items[2], item.items[1])
        for pair in filter(is_pair, forms_in(form)):
            self._value(pair.items[0], pair.items[2])

    def _pair(self, name: Syntax, other: Syntax) -> None:
        """Note a name that is compared with something, or stored there."""
        if isinstance(name, Atom) and name.kind is AtomKind.NAME:
            group = self._partners[_said(other)]
            group[name.text] = None
            self._groups[name.span.start] = group
            if isinstance(other, Form) and other.starts_with("cardatt"):
                self._value(other.items[1], name)

    def _value(self, key: Syntax, value: Syntax) -> None:
        """Note a name that the rules use as the value of an attribute."""
        if isinstance(key, Atom) and isinstance(value, Atom) and value.kind is AtomKind.NAME:
            self._keyed[key.text][value.text] = None

    def keyed(self, key: str) -> list[str]:
        """Return the names that stand as values of an attribute, whether cards have them or not."""
        return list(self._keyed.get(key, ()))

    def compared(self, constant: str) -> list[str]:
        """Return the names that are compared with a declared constant, in order of the text."""
        return list(self._partners.get(f"'{constant}", ()))

    def like(self, span: Span) -> list[str]:
        """Return what could stand in the place of a string that is written out, but for itself."""
        found = self.names.at(span.start)
        if found is None:
            return []
        symbol = found.symbol
        if symbol.sort is SymbolSort.VALUE:
            names: Iterable[str] = self._values(symbol.name, span)
        else:
            alike = self.names.symbols(symbol.sort)
            names = [one.name for one in alike if group(one) == group(symbol)]
        return [name for name in dict.fromkeys(names) if name != symbol.name]

    def _values(self, name: str, span: Span) -> list[str]:
        """Return the values of attributes that have this one, or the strings of its own group."""
        found = [one for values in self.names.values.values() if name in values for one in values]
        return found or list(self._groups.get(span.start, ()))


def _said(item: Syntax) -> str:
    """Return what an item says, whatever its layout."""
    if isinstance(item, Atom):
        return item.text
    return f"({' '.join(map(_said, item.items))})"
