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

from cardwright.compiler.intrinsics import Pointer, copy, like, offset, pointer_to, wrap
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.consistent_worlds import next_world
from cardwright.compiler.kernels.determinise import cw_determinise
from cardwright.compiler.kernels.engine import (
    advance,
    arrive,
    card_choice,
    card_options,
    carry_out,
    find_options,
    give_rewards,
    play_card,
    play_out,
    player,
    settled,
    settled_card,
)
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.kernels.nodes import (
    begin_nodes,
    child_by_card,
    child_by_key,
    lists_choice,
    node_at,
)
from cardwright.compiler.kernels.points import note_scores, points
from cardwright.compiler.kernels.rewards import raw_reward
from cardwright.compiler.kernels.stream import next_bits, seed_stream
from cardwright.compiler.kernels.tree_choices import (
    card_of,
    choose_card,
    choose_option,
    key_in_tree,
)
from cardwright.compiler.kernels.witnesses import let_follow, pass_through, witness

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Board, Context, Node, Search, Stream

PLAYERS = 1
STATE_BYTES = 0


@kernel
def tree_of(search: Search, seat: int) -> int:
    """Return the number of the tree in which a seat decides."""
    return seat if search.many != 0 else 0


@kernel
def go_on(search: Search, mover: int) -> None:
    """Go on to the child that was chosen."""
    search.plies += 1
    child: int = search.child
    if child != 0:
        put_word(search.at, tree_of(search, mover), child)
        pass_through(search, child)


@kernel
def decide_card(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, mover: int
) -> int:
    """Choose a card in the tree and play it; return -1 for a fault."""
    legal = card_options(board, context)
    if legal == 0:
        return -1
    card = -1
    if search.path_length > 0:
        card = settled_card(board, context, stream, legal)
    if card < 0:
        parent = word(search.at, tree_of(search, mover))
        card = choose_card(search, nodes, board, context, stream, parent, legal)
        go_on(search, mover)
    if search.many == 0:
        return play_card(board, context, card)
    pc: int = board.pc
    witness(search, board, context, mover, card, 0)
    if play_card(board, context, card) < 0:
        return -1
    let_follow(search, nodes, board, context, pc, mover, card, 0)
    return 0


@kernel
def decide_option(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, mover: int
) -> int:
    """Choose an option in the tree and carry it out; return -1 for a fault."""
    count = find_options(board, context)
    if count < 0:
        return -1
    index = -1
    if search.path_length > 0:
        index = settled(board, context, stream, count)
    if index < 0:
        parent = word(search.at, tree_of(search, mover))
        index = choose_option(search, nodes, board, context, stream, parent, count)
        if index < 0:
            return -1
        go_on(search, mover)
    if search.many == 0:
        return carry_out(board, context, index)
    pc: int = board.pc
    card = -1
    if card_choice(board) != 0:
        card = card_of(search, board, context, index)
    witness(search, board, context, mover, card, index)
    if carry_out(board, context, index) < 0:
        return -1
    let_follow(search, nodes, board, context, pc, mover, card, index)
    return 0


@kernel
def descend(search: Search, nodes: Node, board: Board, context: Context, stream: Stream) -> int:
    """Play on in the tree until a node is new; return 1 at a decision, 0 at the end, or -1."""
    search.grew = 0
    arrived = arrive(board, context)
    while arrived > 0 and search.grew == 0:
        mover = player(board)
        if search.again != 0 and mover != search.seat:
            if cw_determinise(board, context, mover, stream, 0) != 0:
                return -1
            arrived = arrive(board, context)
            if arrived <= 0:
                return arrived
        node = node_at(nodes, word(search.at, tree_of(search, mover)))
        if card_choice(board) != 0 and lists_choice(search, node, board.pc):
            done = decide_card(search, nodes, board, context, stream, mover)
        else:
            done = decide_option(search, nodes, board, context, stream, mover)
        if done < 0:
            return -1
        arrived = arrive(board, context)
        if search.path_length >= search.path_room:
            search.grew = 1
    return arrived


@kernel
def back_up(search: Search, nodes: Node) -> None:
    """Add the rewards, and the points of the seat that searches, to all nodes of the iteration."""
    for i in range(search.path_length):
        node = node_at(nodes, word(search.path, i))
        node.visits += 1
        node.gained += search.gained
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
    if note_scores(work, context, search.ends) < 0:
        give_up(search, nodes)
        return
    left = descend(search, nodes, work, context, stream)
    if left > 0:
        left = play_out(work, context, like(stream, search.streams))
    if left != 0 or give_rewards(search, work, context) < 0:
        give_up(search, nodes)
    else:
        back_up(search, nodes)


@kernel(exported=True)
def cw_search_begin(search: Search, nodes: Node, stream: Stream) -> int:
    """Begin with a root for every seat and nothing else; give every seat a random stream."""
    begin_nodes(search, nodes)
    for seat in range(PLAYERS):
        seed_stream(like(stream, offset(search.streams, 32 * seat)), next_bits(stream))
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
        ended = note_scores(work, context, search.ends)
        if ended == 0:
            ended = arrive(work, context)
        if ended > 0:
            ended = play_out(work, context, like(stream, search.streams))
        if ended == 0 and points(work, context, search.ends) >= 0:
            for seat in range(PLAYERS):
                put_word(out, done, raw_reward(search, search.ends, seat))
                done += 1
    return done


@kernel(exported=True)
def cw_children(
    search: Search,
    nodes: Node,
    board: Board,
    context: Context,
    parent: int,
    seat: int,
    count: int,
    out: Pointer,
) -> int:
    """Write the children of a node by the options of a board: `count` numbers, 0 for none.

    Returns -1 if the board has another number of options.
    """
    if advance(board, context) != count:
        return -1
    node = node_at(nodes, parent)
    by_card = card_choice(board) != 0 and lists_choice(search, node, board.pc)
    for i in range(count):
        child = 0
        if by_card:
            bit = wrap(1 << card_of(search, board, context, i))
            if node.cards & bit != 0:
                child = child_by_card(search, node, bit)
        else:
            child = child_by_key(search, parent, key_in_tree(search, board, context, seat, i))
        put_word(out, i, child)
    return count


EXPORTED = (
    cw_search_begin,
    cw_search,
    cw_search_ends,
    cw_children,
)
