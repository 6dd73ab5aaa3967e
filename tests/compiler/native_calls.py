"""Functions of the IR, compiled and called from Python."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.backend import FULL
from cardwright.compiler.llvm.backend import compile_object, load
from cardwright.compiler.llvm.emit import emit

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

    def call(*args: Any) -> Any:
        assert loaded
        return called(*args)

    return call


def returning(params: tuple[ir.Local, ...], value: ir.Expr) -> Callable[..., Any]:
    """Compile a function that returns an expression."""
    return native(function(params, value.type, ir.Return(value)))


def wrapped(value: int, bits: int = 64) -> int:
    """Cut an integer to some bits, as a signed one."""
    half = 1 << bits - 1
    return (value + half) % (2 * half) - half
