"""Selectors and conditions of hierarchies in machine code: each does what its namesake does.

The namesakes are in `cardwright.hearts.selectors`. A selector
takes a set of candidates and returns a subset, which may be empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    count_ones,
    highest_one,
    lowest_one,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import word
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.hearts.kernels.hierarchy_rule import (
    highest_of,
    lowest_of,
    ruled,
    spare_queen,
)
from cardwright.hearts.kernels.hierarchy_table import (
    ABOVE,
    BEATING,
    BONUSES,
    BROKEN,
    COSTS,
    FREE,
    HAND,
    HEART_SUIT,
    KIND,
    LAY,
    LED,
    MOON,
    MOON_TOTAL,
    PLAY,
    QUEEN,
    SEAT,
    STAKE,
    SUIT,
    TO_GO,
    TRICK,
    card_number,
    higher_set,
    is_last,
    paid,
    suit_set,
    trick_slot,
    unseen_set,
    won_set,
    won_slot,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board

PLAYERS = 1

SELECTOR, ARGUMENT, CONDITION, NEGATED, STEP_WORDS = range(5)
"""Words of a step: its selector, a number or a set of suits, its condition or 0, and whether the
condition is negated."""

ALWAYS, WHEN_NO_POINTS, WHEN_POINTS, WHEN_LAST, WHEN_FIRST_TRICK = range(5)
WHEN_BROKEN, WHEN_QUEEN_OUT, WHEN_QUEEN_HELD, WHEN_HIGH_SPADE_ON_TABLE = range(5, 9)
"""Conditions, by name."""

PICK_ANY, PICK_HIGHEST, PICK_LOWEST, PICK_HIGHEST_OF, PICK_LOWEST_OF = range(5)
PICK_HIGHEST_HEART, PICK_LOWEST_HEART, PICK_KEEP_LOW_HEARTS = range(5, 8)
PICK_VOID_SUIT, PICK_SHORTEST_SUIT, PICK_SHORT_SUIT, PICK_LONG_SUIT = range(8, 12)
PICK_DUCK, PICK_DUCK_LOWEST, PICK_WIN_CHEAP, PICK_WIN_HIGH, PICK_AVOID_POINTS = range(12, 17)
PICK_QUEEN_SPADES, PICK_HIGH_SPADES, PICK_FLUSH_QUEEN = range(17, 20)
PICK_SAFE_LEAD, PICK_BLEED_HEARTS, PICK_BLOCK_MOON, PICK_SHOOT, PICK_RULE = range(20, 25)
PICK_DUMP, PICK_LEAST_COST, PICK_LAY_CHEAP, PICK_TAKE_BONUS, PICK_KEEP_BONUS = range(25, 30)
PICK_STOP_MOON = 30
"""Selectors, by name."""


@kernel
def selected(board: Board, extra: Pointer, step: Pointer, cards: int) -> int:
    """Return the candidates that a step picks; none if its condition is not met."""
    condition = word(step, CONDITION)
    if condition != ALWAYS:
        if int(holds(board, extra, condition)) == word(step, NEGATED):
            return 0
    which = word(step, SELECTOR)
    given = word(step, ARGUMENT)
    if which <= PICK_KEEP_LOW_HEARTS:
        return by_rank(which, given, cards)
    if which <= PICK_LONG_SUIT:
        return by_suit(extra, which, cards & given)
    if which <= PICK_AVOID_POINTS:
        return by_trick(extra, which, cards)
    if which <= PICK_FLUSH_QUEEN:
        return by_queen(board, extra, which, given, cards)
    if which == PICK_SAFE_LEAD:
        return safe_leads(board, extra, given, cards)
    if which == PICK_BLEED_HEARTS:
        return highest_of(safe_leads(board, extra, 1, cards) & HEART_SUIT)
    if which == PICK_BLOCK_MOON:
        return block(board, extra, given, cards)
    if which == PICK_SHOOT:
        return shooting(board, extra, given, cards)
    if which == PICK_RULE:
        return ruled(board, extra, cards)
    if which == PICK_STOP_MOON:
        return stopping(board, extra, given, cards)
    return by_cost(board, extra, which, cards)


@kernel
def holds(board: Board, extra: Pointer, condition: int) -> bool:
    """Say whether a condition is met."""
    if condition == WHEN_NO_POINTS:
        return word(extra, STAKE) <= 0
    if condition == WHEN_POINTS:
        return word(extra, STAKE) > 0
    if condition == WHEN_LAST:
        return is_last(extra)
    if condition == WHEN_FIRST_TRICK:
        return won_set(board, extra) == 0
    if condition == WHEN_BROKEN:
        kept = word(extra, BROKEN)
        if word(extra, FREE) != 0:
            return True
        if kept < 0:
            return False
        return bool(board.integers[kept] == 1)
    if condition == WHEN_QUEEN_OUT:
        return unseen_set(board, extra) & word(extra, QUEEN) != 0
    if condition == WHEN_QUEEN_HELD:
        return word(extra, HAND) & word(extra, QUEEN) != 0
    return word(extra, TRICK) & word(extra, ABOVE) != 0


# By rank and suit ------------------------------------------------------------------------------


@kernel
def by_rank(which: int, given: int, cards: int) -> int:
    """Pick by rank alone, optionally within a suit."""
    if which == PICK_ANY:
        return cards
    if which == PICK_HIGHEST:
        return highest_of(cards)
    if which == PICK_LOWEST:
        return lowest_of(cards)
    if which == PICK_HIGHEST_OF:
        return highest_of(cards & given)
    if which == PICK_LOWEST_OF:
        return lowest_of(cards & given)
    if which == PICK_HIGHEST_HEART:
        return highest_of(cards & HEART_SUIT)
    if which == PICK_LOWEST_HEART:
        return lowest_of(cards & HEART_SUIT)
    low = wrap(((1 << given) - 1) << 48)
    return cards & ~low


@kernel
def by_length(hand: int, cards: int, sign: int) -> int:
    """Return the candidates of the shortest suit in hand; with sign -1, of the longest."""
    best = 0
    found = 0
    for suit in range(4):
        own = cards & wrap(SUIT << 16 * suit)
        if own != 0:
            length = sign * count_ones(hand & wrap(SUIT << 16 * suit))
            if found == 0 or length < best:
                best = length
                found = own
            elif length == best:
                found = found | own
    return found


@kernel
def voidable(hand: int, cards: int, most: int) -> int:
    """Return the candidates of suits of which at most `most` cards are held."""
    found = 0
    for suit in range(4):
        mask = wrap(SUIT << 16 * suit)
        if count_ones(hand & mask) <= most:
            found = found | cards & mask
    return found


@kernel
def by_suit(extra: Pointer, which: int, cards: int) -> int:
    """Pick by the lengths of the suits in hand; all candidates are of the requested suits."""
    hand = word(extra, HAND)
    if which == PICK_SHORT_SUIT:
        return by_length(hand, cards, 1)
    if which == PICK_LONG_SUIT:
        return by_length(hand, cards, -1)
    found = voidable(hand, cards, word(extra, TO_GO))
    return found if which == PICK_VOID_SUIT else by_length(hand, found, 1)


# By the trick ----------------------------------------------------------------------------------


@kernel
def by_trick(extra: Pointer, which: int, cards: int) -> int:
    """Pick by what takes the trick; on lead no card does, and none loses."""
    beating = word(extra, BEATING)
    losing = cards & ~beating if word(extra, TRICK) != 0 else 0
    if which == PICK_DUCK:
        return highest_of(losing)
    if which == PICK_DUCK_LOWEST:
        return lowest_of(losing)
    if which == PICK_WIN_CHEAP:
        return lowest_of(spare_queen(extra, cards & beating))
    if which == PICK_WIN_HIGH:
        if not is_last(extra) or word(extra, STAKE) > 0:
            return 0
        return highest_of(cards & beating & ~word(extra, QUEEN))
    rest = cards & ~losing
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        if word(extra, STAKE) + word(extra, word(extra, COSTS) + card) <= 0:
            losing = losing | 1 << card
    return losing


@kernel
def by_queen(board: Board, extra: Pointer, which: int, given: int, cards: int) -> int:
    """Pick the queen, the cards that beat it, or on lead those that might draw it out."""
    queen = word(extra, QUEEN)
    if queen == 0:
        return 0
    suit = suit_set(lowest_one(queen))
    if which == PICK_FLUSH_QUEEN:
        if word(extra, TRICK) != 0 or unseen_set(board, extra) & queen == 0:
            return 0
        return cards & suit & (queen - 1)
    if count_ones(word(extra, HAND) & suit) >= given:
        return 0
    return cards & (queen if which == PICK_QUEEN_SPADES else word(extra, ABOVE))


@kernel
def safe_leads(board: Board, extra: Pointer, least: int, cards: int) -> int:
    """Return, on lead, the cards below at least `least` unseen cards of their suit."""
    if word(extra, TRICK) != 0:
        return 0
    unseen = unseen_set(board, extra)
    found = 0
    rest = cards
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        if count_ones(unseen & higher_set(card)) >= least:
            found = found | 1 << card
    return found


# By cost ---------------------------------------------------------------------------------------


@kernel
def cost_of(extra: Pointer, card: int) -> int:
    """Return the cost of a card's number."""
    return word(extra, word(extra, COSTS) + card)


