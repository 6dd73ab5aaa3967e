"""What turns the IR into machine code: the contract of a backend, and the choice of one.

A backend is a module in a package beside this one, which alone knows its code generator: `llvm` for
the engine `native`, `wasm` for that of its name. All else goes by the functions of `Backend`.
"""

from __future__ import annotations

import array
import ctypes
import os
import sys
import time
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from cardwright.compiler.ir import Module

OPTIMISATION_VARIABLE = "CARDWRIGHT_OPTIMISATION"
"""The environment variable that is `off` to optimise nothing, or `on`."""

FULL, LEAST = 1, 0
"""Efforts: what pays for itself when many games are played, and what takes the least time."""

NOTICE_DELAY = 2.0
"""Seconds of processor time before a compilation is slow; on a busy machine it takes longer."""

_NOTICE_LOOK = 0.1
"""Seconds between two readings of the clock."""


class OptimisationError(Exception):
    """The environment variable for optimisation has an invalid value."""


class NoListingError(Exception):
    """An engine shows nobody what it has compiled."""


class MachineCode(NamedTuple):
    """The code of a module, and the effort that was made: less than was allowed if it is large."""

    content: bytes
    effort: int


class Listing(NamedTuple):
    """A form of a compiled module for people, and the part of it that each function is."""

    text: str
    functions: Mapping[str, str]


class Loaded(Protocol):
    """Machine code in memory, for as long as this object lives."""

    def function(self, name: str, params: str) -> Callable[..., int]:
        """Return an exported function; KeyError if there is none of the name.

        `params` has a letter for each parameter: p for an address, or i.
        """


class Memory(Protocol):
    """A block of memory that machine code can use, for as long as this object lives."""

    @property
    def address(self) -> int:
        """The address of the first byte for machine code."""

    @property
    def place(self) -> int:
        """The address of the first byte for Python."""

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""


class Backend(Protocol):
    """A code generator: a module with these functions."""

    ARENA_BYTES: int
    """The memory for the lists of a context, which is taken as it is used."""
    KEPT_BYTES: int
    """The upper part of that, for lists that options keep."""
    MOST_THREADS: int
    """How many threads can be in machine code at a time: more would wait, each with a context."""

    def key(self) -> str:
        """Return everything that machine code depends on besides the IR."""

    def compile(
        self, module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
    ) -> MachineCode:
        """Compile a module with no more than an effort; what it consists of is run in stages."""

    def load(self, code: bytes) -> Loaded:
        """Load code that was compiled on this machine or one like it; RuntimeError if it is not."""

    def memory(self, size: int, *, zeroed: bool = True) -> Memory:
        """Return a block, of which no page should be taken before it is touched.

        It consists of zeros, unless it need not. Raises OSError if there is no room.
        """

    def lend(self, held: Any) -> Any:
        """Return an argument that stands for some of Python's memory in calls of machine code.

        That is an array of ctypes, NumPy or `array`, of which others can be made by adding a number
        of bytes. It has to live until the call has returned.
        """

    def listing(self, module: Module, form: str, effort: int) -> Listing:
        """Return a form of a module, one of those that the backend has; raises NoListingError."""


def no_listing(module: Module, form: str, effort: int) -> Listing:
    """Raise NoListingError: WebAssembly has no form for people."""
    raise NoListingError(
        f"WebAssembly is not shown as {form}: the native engine can be, and `cardwright compile "
        "--target wasm` writes a module"
    )


IN_PYODIDE = sys.platform == "emscripten"

_BACKENDS = {
    "native": "wasm.pyodide_backend" if IN_PYODIDE else "llvm.backend",
    "wasm": "wasm.pyodide_backend" if IN_PYODIDE else "wasm.wasmtime_backend",
}
"""The module of each engine's backend."""


@cache
def backend(engine: str = "native") -> Backend:
    """Return the backend of an engine."""
    module: Any = import_module(f"cardwright.compiler.{_BACKENDS[engine]}")
    chosen: Backend = module
    return chosen


class Words:
    """Integers of 64 bits that machine code can keep the address of, and Python the array."""

    def __init__(self, machine: Backend, content: Sequence[int]) -> None:
        self._memory = machine.memory(8 * len(content))
        self.address = self._memory.address
        self.array = (ctypes.c_int64 * len(content)).from_address(self._memory.place)
        self.array[:] = list(content)


_PARAMS: dict[str, Any] = {"p": ctypes.c_void_p, "i": ctypes.c_int64}


def function_at(address: int, params: str) -> Callable[..., int]:
    """Return the function at an address, with a letter for each parameter as in `Loaded`."""
    kinds = [_PARAMS[kind] for kind in params]
    function: Callable[..., int] = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)
    return function


def block_at(held: Any) -> tuple[int, int, bool]:
    """Return the address and the size of some of Python's memory, and whether it may be written."""
    if isinstance(held, ctypes.Array):
        return ctypes.addressof(held), ctypes.sizeof(held), True
    if isinstance(held, array.array):
        address, count = held.buffer_info()
        return address, count * held.itemsize, True
    return held.ctypes.data, held.nbytes, held.flags.writeable


def most_effort() -> int:
    """Return the highest effort that the environment allows; raises OptimisationError."""
    value = os.environ.get(OPTIMISATION_VARIABLE, "").strip().lower()
    if value not in {"", "on", "off"}:
        raise OptimisationError(
            f"{OPTIMISATION_VARIABLE} in the environment is {value!r}: it can be on or off"
        )
    return LEAST if value == "off" else FULL


# A notice of slow compilations, which the command line wants -------------------------------

_notify: Callable[[str], object] | None = None


def notify_when_slow(notify: Callable[[str], object] | None) -> None:
    """Set a function to call with a game's name when its compilation takes long; None for none.

    It is called in another thread, once for each such game.
    """
    global _notify  # noqa: PLW0603 - one for the process
    _notify = notify


@contextmanager
def slow_notice(name: str) -> Iterator[None]:
    """Record that a game is being compiled while a block runs."""
    if _notify is None:
        yield
        return
    from threading import Event, Thread

    notify, over = _notify, Event()
    end = time.process_time() + NOTICE_DELAY

    def watch() -> None:
        while not over.wait(_NOTICE_LOOK):
            if time.process_time() >= end:
                notify(name)
                return

    Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
