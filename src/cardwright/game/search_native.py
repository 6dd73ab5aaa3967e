"""Tree search by machine code: its memory, and trees that are grown by several threads."""

from __future__ import annotations

import ctypes
import math
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING

from cardwright.compiler.context import Memory
from cardwright.compiler.kernels import rewards, within
from cardwright.compiler.kernels.search import LOG_BITS, WIDENING_BITS
from cardwright.compiler.native import SEARCHES
from cardwright.compiler.search_structs import NODE_HEAD, SEARCH
from cardwright.game.engines import EngineError
from cardwright.game.errors import IllegalOptionError
from cardwright.game.native import NativeBoard
from cardwright.game.search import Found, Reward, Task, Tried, Worlds
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from cardwright.compiler.extension import Extension
    from cardwright.game.native import NativeEngine
    from cardwright.game.state import State
    from cardwright.program.cards import Seat

_REWARDS = {
    Reward.RANK: rewards.RANK,
    Reward.WIN: rewards.WIN,
    Reward.SCORE: rewards.SCORE,
    Reward.MARGIN: rewards.MARGIN,
}
_PATH = 1 << 12
"""Most nodes that one iteration goes through; games of more decisions are searched that deep."""

_RANGE_WORLDS = 64
"""Worlds played out at random to learn the range of scores."""

_AT_ONCE = 1_000
"""Iterations in one call of the machine code, which nothing interrupts."""


@dataclass(frozen=True, eq=False, slots=True)
class Root:
    """Where a search begins: a board at a decision of a seat, and where that knows cards may lie.

    Without `allowed` it knows nothing of cards that it does not see. `extra` is memory that the
    playouts of an extension look at.
    """

    board: NativeBoard
    seat: Seat
    allowed: bytes | None = None
    extra: ctypes.Array[ctypes.c_int64] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Playouts:
    """How deals are played out: an extension with a kernel `play_out`, and memory it looks at."""

    extension: Extension
    extra: ctypes.Array[ctypes.c_int64]


def search_state(
    state: State, stream: Stream, task: Task, threads: int, playouts: Playouts | None
) -> Found:
    """Search the decision that is due in a state; see `State.search`."""
    board, seat = state._board, state.player
    if not isinstance(board, NativeBoard):
        raise EngineError(
            "searches need the native engine, and this game is played by another:"
            ' try Game.load(..., engine="native"), or with_engine("native")'
        )
    if seat is None:
        raise IllegalOptionError("the game is over: there is nothing to search")
    allowed = None if task.worlds is Worlds.TRUE else state.allowed(seat, task.mode)
    if playouts is None:
        return search_natively(Root(board, seat, allowed), task, stream, threads=threads)
    root = Root(board, seat, allowed, playouts.extra)
    return search_natively(root, task, stream, playouts.extension, threads)


def search_natively(
    root: Root, task: Task, stream: Stream, extension: Extension = SEARCHES, threads: int = 1
) -> Found:
    """Search from a root; the playouts are those of the extension.

    Every tree has a stream of its own, drawn from `stream`: so it does not matter how many threads
    grow them, unless time is what limits them.
    """
    streams = [Stream(stream.next()) for _ in range(task.trees)]
    now = time.perf_counter()
    deadline = math.inf if task.milliseconds is None else now + task.milliseconds / 1_000

    def grow(number: int) -> Found:
        until = deadline
        if threads == 1 and deadline < math.inf:  # the time that is left is shared among the trees
            now = time.perf_counter()
            until = now + (deadline - now) / (task.trees - number)
        room = _room(root.board.engine, task, extension)
        return _Tree(root, task, streams[number], room).grown(until)

    if threads == 1 or task.trees == 1:
        return reduce(add, map(grow, range(task.trees)))
    with ThreadPoolExecutor(min(threads, task.trees)) as pool:
        return reduce(add, pool.map(grow, range(task.trees)))


