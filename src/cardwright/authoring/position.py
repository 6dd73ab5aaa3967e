"""Positions: tests of a game, read from a file beside it, each value with its place."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.authoring.settings_check import TomlPlaces, error_span
from cardwright.english import counted, listed
from cardwright.game.errors import CardwrightError, OptionTextError
from cardwright.game.wording.option_text import short_name
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.diagnostic import excerpt
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.game.game import Game, State
    from cardwright.game.settings import TomlPath
    from cardwright.program.cards import Card
    from cardwright.program.constants import Constant
    from cardwright.syntax.source import Source, Span

MORE = "..."
"""What ends a list of cards that is not the whole location."""


class StoredValue(NamedTuple):
    """An integer (`sto`) or a string (`str`) that an owner stores under a name."""

    owner: OwnerId
    kind: n.StorageKind
    name: str


Subject: TypeAlias = Location | StoredValue

_STORED = {"sto": n.StorageKind.INTEGER, "str": n.StorageKind.STRING}
_WORDS = (*LocationKind, *_STORED)


@dataclass(frozen=True)
class Fact:
    """What a location holds, or what is stored under a name.

    The value is a number (an integer, or how many cards), or a text (a string, or cards from the
    top).
    """

    entry: TomlEntry
    owner: str
    name: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"

    def value(self) -> int | str:
        """Return the value; raises PositionFileError for what is neither number nor text."""
        value = self.entry.value
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value
        raise self.entry.wrong(
            f"{self} is neither a text nor a number",
            'cards and strings are written in quotes: "QS 4H", "HEARTS"',
        )

    def subject(self, game: Game) -> Subject:
        """Return what the fact is about; raises PositionFileError if the game has no such thing."""
        owner = self._owner(game)
        *kind, name = self.name.split()
        index = 0
        if kind and name.isdecimal():
            index = int(name)
            *kind, name = kind
        text = isinstance(self.value(), str)
        words = [
            word
            for word, known in named(game)
            if known == name and word != ("sto" if text else "str") and kind in ([], [word])
        ]
        if len(kind) == 1 and kind[0] in _WORDS:
            words = kind  # the name may be one that is computed in play
        if len(words) != 1 or len(kind) > 1:
            raise self.entry.wrong(*self._trouble(game, name, words), key=True)
        if words[0] in _STORED:
            return StoredValue(owner, _STORED[words[0]], name)
        return Location(owner, LocationKind(words[0]), name, index)

    def _owner(self, game: Game) -> OwnerId:
        program = game.program
        owners = {program.owner_name(OwnerId(n)): OwnerId(n) for n in range(program.table + 1)}
        if self.owner not in owners:
            advice = f"choose from {listed(owners)}"
            raise self.entry.above().wrong(f"{self.owner!r} owns nothing here", advice, key=True)
        return owners[self.owner]

    def _trouble(self, game: Game, name: str, words: list[str]) -> tuple[str, str]:
        """Return why a name does not say what is meant, and what to do."""
        if len(words) > 1:
            ways = listed([f'"{word} {name}"' for word in words], "or")
            return f"{name} is the name of more than one thing", f"write {ways}"
        known = sorted({known for _, known in named(game)})
        same = [word for word, known in named(game) if known == name]
        if same:
            what = "a text" if same == ["str"] else "a number"
            return f"{name} is stored by {same[0]}: its value is {what}", ""
        return f"the game has nothing called {name}", advice_on(name, known)

    def cards(self, game: Game) -> tuple[tuple[Card, ...], bool]:
        """Return the cards in a text, and whether there may be more; raises PositionFileError."""
        text = str(self.value())
        more = text.rstrip().endswith(MORE)
        try:
            return game.parse_cards(text.rstrip().removesuffix(MORE)), more
        except OptionTextError as error:
            raise self.entry.wrong(str(error)) from None

    def difference(self, state: State) -> tuple[str, str] | None:
        """Return what is expected and what is found if the fact does not hold; else None."""
        subject, value = self.subject(state.game), self.value()
        if isinstance(subject, StoredValue):
            integer = subject.kind is n.StorageKind.INTEGER
            read = state.integer if integer else state.string
            stored = read(subject.owner, subject.name)
            return None if stored == value else (str(value) or '""', str(stored) or '""')
        held = from_top(state, subject)
        if isinstance(value, int):
            return (
                None if len(held) == value else (counted(value, "card"), counted(len(held), "card"))
            )
        cards, more = self.cards(state.game)
        wanted, there = names(state.game, cards), names(state.game, held)
        if is_ordered(state, subject):
            fits = wanted == there[: len(wanted)] and (more or len(wanted) == len(there))
        else:
            missing, extra = Counter(wanted) - Counter(there), Counter(there) - Counter(wanted)
            fits = not missing and (more or not extra)
        if fits:
            return None
        return " ".join([*wanted, MORE] if more else wanted) or "no cards", shown(there)


def named(game: Game) -> list[tuple[str, str]]:
    """Return the kind and name of everything that the rules name literally."""
    names: dict[tuple[str, str], None] = {}
    for node in game.program.nodes():
        match node:
            case n.Place(name=n.Text(value=name), place=kind):
                names[str(kind), name] = None
            case n.Storage(name=n.Text(value=name), storage=stored) if stored.value in _STORED:
                names[stored.value, name] = None
    return list(names)


def from_top(state: State, location: Location) -> tuple[Card, ...]:
    """Return the cards of a location from the top."""
    return state.cards(location.owner, location.kind, location.name, location.at)[::-1]


def is_ordered(state: State, location: Location) -> bool:
    """Return whether the order of the cards in a location matters."""
    return location not in state._board.world().rules.places.unordered_locations


def names(game: Game, cards: Iterable[Card]) -> list[str]:
    """Return the short names of cards: those that look alike have the same."""
    return [short_name(card, game.namer, symbols=False) for card in cards]


def shown(there: list[str]) -> str:
    """Return the names of cards found, or that there are none."""
    return " ".join(there) or "no cards"


class PositionFileError(CardwrightError):
    """A file of positions that does not say what it should; the message has the place."""

    def __init__(self, source: Source, span: Span, message: str, advice: str = "") -> None:
        self.source = source
        self.span = span
        self.reason = message
        self.advice = advice
        place = source.position(span.start)
        lines = [f"{source.name}:{place.line}:{place.column}: {message}", *excerpt(span, source)]
        super().__init__("\n".join([*lines, f"      help: {advice}"] if advice else lines))


@dataclass(frozen=True)
class TomlEntry:
    """A value of a file: what it is, and what leads to it."""

    source: Source
    places: TomlPlaces
    path: TomlPath
    value: Any

    @classmethod
    def of(cls, source: Source) -> TomlEntry:
        """Return the whole of a file; raises PositionFileError if it is not TOML."""
        try:
            table = parse_toml(source.text)
        except tomllib.TOMLDecodeError as error:
            at = error_span(source, str(error))
            raise PositionFileError(source, at, f"this is not TOML: {error}") from None
        return cls(source, TomlPlaces(source.text), (), table)

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return self.places.place(self.path)

    @property
    def name(self) -> str:
        """The last key that leads to the value."""
        return str(self.path[-1])

    def wrong(self, message: str, advice: str = "", *, key: bool = False) -> PositionFileError:
        """Return the error that this value, or its key, is wrong."""
        span = self.places.key(self.path) if key else self.span
        return PositionFileError(self.source, span, message, advice)

    def above(self) -> TomlEntry:
        """Return what the value stands in, without the value: to say that its key is wrong."""
        return TomlEntry(self.source, self.places, self.path[:-1], None)

    def _part(self, key: str | int, value: object) -> TomlEntry:
        return TomlEntry(self.source, self.places, (*self.path, key), value)

    def fields(self, known: Iterable[str] = ()) -> dict[str, TomlEntry]:
        """Return the fields of a table; raises PositionFileError for others than those known."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"{self.path_name} is not a table", "write { FIELD = VALUE, ... }")
        parts = {key: self._part(key, value) for key, value in self.value.items()}
        names = sorted(known)
        for key, part in parts.items():
            if names and key not in names:
                advice = did_you_mean(key, names) or f"choose from {listed(names)}"
                raise part.wrong(f"there is no field {key!r} here", advice, key=True)
        return parts

    def items(self) -> Iterator[TomlEntry]:
        """Yield the items of a list; anything else is the only item of one."""
        if not isinstance(self.value, list):
            yield self
            return
        for number, value in enumerate(self.value):
            yield self._part(number, value)

    def text(self) -> str:
        """Return a text; raises PositionFileError for anything else, and for an empty one."""
        good = isinstance(self.value, str) and self.value.strip()
        return str(self._checked(good, "not a text", 'write it in quotes: "..."'))

    def integer(self) -> int:
        """Return an integer; raises PositionFileError for anything else."""
        return int(self._checked(type(self.value) is int, "not a number"))

    def truth(self) -> bool:
        """Return true or false; raises PositionFileError for anything else."""
        return bool(self._checked(type(self.value) is bool, "neither true nor false"))

    def _checked(self, good: object, what: str, advice: str = "") -> Any:
        """Return the value if it is good; else raise that it is something else."""
        if good:
            return self.value
        raise self.wrong(f"{self.path_name} is {what}", advice)

    @property
    def path_name(self) -> str:
        """The name of the field, for a message."""
        names = [part for part in self.path if isinstance(part, str)]
        return names[-1] if names else "the file"


