"""Flat Monte Carlo by machine code; see `cardwright.game.flat` and `compiler.kernels.flat`."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cardwright.compiler.kernel_sets import SEARCHES
from cardwright.compiler.kernels import flat as kernel
from cardwright.compiler.kernels.consistent_worlds import chain_bytes
from cardwright.compiler.kernels.rollouts import WINS
from cardwright.game.consistent_worlds_native import allowed
from cardwright.game.determinise import KnowledgeMode
from cardwright.game.flat import FlatTable
from cardwright.game.rollouts import Rollouts

if TYPE_CHECKING:
    from cardwright.game.flat import Chances, FlatPlan
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.native import NativeBoard
    from cardwright.interpreter.stream import Stream
    from cardwright.program.cards import Seat

_AT_ONCE = 4_000
"""Rollouts in one call of the machine code, or as many as a world has."""

_KNOWLEDGE = {
    KnowledgeMode.BASIC: kernel.BASIC,
    KnowledgeMode.KNOWN: kernel.KNOWN,
    KnowledgeMode.CONSISTENT: kernel.WITHIN,
}


class NativeTrials:
    """Trials by machine code, with the memory for them; for one thread at a time."""

    def __init__(
        self,
        board: NativeBoard,
        seat: Seat,
        mode: KnowledgeMode,
        chances: Chances,
        knowledge: Knowledge | None,
    ) -> None:
        self._board = board.copy()
        self._chances = chances
        self._streams = (chances.stream, *chances.seats)
        self._call = board.engine.extended(SEARCHES).functions["cw_flat"]
        players = board.engine.native.program.players
        size = len(board.state)
        row = 1 + players * (WINS + players)
        self._words = (ctypes.c_uint64 * (4 * (1 + players)))()
        self._plan = (ctypes.c_int64 * kernel.WORDS)()
        self._plan[kernel.SEAT] = seat
        self._plan[kernel.KNOWLEDGE] = _KNOWLEDGE[mode]
        self._plan[kernel.HIGHEST] = int(board.engine.native.program.highest_wins)
        self._sums = (ctypes.c_int64 * (row * board.count))()
        self._held: list[Any] = [
            (ctypes.c_char * size)(),
            (ctypes.c_char * size)(),
            (ctypes.c_int64 * board.count)(),
            (ctypes.c_int64 * (2 * players))(),
        ]
        self._chain: list[int] = self._begun(knowledge) if knowledge else [0, 0]

    def _begun(self, knowledge: Knowledge) -> list[int]:
        """Begin a chain of worlds; return the addresses of the knowledge table and the chain."""
        engine = self._board.engine
        parameters = engine.native.layout.parameters
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        table = ctypes.create_string_buffer(allowed(self._board, knowledge))
        chain = (ctypes.c_char * chain_bytes(parameters["CARDS"], slots))()
        self._held += [table, chain]
        places = [ctypes.addressof(table), ctypes.addressof(chain)]
        begin = engine.extended(SEARCHES).functions["cw_chain"]
        self._take_words()
        stream = ctypes.addressof(self._words)
        assert begin(self._board.address, knowledge.seat, stream, *places) >= 0
        self._give_words()
        return places

    def _take_words(self) -> None:
        self._words[:] = [word for stream in self._streams for word in stream.words]

    def _give_words(self) -> None:
        for at, stream in enumerate(self._streams):
            _set_stream(stream, self._words[4 * at : 4 * at + 4])

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options."""
        board, todo = self._board, self._plan
        tried = plan.indices(board.count)
        todo[kernel.ROLLOUTS], todo[kernel.SHARED] = plan.rollouts, int(plan.shared)
        todo[kernel.FIRST], todo[kernel.END] = tried.start, tried.stop
        todo[kernel.LIMIT] = plan.limit
        ctypes.memset(self._sums, 0, ctypes.sizeof(self._sums))
        engine = self._board.engine
        contexts = engine.context(), engine.second_context()
        places = self._places()
        self._take_words()
        left, most = plan.deals, max(1, _AT_ONCE // (plan.rollouts * max(1, len(tried))))
        with contexts[1].one_deal(plan.horizon.one_deal(engine.native.program)):
            while left:
                todo[kernel.DEALS] = min(most, left)
                left -= todo[kernel.DEALS]
                done = self._call(*places)
                for context in contexts:
                    context.check()
                assert done == 0, "a decision has lost options"
        self._give_words()
        return self._table(tried, plan.deals * plan.rollouts)

    def _places(self) -> list[int]:
        """Return the arguments of the kernel, for the calling thread."""
        engine = self._board.engine
        context = engine.context()
        context.token += 1
        world, work, keys, ends, *_ = map(ctypes.addressof, self._held)
        words = ctypes.addressof(self._words)
        return [
            self._board.address, context.address, engine.second_context().address, world, work,
            words, words + 32, ctypes.addressof(self._plan), engine.pick_forms.address,
            *self._chain, keys, ends, ctypes.addressof(self._sums),
        ]  # fmt: skip

    def _table(self, tried: range, asked: int) -> FlatTable:
        """Return the table from the sums, given the number of rollouts of each option tried."""
        players = self._board.engine.native.program.players
        size = WINS + players
        table = [Rollouts.none(players)] * self._board.count
        for at in tried:
            first = at * (1 + players * size)
            done, *words = self._sums[first : first + 1 + players * size]
            rows = [words[size * seat : size * (seat + 1)] for seat in range(players)]
            table[at] = Rollouts.from_sums(done, asked - done, rows)
        return FlatTable(tuple(table))


def _set_stream(stream: Stream, words: list[int]) -> None:
    stream.words = (words[0], words[1], words[2], words[3])
