"""What a seat knows at a decision, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.option import Unseen
from cardwright.program.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.option import SeenDecision, View
    from cardwright.game.wording.naming import Namer


def sight(view: View, namer: Namer) -> str:
    """Return in words which cards a seat sees, place by place: `your HAND: K; BOARD: J`."""
    places = []
    for place, cards in view.locations.items():
        seen = [namer.card(card) for card in cards if isinstance(card, Card)]
        if seen:
            places.append(f"{namer.place(place, view.seat)}: {', '.join(seen)}")
    return "; ".join(places)


def story(record: Iterable[SeenDecision], words: Iterable[str]) -> str:
    """Return in words what was chosen so far, as a seat saw it: `p1 CHECK, p2 BET`.

    `words` are the descriptions of the options; those with cards that the seat has not seen are
    left out.
    """
    told = []
    for decision, text in zip(record, words, strict=True):
        hidden = any(isinstance(picked, Unseen) for _, picked in decision.content.picks)
        told.append(f"p{decision.seat + 1} {'something hidden' if hidden else text}")
    return ", ".join(told)
