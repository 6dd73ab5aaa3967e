"""The Skat player: it bids, lays away and names its game by `cardwright.bidding.skat`.

Cards are played by tree search, and whatever the rules of thumb say nothing about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.bidding.auctions import check_skat, own_cards, searched
from cardwright.bidding.skat import NULL, SUITS, best_game, cards_away, limit
from cardwright.game.search import SearchReward
from cardwright.players.choice_models import RuleModel
from cardwright.players.monte_carlo import Ismcts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.bidding.skat import Card
    from cardwright.game.option import Content, Picked
    from cardwright.players.player import Decision

_BID, _HOLD, _PASS = range(3)
"""Branches of a choice in the auction."""

_FROM_HAND, _WITH_SKAT = range(2)
"""Branches of the choice between the hand and the skat."""


def model(decision: Decision) -> RuleModel:
    """Return a model of the bids, the games and the cards laid away; of cards played none.

    Raises UnknownAuctionError in another game than Skat.
    """
    check_skat(decision.game)
    return RuleModel(by_rule)


def card_search(iterations: int = 1_000, inference: str | None = None) -> Ismcts:
    """Return what plays the cards: for how far ahead of the others it comes out.

    By their scores alone defenders would not care, since these are always 0.
    """
    return Ismcts(iterations=iterations, reward=SearchReward.MARGIN, inference=inference)


@dataclass(frozen=True)
class SkatPlayer:
    """Bids by counting trumps, aces and tens; `cards` plays the cards."""

    cards: Ismcts = field(default_factory=card_search)

    def choose(self, decision: Decision) -> int:
        """Return the index of the bid, the game, the cards to lay away, or the card to play.

        Raises UnknownAuctionError in another game than Skat.
        """
        check_skat(decision.game)
        if decision.option_count == 1:
            return 0
        ruled = by_rule(decision)
        return searched(decision, self.cards) if ruled is None else ruled


def by_rule(decision: Decision) -> int | None:
    """Return the index of the bid, the game, or the cards to lay away; None for a card to play."""
    contents = decision.contents
    picks = [dict(content.picks) for content in contents]
    branches = [content.branch for content in contents]
    if any("'NAMED" in pick for pick in picks):
        return _named(decision, picks)
    if any("'CARDS" in pick for pick in picks):
        return _laid_away(decision, picks)
    if _is_auction(contents):
        return _bid(decision, picks, branches)
    if branches == [_FROM_HAND, _WITH_SKAT] and not any(picks):
        return _WITH_SKAT
    return None


def _bid(decision: Decision, picks: list[dict[str, Picked]], branches: list[int]) -> int:
    """Bid or hold as long as a game of the hand is worth as much."""
    own = own_cards(decision)
    most = limit(_cards(own.hand))
    if _HOLD in branches:
        return branches.index(_HOLD if own.bid <= most else _PASS)
    values = [value if isinstance(value := pick.get("'VALUE"), int) else 0 for pick in picks]
    least = min(value for value in values if value)
    return values.index(least) if least <= most else branches.index(_PASS)


def _laid_away(decision: Decision, picks: list[dict[str, Picked]]) -> int | None:
    own = own_cards(decision)
    wanted = set(cards_away(_cards(own.hand), own.bid))
    by_id = _by_id(decision)
    for index, pick in enumerate(picks):
        cards = pick["'CARDS"]
        if isinstance(cards, tuple) and {by_id.get(card) for card in cards} == wanted:
            return index
    return None


def _named(decision: Decision, picks: list[dict[str, Picked]]) -> int | None:
    """Name the game that suits the hand, without any announcement."""
    own = own_cards(decision)
    game = best_game(_cards(own.hand), _cards(own.away), own.bid)
    named = None if game.name == NULL else game.name
    for index, pick in enumerate(picks):
        if pick.get("'NAMED") == named and pick.get("'ANNOUNCED") == "PLAIN":
            return index
    return None


def _is_auction(contents: tuple[Content, ...]) -> bool:
    """Say whether a choice is one of the auction: to bid a value or to hold it, or to pass."""
    plain = [content.branch for content in contents if not content.picks]
    values = all(name == "'VALUE" for content in contents for name, _ in content.picks)
    return values and _PASS in plain


def _cards(cards: list[Mapping[str, str]]) -> list[Card]:
    return [(card["SUIT"], card["RANK"]) for card in cards]


def _by_id(decision: Decision) -> dict[object, Card]:
    return {
        card.id: (card.attributes["SUIT"], card.attributes["RANK"])
        for card in decision.game.cards
        if card.attributes["SUIT"] in SUITS
    }
