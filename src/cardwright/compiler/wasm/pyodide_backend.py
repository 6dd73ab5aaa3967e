"""WebAssembly in Pyodide: modules live in the memory of Python itself, and `ctypes` calls them.

A module imports Pyodide's own memory, so whatever Python has an address of can be used by its
functions; these get places in Pyodide's function table, which are the addresses of functions there.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.compiler.backend import MachineCode, block_at, function_at, no_listing
from cardwright.compiler.wasm.emit import EMPTY, emit, table_bytes
from cardwright.compiler.wasm.encoding import (
    I64,
    code,
    const64,
    function_body,
    function_type,
    get,
    section,
    text,
    vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from cardwright.compiler.ir import Module

listing = no_listing

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


class PyodideModule:
    """An instance of a module, for as long as this object lives."""

    def __init__(self, module: bytes) -> None:
        python = _python()
        self._tables = PythonMemory(table_bytes(module) + _ALIGNMENT)
        tables = self._tables.address + -self._tables.address % _ALIGNMENT
        memory = getattr(python, "wasmMemory", None) or python.memory
        self._instance = _instance(module, {"memory": memory, "tables": tables, "ask": _ask()})
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


def _instance(module: bytes, imports: dict[str, Any]) -> Any:
    """Return an instance of a module; strict pages refuse JavaScript in words."""
    js, to_js = import_module("js"), import_module("pyodide.ffi").to_js
    compiled = js.WebAssembly.Module.new(js.Uint8Array.new(module))
    given = to_js({"host": imports}, dict_converter=js.Object.fromEntries)
    return js.WebAssembly.Instance.new(compiled, given)


@cache
def _ask() -> Any:
    """Return what modules ask: it calls the handler at an address, whose answer 0 is to go on."""
    answer = code(get(0), "i32.wrap_i64", b"\x11\x01\x00")  # of the second type, in the only table
    body = code(get(0), const64(0), answer, "i64.eqz", "select")
    parts = (
        section(1, vector([function_type((I64,), (I64,)), function_type((), (I64,))])),
        section(2, vector([text("host") + text("table") + b"\x01\x70\x00\x00"])),
        section(3, vector([b"\x00"])),
        section(7, vector([text("ask") + b"\x00\x00"])),
        section(10, vector([function_body((), body)])),
    )
    return _instance(EMPTY + b"".join(parts), {"table": _python().wasmTable}).exports.ask


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
