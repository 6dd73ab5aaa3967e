"""Followers of machine code: games that are played once more, for what their seats see of them."""

from __future__ import annotations

import ctypes
from array import array
from typing import TYPE_CHECKING

from cardwright.compiler.kernels.information import CHAINS, REFUSED, ROOM
from cardwright.game.information.sightings import KEY_BYTES, SeenSoFar, entries_of, entry_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.layout import BoardLayout
    from cardwright.game.native.engine import NativeBoard, NativeEngine

_WORD = 2**64 - 1


class NativeFollower:
    """A game as machine code follows it; see `GameFollower`.

    `memory` is what `cardwright.compiler.kernels.information` works in.
    """

    __slots__ = ("_board", "_memory")

    def __init__(self, board: NativeBoard, memory: ctypes.Array[ctypes.c_int64]) -> None:
        """Take over a board and the memory."""
        self._board = board
        self._memory = memory

    @classmethod
    def started(cls, engine: NativeEngine, seed: int, seen: SeenSoFar, room: int) -> NativeFollower:
        """Return a new game at its first decision, with chains as they begin; raises Fault.

        There is room to recall a number of choices.
        """
        follower = cls(engine.new_board(), follower_memory(engine, seen, room))
        signed = seed - 2**64 if seed >= 2**63 else seed
        follower._call("cw_follow_start", signed)
        return follower

    @classmethod
    def adopted(cls, board: NativeBoard, seen: SeenSoFar, room: int) -> NativeFollower:
        """Return a follower of a board at a decision, or at the end, where this had been seen."""
        return cls(board.copy(), follower_memory(board.engine, seen, room))

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen."""
        layout = self._board.engine.native.layout
        end = CHAINS + 2 + 2 * layout.players
        words = tuple(word & _WORD for word in self._memory[CHAINS:end])
        first = _entries_at(layout)
        last = first + self._memory[ROOM] * layout.entry_words
        return SeenSoFar(words, entries_of(layout, self._memory[first:last]))

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        at = 8 * CHAINS + KEY_BYTES * seat
        return bytes(memoryview(self._memory).cast("B")[at : at + KEY_BYTES])

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices."""
        layout = self._board.engine.native.layout
        first = _entries_at(layout)
        return array("q", self._memory[first : first + count * layout.entry_words])

    def after(self, choices: Sequence[int]) -> NativeFollower:
        """Return the game after some more choices; raises Fault."""
        memory = type(self._memory).from_buffer_copy(self._memory)
        follower = NativeFollower(self._board.copy(), memory)
        made = array("q", choices)
        forms = self._board.engine.pick_forms.address
        follower._call("cw_follow", forms, made.buffer_info()[0], 0, len(made))
        return follower

    def look(self, seat: int) -> None:
        """Add what a seat sees of the cards to its chain; only for one that is new."""
        self._call("cw_follow_from", seat)

    def _call(self, function: str, *args: int) -> None:
        engine = self._board.engine
        context = engine.following_context()
        context.set("extra", ctypes.addressof(self._memory))
        found = engine.call(function, self._board.address, context.address, *args)
        assert found != REFUSED
        if found < 0:
            context.check()
            raise engine.fault(context)


def _entries_at(layout: BoardLayout) -> int:
    """Return where the entries for the latest choices begin in the memory of a follower."""
    seats = layout.players + 1
    return CHAINS + 2 * seats + (layout.capacity * seats + 7) // 8


def follower_memory(
    engine: NativeEngine, seen: SeenSoFar, room: int
) -> ctypes.Array[ctypes.c_int64]:
    """Return the memory of a follower, with room for some entries, where this had been seen."""
    layout = engine.native.layout
    seats, first = layout.players + 1, _entries_at(layout)
    last = first + room * layout.entry_words
    content = [0] * (last + max(engine.pick_forms.most, seats))
    content[ROOM] = room
    words = [word - 2**64 if word >= 2**63 else word for word in seen.words]
    content[CHAINS : CHAINS + 2 * seats] = words
    if room:
        content[first:last] = entry_words(layout, seen.recalled, room)
    return (ctypes.c_int64 * len(content))(*content)
