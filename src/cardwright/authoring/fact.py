"""Facts about a state as a file of positions writes them: `p1.HAND = "QS 4H"`, `game.ROUND = 2`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.game.errors import OptionTextError
from cardwright.game.wording.option_text import short_name
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.authoring.toml_entry import TomlEntry
    from cardwright.game.game import Game, State
    from cardwright.program.cards import Card

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

    def value(self) -> int | str:
        """Return the value; raises PositionFileError for what is neither number nor text."""
        value = self.entry.value
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value
        raise self.entry.wrong(
            f"{self.owner}.{self.name} is neither a text nor a number",
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
        found = [
            word
            for word, known in named(game)
            if known == name and word != ("sto" if text else "str") and kind in ([], [word])
        ]
        if len(kind) == 1 and kind[0] in _WORDS:
            found = kind  # the name may be one that is computed in play
        if len(found) != 1 or len(kind) > 1:
            raise self.entry.wrong(*self._trouble(game, name, found), key=True)
        if found[0] in _STORED:
            return StoredValue(owner, _STORED[found[0]], name)
        return Location(owner, LocationKind(found[0]), name, index)

    def _owner(self, game: Game) -> OwnerId:
        program = game.program
        owners = {program.owner_name(OwnerId(n)): OwnerId(n) for n in range(program.table + 1)}
        if self.owner not in owners:
            advice = f"there are {', '.join(owners)}"
            raise self.entry.above().wrong(f"{self.owner!r} owns nothing here", advice, key=True)
        return owners[self.owner]

    def _trouble(self, game: Game, name: str, found: list[str]) -> tuple[str, str]:
        """Return why a name does not say what is meant, and what to do."""
        if len(found) > 1:
            ways = " or ".join(f'"{word} {name}"' for word in found)
            return f"{name} is the name of more than one thing", f"write {ways}"
        known = sorted({known for _, known in named(game)})
        same = [word for word, one in named(game) if one == name]
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
            found = read(subject.owner, subject.name)
            return None if found == value else (str(value) or '""', str(found) or '""')
        held = from_top(state, subject)
        if isinstance(value, int):
            return None if len(held) == value else (f"{value} cards", f"{len(held)} cards")
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


def facts_of(entry: TomlEntry, owner: str) -> Iterator[Fact]:
    """Yield the facts about one owner in a table of the file."""
    for name, one in entry.fields().items():
        yield Fact(one, owner, name)


def named(game: Game) -> list[tuple[str, str]]:
    """Return the kind and name of everything that the rules name literally."""
    found: dict[tuple[str, str], None] = {}
    for node in game.program.nodes():
        match node:
            case n.Place(name=n.Text(value=name), place=kind):
                found[str(kind), name] = None
            case n.Storage(name=n.Text(value=name), storage=stored) if stored.value in _STORED:
                found[stored.value, name] = None
    return list(found)


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
