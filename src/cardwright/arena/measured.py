"""A game compiled together with kernels that measure the cost of its parts."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cardwright.compiler.kernel_sets import WHOLE, KernelSet
from cardwright.compiler.native import NativeCode, compilation, native
from cardwright.compiler.structs import TALLY
from cardwright.interpreter.machine import GameLimits

if TYPE_CHECKING:
    from cardwright.game.game import Game

_MEASURES = KernelSet(
    "measures",
    WHOLE.modules,
    (*WHOLE.exports, "cw_traced_games", "cw_play_outs", "cw_copies"),
)
_CHUNK = 256
"""Games that are played at once; what they write stays in the processor's caches."""

_SEEDS = 1 << 16
"""Games after which the seeds are repeated: too many for a processor to learn their branches."""

_DEALS = 5
"""Deals from which rollouts start."""

_ROOM = 1 << 20
"""The most decisions of a trace."""


class TimedGame:
    """A game and memory to play it in: each method does something a given number of times.

    The games must not break a rule.
    """

    def __init__(self, game: Game) -> None:
        compiled = compilation(game.program, _MEASURES).compiled
        self._native = native(game.program)
        self._code = NativeCode(compiled)
        limits = GameLimits()
        self._context = self._native.context(limits.steps, limits.decisions)
        self._board, self._held = self._new_board()
        self._template, self._held_too = self._new_board()
        self._deals = [self._dealt(seed) for seed in range(_DEALS)]
        self._streams = (ctypes.c_uint64 * (4 * game.players))()
        self._scores = (ctypes.c_int64 * game.players)()
        self._all_scores = (ctypes.c_int64 * (game.players * _CHUNK))()
        self._tallies = (ctypes.c_char * (TALLY.bytes * _CHUNK))()
        self._seeds = (ctypes.c_int64 * _SEEDS)(*range(_SEEDS))
        self._next_seed = 0
        self._trace = (ctypes.c_uint64 * _ROOM)()

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self._native.state_bytes

    def play(self, games: int) -> None:
        """Play random games from their beginnings."""
        for done in range(0, games, _CHUNK):
            seeds = self._seeds_at()
            self._call(
                "cw_random_games", self._board, self._context.address, self._template,
                self._streams, seeds, seeds, min(_CHUNK, games - done), self._all_scores,
                self._tallies,
            )  # fmt: skip

    def trace(self, games: int) -> None:
        """Play random games from their beginnings, and record every decision."""
        chunk = min(games, _CHUNK)
        while games > 0:
            done = self._call(
                "cw_traced_games", self._board, self._context.address, self._streams,
                self._seeds_at(), min(chunk, games), self._trace, _ROOM, self._scores,
            )  # fmt: skip
            if done >= 0:
                games -= chunk
            elif chunk == 1:
                raise ValueError("a random game stops with an error, or has too many decisions")
            else:
                chunk //= 2

    def roll_out(self, times: int) -> None:
        """Play at random from the first decision of a deal to its end, deal after deal."""
        for number, (deal, _) in enumerate(self._deals):
            self._call(
                "cw_play_outs", self._board, self._context.address, self._streams, deal,
                (times + number) // _DEALS, self._scores,
            )  # fmt: skip

    def copy(self, times: int) -> None:
        """Copy a state."""
        self._call("cw_copies", self._board, self._context.address, times)

    def traced(self, seed: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Play one game; return the options and the choice of each decision, and the scores."""
        seeds = (ctypes.c_int64 * 1)(seed)
        done = self._call(
            "cw_traced_games", self._board, self._context.address, self._streams, seeds, 1,
            self._trace, _ROOM, self._scores,
        )  # fmt: skip
        pairs = [(word & 0xFFFF_FFFF, word >> 32) for word in self._trace[:done]]
        return pairs, list(self._scores)

    def _seeds_at(self) -> int:
        """Return the address of the seeds of the next chunk."""
        at = self._next_seed
        self._next_seed = (at + _CHUNK) % _SEEDS
        return ctypes.addressof(self._seeds) + 8 * at

    def _call(self, name: str, *args: Any) -> int:
        found: int = self._code.functions[name](*args)
        return found

    def _dealt(self, seed: int) -> tuple[int, Any]:
        """Return a board at the first decision of a game."""
        board, held = self._new_board()
        self._call("cw_start", board, self._context.address, seed)
        self._call("cw_advance", board, self._context.address)
        return board, held

    def _new_board(self) -> tuple[int, Any]:
        """Return the address of memory for a state, and what holds it."""
        memory = self._native.new_board()
        held = (ctypes.c_char * len(memory)).from_buffer(memory)
        return ctypes.addressof(held), held
