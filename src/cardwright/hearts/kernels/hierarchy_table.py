"""What a deciding seat sees, as sets of cards: the kernels' version of `cardwright.hearts.table`.

Game data and intermediate results are in the `extra` memory of a context, as words of 8 bytes, at
the offsets below; `cardwright.hearts.native` writes them. Cards have the numbers of
`cardwright.hearts.cards`, 16 * suit + rank, and sets of cards are bits.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Board, Pointer
from cardwright.compiler.kernels.locations import card_lying, size

QUEEN, ABOVE, PENALTIES, PACK, FREE, BROKEN = range(6)
"""Words for sets of cards, whether hearts can always be led, and which stored integer says whether
they may be led, or -1."""

PLAY, PASS, LAY, PASSES, PASSING, PASSED, LAYS = range(6, 13)
"""The program's choices of cards to play, to pass and to lay aside, or -1; how many cards each seat
passes, in which way, and which integer counts them; how many it lays aside."""

WIDOW, WIDOW_TO, REMOVED, BONUSES, MOON_TOTAL = range(13, 18)
"""The slots of the widow and of the cards out of play, or -1, and who wins the widow; the set of
the cards with a negative cost; what all cards count towards the moon."""

PILES, FEES, NUMBERS, COSTS, DEAR, MOON = range(18, 24)
"""Offsets, in words, of: the slots of the piles of all seats (tricks, hands, cards won, cards laid
aside), the integers with their extra fees, the number of every card, the cost of every number, the
sets of penalty cards, the highest cost first, preceded by their number, and what every number
counts towards the moon."""

TRICKS, HANDS, WON, ASIDE = range(4)
"""The piles of a seat."""

TOGETHER, SINGLY, ROUNDS = range(3)
"""Ways to pass: all cards at once, one at a time, or one card by every seat in turn."""

NOBODY, A_TRICK, A_HEART = range(3)
"""What wins the widow: nothing, any trick (the last or the first, as the program has it), a trick
with a heart."""

SEAT, KIND, HAND, LEGAL, TRICK, LED, POSITION, BEATING, STAKE, TO_GO, GONE = range(24, 35)
UNSEEN, UNSEEN_READ, DONE = range(35, 38)
"""What the deciding seat sees; `GONE` is the number of cards already chosen, besides `TO_GO` still
to choose, and `UNSEEN` is computed only when needed. `DONE` counts the decisions of the game."""

MOST_PLAYERS = 16
SEEDS = 38
MADE = SEEDS + MOST_PLAYERS
ORDERED = MADE + MOST_PLAYERS
HEAD_WORDS = ORDERED + 64
"""Offsets of: each seat's random seed, the number of decisions it has made, and the selectable
cards in the order of the options. After these words comes data of variable length."""

SUIT = 0xFFFF
HEART_SUIT = op.wrap(SUIT << 48)

RANK = 1 | 1 << 16 | 1 << 32 | 1 << 48
"""The cards of rank 0; shifted by a rank, the cards of that rank."""


@kernel
def _ranks_of(cards: int) -> int:
    pairs = cards | op.shift_right(cards, 32)
    return (pairs | op.shift_right(pairs, 16)) & SUIT


@kernel
def highest_of(cards: int) -> int:
    """Return the cards of the highest rank in a set."""
    if cards == 0:
        return 0
    return cards & op.wrap(RANK << op.highest_one(_ranks_of(cards)))


@kernel
def lowest_of(cards: int) -> int:
    """Return the cards of the lowest rank in a set."""
    if cards == 0:
        return 0
    return cards & op.wrap(RANK << op.lowest_one(_ranks_of(cards)))


@kernel
def suit_set(card: int) -> int:
    """Return all cards of a card's suit."""
    return op.wrap(SUIT << (card & 48))


@kernel
def higher_set(card: int) -> int:
    """Return all cards of a card's suit that are higher."""
    return suit_set(card) & op.wrap(-(2 << card))


@kernel
def card_number(extra: Pointer, card: int) -> int:
    """Return the number of a card by its id."""
    return extra[extra[NUMBERS] + card]


@kernel
def pile_set(board: Board, extra: Pointer, slot: int) -> int:
    """Return the cards of a slot; none for -1."""
    cards = 0
    if slot >= 0:
        for at in range(size(board, slot)):
            cards = cards | 1 << card_number(extra, card_lying(board, slot, at))
    return cards


@kernel
def slot_of(extra: Pointer, pile: int, seat: int) -> int:
    """Return the slot of a pile of a seat; -1 if there is none."""
    return extra[extra[PILES] + pile * engine.PLAYERS + seat]


@kernel
def read_trick(board: Board, extra: Pointer, seat: int) -> None:
    """Read the trick from the point of view of the seat that plays next or leads."""
    trick = 0
    stake = 0
    position = 0
    led = 0
    for step in range(1, engine.PLAYERS):
        slot = slot_of(extra, TRICKS, (seat + engine.PLAYERS - step) % engine.PLAYERS)
        if size(board, slot) == 0:
            break
        led = card_number(extra, card_lying(board, slot, 0))
        trick = trick | 1 << led
        stake += extra[extra[COSTS] + led]
        position += 1
    beating = 0
    if trick != 0:
        beating = higher_set(op.highest_one(trick & suit_set(led)))
    extra[TRICK] = trick
    extra[LED] = suit_set(led)
    extra[POSITION] = position
    extra[BEATING] = beating
    extra[STAKE] = stake


@kernel
def see(board: Board, extra: Pointer, seat: int, kind: int) -> None:
    """Read what the deciding seat sees: all except the selectable cards."""
    extra[SEAT] = seat
    extra[KIND] = kind
    extra[HAND] = pile_set(board, extra, slot_of(extra, HANDS, seat))
    extra[UNSEEN_READ] = 0
    extra[TO_GO] = 1
    extra[GONE] = 0
    read_trick(board, extra, seat)


@kernel
def won_set(board: Board, extra: Pointer) -> int:
    """Return all cards that have been won in this deal."""
    won = 0
    for seat in range(engine.PLAYERS):
        won = won | pile_set(board, extra, slot_of(extra, WON, seat))
    return won


@kernel
def unseen_set(board: Board, extra: Pointer) -> int:
    """Return the cards that may be held by others, or by nobody, for all the seat knows."""
    if extra[UNSEEN_READ] == 0:
        seen = extra[HAND] | extra[TRICK] | won_set(board, extra)
        seen = seen | pile_set(board, extra, extra[REMOVED])
        seen = seen | pile_set(board, extra, slot_of(extra, ASIDE, extra[SEAT]))
        extra[UNSEEN] = extra[PACK] & ~seen
        extra[UNSEEN_READ] = 1
    return extra[UNSEEN]


@kernel
def paid(board: Board, extra: Pointer, seat: int) -> int:
    """Return what a seat has taken so far in this deal, ignoring the moon."""
    fee = extra[extra[FEES] + seat]
    total: int = 0
    if fee >= 0:
        total = board.integers[fee]
    return total + won_sum(board, extra, extra[COSTS], seat)


@kernel
def won_sum(board: Board, extra: Pointer, worths: int, seat: int) -> int:
    """Return what a seat's won cards are worth by a table of numbers, given by its offset."""
    slot = slot_of(extra, WON, seat)
    total = 0
    for at in range(size(board, slot)):
        total += extra[worths + card_number(extra, card_lying(board, slot, at))]
    return total


@kernel
def is_last(extra: Pointer) -> bool:
    """Say whether the seat is the last to play to the trick."""
    return extra[POSITION] == engine.PLAYERS - 1
