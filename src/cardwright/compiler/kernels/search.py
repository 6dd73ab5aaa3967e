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

A child is found in one of two ways. At a choice between single cards a node has the set of the
cards by which it has children, and these lie in a list in the order of the cards: the number of
smaller cards in the set is the place in the list. All lists lie in one block of memory; one that is
full moves to its end, with twice the room. Every other child is found in a table by its parent and
its key, a hash of the option. A node lists the children of one choice only, the first that it had
there. If play can come to it with another choice between cards, those children are in the table.
"""

from __future__ import annotations

from cardwright.compiler import intrinsics as op
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels import engine, picks, stream as rng
from cardwright.compiler.kernels.engine import Board, Context, Node, Pointer, Search, Stream
from cardwright.compiler.kernels.evaluation import LEAST, note_scores, points, raw_reward
from cardwright.compiler.kernels.lists import reserve_words
from cardwright.compiler.kernels.picks import joined
from cardwright.compiler.kernels.worlds import GIVEN, POOLED, WITHIN, cw_determinise, sample_world
from cardwright.compiler.structs import NODE_HEAD

ENTRY = 16
ENTRY_PARENT = 8
ENTRY_NODE = 12
"""The bytes of an entry of the table: a key, and where its parent and its node are."""


@kernel
def node_at(nodes: Node, index: int) -> Node:
    """Return a node."""
    return op.like(nodes, op.offset(nodes, (NODE_HEAD + 8 * engine.PLAYERS) * index))


@kernel
def begin_nodes(search: Search, nodes: Node) -> None:
    """Begin with a root for every seat, and no children."""
    if search.keyed > 0:
        op.clear(search.table, ENTRY * (search.mask + 1))
    op.clear(op.pointer_to(nodes), (NODE_HEAD + 8 * engine.PLAYERS) * engine.PLAYERS)
    search.nodes = engine.PLAYERS
    search.keyed = 0
    search.listed = 0


@kernel
def _new_node(search: Search, nodes: Node) -> int:
    index: int = search.nodes
    if index >= search.room:
        return 0
    search.nodes = index + 1
    op.clear(op.pointer_to(node_at(nodes, index)), NODE_HEAD + 8 * engine.PLAYERS)
    return index


# By key -----------------------------------------------------------------------------------


@kernel
def entry_of(search: Search, parent: int, key: int) -> Pointer:
    """Return the entry of a child in the table, or the empty one where it would go."""
    mask: int = search.mask
    at = rng.scattered(key ^ op.wrap(parent * rng.GOLDEN)) & mask
    while True:
        entry = op.offset(search.table, ENTRY * at)
        if op.load(op.offset(entry, ENTRY_NODE), 4) == 0:
            return entry
        if entry[0] == key and op.load(op.offset(entry, ENTRY_PARENT), 4) == parent:
            return entry
        at = (at + 1) & mask


@kernel
def child_by_key(search: Search, parent: int, key: int) -> int:
    """Return a node's child by its key; 0, which is a root, if there is none."""
    return op.load(op.offset(entry_of(search, parent, key), ENTRY_NODE), 4)


