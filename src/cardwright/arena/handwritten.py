"""Hearts written by hand for one set of rules: how fast random deals could be."""

from __future__ import annotations

import ctypes
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.backend import FULL, backend
from cardwright.compiler.ir import Module
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.structs import STREAM
from cardwright.game.game import Game
from cardwright.hearts.kernels import random_deals
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from cardwright.compiler.backend import Loaded

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int64


class DealTotals(NamedTuple):
    """Sums over deals: the score of each seat, and how often the moon was shot."""

    scores: tuple[int, ...]
    moons: int


class HandwrittenHearts:
    """Plays random deals of the library's `hearts` by a kernel that knows only its rules."""

    def __init__(self, seed: int = 1) -> None:
        self._loaded = _compiled()
        kernel = random_deals.cw_random_deals.__name__
        params = _POINTER, _POINTER, _INT, _POINTER
        self._function = ctypes.CFUNCTYPE(_INT, *params)(self._loaded.address(kernel))
        self._stream = (ctypes.c_uint64 * 4)(*Stream(seed).words)
        self._table = ctypes.create_string_buffer(random_deals.fresh_table())
        self._totals = (ctypes.c_int64 * random_deals.TOTALS)()

    def play(self, deals: int) -> None:
        """Play some deals."""
        self._function(self._stream, self._table, deals, self._totals)

    @property
    def totals(self) -> DealTotals:
        """The sums over all deals played so far."""
        *scores, moons = self._totals
        return DealTotals(tuple(scores), moons)


def is_handwritten(game: Game) -> bool:
    """Return whether a game has the rules of the kernel: `hearts` of the library, as it stands."""
    return game.program.digest == Game.load("hearts", engine="interpreter").program.digest


def _compiled() -> Loaded:
    """Compile the kernel, which takes no rules of a game."""
    functions = kernels_needed([random_deals.cw_random_deals], {"Stream": STREAM}, {}, {})
    machine = backend()
    made = machine.compile(Module("random deals", functions), FULL, nullcontext)
    return machine.load(made.content)
