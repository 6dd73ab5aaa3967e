"""Ink: how cards, and text about them, look on a screen, with or without colours and symbols."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.text_box import text

if TYPE_CHECKING:
    from rich.text import Text

    from cardwright.game.game import Game
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


def is_french(game: Game) -> bool:
    """Return whether cards of a game have no suits but the French ones."""
    return {card.attributes.get("SUIT", "") for card in game.cards} <= {*_SYMBOLS, ""}


@dataclass(frozen=True)
class Ink:
    """What the terminal can show: colours, symbols (or letters), and the number of suit colours.

    `french` cards have short names, as in `Q♠`, and all others their whole ones.
    """

    colour: bool = True
    symbols: bool = True
    four: bool = False
    french: bool = True

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

    def face(self, card: CardFace) -> Face:
        """Return the face of a card."""
        name = printable(card.name)
        found = _NAMED.fullmatch(name) if self.french else None
        if found:
            short, suit = self._short(found), found[2].upper()
            colours = _FOUR if self.four else _TWO
            return Face(short, self.style(colours.get(suit, "")), short[:-1] + suit[0])
        colour = next((_COLOURS[v] for v in card.attributes.values() if v in _COLOURS), "")
        short = name.replace(" of ", " ")
        return Face(short, self.style(colour), short.upper())

    def words(self, sentence: str) -> str:
        """Return a text with short names of cards: `plays 5♣` for `plays the 5 of clubs`."""
        words = printable(sentence)
        return _NAMED.sub(self._short, words) if self.french else words

    def _short(self, named: re.Match[str]) -> str:
        rank, suit = _SHORT.get(named[1], named[1]), named[2].upper()
        return rank + (_SYMBOLS[suit] if self.symbols else suit[0])
