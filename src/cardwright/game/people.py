"""Names for people: of cards, places, players and values, as they are said at the table."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.card_words import CardWords, plain_word
from cardwright.game.game_words import GameWords, place_keys, value_keys
from cardwright.game.heard_labels import HeardLabels
from cardwright.game.naming import Namer
from cardwright.game.phrase import PLAYER, WHOSE, counted
from cardwright.game.verbs import listed
from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from cardwright.game.phrase import Blank
    from cardwright.interpreter.world import Cell, World
    from cardwright.program.cards import Card, Location
    from cardwright.program.program import Program

    StoredValues: TypeAlias = Mapping[Cell, int | str]
    """Stored numbers and strings, which are all public, by their owners and names."""

USUAL_PLACES = {
    "DISCARD": "discard pile",
    "TRICKSWON": "tricks",
    "TURNUP": "turned-up card",
}
"""The usual names of locations whose words in small letters would not do."""


class PeopleNamer(Namer):
    """Names what a program is about to people, with the words that the game's author gave.

    `names` are those of the players by seat. Where a method takes a seat, it is that of the reader,
    who is called `you`.
    """

    def __init__(
        self, program: Program, words: GameWords | None = None, names: Sequence[str] = ()
    ) -> None:
        super().__init__(program)
        self.program = program
        self.words = words or GameWords()
        self.names = tuple(names) or tuple(f"player {n + 1}" for n in range(program.players))
        self.cards = CardWords(program, self.words, Namer(program))
        self._texts = dict(self.words.texts)

    def named(self, names: Sequence[str]) -> PeopleNamer:
        """Return the same words with other names of players."""
        other = copy(self)
        other.names = tuple(names)
        return other

    @cached_property
    def heard(self) -> HeardLabels:
        """The values in labels of which everybody may hear."""
        return HeardLabels(self.program)

    # Cards and places ---------------------------------------------------------------------

    def card(self, card: Card) -> str:
        """Return a card's name, such as `queen of spades`."""
        return self.cards.name(card)

    def card_names(self, card: Card) -> tuple[str, ...]:
        """Return all whole names of a card that are understood: also that of the rules."""
        return self.card(card), super().card(card)

    def place(self, location: Location, seat: int | None = None) -> str:
        """Return a place's name, as `your hand`, `Ann's hand` or `discard pile`.

        A place that is never told has the empty name.
        """
        noun = self.noun(location)
        if location.owner == self.program.table or not noun:
            return noun
        return f"{self.whose(location.owner, seat)} {noun}"

    def the_place(self, location: Location, seat: int | None = None) -> str:
        """Return a place as it is said in a sentence, as `the discard pile`."""
        place = self.place(location, seat)
        numbered = place and place[-1].isdecimal()
        return f"the {place}" if location.owner == self.program.table and not numbered else place

    def noun(self, location: Location) -> str:
        """Return a place's name without its owner."""
        found = self.words.find("places", self.place_keys(location))
        at = str(location.at) if location.at else ""
        if found is not None:
            text = found.fill(lambda _: at) or ""
            return text if found.blanks or not location.at or not text else f"{text} {at}"
        noun = USUAL_PLACES.get(location.name) or plain_word(location.name)
        return f"{noun} {at}" if location.at else noun

    def place_keys(self, location: Location) -> tuple[str, ...]:
        """Return the keys of a place in tables of words."""
        return place_keys(self.sort(location.owner), location.name)

    # Owners -------------------------------------------------------------------------------

    def sort(self, owner: int) -> str:
        """Return the sort of an owner, as rules write it."""
        if owner < self.program.players:
            return "player"
        return "team" if owner < self.program.table else "game"

    def who(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name: `you`, `Ann`, or `Ann and Cora`; nothing for the table."""
        return listed([self._player(one, seat) for one in self._members(owner)])

    def whose(self, owner: int, seat: int | None = None) -> str:
        """Return an owner's name as of what it has: `your`, or `Ann's`; nothing for the table."""
        if owner == seat or self._members(owner) == (seat,):
            return "your"
        if seat in self._members(owner):
            return "your side's"
        who = self.who(owner, seat)
        return f"{who}'s" if who else ""

    def owner(self, owner: int, how: str, seat: int | None) -> str:
        """Return an owner's name as a phrase has it: `{to}` or `{to:whose}`."""
        return self.whose(owner, seat) if how == WHOSE else self.who(owner, seat)

    def _members(self, owner: int) -> tuple[int, ...]:
        return self.program.members(owner)  # type: ignore[arg-type] # seats are owners

    def _player(self, player: int, seat: int | None) -> str:
        return "you" if player == seat else self.names[player]

    # Values -------------------------------------------------------------------------------

    def text(self, value: str) -> str:
        """Return the words for a string of the rules."""
        if value in self._texts:
            return self._texts[value]
        return self.cards.value(value) if self.cards.knows(value) else plain_word(value)

    def value(self, value: int | str, how: str = "", seat: int | None = None) -> str | None:
        """Return a stored value in words: a text, a number with its noun, or a player's name.

        A number that is no player's has no name: it is None.
        """
        if isinstance(value, str):
            return self.text(value)
        if how in {PLAYER, WHOSE}:
            player = value - self.program.base
            return self.owner(player, how, seat) if 0 <= player < self.program.players else None
        return counted(value, how) if how else str(value)

    def blank(self, blank: Blank, owner: int, stored: StoredValues, seat: int | None) -> str | None:
        """Return a stored value for a place in a phrase: of an owner, or else of the table."""
        for whose in (OwnerId(owner), self.program.table):
            value = stored.get((whose, blank.name))
            if value is not None:
                return self.value(value, blank.how, seat)
        return None

    def value_keys(self, owner: int, name: str, value: object) -> tuple[str, ...]:
        """Return the keys of a stored value in tables of words."""
        return value_keys(self.sort(owner), name, value)


def stored_values(world: World) -> StoredValues:
    """Return all numbers and strings that are stored in a world."""
    return {**world.integers, **world.strings}
