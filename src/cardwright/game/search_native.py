"""Tree search by machine code: its memory, and trees grown by several threads."""

from __future__ import annotations

import ctypes
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from cardwright.compiler.kernel_sets import SEARCHES
from cardwright.compiler.kernels import rewards
from cardwright.compiler.kernels.bounds import WIDENING_BITS
from cardwright.game.engines import EngineError
from cardwright.game.errors import IllegalOptionError
from cardwright.game.interrupt import all_done
from cardwright.game.native import native_board, native_engine
from cardwright.game.search import (
    SearchResult,
    SearchReward,
    SearchTask,
    SearchWorlds,
)
from cardwright.game.search_memory import SearchMemory, kept_memory, scaled_log
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from cardwright.compiler.context import Context
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.native import NativeBoard
    from cardwright.game.search_kept import KeptTree
    from cardwright.game.state import State
    from cardwright.program.cards import Seat

_REWARDS = {
    SearchReward.RANK: rewards.RANK,
    SearchReward.WIN: rewards.WIN,
    SearchReward.SCORE: rewards.SCORE,
    SearchReward.MARGIN: rewards.MARGIN,
}
_SCALED = {SearchReward.SCORE, SearchReward.MARGIN}
_RANGE_WORLDS = 64
"""Worlds played out at random to learn the range of scores."""

BY_CARD = True
"""Whether nodes list the children that single cards lead to; tests find them by keys as well."""

_AT_ONCE = 1_000
"""Iterations in one call of the machine code."""


@dataclass(frozen=True, eq=False, slots=True)
class Playouts:
    """How games are played out: an extension with a kernel `play_out`, and memory that it reads.

    With `match` its rewards are chances to win a match of several deals, whatever a task asks for.
    """

    extension: KernelSet
    extra: ctypes.Array[ctypes.c_int64] | None = None
    match: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Root:
    """Where a search begins: a board at a decision of a seat, and how games are played out.

    `allowed` is where cards may lie by what the seat knows; without it, the seat knows nothing
    about those that it does not see.
    """

    board: NativeBoard
    seat: Seat
    allowed: bytes | None
    playouts: Playouts


def search_state(
    state: State,
    stream: Stream,
    task: SearchTask,
    *,
    threads: int,
    playouts: Playouts | None,
    kept: KeptTree | None,
) -> SearchResult:
    """Search the decision that is due in a state; see `State.search`."""
    native_engine(state.game, "searches need")
    board, seat = native_board(state._board), state.player
    if board is None:
        raise EngineError(
            "searches take chance from a stream: start the game with a seed, not with start_chance"
        )
    if seat is None:
        raise IllegalOptionError("the game is over: there is nothing to search")
    allowed = None if task.worlds is SearchWorlds.TRUE else state.allowed(seat, task.mode)
    root = Root(board, seat, allowed, playouts or Playouts(SEARCHES))
    if kept is None or task.trees > 1 or task.many or task.worlds is SearchWorlds.ONE:
        return _grown(root, task, stream, threads)
    try:
        memory = kept.taken_up(board, seat, state.choices, task, root.playouts.extension)
        return _Tree(root, task, Stream(stream.next()), memory).grown(_deadline(task))
    except BaseException:
        kept.forget()
        raise


def _deadline(task: SearchTask) -> float:
    if task.milliseconds is None:
        return math.inf
    return time.perf_counter() + task.milliseconds / 1_000


