"""Natural bidding in Bridge: what calls show, and which call fits a hand.

High-card points are 4 for an ace, 3, 2 and 1 for king, queen and jack; each card above the fourth
of a suit adds a length point. Everything is natural, as most introductions to the game have it:

- Opening: 1NT with 15 to 17 and a balanced hand, 2NT with 20 to 21; two of a suit with 22 or more;
  one of the longest suit with 12 or more, majors from five cards; three of a suit with seven cards
  and 5 to 10.
- Overcalls: a suit of five cards with 9 to 16 at the one level, or with 12 to 17 and six cards or
  two of its honours at the two level; 1NT with 15 to 18, balanced, and the suit of the others held.
- Responses and rebids: a raise with a fit, a new suit, or no trump, by the points of both hands:
  25 are enough for game, 29 for game in a minor, 33 for a small slam, 37 for a grand slam.
- A double is for penalties: the others have bid to game, and the hand alone should beat it.

No call promises anything else, and no bid goes beyond what the points of both hands allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

CLUBS, DIAMONDS, HEARTS, SPADES, NOTRUMP = range(5)
MAJORS = (HEARTS, SPADES)

Bid: TypeAlias = "tuple[int, int]"
"""A level from 1 to 7, and a strain from clubs (0) to no trump (4); a higher bid compares so."""

Call: TypeAlias = "Bid | str"
"""A bid, or one of the three other calls."""

PASS, DOUBLE, REDOUBLE = "pass", "double", "redouble"

_GAME = {CLUBS: 5, DIAMONDS: 5, HEARTS: 4, SPADES: 4, NOTRUMP: 3}
_SMALL_SLAM, _GRAND_SLAM = 33, 37
_NEW_SUIT = {1: (4, 6), 2: (5, 10)}
"""The cards and points that a new suit takes, by its level, in answer to a partner."""


@dataclass(frozen=True)
class BridgeHand:
    """A hand as the ranks of each suit, 2 to 14, from clubs to spades."""

    suits: tuple[tuple[int, ...], ...]

    @cached_property
    def high(self) -> int:
        """The high-card points."""
        return sum(max(0, rank - 10) for ranks in self.suits for rank in ranks)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The number of cards of each suit."""
        return tuple(map(len, self.suits))

    @cached_property
    def points(self) -> int:
        """The high-card points, and one for each card above the fourth of a suit."""
        return self.high + sum(max(0, length - 4) for length in self.lengths)

    @property
    def balanced(self) -> bool:
        """Whether no suit is shorter than two cards, and at most one has two."""
        return min(self.lengths) >= 2 and self.lengths.count(2) <= 1

    @cached_property
    def longest(self) -> int:
        """The longest suit; of equal ones of five or more the highest, of shorter ones diamonds."""
        most = max(self.lengths)
        found = [suit for suit in range(4) if self.lengths[suit] == most]
        return found[-1]

    def support(self, suit: int) -> int:
        """Return the points in support of a suit: short suits count when trumps are held."""
        short = {0: 5, 1: 3, 2: 1} if self.lengths[suit] >= 4 else {0: 3, 1: 2, 2: 1}
        return self.high + sum(
            short.get(length, 0) for at, length in enumerate(self.lengths) if at != suit
        )

    def stopped(self, suit: int) -> bool:
        """Say whether a suit led by the others is likely to be won in time."""
        ranks = self.suits[suit]
        honours = {14: 1, 13: 2, 12: 3, 11: 4}
        return any(rank in ranks and len(ranks) >= least for rank, least in honours.items())


@dataclass(frozen=True)
class ShownHand:
    """What a player's calls have shown: points from `low` to `high`, and least lengths of suits."""

    low: int = 0
    high: int = 37
    lengths: tuple[int, ...] = (0, 0, 0, 0)
    suits: tuple[int, ...] = ()
    balanced: bool = False

    @property
    def likely(self) -> int:
        """The points to count on: little more than was promised."""
        return min(self.low + 1, self.high)


