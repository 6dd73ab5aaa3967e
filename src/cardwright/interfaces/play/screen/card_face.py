"""Faces: how cards, and text about them, look on a screen, with or without colours and symbols."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.option import Back
from cardwright.game.wording.naming import PeopleNamer
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.text_box import text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.text import Text

    from cardwright.game.game import Game
    from cardwright.program.cards import Card
    from cardwright.table.scene import CardFace

_SYMBOLS = {"CLUBS": "♣", "DIAMONDS": "♦", "SPADES": "♠", "HEARTS": "♥"}
_TWO = {"DIAMONDS": "red", "HEARTS": "red"}
_FOUR = {"CLUBS": "green", "DIAMONDS": "bright_blue", "HEARTS": "red"}
_COLOURS = {
    "RED": "red",
    "GREEN": "green",
    "BLUE": "bright_blue",
    "YELLOW": "yellow",
    "PURPLE": "magenta",
    "CUPS": "red",
    "COINS": "yellow",
    "SWORDS": "bright_blue",
}
"""Colours of cards other than French ones, by any of their values."""
_NAMED = re.compile(r"\b(?:the )?(\w+) of (clubs|diamonds|spades|hearts)\b")
_SHORT = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}


@dataclass(frozen=True)
class Ink:
    """What the terminal can show: colours, symbols (or letters), and the number of suit colours."""

    colour: bool = True
    symbols: bool = True
    four: bool = False

    def style(self, colour: str) -> str:
        """Return a style's colour, or nothing without colours."""
        return colour if self.colour else ""

    @property
    def back(self) -> str:
        """The sign for a hidden card."""
        return "░" if self.symbols else "#"

    @property
    def due(self) -> str:
        """The sign for the seat that has to decide."""
        return "▶" if self.symbols else ">"

    @property
    def rule(self) -> str:
        """The sign for drawing lines."""
        return "─" if self.symbols else "-"

    @property
    def more(self) -> str:
        """The sign for what was cut off."""
        return "…" if self.symbols else "~"

    def coloured(self, words: str, style: str = "") -> Text:
        """Return text in which cards with symbols have the colours of their suits."""
        line = text(words, style)
        colours = _FOUR if self.four else _TWO
        for suit, colour in colours.items():
            if self.colour:
                line.highlight_regex(rf"\w+{_SYMBOLS[suit]}", colour)
        return line


@dataclass(frozen=True)
class Face:
    """A card as it is drawn: its text, its colour, and the letters to type for it."""

    text: str
    colour: str
    typed: str

    @property
    def line(self) -> Text:
        """The card as it appears in a line of text."""
        return text(self.text, self.colour)

    @property
    def bold(self) -> str:
        """The style of its name when it is drawn as a card."""
        return f"{self.colour} bold".strip()


class Faces:
    """Makes the faces of a game's cards: `Q♠` for French cards, their names for all others."""

    def __init__(self, game: Game, ink: Ink) -> None:
        self.ink = ink
        self._cards = game.program.cards
        self._namer = PeopleNamer(game.program, game.words)
        self._french = {card.attributes.get("SUIT", "") for card in game.cards} <= {*_SYMBOLS, ""}

    def of(self, card: Card) -> Face:
        """Return the face of a visible card."""
        name = printable(self._namer.card(card))
        found = _NAMED.fullmatch(name) if self._french else None
        if found:
            rank, suit = _SHORT.get(found[1], found[1]), found[2].upper()
            sign = _SYMBOLS[suit] if self.ink.symbols else suit[0]
            colours = _FOUR if self.ink.four else _TWO
            return Face(rank + sign, self.ink.style(colours.get(suit, "")), rank + suit[0])
        colour = next((_COLOURS[v] for v in card.attributes.values() if v in _COLOURS), "")
        short = name.replace(" of ", " ")
        return Face(short, self.ink.style(colour), short.upper())

    def face(self, seen: CardFace) -> Face:
        """Return the face of a card of a scene."""
        return self.of(self._cards[seen.id])

    def seen(self, cards: Iterable[Card | Back]) -> tuple[Face, ...]:
        """Return the faces of the visible cards."""
        return tuple(self.of(card) for card in cards if not isinstance(card, Back))

    def words(self, sentence: str) -> str:
        """Return a text with short names of cards: `plays 5♣` for `plays the 5 of clubs`."""

        def short(found: re.Match[str]) -> str:
            rank, suit = _SHORT.get(found[1], found[1]), found[2].upper()
            return rank + (_SYMBOLS[suit] if self.ink.symbols else suit[0])

        return _NAMED.sub(short, printable(sentence)) if self._french else printable(sentence)
