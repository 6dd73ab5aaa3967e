"""Kernels that build the tree of a game: every draw and every option is followed, depth first.

There is a frame for each node on the way to where the tree grows: its number, how many edges it
has and which is next, the choice after which chance decides (or CHOOSES, BEGINS), the script so far
and how many draws and outcomes that is, then the chains of all seats and a board: at the decision,
or before the choice. Each node becomes a row of words: its parent and edge, its depth, who decides
(a seat, CHANCE or OVER), how many edges it has, from which seats the last choice hid something (bit
by bit), the two words of what the seat knows, and the scores. `keys` has a hash of each
option of a decision, by which it is recognised in all nodes that its seat cannot tell apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    copy,
    load,
    load_signed,
    multiply_overflows,
    offset,
    pointer_to,
    unsigned_less,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.by_hand import DRAWS_AHEAD, DUE, OUTCOMES_AHEAD
from cardwright.compiler.kernels.chosen import SORTS, WORDS, form_at, pick_at, pick_count
from cardwright.compiler.kernels.engine import advance, player, start
from cardwright.compiler.kernels.information import (
    carry_out_seen,
    decision_word,
    follow_on,
    look_at_picks,
    pick_words,
    saw,
)
from cardwright.compiler.kernels.lists import card_in, put_word, word
from cardwright.compiler.kernels.picks import CARD, GROUP
from cardwright.compiler.kernels.sightings import ACTIVE, CHAINS

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context

PLAYERS = 1
STATE_BYTES = 0

DEPTH, NODES, NODE_ROOM, KEYS, KEY_ROOM, FRAME_ROOM, FIRST_NODE = range(7)
"""The words of a tree: how many frames there are, how many rows and how many there is room for, the
same for keys, the room for frames, and how many nodes there were before the first row."""

NODE, EDGES, NEXT, CHOICE, OUTCOMES, DRAWS, WAYS, FRAME_CHAINS = range(8)
"""The words of a frame; the chains begin at the last."""

CHOOSES = -1
BEGINS = -2

PARENT, EDGE, LEVEL, ACTOR, COUNT, HIDDEN, KEY, OTHER_KEY, ENDS = range(9)
"""The words of a row; the scores begin at the last."""

CHANCE = -1
OVER = -2

DONE, BROKEN, NODES_FULL, KEYS_FULL, FRAMES_FULL, TOO_MANY_WAYS = range(6)
"""What `cw_tree_grow` returns; it goes on from there once there is room."""


@kernel
def frame_at(frames: Pointer, depth: int) -> Pointer:
    """Return a frame."""
    return offset(frames, (8 * (FRAME_CHAINS + 2 * PLAYERS + 2) + STATE_BYTES) * depth)


@kernel
def framed_board(frame: Pointer) -> Pointer:
    """Return where the board of a frame is."""
    return offset(frame, 8 * (FRAME_CHAINS + 2 * PLAYERS + 2))


@kernel(exported=True)
def cw_tree_grow(
    board: Board,
    context: Context,
    forms: Pointer,
    tree: Pointer,
    frames: Pointer,
    rows: Pointer,
    keys: Pointer,
) -> int:
    """Add nodes, until there is no more room or the tree is whole; `board` is for work."""
    memory = context.extra
    while word(tree, DEPTH) > 0:
        depth = word(tree, DEPTH)
        frame = frame_at(frames, depth - 1)
        edge = word(frame, NEXT)
        if edge == word(frame, EDGES):
            put_word(tree, DEPTH, depth - 1)
        else:
            if word(tree, NODES) == word(tree, NODE_ROOM):
                return NODES_FULL
            if depth == word(tree, FRAME_ROOM):
                return FRAMES_FULL
            row = offset(rows, 8 * (ENDS + PLAYERS) * word(tree, NODES))
            put_word(row, PARENT, word(frame, NODE))
            put_word(row, EDGE, edge)
            put_word(row, LEVEL, depth - 1)
            found = follow_edge(board, context, memory, forms, frame, edge, row)
            child = frame_at(frames, depth)
            below = 1
            due: int = board.words[DUE]
            if due != 0:
                if not open_chance(frame, child, edge, due):
                    return TOO_MANY_WAYS
                put_word(row, ACTOR, CHANCE)
                put_word(row, COUNT, due)
            elif found < 0:
                return BROKEN
            elif found == 0:
                put_word(row, ACTOR, OVER)
                put_word(row, COUNT, 0)
                below = 0
            else:
                count = advance(board, context)
                if count < 0:
                    return BROKEN
                if word(tree, KEYS) + count > word(tree, KEY_ROOM):
                    return KEYS_FULL
                put_word(row, ACTOR, player(board))
                put_word(row, COUNT, count)
                known = CHAINS + 2 * player(board)
                put_word(row, KEY, word(memory, known))
                put_word(row, OTHER_KEY, word(memory, known + 1))
                own = offset(keys, 8 * word(tree, KEYS))
                write_keys(board, context, memory, forms, own, count)
                put_word(tree, KEYS, word(tree, KEYS) + count)
                open_decision(board, memory, child, count)
            put_word(child, NODE, word(tree, FIRST_NODE) + word(tree, NODES))
            put_word(tree, NODES, word(tree, NODES) + 1)
            put_word(frame, NEXT, edge + 1)
            put_word(tree, DEPTH, depth + below)
    return DONE


@kernel
def follow_edge(
    board: Board,
    context: Context,
    memory: Pointer,
    forms: Pointer,
    frame: Pointer,
    edge: int,
    row: Pointer,
) -> int:
    """Follow an edge to where it leads, and return what `follow_on` does; a draw may be due."""
    copy(offset(memory, 8 * CHAINS), offset(frame, 8 * FRAME_CHAINS), 16 * (PLAYERS + 1))
    copy(pointer_to(board), framed_board(frame), STATE_BYTES)
    choice = load_signed(offset(frame, 8 * CHOICE), 8)
    outcomes = word(frame, OUTCOMES) + word(frame, WAYS) * edge
    draws = word(frame, DRAWS) + 1
    if choice == CHOOSES:
        choice = edge
        outcomes = 0
        draws = 0
    found = play_edge(board, context, memory, forms, choice, outcomes, draws, row)
    if found == 0 and board.words[DUE] == 0:
        copy(offset(row, 8 * ENDS), pick_words(memory), 8 * PLAYERS)
    return found


@kernel
def open_chance(frame: Pointer, child: Pointer, edge: int, due: int) -> bool:
    """Make the frame of a draw that is due below an edge; False for too many outcomes in all."""
    copy(child, frame, 8 * (FRAME_CHAINS + 2 * PLAYERS + 2) + STATE_BYTES)
    ways = 1
    if load_signed(offset(frame, 8 * CHOICE), 8) == CHOOSES:
        put_word(child, CHOICE, edge)
        put_word(child, OUTCOMES, 0)
        put_word(child, DRAWS, 0)
    else:
        ways = word(frame, WAYS) * word(frame, EDGES)
        put_word(child, OUTCOMES, word(frame, OUTCOMES) + word(frame, WAYS) * edge)
        put_word(child, DRAWS, word(frame, DRAWS) + 1)
    put_word(child, WAYS, ways)
    put_word(child, EDGES, due)
    put_word(child, NEXT, 0)
    return not multiply_overflows(ways, due)


@kernel
def open_decision(board: Board, memory: Pointer, child: Pointer, count: int) -> None:
    """Make the frame of a decision."""
    put_word(child, CHOICE, CHOOSES)
    put_word(child, EDGES, count)
    put_word(child, NEXT, 0)
    copy(offset(child, 8 * FRAME_CHAINS), offset(memory, 8 * CHAINS), 16 * (PLAYERS + 1))
    copy(framed_board(child), pointer_to(board), STATE_BYTES)


@kernel
def play_edge(
    board: Board,
    context: Context,
    memory: Pointer,
    forms: Pointer,
    choice: int,
    outcomes: int,
    draws: int,
    row: Pointer,
) -> int:
    """Begin a game or make a choice by a script, and return what `follow_on` does."""
    put_word(memory, ACTIVE, 0)
    if choice == BEGINS:
        if start(board, context, 0) < 0:
            return -1
        give_script(board, outcomes, draws)
        return follow_on(board, context, memory)
    if not unsigned_less(choice, advance(board, context)):
        return -1
    form = offset(forms, 8 * word(forms, board.pc))
    option = offset(context.options, 8 * word(form, WORDS) * choice)
    give_script(board, outcomes, draws)
    if carry_out_seen(board, context, memory, forms, choice) < 0:
        return -1
    hidden = 0
    for seat in range(PLAYERS):
        if hides(board, context, memory, forms, form, option, seat):
            hidden = hidden | 1 << seat
    put_word(row, HIDDEN, hidden)
    return follow_on(board, context, memory)


@kernel
def give_script(board: Board, outcomes: int, draws: int) -> None:
    """Set the script of a board."""
    board.words[OUTCOMES_AHEAD] = outcomes
    board.words[DRAWS_AHEAD] = draws
    board.words[DUE] = 0


@kernel
def hides(
    board: Board,
    context: Context,
    memory: Pointer,
    forms: Pointer,
    form: Pointer,
    option: Pointer,
    seat: int,
) -> bool:
    """Return whether an option that was carried out has picked cards that a seat has not seen."""
    for i in range(pick_count(forms, form, option)):
        item = load_signed(pick_at(form, option, i), 8)
        sort = word(forms, word(form, SORTS) + form_at(form, option, i))
        if sort == CARD:
            if not saw(board, memory, item, seat):
                return True
        if sort == GROUP:
            group = offset(context.arena, item)
            for j in range(load(group, 8)):
                if not saw(board, memory, card_in(offset(group, 8), j), seat):
                    return True
    return False


@kernel
def write_keys(
    board: Board, context: Context, memory: Pointer, forms: Pointer, keys: Pointer, count: int
) -> None:
    """Write a hash of each option of a decision, as the seat that decides sees it."""
    form = offset(forms, 8 * word(forms, board.pc))
    mover = player(board)
    for index in range(count):
        option = offset(context.options, 8 * word(form, WORDS) * index)
        look_at_picks(board, context, memory, forms, form, option)
        key = decision_word(board, context, memory, forms, form, option, mover, mover)
        put_word(keys, index, key)


@kernel(exported=True)
def cw_tree_follow(
    board: Board, context: Context, forms: Pointer, steps: Pointer, count: int
) -> int:
    """Follow a path from the beginning of a game: a choice, its outcomes and draws for each step.

    The first step begins the game. Returns what `follow_on` does.
    """
    found = 0
    row = offset(steps, 24 * count)
    for i in range(count):
        step = offset(steps, 24 * i)
        choice = load_signed(step, 8)
        found = play_edge(
            board, context, context.extra, forms, choice, word(step, 1), word(step, 2), row
        )
        if found < 0:
            return -1
    return found


EXPORTED = (cw_tree_grow, cw_tree_follow)