@kernel
def cheapest(extra: Pointer, cards: int, sign: int) -> int:
    """Return the cards that cost least; with sign -1, most."""
    least = 0
    found = 0
    rest = cards
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        cost = sign * cost_of(extra, card)
        if found == 0 or cost < least:
            least = cost
            found = 1 << card
        elif cost == least:
            found = found | 1 << card
    return found


@kernel
def by_cost(board: Board, extra: Pointer, which: int, cards: int) -> int:
    """Pick by what cards cost or bring in."""
    kind = word(extra, KIND)
    if which == PICK_KEEP_BONUS:
        return 0 if kind == LAY else cards & ~word(extra, BONUSES)
    if which == PICK_LAY_CHEAP:
        return cheapest(extra, cards, 1) if kind == LAY else 0
    if which == PICK_TAKE_BONUS:
        return bonus_takers(board, extra, cards) if kind == PLAY else 0
    if word(extra, TRICK) == 0:
        return 0
    losing = cards & ~word(extra, BEATING)
    if which == PICK_LEAST_COST:
        hearts = word(extra, LED) == HEART_SUIT
        return 0 if hearts or losing != 0 else cheapest(extra, cards, 1)
    found = cheapest(extra, losing & word(extra, LED), -1)
    return found if found != 0 and cost_of(extra, lowest_one(found)) > 0 else 0


