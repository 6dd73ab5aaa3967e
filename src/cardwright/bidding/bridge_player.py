"""The Bridge player: it bids by `cardwright.bidding.bridge`, and plays cards by tree search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.bidding.auctions import check_bridge, own_cards, searched
from cardwright.bidding.bridge import DOUBLE, PASS, REDOUBLE, Auction, BridgeHand, call
from cardwright.players.choice_models import RuleModel
from cardwright.players.monte_carlo import Ismcts

if TYPE_CHECKING:
    from cardwright.bidding.bridge import Call
    from cardwright.game.game import State
    from cardwright.game.option import Content
    from cardwright.players.player import Decision

_STRAINS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES", "NOTRUMP")
_RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", *"JQKA")
_OTHERS = {0: PASS, 2: DOUBLE, 3: REDOUBLE}
"""The calls that name nothing, by their branch of the choice."""


@dataclass(frozen=True)
class BridgePlayer:
    """Bids by points and lengths of suits; `cards` plays the cards."""

    cards: Ismcts = field(default_factory=Ismcts)

    def choose(self, decision: Decision) -> int:
        """Return the index of the call, or of the card.

        Raises UnknownAuctionError in another game than Bridge.
        """
        check_bridge(decision.game)
        if PASS not in map(_call_of, decision.contents):
            return searched(decision, self.cards)
        return _called(decision, calls_seen(decision))


@dataclass(frozen=True)
class CallModel:
    """A model of the calls in an auction, all of which are known; of cards played it knows none."""

    made: tuple[tuple[int, Call], ...]

    def probabilities(self, past: State) -> list[float] | None:
        """Return how likely each call is; None for a card."""
        before = len(past.choices)
        if before >= len(self.made):
            return None
        return RuleModel(lambda one: _called(one, self.made[:before])).probabilities(past)


def calls_seen(decision: Decision) -> tuple[tuple[int, Call], ...]:
    """Return the calls so far, each with its seat."""
    return tuple(
        (seen.seat, found)
        for seen in decision.record
        if (found := _call_of(seen.content)) is not None
    )


def _called(decision: Decision, made: tuple[tuple[int, Call], ...]) -> int:
    """Return the index of the call after those that were made."""
    calls = [_call_of(content) for content in decision.contents]
    return calls.index(call(_hand(decision), Auction(made, decision.seat)))


def _call_of(content: Content) -> Call | None:
    """Return what a choice calls; None for a card."""
    picks = dict(content.picks)
    if not picks:
        return _OTHERS.get(content.branch)
    number, named = picks.get("'N"), picks.get("'NAMED")
    if isinstance(number, int) and named in _STRAINS:
        return number, _STRAINS.index(str(named))
    return None


def _hand(decision: Decision) -> BridgeHand:
    held = [(card["SUIT"], _RANKS.index(card["RANK"]) + 2) for card in own_cards(decision).hand]
    return BridgeHand(
        tuple(tuple(rank for suit, rank in held if suit == name) for name in _STRAINS[:4])
    )
