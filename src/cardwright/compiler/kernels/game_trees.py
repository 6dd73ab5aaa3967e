"""Kernels that build the tree of a game: every draw and every option is followed, depth first.

There is a frame for each node on the way to where the tree grows: its number, how many edges it
has and which is next, the choice after which chance decides (or CHOOSES, BEGINS), the script so far
and how many draws and outcomes that is, then the chains of all seats and a board: at the decision,
or before the choice. Each node becomes a row of words: its parent and edge, its depth, who decides
(a seat, CHANCE or OVER), how many edges it has, from which seats the last choice hid something (bit
by bit), the two words of what the seat knows, and the scores. `keys` has a hash of each
option of a decision, by which it is recognised in all nodes that its seat cannot tell apart.

Draws go by a script. The rules run with the outcomes of the first draws since the last choice; the
first draw beyond them is due, and from there on the first outcome is taken, so that the run comes
to an end. The script lies where a board has its stream. Its outcomes are one number: the first is
the remainder by the number of its outcomes, and so on with the quotient. A pile whose shuffle is
deferred shows its cards in order of number, and the cards whose places are drawn lie above these:
so an outcome is the number of a card among those that are left, as the interpreter has it.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, information, picks
from cardwright.compiler.kernels.engine import Board, Context, Pointer, Stream
from cardwright.compiler.kernels.locations import cards_of, sink

OUTCOMES_AHEAD, DRAWS_AHEAD, DUE = range(3)
"""The words of a script: the outcomes, how many draws they are for, and how many outcomes the draw
has that is due, or 0."""

MANY = 1 << 62
"""More outcomes than a tree can have."""


@kernel
def seed_stream(stream: Stream, seed: int) -> None:
    """Do nothing: a tree has no seed."""


@kernel
def below(stream: Stream, bound: int) -> int:
    """Return the next outcome of a draw, from 0 to bound - 1; what has only one is no draw."""
    if bound == 1:
        return 0
    left: int = stream.words[DRAWS_AHEAD]
    if left > 0:
        outcomes: int = stream.words[OUTCOMES_AHEAD]
        stream.words[DRAWS_AHEAD] = left - 1
        stream.words[OUTCOMES_AHEAD] = outcomes // bound
        return outcomes % bound
    if stream.words[DUE] == 0:
        stream.words[DUE] = bound
    return 0


@kernel
def defer_shuffle(stream: Stream, board: Board, slot: int) -> None:
    """Begin to shuffle a pile: no place is drawn."""
    count: int = board.count[slot]
    for i in range(1, count):
        sink(cards_of(board, slot), i)
    board.unsettled = count


@kernel
def settle(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Draw the places of a number of topmost cards of a pile, those that are not drawn yet."""
    i = board.unsettled - 1
    last: int = board.count[slot] - cards
    while i > 0 and i >= last:
        heave(board, slot, below(stream, i + 1), i)
        i -= 1
    board.unsettled = i + 1


@kernel
def settle_set(stream: Stream, board: Board, slot: int, cards: int) -> None:
    """Draw which cards lie in the places of a number of topmost cards, in one draw.

    They lie in order of number. The sets are in the order of their lowest cards, those with the
    same of the next, and so on.
    """
    left = board.unsettled
    last: int = board.count[slot] - cards
    wanted = left - last
    if wanted <= 0:
        return
    outcome = below(stream, combinations(left, wanted))
    at = 0
    others = left - 1
    while wanted > 0:
        with_it = combinations(others, wanted - 1)
        if outcome < with_it:
            heave(board, slot, at, left - 1)
            wanted -= 1
        else:
            outcome -= with_it
            at += 1
        others -= 1
    board.unsettled = last


@kernel
def heave(board: Board, slot: int, at: int, to: int) -> None:
    """Lay a card of a pile higher up; those between sink by one."""
    card: int = board.card[slot, at]
    while at < to:
        board.card[slot, at] = board.card[slot, at + 1]
        at += 1
    board.card[slot, to] = card


@kernel
def combinations(count: int, chosen: int) -> int:
    """Return how many sets of some of a number of items there are; MANY where it might be more."""
    found = 1
    for i in range(chosen):
        if op.multiply_overflows(found, count - i):
            return MANY
        found = found * (count - i) // (i + 1)
    return found


@kernel
def draw(stream: Stream, bound: int) -> int:
    """Return the next outcome of a draw below a bound, where 0 means 2^64."""
    return below(stream, bound if bound > 0 else MANY)


INSTEAD = (seed_stream, draw, defer_shuffle, settle, settle_set)
"""What rules call in place of the kernels of the same names."""


DEPTH, NODES, NODE_ROOM, KEYS, KEY_ROOM, FRAME_ROOM, FIRST_NODE = range(7)
"""The words of a tree: how many frames there are, how many rows and how many there is room for, the
same for keys, the room for frames, and how many nodes there were before the first row."""

NODE, EDGES, NEXT, CHOICE, OUTCOMES, DRAWS, WAYS, KEPT = range(8)
"""The words of a frame; the chains and the board begin at the last."""

CHOOSES = -1
BEGINS = -2

PARENT, EDGE, LEVEL, ACTOR, COUNT, HIDDEN, KEY, OTHER_KEY, ENDS = range(9)
"""The words of a row; the scores begin at the last."""

CHANCE = -1
OVER = -2

DONE, BROKEN, NODES_FULL, KEYS_FULL, FRAMES_FULL, TOO_MANY_WAYS = range(6)
"""What `cw_tree_grow` returns; it goes on from there once there is room."""


