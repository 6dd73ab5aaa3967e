"""Contexts: the working memory of native code besides the board, one for each thread."""

from __future__ import annotations

import ctypes
import mmap
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cardwright.compiler.kernels.work import PART, TICKS
from cardwright.compiler.layout import CONTEXT, SLACK
from cardwright.compiler.watch import Watch
from cardwright.program.integers import LARGEST
from cardwright.program.limits import OPTION_WORDS, ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

_MB = 1 << 20
ARENA_BYTES = 160 * _MB
KEPT_BYTES = 32 * _MB
"""The upper part of the arena is for lists that options keep. Memory is taken as it is used."""

OPTION_BYTES = 8 * OPTION_WORDS
TRAIL_ROWS = 1_024
TRAIL_BYTES = 32 * TRAIL_ROWS
CHANGED_BYTES = 8 * 512
"""After the trail: the slots that trying an option has changed."""


class StoppedError(Exception):
    """Machine code did not finish, since another thread stopped it."""


class ZeroedMemory:
    """A block of zeroed memory, which the system provides page by page as it is touched."""

    def __init__(self, size: int) -> None:
        if sys.platform == "win32":
            self._map = mmap.mmap(-1, size)  # private to this process, as it has no name
        else:
            self._map = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._held: Any = (ctypes.c_char * size).from_buffer(self._map)
        self.address = ctypes.addressof(self._held)

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""
        return self._map[at : at + size]


class Context:
    """The memory of one thread: limits and marks, options, lists, a scratch board.

    `token` changes whenever the options stored here do.
    """

    def __init__(self, state_bytes: int, steps: int, decisions: int) -> None:
        self._struct = ZeroedMemory(CONTEXT.bytes)
        self._arena = ZeroedMemory(ARENA_BYTES)
        self._options = ZeroedMemory(OPTION_BYTES)
        self._trail = ZeroedMemory(TRAIL_BYTES + CHANGED_BYTES)
        self._scratch = ZeroedMemory(state_bytes + SLACK)
        self.address = self._struct.address
        self.token = 0
        self.set("arena", self._arena.address)
        self.set("options", self._options.address)
        self.set("trail", self._trail.address)
        self.set("scratch", self._scratch.address)
        self.set("options_room", OPTION_WORDS)
        self.set("arena_end", ARENA_BYTES - KEPT_BYTES)
        self.set("kept_end", ARENA_BYTES)
        self.set("step_limit", steps)
        self.set("decision_limit", decisions)
        self.set("pause", LARGEST)
        self._rounds = min(steps * ROUNDS_A_STEP, LARGEST)
        self._watch: Watch | None = None
        self.set("limit", self._rounds)
        self.set("ticks", TICKS)
        self.resume()

    # Stopping -----------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop everything that works in this memory; any thread may call this."""
        self.set("stop", 1)
        self.set("allowance", 0)

    def resume(self) -> None:
        """Allow work in this memory again."""
        self.set("stop", 0)
        self.set("allowance", min(self._rounds, PART))

    def watch(self) -> None:
        """Let signals stop the work in this memory: in the main thread, which handles them."""
        self._watch = Watch()
        self.set("watch", self._watch.address)

    def check(self) -> None:
        """Raise what the handler of a signal has raised while machine code ran.

        Raises StoppedError if another thread stopped it.
        """
        if self._watch is not None and self._watch.caught is not None:
            caught, self._watch.caught = self._watch.caught, None
            self.resume()
            raise caught
        if self.get("stop"):
            raise StoppedError

    @contextmanager
    def one_deal(self, wanted: bool) -> Iterator[None]:
        """Let games that are played in this memory end after the deal, if that is wanted."""
        self.set("one_deal", int(wanted))
        try:
            yield
        finally:
            self.set("one_deal", 0)

    # Memory -------------------------------------------------------------------------------

    def set(self, name: str, value: int) -> None:
        """Set a field."""
        self._field(name).value = value

    def get(self, name: str) -> int:
        """Return a field."""
        found: int = self._field(name).value
        return found

    def _field(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self.address + CONTEXT.fields[name].offset)

    def option_words(self, at: int, count: int) -> tuple[int, ...]:
        """Return some words of the options."""
        content = self._options.read(8 * at, 8 * count)
        return tuple(memoryview(content).cast("q"))

    def words_at(self, at: int, count: int) -> tuple[int, ...]:
        """Return some words of the arena."""
        return tuple(memoryview(self._arena.read(at, 8 * count)).cast("q"))

    def list_at(self, at: int, card_bytes: int) -> tuple[int, ...]:
        """Return the cards of a list in the arena."""
        count = int.from_bytes(self._arena.read(at, 8), "little")
        content = self._arena.read(at + 8, count * card_bytes)
        return tuple(memoryview(content).cast("B" if card_bytes == 1 else "H"))
