"""Tree search in worlds that a seat cannot tell from the true one: ISMCTS, and UCT in one world.

Single-observer and multiple-observer information set Monte Carlo tree search are those of Cowling,
Powley and Whitehouse, "Information set Monte Carlo tree search" (IEEE Transactions on Computational
Intelligence and AI in Games 4(2), 2012). Every iteration samples a world; only options that it
allows are considered, and an option's bonus depends on how often it was available. Each seat
maximises its own reward, as in Sturtevant, "An analysis of UCT in multi-player games" (CG 2008).
Redealing for every opponent is RIS-MCTS (Goodman, "Re-determinizing MCTS in Hanabi", IEEE CoG
2019). If all iterations play in one world, this is UCT (Kocsis and Szepesvari, ECML 2006).

Rewards are fixed-point integers, where ONE is 1, and all arithmetic is on integers: machines agree
on every bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    copy,
    divide,
    highest_one,
    like,
    load,
    offset,
    pointer_to,
    square_root,
    store,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.consistent_worlds import next_world
from cardwright.compiler.kernels.content import (
    GOLDEN,
    NOTHING,
    ORDINAL,
    joined,
    option_key,
    scattered,
    witnessed_key,
)
from cardwright.compiler.kernels.determinise import cw_determinise
from cardwright.compiler.kernels.engine import (
    advance,
    carry_out,
    give_rewards,
    halts,
    play_out,
    player,
    preferred,
    scores,
    settled,
)
from cardwright.compiler.kernels.lists import put_word, reserve_words, word
from cardwright.compiler.kernels.rewards import raw_reward
from cardwright.compiler.kernels.stream import below, next_bits, seed_stream

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Node, Search, Stream

PLAYERS = 1
STATE_BYTES = 0
NODE_HEAD = 4

LEAST = -(1 << 62)

WIDENING_BITS = 8
"""The factor of widening is a multiple of 2 to the minus this."""

LOG_BITS = 12
"""Logarithms are tabulated for counts of up to this many bits; larger counts are halved first."""


@kernel
def node_at(nodes: Node, index: int) -> Node:
    """Return a node."""
    return like(nodes, offset(nodes, 8 * (NODE_HEAD + PLAYERS) * index))


@kernel
def place_of(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return the index of a child in the table, or the index where it would go."""
    mask: int = search.mask
    at = scattered(key ^ wrap(parent * GOLDEN)) & mask
    while True:
        entry = load(offset(search.table, 4 * at), 4)
        if entry == 0:
            return at
        node = node_at(nodes, entry)
        if node.key == key and node.parent == parent:
            return at
        at = (at + 1) & mask


