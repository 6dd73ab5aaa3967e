"""Kernels that find runs of cards that are bits: of card numbers, or of positions in a list.

`scores` and `masks` are two arrays of words: the different scores of some cards, ascending, and the
cards with each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import Pointer, count_ones, load_signed, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.groups import sum_of
from cardwright.compiler.kernels.lists import follows, put_word, reserve_words, word

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

UNBOUNDED = 2**63 - 1


@kernel
def add_level(scores: Pointer, masks: Pointer, levels: int, score: int, bit: int) -> int:
    """Add a card to those with its score, and return how many different scores there are."""
    at = levels
    while at > 0 and load_signed(offset(scores, 8 * (at - 1)), 8) > score:
        at -= 1
    if at > 0 and load_signed(offset(scores, 8 * (at - 1)), 8) == score:
        put_word(masks, at - 1, word(masks, at - 1) | bit)
        return levels
    i = levels
    while i > at:
        put_word(scores, i, word(scores, i - 1))
        put_word(masks, i, word(masks, i - 1))
        i -= 1
    put_word(scores, at, score)
    put_word(masks, at, bit)
    return levels + 1


@kernel
def same_stretch(scores: Pointer, levels: int, at: int) -> bool:
    """Return whether there is a next score, and it is higher by one."""
    if at + 1 >= levels:
        return False
    low = load_signed(offset(scores, 8 * at), 8)
    return follows(low, load_signed(offset(scores, 8 * (at + 1)), 8))


@kernel(inline=Inline.ALWAYS)
def times(product: int, ways: int) -> int:
    """Return how many choices there are with some more ways to choose, 64 at most."""
    if product > UNBOUNDED // 64:
        return UNBOUNDED if product > UNBOUNDED // ways else product * ways
    return product * ways


@kernel
def count_mask_runs(
    scores: Pointer, masks: Pointer, levels: int, least: int, every: int, first: int, last: int
) -> int:
    """Return how many runs there are with a number of cards from `first` to `last`."""
    total = 0
    stretch = 0
    for start in range(levels):
        at = start
        product = 1
        length = 0
        going = every != 0 or start == stretch
        while going:
            ways = count_ones(word(masks, at))
            product = times(product, ways)
            length += 1
            going = same_stretch(scores, levels, at)
            whole = every != 0 or not going
            if whole and length >= least and length >= first:
                total = sum_of(total, product)
            going = going and length < last
            at += 1
        if not same_stretch(scores, levels, start):
            stretch = start + 1
    return total


@kernel
def mask_runs(
    context: Context,
    scores: Pointer,
    masks: Pointer,
    levels: int,
    least: int,
    every: int,
    first: int,
    last: int,
) -> int:
    """Return a vector of runs: by lowest score, then length, then the bits of the cards."""
    number = count_mask_runs(scores, masks, levels, least, every, first, last)
    result = reserve_words(context, number + 1)
    picks = reserve_words(context, levels)
    if result < 0 or picks < 0:
        return -1
    items = offset(context.arena, result + 8)
    chosen = offset(context.arena, picks)
    found = 0
    stretch = 0
    for start in range(levels):
        at = start
        length = 0
        going = every != 0 or start == stretch
        while going and length < last:
            length += 1
            going = same_stretch(scores, levels, at)
            whole = every != 0 or not going
            if whole and length >= least and length >= first:
                found = choose_runs(masks, start, length, items, found, chosen)
            at += 1
        if not same_stretch(scores, levels, start):
            stretch = start + 1
    put_word(offset(context.arena, result), 0, found)
    return result


@kernel
def choose_runs(
    masks: Pointer, start: int, length: int, items: Pointer, found: int, chosen: Pointer
) -> int:
    """Add every choice of one card per score, the highest score varying fastest."""
    run = 0
    for i in range(length):
        mask = word(masks, start + i)
        put_word(chosen, i, mask & -mask)
        run |= mask & -mask
    level = 0
    while level >= 0:
        put_word(items, found, run)
        found += 1
        level = length - 1
        going = True
        while going:
            mask = word(masks, start + level)
            bit = word(chosen, level)
            above = mask & ~(bit | (bit - 1))
            run &= ~bit
            fresh = above if above != 0 else mask
            put_word(chosen, level, fresh & -fresh)
            run |= fresh & -fresh
            going = above == 0
            if going:
                level -= 1
                going = level >= 0
    return found
