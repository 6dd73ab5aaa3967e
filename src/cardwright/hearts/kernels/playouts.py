"""Playouts of Hearts for searches: by simple rules with occasional random choices, deal by deal.

Game data is in the `extra` memory of a context, as words of 8 bytes, at the offsets below;
`cardwright.hearts.expert` writes it. Cards have the numbers of `cardwright.hearts.cards`, 16 *
suit + rank, and sets of cards are bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    count_ones,
    highest_one,
    load_signed,
    lowest_one,
    nth_one,
    offset,
    shift_right,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.chosen import SORTS, STRICT, WORDS
from cardwright.compiler.kernels.engine import play_by_policy, player, scores
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.locations import card_lying, holder_slot, size
from cardwright.compiler.kernels.picks import CARD
from cardwright.compiler.kernels.points import points
from cardwright.compiler.kernels.rewards import ONE, write_rewards
from cardwright.compiler.kernels.stream import below, next_bits

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Search, Stream

PLAYERS = 1
STREAM_BYTES = 32

CHANCE, QUEEN, QUEEN_CARD, PLAY, END = range(5)
WORTHS, TRICKS, NUMBERS, CARDS_BY, RUNS, DANGERS, FORMS = range(5, 12)
"""Words: how many of 65,536 choices are random; the queen as a set, or 0; its card id; the
program's choice of a card to play; the score that ends a match, or 0; and the offsets, in words,
of: what scores are worth in a match, the slots of the tricks and hands of all seats, the numbers of
all cards, the first card of each number, the suits as runs of cards and numbers (0 if they are
none), how dangerous it is to keep each number, and the shapes of options."""

FIRST, WHICH, LOWEST, RUN = range(4)
"""Words of a suit whose numbers rise by 1 from card to card: its first card, as many bits as it has
cards, and its lowest number. RUN is how many there are."""

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
    option = offset(context.options, 8 * word(row, WORDS) * index)
    return word(extra, word(extra, NUMBERS) + load_signed(offset(option, 8), 8))


@kernel
def choice_row(board: Board, extra: Pointer) -> Pointer:
    """Return the data about the options of the pending choice."""
    forms = offset(extra, 8 * word(extra, FORMS))
    return offset(forms, 8 * word(forms, board.pc))


@kernel
def plays_cards(extra: Pointer, row: Pointer) -> bool:
    """Say whether every option of a choice picks one card and nothing else."""
    if word(row, WORDS) != ONE_PICK or word(row, STRICT) == 0:
        return False
    sorts = offset(extra, 8 * (word(extra, FORMS) + word(row, SORTS)))
    return word(sorts, 0) == 1 and word(sorts, 1) == CARD


@kernel
def winning_number(board: Board, extra: Pointer, seat: int) -> int:
    """Return the number of the card that is winning the trick; 0 if there is none."""
    slots = word(extra, TRICKS)
    best = 0
    for step in range(1, PLAYERS):
        slot = word(extra, slots + (seat + step) % PLAYERS)
        if size(board, slot) > 0:
            number = word(extra, word(extra, NUMBERS) + card_lying(board, slot, 0))
            if best == 0 or (number >> 4 == best >> 4 and number > best):
                best = number
    return best


@kernel
def is_last(board: Board, extra: Pointer, seat: int) -> bool:
    """Return whether a seat plays the last card of the trick: whoever is next has led it."""
    return size(board, word(extra, word(extra, TRICKS) + (seat + 1) % PLAYERS)) > 0


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
def numbers_of(extra: Pointer, cards: int) -> int:
    """Return the numbers of some cards, as a set."""
    numbers = 0
    if word(extra, RUNS) != 0:
        for suit in range(4):
            run = offset(extra, 8 * (word(extra, RUNS) + RUN * suit))
            own = shift_right(cards, word(run, FIRST)) & word(run, WHICH)
            numbers = numbers | wrap(own << word(run, LOWEST))
        return numbers
    left = cards
    while left != 0:
        numbers = numbers | wrap(1 << word(extra, word(extra, NUMBERS) + lowest_one(left)))
        left = left & wrap(left - 1)
    return numbers


@kernel
def rule_number(board: Board, extra: Pointer, legal: int) -> int:
    """Return the number of the card that simple rules choose, given the numbers of the legal."""
    seat = player(board)
    queen = word(extra, QUEEN)
    winning = winning_number(board, extra, seat)
    last = int(is_last(board, extra, seat))
    out = 0
    # Where the queen is matters only to those who can neither follow suit nor play it.
    if queen != 0 and legal & (queen | wrap(SUIT << 16 * (winning >> 4))) == 0:
        out = int(in_hands(board, extra, holder_slot(board, word(extra, QUEEN_CARD))))
    return by_rule(legal, winning, last, queen, out)


@kernel
def rule_card(board: Board, extra: Pointer, legal: int) -> int:
    """Return the card that simple rules choose."""
    chosen = rule_number(board, extra, numbers_of(extra, legal))
    first = word(extra, word(extra, CARDS_BY) + chosen)
    if shift_right(legal, first) & 1 != 0:
        return first
    left = legal
    while left != 0:
        card = lowest_one(left)
        if word(extra, word(extra, NUMBERS) + card) == chosen:
            return card
        left = left & wrap(left - 1)
    return lowest_one(legal)


@kernel
def rule_index(board: Board, context: Context, extra: Pointer, row: Pointer, count: int) -> int:
    """Return the option that simple rules choose."""
    chosen = rule_number(board, extra, legal_cards(board, context, extra, row, count))
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
    for i in range(size(board, slot)):
        number = word(extra, word(extra, NUMBERS) + card_lying(board, slot, i))
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
def passed_card(board: Board, extra: Pointer, legal: int) -> int:
    """Return the card that is most dangerous to keep."""
    guarded = is_guarded(board, extra, player(board))
    best = 0
    most = LEAST
    left = legal
    while left != 0:
        card = lowest_one(left)
        found = danger(extra, word(extra, word(extra, NUMBERS) + card), guarded)
        if found > most:
            most = found
            best = card
        left = left & wrap(left - 1)
    return best


@kernel
def policy_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Return the card taken in a playout at a choice between single cards."""
    extra = context.extra
    if shift_right(next_bits(stream), 48) < word(extra, CHANCE):
        return nth_one(legal, below(stream, count_ones(legal)))
    if board.pc == word(extra, PLAY):
        return rule_card(board, extra, legal)
    return passed_card(board, extra, legal)


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
def settled_card(board: Board, context: Context, stream: Stream, legal: int) -> int:
    """Let others pass card by card by the policy too."""
    extra = context.extra
    if board.pc == word(extra, PLAY):
        return -1
    return policy_card(board, context, stream, legal)