@kernel
def add_by_key(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return a new child of a node; 0 if there is no room."""
    index = _new_node(search, nodes)
    if index != 0:
        entry = entry_of(search, parent, key)
        entry[0] = key
        op.store(op.offset(entry, ENTRY_PARENT), parent, 4)
        op.store(op.offset(entry, ENTRY_NODE), index, 4)
        search.keyed += 1
    return index


# By card ----------------------------------------------------------------------------------


@kernel
def lists_choice(search: Search, node: Node, choice: int) -> bool:
    """Return whether a node lists, or may list, its children of a choice between cards."""
    listed: bool = node.cards == 0 or node.choice == choice
    return listed and search.by_card != 0


@kernel
def child_by_card(search: Search, node: Node, bit: int) -> int:
    """Return the child by a card, which is given as a set and is one of the node's."""
    place: int = node.list + op.count_ones(node.cards & op.wrap(bit - 1))
    return op.load(op.offset(search.lists, 4 * place), 4)


@kernel
def add_by_card(search: Search, nodes: Node, parent: int, choice: int, bit: int) -> int:
    """Return a new child of a node; 0 if there is no room.

    A full list is moved to where there is room for twice as many. There is always room: the lists
    that a list of so many children has been have taken less than four places a child.
    """
    index = _new_node(search, nodes)
    if index != 0:
        node = node_at(nodes, parent)
        count = op.count_ones(node.cards)
        if count & (count - 1) == 0:
            old = op.offset(search.lists, 4 * node.list)
            node.list = search.listed
            op.copy(op.offset(search.lists, 4 * node.list), old, 4 * count)
            search.listed = node.list + max(2 * count, 1)
        place: int = node.list + op.count_ones(node.cards & op.wrap(bit - 1))
        here = op.offset(search.lists, 4 * place)
        op.copy(op.offset(here, 4), here, 4 * (node.list + count - place))
        op.store(here, index, 4)
        node.cards |= bit
        node.choice = choice
    return index


# Bounds -----------------------------------------------------------------------------------

WIDENING_BITS = 8
"""The factor of widening is a multiple of 2 to the minus this."""

LOG_BITS = 12
"""Logarithms are tabulated for counts of up to this many bits; larger counts are halved first."""


@kernel
def bound_of(search: Search, node: Node, mover: int) -> int:
    """Return the bound of a child for the seat that decides, by UCB.

    That is the mean reward, and k sqrt(ln(a) / n) for a child available a times and visited n.
    """
    visits: int = node.visits
    count: int = node.available
    halved = max(op.highest_one(count) - (LOG_BITS - 1), 0)
    logarithm = search.logs[count >> halved] + halved * search.doubling
    return op.divide(node.total[mover], visits) + op.square_root(logarithm // visits)


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
    most: int = search.widening * op.square_root(node.visits) >> WIDENING_BITS
    return tried <= most


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
    for card in op.ones(legal):
        if op.load(op.offset(search.wanted, i), 1) != 0:
            found |= op.wrap(1 << card)
        i += 1
    return found


@kernel
def choose_card(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, parent: int,
    legal: int,
) -> int:  # fmt: skip
    """Choose a card for the seat to move: one never tried, or else the one of best bound.

    Its node is left in `child` (0 if there is no room for it), and in `grew` whether it is new.
    """
    mover = engine.player(board)
    node = node_at(nodes, parent)
    if search.narrow != 0 and search.path_length == 0:
        legal = wanted_cards(search, legal)
    known: int = legal & node.cards
    fresh = legal ^ known
    grows = fresh != 0 and may_grow(search, nodes, parent, op.count_ones(known))
    best = 0
    most = LEAST
    for card in op.ones(known):
        index = child_by_card(search, node, op.wrap(1 << card))
        child = node_at(nodes, index)
        child.available += 1
        if not grows:
            bound = bound_of(search, child, mover)
            if bound > most:
                most = bound
                best = card
                search.child = index
    search.grew = 0
    if grows:
        best = engine.preferred_card(board, context, legal)
        if best < 0 or op.shift_right(fresh, best) & 1 == 0:
            best = op.nth_one(fresh, rng.below(stream, op.count_ones(fresh)))
        choose_new(search, nodes, add_by_card(search, nodes, parent, board.pc, op.wrap(1 << best)))
    return best


# All other choices ------------------------------------------------------------------------


@kernel
def card_of(board: Board, context: Context, index: int) -> int:
    """Return the card of an option at a choice between single cards."""
    return picks.option_at(context, picks.choice_row(context, board.pc), index)[1]


@kernel
def key_in_tree(board: Board, context: Context, mover: int, index: int) -> int:
    """Return the key of an option: at a choice between single cards, that of its card."""
    if engine.card_choice(board) != 0:
        return picks.card_key(board, context, board.pc, mover, card_of(board, context, index))
    return picks.option_key(board, context, board.pc, mover, index, picks.ORDINAL)


@kernel
def choose_option(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, parent: int,
    count: int,
) -> int:  # fmt: skip
    """Choose an option for the seat to move: one never tried, or else the one of best bound.

    Its node is left in `child` (0 if there is no room for it), and in `grew` whether it is new.
    Returns -1 if there is no room for the options.
    """
    mover = engine.player(board)
    base = reserve_words(context, 2 * count)
    if base < 0:
        return -1
    keys = op.offset(context.arena, base)
    children = keys + count
    fresh = 0
    narrow = search.narrow != 0 and search.path_length == 0
    for i in range(count):
        child = -1
        if not narrow or op.load(op.offset(search.wanted, i), 1) != 0:
            key = key_in_tree(board, context, mover, i)
            child = child_by_key(search, parent, key)
            keys[i] = key
            if child == 0:
                fresh += 1
            else:
                node = node_at(nodes, child)
                node.available += 1
        children[i] = child
    if fresh > 0 and may_grow(search, nodes, parent, count - fresh):
        i = engine.preferred(board, context, count)
        if i < 0 or children[i] != 0:
            skip = rng.below(stream, fresh)
            i = 0
            while children[i] != 0 or skip > 0:
                if children[i] == 0:
                    skip -= 1
                i += 1
        choose_new(search, nodes, add_by_key(search, nodes, parent, keys[i]))
        return i
    best = 0
    most = LEAST
    for i in range(count):
        if children[i] > 0:
            bound = bound_of(search, node_at(nodes, children[i]), mover)
            if bound > most:
                most = bound
                best = i
    search.child = children[best]
    search.grew = 0
    return best


# What other seats see ----------------------------------------------------------------------


@kernel
def pass_through(search: Search, index: int) -> None:
    """Record that an iteration goes through a node."""
    length: int = search.path_length
    if length < search.path_room:
        search.path[length] = index
        search.path_length = length + 1


@kernel
def witness(
    search: Search, board: Board, context: Context, mover: int, card: int, index: int
) -> None:
    """Record, for every seat except the mover, what it sees of an option before it happens.

    At a choice between single cards the option is given by its card, else by its index.
    """
    for seat in range(engine.PLAYERS):
        if seat != mover:
            if card >= 0:
                search.ends[seat] = picks.card_key(board, context, board.pc, seat, card)
            else:
                search.ends[seat] = picks.witnessed_key(board, context, mover, seat, index)


@kernel
def let_follow(
    search: Search, nodes: Node, board: Board, context: Context, pc: int, mover: int, card: int,
    index: int,
) -> None:  # fmt: skip
    """Advance the trees of all seats except the mover's by an option that was just carried out.

    Each goes on to the node of what its seat saw of the option, before or after. `pc` is the place
    of the choice.
    """
    for seat in range(engine.PLAYERS):
        if seat != mover:
            if card >= 0:
                after = picks.card_key(board, context, pc, seat, card)
            else:
                after = picks.option_key(board, context, pc, seat, index, picks.NOTHING)
            key = joined(search.ends[seat], after)
            parent: int = search.at[seat]
            child = child_by_key(search, parent, key)
            if child == 0:
                child = add_by_key(search, nodes, parent, key)
            if child == 0:
                search.grew = 1
            else:
                search.at[seat] = child
                pass_through(search, child)


# Iterations ---------------------------------------------------------------------------------


@kernel
def decide(
    search: Search, nodes: Node, board: Board, context: Context, stream: Stream, mover: int
) -> int:
    """Choose an option in the tree, and carry it out; return -1 for a fault.

    Where a node lists the children of a choice between cards, a card is chosen from a set.
    """
    tree = mover if search.many != 0 else 0
    parent: int = search.at[tree]
    pc: int = board.pc
    card = -1
    index = -1
    by_card = engine.card_choice(board) != 0 and lists_choice(search, node_at(nodes, parent), pc)
    if by_card:
        legal = engine.card_options(board, context)
        if legal == 0:
            return -1
        if search.path_length > 0:
            card = engine.settled_card(board, context, stream, legal)
        settles = card >= 0
        if not settles:
            card = choose_card(search, nodes, board, context, stream, parent, legal)
    else:
        count = engine.find_options(board, context)
        if count < 0:
            return -1
        if search.path_length > 0:
            index = engine.settled(board, context, stream, count)
        settles = index >= 0
        if not settles:
            index = choose_option(search, nodes, board, context, stream, parent, count)
            if index < 0:
                return -1
    if not settles:
        search.plies += 1
        if search.child != 0:
            search.at[tree] = search.child
            pass_through(search, search.child)
    if search.many != 0:
        if not by_card and engine.card_choice(board) != 0:
            card = card_of(board, context, index)
        witness(search, board, context, mover, card, index)
    done = engine.play_card(board, context, card) if by_card else engine.act(board, context, index)
    if done >= 0 and search.many != 0:
        let_follow(search, nodes, board, context, pc, mover, card, index)
    return done


@kernel
def descend(search: Search, nodes: Node, board: Board, context: Context, stream: Stream) -> int:
    """Play on in the tree until a node is new; return 1 at a decision, 0 at the end, or -1."""
    search.grew = 0
    arrived = engine.arrive(board, context)
    while arrived > 0 and search.grew == 0:
        mover = engine.player(board)
        if search.again != 0 and mover != search.seat:
            if cw_determinise(board, context, mover, stream, 0) != 0:
                return -1
            arrived = engine.arrive(board, context)
            if arrived <= 0:
                return arrived
        if decide(search, nodes, board, context, stream, mover) < 0:
            return -1
        arrived = engine.arrive(board, context)
        if search.path_length >= search.path_room:
            search.grew = 1
    return arrived


@kernel
def imagine(search: Search, board: Board, context: Context, work: Board, stream: Stream) -> int:
    """Make a board with the hidden cards and the random stream of one iteration.

    Return -1 for a fault.
    """
    how = GIVEN
    if search.deals != 0:
        how = POOLED if search.pooled != 0 else WITHIN
    if sample_world(board, context, work, 0, how, stream, search.allowed, search.chain) < 0:
        return -1
    if engine.begin(work, context) < 0:
        return -1
    return note_scores(work, context, search.ends)


@kernel
def iterate(
    search: Search, nodes: Node, board: Board, context: Context, work: Board, stream: Stream
) -> bool:
    """Do one iteration: sample a world, descend, play to the end, and back up the rewards.

    Return whether no rule was broken; else the nodes are visited without any reward.
    """
    for seat in range(engine.PLAYERS):
        search.at[seat] = seat
    if search.many == 0:
        search.at[0] = search.root
    search.path_length = 0
    left = imagine(search, board, context, work, stream)
    if left == 0:
        left = descend(search, nodes, work, context, stream)
    if left > 0:
        left = engine.play_out(work, context, op.like(stream, search.streams))
    rewarded = left == 0 and engine.give_rewards(search, work, context) >= 0
    for i in range(search.path_length):
        node = node_at(nodes, search.path[i])
        node.visits += 1
        if rewarded:
            node.gained += search.gained
            for seat in range(engine.PLAYERS):
                node.total[seat] += search.rewards[seat]
    return rewarded


@kernel(exported=True)
def cw_search_begin(search: Search, nodes: Node, stream: Stream) -> int:
    """Begin with a root for every seat and nothing else; give every seat a random stream."""
    begin_nodes(search, nodes)
    for seat in range(engine.PLAYERS):
        rng.seed_stream(rng.stream_at(op.like(stream, search.streams), seat), rng.next_bits(stream))
    search.root = 0
    search.done = 0
    search.failed = 0
    search.plies = 0
    return 0


@kernel(exported=True)
def cw_search(
    search: Search, nodes: Node, board: Board, context: Context, work: Board, stream: Stream,
    count: int,
) -> int:  # fmt: skip
    """Do a number of iterations from a board at a decision; return how many broke no rule."""
    context.forms = search.forms
    done = 0
    for _ in range(count):
        done += int(iterate(search, nodes, board, context, work, stream))
    search.done += count
    search.failed += count - done
    return done


@kernel(exported=True)
def cw_search_ends(
    search: Search, board: Board, context: Context, work: Board, stream: Stream, count: int,
    out: Pointer,
) -> int:  # fmt: skip
    """Play out a number of worlds, and write the raw rewards of all seats, 8 bytes each.

    Returns how many rewards there are: games that break a rule have none.
    """
    context.forms = search.forms
    done = 0
    for _ in range(count):
        ended = imagine(search, board, context, work, stream)
        if ended == 0:
            ended = engine.arrive(work, context)
        if ended > 0:
            ended = engine.play_out(work, context, op.like(stream, search.streams))
        if ended == 0 and points(work, context, search.ends) >= 0:
            for seat in range(engine.PLAYERS):
                out[done] = raw_reward(search, search.ends, seat)
                done += 1
    return done


@kernel(exported=True)
def cw_children(
    search: Search, nodes: Node, board: Board, context: Context, parent: int, seat: int, count: int,
    out: Pointer,
) -> int:  # fmt: skip
    """Write the children of a node by the options of a board: `count` numbers, 0 for none.

    Returns -1 if the board has another number of options.
    """
    context.forms = search.forms
    if engine.advance(board, context) != count:
        return -1
    node = node_at(nodes, parent)
    by_card = engine.card_choice(board) != 0 and lists_choice(search, node, board.pc)
    for i in range(count):
        if by_card:
            bit = op.wrap(1 << card_of(board, context, i))
            out[i] = child_by_card(search, node, bit) if node.cards & bit != 0 else 0
        else:
            out[i] = child_by_key(search, parent, key_in_tree(board, context, seat, i))
    return count
