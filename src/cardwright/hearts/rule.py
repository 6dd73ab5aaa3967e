"""The plain rules: some twenty lines of common sense, without any search.

They are what is published as the rule player, and stay so; the player `rule` puts more before them
(`hierarchies/rule.toml`). They are a common baseline for Hearts programs; the "Breaking Hearts"
project of Carleton College (2025) found that playing the highest card below the current winner is
strong by itself. In full:

- Leading: the lowest card; for equal ranks, the first suit of clubs, diamonds, spades, hearts.
- Following: the highest card that loses to the one winning the trick. If all would win: the last to
  play wins with its highest card, others play their lowest, as someone may still play higher; the
  queen of spades only if there is no other card.
- Discarding: the queen of spades; then ace or king of spades, while another has the queen; then the
  most expensive penalty card, the highest of equal ones; then the highest card.
- Passing: ace, king and queen of spades, if fewer than four spades are held; then the highest
  cards, hearts first. Cards laid aside for a widow count as taken, so there it chooses the highest
  without a penalty.

In games with other penalties the most expensive card that is not a heart takes the place of the
queen, and the higher cards of its suit those of ace and king (see `HeartsFamily`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.hearts.cards import Cards, cards_of, mask_of, suit_mask
from cardwright.hearts.kernels import SPADES_ENOUGH
from cardwright.hearts.table import DecisionKind, HeartsView, table_of

if TYPE_CHECKING:
    from cardwright.hearts.family import HeartsFamily
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision


def _by_rank(card: int) -> tuple[int, int]:
    return card & 15, card


def lowest(cards: int) -> int:
    """Return the lowest card of a set by rank; for equal ranks, that of the first suit."""
    return min(cards_of(cards), key=_by_rank)


def highest(cards: int) -> int:
    """Return the highest card of a set by rank; for equal ranks, that of the last suit."""
    return max(cards_of(cards), key=_by_rank)


def rule_card(
    legal: int, led: int | None, beating: int, family: HeartsFamily, *, last: bool, queen_out: bool
) -> int:
    """Return the card that the rule player plays, of the set of `legal` ones.

    `led` is the suit led, if any, and `beating` the set of cards that would win the trick; `last`
    says that it is the last to play to it, and `queen_out` that another may hold the queen.
    """
    if led is None:
        return lowest(legal)
    losing = legal & ~beating
    if legal & suit_mask(led):
        if losing:
            return losing.bit_length() - 1
        taking = legal & ~family.queen_mask or legal
        return taking.bit_length() - 1 if last else (taking & -taking).bit_length() - 1
    thrown = losing or legal
    above = family.above_queen if queen_out else 0
    wanted = (family.queen_mask, above, *family.dear, thrown)
    return highest(next(cards & thrown for cards in wanted if cards & thrown))


def rule_pass(hand: Cards, count: int, family: HeartsFamily, spades: int) -> Cards:
    """Return the `count` cards of a hand that the rule player passes with so many spades."""
    risky = family.queen_mask | family.above_queen if spades < SPADES_ENOUGH else 0
    return tuple(
        sorted(hand, key=lambda card: (risky >> card & 1, card & 15, card), reverse=True)[:count]
    )


def rule_lay(hand: Cards, count: int, costs: Cards) -> Cards:
    """Return the `count` cards of a hand that the rule player lays aside for a widow."""
    return tuple(sorted(hand, key=lambda card: (costs[card], -(card & 15), card))[:count])


class CardPlayer:
    """Chooses cards at a table, or the first option where none are named; raises NotHeartsError."""

    def choose(self, decision: Decision) -> int:
        """Return the index of the option."""
        table = table_of(decision)
        if table.kind is DecisionKind.CALL:
            return 0
        return table.option(self.cards(table, decision.stream))

    def cards(self, table: HeartsView, stream: Stream) -> Cards:
        """Return the cards chosen."""
        raise NotImplementedError


class RulePlayer(CardPlayer):
    """Plays by the rules above, as `hierarchy:plain` does; it is deterministic and stateless."""

    def cards(self, table: HeartsView, stream: Stream | None = None) -> Cards:
        """Return the cards chosen."""
        match table.kind:
            case DecisionKind.PASS:
                return rule_pass(table.hand, table.count, table.family, table.spades)
            case DecisionKind.LAY:
                return rule_lay(table.hand, table.count, table.family.costs)
        return (rule_card_at(table, table.legal),)


def rule_card_at(table: HeartsView, cards: Cards) -> int:
    """Return which of some cards the rule player plays at a table."""
    last, out = table.last, table.queen_out
    legal, family = mask_of(cards), table.family
    return rule_card(legal, table.led, table.beating, family, last=last, queen_out=out)


class FirstPlayer:
    """Takes the first option, in any game: in Hearts, the first legal card of the hand."""

    def choose(self, decision: Decision) -> int:
        """Return 0."""
        return 0


class LowestPlayer(CardPlayer):
    """Chooses the lowest cards by rank; of equal ones, the first in the order of the options."""

    def cards(self, table: HeartsView, stream: Stream) -> Cards:
        """Return the cards chosen."""
        return tuple(sorted(table.legal, key=lambda card: card & 15)[: table.count])


class CorinPlayer:
    """Draws a suit first and then a card of it, as the program danielcorin/Hearts does.

    It draws again for a suit that it does not hold or a card that may not be played. So cards of
    short suits are played more often than by a uniformly random player. Raises NotHeartsError in a
    game that is not of the Hearts family.
    """

    def choose(self, decision: Decision) -> int:
        """Return the index of the option; a random one where the options name no cards."""
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
