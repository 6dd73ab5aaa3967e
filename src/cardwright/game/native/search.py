"""Tree search by machine code: its memory, and trees grown by several threads.

A player may keep a tree from one of its decisions to the next (`KeptTree`). What was learnt below
the options taken since came from worlds in which they could be taken. It is as good as new only if
nothing else has become known meanwhile. So a tree is kept only if every card that the seat sees now
and did not see before was named in one of these choices, if every card named in them can be seen,
if none has gone out of sight, and if there was no chance event.
"""

from __future__ import annotations

import ctypes
import math
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import Words, backend
from cardwright.compiler.kernel_sets import GREEDY, INFORMED, SEARCHES
from cardwright.compiler.kernels import evaluation, informed, worlds
from cardwright.compiler.kernels.search import LOG_BITS, WIDENING_BITS
from cardwright.compiler.structs import CHILD, NODE, SEARCH, STREAM, node_bytes
from cardwright.game.board import figures_of
from cardwright.game.errors import EngineError
from cardwright.game.native.engine import NativeBoard, WorldPool
from cardwright.game.native.histories import HistoryChain
from cardwright.game.native.inferred_worlds import InferredWorlds
from cardwright.game.native.threads import all_done
from cardwright.game.search import (
    OptionStatistics,
    PlayoutPolicy,
    SearchResult,
    SearchReward,
    SearchTask,
    SearchWorlds,
)
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.context import Context
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.board import Histories
    from cardwright.game.native.engine import NativeEngine
    from cardwright.program.cards import CardId, Seat

_PATH = 1 << 12
"""Most nodes of one iteration; in games of more decisions the search goes only that deep."""

_PLACES = 4
"""Places in lists of children that a node takes at most: see `kernels.search.longer_list`."""

_MOST_MEMORIES = 4
"""Memories that a thread keeps."""

_COUNTS = NODE.fields["visits"].offset
"""Where the statistics of a node begin."""


class SearchMemory:
    """The memory of a search, which a thread keeps for the next; its struct's fields by name."""

    def __init__(
        self, engine: NativeEngine, task: SearchTask, extension: KernelSet, times: int = 1
    ) -> None:
        """Allocate memory for a multiple of the nodes that a search for the task makes.

        Raises EngineError if the system does not give it.
        """
        native, memory = engine.native, engine.native.machine.memory
        self._functions = engine.extended(extension).functions
        parameters, self._players = native.layout.parameters, native.program.players
        nodes = _most_nodes(task, self._players, times)
        table = _entries(nodes)
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._struct = memory(SEARCH.bytes)
        self.address = self._struct.address
        self._node_bytes = node_bytes(self._players)
        # Greedy playouts try options on a second board, with room for scores behind it.
        self._work = memory(2 * len(native.new_board()) + 8 * self._players)
        self.work = self._work.address
        self._known_bytes = 8 * parameters["CARDS"] * worlds.table_words(slots)
        sizes = {
            "allowed": self._known_bytes,
            "chain": worlds.chain_bytes(parameters["CARDS"], slots),
            "table": CHILD.bytes * table,
            "lists": 4 * _PLACES * nodes,
            "path": 8 * _PATH,
            "at": 8 * self._players,
            "streams": 32 * self._players,
            "ends": 2 * 8 * self._players,
            "rewards": 8 * self._players,
        }
        try:
            self.nodes = memory(self._node_bytes * nodes)
            self._parts = {name: memory(size) for name, size in sizes.items()}
        except OSError:
            megabytes = (self._node_bytes * nodes + sum(sizes.values())) // 10**6
            raise EngineError(
                f"the trees of a search of {task.most_nodes:,} iterations may take "
                f"{megabytes:,} MB, which the system does not give: ask for fewer"
            ) from None
        for name, part in self._parts.items():
            self.set(name, part.address)
        self._logs = _logs(engine.name, task.exploration)
        self._forms = engine.pick_forms
        places = {"logs": self._logs.address, "forms": self._forms.address}
        for name, value in {**places, "room": nodes, "mask": table - 1, "path_room": _PATH}.items():
            self.set(name, value)

    def call(self, name: str, *args: Any) -> int:
        """Call a function of the machine code."""
        return self._functions[name](*args)

    def children(self, board: NativeBoard, seat: int, parent: int) -> list[int]:
        """Return the children of a node by the options of a board, in order; 0 for none."""
        children = (ctypes.c_int64 * board.option_count)()
        context = board.engine.context("second")
        self.call(
            "cw_children", self.address, self.nodes.address, board.address, context.address, parent,
            seat, board.option_count, board.engine.lend(children),
        )  # fmt: skip
        context.check()
        return list(children)

    def statistics(self, node: int) -> OptionStatistics:
        """Return what is known about a node; nothing is about 0."""
        if not node:
            return OptionStatistics(0, 0, 0, (0,) * self._players)
        words = self.nodes.read(self._node_bytes * node + _COUNTS, self._node_bytes - _COUNTS)
        visits, available, gained, *rewards = struct.unpack(f"<2I{1 + self._players}q", words)
        return OptionStatistics(visits, available, gained, tuple(rewards))

    def know(self, allowed: bytes | None) -> None:
        """Set where cards may lie; without it, every card may lie everywhere."""
        at = self._parts["allowed"].place
        self.set("allowed", self._parts["allowed"].address)
        if allowed is None:
            ctypes.memset(at, 0xFF, self._known_bytes)
        else:
            assert len(allowed) <= self._known_bytes
            ctypes.memmove(at, allowed, len(allowed))

    def _field(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self._struct.place + SEARCH.fields[name].offset)

    def pool(self, pool: WorldPool) -> None:
        """Let worlds be those of a pool; `know` ends that."""
        self.set("allowed", pool.address)
        self.set("pooled", 1)

    def set(self, name: str, value: int) -> None:
        """Set a field."""
        self._field(name).value = value

    def get(self, name: str) -> int:
        """Return a field."""
        found: int = self._field(name).value
        return found


