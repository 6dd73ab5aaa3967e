"""The symbol index: what every name in a program denotes, and everywhere that it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.fitting import STORED, is_definition, is_pair, key_of
from cardwright.program.kinds import ValueKind
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.program.check import SemanticModel
    from cardwright.program.elaborate import Elaborator


class SymbolSort(Enum):
    """What a name is a name of."""

    CONSTANT = "constant"
    VARIABLE = "variable"
    DEFINITION = "definition"
    STORAGE = "storage"
    LOCATION = "location"
    ATTRIBUTE = "attribute"
    VALUE = "value"


class Use(Enum):
    """What is done with a name in one place."""

    BINDS = "binds"
    """A variable is bound, or an attribute or its value given to cards."""
    FILLS = "fills"
    """Something is put there."""
    READS = "reads"


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something with a name.

    `home` tells apart what has the same name: of a variable or a constant it is the offset of its
    binding, of a storage or location its owner's sort and its word, as in `player sto`. The names
    of attributes, and all other strings, are known in the whole file.
    """

    sort: SymbolSort
    name: str
    home: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where a name stands. The span of a variable has its apostrophe."""

    span: Span
    symbol: Symbol
    use: Use


VALUES = "value "
"""The group of all strings that are neither attributes nor names of storages or locations."""

ATTRIBUTES = "attribute "

BINDING = frozenset({"any", "all", "filter", "let"})
"""Forms that bind the variable in their third place."""

_LOCATIONS = frozenset(kind.value for kind in LocationKind)
_FILLED = {
    "set": (1,),
    "inc": (1,),
    "dec": (1,),
    "put": (2,),
    "move": (2,),
    "remember": (2,),
    "swap": (1, 2),
}
"""Which items of a form name what it fills."""

_OWNERS = {ValueKind.TABLE: "game", ValueKind.PLAYER: "player", ValueKind.TEAM: "team"}


class NameWalk:
    """Collects the names of one program.

    `joined` are pairs of groups between which names go back and forth: where a location's name is
    computed, it is one of the strings of the program. `values` are those of each attribute of the
    cards, in order.
    """

    def __init__(self, meaning: Elaborator | None) -> None:
        self.found: list[Occurrence] = []
        self.joined: list[tuple[str, str]] = []
        self.values: dict[str, dict[str, None]] = {}
        self._owners: dict[tuple[int, int], set[str]] = {}
        self._definitions: dict[tuple[int, int], Atom] = {}
        self._maps: set[int] = set()
        self._bound: dict[tuple[int, int], Span] = {}
        self._constants: set[int] = set()
        self._scope: list[tuple[str, Span]] = []
        if meaning is not None:
            self._take(meaning)

    def _take(self, meaning: Elaborator) -> None:
        for item, _, node in meaning.understood:
            if isinstance(item, Atom) and isinstance(node, n.Storage):
                self._maps.add(item.span.start)
            elif isinstance(node, n.Storage | n.Place | n.Indexed):
                owner = _OWNERS.get(node.owner.kind)
                self._owners.setdefault(item.span.text, set()).update([owner] if owner else ())
            elif owner := _OWNERS.get(node.kind):
                self._owners.setdefault(item.span.text, set()).add(owner)
        for span, binding in meaning.scope.uses:
            self._bound[span.text] = binding.span
        for use in meaning.extensions.unfolding.uses:
            if use.parameter is None:
                self._definitions[use.span.text] = use.definition.name

    def program(self, form: Form) -> None:
        """Walk through a whole program."""
        for item in form.items:
            if isinstance(item, Form) and is_word(item.head, "declare"):
                self._declaration(item)
            elif isinstance(item, Form) and is_definition(item):
                self._definition(item)
            elif isinstance(item, Form) and is_word(item.head, "setup"):
                for part in item.items[1:]:
                    self._setup_part(part)
            else:
                self._item(item)

    # Declarations and the set-up ------------------------------------------------------------

    def _declaration(self, form: Form) -> None:
        for item in form.items[1:2]:
            self._item(item)
        for name in form.items[2:3]:
            if isinstance(name, Atom) and name.kind is AtomKind.VARIABLE:
                self._constants.add(name.span.start)
                self._scope.append((name.text, name.span))
                self._variable(name, name.span, Use.BINDS)

    def _definition(self, form: Form) -> None:
        """Note the name of a definition and its parameters, which are variables of its body."""
        head = form.items[1] if len(form.items) > 1 else None
        names = head.items if isinstance(head, Form) else form.items[1:2]
        with self._block():
            for at, name in enumerate(names):
                if not at and is_atom(name, AtomKind.NAME):
                    home = str(name.span.start)
                    symbol = Symbol(SymbolSort.DEFINITION, _text(name), home)
                    self._name(name, symbol, Use.BINDS)
                elif isinstance(name, Atom) and name.kind is AtomKind.VARIABLE:
                    self._scope.append((name.text, name.span))
                    self._variable(name, name.span, Use.BINDS)
            for item in form.items[2:]:
                self._item(item)

    def _setup_part(self, item: Syntax) -> None:
        if isinstance(item, Form) and item.starts_with("create", "deck"):
            self._deck(item)
        elif isinstance(item, Form) and is_word(item.head, "repeat"):
            for part in item.items[1:]:
                self._setup_part(part)
        else:
            self._item(item)

    def _deck(self, form: Form) -> None:
        for item in form.items[2:]:
            if isinstance(item, Form) and is_word(item.head, "deck"):
                for attribute in item.items[1:]:
                    self._attribute(attribute)
            else:
                self._item(item, Use.FILLS)

    def _attribute(self, item: Syntax) -> None:
        """Note an attribute of a deck, its values, and the attributes nested in them."""
        if not isinstance(item, Form) or not is_atom(item.head, AtomKind.NAME):
            self._item(item)
            return
        self._name(item.items[0], Symbol(SymbolSort.ATTRIBUTE, _text(item.items[0])), Use.BINDS)
        known = self.values.setdefault(_text(item.items[0]), {})
        for values in item.items[1:]:
            if not isinstance(values, Form):
                self._item(values)
                continue
            for part in values.items:
                if isinstance(part, Form):
                    self._attribute(part)
                else:
                    self._value(part, Use.BINDS)
                    known.update({part.text: None} if part.kind is AtomKind.NAME else {})

    # Forms ----------------------------------------------------------------------------------

    def _item(self, item: Syntax, use: Use = Use.READS) -> None:
        if isinstance(item, Atom):
            if item.kind is AtomKind.VARIABLE:
                self._use_of_variable(item, use)
            else:
                self._value(item, use)
            return
        if item.items and item.items[0].span.text in self._definitions:
            self._use_of_definition(item)
            return
        key = key_of(item)
        word = key[2:] if key.startswith("_ ") else ""
        if word in STORED and len(item.items) > 2:
            self._stored(item, word, item.items[0], item.items[2], use)
        elif key == "indexed" and len(item.items) > 3 and isinstance(item.items[2], Atom):
            self._stored(item, item.items[2].text, item.items[1], item.items[3], use)
        elif key in {"cardatt", "partition"}:
            self._keyed(item)
        elif is_pair(item) or _is_old_pair(item):
            self._attribute_name(item.items[0])
            for part in item.items[1:]:
                self._item(part)
        elif key in BINDING:
            self._binding(item)
        else:
            # The card of (top LOCATION) is filled where the location is.
            passed = use if key in {"top", "bottom", "_"} else Use.READS
            filled = _FILLED.get(key, ())
            for at, part in enumerate(item.items):
                self._item(part, Use.FILLS if at in filled else passed)

    def _stored(self, form: Form, word: str, owner: Syntax, name: Syntax, use: Use) -> None:
        """Note the name of a storage or location, and what stands around it.

        In a definition it may be that of several sorts of owners, and is the same name for all.
        """
        home, *others = [f"{found} {word}" for found in self._owners_of(form, owner)]
        self.joined.extend((other, home) for other in others)
        if is_atom(name, AtomKind.NAME):
            sort = SymbolSort.LOCATION if word in _LOCATIONS else SymbolSort.STORAGE
            self._name(name, Symbol(sort, _text(name), home), use)
        else:
            self.joined.append((home, VALUES))
        for part in form.items:
            if part is not name or not is_atom(name, AtomKind.NAME):
                self._item(part)

    def _owners_of(self, form: Form, owner: Syntax) -> list[str]:
        """Return the sorts of owners that a form is about; where they are not known, players."""
        if is_word(owner, "game"):
            return ["game"]
        owners = self._owners.get(form.span.text) or self._owners.get(owner.span.text)
        return sorted(owners or {"player"})

    def _use_of_definition(self, form: Form) -> None:
        head, *arguments = form.items
        home = str(self._definitions[head.span.text].span.start)
        self._name(head, Symbol(SymbolSort.DEFINITION, _text(head), home), Use.READS)
        for item in arguments:
            self._item(item)

    def _keyed(self, form: Form) -> None:
        """Walk through a form that names an attribute in its first place, or in its last."""
        operands = form.items[1:]
        last = is_word(form.head, "partition") and operands and not _is_string(operands[0])
        key = (operands[-1] if last else operands[0]) if operands else None
        for part in operands:
            if part is key:
                self._attribute_name(part)
            else:
                self._item(part)

    def _binding(self, form: Form) -> None:
        for item in form.items[1:2]:
            self._item(item)
        with self._block():
            for item in form.items[2:3]:
                if isinstance(item, Atom) and item.kind is AtomKind.VARIABLE:
                    self._scope.append((item.text, item.span))
                    self._variable(item, item.span, Use.BINDS)
                else:
                    self._item(item)
            for item in form.items[3:]:
                self._item(item)

    @contextmanager
    def _block(self) -> Iterator[None]:
        before = len(self._scope)
        yield
        del self._scope[before:]

    # NameIndex ----------------------------------------------------------------------------------

    def _attribute_name(self, item: Syntax) -> None:
        if is_atom(item, AtomKind.NAME):
            self._name(item, Symbol(SymbolSort.ATTRIBUTE, _text(item)), Use.READS)
        else:
            self.joined.append((ATTRIBUTES, VALUES))
            self._item(item)

    def _value(self, item: Syntax, use: Use) -> None:
        if is_atom(item, AtomKind.NAME):
            how = Use.BINDS if use is Use.BINDS else Use.READS
            self._name(item, Symbol(SymbolSort.VALUE, _text(item)), how)

    def _use_of_variable(self, atom: Atom, use: Use) -> None:
        if atom.span.start in self._maps:
            symbol = Symbol(SymbolSort.STORAGE, atom.text[1:], "game points")
            span = Span(atom.span.start + 1, atom.span.end)
            self.found.append(Occurrence(span, symbol, use))
            return
        place = self._bound.get(atom.span.text)
        if place is None or place == atom.span:
            place = next((at for name, at in reversed(self._scope) if name == atom.text), None)
        if place is not None:
            self._variable(atom, place, Use.READS)

    def _variable(self, atom: Atom, place: Span, use: Use) -> None:
        constant = place.start in self._constants
        sort = SymbolSort.CONSTANT if constant else SymbolSort.VARIABLE
        self._name(atom, Symbol(sort, atom.text, str(place.start)), use)

    def _name(self, item: Syntax, symbol: Symbol, use: Use) -> None:
        self.found.append(Occurrence(item.span, symbol, use))


def _text(item: Syntax) -> str:
    return item.text if isinstance(item, Atom) else ""


def _is_string(item: Syntax) -> bool:
    return is_atom(item, AtomKind.NAME) or (
        isinstance(item, Form) and key_of(item) in {"cardatt", "_ str"}
    )


def _is_old_pair(form: Form) -> bool:
    """Return whether a form is a pair of an award in the oldest files: `(KEY (VALUE))`."""
    return (
        len(form.items) == 2
        and is_atom(form.items[0], AtomKind.NAME)
        and isinstance(form.items[1], Form)
    )


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
        self._starts = [occurrence.span.start for occurrence in self.all]
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

    def occurrences_of(self, symbol: Symbol) -> list[Occurrence]:
        """Return all places where a symbol stands, in order."""
        return self._by_symbol.get(self.key(symbol), [])

    def definition(self, symbol: Symbol) -> Occurrence | None:
        """Return where a symbol is introduced: where it is bound, else first filled or read."""
        places = self.occurrences_of(symbol)
        for use in Use:
            for occurrence in places:
                if occurrence.use is use:
                    return occurrence
        return None

    def symbols(self, *sorts: SymbolSort) -> list[Symbol]:
        """Return the symbols of some sorts, each once, in order of their first places."""
        return list(dict.fromkeys(use.symbol for use in self.all if use.symbol.sort in sorts))

    @cached_property
    def _by_symbol(self) -> dict[tuple[str, str], list[Occurrence]]:
        places: dict[tuple[str, str], list[Occurrence]] = defaultdict(list)
        for occurrence in self.all:
            places[self.key(occurrence.symbol)].append(occurrence)
        return dict(places)

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
