"""The table: what a Hearts player sees when it has to decide.

All of it is read by a fast view of the player's own seat, so it holds nothing that the player may
not know. Cards are numbers (see `cards`), seats are counted from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any

from cardwright.hearts.cards import SUIT_NAMES, Cards, mask_of, suit_mask
from cardwright.hearts.family import HeartsFamily, family_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.players.player import Decision


class DecisionKind(Enum):
    """The kind of a decision: cards to play, pass or lay aside for a widow, or a call."""

    PLAY = "play"
    PASS = "pass"
    LAY = "lay"
    CALL = "call"


@dataclass(frozen=True)
class HeartsView:
    """What a seat sees: its hand, the legal cards, the trick, and everything face up.

    `legal` has the selectable cards, in the order of the options; `count` of them are chosen at
    once, and `to_go` are still to be chosen, including those. `trick` has the cards played so far,
    the first by the `leader`, this seat itself if it leads. `taken` has the cards that each seat
    has won in this deal and `fees` its additional penalties. `held` are cards of tricks that nobody
    could win yet, `removed` those face up out of play. `direction` is where cards are passed to, as
    the game calls it. `broken` says that hearts may be led.
    """

    family: HeartsFamily
    seat: int
    kind: DecisionKind
    hand: Cards
    legal: Cards
    trick: Cards
    leader: int
    taken: tuple[Cards, ...]
    fees: tuple[int, ...]
    held: Cards = ()
    removed: Cards = ()
    aside: Cards = ()
    direction: str = ""
    count: int = 1
    to_go: int = 1
    broken: bool = True
    trump: int | None = None

    def option(self, cards: Iterable[int]) -> int:
        """Return the index of the option that chooses these cards, exactly `count` of them.

        Options that are sets of cards are in RECYCLE's order: ab, ac, bc, ad, ... for cards a, b,
        c, d. Raises ValueError for cards that may not be chosen.
        """
        left: list[int | None] = list(self.legal)
        places = []
        for card in cards:
            places.append(left.index(card))
            left[places[-1]] = None
        if len(places) != self.count:
            raise ValueError(f"{self.count} cards must be chosen, not {len(places)}")
        return sum(comb(place, n) for n, place in enumerate(sorted(places), 1))

    # The trick -----------------------------------------------------------------------------

    @property
    def led(self) -> int | None:
        """The suit led; None if this seat leads."""
        return self.trick[0] >> 4 if self.trick else None

    @property
    def position(self) -> int:
        """The number of cards played to the trick before: 0 for its leader."""
        return len(self.trick)

    @property
    def last(self) -> bool:
        """Whether this seat is the last to play to the trick."""
        return len(self.trick) == self.family.players - 1

    @cached_property
    def winning(self) -> int | None:
        """The card winning the trick so far; None if all of two packs cancel each other."""
        if not self.trick:
            return None
        cards = self.trick
        if self.family.packs > 1:
            cards = tuple(card for card in cards if cards.count(card) == 1)
        ruling = self.trump if any(card >> 4 == self.trump for card in cards) else self.led
        return max((card for card in cards if card >> 4 == ruling), default=None)

    @cached_property
    def winner(self) -> int | None:
        """The seat winning the trick so far; None if there is none."""
        if self.winning is None:
            return None
        return (self.leader + self.trick.index(self.winning)) % self.family.players

    @cached_property
    def beating(self) -> int:
        """The set of cards, held or not, that would beat the card winning the trick."""
        if self.led is None:
            return 0
        trumps = 0 if self.trump is None else suit_mask(self.trump)
        if self.winning is None:
            return suit_mask(self.led) | trumps
        higher = suit_mask(self.winning >> 4) & -(2 << self.winning)
        return higher if self.winning >> 4 == self.trump else higher | trumps

    @cached_property
    def stake(self) -> int:
        """The penalty of the trick so far, with the other cards that its winner gets."""
        return sum(self.family.costs[card] for card in (*self.trick, *self.held))

    # Knowledge about the cards ------------------------------------------------------------

    @cached_property
    def unseen(self) -> int:
        """The set of the cards held by others or by nobody; one of two equal cards suffices."""
        seen = [*self.hand, *self.aside, *self.trick, *self.held, *self.removed]
        for cards in self.taken:
            seen += cards
        if self.family.packs == 1:
            return self.family.pack & ~mask_of(seen)
        left = list(self.family.numbers)
        for card in seen:
            left.remove(card)
        return mask_of(left)

    @property
    def queen_out(self) -> bool:
        """Whether the queen may be in another hand, for all this seat knows."""
        return bool(self.unseen & self.family.queen_mask)

    @property
    def spades(self) -> int:
        """The number of cards in hand of the queen's suit."""
        queen = self.family.queen
        return 0 if queen is None else sum(card >> 4 == queen >> 4 for card in self.hand)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """What each seat has taken so far in this deal, ignoring the moon."""
        costs = self.family.costs
        return tuple(
            fee + sum(map(costs.__getitem__, cards))
            for fee, cards in zip(self.fees, self.taken, strict=True)
        )

    @cached_property
    def voids(self) -> tuple[frozenset[int], ...]:
        """For each seat, the suit that it has not followed in this trick, if any."""
        players, suits = self.family.players, [card >> 4 for card in self.trick]
        seats = [(self.leader + at) % players for at, suit in enumerate(suits) if suit != self.led]
        return tuple(frozenset(suits[:1] if seat in seats else ()) for seat in range(players))


