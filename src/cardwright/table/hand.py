"""Hands: the places whose cards only their player sees, and cards as people sort them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.game import Game
    from cardwright.interpreter.machine import Rules
    from cardwright.program.cards import Card, Location

_HAND = "HAND"
_SUITS = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")


class HandPlaces:
    """Which places are the players' hands: those named HAND that only their player sees.

    In a game without such places, all that only their player sees are.
    """

    def __init__(self, rules: Rules) -> None:
        players = rules.program.players
        self._named = any(
            place.name == _HAND and place.kind is LocationKind.INVISIBLE and place.owner < players
            for place in rules.places.in_text
        )

    def holds(self, location: Location, seat: int) -> bool:
        """Return whether a location is a hand of a seat."""
        return (
            location.owner == seat
            and location.kind is LocationKind.INVISIBLE
            and (not self._named or location.name == _HAND)
        )


class CardOrder:
    """The order of a game's cards in a hand: by suit (clubs, diamonds, spades, hearts) and rank.

    Cards without a suit are sorted by their attributes, with values in the order in which the
    game's cards first have them.
    """

    def __init__(self, game: Game) -> None:
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

        self._places = {card.id: at for at, card in enumerate(sorted(game.cards, key=place))}

    def sorted(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return cards in this order."""
        return tuple(sorted(cards, key=lambda card: self._places[card.id]))