@dataclass(frozen=True)
class Auction:
    """The calls so far, each with its seat, and the seat whose turn it is."""

    calls: tuple[tuple[int, Call], ...]
    seat: int

    @property
    def partner(self) -> int:
        """The seat across."""
        return (self.seat + 2) % 4

    @cached_property
    def last(self) -> tuple[int, Bid] | None:
        """The last bid and its seat."""
        return next(((s, c) for s, c in reversed(self.calls) if isinstance(c, tuple)), None)

    def bids(self, seat: int) -> list[Bid]:
        """Return the bids of a seat in order."""
        return [call for who, call in self.calls if who == seat and isinstance(call, tuple)]

    def ours(self, seat: int) -> bool:
        """Say whether a seat is on the side of the one whose turn it is."""
        return (seat - self.seat) % 2 == 0

    @cached_property
    def theirs(self) -> tuple[int, ...]:
        """The strains that the other side has bid."""
        return tuple(
            call[1] for who, call in self.calls if not self.ours(who) and isinstance(call, tuple)
        )

    @property
    def doubled(self) -> bool:
        """Whether the last bid has been doubled."""
        calls = [call for _, call in self.calls if call != PASS]
        return bool(calls) and calls[-1] in {DOUBLE, REDOUBLE}

    def cheapest(self, strain: int) -> Bid:
        """Return the lowest bid in a strain that is higher than the last; its level may be 8."""
        if self.last is None:
            return 1, strain
        level, highest = self.last[1]
        return (level, strain) if strain > highest else (level + 1, strain)


def call(hand: BridgeHand, auction: Auction) -> Call:
    """Return the call that a hand makes; it is always one that the auction allows."""
    made, answered = auction.bids(auction.seat), auction.bids(auction.partner)
    if not made and not answered:
        chosen = _opening(hand) if auction.last is None else _overcall(hand, auction)
    elif answered:
        chosen = _answer(hand, auction, shown(auction, auction.partner), again=bool(made))
    else:
        chosen = PASS  # the partner has nothing to say: what there was to say is said
    if isinstance(chosen, tuple) and (
        chosen[0] > 7 or (auction.last is not None and chosen <= auction.last[1])
    ):
        chosen = PASS
    return _penalty(hand, auction) if chosen == PASS else chosen


# First bids ------------------------------------------------------------------------------------


def _opening(hand: BridgeHand) -> Call:
    if hand.balanced and 15 <= hand.high <= 17:
        return 1, NOTRUMP
    if hand.balanced and 20 <= hand.high <= 21:
        return 2, NOTRUMP
    suit = _to_open(hand)
    if hand.points >= 22 and hand.lengths[suit] >= 5:
        return 2, suit
    if hand.points >= 13 or hand.high >= 12:
        return 1, suit
    suit = hand.longest
    if hand.lengths[suit] >= 7 and 5 <= hand.high <= 10:
        return 3, suit
    return PASS


def _to_open(hand: BridgeHand) -> int:
    """Return the suit to open: the longer major from five cards on, or else the longer minor."""
    lengths = hand.lengths
    major = max(MAJORS, key=lambda suit: (lengths[suit], suit))
    minor = max(CLUBS, DIAMONDS, key=lambda suit: lengths[suit])
    if lengths[CLUBS] == lengths[DIAMONDS]:
        minor = DIAMONDS if lengths[CLUBS] >= 4 else CLUBS
    return major if lengths[major] >= 5 and lengths[major] >= lengths[minor] else minor


def _overcall(hand: BridgeHand, auction: Auction) -> Call:
    """Bid after the others have; only at the one and two level."""
    assert auction.last is not None
    strain = auction.last[1][1]
    level, _ = auction.cheapest(NOTRUMP)
    stopped = all(hand.stopped(suit) for suit in auction.theirs if suit != NOTRUMP)
    if level == 1 and hand.balanced and 15 <= hand.high <= 18 and stopped:
        return 1, NOTRUMP
    suit = hand.longest
    if suit in auction.theirs or hand.lengths[suit] < 5:
        return PASS
    level, _ = bid = auction.cheapest(suit)
    good = hand.lengths[suit] >= 6 or sum(rank >= 12 for rank in hand.suits[suit]) >= 2
    if level == 1 and 9 <= hand.high <= 16:
        return bid
    if level == 2 and 12 <= hand.points <= 18 and good and strain != NOTRUMP:
        return bid
    return PASS


