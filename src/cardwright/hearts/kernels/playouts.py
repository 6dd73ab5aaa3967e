"""Playouts of Hearts for searches: by simple rules with occasional random choices, deal by deal.

Game data is in the `extra` memory of a context, as words of 8 bytes, at the offsets below;
`cardwright.hearts.expert` writes it. Cards have the numbers of `cardwright.hearts.cards`, 16 *
suit + rank, and sets of cards are bits.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Search, Stream
from cardwright.compiler.kernels.evaluation import LEAST, ONE, act, begin, reward_points
from cardwright.compiler.kernels.lists import card_in
from cardwright.compiler.kernels.locations import card_lying, holder_slot, size
from cardwright.compiler.kernels.picks import CARD, SORTS, STRICT, WORDS, choice_row
from cardwright.compiler.kernels.stream import below, next_bits
from cardwright.hearts.kernels.hierarchy_table import SUIT, highest_of, lowest_of

CHANCE, QUEEN, QUEEN_CARD, PLAY, END = range(5)
WORTHS, TRICKS, NUMBERS, CARDS_BY, RUNS, DANGERS = range(5, 11)
"""Words: how many of 65,536 choices are random; the queen as a set, or 0; its card id; the
program's choice of a card to play; the score that ends a match, or 0; and the offsets, in words,
of: what scores are worth in a match, the slots of the tricks and hands of all seats, the numbers of
all cards, the first card of each number, the suits as runs of cards and numbers (0 if they are
none), and how dangerous it is to keep each number."""

FIRST, WHICH, LOWEST, RUN = range(4)
"""Words of a suit whose numbers rise by 1 from card to card: its first card, as many bits as it has
cards, and its lowest number. RUN is how many there are."""

BEHIND = 128
"""The worth of a score in a match is listed for this many points behind the best."""

ONE_PICK = 3
"""Words of an option with one pick: its branch, the item, and the item's ordinal."""

SPADES = 2
HEARTS = 3

GUARDS = 4


@kernel
def picked_number(context: Context, extra: Pointer, row: Pointer, index: int) -> int:
    """Return the number of the card that an option plays."""
    option = context.options + row[WORDS] * index
    return extra[extra[NUMBERS] + option[1]]


@kernel
def plays_cards(context: Context, row: Pointer) -> bool:
    """Say whether every option of a choice picks one card and nothing else."""
    if row[WORDS] != ONE_PICK or row[STRICT] == 0:
        return False
    sorts = context.forms + row[SORTS]
    return bool(sorts[0] == 1 and sorts[1] == CARD)


@kernel
def winning_number(board: Board, extra: Pointer, seat: int) -> int:
    """Return the number of the card that is winning the trick; 0 if there is none."""
    slots = extra[TRICKS]
    best = 0
    for step in range(1, engine.PLAYERS):
        slot = extra[slots + (seat + step) % engine.PLAYERS]
        if size(board, slot) > 0:
            number = extra[extra[NUMBERS] + card_lying(board, slot, 0)]
            if best == 0 or (number >> 4 == best >> 4 and number > best):
                best = number
    return best


@kernel
def is_last(board: Board, extra: Pointer, seat: int) -> bool:
    """Return whether a seat plays the last card of the trick: whoever is next has led it."""
    return size(board, extra[extra[TRICKS] + (seat + 1) % engine.PLAYERS]) > 0


@kernel
def by_rule(legal: int, winning: int, last: int, queen: int, queen_out: int) -> int:
    """Return the card that simple rules play; sets are bits, and `winning` wins so far or is 0.

    Leading: the lowest. Following: the highest that loses; else the highest except the queen if
    last to play, or the lowest if not. Void: the queen, the cards that beat it while it is out, the
    highest heart, the highest card.
    """
    if winning == 0:
        return op.lowest_one(lowest_of(legal))
    suit = op.wrap(SUIT << 16 * (winning >> 4))
    own = legal & suit
    if own != 0:
        losing = own & ((1 << winning) - 1)
        if losing != 0:
            return op.highest_one(losing)
        without = own & ~queen
        if without == 0:
            return op.highest_one(own)
        return op.highest_one(without) if last != 0 else op.lowest_one(without)
    if legal & queen != 0:
        return op.lowest_one(queen)
    if queen != 0 and queen_out != 0:
        above = legal & op.wrap(SUIT << 16 * SPADES) & op.wrap(-queen)
        if above != 0:
            return op.highest_one(above)
    hearts = legal & op.wrap(SUIT << 16 * HEARTS)
    return op.highest_one(hearts) if hearts != 0 else op.highest_one(highest_of(legal))


@kernel
def _numbers_of(extra: Pointer, cards: int) -> int:
    numbers = 0
    if extra[RUNS] != 0:
        for suit in range(4):
            run = extra + (extra[RUNS] + RUN * suit)
            own = op.shift_right(cards, run[FIRST]) & run[WHICH]
            numbers = numbers | op.wrap(own << run[LOWEST])
        return numbers
    for card in op.ones(cards):
        numbers |= op.wrap(1 << extra[extra[NUMBERS] + card])
    return numbers


@kernel
def rule_number(board: Board, extra: Pointer, legal: int) -> int:
    """Return the number of the card that simple rules choose, given the numbers of the legal."""
    seat = engine.player(board)
    queen = extra[QUEEN]
    winning = winning_number(board, extra, seat)
    last = int(is_last(board, extra, seat))
    out = 0
    # Where the queen is matters only to those who can neither follow suit nor play it.
    if queen != 0 and legal & (queen | op.wrap(SUIT << 16 * (winning >> 4))) == 0:
        out = int(_in_hands(board, extra, holder_slot(board, extra[QUEEN_CARD])))
    return by_rule(legal, winning, last, queen, out)


