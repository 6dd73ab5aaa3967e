"""Playouts of Hearts for searches: by simple rules with occasional random choices, deal by deal.

Game data is in the `extra` memory of a context, as words of 8 bytes, at the offsets below;
`cardwright.hearts.playing` writes it. Cards have the numbers of `cardwright.hearts.cards`, 16 *
suit + rank, and sets of cards are bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    highest_one,
    like,
    load_signed,
    lowest_one,
    offset,
    shift_right,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.engine import advance, carry_out, player, scores
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.picks import CARD
from cardwright.compiler.kernels.rewards import ONE, write_rewards
from cardwright.compiler.kernels.stream import below, next_bits

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Search, Stream

PLAYERS = 1
STREAM_BYTES = 32

CHANCE, QUEEN, QUEEN_CARD, PLAY, DEALS, DEAL, END = range(7)
WORTHS, TRICKS, NUMBERS, DANGERS, FORMS = range(7, 12)
"""Words: how many of 65,536 choices are random; the queen as a set, or 0; its card id; the
program's choice of a card to play; the stored integer that counts the deals, or -1, and its value;
the score that ends a match, or 0; and the offsets, in words, of: what scores are worth in a match,
the slots of the tricks and hands of all seats, the numbers of all cards, how dangerous it is to
keep each number, and the shapes of options."""

BEHIND = 128
"""The worth of a score in a match is listed for this many points behind the best."""

ONE_PICK = 3
"""Words of an option with one pick: its branch, the item, and the item's ordinal."""

SUIT = 0xFFFF
SPADES = 2
HEARTS = 3

GUARDS = 4
LEAST = -(1 << 62)


@kernel
def picked_number(context: Context, extra: Pointer, row: Pointer, index: int) -> int:
    """Return the number of the card that an option plays."""
    option = offset(context.options, 8 * word(row, 0) * index)
    return word(extra, word(extra, NUMBERS) + load_signed(offset(option, 8), 8))


@kernel
def choice_row(board: Board, extra: Pointer) -> Pointer:
    """Return the data about the options of the pending choice."""
    forms = offset(extra, 8 * word(extra, FORMS))
    return offset(forms, 8 * word(forms, board.pc))


@kernel
def plays_cards(extra: Pointer, row: Pointer) -> bool:
    """Say whether every option of a choice picks one card and nothing else."""
    if word(row, 0) != ONE_PICK or word(row, 2) == 0:
        return False
    sorts = offset(extra, 8 * (word(extra, FORMS) + word(row, 3)))
    return word(sorts, 0) == 1 and word(sorts, 1) == CARD


@kernel
def winning_number(board: Board, extra: Pointer, seat: int) -> int:
    """Return the number of the card that is winning the trick; 0 if there is none."""
    slots = word(extra, TRICKS)
    best = 0
    for step in range(1, PLAYERS):
        slot = word(extra, slots + (seat + step) % PLAYERS)
        if board.count[slot] > 0:
            number = word(extra, word(extra, NUMBERS) + board.card[slot, 0])
            if best == 0 or (number >> 4 == best >> 4 and number > best):
                best = number
    return best


@kernel
def played_before(board: Board, extra: Pointer, seat: int) -> int:
    """Return the number of cards in the trick."""
    slots = word(extra, TRICKS)
    count = 0
    for step in range(1, PLAYERS):
        if board.count[word(extra, slots + (seat + step) % PLAYERS)] > 0:
            count += 1
    return count


@kernel
def highest_rank(cards: int) -> int:
    """Return the card of the highest rank in a set; for equal ranks, that of the highest suit."""
    best = 0
    for suit in range(4):
        own = cards & wrap(SUIT << 16 * suit)
        if own != 0:
            number = highest_one(own)
            if best == 0 or number & 15 >= best & 15:
                best = number
    return best


@kernel
def lowest_rank(cards: int) -> int:
    """Return the card of the lowest rank in a set; for equal ranks, that of the lowest suit."""
    best = 0
    for suit in range(4):
        own = cards & wrap(SUIT << 16 * suit)
        if own != 0:
            number = lowest_one(own)
            if best == 0 or number & 15 < best & 15:
                best = number
    return best


@kernel
def by_rule(legal: int, winning: int, last: int, queen: int, queen_out: int) -> int:
    """Return the card that simple rules play; sets are bits, and `winning` wins so far or is 0.

    Leading: the lowest. Following: the highest that loses; else the highest except the queen if
    last to play, or the lowest if not. Void: the queen, the cards that beat it while it is out, the
    highest heart, the highest card.
    """
    if winning == 0:
        return lowest_rank(legal)
    suit = wrap(SUIT << 16 * (winning >> 4))
    own = legal & suit
    if own != 0:
        losing = own & ((1 << winning) - 1)
        if losing != 0:
            return highest_one(losing)
        without = own & ~queen
        if without == 0:
            return highest_one(own)
        return highest_one(without) if last != 0 else lowest_one(without)
    if legal & queen != 0:
        return lowest_one(queen)
    if queen != 0 and queen_out != 0:
        above = legal & wrap(SUIT << 16 * SPADES) & wrap(-queen)
        if above != 0:
            return highest_one(above)
    hearts = legal & wrap(SUIT << 16 * HEARTS)
    return highest_one(hearts) if hearts != 0 else highest_rank(legal)