def _penalty(hand: BridgeHand, auction: Auction) -> Call:
    """Double a contract for game that the hand alone should beat."""
    if auction.last is None or auction.doubled or auction.ours(auction.last[0]):
        return PASS
    level, strain = auction.last[1]
    if level < _GAME[strain]:
        return PASS
    tricks = sum(14 in ranks for ranks in hand.suits)
    tricks += sum(13 in ranks and len(ranks) >= 2 for ranks in hand.suits) // 2
    tricks += strain != NOTRUMP and hand.lengths[strain] >= 4
    return DOUBLE if tricks >= 8 - level else PASS


# What is shown ---------------------------------------------------------------------------------


def shown(auction: Auction, seat: int) -> ShownHand:
    """Return what a seat's bids have shown, by the same rules by which `call` bids."""
    found = ShownHand()
    for at, (who, made) in enumerate(auction.calls):
        if who == seat and isinstance(made, tuple):
            found = _after(Auction(auction.calls[:at], seat), made, found)
    return found


def _after(before: Auction, bid: Bid, known: ShownHand) -> ShownHand:
    """Return what is known of a seat after its bid, which follows the calls of `before`."""
    level, strain = bid
    first = not before.bids(before.seat)
    partner = before.bids(before.partner)
    if first and not partner:
        opens = before.last is None
        if strain == NOTRUMP:
            low, high = ((15, 17) if level == 1 else (20, 21)) if opens else (15, 18)
            return ShownHand(low, high, (2,) * 4, (), balanced=True)
        if level == 1:
            low, high = (12, 21) if opens else (9, 16)
            length = (3, 3, 5, 5)[strain] if opens else 5
        elif opens and level == 2:
            low, high, length = 22, 30, 5
        elif opens:
            low, high, length = 5, 10, 7
        else:
            low, high, length = 12, 17, 5
        return _longer(ShownHand(low, high), strain, length)
    theirs = shown(before, before.partner)
    low, high = _range(level, strain, theirs)
    low, high = max(low, known.low), max(low, known.low, min(high, known.high))
    lengths = ShownHand(low, high, known.lengths, known.suits, known.balanced)
    if strain == NOTRUMP:
        return lengths
    held = theirs.lengths[strain]
    if strain in theirs.suits:
        return _longer(lengths, strain, max(8 - held, 3))
    if strain in known.suits:
        return _longer(lengths, strain, 6)
    return _longer(lengths, strain, 4 if level == 1 else 5 if first else 4)


def _range(level: int, strain: int, theirs: ShownHand) -> tuple[int, int]:
    """Return the points that a bid shows to a partner who has shown `theirs`."""
    game, needed = _GAME[strain], _needed(strain)
    if level >= 6:
        return max(_SMALL_SLAM - theirs.likely, 0), 30
    if level >= game:
        return max(needed - theirs.likely, 0), max(_SMALL_SLAM - 1 - theirs.likely, 0)
    if strain in theirs.suits or strain == NOTRUMP:
        gap = game - level  # 1: an invitation
        if gap == 1 and level > 1:
            return max(needed - theirs.likely - 3, 0), max(needed - theirs.likely - 1, 0)
        return max(needed - theirs.likely - 7, 0), max(needed - theirs.likely - 4, 0)
    return (6, 18) if level == 1 else (10, 18)


def _needed(strain: int) -> int:
    """Return the points of both hands that game takes."""
    return 29 if strain in {CLUBS, DIAMONDS} else 25


