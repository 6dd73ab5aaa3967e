"""Kernels that make sets of groups of cards: partitions, tuples and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    count_ones,
    lowest_one,
    offset,
    shift_right,
    store,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import (
    card_in,
    follows,
    lay,
    new_list,
    put_word,
    reserve_words,
    word,
)

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

MOST_ITEMS = 1_000_000
ALL_BITS = 2**62 - 1
STRINGS = 1
UNBOUNDED = 2**63 - 1


@kernel
def subsets_of_size(cards: int, size: int, least: int) -> int:
    """Return how many subsets of a size there are; if more than MOST_ITEMS, some number above it.

    There are none of a negative size.
    """
    if size < least or size > cards:
        return 0
    rest = cards - size if cards - size < size else size
    ways = 1
    for i in range(rest):
        if ways > MOST_ITEMS:
            return ways
        ways = ways * (cards - i) // (i + 1)
    return ways


@kernel
def passes(size: int, wanted: int, relation: int) -> bool:
    """Return whether a size is smaller than (1), equal to (2) or larger than (4) that wanted."""
    sign = 1 if size < wanted else 4
    if size == wanted:
        sign = 2
    return relation & sign != 0


@kernel
def subsets_related(cards: int, wanted: int, relation: int, least: int, chosen: int) -> int:
    """Return how many subsets of some cards there are whose size passes a test.

    So many other cards are `chosen` already, and count. If there are more than MOST_ITEMS, the
    result is some number above it; of all sizes there are few enough cards.
    """
    if relation == 7:
        return (1 << cards) - least
    found = 0
    for size in range(cards + 1):
        if size + chosen >= least and passes(size + chosen, wanted, relation):
            found += subsets_of_size(cards, size, 0)
    return found


@kernel
def next_passing(least: int, wanted: int, relation: int) -> int:
    """Return the first integer from `least` on with a number of bits that passes a test.

    Where the bits are too many, adding the lowest one skips only integers with as many or more; too
    few are filled up from below.
    """
    which = least
    while which < ALL_BITS and not passes(count_ones(which), wanted, relation):
        if relation & 1 == 0:
            which |= which + 1
        elif relation & 4 != 0:
            which += 1
        elif which == 0:
            return 0
        else:
            which += which & -which
    return which


@kernel
def first_subset(cards: int, wanted: int, relation: int, least: int) -> int:
    """Return the first subset whose size passes a test, with a bit for each card."""
    if relation != 2:
        return next_passing(least, wanted, relation)
    if wanted < 0 or wanted > cards:
        return 0
    return (1 << wanted) - 1


@kernel
def next_subset(subset: int, wanted: int, relation: int) -> int:
    """Return the subset after one, of those whose size passes a test.

    Of those of one size it is the next larger integer with as many bits set (Gosper, HAKMEM, item
    175).
    """
    if relation != 2:
        return next_passing(subset + 1, wanted, relation)
    if subset == 0:
        return 0
    lowest = subset & -subset
    carried = subset + lowest
    return carried | shift_right(subset ^ carried, 2 + lowest_one(subset))


@kernel
def nth_subset(cards: int, wanted: int, relation: int, least: int, number: int) -> int:
    """Return the subset of a number, counted from 0, of those whose size passes a test."""
    if relation == 7:
        return number + least
    which = 0
    chosen = 0
    left = number
    at = cards - 1
    while at >= 0:
        below = subsets_related(at, wanted, relation, least, chosen)
        if left >= below:
            left -= below
            which |= 1 << at
            chosen += 1
        at -= 1
    return which


@kernel
def partition(context: Context, cards: Pointer, values: Pointer, count: int) -> int:
    """Return a vector of lists: the cards with each value, values in order of appearance."""
    result = reserve_words(context, count + 1)
    numbers = reserve_words(context, STRINGS)
    sizes = reserve_words(context, count)
    if result < 0 or numbers < 0 or sizes < 0:
        return -1
    number_of = offset(context.arena, numbers)
    size_of = offset(context.arena, sizes)
    clear(number_of, 8 * STRINGS)
    groups = 0
    for i in range(count):
        value = word(values, i)
        group = word(number_of, value)
        if group == 0:
            groups += 1
            group = groups
            put_word(number_of, value, group)
            put_word(size_of, group - 1, 0)
        put_word(size_of, group - 1, word(size_of, group - 1) + 1)
    lists = offset(context.arena, result + 8)
    for i in range(groups):
        made = new_list(context, word(size_of, i))
        if made < 0:
            return -1
        put_word(lists, i, made)
        put_word(size_of, i, 0)
    for i in range(count):
        group = word(number_of, word(values, i)) - 1
        at = word(size_of, group)
        lay(offset(context.arena, word(lists, group) + 8), at, card_in(cards, i))
        put_word(size_of, group, at + 1)
    store(offset(context.arena, result), groups, 8)
    return result


@kernel
def same_scores(scores: Pointer, count: int, start: int) -> int:
    """Return the end of the stretch of equal scores that begins at a position."""
    end = start + 1
    while end < count and word(scores, end) == word(scores, start):
        end += 1
    return end


@kernel
def tuples(context: Context, cards: Pointer, scores: Pointer, count: int, wanted: int) -> int:
    """Return a vector of all groups of a number of cards of one score; -2 if there are too many.

    The cards are sorted by score. Groups come in lexicographic order of positions.
    """
    result = reserve_words(context, MOST_ITEMS + 1)
    if result < 0:
        return -1
    picks = reserve_words(context, min(wanted, count) + 1)
    if picks < 0:
        return -1
    found = 0
    start = 0
    while start < count:
        end = same_scores(scores, count, start)
        if wanted <= end - start:
            places = offset(context.arena, picks)
            for i in range(wanted):
                put_word(places, i, start + i)
            at = 0
            while at >= 0:
                if found == MOST_ITEMS:
                    return -2
                group = new_list(context, wanted)
                if group < 0:
                    return -1
                for i in range(wanted):
                    lay(offset(context.arena, group + 8), i, card_in(cards, word(places, i)))
                store(offset(context.arena, result + 8 + 8 * found), group, 8)
                found += 1
                at = wanted - 1
                while at >= 0 and word(places, at) == end - wanted + at:
                    at -= 1
                if at >= 0:
                    put_word(places, at, word(places, at) + 1)
                    for i in range(at + 1, wanted):
                        put_word(places, i, word(places, i - 1) + 1)
        start = end
    store(offset(context.arena, result), found, 8)
    return result


@kernel
def stretch_end(scores: Pointer, count: int, start: int) -> int:
    """Return the end of the stretch of consecutive scores that begins at a position."""
    end = same_scores(scores, count, start)
    while end < count and follows(word(scores, end - 1), word(scores, end)):
        end = same_scores(scores, count, end)
    return end


@kernel(inline=Inline.ALWAYS)
def product_of(product: int, ways: int) -> int:
    """Return how many choices there are with some more ways to choose."""
    return UNBOUNDED if product > UNBOUNDED // ways else product * ways


@kernel
def sum_of(left: int, right: int) -> int:
    """Return the sum of two numbers of runs."""
    return UNBOUNDED if left > UNBOUNDED - right else left + right


@kernel
def levels_of(scores: Pointer, start: int, end: int) -> int:
    """Return how many different scores there are between two positions."""
    levels = 0
    at = start
    while at < end:
        at = same_scores(scores, end, at)
        levels += 1
    return levels


@kernel
def count_runs(cards: Pointer, scores: Pointer, count: int, least: int, every: int) -> int:
    """Return how many runs there are: for each stretch, the choices of one card per score."""
    total = 0
    low = 0
    while low < count:
        end = stretch_end(scores, count, low)
        at = low
        levels = 0
        product = 1
        while at < end:
            after = same_scores(scores, end, at)
            product = product_of(product, after - at)
            levels += 1
            at = after
            if levels >= least and (every or at == end):
                total = sum_of(total, product)
        low = same_scores(scores, end, low) if every else end
    return total


@kernel
def runs(
    context: Context, cards: Pointer, scores: Pointer, count: int, least: int, every: int
) -> int:
    """Return a vector of runs: by lowest score, then length, then positions of the cards."""
    result = reserve_words(context, count_runs(cards, scores, count, least, every) + 1)
    picks = reserve_words(context, 3 * (count + 1))
    if result < 0 or picks < 0:
        return -1
    store(offset(context.arena, result), 0, 8)
    start = 0
    while start < count:
        end = stretch_end(scores, count, start)
        levels = levels_of(scores, start, end)
        if every:
            low = start
            for first in range(levels):
                length = least
                while length <= levels - first:
                    if not add_runs(context, cards, scores, count, low, length, result, picks):
                        return -1
                    length += 1
                low = same_scores(scores, count, low)
        elif levels >= least:
            if not add_runs(context, cards, scores, count, start, levels, result, picks):
                return -1
        start = end
    return result


@kernel
def add_runs(
    context: Context,
    cards: Pointer,
    scores: Pointer,
    count: int,
    start: int,
    levels: int,
    result: int,
    picks: int,
) -> bool:
    """Add every choice of one card per score, the highest score varying fastest."""
    places = offset(context.arena, picks)
    at = start
    for i in range(levels):
        end = same_scores(scores, count, at)
        put_word(places, 3 * i, at)
        put_word(places, 3 * i + 1, end)
        put_word(places, 3 * i + 2, at)
        at = end
    level = 0
    while level >= 0:
        group = new_list(context, levels)
        if group < 0:
            return False
        for i in range(levels):
            card = card_in(cards, word(places, 3 * i + 2))
            lay(offset(context.arena, group + 8), i, card)
        found = word(offset(context.arena, result), 0)
        put_word(offset(context.arena, result + 8), found, group)
        put_word(offset(context.arena, result), 0, found + 1)
        level = levels - 1
        while level >= 0 and word(places, 3 * level + 2) + 1 == word(places, 3 * level + 1):
            put_word(places, 3 * level + 2, word(places, 3 * level))
            level -= 1
        if level >= 0:
            put_word(places, 3 * level + 2, word(places, 3 * level + 2) + 1)
    return True
