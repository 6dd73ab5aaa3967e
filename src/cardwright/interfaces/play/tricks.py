"""Tricks of a game of the Hearts family, as they are played and gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.interfaces.play.score_sheet import Trick
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from cardwright.interpreter.effects import Moved
    from cardwright.program.cards import Card
    from cardwright.program.program import Program


class TrickWatcher:
    """The cards of the current trick by seat, in the order of play, and the previous trick."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.cards: list[tuple[int, Card]] = []
        self.last: Trick | None = None

    def moved(self, move: Moved) -> None:
        """Note that a card was played to the trick, or that the trick was gathered."""
        source, target = move.source, move.target
        if target.name == "TRICK" and target.kind is LocationKind.VISIBLE:
            self.cards.append((int(target.owner), self._program.cards[move.card]))
        elif source.name == "TRICK" and self.cards:
            won = target.name == "TRICKSWON" and target.owner < self._program.players
            winner = int(target.owner) if won else None
            self.last = Trick(self.cards[0][0], tuple(self.cards), winner)
            self.cards = []
