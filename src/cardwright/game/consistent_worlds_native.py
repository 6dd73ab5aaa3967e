"""Consistent worlds by machine code; see `compiler.kernels.consistent_worlds`."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from cardwright.compiler.kernel_sets import SEARCHES, WORLDS
from cardwright.compiler.kernels.consistent_worlds import chain_bytes
from cardwright.game.engines import EngineError
from cardwright.game.native import native_board

if TYPE_CHECKING:
    from cardwright.game.board import Board
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.native import NativeBoard
    from cardwright.interpreter.stream import Stream
    from cardwright.program.cards import Location


def slots_of(board: NativeBoard) -> list[Location | None]:
    """Return the location of every slot of a board, by number; None for a free one."""
    places = board.engine.native.layout.places
    field = board.engine.native.layout.board.fields["pool_kind"]
    slots: list[Location | None] = list(places.locations)
    for at in range(places.pool):
        start = field.offset + field.width * at
        used = any(board.state[start : start + field.width])
        slots.append(
            board.engine.decoder.location(board.state, places.fixed + at) if used else None
        )
    return slots


def allowed(board: Board, knowledge: Knowledge) -> bytes:
    """Return what a seat knows as the table that kernels take for a board; raises EngineError."""
    native = native_board(board)
    if native is None:
        raise EngineError("there are tables for kernels only of games of the native engine")
    return knowledge.table(slots_of(native))


class NativeWorlds:
    """A chain of worlds that a seat cannot tell from a board by what it knows."""

    def __init__(self, board: NativeBoard, knowledge: Knowledge, stream: Stream) -> None:
        self._board = board
        self._stream = stream
        parameters = board.engine.native.layout.parameters
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        table = allowed(board, knowledge)
        self._table = (ctypes.c_char * (len(table) + 1)).from_buffer_copy(table + b"\0")
        self._chain = (ctypes.c_char * chain_bytes(parameters["CARDS"], slots))()
        self._words = (ctypes.c_uint64 * 4)(*stream.words)
        self._functions = board.engine.extended(WORLDS).functions
        self._places = (
            ctypes.addressof(self._words),
            ctypes.addressof(self._table),
            ctypes.addressof(self._chain),
        )
        count = self._functions["cw_chain"](board.address, knowledge.seat, *self._places)
        assert count >= 0, "what a seat knows allows no deal"
        self._keep_stream()

    def _keep_stream(self) -> None:
        words = self._words
        self._stream.words = (words[0], words[1], words[2], words[3])

    def next(self) -> NativeBoard:
        """Return the next world as a board, not yet advanced."""
        board = self._board.copy()
        self._functions["cw_next_world"](board.address, *self._places)
        self._keep_stream()
        return board

    def roll_out(
        self, work: NativeBoard, streams: int, fresh: int, count: int, out: tuple[int, int]
    ) -> int:
        """Play the next worlds to their ends, adding to sums; return how many broke no rule.

        `work` is a board to play on; `streams` and `fresh` are as `cw_rollouts` takes them, and so
        is `out`, the addresses of the scores and of the sums.
        """
        engine = self._board.engine
        context = engine.context()
        context.token += 1
        highest = int(engine.native.program.highest_wins)
        done: int = engine.extended(SEARCHES).functions["cw_rollouts_within"](
            self._board.address, context.address, work.address, self._places[0], streams, fresh,
            *self._places[1:], count, highest, *out,
        )  # fmt: skip
        context.check()
        self._keep_stream()
        return done