@kernel
def legal_cards(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    """Return the legal cards, as a set."""
    legal = 0
    for i in range(count):
        legal = legal | (1 << picked_number(context, extra, row, i))
    return legal


@kernel
def rule_index(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    """Return the option that simple rules choose."""
    seat = player(board)
    queen = word(extra, QUEEN)
    legal = legal_cards(board, context, extra, row, count)
    winning = winning_number(board, extra, seat)
    last = int(played_before(board, extra, seat) == PLAYERS - 1)
    out = 0
    if queen != 0:
        out = int(in_hands(board, extra, board.where[word(extra, QUEEN_CARD)]))
    chosen = by_rule(legal, winning, last, queen, out)
    for i in range(count):
        if picked_number(context, extra, row, i) == chosen:
            return i
    return 0


@kernel
def in_hands(board: Board, extra: Pointer, slot: int) -> bool:
    """Say whether a slot is a hand."""
    hands = word(extra, TRICKS) + PLAYERS
    for seat in range(PLAYERS):
        if word(extra, hands + seat) == slot:
            return True
    return False


@kernel
def danger(extra: Pointer, number: int, guarded: int) -> int:
    """Return how dangerous it is to keep a card; guarded high spades are not dangerous."""
    return word(extra, word(extra, DANGERS) + 64 * guarded + number)


@kernel
def is_guarded(board: Board, extra: Pointer, seat: int) -> int:
    """Return 1 if a seat has at least four spades below the queen, else 0."""
    slot = word(extra, word(extra, TRICKS) + PLAYERS + seat)
    below_queen = wrap(SUIT << 16 * SPADES) & (word(extra, QUEEN) - 1)
    low = 0
    for i in range(board.count[slot]):
        number = word(extra, word(extra, NUMBERS) + board.card[slot, i])
        if shift_right(below_queen, number) & 1 != 0:
            low += 1
    return int(low >= GUARDS)


@kernel
def passed_index(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    """Return the option that passes what is most dangerous to keep."""
    guarded = is_guarded(board, extra, player(board))
    single = plays_cards(extra, row)
    best = 0
    most = LEAST
    for i in range(count):
        total = 0
        if single:
            total = danger(extra, picked_number(context, extra, row, i), guarded)
        else:
            option = offset(context.options, 8 * word(row, 0) * i)
            group = offset(context.arena, load_signed(offset(option, 8), 8))
            for at in range(load_signed(group, 8)):
                card = card_in(offset(group, 8), at)
                total += danger(extra, word(extra, word(extra, NUMBERS) + card), guarded)
        if total > most:
            most = total
            best = i
    return best


@kernel
def policy(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Return the option taken in a playout."""
    extra = context.extra
    if shift_right(next_bits(stream), 48) < word(extra, CHANCE):
        return below(stream, count)
    row = choice_row(board, extra)
    if board.pc == word(extra, PLAY):
        if plays_cards(extra, row):
            return rule_index(board, context, extra, row, count)
    elif word(row, 0) == ONE_PICK and word(row, 2) != 0:
        return passed_index(board, context, extra, row, count)
    return below(stream, count)


@kernel
def settled(board: Board, context: Context, stream: Stream, count: int) -> int:
    """Let others pass by the policy: passing has too many options for a tree to search."""
    extra = context.extra
    if board.pc == word(extra, PLAY):
        return -1
    return policy(board, context, stream, count)


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Let trees first try what the rules prefer."""
    extra = context.extra
    row = choice_row(board, extra)
    if board.pc == word(extra, PLAY) and plays_cards(extra, row):
        return rule_index(board, context, extra, row, count)
    return -1


@kernel
def halts(board: Board, context: Context) -> bool:
    """End iterations of a match with the deal."""
    extra = context.extra
    deals = word(extra, DEALS)
    return deals >= 0 and board.integers[deals] != word(extra, DEAL)


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end of the game or deal, every seat with its own random stream; 0 at the end."""
    while True:
        count = advance(board, context)
        if count <= 0:
            return count
        if halts(board, context):
            return 0
        index = 0
        if count > 1:
            stream = like(streams, offset(streams, STREAM_BYTES * player(board)))
            index = policy(board, context, stream, count)
        if carry_out(board, context, index) < 0:
            return -1


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards of the deal: in a match the chance to win it, else those requested."""
    extra = context.extra
    ends = search.ends
    if scores(board, context, ends) < 0:
        return -1
    end = word(extra, END)
    if end == 0:
        write_rewards(search, ends, search.rewards)
        return 0
    best = word(ends, 0)
    worst = best
    for seat in range(1, PLAYERS):
        best = min(best, word(ends, seat))
        worst = max(worst, word(ends, seat))
    row = word(extra, WORTHS) + BEHIND * min(max(worst, 0), end)
    total = 0
    for seat in range(PLAYERS):
        worth = word(extra, row + min(word(ends, seat) - best, BEHIND - 1))
        put_word(search.rewards, seat, worth)
        total += worth
    for seat in range(PLAYERS):
        put_word(search.rewards, seat, word(search.rewards, seat) * ONE // total)
    return 0


EXPORTED = (play_out, settled, preferred, halts, give_rewards)
