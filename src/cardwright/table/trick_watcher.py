"""The trick watcher: it follows the cards of tricks, in games that have them."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from cardwright.program.cards import LocationKind
from cardwright.table.score_sheet import Trick

if TYPE_CHECKING:
    from cardwright.interpreter.effects import Moved
    from cardwright.program.cards import Card
    from cardwright.program.program import Program

TRICK = "TRICK"
"""The name in the library's games of the location for a seat's card in a trick."""
_WON = "TRICKSWON"


class TrickWatcher:
    """The cards of the current trick by seat, in the order of play, and the previous trick."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.cards: list[tuple[int, Card]] = []
        self.last: Trick | None = None

    def copy(self) -> TrickWatcher:
        """Return an independent watcher of the same tricks."""
        other = copy(self)
        other.cards = self.cards.copy()
        return other

    def moved(self, move: Moved) -> None:
        """Note that a card was played to the trick, or that the trick was gathered."""
        source, target = move.source, move.target
        if target.name == TRICK and target.kind is LocationKind.VISIBLE:
            self.cards.append((int(target.owner), self._program.cards[move.card]))
        elif source.name == TRICK and self.cards:
            won = target.name == _WON and target.owner < self._program.players
            winner = int(target.owner) if won else None
            self.last = Trick(self.cards[0][0], tuple(self.cards), winner)
            self.cards = []