class _Tree:
    """A tree, or one for every seat, grown from a copy of a board in the memory of a room."""

    def __init__(self, root: Root, task: Task, stream: Stream, room: _Room) -> None:
        self._board = root.board.copy()
        self._seat = root.seat
        self._task = task
        self._room = room
        self._context = root.board.engine.second_context()
        if root.extra is not None:
            self._context.set("extra", ctypes.addressof(root.extra))
        self._wanted = (ctypes.c_uint8 * root.board.option_count)()
        for option in task.wanted:
            self._wanted[option] = 1
        self._words = (ctypes.c_uint64 * 4)(*stream.words)
        self._stream = ctypes.addressof(self._words)
        self._players = root.board.engine.native.program.players
        room.know(root.allowed)
        values = {
            "seat": root.seat,
            "many": int(task.many),
            "deals": int(task.worlds is Worlds.EACH),
            "again": int(task.again),
            "narrow": int(bool(task.wanted)),
            "wanted": ctypes.addressof(self._wanted),
            "reward": _REWARDS[task.reward],
            "highest": int(root.board.engine.native.program.highest_wins),
            "doubling": _scaled_log(2, task.exploration),
            "widening": math.ceil(task.widening * (1 << WIDENING_BITS)),
            "low": 0,
            "span": 0,
        }
        for name, value in values.items():
            room.set(name, value)
        if task.worlds is not Worlds.TRUE:
            self._begin_worlds()
        room.call("cw_search_begin", room.address, room.nodes.address, self._stream)
        if task.reward in {Reward.SCORE, Reward.MARGIN}:
            self._scale()

    def _begin_worlds(self) -> None:
        room, at = self._room, self._board.address
        allowed, chain = room.get("allowed"), room.get("chain")
        count = room.call("cw_chain", at, self._seat, self._stream, allowed, chain)
        assert count >= 0, "what a seat knows allows no deal"
        if self._task.worlds is Worlds.ONE:
            room.call("cw_next_world", at, self._stream, allowed, chain)

    def _scale(self) -> None:
        """Learn from random play what is little and what is much."""
        ends = (ctypes.c_int64 * (_RANGE_WORLDS * self._players))()
        count = self._room.call(
            "cw_search_ends", self._room.address, *self._played(), _RANGE_WORLDS,
            ctypes.addressof(ends),
        )  # fmt: skip
        low, span = _range(ends[:count])
        self._room.set("low", low)
        self._room.set("span", span)

    def _played(self) -> tuple[int, int, int, int]:
        """Return the addresses of the board, of what is played on, and of the stream."""
        return self._board.address, self._context.address, self._room.work, self._stream

    def grown(self, deadline: float) -> Found:
        """Do the iterations, until the deadline at most, and return what was found."""
        room, left = self._room, self._task.iterations
        timed = deadline < math.inf
        while left:
            some = min(left, _AT_ONCE // 10 if timed else _AT_ONCE)
            room.call("cw_search", room.address, room.nodes.address, *self._played(), some)
            left -= some
            if timed and time.perf_counter() >= deadline:
                break
        return self._found()

    def _found(self) -> Found:
        room, board = self._room, self._board
        keys = (ctypes.c_int64 * board.option_count)()
        room.call(
            "cw_option_keys", board.address, self._context.address, room.get("forms"), self._seat,
            board.option_count, ctypes.addressof(keys),
        )  # fmt: skip
        children = room.children(self._seat if self._task.many else 0, self._players)
        nothing = Tried(0, 0, (0,) * self._players)
        return Found(
            self._seat,
            tuple(children.get(key, nothing) for key in keys),
            room.get("done"), room.get("failed"), room.get("plies"), room.get("nodes"),
        )  # fmt: skip


class _Room:
    """The memory of a search, which a thread keeps for the next; its struct's fields by name."""

    def __init__(self, engine: NativeEngine, task: Task, extension: Extension) -> None:
        native = engine.native
        self._functions = engine.extended(extension).functions
        parameters, players = native.layout.parameters, native.program.players
        nodes = players + 1 + task.most_nodes * (4 * players if task.many else 1)
        table = 1 << (2 * nodes - 1).bit_length()
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._struct = Memory(SEARCH.bytes)
        self.address = self._struct.address
        self._node_bytes = 8 * (NODE_HEAD + players)
        self.nodes = Memory(self._node_bytes * nodes)
        self._work = Memory(len(native.new_board()))
        self.work = self._work.address
        self._known_bytes = 8 * parameters["CARDS"] * within.table_words(slots)
        sizes = {
            "allowed": self._known_bytes,
            "chain": within.chain_bytes(parameters["CARDS"], slots),
            "table": 4 * table,
            "path": 8 * _PATH,
            "at": 8 * players,
            "streams": 32 * players,
            "ends": 8 * players,
            "rewards": 8 * players,
        }
        self._parts = {name: Memory(size) for name, size in sizes.items()}
        for name, memory in self._parts.items():
            self.set(name, memory.address)
        self._logs = _logs(task.exploration)
        self._forms = engine.pick_forms.words
        self.set("logs", ctypes.addressof(self._logs))
        self.set("forms", self._forms.ctypes.data)
        self.set("room", nodes)
        self.set("mask", table - 1)
        self.set("path_room", _PATH)

    def call(self, name: str, *args: int) -> int:
        """Call a function of the machine code."""
        result: int = self._functions[name](*args)
        return result

    def know(self, allowed: bytes | None) -> None:
        """Take over where cards may lie; without it, every card may lie everywhere."""
        at = self._parts["allowed"].address
        if allowed is None:
            ctypes.memset(at, 0xFF, self._known_bytes)
        else:
            assert len(allowed) <= self._known_bytes
            ctypes.memmove(at, allowed, len(allowed))

    def _field(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self.address + SEARCH.fields[name].offset)

    def set(self, name: str, value: int) -> None:
        """Set a field."""
        self._field(name).value = value

    def get(self, name: str) -> int:
        """Return a field."""
        found: int = self._field(name).value
        return found

    def children(self, parent: int, players: int) -> dict[int, Tried]:
        """Return the children of a node, by their keys."""
        size = NODE_HEAD + players
        count = self.get("nodes")
        words = memoryview(self.nodes.read(0, self._node_bytes * count)).cast("q")
        parents = words[1::size].tolist()
        return {
            words[at]: Tried(
                words[at + 2], words[at + 3], tuple(words[at + NODE_HEAD : at + size])
            )
            for at in (size * number for number, one in enumerate(parents) if one == parent)
        }  # fmt: skip


def _room(engine: NativeEngine, task: Task, extension: Extension) -> _Room:
    """Return the room that the thread that asks keeps for tasks of this size."""
    rooms = engine.kept_by_thread()
    key = extension.name, task.most_nodes, task.many, task.exploration
    found = rooms.get(key)
    if found is None:
        if len(rooms) >= _MOST_ROOMS:
            rooms.clear()
        found = rooms[key] = _Room(engine, task, extension)
    return found


_MOST_ROOMS = 4


def _range(ends: list[int]) -> tuple[int, int]:
    """Return which raw reward is to be worth 0, and how far above it one is worth 1.

    That is the range of all that was met; but no more than two standard deviations to either side
    of the mean, so that a rare great swing does not make all else look alike.
    """
    if not ends:
        return 0, 0
    mean, deviation = statistics.fmean(ends), statistics.pstdev(ends)
    low = max(min(ends), math.floor(mean - 2 * deviation))
    high = min(max(ends), math.ceil(mean + 2 * deviation))
    return low, min(high - low, rewards.WIDEST)


def _scaled_log(count: int, exploration: float) -> int:
    """Return k^2 ln(count), scaled so that the root of it is scaled as rewards are."""
    return round(exploration**2 * math.log(count) * (1 << 2 * rewards.ONE_BITS))


@lru_cache(maxsize=8)
def _logs(exploration: float) -> ctypes.Array[ctypes.c_int64]:
    size = 1 << LOG_BITS
    values = (_scaled_log(count, exploration) for count in range(1, size))
    return (ctypes.c_int64 * size)(0, *values)