@kernel(exported=True)
def cw_tree_grow(
    board: Board, context: Context, forms: Pointer, tree: Pointer, frames: Pointer, rows: Pointer,
    keys: Pointer,
) -> int:  # fmt: skip
    """Add nodes, until there is no more room or the tree is whole; `board` is for work."""
    context.forms = forms
    memory = context.extra
    while tree[DEPTH] > 0:
        depth = tree[DEPTH]
        frame = information.frame_at(frames, KEPT, depth - 1)
        edge = frame[NEXT]
        if edge == frame[EDGES]:
            tree[DEPTH] = depth - 1
        else:
            if tree[NODES] == tree[NODE_ROOM]:
                return NODES_FULL
            if depth == tree[FRAME_ROOM]:
                return FRAMES_FULL
            row = rows + (ENDS + engine.PLAYERS) * tree[NODES]
            row[PARENT] = frame[NODE]
            row[EDGE] = edge
            row[LEVEL] = depth - 1
            found = follow_edge(board, context, frame, edge, row)
            child = information.frame_at(frames, KEPT, depth)
            inner = 1
            due: int = board.words[DUE]
            if due != 0:
                if not open_chance(frame, child, edge, due):
                    return TOO_MANY_WAYS
                row[ACTOR] = CHANCE
                row[COUNT] = due
            elif found < 0:
                return BROKEN
            elif found == 0:
                row[ACTOR] = OVER
                row[COUNT] = 0
                inner = 0
            else:
                count = engine.advance(board, context)
                if count < 0:
                    return BROKEN
                if tree[KEYS] + count > tree[KEY_ROOM]:
                    return KEYS_FULL
                row[ACTOR] = engine.player(board)
                row[COUNT] = count
                known = information.CHAINS + 2 * engine.player(board)
                row[KEY] = memory[known]
                row[OTHER_KEY] = memory[known + 1]
                own = keys + tree[KEYS]
                for index in range(count):
                    own[index] = information.option_word(board, context, index)
                tree[KEYS] += count
                child[CHOICE] = CHOOSES
                child[EDGES] = count
                child[NEXT] = 0
                information.keep_point(board, context, child + KEPT)
            child[NODE] = tree[FIRST_NODE] + tree[NODES]
            tree[NODES] += 1
            frame[NEXT] = edge + 1
            tree[DEPTH] = depth + inner
    return DONE


@kernel
def follow_edge(board: Board, context: Context, frame: Pointer, edge: int, row: Pointer) -> int:
    """Follow an edge to where it leads, and return what `follow_on` does; a draw may be due."""
    information.go_back(board, context, frame + KEPT)
    choice = frame[CHOICE]
    outcomes = frame[OUTCOMES] + frame[WAYS] * edge
    draws = frame[DRAWS] + 1
    if choice == CHOOSES:
        choice = edge
        outcomes = 0
        draws = 0
    found = play_edge(board, context, choice, outcomes, draws, row)
    if found == 0 and board.words[DUE] == 0:
        op.copy(row + ENDS, information.pick_words(context.extra), 8 * engine.PLAYERS)
    return found


@kernel
def open_chance(frame: Pointer, child: Pointer, edge: int, due: int) -> bool:
    """Make the frame of a draw that is due below an edge; False for too many outcomes in all."""
    op.copy(child, frame, 8 * (KEPT + 2 * engine.PLAYERS + 2) + engine.STATE_BYTES)
    ways = 1
    if frame[CHOICE] == CHOOSES:
        child[CHOICE] = edge
        child[OUTCOMES] = 0
        child[DRAWS] = 0
    else:
        ways = frame[WAYS] * frame[EDGES]
        child[OUTCOMES] = frame[OUTCOMES] + frame[WAYS] * edge
        child[DRAWS] = frame[DRAWS] + 1
    child[WAYS] = ways
    child[EDGES] = due
    child[NEXT] = 0
    return not op.multiply_overflows(ways, due)


@kernel
def play_edge(
    board: Board, context: Context, choice: int, outcomes: int, draws: int, row: Pointer
) -> int:
    """Begin a game or make a choice by a script, and return what `follow_on` does."""
    memory = context.extra
    memory[information.ACTIVE] = 0
    if choice == BEGINS:
        if engine.start(board, context, 0) < 0:
            return -1
        _give_script(board, outcomes, draws)
        return information.follow_on(board, context)
    if not op.unsigned_less(choice, engine.advance(board, context)):
        return -1
    form = picks.choice_row(context, board.pc)
    option = picks.option_at(context, form, choice)
    _give_script(board, outcomes, draws)
    if information.carry_out_seen(board, context, choice) < 0:
        return -1
    row[HIDDEN] = 0
    for i in range(picks.pick_count(context, form, option)):
        for j in range(picks.cards_in_pick(context, form, option, i)):
            card = picks.card_in_pick(context, form, option, i, j)
            for seat in range(engine.PLAYERS):
                if not information.saw(board, memory, card, seat):
                    row[HIDDEN] |= 1 << seat
    return information.follow_on(board, context)


@kernel
def _give_script(board: Board, outcomes: int, draws: int) -> None:
    board.words[OUTCOMES_AHEAD] = outcomes
    board.words[DRAWS_AHEAD] = draws
    board.words[DUE] = 0


@kernel(exported=True)
def cw_tree_follow(
    board: Board, context: Context, forms: Pointer, steps: Pointer, count: int
) -> int:
    """Follow a path from the beginning of a game: a choice, its outcomes and draws for each step.

    The first step begins the game. Returns what `follow_on` does.
    """
    context.forms = forms
    found = 0
    row = steps + 3 * count
    for i in range(count):
        step = steps + 3 * i
        found = play_edge(board, context, step[0], step[1], step[2], row)
        if found < 0:
            return -1
    return found
