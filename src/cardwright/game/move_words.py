"""Cards that go somewhere, in words: what a player does with them, and where they go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.card_words import counted_cards
from cardwright.game.game_words import move_keys
from cardwright.game.phrase import Blank, counted
from cardwright.game.verbs import Clause, many
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.people import PeopleNamer
    from cardwright.game.phrase import Phrase
    from cardwright.program.cards import Location

_DISCARD, _STOCK = "DISCARD", "STOCK"


class Carried(NamedTuple):
    """Cards that go from one place to another: as a text, and how many there are."""

    source: Location
    target: Location
    cards: str
    number: int


class MoveWords:
    """Says to a reader where cards go; `you` is the reader's seat, if it has one."""

    def __init__(self, namer: PeopleNamer, you: int | None) -> None:
        self._namer = namer
        self._you = you
        self._program = namer.program

    def phrase(self, source: Location, target: Location) -> Phrase | None:
        """Return the author's phrase for a way of cards, if there is one."""
        namer = self._namer
        keys = move_keys(namer.place_keys(source), namer.place_keys(target))
        return namer.words.find("moves", keys)

    def untold(self, source: Location, target: Location) -> bool:
        """Return whether the author wants a way of cards not to be told."""
        found = self.phrase(source, target)
        if found is not None:
            return not found.parts
        return not (self._namer.noun(source) and self._namer.noun(target))

    def filled(
        self, phrase: Phrase, carried: Carried, stored: Callable[[Blank], str | None]
    ) -> str | None:
        """Return a phrase with the cards, their number and the owners of both places."""
        source, target, cards, number = carried

        def value(blank: Blank) -> str | None:
            match blank:
                case Blank("", ""):
                    return cards
                case Blank("", "card"):
                    return counted_cards(number)
                case Blank("", noun):
                    return counted(number, noun)
                case Blank("at"):
                    return str(target.at)
                case Blank("to", how):
                    return self._namer.owner(target.owner, how, self._you)
                case Blank("from", how):
                    return self._namer.owner(source.owner, how, self._you)
            return stored(blank)

        return phrase.fill(value)

    def deed(
        self,
        actor: int,
        carried: Carried,
        stored: Callable[[Blank], str | None],
        *,
        one_pile: bool,
    ) -> Clause | None:
        """Return what a player does with cards; None if it is not to be told.

        `one_pile` says that all cards that a player lays open go to one place.
        """
        source, target = carried.source, carried.target
        if self.untold(source, target):
            return None
        found = self.phrase(source, target)
        if found is not None and not about_cards(found):
            text = self.filled(found, carried, stored)
            if text:
                return Clause(text)
        return self._usual(actor, carried, one_pile=one_pile)

    def _usual(self, actor: int, carried: Carried, *, one_pile: bool) -> Clause:
        """Return what a player does with cards where the author has no words for it."""
        source, target, cards, _ = carried
        program, table = self._program, self._program.table
        own = {actor, *(n + program.players for n, t in enumerate(program.teams) if actor in t)}
        if source.owner in own and target.owner not in {*own, table}:
            return Clause(f"give {cards} to {self._namer.who(target.owner, self._you)}")
        if target.owner in own and source.owner not in own:
            if source.owner != table or source.kind is LocationKind.VISIBLE:
                return Clause(f"take {cards} from {self.the(source, actor)}")
            origin = "" if source.name == _STOCK else f" from {self.the(source, actor)}"
            return Clause(f"draw {cards}{origin}")
        if source.owner in own and source.kind is LocationKind.INVISIBLE:
            if target.owner == table and target.name == _DISCARD:
                return Clause(f"discard {cards}")
            if target.kind is not LocationKind.VISIBLE:
                return Clause(f"put {cards} in {self.the(target, actor)}")
            plain = one_pile and not target.at
            return Clause(f"play {cards}" if plain else f"put {cards} on {self.the(target, actor)}")
        return Clause(f"move {cards} from {self.the(source, actor)} to {self.the(target, actor)}")

    def exchange(self, actor: int, left: Location, right: Location) -> Clause | None:
        """Return that a player exchanges all cards of two places; None if that is not told."""
        if self.untold(left, right):
            return None
        found = self.phrase(left, right)
        carried = Carried(left, right, self.the(left, actor), 0)
        text = None if found is None else self.filled(found, carried, lambda _: None)
        if text:
            return Clause(text)
        return Clause(f"exchange {self.the(left, actor)} for {self.the(right, actor)}")

    def the(self, location: Location, actor: int | None = None) -> str:
        """Return a place as it is said in a sentence; one of the `actor` is `their` own."""
        if location.owner == actor != self._you:
            return f"their {self._namer.noun(location)}"
        return self._namer.the_place(location, self._you)


def about_cards(phrase: Phrase) -> bool:
    """Return whether a phrase is a sentence about the cards, as in `{} is turned up`."""
    return bool(phrase.parts) and isinstance(phrase.parts[0], Blank) and not phrase.parts[0].name


def agreed(sentence: str, cards: str, count: int) -> str:
    """Return a sentence about cards with its verb as it is with so many of them."""
    verb, _, end = sentence.removeprefix(cards).strip().partition(" ")
    return f"{cards} {verb if count == 1 else many(verb)} {end}".strip()
