"""The index of names: what every name in a file denotes, and everywhere that it stands.

It is made from what the checker understood, so it follows scopes and the kinds of owners, and also
from the mere syntax, so that it has names in forms with errors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.editor.symbols import Occurrence, Symbol, SymbolSort, Use
from cardwright.editor.walk import NameWalk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.program.check import SemanticModel


class NameIndex:
    """All names of a file, in order of place.

    `joined` are pairs of groups of names that the rules of the game confuse, such as the values of
    an attribute that also name locations: what is renamed in one of them has to be renamed in the
    other. `values` are those that each attribute has among the cards.
    """

    def __init__(
        self,
        occurrences: Iterable[Occurrence],
        joined: Iterable[tuple[str, str]] = (),
        values: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.values = {key: tuple(found) for key, found in (values or {}).items()}
        found: dict[tuple[int, int], Occurrence] = {}
        for one in occurrences:
            found.setdefault((one.span.start, one.span.end), one)
        self.all = sorted(found.values(), key=lambda one: one.span)
        self._starts = [one.span.start for one in self.all]
        self._parents: dict[str, str] = {}
        for left, right in joined:
            self._parents[self._root(left)] = self._root(right)

    def at(self, offset: int) -> Occurrence | None:
        """Return the name that stands at an offset, or ends there."""
        for before in (
            bisect_right(self._starts, offset) - 1,
            bisect_right(self._starts, offset) - 2,
        ):
            if before >= 0:
                one = self.all[before]
                if one.span.start <= offset <= one.span.end:
                    return one
        return None

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """Return all places where a symbol stands, in order."""
        return self._by_symbol.get(self.key(symbol), [])

    def definition(self, symbol: Symbol) -> Occurrence | None:
        """Return where a symbol is introduced: where it is bound, else first filled or read."""
        found = self.of(symbol)
        for use in Use:
            for one in found:
                if one.use is use:
                    return one
        return None

    def symbols(self, *sorts: SymbolSort) -> list[Symbol]:
        """Return the symbols of some sorts, each once, in order of their first places."""
        return list(dict.fromkeys(one.symbol for one in self.all if one.symbol.sort in sorts))

    @cached_property
    def _by_symbol(self) -> dict[tuple[str, str], list[Occurrence]]:
        found: dict[tuple[str, str], list[Occurrence]] = defaultdict(list)
        for one in self.all:
            found[self.key(one.symbol)].append(one)
        return dict(found)

    def key(self, symbol: Symbol) -> tuple[str, str]:
        """Return what symbols have in common that have to keep the same name."""
        return self._root(group(symbol)), symbol.name

    def _root(self, name: str) -> str:
        while name in self._parents and self._parents[name] != name:
            name = self._parents[name]
        return name


def group(symbol: Symbol) -> str:
    """Return the group of names in which a symbol's name is the only one of its kind."""
    if symbol.sort in {SymbolSort.STORAGE, SymbolSort.LOCATION}:
        return symbol.home
    return f"{symbol.sort.value} {symbol.home}"


def names_of(examined: SemanticModel) -> NameIndex:
    """Return the names of a file that was examined."""
    if examined.form is None:
        return NameIndex(())
    walk = NameWalk(examined.meaning)
    walk.program(examined.form)
    return NameIndex(walk.found, walk.joined, walk.values)
