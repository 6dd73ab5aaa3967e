"""Bidding in Skat: what a hand is worth as each game, what to lay away, and how far to bid.

Hands are counted as in the rules of thumb of most introductions, in tricks: trumps and aces of the
other suits count, and tens that an ace or another card covers. A suit game is bid with five trumps
or more that come to enough; grand with jacks and aces enough to keep the lead; null with low cards
only. A game is bid up to its value with the matadors of the hand, as if the skat brought nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

SUITS = ("DIAMONDS", "HEARTS", "SPADES", "CLUBS")
GRAND, NULL = "GRAND", "NULL"
BASES = {"DIAMONDS": 9, "HEARTS": 10, "SPADES": 11, "CLUBS": 12, GRAND: 24}
NULL_VALUE = 23

Card: TypeAlias = "tuple[str, str]"
"""A suit and a rank, as the game names them."""

_ORDER = ("A", "TEN", "K", "Q", "NINE", "EIGHT", "SEVEN")
_LOW = ("SEVEN", "EIGHT", "NINE", "TEN", "J", "Q", "K", "A")
"""Ranks in null, from the lowest."""

_WORTH = {"A": 11, "TEN": 10, "K": 4, "Q": 3, "J": 2}
_JACKS = tuple((suit, "J") for suit in reversed(SUITS))
"""The jacks, the highest first."""

ENOUGH = 4.0
"""What a game has to come to before the skat is taken, with the two cards that it will bring."""


@dataclass(frozen=True)
class SkatGame:
    """A game that a hand can play: its name, what it comes to, and what it is worth."""

    name: str
    strength: float
    value: int


def games(hand: Iterable[Card], away: Iterable[Card] = ()) -> list[SkatGame]:
    """Return every game by a hand of ten, with the two cards laid away for the matadors."""
    held, laid = set(hand), set(away)
    found = [
        SkatGame(suit, _suit_strength(held, suit), BASES[suit] * (1 + matadors(held | laid, suit)))
        for suit in SUITS
    ]
    both = held | laid
    grand = SkatGame(GRAND, _grand_strength(held), BASES[GRAND] * (1 + matadors(both, GRAND)))
    return [*found, grand, SkatGame(NULL, _null_strength(held), NULL_VALUE)]


def matadors(cards: set[Card], game: str) -> int:
    """Return how many of the highest trumps without a gap these cards have, or lack."""
    trumps = _JACKS if game == GRAND else (*_JACKS, *((game, rank) for rank in _ORDER))
    first = trumps[0] in cards
    count = 0
    for card in trumps:
        if (card in cards) is not first:
            break
        count += 1
    return count


def limit(hand: Iterable[Card]) -> int:
    """Return the highest value that a hand bids; 0 for a pass."""
    return max((game.value for game in games(hand) if game.strength >= ENOUGH), default=0)


def best_game(hand: Iterable[Card], away: Iterable[Card], bid: int) -> SkatGame:
    """Return the game to name: of those that reach the bid the strongest for its value."""
    found = games(hand, away)
    reaching = [one for one in found if one.value >= bid]
    return max(reaching or found[:-1], key=_merit)


def cards_away(cards: Iterable[Card], bid: int) -> tuple[Card, Card]:
    """Return the two of twelve cards to lay away."""
    held = list(cards)
    best: tuple[float, int, tuple[Card, Card]] | None = None
    for away in combinations(held, 2):
        hand = [card for card in held if card not in away]
        game = best_game(hand, away, bid)
        points = sum(_WORTH.get(rank, 0) for _, rank in away) if game.name != NULL else 0
        if any(rank == "J" for _, rank in away) and game.name != NULL:
            continue
        found = (_merit(game) + points / 40, -len(held), away)
        if best is None or found[:2] > best[:2]:
            best = found
    assert best is not None
    return best[2]


def _merit(game: SkatGame) -> float:
    """Return how good it is to play a game: its strength counts first, its value a little."""
    return min(game.strength, 10.0) + game.value / 60


def _suit_strength(hand: set[Card], trump: str) -> float:
    jacks = [card for card in _JACKS if card in hand]
    suited = [rank for rank in _ORDER if (trump, rank) in hand]
    trumps = len(jacks) + len(suited)
    if trumps < 5:
        return 0.0
    top = sum({"CLUBS": 0.5, "SPADES": 0.25}.get(suit, 0.0) for suit, _ in jacks)
    return trumps + top + _sides(hand, [suit for suit in SUITS if suit != trump])


def _grand_strength(hand: set[Card]) -> float:
    jacks = [card for card in _JACKS if card in hand]
    if len(jacks) < 2 or (len(jacks) == 2 and _JACKS[0] not in hand):
        return 0.0
    aces = sum((suit, "A") in hand for suit in SUITS)
    if aces < 2:
        return 0.0
    top = 0.5 * ((_JACKS[0] in hand) + (_JACKS[1] in hand))
    long = sum(
        max(0, len(own) - 2)
        for suit in SUITS
        if "A" in (own := [rank for rank in _ORDER if (suit, rank) in hand])
    )
    return 1.25 * len(jacks) + top + _sides(hand, SUITS) + long / 2


def _sides(hand: set[Card], suits: Iterable[str]) -> float:
    """Return what the cards of suits that are not trumps come to."""
    total = 0.0
    for suit in suits:
        own = [rank for rank in _ORDER if (suit, rank) in hand]
        if not own:
            total += 0.5
            continue
        if "A" in own:
            total += 1.0 + (0.75 if "TEN" in own else 0.0)
        elif "TEN" in own:
            total += 0.25 if len(own) >= 2 else 0.0
        losers = [rank for rank in own if rank not in {"A", "TEN"}]
        total -= 0.35 * max(0, len(losers) - ("A" in own))
    return total


def _null_strength(hand: set[Card]) -> float:
    """Return whether each suit can be ducked: its lowest cards have no gap to play into."""
    risk = 0.0
    for suit in SUITS:
        own = sorted(_LOW.index(rank) for card_suit, rank in hand if card_suit == suit)
        for at, place in enumerate(own[:3]):
            risk += max(0, place - 2 * at - (1 if at else 0)) * (1.0 if at == 0 else 0.5)
    return max(0.0, 10.0 - 2.0 * risk)
