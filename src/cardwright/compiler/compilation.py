"""A compilation, stage by stage: each runs once, on demand, and is timed."""

from __future__ import annotations

import gc
import json
import os
import time
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.backend import LEAST, backend, most_effort, slow_notice
from cardwright.compiler.plan import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.backend import Listing, MachineCode
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.compiler.lower.program import Lowered
    from cardwright.compiler.plan import ProgramPlan

VERIFY_VARIABLE = "CARDWRIGHT_VERIFY"
"""An environment variable: unless it is empty, the IR of every program is verified, as in tests."""

_TOO_LARGE = {
    MemoryError: "there is not enough memory",
    OverflowError: "its tables have room for 65,535 names",
    RecursionError: "its forms are nested too deeply",
}


class TooLargeError(Exception):
    """A program that is too large to be compiled; the message says which limit it hit."""


class Compiled(NamedTuple):
    """A program's entry in the cache: its machine code, and where its rules can be broken.

    `exports` are the functions by name, and a letter for each parameter: p for an address, or i.
    """

    code: bytes
    sites: tuple[Site, ...]
    exports: dict[str, str]

    def packed(self) -> bytes:
        """Return this as bytes."""
        head = json.dumps([self.sites, self.exports]).encode()
        return len(head).to_bytes(8, "little") + head + self.code

    @classmethod
    def unpacked(cls, content: bytes) -> Compiled:
        """Return the inverse of `packed`."""
        end = 8 + int.from_bytes(content[:8], "little")
        listed, exports = json.loads(content[8:end])
        sites = (
            Site(rule, message, start, last, tuple((low, high) for low, high in via))
            for rule, message, start, last, via in listed
        )
        return cls(content[end:], tuple(sites), exports)


class Compilation:
    """The stages of a program on its way to machine code that exports a set of kernels.

    `seconds` has the processor time of the stages done so far.
    """

    def __init__(self, plan: ProgramPlan, kernels: KernelSet) -> None:
        self.plan = plan
        self.kernels = kernels
        self.seconds: dict[str, float] = {}

    @cached_property
    def lowered(self) -> Lowered:
        """The IR; tests have it verified."""
        from cardwright.compiler.lower.lowering import Shared
        from cardwright.compiler.lower.program import lower

        plan, kernels = self.plan, self.kernels
        with self._timed("lower"):
            shared = Shared(
                plan.program,
                plan.analysis,
                plan.names,
                plan.layout,
                whole=kernels.whole,
                seen=kernels.seen,
                by_hand=kernels.by_hand,
            )
            lowered = lower(shared, plan.plan, kernels.kernels())
        if os.environ.get(VERIFY_VARIABLE):
            from cardwright.compiler.verify import verify

            with self._timed("verify"):
                verify(lowered.module)
        return lowered

    @property
    def most_effort(self) -> int:
        """The highest effort that the kernels and the environment allow."""
        return LEAST if self.kernels.brief else most_effort()

    @cached_property
    def machine_code(self) -> MachineCode:
        """The machine code, and the effort that was made for it."""
        return backend().compile(self.lowered.module, self.most_effort, self._timed)

    @property
    def compiled(self) -> Compiled:
        """Machine code and fault sites; raises TooLargeError if it cannot be made."""
        try:
            with slow_notice(self.plan.program.source.name):
                return Compiled(self.machine_code.content, self.lowered.sites, self._exports())
        except tuple(_TOO_LARGE) as error:
            raise TooLargeError(_TOO_LARGE[type(error)]) from error

    def _exports(self) -> dict[str, str]:
        return {
            name: "".join(param.type.value[0] for param in function.params)
            for name, function in self.lowered.module.functions.items()
            if function.exported
        }

    def entry(self) -> bytes:
        """Return the contents of the cache entry; raises TooLargeError if it cannot be made."""
        return self.compiled.packed()

    def listing(self, form: str) -> Listing:
        """Return the program in a form of the backend, for people."""
        return backend().listing(self.lowered.module, form, self.most_effort)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        begun = time.process_time()
        with _no_collection():
            yield
        self.seconds[stage] = time.process_time() - begun


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let Python collect no garbage: a stage makes many objects, and hardly any in cycles.

    Else it would look through all objects of the process, for a tenth of the time of compiling.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
