"""WebAssembly in Pyodide: modules live in the memory of Python itself, and `ctypes` calls them.

A module imports Pyodide's own memory, so whatever Python has an address of can be used by its
functions; these get places in Pyodide's function table, which are the addresses of functions there.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import Listing, MachineCode, block_at, function_at
from cardwright.compiler.wasm.emit import emit, table_bytes

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from cardwright.compiler.ir import Module

ARENA_BYTES = 64 << 20
KEPT_BYTES = 16 << 20
MOST_THREADS = 1

_ALIGNMENT = 64


def key() -> str:
    """Return what code depends on besides its source: nothing, as it is compiled where it runs."""
    return "WebAssembly"


def compile(  # noqa: A001 - the contract's word
    module: Module, effort: int, stage: Callable[[str], AbstractContextManager[object]]
) -> MachineCode:
    """Return a module of WebAssembly; less effort would take as long."""
    with stage("emit"):
        return MachineCode(emit(module), effort)


def listing(module: Module, form: str, effort: int) -> Listing:
    """Return a form of a module: there is none for people."""
    raise NotImplementedError


class PyodideModule:
    """An instance of a module, for as long as this object lives."""

    def __init__(self, module: bytes) -> None:
        js, python = import_module("js"), _python()
        self._tables = PythonMemory(table_bytes(module) + _ALIGNMENT)
        tables = self._tables.address + -self._tables.address % _ALIGNMENT
        self._instance = _instantiate()(js.Uint8Array.new(module), tables, python)
        self._places: list[int] = []

    def function(self, name: str, params: str) -> Callable[..., int]:
        """Return an exported function, with a letter for each parameter; KeyError."""
        exported = getattr(self._instance.exports, name, None)
        if exported is None:
            raise KeyError(name)
        place = _python().addFunction(exported)
        self._places.append(place)
        return function_at(place, params)

    def __del__(self) -> None:
        for place in self._places:
            _python().removeFunction(place)


load = PyodideModule


@cache
def _instantiate() -> Any:
    """Return a function of JavaScript that makes an instance of a module."""
    return import_module("pyodide.code").run_js("""
        (bytes, tables, python) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: {
            memory: python.wasmMemory ?? python.memory,
            tables,
            ask: address => python.wasmTable.get(Number(address))() ? 0n : address,
        } })
    """)


@cache
def _python() -> Any:
    """Return the module of WebAssembly that Python is."""
    return import_module("pyodide_js")._module


class PythonMemory:
    """A block of memory; of zeros, unless it need not be: then no page of it is touched."""

    def __init__(self, size: int, *, zeroed: bool = True) -> None:
        self.address = self.place = _python()._malloc(max(size, 1))
        if not self.address:
            raise OSError(f"Python has no {size:,} bytes of memory left")
        if zeroed:
            ctypes.memset(self.address, 0, size)

    def read(self, at: int, size: int) -> bytes:
        """Return some of the bytes."""
        return ctypes.string_at(self.address + at, size)

    def __del__(self) -> None:
        _python()._free(self.address)


memory = PythonMemory


def lend(held: Any) -> int:
    """Return the address of some of Python's memory: code can use all of it."""
    return block_at(held)[0]
