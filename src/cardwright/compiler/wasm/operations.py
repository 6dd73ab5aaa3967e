"""The intrinsics of the IR for integers of 64 bits: instructions, or calls of helpers.

What is usual stands in the place of the call.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler.wasm.encoding import (
    I64,
    assemble,
    call,
    const64,
    get,
    keep,
    put,
)
from cardwright.compiler.wasm.helpers import USUAL_CASES, UsualCase, local_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler import ir
    from cardwright.compiler.wasm.frame import Frame

ASK = 0
"""The number of the function that every module imports."""

_INSTRUCTIONS: Mapping[str, tuple[bytes | str, ...]] = {
    "count_ones": ("i64.popcnt",),
    "lowest_one": ("i64.ctz",),
    "highest_one": ("i64.clz", const64(63), "i64.xor"),
    "rotate_left": ("i64.rotl",),
    "square_root": ("f64.convert_i64_u", "f64.sqrt", "i64.trunc_f64_s"),
    "unlikely": (),
}
"""What follows the operands of an intrinsic."""


def intrinsic(frame: Frame, name: str, args: tuple[ir.Expr, ...]) -> None:
    """Write an intrinsic."""
    special = _SPECIAL.get(name)
    if special is not None:
        special(frame, args)
        return
    for arg in args:
        frame.push(arg)
    if name in _INSTRUCTIONS:
        frame.write(*_INSTRUCTIONS[name])
    else:
        frame.call(name)


def _nth_bit(frame: Frame, args: tuple[ir.Expr, ...]) -> None:
    frame.write(const64(1))
    intrinsic(frame, "nth_one", args)
    frame.write("i64.shl")


def _ratio_bits(frame: Frame, args: tuple[ir.Expr, ...]) -> None:
    for arg in args:
        frame.push(arg)
        frame.write("f64.convert_i64_s")
    frame.write("f64.div", "f32.demote_f64", "i32.reinterpret_f32", "i64.extend_i32_u")


def _ask(frame: Frame, args: tuple[ir.Expr, ...]) -> None:
    """Write a question to the host, which returns what it is given to go on."""
    frame.push(args[0])
    given = frame.temporary(I64)
    frame.write(keep(given), call(ASK), get(given), "i64.ne", "i64.extend_i32_u")


def _overflow(frame: Frame, args: tuple[ir.Expr, ...], operation: str) -> None:
    """Write a test: the result has another sign than it would with more bits."""
    result = frame.temporary(I64)
    frame.push(args[0])
    left = frame.set_aside(I64)
    frame.push(args[1])
    right = frame.set_aside(I64)
    frame.write(left, right, operation, keep(result), left, "i64.xor")
    if operation == "i64.add":  # than both operands
        frame.write(get(result), right, "i64.xor")
    else:  # than the first operand, and the second has another sign than that
        frame.write(left, right, "i64.xor")
    frame.write("i64.and", const64(0), "i64.lt_s")


def _usual(frame: Frame, args: tuple[ir.Expr, ...], *, name: str, usual: UsualCase) -> None:
    """Write what is usual in place of a call of a helper, which does the rest."""
    for arg in args:
        frame.push(arg)
    names = {local: frame.temporary(kind) for local, kind in local_kinds(usual.locals)}
    given = [*names.values()][: len(args)]
    frame.write(*map(put, reversed(given)), assemble(usual.test, names))
    frame.if_(bytes([I64]))
    frame.write(assemble(usual.text, names), "else", *map(get, given))
    frame.call(name)
    frame.end()


_SPECIAL: Mapping[str, Callable[[Frame, tuple[ir.Expr, ...]], None]] = {
    "nth_bit": _nth_bit,
    "ratio_bits": _ratio_bits,
    "ask": _ask,
    "add_overflows": lambda frame, args: _overflow(frame, args, "i64.add"),
    "subtract_overflows": lambda frame, args: _overflow(frame, args, "i64.sub"),
    **{name: partial(_usual, name=name, usual=usual) for name, usual in USUAL_CASES.items()},
}