def _most_nodes(task: SearchTask, players: int, times: int) -> int:
    """Return how many nodes there is room for in the trees of some searches for a task."""
    return players + 1 + times * task.most_nodes * (4 * players if task.many else 1)


def _entries(nodes: int) -> int:
    """Return the size of a table of children: a power of two, at most two thirds full."""
    return 1 << (3 * nodes // 2).bit_length()


def kept_memory(engine: NativeEngine, task: SearchTask, extension: KernelSet) -> SearchMemory:
    """Return the memory that the calling thread keeps for tasks of this size."""
    memories = engine.kept_by_thread()
    key = extension.name, task.most_nodes, task.many, task.exploration
    memory = memories.get(key)
    if memory is None:
        if len(memories) >= _MOST_MEMORIES:
            memories.clear()
        memory = memories[key] = SearchMemory(engine, task, extension)
    memory.set("root", 0)
    return memory


def scaled_log(count: int, exploration: float) -> int:
    """Return k^2 ln(count), scaled so that its square root is scaled like rewards."""
    return round(exploration**2 * math.log(count) * (1 << 2 * evaluation.ONE_BITS))


@lru_cache(maxsize=8)
def _logs(engine: str, exploration: float) -> Words:
    counts = range(1, 1 << LOG_BITS)
    return Words(backend(engine), [0, *(scaled_log(count, exploration) for count in counts)])


_TIMES = 8
"""A tree has memory for the nodes of this many searches; then a new one is begun."""


class KeptTree:
    """The tree of one seat in one game; players hold it, and only searches look into it.

    `carried` is how many iterations of earlier searches the last one could build on.
    """

    def __init__(self) -> None:
        self.carried = 0
        self._memory: SearchMemory | None = None
        self._sort: tuple[object, ...] = ()
        self._board: NativeBoard | None = None
        self._choices: tuple[int, ...] = ()

    def _taken_up(self, start: Root, task: SearchTask) -> SearchMemory:
        """Return the memory with the tree that a search goes on from, perhaps an empty one.

        The search has to start over if the root there is 0, as after choices that were taken back.
        """
        board, choices, sort = start.board, start.choices, start.playouts.extension
        rules = task.exploration, task.reward, task.worlds, task.horizon
        kind = board.engine, sort.name, task.most_nodes, *rules
        root, done, memory = 0, len(self._choices), self._memory
        if memory is None or self._sort != kind:
            memory = SearchMemory(board.engine, task, sort, _TIMES)
        elif tuple(choices[:done]) == self._choices and (
            memory.get("nodes") + task.most_nodes <= memory.get("room")
        ):
            root = self._followed(memory, board, start.seat, choices[done:])
        memory.set("root", root)
        self.carried = memory.statistics(root).visits
        self._memory, self._sort = memory, kind
        self._board, self._choices = board.copy(), tuple(choices)
        return memory

    def _followed(
        self, memory: SearchMemory, now: NativeBoard, seat: Seat, choices: Sequence[int]
    ) -> int:
        """Return the node to which some choices lead; 0 if there is none, or it is not usable."""
        assert self._board is not None
        board, node = self._board.copy(), memory.get("root")
        before, chances = _unseen(board, seat), board.state[: STREAM.bytes]
        named: set[CardId] = set()
        for index in choices:
            mover = board.player
            assert mover is not None
            named.update(card for pick in board.picks()[index][1] for card in picked_cards(pick))
            node = memory.children(board, mover, node)[index]
            if not node:
                return 0
            board.play(index)
        after = _unseen(now, seat)
        clear = (
            board.state[: STREAM.bytes] == chances and after <= before and named.isdisjoint(after)
        )
        return node if clear and before - after <= named else 0


def _unseen(board: NativeBoard, seat: Seat) -> set[CardId]:
    """Return the cards that a seat does not see."""
    world = board.world()
    program = world.rules.program
    return {card.id for card in program.cards if not sees(program, seat, world.where[card.id])}


_REWARDS = {
    SearchReward.RANK: evaluation.RANK,
    SearchReward.WIN: evaluation.WIN,
    SearchReward.SCORE: evaluation.SCORE,
    SearchReward.MARGIN: evaluation.MARGIN,
}
_SCALED = {SearchReward.SCORE, SearchReward.MARGIN}
_RANGE_WORLDS = 64
"""Worlds played out at random to learn the range of scores."""

BY_CARD = True
"""Whether nodes list the children that single cards lead to; tests find them by keys as well."""

_AT_ONCE = 1_000
"""Iterations in one call of the machine code."""

_A_WORLD = 5
"""Iterations for each world of a pool: to draw one takes about as long as some iterations."""


@dataclass(frozen=True, eq=False, slots=True)
class Playouts:
    """How games are played out: an extension with a kernel `play_out`, and memory that it reads.

    With `match` its rewards are chances to win a match of several deals, whatever a task asks for.
    If the policy `learns`, it has memory of its own in every tree, where it first goes through a
    game that the seat cannot tell from its own. `iterations` share a world of a pool, for which
    every n-th of a chain is taken.
    """

    extension: KernelSet = SEARCHES
    extra: Words | None = None
    match: bool = False
    learns: bool = False
    iterations: int = _A_WORLD
    every: int = 1


def playouts_by(engine: NativeEngine, policy: PlayoutPolicy) -> Playouts:
    """Return playouts by one of the policies that a task can name."""
    native = engine.native
    match policy:
        case PlayoutPolicy.RANDOM:
            return Playouts()
        case PlayoutPolicy.GREEDY:
            return Playouts(GREEDY, Words(native.machine, [int(native.program.highest_wins)]))
        case PlayoutPolicy.INFORMED:
            # They take long, and neighbours in a chain have most cards in common.
            return Playouts(INFORMED, learns=True, iterations=1, every=3)


def _informed_memory(engine: NativeEngine) -> Words:
    """Return memory for informed playouts in which nothing is known; see `kernels.informed`."""
    native, kinds = engine.native, dict[object, int]()
    cards, players = native.program.cards, native.program.players
    parameters = native.layout.parameters
    places = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
    board = -(-len(native.new_board()) // 8)
    known = [-1] * -(-players * places * len(cards) // 8)
    parts = {
        informed.KINDS: [
            kinds.setdefault((card.back, *sorted(card.attributes.items())), card.id)
            for card in cards
        ],
        informed.MARKS: [0] * len(cards),
        informed.HELD: [-1] * places,
        informed.BRANCHES: [0] * informed.BRANCH_WORDS * informed.MOST_BRANCHES,
        informed.ENDS: [0] * players,
        informed.NOW: known,
        informed.BEGUN: known,
        informed.POST: [0] * board,
        informed.TRIAL: [0] * board,
    }
    words = [0] * informed.HEAD
    words[informed.HIGHEST] = int(native.program.highest_wins)
    for part, content in parts.items():
        words[part] = 8 * len(words)
        words += content
    return Words(native.machine, words)


@dataclass(frozen=True, eq=False, slots=True)
class Root:
    """Where a search begins: a board at a decision of a seat, and how games are played out.

    `choices` are all of the game so far. `allowed` is where cards may lie by what the seat knows;
    without it, the seat knows nothing about those that it does not see. With `histories` worlds
    agree with all that it has seen; `told` says that they should. Time counts from `begun`.
    """

    board: NativeBoard
    seat: Seat
    choices: Sequence[int]
    allowed: bytes | None
    playouts: Playouts
    histories: Histories | None = None
    told: bool = False
    begun: float = field(default_factory=time.perf_counter)


def search(
    root: Root, stream: Stream, task: SearchTask, *, threads: int, kept: KeptTree | None
) -> SearchResult:
    """Search a decision; see `State.search`.

    Every tree has a stream of its own, drawn from `stream`: so the number of threads does not
    matter, unless time is the limit.
    """
    deadline = math.inf
    if task.milliseconds is not None:
        deadline = root.begun + task.milliseconds / 1_000
    streams = [Stream(stream.next()) for _ in range(task.trees)]
    threads = root.board.engine.threads(threads)
    if kept and task.trees == 1 and not task.many and task.worlds is not SearchWorlds.ONE:
        try:
            return _Tree(root, task, streams[0], kept._taken_up(root, task)).grown(deadline)
        except BaseException:
            kept._memory = None  # the tree may be half grown
            raise

    def grow(number: int) -> SearchResult:
        until = deadline
        if threads == 1 and deadline < math.inf:  # the time that is left is shared among the trees
            now = time.perf_counter()
            until = now + (deadline - now) / (task.trees - number)
        contexts.append(root.board.engine.context("second"))
        memory = kept_memory(root.board.engine, task, root.playouts.extension)
        return _Tree(root, task, streams[number], memory).grown(until)

    contexts: list[Context] = []
    if threads == 1 or task.trees == 1:
        return reduce(add, map(grow, range(task.trees)))
    with ThreadPoolExecutor(min(threads, task.trees)) as pool:
        futures = [pool.submit(grow, number) for number in range(task.trees)]
        return reduce(add, all_done(futures, contexts))


class _Tree:
    """A tree, or one for every seat, grown from a copy of a board in a search memory."""

    def __init__(self, root: Root, task: SearchTask, stream: Stream, memory: SearchMemory) -> None:
        self._board = board = root.board.copy()
        self._seat = root.seat
        self._task = task
        self._memory = memory
        self._context = board.engine.context("second")
        self._playouts = playouts = root.playouts
        self._extra = _informed_memory(board.engine) if playouts.learns else playouts.extra
        if self._extra is not None:
            self._context.set("extra", self._extra.address)
        self._wanted = board.engine.native.machine.memory(root.board.option_count)
        for option in task.wanted:
            ctypes.memset(self._wanted.place + option, 1, 1)
        self._words = (ctypes.c_uint64 * 4)(*stream.words)
        drawn = board.engine.lend(self._words)
        self._played = board.address, self._context.address, memory.work, drawn
        self._match = root.playouts.match
        self._reward = SearchReward.WIN if self._match else task.reward
        program = board.engine.native.program
        self._one_deal = task.horizon.one_deal(program)
        memory.know(root.allowed)
        self._pool: WorldPool | None = None
        self._histories = root.histories.copy() if root.histories else None
        self._told = root.told
        values = {
            "seat": root.seat,
            "many": int(task.many),
            "deals": int(task.worlds is SearchWorlds.EACH),
            "pooled": 0,
            "again": int(task.again),
            "narrow": int(bool(task.wanted)),
            "by_card": int(BY_CARD and not playouts.learns),
            "wanted": self._wanted.address,
            "reward": _REWARDS[task.reward],
            "highest": int(program.highest_wins),
            "doubling": scaled_log(2, task.exploration),
            "widening": math.ceil(task.widening * (1 << WIDENING_BITS)),
            "done": 0,
            "failed": 0,
            "plies": 0,
        }
        for name, value in values.items():
            memory.set(name, value)
        if self._histories is not None:
            own = Stream(stream.next())
            if playouts.learns:
                self._learn(own)
            if task.worlds is SearchWorlds.ONE:
                world = self._histories.world(own)
                assert isinstance(world, NativeBoard)
                board.state[:] = world.state
            else:
                self._pool = WorldPool(board.engine, self._histories, own, playouts.every)
                memory.pool(self._pool)
            self._words[:] = list(stream.words)
        elif task.worlds is not SearchWorlds.TRUE:
            allowed, chain = memory.get("allowed"), memory.get("chain")
            count = memory.call("cw_chain", board.address, root.seat, drawn, allowed, chain)
            assert count >= 0, "no deal agrees with what the seat knows"
            if task.worlds is SearchWorlds.ONE:
                memory.call("cw_next_world", board.address, drawn, allowed, chain)
        if memory.get("root"):
            return  # the tree already exists, and its rewards have their scale
        memory.call("cw_search_begin", memory.address, memory.nodes.address, drawn)
        low, span = self._scale(program.players) if task.reward in _SCALED else (0, 0)
        memory.set("low", low)
        memory.set("span", span)

    def _learn(self, stream: Stream) -> None:
        """Learn what all seats know by now, from a game that the seat cannot tell from its own."""
        told = self._histories
        assert isinstance(told, HistoryChain | InferredWorlds)
        chain = told if isinstance(told, HistoryChain) else told.chain.copy()
        world = chain.world(stream)
        board, memory, context = self._board.copy(), self._memory, self._context.address
        for frame, index in chain.steps():
            board.state[: len(frame)] = frame
            memory.call("cw_learn", board.address, context, memory.get("forms"), index)
        memory.call("cw_learnt", world.address, context)

    def _scale(self, players: int) -> tuple[int, int]:
        """Return the scale of rewards, from random play."""
        memory, ends = self._memory, (ctypes.c_int64 * (_RANGE_WORLDS * players))()
        at = self._board.engine.lend(ends)
        if self._pool is not None:
            self._pool.fill(_RANGE_WORLDS)
        with self._context.one_deal(self._one_deal):
            count = memory.call("cw_search_ends", memory.address, *self._played, _RANGE_WORLDS, at)
        self._context.check()
        return _range(ends[:count])

    def grown(self, deadline: float) -> SearchResult:
        """Do the iterations, until the deadline at most, and return what was found."""
        memory, task = self._memory, self._task
        left, timed = task.iterations, deadline < math.inf
        while left:
            some = min(left, _AT_ONCE // 10 if timed else _AT_ONCE)
            if self._pool is not None:
                shared = self._playouts.iterations
                some = min(left, _AT_ONCE // 10, shared * self._pool.most)
                self._pool.fill(-(-some // shared))
            with self._context.one_deal(self._one_deal):
                memory.call("cw_search", memory.address, memory.nodes.address, *self._played, some)
            self._context.check()
            left -= some
            if timed and time.perf_counter() >= deadline:
                break
        root = self._seat if task.many else memory.get("root")
        children = memory.children(self._board, self._seat, root)
        return SearchResult(
            self._seat,
            tuple(map(memory.statistics, children)),
            memory.get("done"), memory.get("failed"), memory.get("plies"), memory.get("nodes"),
            self._reward, self._one_deal, self._match,
            (memory.get("low"), memory.get("span")) if self._reward in _SCALED else None,
            figures_of(self._histories) if self._told else None,
        )  # fmt: skip


def _range(ends: list[int]) -> tuple[int, int]:
    """Return which raw reward is worth 0, and how far above it one is worth 1.

    That is the range of all rewards met, but no more than two standard deviations to either side of
    the mean, so that a rare large swing does not make everything else look alike.
    """
    if not ends:
        return 0, 0
    count, total = len(ends), sum(ends)
    spread = 4 * (count * sum(end * end for end in ends) - total * total)
    root = math.isqrt(spread)
    twice = root + (root * root < spread)  # two standard deviations, times the count, rounded up
    low = max(min(ends), (total - twice) // count)
    high = min(max(ends), -((-total - twice) // count))
    return low, min(high - low, evaluation.WIDEST)