@kernel
def bonus_takers(board: Board, extra: Pointer, cards: int) -> int:
    """Return the highest cards that win a trick in which bonuses outweigh penalties."""
    found = 0
    rest = cards if word(extra, TRICK) == 0 else cards & word(extra, BEATING)
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        cost = cost_of(extra, card)
        if word(extra, STAKE) + cost < 0:
            if cost >= 0 or is_last(extra) or unseen_set(board, extra) & higher_set(card) == 0:
                found = found | 1 << card
    return highest_of(found)


# The moon --------------------------------------------------------------------------------------


@kernel
def block(board: Board, extra: Pointer, least: int, cards: int) -> int:
    """Pick what takes points from the one opponent that has all, if those are at least `least`."""
    if word(extra, TRICK) == 0 or word(extra, STAKE) <= 0:
        return 0
    taker = -1
    for seat in range(PLAYERS):
        if paid(board, extra, seat) > 0:
            if taker >= 0:
                return 0
            taker = seat
    if taker < 0 or paid(board, extra, taker) < least:
        return 0
    # The winning card is the highest of the suit led. It must belong to the taker, which is thus
    # another seat: this one has not played yet.
    best = highest_one(word(extra, TRICK) & word(extra, LED))
    slot = trick_slot(extra, taker)
    if size(board, slot) == 0 or card_number(extra, card_lying(board, slot, 0)) != best:
        return 0
    return spare_queen(extra, cards & word(extra, BEATING))


