"""Selectors and conditions of hierarchies in machine code: each does what its namesake does.

The namesakes are in `cardwright.hearts.selectors`. A selector takes a set of candidates and returns
a subset, which may be empty. One of them is the rule player, card by card as in
`cardwright.hearts.rule`.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Pointer
from cardwright.compiler.kernels.locations import card_lying, size
from cardwright.hearts.kernels import SPADES_ENOUGH, hierarchy_table as facts


@kernel
def spare_queen(extra: Pointer, cards: int) -> int:
    """Return the cards without the queen, unless it is the only one."""
    others = cards & ~extra[facts.QUEEN]
    return others if others != 0 else cards


@kernel
def ruled(board: Board, extra: Pointer, cards: int) -> int:
    """Pick the card that the rule player chooses from the candidates."""
    if cards == 0:
        return 0
    if extra[facts.KIND] == facts.LAY:
        return ruled_aside(extra, cards)
    if extra[facts.KIND] != facts.PLAY:
        return ruled_pass(extra, cards)
    if extra[facts.TRICK] == 0:
        return first_suit(facts.lowest_of(cards))
    losing = cards & ~extra[facts.BEATING]
    if cards & extra[facts.LED] == 0:
        return ruled_discard(board, extra, losing if losing != 0 else cards)
    if losing != 0:
        return 1 << op.highest_one(losing)
    taking = spare_queen(extra, cards)
    return 1 << op.highest_one(taking) if facts.is_last(extra) else first_suit(taking)


@kernel
def ruled_discard(board: Board, extra: Pointer, thrown: int) -> int:
    """Pick what the rule player discards: the most dangerous card."""
    queen = extra[facts.QUEEN]
    if thrown & queen != 0:
        return queen
    above = thrown & extra[facts.ABOVE]
    if above != 0 and facts.unseen_set(board, extra) & queen != 0:
        return last_suit(facts.highest_of(above))
    dear = extra[facts.DEAR]
    for at in range(extra[dear]):
        wanted = thrown & extra[dear + 1 + at]
        if wanted != 0:
            return last_suit(facts.highest_of(wanted))
    return last_suit(facts.highest_of(thrown))


@kernel
def ruled_pass(extra: Pointer, cards: int) -> int:
    """Pick what the rule player passes next; cards already passed count as spades, as in `rule`."""
    queen = extra[facts.QUEEN]
    if queen != 0:
        held = op.count_ones(extra[facts.HAND] & facts.suit_set(op.lowest_one(queen)))
        risky = cards & (queen | extra[facts.ABOVE])
        if risky != 0 and held + extra[facts.GONE] < SPADES_ENOUGH:
            return last_suit(facts.highest_of(risky))
    return last_suit(facts.highest_of(cards))


@kernel
def ruled_aside(extra: Pointer, cards: int) -> int:
    """Pick what the rule player lays aside next: the highest card of the lowest cost."""
    return first_suit(facts.highest_of(cheapest(extra, cards, 1)))


@kernel
def first_suit(cards: int) -> int:
    """Return the card with the lowest number: for equal ranks, that of the first suit."""
    return cards & -cards


@kernel
def last_suit(cards: int) -> int:
    """Return the card with the highest number: for equal ranks, that of the last suit."""
    return 1 << op.highest_one(cards)


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
    condition = step[CONDITION]
    if condition != ALWAYS and int(holds(board, extra, condition)) == step[NEGATED]:
        return 0
    which = step[SELECTOR]
    given = step[ARGUMENT]
    if which <= PICK_KEEP_LOW_HEARTS:
        return _by_rank(which, given, cards)
    if which <= PICK_LONG_SUIT:
        return _by_suit(extra, which, cards & given)
    if which <= PICK_AVOID_POINTS:
        return by_trick(extra, which, cards)
    if which <= PICK_FLUSH_QUEEN:
        return by_queen(board, extra, which, given, cards)
    if which == PICK_SAFE_LEAD:
        return safe_leads(board, extra, given, cards)
    if which == PICK_BLEED_HEARTS:
        return facts.highest_of(safe_leads(board, extra, 1, cards) & facts.HEART_SUIT)
    if which == PICK_BLOCK_MOON:
        return block(board, extra, given, cards)
    if which == PICK_SHOOT:
        return shooting(board, extra, given, cards)
    if which == PICK_RULE:
        return ruled(board, extra, cards)
    if which == PICK_STOP_MOON:
        return stopping(board, extra, given, cards)
    return _by_cost(board, extra, which, cards)


@kernel
def holds(board: Board, extra: Pointer, condition: int) -> bool:
    """Say whether a condition is met."""
    if condition == WHEN_NO_POINTS:
        return extra[facts.STAKE] <= 0
    if condition == WHEN_POINTS:
        return extra[facts.STAKE] > 0
    if condition == WHEN_LAST:
        return facts.is_last(extra)
    if condition == WHEN_FIRST_TRICK:
        return facts.won_set(board, extra) == 0
    if condition == WHEN_BROKEN:
        kept = extra[facts.BROKEN]
        if extra[facts.FREE] != 0:
            return True
        if kept < 0:
            return False
        return bool(board.integers[kept] == 1)
    if condition == WHEN_QUEEN_OUT:
        return facts.unseen_set(board, extra) & extra[facts.QUEEN] != 0
    if condition == WHEN_QUEEN_HELD:
        return extra[facts.HAND] & extra[facts.QUEEN] != 0
    return extra[facts.TRICK] & extra[facts.ABOVE] != 0


# By rank and suit ------------------------------------------------------------------------------


@kernel
def _by_rank(which: int, given: int, cards: int) -> int:
    if which == PICK_ANY:
        return cards
    if which == PICK_KEEP_LOW_HEARTS:
        return cards & ~op.wrap(((1 << given) - 1) << 48)
    if which == PICK_HIGHEST_HEART or which == PICK_LOWEST_HEART:
        cards &= facts.HEART_SUIT
    elif which == PICK_HIGHEST_OF or which == PICK_LOWEST_OF:
        cards &= given
    highest = which == PICK_HIGHEST or which == PICK_HIGHEST_OF or which == PICK_HIGHEST_HEART
    return facts.highest_of(cards) if highest else facts.lowest_of(cards)


@kernel
def by_length(hand: int, cards: int, sign: int) -> int:
    """Return the candidates of the shortest suit in hand; with sign -1, of the longest."""
    best = 0
    found = 0
    for suit in range(4):
        own = cards & op.wrap(facts.SUIT << 16 * suit)
        if own != 0:
            length = sign * op.count_ones(hand & op.wrap(facts.SUIT << 16 * suit))
            if found == 0 or length < best:
                best = length
                found = own
            elif length == best:
                found |= own
    return found


@kernel
def voidable(hand: int, cards: int, most: int) -> int:
    """Return the candidates of suits of which at most `most` cards are held."""
    found = 0
    for suit in range(4):
        mask = op.wrap(facts.SUIT << 16 * suit)
        if op.count_ones(hand & mask) <= most:
            found = found | cards & mask
    return found


@kernel
def _by_suit(extra: Pointer, which: int, cards: int) -> int:
    hand = extra[facts.HAND]
    if which == PICK_SHORT_SUIT:
        return by_length(hand, cards, 1)
    if which == PICK_LONG_SUIT:
        return by_length(hand, cards, -1)
    found = voidable(hand, cards, extra[facts.TO_GO])
    return found if which == PICK_VOID_SUIT else by_length(hand, found, 1)


# By the trick ----------------------------------------------------------------------------------


@kernel
def by_trick(extra: Pointer, which: int, cards: int) -> int:
    """Pick by what takes the trick; on lead no card does, and none loses."""
    beating = extra[facts.BEATING]
    losing = cards & ~beating if extra[facts.TRICK] != 0 else 0
    if which == PICK_DUCK:
        return facts.highest_of(losing)
    if which == PICK_DUCK_LOWEST:
        return facts.lowest_of(losing)
    if which == PICK_WIN_CHEAP:
        return facts.lowest_of(spare_queen(extra, cards & beating))
    if which == PICK_WIN_HIGH:
        if not facts.is_last(extra) or extra[facts.STAKE] > 0:
            return 0
        return facts.highest_of(cards & beating & ~extra[facts.QUEEN])
    for card in op.ones(cards & ~losing):
        if extra[facts.STAKE] + extra[extra[facts.COSTS] + card] <= 0:
            losing |= 1 << card
    return losing


@kernel
def by_queen(board: Board, extra: Pointer, which: int, given: int, cards: int) -> int:
    """Pick the queen, the cards that beat it, or on lead those that might draw it out."""
    queen = extra[facts.QUEEN]
    if queen == 0:
        return 0
    suit = facts.suit_set(op.lowest_one(queen))
    if which == PICK_FLUSH_QUEEN:
        if extra[facts.TRICK] != 0 or facts.unseen_set(board, extra) & queen == 0:
            return 0
        return cards & suit & (queen - 1)
    if op.count_ones(extra[facts.HAND] & suit) >= given:
        return 0
    return cards & (queen if which == PICK_QUEEN_SPADES else extra[facts.ABOVE])


@kernel
def safe_leads(board: Board, extra: Pointer, least: int, cards: int) -> int:
    """Return, on lead, the cards below at least `least` unseen cards of their suit."""
    if extra[facts.TRICK] != 0:
        return 0
    unseen = facts.unseen_set(board, extra)
    found = 0
    for card in op.ones(cards):
        if op.count_ones(unseen & facts.higher_set(card)) >= least:
            found |= 1 << card
    return found


# By cost ---------------------------------------------------------------------------------------


@kernel
def cheapest(extra: Pointer, cards: int, sign: int) -> int:
    """Return the cards that cost least; with sign -1, most."""
    least = 0
    found = 0
    for card in op.ones(cards):
        cost = sign * extra[extra[facts.COSTS] + card]
        if found == 0 or cost < least:
            least = cost
            found = 1 << card
        elif cost == least:
            found |= 1 << card
    return found


@kernel
def _by_cost(board: Board, extra: Pointer, which: int, cards: int) -> int:
    kind = extra[facts.KIND]
    if which == PICK_KEEP_BONUS:
        return 0 if kind == facts.LAY else cards & ~extra[facts.BONUSES]
    if which == PICK_LAY_CHEAP:
        return cheapest(extra, cards, 1) if kind == facts.LAY else 0
    if which == PICK_TAKE_BONUS:
        return bonus_takers(board, extra, cards) if kind == facts.PLAY else 0
    if extra[facts.TRICK] == 0:
        return 0
    losing = cards & ~extra[facts.BEATING]
    if which == PICK_LEAST_COST:
        hearts = extra[facts.LED] == facts.HEART_SUIT
        return 0 if hearts or losing != 0 else cheapest(extra, cards, 1)
    found = cheapest(extra, losing & extra[facts.LED], -1)
    return found if found != 0 and extra[extra[facts.COSTS] + op.lowest_one(found)] > 0 else 0


@kernel
def bonus_takers(board: Board, extra: Pointer, cards: int) -> int:
    """Return the highest cards that win a trick in which bonuses outweigh penalties."""
    found = 0
    for card in op.ones(cards if extra[facts.TRICK] == 0 else cards & extra[facts.BEATING]):
        cost = extra[extra[facts.COSTS] + card]
        if extra[facts.STAKE] + cost < 0:
            if (
                cost >= 0
                or facts.is_last(extra)
                or facts.unseen_set(board, extra) & facts.higher_set(card) == 0
            ):
                found |= 1 << card
    return facts.highest_of(found)


# The moon --------------------------------------------------------------------------------------


@kernel
def block(board: Board, extra: Pointer, least: int, cards: int) -> int:
    """Pick what takes points from the one opponent that has all, if those are at least `least`."""
    if extra[facts.TRICK] == 0 or extra[facts.STAKE] <= 0:
        return 0
    taker = -1
    taken = 0
    for seat in range(engine.PLAYERS):
        own = facts.paid(board, extra, seat)
        if own > 0:
            if taker >= 0:
                return 0
            taker = seat
            taken = own
    if taker < 0 or taken < least:
        return 0
    # The winning card is the highest of the suit led. It must belong to the taker, which is thus
    # another seat: this one has not played yet.
    best = op.highest_one(extra[facts.TRICK] & extra[facts.LED])
    slot = facts.slot_of(extra, facts.TRICKS, taker)
    if size(board, slot) == 0 or facts.card_number(extra, card_lying(board, slot, 0)) != best:
        return 0
    return spare_queen(extra, cards & extra[facts.BEATING])


@kernel
def moon_shooter(board: Board, extra: Pointer, percent: int) -> int:
    """Return the only seat that has cards of the moon, if it is another with enough; else -1."""
    shooter = -1
    taken = 0
    for seat in range(engine.PLAYERS):
        own = facts.won_sum(board, extra, extra[facts.MOON], seat)
        if own > 0:
            if shooter >= 0:
                return -1
            shooter = seat
            taken = own
    enough = shooter != extra[facts.SEAT] and 100 * taken >= percent * extra[facts.MOON_TOTAL]
    return shooter if enough else -1


@kernel
def _moon_cards(extra: Pointer, cards: int) -> int:
    found = 0
    for card in op.ones(cards):
        if extra[extra[facts.MOON] + card] > 0:
            found |= 1 << card
    return found


@kernel
def _unbeaten(board: Board, extra: Pointer, cards: int) -> int:
    unseen = facts.unseen_set(board, extra)
    found = 0
    for card in op.ones(cards):
        if unseen & facts.higher_set(card) == 0:
            found |= 1 << card
    return found


@kernel
def stopping(board: Board, extra: Pointer, percent: int, cards: int) -> int:
    """Pick what stops the opponent that alone has cards of the moon, at least `percent` of it."""
    if extra[facts.KIND] != facts.PLAY:
        return 0
    shooter = moon_shooter(board, extra, percent)
    if shooter < 0:
        return 0
    trick = extra[facts.TRICK]
    if trick == 0:
        return _unbeaten(board, extra, _moon_cards(extra, cards))
    slot = facts.slot_of(extra, facts.TRICKS, shooter)
    if size(board, slot) == 0:
        return 0
    if facts.card_number(extra, card_lying(board, slot, 0)) != op.highest_one(
        trick & extra[facts.LED]
    ):
        return 0
    taking = spare_queen(extra, cards & extra[facts.BEATING])
    if taking != 0 and _moon_cards(extra, trick) != 0:
        return facts.highest_of(taking)
    return cards & ~_moon_cards(extra, cards)


@kernel
def shooting(board: Board, extra: Pointer, percent: int, cards: int) -> int:
    """Pick what takes tricks, if nobody else has points and `percent` % of the hand should win."""
    for seat in range(engine.PLAYERS):
        if seat != extra[facts.SEAT] and facts.paid(board, extra, seat) > 0:
            return 0
    hand = extra[facts.HAND]
    sure = masters(hand, facts.unseen_set(board, extra))
    if 100 * op.count_ones(sure) < percent * op.count_ones(hand):
        return 0
    if extra[facts.KIND] != facts.PLAY:
        return cards & ~sure
    if extra[facts.TRICK] == 0:
        return cards & sure
    return facts.highest_of(cards & extra[facts.BEATING])


@kernel
def masters(hand: int, unseen: int) -> int:
    """Return the cards of a hand that should win when they are led."""
    sure = 0
    for card in op.ones(hand):
        above = op.count_ones(unseen & facts.higher_set(card))
        if above == 0 or above < op.count_ones(hand & facts.higher_set(card)):
            sure |= 1 << card
    return sure
