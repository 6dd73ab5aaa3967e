"""Kernels over lists of cards in the arena of a context.

A list is its number of cards (8 bytes) and the cards; a vector is its number of items and the
items, 8 bytes each. Both are identified by their offset in the arena, and new ones go at its `top`.
Functions that make one return -1 if there is no room.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import Inline, kernel
from cardwright.compiler.kernels import engine
from cardwright.compiler.kernels.engine import Context, Pointer
from cardwright.program.integers import LARGEST

SLACK = 24

FEW = 16
"""So many cards are sorted one by one; more of them are merged."""


@kernel(inline=Inline.ALWAYS)
def card_in(cards: Pointer, at: int) -> int:
    """Return the card at a position."""
    return op.load(op.offset(cards, at * engine.CARD_BYTES), engine.CARD_BYTES)


@kernel(inline=Inline.ALWAYS)
def lay(cards: Pointer, at: int, card: int) -> None:
    """Put a card at a position."""
    op.store(op.offset(cards, at * engine.CARD_BYTES), card, engine.CARD_BYTES)


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
    base = reserve_bytes(context, 8 + count * engine.CARD_BYTES + SLACK)
    if base >= 0:
        op.store(op.offset(context.arena, base), count, 8)
    return base


@kernel
def list_at(context: Context, which: int) -> Pointer:
    """Return where a list or a vector is."""
    return op.offset(context.arena, which)


@kernel
def copy_list(context: Context, cards: Pointer, count: int) -> int:
    """Return a new list with these cards."""
    base = new_list(context, count)
    if base >= 0:
        op.copy(op.offset(context.arena, base + 8), cards, count * engine.CARD_BYTES)
    return base


@kernel
def keep_list(context: Context, which: int) -> int:
    """Return a copy of a list that stays valid until options are searched again."""
    count = list_at(context, which)[0]
    size = (8 + count * engine.CARD_BYTES + SLACK + 7) & -8
    base: int = context.kept
    if base + size > context.kept_end:
        return -1
    context.kept = base + size
    op.copy(
        op.offset(context.arena, base),
        op.offset(context.arena, which),
        8 + count * engine.CARD_BYTES,
    )
    return base


@kernel
def leave(which: Pointer, at: int) -> None:
    """Take the card at a position out of a list."""
    count = which[0] - 1
    cards = which + 1
    for i in range(at, count):
        lay(cards, i, card_in(cards, i + 1))
    which[0] = count


@kernel
def card_numbers(context: Context) -> int:
    """Return the offset of memory with a 0 for each card."""
    base = reserve_words(context, engine.CARDS)
    if base >= 0:
        op.clear(op.offset(context.arena, base), 8 * engine.CARDS)
    return base


@kernel
def drop_repeated(context: Context, cards: Pointer, count: int) -> int:
    """Keep only the first occurrence of each card; return how many are left."""
    mark = context.top
    numbers = card_numbers(context)
    if numbers < 0:
        return -1
    context.top = mark
    seen = op.offset(context.arena, numbers)
    kept = 0
    for i in range(count):
        card = card_in(cards, i)
        if seen[card] == 0:
            seen[card] = 1
            lay(cards, kept, card)
            kept += 1
    return kept


@kernel
def sort_cards(context: Context, cards: Pointer, scores: Pointer, count: int) -> int:
    """Sort cards by ascending score; equal ones keep their order. Returns -1 without room."""
    start = 0
    while start < count:
        end = min(start + FEW, count)
        sort_few(cards, scores, start, end)
        start = end
    if count <= FEW:
        return 0
    mark = context.top
    spare = reserve_words(context, 2 * count)
    if spare < 0:
        return -1
    context.top = mark
    width = FEW
    while width < count:
        start = 0
        while start + width < count:
            end = min(start + 2 * width, count)
            merge(cards, scores, start, start + width, end, op.offset(context.arena, spare))
            start = end
        width *= 2
    return 0


@kernel
def sort_few(cards: Pointer, scores: Pointer, start: int, end: int) -> None:
    """Sort the cards between two positions, with their scores."""
    for i in range(start + 1, end):
        card = card_in(cards, i)
        score = scores[i]
        at = i
        while at > start and scores[at - 1] > score:
            lay(cards, at, card_in(cards, at - 1))
            scores[at] = scores[at - 1]
            at -= 1
        lay(cards, at, card)
        scores[at] = score


@kernel
def merge(
    cards: Pointer, scores: Pointer, start: int, middle: int, end: int, spare: Pointer
) -> None:
    """Merge two neighbouring stretches of sorted cards; `spare` has room for the first of them."""
    first = middle - start
    for i in range(first):
        spare[2 * i] = scores[start + i]
        spare[2 * i + 1] = card_in(cards, start + i)
    left = 0
    right = middle
    at = start
    while left < first:
        score = spare[2 * left]
        if right < end and scores[right] < score:
            lay(cards, at, card_in(cards, right))
            scores[at] = scores[right]
            right += 1
        else:
            lay(cards, at, spare[2 * left + 1])
            scores[at] = score
            left += 1
        at += 1


@kernel
def end_run(
    context: Context, cards: Pointer, scores: Pointer, count: int, least: int, top: int
) -> int:
    """Return the longest run that the last (or first) cards form in any order, sorted.

    Of different scores, so many are consecutive whose extremes are so far apart.
    """
    length = 0
    low = 0
    high = 0
    taken = 0
    while taken < count:
        score = scores[count - 1 - taken if top else taken]
        for i in range(taken):
            if scores[count - 1 - i if top else i] == score:
                taken = count
        if taken < count:
            low = score if taken == 0 or score < low else low
            high = score if taken == 0 or score > high else high
            taken += 1
            if op.wrap(high - low) == taken - 1:
                length = taken
    if length < least:
        return new_list(context, 0)
    start = count - length if top else 0
    found = copy_list(context, op.offset(cards, start * engine.CARD_BYTES), length)
    sorting = reserve_words(context, length)
    if found < 0 or sorting < 0:
        return -1
    values = op.offset(context.arena, sorting)
    op.copy(values, scores + start, 8 * length)
    if sort_cards(context, op.offset(context.arena, found + 8), values, length) < 0:
        return -1
    return found


@kernel(inline=Inline.ALWAYS)
def follows(low: int, high: int) -> bool:
    """Return whether a score is the next after another."""
    return low != LARGEST and high == low + 1


@kernel
def together(context: Context, parts: int) -> int:
    """Return the concatenation of a vector of lists."""
    lists = list_at(context, parts)
    total = 0
    for i in range(lists[0]):
        total += list_at(context, lists[1 + i])[0]
    base = new_list(context, total)
    if base < 0:
        return -1
    target = list_at(context, base) + 1
    for i in range(lists[0]):
        part = list_at(context, lists[1 + i])
        op.copy(target, part + 1, part[0] * engine.CARD_BYTES)
        target = op.offset(target, part[0] * engine.CARD_BYTES)
    return base


@kernel
def intersect(context: Context, parts: int) -> int:
    """Return the cards that are in every list of a vector, each once, by first occurrence."""
    base = together(context, parts)
    numbers = card_numbers(context)
    if base < 0 or numbers < 0:
        return -1
    lists = list_at(context, parts)
    found = list_at(context, numbers)  # in how many lists, from the first on, a card is
    for j in range(lists[0]):
        part = list_at(context, lists[1 + j])
        for i in range(part[0]):
            card = card_in(part + 1, i)
            if found[card] == j:
                found[card] = j + 1
    return keep_counted(list_at(context, base), found, lists[0], base)


@kernel
def disjoin(context: Context, parts: int) -> int:
    """Return the cards that occur exactly once in all lists of a vector together."""
    base = together(context, parts)
    numbers = card_numbers(context)
    if base < 0 or numbers < 0:
        return -1
    all_cards = list_at(context, base)
    times = list_at(context, numbers)
    for i in range(all_cards[0]):
        times[card_in(all_cards + 1, i)] += 1
    return keep_counted(all_cards, times, 1, base)


@kernel
def keep_counted(cards: Pointer, numbers: Pointer, wanted: int, base: int) -> int:
    """Keep those cards of a list that have a number, each once; return `base`."""
    kept = 0
    for i in range(cards[0]):
        card = card_in(cards + 1, i)
        if numbers[card] == wanted:
            numbers[card] = -1
            lay(cards + 1, kept, card)
            kept += 1
    cards[0] = kept
    return base
