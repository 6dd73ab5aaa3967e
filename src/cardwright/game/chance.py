"""Chance: a random draw that is due, in a game whose chance is taken by hand."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.interpreter.chance import Draw
    from cardwright.program.cards import Card


class Chance:
    """A random draw that is due: its outcomes are numbered from 0.

    `weights` are whole numbers in the ratio of the probabilities.
    """

    def __init__(self, game: Game, draw: Draw) -> None:
        self.weights = draw.weights
        self._game = game
        self._draw = draw

    @cached_property
    def probabilities(self) -> tuple[float, ...]:
        """The probability of each outcome."""
        total = sum(self.weights)
        return tuple(weight / total for weight in self.weights)

    @cached_property
    def items(self) -> tuple[Card | int, ...]:
        """What each outcome is: a card, or a number."""
        if not self._draw.cards:
            return self._draw.items
        return tuple(self._game.cards[card] for card in self._draw.items)

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """What each outcome means, in words: `the top card of STOCK is Q of SPADES`.

        Cards that have the same name are numbered, from 1.
        """
        question, name = self.question, self._game.namer.card
        names = [str(item) if isinstance(item, int) else name(item) for item in self.items]
        many, met = Counter(names), Counter[str]()
        found = []
        for one in names:
            met[one] += 1
            number = f" ({met[one]})" if many[one] > 1 else ""
            found.append(f"{question} is {one}{number}")
        return tuple(found)

    @cached_property
    def question(self) -> str:
        """What is drawn, in words: `the top card of STOCK`, `the random number`."""
        draw = self._draw
        if not draw.cards:
            return "the random number"
        if not draw.size:
            return "the best card"
        below = draw.size - 1 - draw.at
        which = "the top card" if not below else f"the card {below} below the top"
        place = "the shuffled cards" if draw.place is None else self._game.namer.place(draw.place)
        return f"{which} of {place}"

    def __len__(self) -> int:
        """Return how many outcomes there are."""
        return len(self.weights)

    def _repr_html_(self) -> str:
        from cardwright.game.displays import chance_html

        return chance_html(self)

    def __repr__(self) -> str:
        return f"<Chance: {self.question}, {len(self)} outcomes>"
