"""Names made to fit: a part of one game said with the names of another.

Variables become those in scope of the same kind, constants of the other game their values;
storages, locations, attributes and strings become those that this game has. What has no counterpart
here is brought along with what fills it, where that is a point map, and otherwise the part does not
fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.symbols import Occurrence, Symbol, SymbolSort, Use
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import BoundName
    from cardwright.program.symbols import NameIndex
    from cardwright.syntax.tree import Syntax

_SAME = 0.75
"""How often something of the same name is taken, where this game has it."""

_USUAL = {
    ValueKind.CARD: ("C", "D", "CARD", "E"),
    ValueKind.PLAYER: ("P", "Q", "R", "OTHER"),
    ValueKind.TEAM: ("T", "U", "SIDE"),
    ValueKind.INTEGER: ("N", "K", "M", "COUNT"),
    ValueKind.STRING: ("S", "NAMED", "WORD", "TEXT"),
    ValueKind.LOCATION: ("G", "H", "GROUP", "PILE"),
}
"""Names that authors give to variables of each kind."""

_ALWAYS = {ValueKind.PLAYER: "(current player)", ValueKind.TEAM: "(current team)"}
"""What there is in every place, though no variable names it."""


class UnfitError(ValueError):
    """A part that cannot be said with the names of another game."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The text of a part with names of the game that it goes to, and steps that it needs there.

    The steps fill what was brought along; they belong at the start of the game.
    """

    text: str
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class NamesInUse:
    """The names of one game: of storages and locations by home, and of attributes with values.

    A home is a sort of owner with a word, as in `player iloc`. `strings` are those that are no
    values of attributes. `variables` are the names given to those of each kind, without apostrophe.
    """

    index: NameIndex
    stored: Mapping[str, tuple[str, ...]]
    attributes: Mapping[str, tuple[str, ...]]
    strings: tuple[str, ...]
    variables: Mapping[ValueKind, tuple[str, ...]]
    definitions: frozenset[str]
    values: Mapping[int, n.Node]


@lru_cache(maxsize=64)
def names_in_use(material: ParsedRules) -> NamesInUse:
    """Return the names of a game."""
    index = material.names
    stored: dict[str, dict[str, None]] = {}
    for symbol in index.symbols(SymbolSort.STORAGE, SymbolSort.LOCATION):
        stored.setdefault(symbol.home, {})[symbol.name] = None
    known = {value for values in index.values.values() for value in values}
    strings = [one.name for one in index.symbols(SymbolSort.VALUE) if one.name not in known]
    meaning = material.examined.meaning
    assert meaning is not None
    variables: dict[ValueKind, dict[str, None]] = {}
    for one in meaning.scope.bindings:
        if isinstance(one.value, n.Variable):
            variables.setdefault(one.value.kind, {})[one.name.removeprefix("'")] = None
    return NamesInUse(
        index,
        {home: tuple(names) for home, names in stored.items()},
        {key: values for key, values in index.values.items() if values},
        tuple(strings),
        {kind: tuple(names) for kind, names in variables.items()},
        frozenset(one.name for one in index.symbols(SymbolSort.DEFINITION)),
        {one.span.start: one.value for one in meaning.scope.bindings},
    )


def fitted(
    giver: ParsedRules,
    part: Syntax,
    taker: ParsedRules,
    scope: Mapping[str, BoundName],
    random: np.random.Generator,
) -> Fitted:
    """Return a part of `giver` with names that `taker` has where these variables are in scope.

    No variable of the part is captured, and none in scope is hidden. Raises UnfitError if something
    in it has no counterpart.
    """
    return _Fitting(giver, taker, scope, random).of(part)


@dataclass
class _Fitting:
    """What each name of a part becomes; the same name becomes the same everywhere in it."""

    giver: ParsedRules
    taker: ParsedRules
    scope: Mapping[str, BoundName]
    random: np.random.Generator
    became: dict[Symbol, str] = field(default_factory=dict)
    brought: dict[str, None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.there = names_in_use(self.giver)
        self.here = names_in_use(self.taker)

    def of(self, part: Syntax) -> Fitted:
        found = [
            one
            for one in self.there.index.all
            if part.span.start <= one.span.start and one.span.end <= part.span.end
        ]
        inner = {one.span.start for one in found if one.use is Use.BINDS}
        free = [one for one in found if not self._bound_in(one, inner)]
        for one in free:
            self._name(one)
        for one in found:
            if self._bound_in(one, inner) and one.symbol not in self.became:
                self._rename_bound(one, {other.symbol.name for other in found})
        return Fitted(self._text(part, found), tuple(self.brought))

    def _bound_in(self, one: Occurrence, inner: Iterable[int]) -> bool:
        return one.symbol.sort is SymbolSort.VARIABLE and int(one.symbol.home) in inner

    def _text(self, part: Syntax, found: Sequence[Occurrence]) -> str:
        start = part.span.start
        edits = []
        for one in found:
            new = self.became[one.symbol]
            span = Span(one.span.start - start, one.span.end - start)
            if new != self.giver.source.at(one.span):
                edits.append(Edit(span, new))
        return apply_edits(self.giver.source.at(part.span), edits)

    def _name(self, one: Occurrence) -> None:
        """Choose what a name becomes that the part does not bind itself."""
        symbol = one.symbol
        if symbol in self.became:
            return
        match symbol.sort:
            case SymbolSort.VARIABLE | SymbolSort.CONSTANT:
                new = self._variable(symbol)
            case SymbolSort.STORAGE | SymbolSort.LOCATION:
                new = self._stored(symbol)
            case SymbolSort.ATTRIBUTE:
                new = self._attribute(symbol.name)
            case SymbolSort.VALUE:
                new = self._value(symbol.name)
            case _:
                raise UnfitError(f"{symbol.name} is defined in the other game only")
        self.became[symbol] = new

    # Variables --------------------------------------------------------------------------------

    def _variable(self, symbol: Symbol) -> str:
        """Return a variable in scope of the same kind, the value of a constant, or its like."""
        value = self.there.values.get(int(symbol.home))
        kind = ValueKind(0) if value is None else value.kind
        alike = [one.name for one in self.scope.values() if one.kind == kind]
        if symbol.name in alike and self._likely():
            return symbol.name
        if isinstance(value, n.Number | n.Text | n.Truth) and (not alike or self._likely()):
            return self._literal(value)
        if alike:
            return self._one_of(alike)
        if kind in _ALWAYS:
            return _ALWAYS[kind]
        raise UnfitError(f"nothing here is like {symbol.name}")

    def _literal(self, value: n.Number | n.Text | n.Truth) -> str:
        match value:
            case n.Number():
                return str(value.value)
            case n.Text():
                return self._value(value.value)
            case _:
                return "true" if value.value else "false"

    def _rename_bound(self, one: Occurrence, others: set[str]) -> None:
        """Keep the name of a variable that the part binds, unless it means something here."""
        symbol = one.symbol
        used = {*self.scope, *self.taken, *self.became.values()}
        if symbol.name not in used:
            self.became[symbol] = symbol.name
            self.taken.add(symbol.name)
            return
        value = self.there.values.get(int(symbol.home))
        kind = ValueKind(0) if value is None else value.kind
        words = (*self.here.variables.get(kind, ()), *_USUAL.get(kind, ()), "X", "Y", "Z", "XX")
        for word in dict.fromkeys(words):
            if f"'{word}" not in used | others:
                self.became[symbol] = f"'{word}"
                self.taken.add(f"'{word}")
                return
        raise UnfitError(f"no name is left for {symbol.name}")

    # Storages and locations -------------------------------------------------------------------

    def _stored(self, symbol: Symbol) -> str:
        """Return the name of a storage or location here with an owner and a word like its own."""
        here = self.here.stored.get(symbol.home, ())
        used = set(self.became.values())
        if symbol.name in here and self._likely():
            return symbol.name
        fresh = [name for name in here if name not in used] or list(here)
        if symbol.home.endswith("points") and (not fresh or not self._likely()):
            return self._bring(symbol)
        if not fresh:
            raise UnfitError(f"there is no {symbol.home} here")
        return self._one_of(fresh)

    def _bring(self, symbol: Symbol) -> str:
        """Bring a point map along with the step that fills it."""
        name = symbol.name
        for number in range(2, 9):
            if name not in self.here.stored.get(symbol.home, ()):
                break
            name = f"{symbol.name}{number}"
        self.became[symbol] = name
        fillers = [
            form
            for form in _forms(self.giver.form)
            if is_word(form.head, "set")
            and any(
                one.use is Use.FILLS
                and len(form.items) > 1
                and form.items[1].span.start <= one.span.start < form.items[1].span.end
                for one in self.there.index.of(symbol)
            )
        ]
        if len(fillers) != 1:
            raise UnfitError(f"{symbol.name} is filled in several places")
        within = [
            one
            for one in self.there.index.all
            if fillers[0].span.start <= one.span.start and one.span.end <= fillers[0].span.end
        ]
        if any(one.symbol.sort is SymbolSort.VARIABLE for one in within):
            raise UnfitError(f"{symbol.name} is filled with variables")
        # At the start of the game only declared names are in scope.
        scope, self.scope = self.scope, {k: v for k, v in self.scope.items() if v.constant}
        for one in within:
            self._name(one)
        self.scope = scope
        self.brought[self._text(fillers[0], within)] = None
        return name

    # Strings ----------------------------------------------------------------------------------

    def _attribute(self, name: str) -> str:
        here = self.here.attributes
        if name in here:
            return name
        if not here:
            raise UnfitError("the cards here have no attributes")
        count = len(self.there.attributes.get(name, ()))
        return min(here, key=lambda one: (abs(len(here[one]) - count), one))

    def _value(self, name: str) -> str:
        """Return a value of the same attribute at a like place in its order, or a like string."""
        for key, values in self.there.attributes.items():
            if name in values:
                here = self.here.attributes.get(self._attribute(key), ())
                if name in here:
                    return name
                if not here:
                    break
                return here[values.index(name) * len(here) // len(values)]
        if name in self.here.strings or not self.here.strings:
            return name
        return self._one_of(self.here.strings)

    def _likely(self) -> bool:
        """Return whether something of the same name is taken: within a game always."""
        return self.giver is self.taker or bool(self.random.random() < _SAME)

    def _one_of(self, names: Sequence[str]) -> str:
        return names[int(self.random.integers(len(names)))]


def _forms(form: Form) -> Iterator[Form]:
    yield form
    for item in form.items:
        if isinstance(item, Form):
            yield from _forms(item)