@kernel
def moon_count(extra: Pointer, number: int) -> int:
    """Return what a card's number counts towards the moon."""
    return word(extra, word(extra, MOON) + number)


@kernel
def moon_points(board: Board, extra: Pointer, seat: int) -> int:
    """Return what a seat has taken of the moon."""
    slot = won_slot(extra, seat)
    total: int = 0
    for at in range(size(board, slot)):
        total += moon_count(extra, card_number(extra, card_lying(board, slot, at)))
    return total


@kernel
def moon_shooter(board: Board, extra: Pointer, percent: int) -> int:
    """Return the only seat that has cards of the moon, if it is another with enough; else -1."""
    shooter = -1
    for seat in range(PLAYERS):
        if moon_points(board, extra, seat) > 0:
            if shooter >= 0:
                return -1
            shooter = seat
    if shooter < 0 or shooter == word(extra, SEAT):
        return -1
    enough = percent * word(extra, MOON_TOTAL)
    return shooter if 100 * moon_points(board, extra, shooter) >= enough else -1


@kernel
def moon_cards(extra: Pointer, cards: int) -> int:
    """Return the cards that count towards the moon."""
    found = 0
    rest = cards
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        if moon_count(extra, card) > 0:
            found = found | 1 << card
    return found


@kernel
def unbeaten(board: Board, extra: Pointer, cards: int) -> int:
    """Return the cards above which no card of their suit is unseen."""
    unseen = unseen_set(board, extra)
    found = 0
    rest = cards
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        if unseen & higher_set(card) == 0:
            found = found | 1 << card
    return found


@kernel
def stopping(board: Board, extra: Pointer, percent: int, cards: int) -> int:
    """Pick what stops the opponent that alone has cards of the moon, at least `percent` of it."""
    if word(extra, KIND) != PLAY:
        return 0
    shooter = moon_shooter(board, extra, percent)
    if shooter < 0:
        return 0
    trick = word(extra, TRICK)
    if trick == 0:
        return unbeaten(board, extra, moon_cards(extra, cards))
    slot = trick_slot(extra, shooter)
    if size(board, slot) == 0:
        return 0
    if card_number(extra, card_lying(board, slot, 0)) != highest_one(trick & word(extra, LED)):
        return 0
    taking = spare_queen(extra, cards & word(extra, BEATING))
    if taking != 0 and moon_cards(extra, trick) != 0:
        return highest_of(taking)
    return cards & ~moon_cards(extra, cards)


@kernel
def shooting(board: Board, extra: Pointer, percent: int, cards: int) -> int:
    """Pick what takes tricks, if nobody else has points and `percent` % of the hand should win."""
    for seat in range(PLAYERS):
        if seat != word(extra, SEAT) and paid(board, extra, seat) > 0:
            return 0
    hand = word(extra, HAND)
    sure = masters(hand, unseen_set(board, extra))
    if 100 * count_ones(sure) < percent * count_ones(hand):
        return 0
    if word(extra, KIND) != PLAY:
        return cards & ~sure
    if word(extra, TRICK) == 0:
        return cards & sure
    return highest_of(cards & word(extra, BEATING))


@kernel
def masters(hand: int, unseen: int) -> int:
    """Return the cards of a hand that should win when they are led."""
    sure = 0
    rest = hand
    while rest != 0:
        card = lowest_one(rest)
        rest = rest & (rest - 1)
        above = count_ones(unseen & higher_set(card))
        if above == 0 or above < count_ones(hand & higher_set(card)):
            sure = sure | 1 << card
    return sure
