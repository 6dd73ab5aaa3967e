"""Where cards went: what is told as one way, and what must not be."""

from __future__ import annotations

from cardwright.interpreter.effects import Moved, Shuffled
from cardwright.program.cards import CardId, Location, LocationKind, OwnerId
from cardwright.table.narrator import Journey, journeys

HAND, OTHER = (Location(OwnerId(seat), LocationKind.INVISIBLE, "HAND") for seat in (0, 1))
SHOWN = Location(OwnerId(2), LocationKind.VISIBLE, "SHOWN")
STOCK = Location(OwnerId(2), LocationKind.INVISIBLE, "STOCK")


def sees(place: Location) -> bool:
    """Return whether the first seat sees a place."""
    return place in {HAND, SHOWN}


def moved(source: Location, target: Location, card: int = 7) -> Moved:
    return Moved(CardId(card), source, 0, target, 0)


def told(*effects: Moved | Shuffled, worded: bool = False) -> list[tuple[Location, Location]]:
    """Return the ways that are told."""
    found = journeys(effects, sees, lambda _source, _target: worded)
    return [(one.source, one.target) for one in found if isinstance(one, Journey)]


def test_a_card_that_is_seen_all_the_way_is_told_once() -> None:
    assert told(moved(OTHER, SHOWN), moved(SHOWN, HAND)) == [(OTHER, HAND)]


def test_a_card_that_comes_back_was_shown() -> None:
    assert told(moved(OTHER, SHOWN), moved(SHOWN, OTHER)) == [(OTHER, SHOWN)]


def test_words_for_a_part_of_the_way_are_used() -> None:
    parts = [(OTHER, SHOWN), (SHOWN, HAND)]
    assert told(moved(OTHER, SHOWN), moved(SHOWN, HAND), worded=True) == parts


def test_an_unseen_card_is_not_followed() -> None:
    """Which of the cards in a pile goes on is not known, even if it was seen going in."""
    parts = [(SHOWN, STOCK), (STOCK, OTHER)]
    assert told(moved(SHOWN, STOCK), moved(STOCK, OTHER)) == parts
    parts = [(OTHER, STOCK), (STOCK, HAND)]
    assert told(moved(OTHER, STOCK), moved(STOCK, HAND)) == parts


def test_a_shuffle_ends_a_way() -> None:
    shuffle = Shuffled(STOCK, (), ())
    parts = [(SHOWN, STOCK), (STOCK, HAND)]
    assert told(moved(SHOWN, STOCK), shuffle, moved(STOCK, HAND)) == parts
