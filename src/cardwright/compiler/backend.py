"""What turns the IR into machine code: the contract of a backend, and the choice of one.

A backend is a package beside this module, which alone knows its code generator: `llvm`. All else
goes by the functions of `Backend`.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
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

    def address(self, name: str) -> int:
        """Return the address of an exported function; KeyError if there is none of the name."""


class Memory(Protocol):
    """A block of memory that machine code can use, for as long as this object lives."""

    @property
    def address(self) -> int:
        """The address of the first byte."""

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""


class Backend(Protocol):
    """A code generator: a module with these functions."""

    ARENA_BYTES: int
    """The memory for the lists of a context, which is taken as it is used."""
    KEPT_BYTES: int
    """The upper part of that, for lists that options keep."""

    def key(self) -> str:
        """Return everything that machine code depends on besides the IR."""

    def compile(
        self, module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
    ) -> MachineCode:
        """Compile a module with no more than an effort; what it consists of is run in stages."""

    def load(self, code: bytes) -> Loaded:
        """Load code that was compiled on this machine or one like it; RuntimeError if it is not."""

    def memory(self, size: int) -> Memory:
        """Return a block of zeros, of which no page should be taken before it is touched."""

    def listing(self, module: Module, form: str, effort: int) -> Listing:
        """Return a form of a module, one of those that the backend has."""


@cache
def backend() -> Backend:
    """Return the backend of this process."""
    module: Any = import_module("cardwright.compiler.llvm.backend")
    chosen: Backend = module
    return chosen


def zeroed_memory(size: int) -> Memory:
    """Return a block of zeros."""
    return backend().memory(size)


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
