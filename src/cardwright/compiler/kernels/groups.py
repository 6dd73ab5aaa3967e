"""Kernels that make sets of groups of cards: subsets, partitions, tuples and runs.

Runs are also found of cards that are bits, of card numbers or of positions in a list. There
`scores` and `masks` are two arrays of words: the different scores of some cards, ascending, and the
cards with each.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Context, Pointer
from cardwright.compiler.kernels.lists import (
    card_in,
    follows,
    lay,
    list_at,
    new_list,
    reserve_words,
)

MOST_ITEMS = 1_000_000
ALL_BITS = 2**62 - 1
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
    sign = 2 if size == wanted else 1 if size < wanted else 4
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
    while which < ALL_BITS and not passes(op.count_ones(which), wanted, relation):
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
    return carried | op.shift_right(subset ^ carried, 2 + op.lowest_one(subset))


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
    numbers = reserve_words(context, engine.STRINGS)
    sizes = reserve_words(context, count)
    if result < 0 or numbers < 0 or sizes < 0:
        return -1
    number_of = list_at(context, numbers)
    size_of = list_at(context, sizes)
    op.clear(number_of, 8 * engine.STRINGS)
    groups = 0
    for i in range(count):
        value = values[i]
        group = number_of[value]
        if group == 0:
            groups += 1
            group = groups
            number_of[value] = group
            size_of[group - 1] = 0
        size_of[group - 1] += 1
    lists = list_at(context, result) + 1
    for i in range(groups):
        made = new_list(context, size_of[i])
        if made < 0:
            return -1
        lists[i] = made
        size_of[i] = 0
    for i in range(count):
        group = number_of[values[i]] - 1
        at = size_of[group]
        lay(list_at(context, lists[group]) + 1, at, card_in(cards, i))
        size_of[group] = at + 1
    list_at(context, result)[0] = groups
    return result


@kernel
def _same_scores(scores: Pointer, count: int, start: int) -> int:
    end = start + 1
    while end < count and scores[end] == scores[start]:
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
        end = _same_scores(scores, count, start)
        if wanted <= end - start:
            places = list_at(context, picks)
            for i in range(wanted):
                places[i] = start + i
            at = 0
            while at >= 0:
                if found == MOST_ITEMS:
                    return -2
                group = new_list(context, wanted)
                if group < 0:
                    return -1
                for i in range(wanted):
                    lay(list_at(context, group) + 1, i, card_in(cards, places[i]))
                found += 1
                list_at(context, result)[found] = group
                at = wanted - 1
                while at >= 0 and places[at] == end - wanted + at:
                    at -= 1
                if at >= 0:
                    places[at] += 1
                    for i in range(at + 1, wanted):
                        places[i] = places[i - 1] + 1
        start = end
    list_at(context, result)[0] = found
    return result


@kernel
def _stretch_end(scores: Pointer, count: int, start: int) -> int:
    end = _same_scores(scores, count, start)
    while end < count and follows(scores[end - 1], scores[end]):
        end = _same_scores(scores, count, end)
    return end


@kernel(inline=Inline.ALWAYS)
def _product_of(product: int, ways: int) -> int:
    return UNBOUNDED if product > UNBOUNDED // ways else product * ways


@kernel
def _sum_of(left: int, right: int) -> int:
    return UNBOUNDED if left > UNBOUNDED - right else left + right


@kernel
def count_runs(cards: Pointer, scores: Pointer, count: int, least: int, every: int) -> int:
    """Return how many runs there are: for each stretch, the choices of one card per score."""
    total = 0
    low = 0
    while low < count:
        end = _stretch_end(scores, count, low)
        at = low
        levels = 0
        product = 1
        while at < end:
            after = _same_scores(scores, end, at)
            product = _product_of(product, after - at)
            levels += 1
            at = after
            if levels >= least and (every or at == end):
                total = _sum_of(total, product)
        low = _same_scores(scores, end, low) if every else end
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
    list_at(context, result)[0] = 0
    low = 0
    while low < count:
        end = _stretch_end(scores, count, low)
        at = low
        levels = 0
        while at < end:
            at = _same_scores(scores, end, at)
            levels += 1
            if levels >= least and (every or at == end):
                if not add_runs(context, cards, scores, count, low, levels, result, picks):
                    return -1
        low = _same_scores(scores, end, low) if every else end
    return result


@kernel
def add_runs(
    context: Context, cards: Pointer, scores: Pointer, count: int, start: int, levels: int,
    result: int, picks: int,
) -> bool:  # fmt: skip
    """Add every choice of one card per score, the highest score varying fastest."""
    made = list_at(context, result)
    places = list_at(context, picks)
    at = start
    for i in range(levels):
        end = _same_scores(scores, count, at)
        places[3 * i] = at
        places[3 * i + 1] = end
        places[3 * i + 2] = at
        at = end
    level = 0
    while level >= 0:
        group = new_list(context, levels)
        if group < 0:
            return False
        for i in range(levels):
            lay(list_at(context, group) + 1, i, card_in(cards, places[3 * i + 2]))
        made[0] += 1
        made[made[0]] = group
        level = levels - 1
        while level >= 0 and places[3 * level + 2] + 1 == places[3 * level + 1]:
            places[3 * level + 2] = places[3 * level]
            level -= 1
        if level >= 0:
            places[3 * level + 2] += 1
    return True


@kernel
def add_level(scores: Pointer, masks: Pointer, levels: int, score: int, bit: int) -> int:
    """Add a card to those with its score, and return how many different scores there are."""
    at = levels
    while at > 0 and scores[at - 1] > score:
        at -= 1
    if at > 0 and scores[at - 1] == score:
        masks[at - 1] |= bit
        return levels
    i = levels
    while i > at:
        scores[i] = scores[i - 1]
        masks[i] = masks[i - 1]
        i -= 1
    scores[at] = score
    masks[at] = bit
    return levels + 1


@kernel
def same_stretch(scores: Pointer, levels: int, at: int) -> bool:
    """Return whether there is a next score, and it is higher by one."""
    return at + 1 < levels and follows(scores[at], scores[at + 1])


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
            product = times(product, op.count_ones(masks[at]))
            length += 1
            going = same_stretch(scores, levels, at)
            whole = every != 0 or not going
            if whole and length >= least and length >= first:
                total = _sum_of(total, product)
            going = going and length < last
            at += 1
        if not same_stretch(scores, levels, start):
            stretch = start + 1
    return total


@kernel
def mask_runs(
    context: Context, scores: Pointer, masks: Pointer, levels: int, least: int, every: int,
    first: int, last: int,
) -> int:  # fmt: skip
    """Return a vector of runs: by lowest score, then length, then the bits of the cards."""
    number = count_mask_runs(scores, masks, levels, least, every, first, last)
    result = reserve_words(context, number + 1)
    picks = reserve_words(context, levels)
    if result < 0 or picks < 0:
        return -1
    items = list_at(context, result + 8)
    chosen = list_at(context, picks)
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
    list_at(context, result)[0] = found
    return result


@kernel
def choose_runs(
    masks: Pointer, start: int, length: int, items: Pointer, found: int, chosen: Pointer
) -> int:
    """Add every choice of one card per score, the highest score varying fastest."""
    run = 0
    for i in range(length):
        mask = masks[start + i]
        chosen[i] = mask & -mask
        run |= mask & -mask
    level = 0
    while level >= 0:
        items[found] = run
        found += 1
        level = length - 1
        going = True
        while going:
            mask = masks[start + level]
            bit = chosen[level]
            above = mask & ~(bit | (bit - 1))
            run &= ~bit
            fresh = above if above != 0 else mask
            chosen[level] = fresh & -fresh
            run |= fresh & -fresh
            going = above == 0
            if going:
                level -= 1
                going = level >= 0
    return found