@kernel
def child_of(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return a node's child by its key; 0, which is a root, if there is none."""
    return load(offset(search.table, 4 * place_of(search, nodes, parent, key)), 4)


@kernel
def add_child(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return a new child of a node; 0 if there is no room."""
    index: int = search.nodes
    if index >= search.room:
        return 0
    search.nodes = index + 1
    node = node_at(nodes, index)
    clear(pointer_to(node), 8 * (NODE_HEAD + PLAYERS))
    node.key = key
    node.parent = parent
    store(offset(search.table, 4 * place_of(search, nodes, parent, key)), index, 4)
    return index


@kernel
def pass_through(search: Search, index: int) -> None:
    """Record that an iteration goes through a node."""
    length: int = search.path_length
    if length < search.path_room:
        put_word(search.path, length, index)
        search.path_length = length + 1


@kernel
def bonus_bits(search: Search, count: int) -> int:
    """Return the logarithm of a count, scaled like the table of logarithms."""
    if count >> LOG_BITS == 0:
        return word(search.logs, count)
    halved = highest_one(count) - (LOG_BITS - 1)
    doubling: int = search.doubling
    return word(search.logs, count >> halved) + halved * doubling


@kernel
def may_grow(search: Search, nodes: Node, parent: int, tried: int) -> bool:
    """Return whether a node may have another child, given how many options have been tried there.

    Where `widening` is set, the number grows with the square root of the visits: progressive
    widening, as Coulom described it ("Computing Elo ratings of move patterns in the game of Go",
    2007) with logarithms. All options of the root are tried.
    """
    if search.widening == 0 or search.path_length == 0:
        return True
    node = node_at(nodes, parent)
    most: int = search.widening * square_root(node.visits) >> WIDENING_BITS
    return tried <= most


@kernel
def choose(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, count: int
) -> int:
    """Choose an option for the seat to move: one never tried, or else the one of best bound.

    Its node is left in `child` (0 if there is no room for it), and in `grew` whether it is new.
    Returns -1 if there is no room for the options.
    """
    mover = player(board)
    parent = word(search.at, mover if search.many != 0 else 0)
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
            key = option_key(board, context, search.forms, board.pc, mover, i, ORDINAL)
            child = child_of(search, nodes, parent, key)
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
        child = add_child(search, nodes, parent, word(keys, i))
        if child != 0:
            node = node_at(nodes, child)
            node.available = 1
        search.child = child
        search.grew = 1
        return i
    best = 0
    most = LEAST
    for i in range(count):
        if word(children, i) > 0:
            node = node_at(nodes, word(children, i))
            visits: int = node.visits
            bound = divide(node.total[mover], visits)
            bound += square_root(bonus_bits(search, node.available) // visits)
            if bound > most:
                most = bound
                best = i
    search.child = word(children, best)
    search.grew = 0
    return best


@kernel
def witness(search: Search, board: Board, context: Context, mover: int, index: int) -> None:
    """Record, for every seat except the mover, what it sees of an option before it happens."""
    for seat in range(PLAYERS):
        if seat != mover:
            key = witnessed_key(board, context, search.forms, mover, seat, index)
            put_word(search.ends, seat, key)


@kernel
def let_follow(
    search: Search, nodes: Node, board: Board, context: Context, pc: int, mover: int, index: int
) -> None:
    """Advance the trees of all seats except the mover's by an option that was just carried out.

    Each goes on to the node of what its seat saw of the option, before or after. `pc` is the place
    of the choice.
    """
    for seat in range(PLAYERS):
        if seat != mover:
            after = option_key(board, context, search.forms, pc, seat, index, NOTHING)
            key = joined(word(search.ends, seat), after)
            parent = word(search.at, seat)
            child = child_of(search, nodes, parent, key)
            if child == 0:
                child = add_child(search, nodes, parent, key)
            if child == 0:
                search.grew = 1
            else:
                put_word(search.at, seat, child)
                pass_through(search, child)


@kernel
def descend(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, count: int
) -> int:
    """Play on in the tree until a node is new; return the number of options there, -1 for a fault.

    `count` is the number of options where it begins.
    """
    search.grew = 0
    while count > 0 and search.grew == 0:
        mover = player(board)
        if search.again != 0 and mover != search.seat:
            if cw_determinise(board, context, mover, stream, 0) != 0:
                return -1
            count = advance(board, context)
            if count <= 0:
                return count
        index = -1
        if search.path_length > 0:
            index = settled(board, context, stream, count)
        if index < 0:
            index = choose(search, nodes, board, context, stream, count)
            if index < 0:
                return -1
            search.plies += 1
            child: int = search.child
            if child != 0:
                put_word(search.at, mover if search.many != 0 else 0, child)
                pass_through(search, child)
        if search.many != 0:
            witness(search, board, context, mover, index)
        pc: int = board.pc
        if carry_out(board, context, index) < 0:
            return -1
        if search.many != 0:
            let_follow(search, nodes, board, context, pc, mover, index)
        count = advance(board, context)
        if count > 0 and halts(board, context):
            return 0
        if search.path_length >= search.path_room:
            search.grew = 1
    return count


@kernel
def back_up(search: Search, nodes: Node) -> None:
    """Add the rewards to all nodes of the iteration."""
    for i in range(search.path_length):
        node = node_at(nodes, word(search.path, i))
        node.visits += 1
        for seat in range(PLAYERS):
            node.total[seat] += word(search.rewards, seat)


@kernel
def give_up(search: Search, nodes: Node) -> None:
    """Count the nodes of an iteration that broke a rule as visited, without any reward."""
    search.failed += 1
    for i in range(search.path_length):
        node = node_at(nodes, word(search.path, i))
        node.visits += 1


@kernel
def imagine(search: Search, board: Board, work: Board, stream: Stream) -> None:
    """Make a board with the hidden cards and the random stream of one iteration."""
    copy(pointer_to(work), pointer_to(board), STATE_BYTES)
    if search.deals != 0:
        next_world(work, stream, search.allowed, search.chain)
    else:
        seed_stream(like(stream, work), next_bits(stream))


@kernel
def iterate(
    search: Search, nodes: Node, board: Board, context: Context, work: Board, stream: Stream
) -> None:
    """Do one iteration: sample a world, descend, play to the end, and back up the rewards."""
    imagine(search, board, work, stream)
    for seat in range(PLAYERS):
        put_word(search.at, seat, seat)
    if search.many == 0:
        put_word(search.at, 0, search.root)
    search.path_length = 0
    count = descend(search, nodes, work, context, stream, advance(work, context))
    if count > 0:
        count = play_out(work, context, like(stream, search.streams))
    if count != 0 or give_rewards(search, work, context) < 0:
        give_up(search, nodes)
    else:
        back_up(search, nodes)


@kernel(exported=True)
def cw_search_begin(search: Search, nodes: Node, stream: Stream) -> int:
    """Begin with a root for every seat and nothing else; give every seat a random stream."""
    clear(search.table, 4 * (search.mask + 1))
    clear(pointer_to(nodes), 8 * (NODE_HEAD + PLAYERS) * PLAYERS)
    for seat in range(PLAYERS):
        node_at(nodes, seat).parent = -1
        seed_stream(like(stream, offset(search.streams, 32 * seat)), next_bits(stream))
    search.nodes = PLAYERS
    search.root = 0
    search.done = 0
    search.failed = 0
    search.plies = 0
    return 0


@kernel(exported=True)
def cw_search(
    search: Search,
    nodes: Node,
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    count: int,
) -> int:
    """Do a number of iterations from a board at a decision; return how many broke no rule."""
    failed: int = search.failed
    for _ in range(count):
        iterate(search, nodes, board, context, work, stream)
        search.done += 1
    done: int = count - (search.failed - failed)
    return done


@kernel(exported=True)
def cw_search_ends(
    search: Search,
    board: Board,
    context: Context,
    work: Board,
    stream: Stream,
    count: int,
    out: Pointer,
) -> int:
    """Play out a number of worlds, and write the raw rewards of all seats, 8 bytes each.

    Returns how many games have rewards: those that break a rule have none.
    """
    done = 0
    for _ in range(count):
        imagine(search, board, work, stream)
        ended = advance(work, context)
        if ended > 0:
            ended = play_out(work, context, like(stream, search.streams))
        if ended == 0 and scores(work, context, search.ends) >= 0:
            for seat in range(PLAYERS):
                put_word(out, done, raw_reward(search, search.ends, seat))
                done += 1
    return done


@kernel(exported=True)
def cw_child(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return a node's child by its key; 0 if there is none."""
    return child_of(search, nodes, parent, key)


@kernel(exported=True)
def cw_option_keys(
    board: Board, context: Context, forms: Pointer, seat: int, count: int, out: Pointer
) -> int:
    """Write the keys of the options of a board, of which there are `count`, in order."""
    if advance(board, context) != count:
        return -1
    for i in range(count):
        put_word(out, i, option_key(board, context, forms, board.pc, seat, i, ORDINAL))
    return count


EXPORTED = (
    cw_search_begin,
    cw_search,
    cw_search_ends,
    cw_child,
    cw_option_keys,
)
