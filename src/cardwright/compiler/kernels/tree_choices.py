"""Kernels for choices in search trees: an option never tried, or else the one of the best bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    count_ones,
    load,
    lowest_one,
    nth_one,
    offset,
    shift_right,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.bounds import bound_of, may_grow
from cardwright.compiler.kernels.content import ORDINAL, card_key, option_key
from cardwright.compiler.kernels.engine import card_choice, player, preferred, preferred_card
from cardwright.compiler.kernels.lists import put_word, reserve_words, word
from cardwright.compiler.kernels.nodes import (
    add_by_card,
    add_by_key,
    child_by_card,
    child_by_key,
    node_at,
)
from cardwright.compiler.kernels.stream import below

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Node, Search, Stream

LEAST = -(1 << 62)


@kernel
def choose_new(search: Search, nodes: Node, child: int) -> None:
    """Choose a child that is new; it is 0 if there was no room for one."""
    if child != 0:
        node_at(nodes, child).available = 1
    search.child = child
    search.grew = 1


# Choices between cards --------------------------------------------------------------------


@kernel
def wanted_cards(search: Search, legal: int) -> int:
    """Return those of some cards, the options of the root, that are wanted."""
    found = 0
    i = 0
    left = legal
    while left != 0:
        bit = left & wrap(-left)
        if load(offset(search.wanted, i), 1) != 0:
            found = found | bit
        left = left ^ bit
        i += 1
    return found


@kernel
def choose_card(
    search: Search,
    nodes: Node,
    board: Board,
    context: Context,
    stream: Stream,
    parent: int,
    legal: int,
) -> int:
    """Choose a card for the seat to move: one never tried, or else the one of best bound.

    Its node is left in `child` (0 if there is no room for it), and in `grew` whether it is new.
    """
    mover = player(board)
    node = node_at(nodes, parent)
    if search.narrow != 0 and search.path_length == 0:
        legal = wanted_cards(search, legal)
    known: int = legal & node.cards
    fresh = legal ^ known
    if fresh != 0 and may_grow(search, nodes, parent, count_ones(known)):
        left = known
        while left != 0:
            bit = left & wrap(-left)
            child = node_at(nodes, child_by_card(search, node, bit))
            child.available += 1
            left = left ^ bit
        card = preferred_card(board, context, legal)
        if card < 0 or shift_right(fresh, card) & 1 == 0:
            card = nth_one(fresh, below(stream, count_ones(fresh)))
        choose_new(search, nodes, add_by_card(search, nodes, parent, board.pc, wrap(1 << card)))
        return card
    best = 0
    most = LEAST
    left = known
    while left != 0:
        bit = left & wrap(-left)
        index = child_by_card(search, node, bit)
        child = node_at(nodes, index)
        child.available += 1
        bound = bound_of(search, child, mover)
        if bound > most:
            most = bound
            best = bit
            search.child = index
        left = left ^ bit
    search.grew = 0
    return lowest_one(best)


# All other choices ------------------------------------------------------------------------


@kernel
def card_of(search: Search, board: Board, context: Context, index: int) -> int:
    """Return the card of an option at a choice between single cards."""
    row = offset(search.forms, 8 * word(search.forms, board.pc))
    return word(offset(context.options, 8 * word(row, 0) * index), 1)


@kernel
def key_in_tree(search: Search, board: Board, context: Context, mover: int, index: int) -> int:
    """Return the key of an option: at a choice between single cards, that of its card."""
    if card_choice(board) != 0:
        card = card_of(search, board, context, index)
        return card_key(board, search.forms, board.pc, mover, card)
    return option_key(board, context, search.forms, board.pc, mover, index, ORDINAL)


@kernel
def choose_option(
    search: Search,
    nodes: Node,
    board: Board,
    context: Context,
    stream: Stream,
    parent: int,
    count: int,
) -> int:
    """Choose an option for the seat to move: one never tried, or else the one of best bound.

    Its node is left in `child` (0 if there is no room for it), and in `grew` whether it is new.
    Returns -1 if there is no room for the options.
    """
    mover = player(board)
    base = reserve_words(context, 2 * count)
    if base < 0:
        return -1
    keys = offset(context.arena, base)
    children = offset(keys, 8 * count)
    fresh = 0
    narrow = search.narrow != 0 and search.path_length == 0
    for i in range(count):
        child = -1
        if not narrow or load(offset(search.wanted, i), 1) != 0:
            key = key_in_tree(search, board, context, mover, i)
            child = child_by_key(search, parent, key)
            put_word(keys, i, key)
            if child == 0:
                fresh += 1
            else:
                node = node_at(nodes, child)
                node.available += 1
        put_word(children, i, child)
    if fresh > 0 and may_grow(search, nodes, parent, count - fresh):
        i = preferred(board, context, count)
        if i < 0 or word(children, i) != 0:
            skip = below(stream, fresh)
            i = 0
            while word(children, i) != 0 or skip > 0:
                if word(children, i) == 0:
                    skip -= 1
                i += 1
        choose_new(search, nodes, add_by_key(search, nodes, parent, word(keys, i)))
        return i
    best = 0
    most = LEAST
    for i in range(count):
        if word(children, i) > 0:
            bound = bound_of(search, node_at(nodes, word(children, i)), mover)
            if bound > most:
                most = bound
                best = i
    search.child = word(children, best)
    search.grew = 0
    return best
