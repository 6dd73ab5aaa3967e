"""Functions of the IR, compiled and called from Python: by LLVM, and by wasmtime too.

Each call is made with both, in memory of the same contents, and both have to do the same.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.backend import FULL
from cardwright.compiler.llvm.backend import compile_object, load
from cardwright.compiler.llvm.emit import emit
from cardwright.compiler.wasm import wasmtime_backend
from cardwright.compiler.wasm.emit import emit as emit_wasm

if TYPE_CHECKING:
    from collections.abc import Callable

INT, BOOL, WIDE, POINTER, NOTHING = (
    ir.Type.INT, ir.Type.BOOL, ir.Type.WIDE, ir.Type.POINTER, ir.Type.NOTHING,
)  # fmt: skip

_C = {INT: ctypes.c_int64, BOOL: ctypes.c_bool, POINTER: ctypes.c_void_p, NOTHING: None}


def param(name: str, kind: ir.Type = INT) -> ir.Local:
    return ir.Local(name, kind)


def number(value: int) -> ir.Const:
    return ir.Const(value)


def function(
    params: tuple[ir.Local, ...], result: ir.Type, *body: ir.Statement, **more: Any
) -> ir.Function:
    return ir.Function(more.pop("name", "f"), params, result, body, **{"exported": True, **more})


def native(
    *functions: ir.Function, level: int = FULL, data: dict[str, bytes] | None = None
) -> Callable[..., Any]:
    """Compile functions, and return the last of them."""
    module = ir.Module("test", {each.name: each for each in functions}, data or {})
    loaded = load(compile_object(emit(module), level))
    last = functions[-1]
    kind = ctypes.CFUNCTYPE(_C[last.result], *(_C[each.type] for each in last.params))
    called = kind(loaded.address(last.name))
    by_wasmtime = on_wasmtime(module, last)

    def call(*args: Any) -> Any:
        assert loaded
        copies = [*map(copied, args)]
        found = called(*args)
        if not any(copy is NotImplemented for copy in copies):
            assert by_wasmtime(*copies) == found or last.result is POINTER
            for arg, copy in zip(args, copies, strict=True):
                assert not isinstance(copy, ctypes.Array) or bytes(copy) == bytes(block(arg))
        return found

    return call


def on_wasmtime(module: ir.Module, function: ir.Function) -> Callable[..., Any]:
    """Compile a module, and return a function of it, for integers and memory."""
    params = "".join(param.type.value[0] for param in function.params)
    loaded = wasmtime_backend.load(wasmtime_backend.compile_module(emit_wasm(module)))
    called = loaded.function(function.name, params)

    def call(*args: Any) -> Any:
        lent = [
            wasmtime_backend.lend(arg) if isinstance(arg, ctypes.Array) else arg for arg in args
        ]
        found = called(*lent)
        match function.result:
            case ir.Type.BOOL:
                return bool(found & 1)
            case ir.Type.NOTHING:
                return None
        return found

    return call


def block(arg: Any) -> ctypes.Array[ctypes.c_uint8]:
    """Return the memory of an argument."""
    whole = getattr(arg, "_obj", arg)
    return (ctypes.c_uint8 * ctypes.sizeof(whole)).from_buffer(whole)


def copied(arg: Any) -> Any:
    """Return an argument with memory of its own; NotImplemented if that has pointers."""
    if isinstance(arg, int | None):
        return arg or 0
    if isinstance(arg, ctypes._Pointer):
        return NotImplemented
    own = block(arg)
    return type(own).from_buffer_copy(own)


def returning(params: tuple[ir.Local, ...], value: ir.Expr) -> Callable[..., Any]:
    """Compile a function that returns an expression."""
    return native(function(params, value.type, ir.Return(value)))


def wrapped(value: int, bits: int = 64) -> int:
    """Cut an integer to some bits, as a signed one."""
    half = 1 << bits - 1
    return (value + half) % (2 * half) - half
