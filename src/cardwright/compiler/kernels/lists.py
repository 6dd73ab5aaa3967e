"""Kernels over lists of cards in the arena of a context.

A list is its number of cards (8 bytes) and the cards; a vector is its number of items and the
items, 8 bytes each. Both are identified by their offset in the arena, and new ones go at its `top`.
Functions that make one return -1 if there is no room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import Pointer, copy, load, offset, store
from cardwright.compiler.kernel import kernel

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

CARD_BYTES = 1
SLACK = 24


@kernel(inline=Inline.ALWAYS)
def card_in(cards: Pointer, at: int) -> int:
    """Return the card at a position."""
    return load(offset(cards, at * CARD_BYTES), CARD_BYTES)


@kernel(inline=Inline.ALWAYS)
def lay(cards: Pointer, at: int, card: int) -> None:
    """Put a card at a position."""
    store(offset(cards, at * CARD_BYTES), card, CARD_BYTES)


@kernel(inline=Inline.ALWAYS)
def word(items: Pointer, at: int) -> int:
    """Return the item at a position of a vector's items."""
    return load(offset(items, 8 * at), 8)


@kernel(inline=Inline.ALWAYS)
def put_word(items: Pointer, at: int, value: int) -> None:
    """Put an item at a position of a vector's items."""
    store(offset(items, 8 * at), value, 8)


@kernel
def find_wide(cards: Pointer, count: int, card: int) -> int:
    """Return the first position of a card, or the number of cards if it is not there."""
    for at in range(count):
        if card_in(cards, at) == card:
            return at
    return count


@kernel
def reserve_bytes(context: Context, size: int) -> int:
    """Return the offset of new memory, in whole words."""
    base: int = context.top
    end = base + ((size + 7) & -8)
    if end > context.arena_end:
        return -1
    context.top = end
    return base


@kernel
def reserve_words(context: Context, count: int) -> int:
    """Return the offset of memory for integers."""
    return reserve_bytes(context, 8 * count)


@kernel
def new_list(context: Context, count: int) -> int:
    """Return a new list of a number of cards, which are still to be filled in."""
    base = reserve_bytes(context, 8 + count * CARD_BYTES + SLACK)
    if base >= 0:
        store(offset(context.arena, base), count, 8)
    return base


@kernel
def copy_list(context: Context, cards: Pointer, count: int) -> int:
    """Return a new list with these cards."""
    base = new_list(context, count)
    if base >= 0:
        copy(offset(context.arena, base + 8), cards, count * CARD_BYTES)
    return base


@kernel
def keep_list(context: Context, which: int) -> int:
    """Return a copy of a list that stays valid until options are searched again."""
    count = load(offset(context.arena, which), 8)
    size = (8 + count * CARD_BYTES + SLACK + 7) & -8
    base: int = context.kept
    if base + size > context.kept_end:
        return -1
    context.kept = base + size
    copy(offset(context.arena, base), offset(context.arena, which), 8 + count * CARD_BYTES)
    return base


@kernel
def leave(which: Pointer, at: int) -> None:
    """Take the card at a position out of a list."""
    count = load(which, 8) - 1
    cards = offset(which, 8)
    for i in range(at, count):
        lay(cards, i, card_in(cards, i + 1))
    store(which, count, 8)


@kernel
def drop_repeated(cards: Pointer, count: int) -> int:
    """Keep only the first occurrence of each card; return how many are left."""
    kept = 0
    for i in range(count):
        card = card_in(cards, i)
        if find_wide(cards, kept, card) == kept:
            lay(cards, kept, card)
            kept += 1
    return kept


@kernel
def sort_cards(cards: Pointer, scores: Pointer, count: int) -> None:
    """Sort cards by ascending score; equal ones keep their order."""
    for i in range(1, count):
        card = card_in(cards, i)
        score = word(scores, i)
        at = i
        while at > 0 and word(scores, at - 1) > score:
            lay(cards, at, card_in(cards, at - 1))
            put_word(scores, at, word(scores, at - 1))
            at -= 1
        lay(cards, at, card)
        put_word(scores, at, score)


@kernel
def end_run(
    context: Context, cards: Pointer, scores: Pointer, count: int, least: int, top: int
) -> int:
    """Return the longest run that the last (or first) cards form in any order, sorted."""
    mark = context.top
    length = count
    while length >= least:
        context.top = mark
        start = count - length if top else 0
        found = copy_list(context, offset(cards, start * CARD_BYTES), length)
        sorting = reserve_words(context, length)
        if found < 0 or sorting < 0:
            return -1
        run = offset(context.arena, found + 8)
        values = offset(context.arena, sorting)
        copy(values, offset(scores, 8 * start), 8 * length)
        sort_cards(run, values, length)
        at = 1
        while at < length and follows(word(values, at - 1), word(values, at)):
            at += 1
        if at >= length:
            return found
        length -= 1
    context.top = mark
    return new_list(context, 0)


LARGEST = 9223372036854775807


@kernel(inline=Inline.ALWAYS)
def follows(low: int, high: int) -> bool:
    """Return whether a score is the next after another."""
    return low != LARGEST and high == low + 1


@kernel
def together(context: Context, parts: int) -> int:
    """Return the concatenation of a vector of lists."""
    number = load(offset(context.arena, parts), 8)
    total = 0
    for i in range(number):
        total += load(offset(context.arena, part_of(context, parts, i)), 8)
    base = new_list(context, total)
    if base < 0:
        return -1
    at = 0
    for i in range(number):
        part = part_of(context, parts, i)
        count = load(offset(context.arena, part), 8)
        target = offset(context.arena, base + 8 + at * CARD_BYTES)
        copy(target, offset(context.arena, part + 8), count * CARD_BYTES)
        at += count
    return base


@kernel(inline=Inline.ALWAYS)
def part_of(context: Context, parts: int, at: int) -> int:
    """Return the list at a position of a vector."""
    return load(offset(context.arena, parts + 8 + 8 * at), 8)


@kernel
def intersect(context: Context, parts: int) -> int:
    """Return the cards that are in every list of a vector, each once, by first occurrence."""
    base = together(context, parts)
    if base < 0:
        return -1
    number = load(offset(context.arena, parts), 8)
    cards = offset(context.arena, base + 8)
    count = drop_repeated(cards, load(offset(context.arena, base), 8))
    kept = 0
    for i in range(count):
        card = card_in(cards, i)
        everywhere = True
        for j in range(number):
            part = part_of(context, parts, j)
            size = load(offset(context.arena, part), 8)
            if find_wide(offset(context.arena, part + 8), size, card) == size:
                everywhere = False
        if everywhere:
            lay(cards, kept, card)
            kept += 1
    store(offset(context.arena, base), kept, 8)
    return base


@kernel
def disjoin(context: Context, parts: int) -> int:
    """Return the cards that occur exactly once in all lists of a vector together."""
    base = together(context, parts)
    if base < 0:
        return -1
    count = load(offset(context.arena, base), 8)
    result = new_list(context, count)
    if result < 0:
        return -1
    cards = offset(context.arena, base + 8)
    kept = 0
    for i in range(count):
        card = card_in(cards, i)
        times = 0
        for j in range(count):
            if card_in(cards, j) == card:
                times += 1
        if times == 1:
            lay(offset(context.arena, result + 8), kept, card)
            kept += 1
    store(offset(context.arena, result), kept, 8)
    return result
