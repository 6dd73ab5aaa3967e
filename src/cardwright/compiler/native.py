"""Programs as machine code: compiled when needed, stage by stage, and kept in the user's cache.

Each stage of a compilation runs once, on demand, and is timed.
"""

from __future__ import annotations

import gc
import json
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cardwright._version import __version__
from cardwright.compiler.backend import LEAST, backend, most_effort, slow_notice
from cardwright.compiler.cache import ObjectCache, source_digest
from cardwright.compiler.context import Context
from cardwright.compiler.kernel_sets import PLAY, WHOLE, KernelSet
from cardwright.compiler.layout import SLACK
from cardwright.compiler.plan import ProgramPlan, Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.backend import Backend, Listing, MachineCode
    from cardwright.compiler.lower.program import Lowered
    from cardwright.program.program import Program

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

    def __init__(self, plan: NativeProgram, kernels: KernelSet) -> None:
        self.plan = plan
        self.kernels = kernels
        self.seconds: dict[str, float] = {}

    @cached_property
    def lowered(self) -> Lowered:
        """The IR."""
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
                retraced=kernels.retraced,
            )
            return lower(shared, plan.plan, kernels.kernels())

    @property
    def most_effort(self) -> int:
        """The highest effort that the kernels and the environment allow."""
        return LEAST if self.kernels.brief else most_effort()

    @cached_property
    def machine_code(self) -> MachineCode:
        """The machine code, and the effort that was made for it."""
        return self.plan.machine.compile(self.lowered.module, self.most_effort, self._timed)

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
        return self.plan.machine.listing(self.lowered.module, form, self.most_effort)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        """Time a stage, in which no garbage is collected: it makes hardly any objects in cycles.

        Else Python would look through all of the process, for a tenth of the time of compiling.
        """
        begun, collects = time.process_time(), gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()
        self.seconds[stage] = time.process_time() - begun


class NativeCode:
    """Machine code in memory: its functions by name, and fault sites."""

    def __init__(self, machine: Backend, compiled: Compiled) -> None:
        self._sites = compiled.sites
        self._loaded = machine.load(compiled.code)
        self.functions = {
            name: self._loaded.function(name, params) for name, params in compiled.exports.items()
        }

    @cached_property
    def sites(self) -> dict[int, Site]:
        """The fault sites by their numbers; those of other kernels have others or the same."""
        return {site.number: site for site in self._sites}


class NativeProgram(ProgramPlan):
    """A program as an engine's machine code: the layout of its memory, and its functions."""

    def __init__(self, program: Program, engine: str) -> None:
        super().__init__(program)
        self._engine = engine

    @property
    def machine(self) -> Backend:
        """The backend that compiles it."""
        return backend(self._engine)

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self.layout.board.bytes

    def new_board(self) -> bytearray:
        """Return memory for a state, with the slack after it that may be read."""
        return bytearray(self.state_bytes + SLACK)

    def context(self, steps: int, decisions: int) -> Context:
        """Return a context for a thread."""
        return Context(self.machine, self.state_bytes, steps, decisions)

    def code(self, kernels: KernelSet = PLAY) -> NativeCode:
        """Return machine code: as it was loaded before, from the cache, or compiled.

        States are the same for all kernels. Raises TooLargeError if the program has to be compiled
        and cannot be.
        """
        key = cache_key(self.program, kernels, self.machine)
        with _LOCK:
            if key not in _LOADED:
                entry = Compilation(self, kernels).entry
                content = ObjectCache().get_or_make(key, entry, self.program.source.name)
                _keep(_LOADED, key, NativeCode(self.machine, Compiled.unpacked(content)))
            return _LOADED[key]

    def brief_code(self, kernels: KernelSet) -> NativeCode:
        """Return machine code that was compiled with the least effort and is kept nowhere.

        It is as good as `code`, only slower, and gone with what is returned: for programs of which
        a few hundred games are played and no more. Raises TooLargeError.
        """
        brief = Compilation(self, replace(kernels, brief=True))
        return NativeCode(self.machine, brief.compiled)


_LOCK = threading.RLock()
_LOADED: dict[str, NativeCode] = {}
_PROGRAMS: dict[str, NativeProgram] = {}
_MOST_KEPT = 64

_Kept = TypeVar("_Kept")


def native(program: Program, engine: str = "native") -> NativeProgram:
    """Return a program as an engine's machine code, the same for the same rules.

    Nothing is compiled yet.
    """
    key = f"{engine} {program.digest}"
    with _LOCK:
        if key not in _PROGRAMS:
            _keep(_PROGRAMS, key, NativeProgram(program, engine))
        return _PROGRAMS[key]


def _keep(kept: dict[str, _Kept], key: str, value: _Kept) -> None:
    if len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = value


def compilation(
    program: Program, kernels: KernelSet = WHOLE, engine: str = "native"
) -> Compilation:
    """Return the stages of a compilation for this machine, none of which is done yet."""
    return Compilation(native(program, engine), kernels)


def cache_key(program: Program, kernels: KernelSet = PLAY, machine: Backend | None = None) -> str:
    """Return everything that machine code depends on, as text.

    That is the program, the sources and the version of this package, the Python that runs them,
    the backend with its processor, and whether the environment allows it to optimise.
    """
    ours = f"{__version__} {source_digest(kernels.modules)} {sys.implementation.cache_tag}"
    made = (machine or backend("native")).key()
    return f"{program.digest} {ours} {made} {most_effort()} {kernels.name}"
