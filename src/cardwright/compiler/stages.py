"""A compilation, stage by stage: each runs once, on demand, and is timed."""

from __future__ import annotations

import gc
import os
import time
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.compiler import jit
from cardwright.compiler.effort import LEAST, effort, most_effort
from cardwright.compiler.emit import emit
from cardwright.compiler.lower.program import lower
from cardwright.compiler.native import WHOLE, Compiled, TooLargeError, native
from cardwright.compiler.waiting import waited_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.extension import Extension
    from cardwright.compiler.lower.program import Lowered
    from cardwright.compiler.native import NativeProgram
    from cardwright.program.program import Program


VERIFY = "CARDWRIGHT_VERIFY"
"""An environment variable: unless it is empty, the IR of every program is verified, as in tests."""

_TOO_LARGE = {
    MemoryError: "there is not enough memory",
    OverflowError: "its tables have room for 65,535 names",
    RecursionError: "its forms are nested too deeply",
}


class Stages:
    """The stages of a program on its way to machine code.

    What is exported are the functions of an extension. `seconds` has the processor time of the
    stages done so far. `laid_out` is the program with its layout, if that is already made.
    """

    def __init__(
        self,
        program: Program,
        extension: Extension = WHOLE,
        laid_out: NativeProgram | None = None,
    ) -> None:
        self.program = program
        self.extension = extension
        self._laid_out = laid_out
        self.seconds: dict[str, float] = {}

    @cached_property
    def lowered(self) -> Lowered:
        """The IR; tests have it verified."""
        with self._timed("lower"):
            found = lower(
                self._laid_out or native(self.program),
                self.extension.kernels(),
                whole=self.extension.whole,
                seen=self.extension.seen,
                by_hand=self.extension.by_hand,
            )
        if os.environ.get(VERIFY):
            from cardwright.compiler.verify import verify

            with self._timed("verify"):
                verify(found.module)
        return found

    @cached_property
    def text(self) -> str:
        """LLVM's text."""
        module = self.lowered.module
        with self._timed("emit"):
            return emit(module)

    @cached_property
    def level(self) -> int:
        """The level of optimisation, which follows from the extension and the size."""
        return min(self.most, effort(self.text))

    @property
    def most(self) -> int:
        """The highest level that the extension and the environment allow."""
        return LEAST if self.extension.brief else most_effort()

    @cached_property
    def code(self) -> bytes:
        """Object code."""
        text, level = self.text, self.level
        with self._timed("LLVM"):
            return jit.compile_object(text, level)

    def entry(self) -> bytes:
        """Return the contents of the cache entry; raises TooLargeError if it cannot be made."""
        return self.compiled.packed()

    @property
    def compiled(self) -> Compiled:
        """Object code and fault sites; raises TooLargeError if it cannot be made."""
        try:
            with waited_for(self.program.source.name):
                return Compiled(self.code, self.lowered.sites)
        except tuple(_TOO_LARGE) as error:
            raise TooLargeError(_TOO_LARGE[type(error)]) from error

    @property
    def optimised(self) -> str:
        """LLVM's text after its optimisation, for people."""
        return jit.optimised(self.text, self.level)

    @property
    def assembly(self) -> str:
        """Assembly code, for people."""
        return jit.assembly(self.text, self.level)

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