def _grown(root: Root, task: SearchTask, stream: Stream, threads: int) -> SearchResult:
    """Grow all trees of a task.

    Every tree has a stream of its own, drawn from `stream`: so the number of threads does not
    matter, unless time is the limit.
    """
    streams = [Stream(stream.next()) for _ in range(task.trees)]
    deadline = _deadline(task)

    def grow(number: int) -> SearchResult:
        until = deadline
        if threads == 1 and deadline < math.inf:  # the time that is left is shared among the trees
            now = time.perf_counter()
            until = now + (deadline - now) / (task.trees - number)
        contexts.append(root.board.engine.second_context())
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
        self._board = root.board.copy()
        self._seat = root.seat
        self._task = task
        self._memory = memory
        self._context = root.board.engine.second_context()
        if root.playouts.extra is not None:
            self._context.set("extra", ctypes.addressof(root.playouts.extra))
        self._wanted = (ctypes.c_uint8 * root.board.option_count)()
        for option in task.wanted:
            self._wanted[option] = 1
        self._words = (ctypes.c_uint64 * 4)(*stream.words)
        self._stream = ctypes.addressof(self._words)
        program = root.board.engine.native.program
        self._players = program.players
        self._match = root.playouts.match
        self._reward = SearchReward.WIN if self._match else task.reward
        self._one_deal = task.horizon.one_deal(program)
        memory.know(root.allowed)
        values = {
            "seat": root.seat,
            "many": int(task.many),
            "deals": int(task.worlds is SearchWorlds.EACH),
            "again": int(task.again),
            "narrow": int(bool(task.wanted)),
            "by_card": int(BY_CARD),
            "wanted": ctypes.addressof(self._wanted),
            "reward": _REWARDS[task.reward],
            "highest": int(root.board.engine.native.program.highest_wins),
            "doubling": scaled_log(2, task.exploration),
            "widening": math.ceil(task.widening * (1 << WIDENING_BITS)),
            "done": 0,
            "failed": 0,
            "plies": 0,
        }
        for name, value in values.items():
            memory.set(name, value)
        if task.worlds is not SearchWorlds.TRUE:
            self._begin_worlds()
        if memory.get("root"):
            return  # the tree already exists, and its rewards have their scale
        memory.call("cw_search_begin", memory.address, memory.nodes.address, self._stream)
        memory.set("low", 0)
        memory.set("span", 0)
        if task.reward in _SCALED:
            self._scale()

    def _begin_worlds(self) -> None:
        memory, at = self._memory, self._board.address
        allowed, chain = memory.get("allowed"), memory.get("chain")
        count = memory.call("cw_chain", at, self._seat, self._stream, allowed, chain)
        assert count >= 0, "what a seat knows allows no deal"
        if self._task.worlds is SearchWorlds.ONE:
            memory.call("cw_next_world", at, self._stream, allowed, chain)

    def _scale(self) -> None:
        """Determine the scale of rewards from random play."""
        ends = (ctypes.c_int64 * (_RANGE_WORLDS * self._players))()
        with self._context.one_deal(self._one_deal):
            count = self._memory.call(
                "cw_search_ends", self._memory.address, *self._played(), _RANGE_WORLDS,
                ctypes.addressof(ends),
            )  # fmt: skip
        self._context.check()
        low, span = _range(ends[:count])
        self._memory.set("low", low)
        self._memory.set("span", span)

    def _played(self) -> tuple[int, int, int, int]:
        """Return the addresses of the board, of the board to play on, and of the stream."""
        return self._board.address, self._context.address, self._memory.work, self._stream

    def grown(self, deadline: float) -> SearchResult:
        """Do the iterations, until the deadline at most, and return what was found."""
        memory, left = self._memory, self._task.iterations
        timed = deadline < math.inf
        while left:
            some = min(left, _AT_ONCE // 10 if timed else _AT_ONCE)
            with self._context.one_deal(self._one_deal):
                memory.call(
                    "cw_search", memory.address, memory.nodes.address, *self._played(), some
                )
            self._context.check()
            left -= some
            if timed and time.perf_counter() >= deadline:
                break
        return self._found()

    def _found(self) -> SearchResult:
        memory = self._memory
        root = self._seat if self._task.many else memory.get("root")
        children = memory.children(self._board, self._seat, root)
        return SearchResult(
            self._seat,
            tuple(map(memory.statistics, children)),
            memory.get("done"), memory.get("failed"), memory.get("plies"), memory.get("nodes"),
            self._reward, self._one_deal, self._match,
            (memory.get("low"), memory.get("span")) if self._reward in _SCALED else None,
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
    return low, min(high - low, rewards.WIDEST)