_OUTCOME = ("over", "player", "scores", "ranks", "winners")
_STEP = ("player", "options", "includes", "excludes", "expect", "choose", "deal", "error")
_POSITION = ("about", "preset", "declared", "seed", "deal", "steps", "expect", "error")


@dataclass(frozen=True)
class Expectation:
    """What must hold at one moment: parts of the outcome by name, and facts."""

    outcome: Mapping[str, TomlEntry]
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class PositionStep:
    """One decision: what must hold there, and what is chosen.

    `options` says what is offered: these exactly (`options`), these among others (`includes`), none
    of these (`excludes`). Each text of `choose` is the choice of one decision. `deal` is about the
    next decision, and `error` is the rule that the choice must break.
    """

    entry: TomlEntry
    options: Mapping[str, TomlEntry]
    expect: Expectation
    choose: tuple[TomlEntry, ...]
    deal: tuple[Fact, ...]
    error: TomlEntry | None


@dataclass(frozen=True)
class GamePosition:
    """A named test of a game: how it begins, the steps, and what must hold after them.

    `deal` has facts of the first decision: cards are laid so that they hold there.
    """

    about: str
    source: Source
    span: Span
    settings: TomlEntry
    preset: str | None
    declared: Mapping[str, Constant]
    seed: int
    deal: tuple[Fact, ...]
    steps: tuple[PositionStep, ...]
    expect: Expectation
    error: TomlEntry | None