@kernel
def preferred(board: Board, context: Context, count: int) -> int:
    """Let trees first try what the rules prefer."""
    extra = context.extra
    row = choice_row(board, extra)
    if board.pc == word(extra, PLAY) and plays_cards(extra, row):
        return rule_index(board, context, extra, row, count)
    return -1


@kernel
def preferred_card(board: Board, context: Context, legal: int) -> int:
    """Let trees first try the card that the rules prefer."""
    extra = context.extra
    if board.pc == word(extra, PLAY):
        return rule_card(board, extra, legal)
    return -1


@kernel
def play_out(board: Board, context: Context, streams: Stream) -> int:
    """Play to the end of the deal, every seat with its own random stream; 0 at the end."""
    return play_by_policy(board, context, streams)


@kernel
def give_rewards(search: Search, board: Board, context: Context) -> int:
    """Write the rewards of the deal: in a match the chance to win it, else those requested."""
    extra = context.extra
    ends = search.ends
    end = word(extra, END)
    if end == 0:
        if points(board, context, ends) < 0:
            return -1
        search.gained = word(ends, search.seat)
        write_rewards(search, ends, search.rewards)
        return 0
    if scores(board, context, ends) < 0:
        return -1
    search.gained = wrap(word(ends, search.seat) - word(ends, PLAYERS + search.seat))
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


EXPORTED = (
    play_out,
    policy,
    policy_card,
    settled,
    settled_card,
    preferred,
    preferred_card,
    give_rewards,
)