@kernel
def _rule_card(board: Board, extra: Pointer, legal: int) -> int:
    chosen = rule_number(board, extra, _numbers_of(extra, legal))
    first = extra[extra[CARDS_BY] + chosen]
    if op.shift_right(legal, first) & 1 != 0:
        return first
    for card in op.ones(legal):
        if extra[extra[NUMBERS] + card] == chosen:
            return card
    return op.lowest_one(legal)


@kernel
def _rule_index(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    legal = 0
    for i in range(count):
        legal |= 1 << picked_number(context, extra, row, i)
    chosen = rule_number(board, extra, legal)
    for i in range(count):
        if picked_number(context, extra, row, i) == chosen:
            return i
    return 0


@kernel
def _in_hands(board: Board, extra: Pointer, slot: int) -> bool:
    hands = extra[TRICKS] + engine.PLAYERS
    for seat in range(engine.PLAYERS):
        if extra[hands + seat] == slot:
            return True
    return False


@kernel
def danger(extra: Pointer, number: int, guarded: int) -> int:
    """Return how dangerous it is to keep a card; guarded high spades are not dangerous."""
    return extra[extra[DANGERS] + 64 * guarded + number]


@kernel
def is_guarded(board: Board, extra: Pointer, seat: int) -> int:
    """Return 1 if a seat has at least four spades below the queen, else 0."""
    slot = extra[extra[TRICKS] + engine.PLAYERS + seat]
    below_queen = op.wrap(SUIT << 16 * SPADES) & (extra[QUEEN] - 1)
    low = 0
    for i in range(size(board, slot)):
        number = extra[extra[NUMBERS] + card_lying(board, slot, i)]
        if op.shift_right(below_queen, number) & 1 != 0:
            low += 1
    return int(low >= GUARDS)


@kernel
def _passed_index(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    guarded = is_guarded(board, extra, engine.player(board))
    single = plays_cards(context, row)
    best = 0
    most = LEAST
    for i in range(count):
        total = 0
        if single:
            total = danger(extra, picked_number(context, extra, row, i), guarded)
        else:
            option = context.options + row[0] * i
            group = op.offset(context.arena, option[1])
            for at in range(group[0]):
                card = card_in(group + 1, at)
                total += danger(extra, extra[extra[NUMBERS] + card], guarded)
        if total > most:
            most = total
            best = i
    return best


@kernel
def _passed_card(board: Board, extra: Pointer, legal: int) -> int:
    guarded = is_guarded(board, extra, engine.player(board))
    best = 0
    most = LEAST
    for card in op.ones(legal):
        found = danger(extra, extra[extra[NUMBERS] + card], guarded)
        if found > most:
            most = found
            best = card
    return best


@kernel
def policy_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Return the card taken in a playout at a choice between single cards."""
    extra = context.extra
    if op.shift_right(next_bits(stream), 48) < extra[CHANCE]:
        return op.nth_one(legal, below(stream, op.count_ones(legal)))
    play = board.pc == extra[PLAY]
    return _rule_card(board, extra, legal) if play else _passed_card(board, extra, legal)


@kernel
def policy(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Return the option taken in a playout."""
    extra = context.extra
    if op.shift_right(next_bits(stream), 48) < extra[CHANCE]:
        return below(stream, count)
    row = choice_row(context, board.pc)
    if board.pc == extra[PLAY]:
        if plays_cards(context, row):
            return _rule_index(board, context, extra, row, count)
    elif row[0] == ONE_PICK and row[2] != 0:
        return _passed_index(board, context, extra, row, count)
    return below(stream, count)


@kernel
def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Let others pass by the policy: passing has too many options for a tree to search."""
    return -1 if board.pc == context.extra[PLAY] else policy(board, context, stream, count)


@kernel
def settled_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Let others pass card by card by the policy too."""
    return -1 if board.pc == context.extra[PLAY] else policy_card(board, context, stream, legal)


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Let trees first try what the rules prefer."""
    extra = context.extra
    row = choice_row(context, board.pc)
    if board.pc == extra[PLAY] and plays_cards(context, row):
        return _rule_index(board, context, extra, row, count)
    return -1


@kernel
def preferred_card(board: Board, context: Context, legal: int) -> int:
    """Let trees first try the card that the rules prefer."""
    extra = context.extra
    return _rule_card(board, extra, legal) if board.pc == extra[PLAY] else -1


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end of the deal, every seat with its own random stream; 0 at the end."""
    return engine.play_by_policy(board, context, streams)


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards of the deal: in a match the chance to win it, else those requested."""
    extra = context.extra
    ends = search.ends
    end = extra[END]
    if end == 0:
        return reward_points(search, board, context)
    if engine.scores(board, context, ends) < 0:
        return -1
    search.gained = op.wrap(ends[search.seat] - ends[engine.PLAYERS + search.seat])
    best = ends[0]
    worst = best
    for seat in range(1, engine.PLAYERS):
        best = min(best, ends[seat])
        worst = max(worst, ends[seat])
    row = extra[WORTHS] + BEHIND * min(max(worst, 0), end)
    total = 0
    for seat in range(engine.PLAYERS):
        worth = extra[row + min(ends[seat] - best, BEHIND - 1)]
        search.rewards[seat] = worth
        total += worth
    for seat in range(engine.PLAYERS):
        search.rewards[seat] = search.rewards[seat] * ONE // total
    return 0


POLICY = (
    play_out,
    policy,
    policy_card,
    settled,
    settled_card,
    preferred,
    preferred_card,
    give_rewards,
    begin,
    act,
)
