"""Native games: programs as machine code, compiled when needed and kept in the user's cache."""

from __future__ import annotations

import ctypes
import sys
import threading
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from cardwright._version import __version__
from cardwright.compiler.backend import backend, most_effort
from cardwright.compiler.cache import ObjectCache, source_digest
from cardwright.compiler.compilation import Compilation, Compiled
from cardwright.compiler.context import Context
from cardwright.compiler.kernel_sets import PLAY, WHOLE, KernelSet
from cardwright.compiler.layout import SLACK
from cardwright.compiler.plan import ProgramPlan, Site

if TYPE_CHECKING:
    from cardwright.program.program import Program


_PARAMS = {"p": ctypes.c_void_p, "i": ctypes.c_int64}


class NativeCode:
    """Machine code in memory: its functions by name, and fault sites."""

    def __init__(self, compiled: Compiled) -> None:
        self._sites = compiled.sites
        self._loaded = backend().load(compiled.code)
        self.functions = {
            name: ctypes.CFUNCTYPE(ctypes.c_int64, *map(_PARAMS.get, params))(
                self._loaded.address(name)
            )
            for name, params in compiled.exports.items()
        }

    @cached_property
    def sites(self) -> dict[int, Site]:
        """The fault sites by their numbers; those of other kernels have others or the same."""
        return {site.number: site for site in self._sites}


class NativeProgram(ProgramPlan):
    """A program as machine code: the layout of its memory, and its functions, when asked for."""

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self.layout.board.bytes

    def new_board(self) -> bytearray:
        """Return memory for a state, with the slack after it that may be read."""
        return bytearray(self.state_bytes + SLACK)

    def context(self, steps: int, decisions: int) -> Context:
        """Return a context for a thread."""
        return Context(self.state_bytes, steps, decisions)

    def code(self, kernels: KernelSet = PLAY) -> NativeCode:
        """Return machine code: as it was loaded before, from the cache, or compiled.

        States are the same for all kernels. Raises TooLargeError if the program has to be compiled
        and cannot be.
        """
        key = cache_key(self.program, kernels)
        with _LOCK:
            if key not in _LOADED:
                entry = Compilation(self, kernels).entry
                content = ObjectCache().get_or_make(key, entry, self.program.source.name)
                _keep(_LOADED, key, NativeCode(Compiled.unpacked(content)))
            return _LOADED[key]

    def brief_code(self, kernels: KernelSet) -> NativeCode:
        """Return machine code that was compiled with the least effort and is kept nowhere.

        It is as good as `code`, only slower, and gone with what is returned: for programs of which
        a few hundred games are played and no more. Raises TooLargeError.
        """
        return NativeCode(Compilation(self, replace(kernels, brief=True)).compiled)


_LOCK = threading.RLock()
_LOADED: dict[str, NativeCode] = {}
_PROGRAMS: dict[str, NativeProgram] = {}
_MOST_KEPT = 64

_Kept = TypeVar("_Kept")


def native(program: Program) -> NativeProgram:
    """Return a program as machine code, the same for the same rules; nothing is compiled yet."""
    with _LOCK:
        if program.digest not in _PROGRAMS:
            _keep(_PROGRAMS, program.digest, NativeProgram(program))
        return _PROGRAMS[program.digest]


def _keep(kept: dict[str, _Kept], key: str, value: _Kept) -> None:
    if len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = value


def compilation(program: Program, kernels: KernelSet = WHOLE) -> Compilation:
    """Return the stages of a compilation for this machine, none of which is done yet."""
    return Compilation(native(program), kernels)


def cache_key(program: Program, kernels: KernelSet = PLAY) -> str:
    """Return everything that machine code depends on, as text.

    That is the program, the sources and the version of this package, the Python that runs them,
    the backend with its processor, and whether the environment allows it to optimise.
    """
    ours = f"{__version__} {source_digest(kernels.modules)} {sys.implementation.cache_tag}"
    return f"{program.digest} {ours} {backend().key()} {most_effort()} {kernels.name}"
