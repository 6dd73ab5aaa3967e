"""Tables made by hand, for tests of those who sit at them."""

from __future__ import annotations

from functools import cache
from typing import Any

from cardwright import Game
from cardwright.hearts.cards import parse_card, parse_hand
from cardwright.hearts.family import HeartsFamily, family_of
from cardwright.hearts.table import DecisionKind, HeartsView


@cache
def _game(**declared: Any) -> Game:
    return Game.load("hearts", **declared)


def family(**declared: Any) -> HeartsFamily:
    """Return what is known of Hearts with some constants."""
    return family_of(_game(**declared))


def table(hand: str, trick: str = "", **facts: Any) -> HeartsView:
    """Return a table of Hearts, with cards as text; the seat asked is the first.

    What may be played follows from the hand and the trick, as far as suits go. `taken` has the
    cards won by each seat; `declared` the constants of the game.
    """
    about = family(**facts.pop("declared", {}))
    held, before = parse_hand(hand), parse_hand(trick)
    following = tuple(card for card in held if before and card >> 4 == before[0] >> 4)
    taken = tuple(map(parse_hand, facts.pop("taken", ())))
    seats = about.players
    given: dict[str, Any] = {
        "kind": DecisionKind.PLAY,
        "legal": following or held,
        "leader": -len(before) % seats,
        "fees": (0,) * seats,
    }
    return HeartsView(
        family=about,
        seat=0,
        hand=held,
        trick=before,
        taken=taken + ((),) * (seats - len(taken)),
        **(given | facts),
    )


def passing(hand: str, count: int = 3, **facts: Any) -> HeartsView:
    """Return a table at which so many cards are to be passed together."""
    return table(hand, kind=DecisionKind.PASS, count=count, to_go=count, **facts)


def card(text: str) -> int:
    """Return a card by its text."""
    return parse_card(text)