def _longer(known: ShownHand, suit: int, length: int) -> ShownHand:
    lengths = list(known.lengths)
    lengths[suit] = max(lengths[suit], length)
    suits = known.suits if suit in known.suits else (*known.suits, suit)
    return ShownHand(known.low, known.high, tuple(lengths), suits, known.balanced)


# Bids to a partner who has bid -----------------------------------------------------------------


def _answer(hand: BridgeHand, auction: Auction, theirs: ShownHand, *, again: bool) -> Call:
    """Bid to a partner who has shown a hand: to the limit of both, or else what is new."""
    strain = _best_strain(hand, auction, theirs)
    mine = hand.points if strain == NOTRUMP else _worth(hand, strain, theirs)
    both = mine + theirs.likely
    assert auction.last is not None
    ours = auction.ours(auction.last[0])
    level, current = auction.last[1]
    goal = _goal(strain, both, mine, theirs)
    if ours and level >= _GAME[current] and goal < 6:
        return PASS
    unlimited = theirs.high - theirs.low > 4 and not again
    if strain not in MAJORS and unlimited and ours and (new := _new_suit(hand, auction, theirs)):
        return new
    level_needed, _ = auction.cheapest(strain)
    if level_needed <= goal and mine >= 6 and not (ours and current == strain and level >= goal):
        return goal, strain
    return _preference(hand, auction, theirs) if ours else PASS


def _goal(strain: int, both: int, mine: int, theirs: ShownHand) -> int:
    """Return the highest level that the points of both hands allow; an invitation stops short."""
    if both >= _GRAND_SLAM:
        return 7
    if both >= _SMALL_SLAM:
        return 6
    needed, game = _needed(strain), _GAME[strain]
    if both >= needed:
        return game
    most = mine + theirs.high
    if both >= needed - 2 and most >= needed:
        return game - 1
    return max(min(game - 2, 2), 1)


def _worth(hand: BridgeHand, suit: int, theirs: ShownHand) -> int:
    """Return a hand's points with a suit as trumps: supported, if the partner has bid it."""
    if suit in theirs.suits and hand.lengths[suit] >= 3:
        return max(hand.support(suit), hand.high)
    return hand.points


def _best_strain(hand: BridgeHand, auction: Auction, theirs: ShownHand) -> int:
    """Return the best strain known: a fit in a major, no trump, or a fit in a minor."""
    fits = [hand.lengths[suit] + theirs.lengths[suit] for suit in range(4)]
    major = max(MAJORS, key=lambda suit: (fits[suit], suit))
    if fits[major] >= 8:
        return major
    minor = max(CLUBS, DIAMONDS, key=lambda suit: fits[suit])
    stopped = all(hand.stopped(suit) for suit in auction.theirs if suit != NOTRUMP)
    short = min(hand.lengths) <= 1
    if fits[minor] >= 8 and (not stopped or (short and not theirs.balanced)):
        return minor
    if not stopped and max(fits) >= 7:
        return max(range(4), key=lambda suit: (fits[suit], suit))
    return NOTRUMP


def _new_suit(hand: BridgeHand, auction: Auction, theirs: ShownHand) -> Bid | None:
    """Return a bid in a suit that the partner has not bid: four cards at one, five at two."""
    if theirs.balanced:
        return None
    found = []
    for suit in range(4):
        level, _ = bid = auction.cheapest(suit)
        length, points = _NEW_SUIT.get(level, (14, 0))
        new = suit not in theirs.suits and suit not in auction.theirs
        if new and hand.lengths[suit] >= length and hand.points >= points:
            found.append((hand.lengths[suit], -suit, bid))
    return max(found)[2] if found else None


def _preference(hand: BridgeHand, auction: Auction, theirs: ShownHand) -> Call:
    """Go back to the partner's first suit, if that is cheap and clearly better."""
    assert auction.last is not None
    _, current = auction.last[1]
    if len(theirs.suits) < 2 or current != theirs.suits[-1]:
        return PASS
    first = theirs.suits[0]
    if hand.lengths[first] > hand.lengths[current] and auction.cheapest(first)[0] <= 2:
        return auction.cheapest(first)
    return PASS
