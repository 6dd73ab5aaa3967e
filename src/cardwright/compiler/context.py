"""Contexts: the working memory of native code besides the board, one for each thread."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler.kernels.rules import PART, TICKS
from cardwright.compiler.layout import SLACK
from cardwright.compiler.structs import CONTEXT
from cardwright.program.integers import LARGEST
from cardwright.program.limits import OPTION_WORDS, ROUNDS_A_STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.backend import Backend

_ANSWER = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """A function for machine code that answers whether to stop: 1 if a handler raised anything.

    Python registers a signal at once, but runs its handler only between two bytecode instructions,
    in the main thread: while machine code runs there, nothing would stop it. So machine code calls
    Python now and then, and handlers run in that call. What they raise, such as KeyboardInterrupt,
    is kept in `caught`: it cannot pass through machine code.
    """

    def __init__(self) -> None:
        self.caught: BaseException | None = None
        # A function would run the handlers before its first statement, where it could not catch
        # what they raise; a generator resumes within its `try`.
        answers = self._answers()
        next(answers)
        self._function = _ANSWER(answers.__next__)

    @property
    def address(self) -> int:
        """The address of the function."""
        address = ctypes.cast(self._function, ctypes.c_void_p).value
        assert address is not None
        return address

    def _answers(self) -> Iterator[int]:
        answer = 0
        while True:
            try:
                while True:
                    yield answer
                    answer = 0
            except GeneratorExit:
                return
            except BaseException as error:
                self.caught = error
                answer = 1


TRAIL_ROWS = 1_024
TRAIL_BYTES = 32 * TRAIL_ROWS
CHANGED_BYTES = 8 * 512
"""After the trail: the slots that trying an option has changed."""


class StoppedError(Exception):
    """Machine code did not finish, since another thread stopped it."""


class Context:
    """The memory of one thread: limits and marks, options, lists, a scratch board.

    `token` changes whenever the options stored here do.
    """

    def __init__(self, machine: Backend, state_bytes: int, steps: int, decisions: int) -> None:
        self._struct = machine.memory(CONTEXT.bytes)
        self._arena = machine.memory(machine.ARENA_BYTES, zeroed=False)
        self._options = machine.memory(8 * OPTION_WORDS, zeroed=False)
        self._trail = machine.memory(TRAIL_BYTES + CHANGED_BYTES)
        self._scratch = machine.memory(state_bytes + SLACK)
        self.address = self._struct.address
        self.token = 0
        self._rounds = min(steps * ROUNDS_A_STEP, LARGEST)
        for name, value in {
            "arena": self._arena.address,
            "options": self._options.address,
            "trail": self._trail.address,
            "scratch": self._scratch.address,
            "options_room": OPTION_WORDS,
            "arena_end": machine.ARENA_BYTES - machine.KEPT_BYTES,
            "kept_end": machine.ARENA_BYTES,
            "step_limit": steps,
            "decision_limit": decisions,
            "pause": LARGEST,
            "limit": self._rounds,
            "ticks": TICKS,
        }.items():
            self.set(name, value)
        self._watch: Watch | None = None
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
        value: int = self._field(name).value
        return value

    def _field(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self._struct.place + CONTEXT.fields[name].offset)

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
