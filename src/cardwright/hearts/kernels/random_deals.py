"""Random deals of Hearts written by hand: an upper reference for what compiled rules reach.

The rules are those of the library's `hearts` as it stands, and every legal card is equally likely;
but nothing of a state is kept that these rules do not need. A hand is a set of cards as in
`cardwright.hearts.cards`, an integer with a bit for each. Several bounded numbers are drawn from
one word of the stream, which deviates from a uniform draw by less than one in 2^23.

The memory of a deal, its `table`, has the hands of the seats and the points that each has taken, as
words of 8 bytes, and a byte for each card of the pack, in any order.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels.engine import Pointer, Stream
from cardwright.compiler.kernels.stream import next_bits

SEATS = 4
HAND = 13
PACK = 52

POINTS = SEATS
"""Where the words of the points begin, after those of the hands."""

PACK_AT = 64

TOTALS = SEATS + 1
"""The words of the totals: the scores of each seat, and how often the moon was shot."""

FROM_A_WORD = 7
"""How many cards are dealt by one word of the stream."""

LOWEST = 2
SUIT = 0x7FFC
SUIT_BITS = 48
"""The bits of a card's number that are its suit's."""

HEARTS = SUIT << 48
QUEEN = 44
QUEEN_POINTS = 13
ALL_POINTS = 26
WHOLE = SUIT | SUIT << 16 | SUIT << 32 | SUIT << 48


def fresh_table() -> bytes:
    """Return memory for deals, with the pack in order."""
    pack = [suit << 4 | rank for suit in range(SEATS) for rank in range(LOWEST, LOWEST + HAND)]
    return bytes(PACK_AT) + bytes(pack)


@kernel(exported=True)
def cw_random_deals(stream: Stream, table: Pointer, deals: int, totals: Pointer) -> int:
    """Play deals, adding to the totals; return their number."""
    for _ in range(deals):
        deal_hands(stream, table)
        play_tricks(stream, table)
        add_scores(table, totals)
    return deals


@kernel(inline=Inline.ALWAYS)
def deal_hands(stream: Stream, table: Pointer) -> None:
    """Deal: the first three hands card by card, each drawn from those left; the last is the rest.

    A drawn card changes places with the last one left, so that the pack stays a pack.
    """
    pack = op.offset(table, PACK_AT)
    left = PACK
    rest = WHOLE
    for seat in range(SEATS - 1):
        hand = 0
        bits = next_bits(stream)
        for dealt in range(HAND):
            if dealt == FROM_A_WORD:
                bits = next_bits(stream)
            drawn = op.offset(pack, op.multiply_high(bits, left))
            bits = op.wrap(bits * left)
            left -= 1
            card = op.load(drawn, 1)
            op.store(drawn, op.load(op.offset(pack, left), 1), 1)
            op.store(op.offset(pack, left), card, 1)
            hand = hand | 1 << card
        table[seat] = hand
        table[POINTS + seat] = 0
        rest = rest ^ hand
    table[SEATS - 1] = rest
    table[POINTS + SEATS - 1] = 0


@kernel(inline=Inline.ALWAYS)
def play_tricks(stream: Stream, table: Pointer) -> None:
    """Play all tricks of a deal; the first seat leads first, and hearts once one was played."""
    leader = 0
    broken = 0
    for _ in range(HAND):
        bits = next_bits(stream)
        hand = table[leader]
        plain = hand & ~HEARTS
        legal = hand if broken != 0 or plain == 0 else plain
        count = op.count_ones(legal)
        led = op.nth_one(legal, op.multiply_high(bits, count))
        bits = op.wrap(bits * count)
        table[leader] = hand ^ 1 << led
        suit = SUIT << (led & SUIT_BITS)

        second = leader + 1 & SEATS - 1
        hand = table[second]
        legal = followers(hand, suit)
        count = op.count_ones(legal)
        second_card = 1 << op.nth_one(legal, op.multiply_high(bits, count))
        bits = op.wrap(bits * count)
        table[second] = hand ^ second_card

        third = leader + 2 & SEATS - 1
        hand = table[third]
        legal = followers(hand, suit)
        count = op.count_ones(legal)
        third_card = 1 << op.nth_one(legal, op.multiply_high(bits, count))
        bits = op.wrap(bits * count)
        table[third] = hand ^ third_card

        fourth = leader + 3 & SEATS - 1
        hand = table[fourth]
        legal = followers(hand, suit)
        fourth_card = 1 << op.nth_one(legal, op.multiply_high(bits, op.count_ones(legal)))
        table[fourth] = hand ^ fourth_card

        trick = 1 << led | second_card | third_card | fourth_card
        best = 1 << op.highest_one(trick & suit)
        ahead = (
            int(second_card == best) + 2 * int(third_card == best) + 3 * int(fourth_card == best)
        )
        leader = leader + ahead & SEATS - 1
        hearts = trick & HEARTS
        broken = broken | hearts
        cost = op.count_ones(hearts) + QUEEN_POINTS * (trick >> QUEEN & 1)
        table[POINTS + leader] += cost


@kernel(inline=Inline.ALWAYS)
def followers(hand: int, suit: int) -> int:
    """Return the cards of a hand that may be played to a suit."""
    following = hand & suit
    return following if following != 0 else hand


@kernel(inline=Inline.ALWAYS)
def add_scores(table: Pointer, totals: Pointer) -> None:
    """Add the scores of a deal to the totals; who shot the moon has them as minus points."""
    for seat in range(SEATS):
        points = table[POINTS + seat]
        moon = points == ALL_POINTS
        totals[seat] += -points if moon else points
        totals[SEATS] += int(moon)
