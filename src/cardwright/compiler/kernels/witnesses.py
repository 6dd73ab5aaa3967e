"""Kernels for trees of all seats: each follows what its seat sees of the others' choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.content import NOTHING, card_key, joined, option_key, witnessed_key
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.nodes import add_by_key, child_by_key

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Node, Search

PLAYERS = 1


@kernel
def pass_through(search: Search, index: int) -> None:
    """Record that an iteration goes through a node."""
    length: int = search.path_length
    if length < search.path_room:
        put_word(search.path, length, index)
        search.path_length = length + 1


@kernel
def witness(
    search: Search, board: Board, context: Context, mover: int, card: int, index: int
) -> None:
    """Record, for every seat except the mover, what it sees of an option before it happens.

    At a choice between single cards the option is given by its card, else by its index.
    """
    for seat in range(PLAYERS):
        if seat != mover:
            if card >= 0:
                key = card_key(board, search.forms, board.pc, seat, card)
            else:
                key = witnessed_key(board, context, search.forms, mover, seat, index)
            put_word(search.ends, seat, key)


@kernel
def let_follow(
    search: Search,
    nodes: Node,
    board: Board,
    context: Context,
    pc: int,
    mover: int,
    card: int,
    index: int,
) -> None:
    """Advance the trees of all seats except the mover's by an option that was just carried out.

    Each goes on to the node of what its seat saw of the option, before or after. `pc` is the place
    of the choice.
    """
    for seat in range(PLAYERS):
        if seat != mover:
            if card >= 0:
                after = card_key(board, search.forms, pc, seat, card)
            else:
                after = option_key(board, context, search.forms, pc, seat, index, NOTHING)
            key = joined(word(search.ends, seat), after)
            parent = word(search.at, seat)
            child = child_by_key(search, parent, key)
            if child == 0:
                child = add_by_key(search, nodes, parent, key)
            if child == 0:
                search.grew = 1
            else:
                put_word(search.at, seat, child)
                pass_through(search, child)