def parse_positions(source: Source) -> tuple[GamePosition, ...]:
    """Return the positions in the text of a file; raises PositionFileError."""
    whole = TomlEntry.of(source)
    listed = whole.fields({"position"}).get("position")
    if listed is None:
        raise whole.wrong(
            "there is no position in this file", "a position begins with [[position]]"
        )
    if not isinstance(listed.value, list):
        raise listed.wrong("position is not a list of tables", "write [[position]]", key=True)
    return tuple(_position(entry) for entry in listed.items())


def _position(entry: TomlEntry) -> GamePosition:
    fields = entry.fields(_POSITION)
    if "about" not in fields:
        raise entry.wrong("a position needs a text `about` that says what is tested", key=True)
    seed, preset = fields.get("seed"), fields.get("preset")
    if seed is not None and seed.integer() < 0:
        raise seed.wrong("a seed is not negative")
    declared = _parts(fields, "declared")
    return GamePosition(
        about=fields["about"].text(),
        source=entry.source,
        span=fields["about"].span,
        settings=fields.get("declared") or preset or fields["about"],
        preset=None if preset is None else preset.text(),
        declared={name: _constant(value) for name, value in declared.items()},
        seed=0 if seed is None else seed.integer(),
        deal=_facts(_parts(fields, "deal")),
        steps=tuple(map(_step, fields["steps"].items())) if "steps" in fields else (),
        expect=_expectation(_parts(fields, "expect")),
        error=_error(fields),
    )


def _parts(fields: Mapping[str, TomlEntry], name: str) -> dict[str, TomlEntry]:
    """Return the fields of a table among some fields; none if it is not there."""
    return fields[name].fields() if name in fields else {}


def _constant(entry: TomlEntry) -> Constant:
    value: Any = entry.value
    if isinstance(value, bool | int):
        return value
    try:
        return parse_value(",".join(value) if isinstance(value, list) else value)
    except (TypeError, ValueError):
        advice = 'a number, true or false, "NAME", ["A", "B"] or "1..4"'
        raise entry.wrong(f"{entry.name} is not a value of a constant", advice) from None


def _step(entry: TomlEntry) -> PositionStep:
    fields = entry.fields(_STEP)
    if not fields:
        raise entry.wrong("a step that says nothing", f"it can have {', '.join(_STEP)}")
    for needs in ("deal", "error"):
        if needs in fields and "choose" not in fields:
            raise fields[needs].wrong(
                f"{needs} follows a choice: this step lacks `choose`", key=True
            )
    expect = _expectation(_parts(fields, "expect"))
    if "player" in fields:
        outcome = {**expect.outcome, "player": fields["player"]}
        expect = Expectation(outcome, expect.facts)
    return PositionStep(
        entry=entry,
        options={key: fields[key] for key in ("options", "includes", "excludes") if key in fields},
        expect=expect,
        choose=tuple(fields["choose"].items()) if "choose" in fields else (),
        deal=_facts(_parts(fields, "deal")),
        error=_error(fields),
    )


def _facts(owners: Mapping[str, TomlEntry]) -> tuple[Fact, ...]:
    """Return the facts in tables of owners."""
    return tuple(
        Fact(value, owner, name)
        for owner, entry in owners.items()
        for name, value in entry.fields().items()
    )


def _expectation(fields: Mapping[str, TomlEntry]) -> Expectation:
    outcome = {key: part for key, part in fields.items() if key in _OUTCOME}
    owners = {key: part for key, part in fields.items() if key not in _OUTCOME}
    return Expectation(outcome, _facts(owners))


def _error(fields: Mapping[str, TomlEntry]) -> TomlEntry | None:
    error = fields.get("error")
    if error is not None:
        error.text()
    return error
