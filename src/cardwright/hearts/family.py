"""The Hearts family: what a game's constants say about its cards.

The games are those of the library in which penalty cards are avoided: Hearts with all its presets,
Polignac and Slobberhannes, and Knaves, where tricks score for a player and jacks against. A copy of
such a file is recognised by its constants.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from cardwright.game.errors import CardwrightError
from cardwright.hearts.cards import (
    HEARTS,
    SPADES,
    Cards,
    cards_of,
    mask_of,
    parse_card,
    parse_hand,
    suit_mask,
)
from cardwright.program.cards import Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.actions.fast_view import FastViewSpec
    from cardwright.game.game import Game
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

_SUITS = {"CLUBS": "C", "DIAMONDS": "D", "SPADES": "S", "HEARTS": "H"}
_RANKS = {
    **dict(zip(("ZERO", "TWO", "THREE", "FOUR", "FIVE", "SIX"), "023456", strict=True)),
    **dict(zip(("SEVEN", "EIGHT", "NINE", "TEN"), "789T", strict=True)),
    **{name: name for name in "JQKA"},
}
_LOW_ACES = {"SEVEN": 6, "EIGHT": 7, "NINE": 8, "TEN": 9, "A": 10, "J": 11, "Q": 12, "K": 13}
"""Ranks where aces are between tens and jacks: in that order, with the court cards unchanged."""

_PRICES = {
    "hearts": {
        "QUEEN": "QS",
        "ACESPADES": "AS",
        "KINGSPADES": "KS",
        "JACKSPADES": "JS",
        "JACKDIAMONDS": "JD",
        "TENDIAMONDS": "TD",
        "SEVENCLUBS": "7C",
    },
    "polignac": {"JACK": "JC JD JH", "POLIGNAC": "JS"},
    "slobberhannes": {"QUEEN": "QC"},
    "knaves": {"JACKCLUBS": "JC", "JACKDIAMONDS": "JD", "JACKSPADES": "JS", "JACKHEARTS": "JH"},
}
"""The constants that price cards in each game of the family, and the cards; hearts come apart."""

_SIGNS = {
    "hearts": {"HEART", "PIPS", "MOON"},
    "polignac": {"ACEHIGH"},
    "slobberhannes": {"FIRSTTAKEN", "LASTTAKEN", "EXTRA"},
    "knaves": {"TRUMPS"},
}
"""The other constants by which each game of the family is recognised."""


class NotHeartsError(CardwrightError):
    """A Hearts player was asked to play another game."""

    wrong_call = True


@dataclass(frozen=True, eq=False)
class HeartsFamily:
    """A game of the family: its cards by number, and the penalty of each.

    `numbers` has the number of each card of the program (see `cards`), by its id; `costs` has the
    penalty of each number from 0 to 63, negative for cards that are good to have. `passes` cards
    are passed in a deal, in the way given by `passing`, a value of the game's constant; `lays`
    cards are laid aside for a widow. `free` means that hearts can always be led. `moon` has what
    each number counts towards shooting the moon: 0 for cards that it does not need, and for all
    where there is no moon.
    """

    program: Program = field(repr=False)
    name: str
    numbers: Cards
    costs: Cards
    packs: int = 1
    passes: int = 0
    passing: str = "TOGETHER"
    lays: int = 0
    free: bool = True
    moon: Cards = (0,) * 64

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.program.players

    @cached_property
    def pack(self) -> int:
        """The set of all cards of the game."""
        return mask_of(self.numbers)

    @cached_property
    def penalties(self) -> int:
        """The set of the penalty cards."""
        return mask_of(card for card in self.numbers if self.costs[card] > 0)

    @cached_property
    def bonuses(self) -> int:
        """The set of the cards that are good to have: those with a negative penalty."""
        return mask_of(card for card in self.numbers if self.costs[card] < 0)

    @cached_property
    def moon_total(self) -> int:
        """What all cards together count towards shooting the moon; 0 where there is no moon."""
        return sum(self.moon[card] for card in self.numbers)

    @cached_property
    def queen(self) -> int | None:
        """The card with the highest penalty that is not a heart, preferably a spade.

        That is the queen of spades unless the game's constants say otherwise; None if no such card
        has a penalty.
        """
        return max(
            cards_of(self.penalties & ~suit_mask(HEARTS)),
            key=lambda card: (self.costs[card], card >> 4 == SPADES, card),
            default=None,
        )

    @cached_property
    def queen_mask(self) -> int:
        """The set of the queen alone; empty if there is none."""
        return 0 if self.queen is None else 1 << self.queen

    @cached_property
    def above_queen(self) -> int:
        """The set of the cards that the queen loses to: ace and king of spades."""
        if self.queen is None:
            return 0
        return self.pack & suit_mask(self.queen >> 4) & -(2 << self.queen)

    @cached_property
    def dear(self) -> Cards:
        """The sets of penalty cards of equal cost, without the queen, the highest cost first."""
        cards = cards_of(self.penalties & ~self.queen_mask)
        prices = sorted({self.costs[card] for card in cards}, reverse=True)
        return tuple(
            mask_of(card for card in cards if self.costs[card] == price) for price in prices
        )

    @cached_property
    def looks(self) -> tuple[FastViewSpec, ...]:
        """The fast view of each seat, as `table` reads it."""
        from cardwright.game.actions.fast_view import FastViewSpec

        seats = [OwnerId(owner) for owner in range(self.players)]
        table, visible, hidden = self.program.table, LocationKind.VISIBLE, LocationKind.INVISIBLE
        won = [Location(owner, visible, name) for name in ("TRICK", "TRICKSWON") for owner in seats]
        others = [Location(table, visible, name) for name in ("HELD", "REMOVED", "TURNUP")]
        integers = [(owner, "FEES") for owner in seats]
        integers += [(table, name) for name in ("BROKEN", "PASSES", "EXCHANGING")]
        strings = [(table, "DIRECTION"), (table, "TRUMP")]
        return tuple(
            FastViewSpec(
                self.program,
                Seat(own),
                [*won, Location(own, hidden, "HAND"), Location(own, hidden, "ASIDE"), *others],
                integers,
                strings,
            )
            for own in seats
        )


_FOUND: WeakKeyDictionary[Game, HeartsFamily] = WeakKeyDictionary()


def family_of(game: Game) -> HeartsFamily:
    """Return the family data of a game; raises NotHeartsError if it is not of the family."""
    if game not in _FOUND:
        _FOUND[game] = _family(game)
    return _FOUND[game]


def _family(game: Game) -> HeartsFamily:
    declared = game.declared
    signs = ((name, _SIGNS[name] | prices.keys()) for name, prices in _PRICES.items())
    name = next((name for name, constants in signs if constants <= declared.keys()), None)
    cards = [card.attributes for card in game.cards]
    attributes = [(card.get("SUIT", ""), card.get("RANK", "")) for card in cards]
    if name is None or not all(suit in _SUITS and rank in _RANKS for suit, rank in attributes):
        raise NotHeartsError(
            f"{game.name} is not a game of the Hearts family, which this player needs; those are "
            "hearts with its presets, polignac, slobberhannes and knaves, and copies of them"
        )
    low_aces = name == "polignac" and not declared["ACEHIGH"]
    numbers = tuple(_number(*pair, low_aces=low_aces) for pair in attributes)
    costs = [0] * 64
    for constant, priced in _PRICES[name].items():
        for card in parse_hand(priced):
            costs[card] = _integer(declared, constant)
    extras: dict[str, Any] = {}
    if name == "hearts":
        heart, pips = _integer(declared, "HEART"), _integer(declared, "PIPS")
        costs[16 * HEARTS + 2 : 16 * HEARTS + 15] = [heart + pips * rank for rank in range(2, 15)]
        extras = {
            "packs": declared["PACKS"],
            "passes": declared["PASS"],
            "passing": declared["PASSING"],
            "lays": declared["WIDOW"] if declared["WIDOWTO"] == "EXCHANGE" else 0,
            "free": declared["HEARTLEAD"] == "FREE",
            "moon": _moon(declared, costs),
        }
    return HeartsFamily(game.program, name, numbers, tuple(costs), **extras)


def _number(suit: str, rank: str, *, low_aces: bool) -> int:
    card = parse_card(_RANKS[rank] + _SUITS[suit])
    return (card & ~15) + _LOW_ACES[rank] if low_aces else card


def _integer(declared: Mapping[str, Constant], name: str) -> int:
    value = declared[name]
    assert isinstance(value, int)
    return value


def _moon(declared: Mapping[str, Constant], costs: list[int]) -> Cards:
    """Return what each card counts towards the moon: its penalty, or 1 if it takes all tricks."""
    if declared["MOON"] == "OFF":
        return (0,) * 64
    if declared["MOONNEEDS"] == "TRICKS":
        return (1,) * 64
    extras = {parse_card(card) for card in _PRICES["hearts"].values() if card != "QS"}
    counted = declared["MOONNEEDS"] == "EXTRAS"
    return tuple(
        abs(cost) if counted or number not in extras else 0 for number, cost in enumerate(costs)
    )
