"""Hands: the cards that only their player sees, sorted as people hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.cards import LocationKind, OwnerId

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.game import Game
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card, Seat

_HAND = "HAND"
_SUITS = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")


def sorted_hand(game: Game, world: World, seat: Seat) -> tuple[Card, ...]:
    """Return the cards of a seat's HAND; in a game without one, of all that only the seat sees."""
    piles = [
        pile
        for pile in world.touched()
        if pile.location.owner == OwnerId(seat) and pile.location.kind is LocationKind.INVISIBLE
    ]
    named = [pile for pile in piles if pile.location.name == _HAND]
    cards = [game.cards[card] for pile in named or piles for card in pile.cards]
    return sort_cards(game, cards)


def sort_cards(game: Game, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards by suit (clubs, diamonds, spades, hearts) and rank, as the game creates them.

    Cards without a suit are sorted by their attributes, with values in the order in which the
    game's cards first have them.
    """
    order: dict[str, dict[str, int]] = {}
    for card in game.cards:
        for key, value in card.attributes.items():
            values = order.setdefault(key, {})
            values.setdefault(value, len(values))
    if set(order.get("SUIT", ())) <= set(_SUITS):
        order["SUIT"] = {suit: at for at, suit in enumerate(_SUITS)}
    keys = sorted(order, key=lambda key: (key != "SUIT", key != "RANK"))

    def place(card: Card) -> tuple[int, ...]:
        attributes = card.attributes
        found = (order[key][attributes[key]] if key in attributes else -1 for key in keys)
        return *found, card.id

    return tuple(sorted(cards, key=place))
