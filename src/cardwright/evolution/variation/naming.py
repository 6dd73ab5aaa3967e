"""Names made to fit: a part of one game said with the names of another.

Variables become those in scope of the same kind, constants of the other game their values;
storages, locations, attributes and strings become those that this game has. What has no counterpart
here is brought along with what fills it, where that is a point map, and otherwise the part does not
fit.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.fitting import forms_in
from cardwright.program.kinds import ValueKind
from cardwright.program.symbols import Occurrence, Symbol, SymbolSort, Use
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import Span
from cardwright.syntax.tree import is_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    values of attributes. `variables` are the names given to those of each kind, without apostrophe;
    `values` is what is bound at each offset.
    """

    index: NameIndex
    stored: Mapping[str, Sequence[str]]
    attributes: Mapping[str, Sequence[str]]
    strings: Sequence[str]
    variables: Mapping[ValueKind, Sequence[str]]
    values: Mapping[int, n.Node]

    def kind_of(self, symbol: Symbol) -> ValueKind:
        """Return the kind of a variable or a constant."""
        value = self.values.get(int(symbol.home))
        return ValueKind(0) if value is None else value.kind


@lru_cache(maxsize=64)
def names_in_use(rules: ParsedRules) -> NamesInUse:
    """Return the names of a game."""
    index, bindings = rules.names, rules.meaning.scope.bindings
    stored: defaultdict[str, list[str]] = defaultdict(list)
    for symbol in index.symbols(SymbolSort.STORAGE, SymbolSort.LOCATION):
        stored[symbol.home].append(symbol.name)
    variables: defaultdict[ValueKind, list[str]] = defaultdict(list)
    for one in bindings:
        if isinstance(one.value, n.Variable):
            variables[one.value.kind].append(one.name.removeprefix("'"))
    known = {value for values in index.values.values() for value in values}
    return NamesInUse(
        index,
        stored,
        {key: values for key, values in index.values.items() if values},
        [one.name for one in index.symbols(SymbolSort.VALUE) if one.name not in known],
        variables,
        {binding.span.start: binding.value for binding in bindings},
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
    return _Fitting(giver, taker, scope, random).fitted(part)


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

    def fitted(self, part: Syntax) -> Fitted:
        names = self._names_in(part)
        binders = {name.span.start for name in names if name.use is Use.BINDS}
        own = [
            name.symbol.sort is SymbolSort.VARIABLE and int(name.symbol.home) in binders
            for name in names
        ]
        for one, bound in zip(names, own, strict=True):
            if not bound:
                self._choose(one.symbol)
        for one, bound in zip(names, own, strict=True):
            if bound and one.symbol not in self.became:
                self._rename(one.symbol, {other.symbol.name for other in names})
        return Fitted(self._text(part, names), tuple(self.brought))

    def _names_in(self, part: Syntax) -> list[Occurrence]:
        start, end = part.span.start, part.span.end
        every = self.there.index.all
        return [
            binding for binding in every if start <= binding.span.start and binding.span.end <= end
        ]

    def _text(self, part: Syntax, names: Sequence[Occurrence]) -> str:
        start = part.span.start
        edits = [
            Edit(Span(name.span.start - start, name.span.end - start), self.became[name.symbol])
            for name in names
            if self.became[name.symbol] != self.giver.source.at(name.span)
        ]
        return apply_edits(self.giver.source.at(part.span), edits)

    def _choose(self, symbol: Symbol) -> None:
        """Choose what a name becomes that the part does not bind itself."""
        if symbol in self.became:
            return
        match symbol.sort:
            case SymbolSort.VARIABLE | SymbolSort.CONSTANT:
                name = self._variable(symbol)
            case SymbolSort.STORAGE | SymbolSort.LOCATION:
                name = self._stored(symbol)
            case SymbolSort.ATTRIBUTE:
                name = self._attribute(symbol.name)
            case SymbolSort.VALUE:
                name = self._value(symbol.name)
            case SymbolSort.DEFINITION:
                raise UnfitError(f"{symbol.name} is defined in the other game only")
        self.became[symbol] = name

    def _variable(self, symbol: Symbol) -> str:
        """Return a variable in scope of the same kind, the value of a constant, or its like."""
        kind = self.there.kind_of(symbol)
        value = self.there.values.get(int(symbol.home))
        alike = [one.name for one in self.scope.values() if one.kind == kind]
        if symbol.name in alike and self._likely():
            return symbol.name
        if isinstance(value, n.Number | n.Text | n.Truth) and (not alike or self._likely()):
            return self._value(value.value) if isinstance(value, n.Text) else _literal(value.value)
        if alike:
            return self._one_of(alike)
        if kind in _ALWAYS:
            return _ALWAYS[kind]
        raise UnfitError(f"nothing here is like {symbol.name}")

    def _rename(self, symbol: Symbol, others: set[str]) -> None:
        """Keep the name of a variable that the part binds, unless it means something here."""
        used = {*self.scope, *self.taken, *self.became.values()}
        kind = self.there.kind_of(symbol)
        words = (*self.here.variables.get(kind, ()), *_USUAL.get(kind, ()), "X", "Y", "Z", "XX")
        free = (f"'{word}" for word in words if f"'{word}" not in used | others)
        name = next(free, None) if symbol.name in used else symbol.name
        if name is None:
            raise UnfitError(f"no name is left for {symbol.name}")
        self.became[symbol] = name
        self.taken.add(name)

    def _stored(self, symbol: Symbol) -> str:
        """Return the name of a storage or location here with an owner and a word like its own."""
        here = self.here.stored.get(symbol.home, ())
        used = set(self.became.values())
        if symbol.name in here and self._likely():
            return symbol.name
        fresh = [name for name in here if name not in used] or here
        if symbol.home.endswith("points") and (not fresh or not self._likely()):
            return self._bring(symbol)
        if not fresh:
            raise UnfitError(f"there is no {symbol.home} here")
        return self._one_of(fresh)

    def _bring(self, symbol: Symbol) -> str:
        """Bring a point map along with the step that fills it."""
        here = self.here.stored.get(symbol.home, ())
        name = symbol.name
        for number in range(2, 9):
            if name not in here:
                break
            name = f"{symbol.name}{number}"
        self.became[symbol] = name
        uses = self.there.index.occurrences_of(symbol)
        places = [use.span.start for use in uses if use.use is Use.FILLS]
        fillers = [
            form
            for form in forms_in(self.giver.form)
            if is_word(form.head, "set") and len(form.items) > 1
            if any(form.items[1].span.start <= at < form.items[1].span.end for at in places)
        ]
        if len(fillers) != 1:
            raise UnfitError(f"{symbol.name} is filled in several places")
        names = self._names_in(fillers[0])
        if any(occurrence.symbol.sort is SymbolSort.VARIABLE for occurrence in names):
            raise UnfitError(f"{symbol.name} is filled with variables")
        # At the start of the game only declared names are in scope.
        scope, self.scope = self.scope, {k: v for k, v in self.scope.items() if v.constant}
        for one in names:
            self._choose(one.symbol)
        self.scope = scope
        self.brought[self._text(fillers[0], names)] = None
        return name

    def _attribute(self, name: str) -> str:
        """Return an attribute of the same name, or else of about as many values."""
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


def _literal(value: int | bool) -> str:
    return str(value).lower()
