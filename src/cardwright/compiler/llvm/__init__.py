"""The backend that compiles by LLVM: this package alone knows of it and of llvmlite.

Both are imported when code is compiled or loaded, and not before.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import Listing, MachineCode

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from cardwright.compiler.backend import Loaded, Memory
    from cardwright.compiler.ir import Module

ARENA_BYTES = 160 << 20
KEPT_BYTES = 32 << 20


def key() -> str:
    """Return the versions of llvmlite and LLVM, the system, and the processor's features."""
    from cardwright.compiler.llvm.jit import host_cpu

    return host_cpu()


def compile(  # noqa: A001 - the contract's word
    module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
) -> MachineCode:
    """Compile a module to object code, by way of LLVM's text."""
    from cardwright.compiler.llvm.emit import emit
    from cardwright.compiler.llvm.jit import compile_object, effort_for

    with stage("emit"):
        text = emit(module)
    effort = min(effort, effort_for(text))
    with stage("LLVM"):
        return MachineCode(compile_object(text, effort), effort)


def load(code: bytes) -> Loaded:
    """Load object code."""
    from cardwright.compiler.llvm.jit import load_object

    return load_object(code)


def memory(size: int) -> Memory:
    """Return a block of zeros."""
    return _PagedMemory(size)


class _PagedMemory:
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


def listing(module: Module, form: str, effort: int) -> Listing:
    """Return LLVM's text ("llvm"), the same after its optimisation ("optimised"), or "asm"."""
    from cardwright.compiler.llvm import jit
    from cardwright.compiler.llvm.emit import emit

    text = emit(module)
    if form == "llvm":
        return Listing(text, jit.llvm_functions(text))
    assembly = form == "asm"
    text = jit.shown(text, min(effort, jit.effort_for(text)), assembly=assembly)
    return Listing(text, (jit.assembly_functions if assembly else jit.llvm_functions)(text))
