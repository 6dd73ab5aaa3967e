"""Simple Hearts players, as baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.hearts.table import DecisionKind, HeartsView, table_of

if TYPE_CHECKING:
    from cardwright.hearts.cards import Cards
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision


class FirstPlayer:
    """Takes the first option, in any game: in Hearts, the first legal card of the hand."""

    def choose(self, decision: Decision) -> int:
        """Return 0."""
        return 0


class LowestPlayer:
    """Chooses the lowest cards by rank; of equal ones, the first in the order of the options."""

    def choose(self, decision: Decision) -> int:
        """Return the index of the option; the first where the options name no cards.

        Raises NotHeartsError in a game that is not of the Hearts family.
        """
        table = table_of(decision)
        if table.kind is DecisionKind.CALL:
            return 0
        return table.option(sorted(table.legal, key=lambda card: card & 15)[: table.count])


class CorinPlayer:
    """Draws a suit first and then a card of it, as the program danielcorin/Hearts does.

    It draws again for a suit that it does not hold or a card that may not be played. So cards of
    short suits are played more often than by a uniformly random player.
    """

    def choose(self, decision: Decision) -> int:
        """Return the index of the option; a random one where the options name no cards.

        Raises NotHeartsError in a game that is not of the Hearts family.
        """
        table = table_of(decision)
        if table.kind is DecisionKind.CALL:
            return decision.stream.below(decision.option_count)
        return table.option(_draw(table, decision.stream))


def _draw(table: HeartsView, stream: Stream) -> Cards:
    suits = [[card for card in table.hand if card >> 4 == suit] for suit in range(4)]
    drawn: list[int] = []
    while len(drawn) < table.count:
        suit = suits[stream.below(4)]
        if suit:
            card = suit[stream.below(len(suit))]
            if card in table.legal:
                suit.remove(card)
                drawn.append(card)
    return tuple(drawn)