def table_of(decision: Decision) -> HeartsView:
    """Return what the deciding seat sees; raises NotHeartsError in other games."""
    family = family_of(decision.game)
    fast_view = decision.fast_view(family.looks[decision.seat])
    players, numbers, seat = family.players, family.numbers, decision.seat
    piles = [tuple([numbers[card] for card in pile]) for pile in fast_view.cards]
    trick: Cards = ()
    while len(trick) < players - 1 and (card := piles[(seat - 1 - len(trick)) % players]):
        trick = card + trick
    hand, aside, held, removed, turned = piles[2 * players :]
    broken, passed, exchanging = fast_view.integers[players:]
    direction, trump = fast_view.strings
    if exchanging:
        kind, count, to_go = DecisionKind.LAY, family.lays, family.lays
    elif to_go := _to_pass(family, direction, passed):
        kind, count = DecisionKind.PASS, to_go if family.passing == "TOGETHER" else 1
    else:
        kind, count, to_go = DecisionKind.PLAY, 1, 1
    legal = hand if count > 1 else _offered(decision, numbers)
    return HeartsView(
        family=family,
        seat=seat,
        kind=kind if legal else DecisionKind.CALL,
        hand=hand,
        legal=legal,
        trick=trick,
        leader=(seat - len(trick)) % players,
        taken=tuple(piles[players : 2 * players]),
        fees=fast_view.integers[:players],
        held=held,
        removed=removed + turned,
        aside=aside,
        direction=direction,
        count=count,
        to_go=to_go,
        broken=family.free or broken == 1,
        trump=None if trump in {"", "NONE"} else SUIT_NAMES.index(trump.lower()),
    )


def _to_pass(family: HeartsFamily, direction: str, passed: int) -> int:
    """Return how many cards a seat still has to pass after `passed` passes by all seats."""
    if not family.passes or direction == "HOLD":
        return 0
    if family.passing == "TOGETHER":
        return family.passes if passed < family.players else 0
    if passed >= family.players * family.passes:
        return 0
    done = passed % family.passes if family.passing == "SINGLY" else passed // family.players
    return family.passes - done


def _offered(decision: Decision, numbers: Cards) -> Cards:
    """Return the card of each option; empty where options have none."""
    if not all(content.picks for content in decision.contents):
        return ()
    picked: list[Any] = [content.picks[-1][1] for content in decision.contents]
    return tuple(numbers[one[0] if isinstance(one, tuple) else one] for one in picked)
