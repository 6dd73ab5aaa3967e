"""Kernels run as plain Python, on boards of bytes, with the engine's functions called natively."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cardwright.compiler.intrinsics import Pointer, like, offset, pointer_to, store
from cardwright.compiler.kernels import engine as declared
from cardwright.compiler.kernels.stream import below
from cardwright.compiler.layout import SLACK
from cardwright.compiler.lower.program import ENGINE
from cardwright.compiler.structs import CONTEXT, STREAM
from cardwright.program.cards import OwnerId, Seat
from cardwright.program.places import KINDS, in_order
from struct_views import StructView

if TYPE_CHECKING:
    import pytest

    from cardwright.game.native.engine import NativeEngine

FAULT = ("fault_site", "fault_a", "fault_b", "fault_c")


def address(place: Any) -> int:
    """The address of a struct or a pointer."""
    at = pointer_to(place)
    return ctypes.addressof((ctypes.c_char * len(at.buffer)).from_buffer(at.buffer)) + at.at


class PlainEngine:
    """What kernels call, for the boards of a native engine."""

    def __init__(self, engine: NativeEngine, patch: pytest.MonkeyPatch) -> None:
        self.engine = engine
        self.native = engine.native
        for name, value in self.native.layout.parameters.items():
            patch.setattr(declared, name, value)
        for name in ENGINE:
            if hasattr(self, name):
                patch.setattr(declared, name, getattr(self, name))
        self.context = StructView.new(CONTEXT)
        self.context.arena = Pointer(bytearray(1 << 20), 0)
        self.context.arena_end = 1 << 20

    def board(self, state: bytes) -> StructView:
        return StructView(self.native.layout.board, bytearray(state) + bytearray(SLACK))

    def boards(self, states: list[bytes]) -> StructView:
        return self.board(b"".join(states))

    def stream(self, words: tuple[int, ...]) -> StructView:
        return StructView(STREAM, words_in(words).buffer)

    # The functions of the engine ----------------------------------------------------------

    def _call(self, name: str, board: StructView, context: StructView, *args: int) -> int:
        own = self.engine.context()
        own.token += 1
        done = self.engine.call(name, address(board), own.address, *args)
        for field in FAULT:
            setattr(context, field, own.get(field))
        # Options, and the lists that they name, are read where they lie.
        context.options = Pointer(memoryview(own._options._held), 0)
        if name == "cw_advance":
            context.arena = Pointer(memoryview(own._arena._held), 0)
        return done

    def start(self, board: StructView, context: StructView, seed: int) -> int:
        return self._call("cw_start", board, context, seed)

    def advance(self, board: StructView, context: StructView) -> int:
        arena = context.arena
        count = self._call("cw_advance", board, context)
        if not self.lists:
            context.arena = arena
        return count

    lists = False
    """Whether the arena is the native one after `advance`, in which lists can be read."""

    def carry_out(self, board: StructView, context: StructView, index: int) -> int:
        return self._call("cw_play", board, context, index)

    def play_on(self, board: StructView, context: StructView, streams: StructView) -> int:
        while (count := self.advance(board, context)) > 0:
            own = like(streams, offset(streams, 32 * self.player(board)))
            if self.carry_out(board, context, below(own, count)) < 0:
                return -1
        return count

    def scores(self, board: StructView, context: StructView, out: Pointer) -> int:
        return self._call("cw_scores", board, context, address(out))

    def player(self, board: StructView) -> int:
        return self.engine.call("cw_player", address(board))

    def slot_kind(self, board: StructView, slot: int) -> int:
        fixed = self.native.layout.places.locations
        if slot < len(fixed):
            return KINDS.index(fixed[slot].kind) + 1
        return int(board.pool_kind[slot - len(fixed)])

    def slot_owner(self, board: StructView, slot: int) -> int:
        fixed = self.native.layout.places.locations
        return int(fixed[slot].owner if slot < len(fixed) else board.pool_owner[slot - len(fixed)])

    def slot_name(self, board: StructView, slot: int) -> int:
        fixed = self.native.layout.places.locations
        if slot < len(fixed):
            return self.native.names.number(fixed[slot].name)
        return int(board.pool_name[slot - len(fixed)])

    def slot_at(self, board: StructView, slot: int) -> int:
        fixed = self.native.layout.places.locations
        return int(fixed[slot].at if slot < len(fixed) else board.pool_at[slot - len(fixed)])

    def in_order(self, at: int) -> int:
        fixed = self.native.layout.places.locations
        return sorted(range(len(fixed)), key=lambda slot: in_order(fixed[slot]))[at]

    def member(self, owner: int, seat: int) -> int:
        return int(Seat(seat) in self.native.program.members(OwnerId(owner)))

    def back(self, card: int) -> int:
        cards = self.native.program.cards
        backs = list(dict.fromkeys(card.back for card in cards))
        return backs.index(cards[card].back)


def words_in(values: Any) -> Pointer:
    """Memory that holds integers of 8 bytes."""
    memory = Pointer(bytearray(8 * len(values)), 0)
    for at, value in enumerate(values):
        store(Pointer(memory.buffer, 8 * at), int(value), 8)
    return memory
