"""Families: the games of the library sorted by what one does in them, for people who choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.library.catalogue import CatalogueEntry


@dataclass(frozen=True)
class GameFamily:
    """A heading of the home page: its games have one of these mechanics, and no earlier family."""

    name: str
    about: str
    mechanics: frozenset[str]


SUGGESTED = ("hearts", "crazyeights", "ginrummy", "whist")
"""Games to begin with: known to many, soon learned, and of several families."""

_ORDER = (
    GameFamily(
        "Avoiding tricks",
        "Follow suit, and take as little as you can: what you win counts against you.",
        frozenset({"trick-avoidance"}),
    ),
    GameFamily(
        "Bluffing and betting",
        "What you say about your cards need not be true.",
        frozenset({"bluffing", "betting"}),
    ),
    GameFamily(
        "Getting rid of cards",
        "Whoever has no cards left first is in front.",
        frozenset({"shedding"}),
    ),
    GameFamily(
        "Taking tricks",
        "The highest card or a trump takes the trick; what you win counts for you.",
        frozenset({"trick-taking"}),
    ),
    GameFamily(
        "Fishing",
        "Capture cards from the table with cards of your hand.",
        frozenset({"capturing"}),
    ),
    GameFamily(
        "Collecting and melding",
        "Sets and sequences count: draw, exchange and discard until yours are best.",
        frozenset({"set-collection", "melding"}),
    ),
    GameFamily(
        "Pushing your luck",
        "One card more may win it all, or lose it.",
        frozenset({"push your luck"}),
    ),
    GameFamily(
        "Numbers and auctions",
        "Add up, outbid, and keep your best cards for the right moment.",
        frozenset({"adding", "auction", "bidding"}),
    ),
)
"""In the order in which a game is tried: one that sheds cards in tricks is found under shedding."""

OTHERS = GameFamily("Other games", "Games of no common family.", frozenset())


def family_of(entry: CatalogueEntry) -> GameFamily:
    """Return the family of a game."""
    return next((one for one in _ORDER if one.mechanics & {*entry.mechanics}), OTHERS)


def by_family(entries: Iterable[CatalogueEntry]) -> list[tuple[GameFamily, list[CatalogueEntry]]]:
    """Return the families that have games, the largest first, each with its games by title."""
    found: dict[GameFamily, list[CatalogueEntry]] = {}
    for entry in sorted(entries, key=lambda one: one.title):
        found.setdefault(family_of(entry), []).append(entry)
    return sorted(found.items(), key=lambda pair: (pair[0] is OTHERS, -len(pair[1])))
