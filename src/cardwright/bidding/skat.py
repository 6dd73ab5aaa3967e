"""Bidding in Skat: what a hand is worth as each game, what to lay away, and how far to bid.

Hands are counted as in the rules of thumb of most introductions, in tricks: trumps and aces of the
other suits count, and tens that an ace or another card covers. A suit game is bid with five trumps
or more that come to enough; grand with jacks and aces enough to keep the lead; null with low cards
only. A game is bid up to its value with the matadors of the hand, as if the skat brought nothing.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

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
_ACE, _TEN, _JACK = (1 << _LOW.index(rank) for rank in ("A", "TEN", "J"))
_SUIT_BITS = len(_LOW)
_SUIT = (1 << _SUIT_BITS) - 1
_BITS = {
    (suit, rank): 1 << (_SUIT_BITS * at + place)
    for at, suit in enumerate(SUITS)
    for place, rank in enumerate(_LOW)
}
"""Cards as bits: a hand is their sum, eight bits a suit, as it is looked at thousands of times."""

_JACKS = tuple(_BITS[suit, "J"] for suit in reversed(SUITS))
"""The jacks, the highest first."""

_ALL_JACKS = sum(_JACKS)

_TRUMPS = {suit: (*_JACKS, *(_BITS[suit, rank] for rank in _ORDER)) for suit in SUITS} | {
    GRAND: _JACKS
}
"""The trumps of a game, the highest first."""

ENOUGH = 4.0
"""What a game has to come to before the skat is taken, with the two cards that it will bring."""


class SkatGame(NamedTuple):
    """A game that a hand can play: its name, what it comes to, and what it is worth."""

    name: str
    strength: float
    value: int


def games(hand: Iterable[Card], away: Iterable[Card] = ()) -> list[SkatGame]:
    """Return every game by a hand of ten, with the two cards laid away for the matadors."""
    held = _bits(hand)
    return _games(held, _values(held | _bits(away)))


def matadors(cards: Iterable[Card], game: str) -> int:
    """Return how many of the highest trumps without a gap these cards have, or lack."""
    return _matadors(_bits(cards), game)


def limit(hand: Iterable[Card]) -> int:
    """Return the highest value that a hand bids; 0 for a pass."""
    return max((game.value for game in games(hand) if game.strength >= ENOUGH), default=0)


def best_game(hand: Iterable[Card], away: Iterable[Card], bid: int) -> SkatGame:
    """Return the game to name: of those that reach the bid the strongest for its value."""
    return _best(games(hand, away), bid)


def cards_away(cards: Iterable[Card], bid: int) -> tuple[Card, Card]:
    """Return the two of twelve cards to lay away."""
    held = list(cards)
    both = _bits(held)
    values = _values(both)
    best: tuple[float, tuple[Card, Card]] | None = None
    for away in combinations(held, 2):
        game = _best(_games(both & ~_bits(away), values), bid)
        points = 0
        if game.name != NULL:
            if any(rank == "J" for _, rank in away):
                continue
            points = sum(_WORTH.get(rank, 0) for _, rank in away)
        found = _merit(game) + points / 40
        if best is None or found > best[0]:
            best = found, away
    assert best is not None
    return best[1]


def _bits(cards: Iterable[Card]) -> int:
    return sum(_BITS[card] for card in cards)


def _games(hand: int, values: tuple[int, ...]) -> list[SkatGame]:
    suits = [hand >> at & _SUIT for at in range(0, 4 * _SUIT_BITS, _SUIT_BITS)]
    jacks = hand & _ALL_JACKS
    sides = [*map(_side, suits)]
    every = sum(sides)
    strengths = [
        _suit_strength(jacks, suit & ~_JACK, every - side)
        for suit, side in zip(suits, sides, strict=True)
    ]
    strengths += [_grand_strength(jacks, suits, every), _null_strength(suits)]
    return [*map(SkatGame, (*SUITS, GRAND, NULL), strengths, values)]


@lru_cache(maxsize=4096)
def _values(cards: int) -> tuple[int, ...]:
    """Return what each game is worth, in the order of `games`, with these matadors."""
    return (*(base * (1 + _matadors(cards, game)) for game, base in BASES.items()), NULL_VALUE)


def _matadors(cards: int, game: str) -> int:
    trumps = _TRUMPS[game]
    first = bool(cards & trumps[0])
    ends = (at for at, card in enumerate(trumps) if bool(cards & card) is not first)
    return next(ends, len(trumps))


def _best(found: list[SkatGame], bid: int) -> SkatGame:
    reaching = [one for one in found if one.value >= bid]
    return max(reaching or found[:-1], key=_merit)


def _merit(game: SkatGame) -> float:
    """Return how good it is to play a game: its strength counts first, its value a little."""
    return min(game.strength, 10.0) + game.value / 60


def _suit_strength(jacks: int, suit: int, sides: float) -> float:
    """Return what a game with trumps of a suit comes to, with what the other suits come to."""
    trumps = jacks.bit_count() + suit.bit_count()
    if trumps < 5:
        return 0.0
    return trumps + 0.5 * bool(jacks & _JACKS[0]) + 0.25 * bool(jacks & _JACKS[1]) + sides


def _grand_strength(jacks: int, suits: list[int], sides: float) -> float:
    count = jacks.bit_count()
    if count < 2 or (count == 2 and not jacks & _JACKS[0]):
        return 0.0
    if sum(bool(suit & _ACE) for suit in suits) < 2:
        return 0.0
    top = 0.5 * (bool(jacks & _JACKS[0]) + bool(jacks & _JACKS[1]))
    long = sum(max(0, (suit & ~_JACK).bit_count() - 2) for suit in suits if suit & _ACE)
    return 1.25 * count + top + sides + long / 2


@cache
def _side(ranks: int) -> float:
    """Return what the cards of a suit that is not trumps come to."""
    own = ranks & ~_JACK
    if not own:
        return 0.5
    total = 0.0
    if own & _ACE:
        total += 1.0 + (0.75 if own & _TEN else 0.0)
    elif own & _TEN:
        total += 0.25 if own.bit_count() >= 2 else 0.0
    losers = (own & ~_ACE & ~_TEN).bit_count()
    return total - 0.35 * max(0, losers - bool(own & _ACE))


def _null_strength(suits: list[int]) -> float:
    """Return whether each suit can be ducked: its lowest cards have no gap to play into."""
    return max(0.0, 10.0 - 2.0 * sum(map(_gaps, suits)))


@cache
def _gaps(ranks: int) -> float:
    """Return how far the three lowest cards of a suit are from the lowest there are."""
    own = [place for place in range(_SUIT_BITS) if ranks >> place & 1]
    return sum(
        max(0, place - 2 * at - (1 if at else 0)) * (1.0 if at == 0 else 0.5)
        for at, place in enumerate(own[:3])
    )
