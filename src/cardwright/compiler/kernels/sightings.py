"""Kernels for what seats see happen: each event goes into a chained hash for every seat.

The `extra` memory of a context has, in words of 8 bytes: whether events happen now, or are only
tried; for how many choices there are entries (`recall.py`); two words for each seat, its chain, and
two for a spectator, who sees what all see; then as `information.py` says. The chains take words,
each a hash of one event as the seat sees it.

A chain is 128 bits: two hashes of 64 bits that differ in their multipliers and in how they take a
word in. Each is a bijection of its state for a given word, so that histories can only meet in both
by chance: among n different histories that has a probability of about n^2 / 2^129, for a million
million of them 10^-15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import Pointer, rotate_left, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.content import GOLDEN, joined, scattered
from cardwright.compiler.kernels.determinise import MEMORY, VISIBLE, sees
from cardwright.compiler.kernels.engine import back, slot_at, slot_kind, slot_name, slot_owner
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.locations import card_lying, size

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1
FIXED_SLOTS = 0
UNORDERED = 0
DEALT = 0
"""The slot from which cards are dealt as sets, plus 1; 0 for none."""

ACTIVE, ROOM, CHAINS = range(3)

OTHER = wrap(0xD1342543DE82EF95)
"""The multiplier of the second half of a chain, which is the state of another generator."""

MOVE, SWAP, EXCHANGE, SHUFFLE, STORE, REMEMBER, FORGET, TURN, QUEUE = range(1, 10)
STORAGES = ("integers", "strings", "points")
"""What is stored, by number."""

DECISION, DECIDES, END, SIGHT, UNSEEN_PICK, PLACE_PICK = range(10, 16)
"""Sorts of events, and of picks."""


@kernel
def chain_on(memory: Pointer, seat: int, event: int) -> None:
    """Add an event to the chain of a seat."""
    at = CHAINS + 2 * seat
    first = word(memory, at)
    second = word(memory, at + 1)
    put_word(memory, at, joined(first, event))
    put_word(memory, at + 1, scattered(wrap((rotate_left(second, 32) ^ event) * OTHER + GOLDEN)))


@kernel
def chain_all(memory: Pointer, event: int) -> None:
    """Add an event that everybody sees alike to all chains."""
    for seat in range(PLAYERS + 1):
        chain_on(memory, seat, event)


@kernel
def chain_dealt(memory: Pointer, seat: int, event: int) -> None:
    """Add to the chain of a seat that a card was dealt: the order of several in a row is no matter.

    Cards are dealt as sets where their order tells nobody anything (`deferral.dealt_place`).
    """
    at = CHAINS + 2 * seat
    put_word(memory, at, wrap(word(memory, at) + scattered(event)))
    other = scattered(wrap(event * OTHER + GOLDEN))
    put_word(memory, at + 1, wrap(word(memory, at + 1) + other))


@kernel
def witnesses(board: Board, slot: int, seat: int) -> bool:
    """Return whether a seat sees the cards of a location; the last is the spectator's."""
    if seat == PLAYERS:
        kind = slot_kind(board, slot)
        return kind == VISIBLE or kind == MEMORY
    return sees(board, slot, seat)


@kernel
def place_word(board: Board, slot: int) -> int:
    """Return what stands for a location: its slot, or a hash of what one made in play is."""
    if slot < FIXED_SLOTS:
        return slot
    key = joined(joined(FIXED_SLOTS, slot_owner(board, slot)), slot_kind(board, slot))
    return joined(joined(key, slot_name(board, slot)), slot_at(board, slot))


@kernel
def back_word(card: int) -> int:
    """Return what stands for a card of which only the back is seen; a card is one more than it."""
    return -1 - back(card)


@kernel
def saw_move(board: Board, context: Context, card: int, source: int, target: int) -> None:
    """A card has gone from one location to another: who sees either end sees it."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        event = joined(joined(MOVE, place_word(board, source)), place_word(board, target))
        known = joined(event, card + 1)
        unknown = joined(event, back_word(card))
        for seat in range(PLAYERS + 1):
            seen = witnesses(board, source, seat) or witnesses(board, target, seat)
            if source + 1 == DEALT and target < UNORDERED:
                chain_dealt(memory, seat, known if seen else unknown)
            else:
                chain_on(memory, seat, known if seen else unknown)


@kernel
def saw_deal(board: Board, context: Context, source: int, target: int, count: int) -> None:
    """A number of cards are about to be dealt from the top of a pile."""
    last: int = board.count[source] - count
    for i in range(count):
        saw_move(board, context, board.card[source, last + i], source, target)


@kernel
def saw_swap(board: Board, context: Context, left: int, card: int, right: int, other: int) -> None:
    """A card at one location and one at another have changed places."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        event = joined(joined(SWAP, place_word(board, left)), place_word(board, right))
        known = joined(joined(event, card + 1), other + 1)
        unknown = joined(joined(event, back_word(card)), back_word(other))
        for seat in range(PLAYERS + 1):
            seen = witnesses(board, left, seat) or witnesses(board, right, seat)
            chain_on(memory, seat, known if seen else unknown)


@kernel
def saw_exchange(board: Board, context: Context, left: int, right: int) -> None:
    """Two locations are about to exchange their cards: who sees one of them sees all."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        event = joined(joined(EXCHANGE, place_word(board, left)), place_word(board, right))
        known = cards_word(board, right, cards_word(board, left, event))
        for seat in range(PLAYERS + 1):
            seen = witnesses(board, left, seat) or witnesses(board, right, seat)
            chain_on(memory, seat, known if seen else event)


@kernel
def cards_word(board: Board, slot: int, key: int) -> int:
    """Return a hash of a key and the cards of a location, as they lie."""
    count = size(board, slot)
    key = joined(key, count)
    for i in range(count):
        key = joined(key, card_lying(board, slot, i))
    return key


@kernel
def saw_shuffle(board: Board, context: Context, slot: int) -> None:
    """A location with cards has been shuffled: who sees it sees the new order."""
    memory = context.extra
    if word(memory, ACTIVE) != 0 and size(board, slot) > 0:
        event = joined(SHUFFLE, place_word(board, slot))
        known = cards_word(board, slot, event)
        for seat in range(PLAYERS + 1):
            chain_on(memory, seat, known if witnesses(board, slot, seat) else event)


@kernel
def saw_reference(board: Board, context: Context, event: int, slot: int, card: int) -> None:
    """A reference to a card was put into a memory location or taken out, which all see."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        chain_all(memory, joined(joined(event, place_word(board, slot)), card))


@kernel
def saw_stored(context: Context, storage: int, cell: int, value: int) -> None:
    """A value was stored, which all see."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        chain_all(memory, joined(joined(joined(STORE, storage), cell), value))


@kernel
def saw_turn(context: Context, event: int, seat: int) -> None:
    """A player has become current, or is queued, which all see."""
    memory = context.extra
    if word(memory, ACTIVE) != 0:
        chain_all(memory, joined(event, seat))
