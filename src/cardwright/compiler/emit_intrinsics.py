"""LLVM's text for the intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.compiler.emit_frame import EmitFrame

WIDE_DIVISION = frozenset({"sdiv", "srem", "udiv", "urem"})
"""Operations for which LLVM would call a library when integers are wide."""


def _count_ones(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @llvm.ctpop.i64(i64 {args[0]})")


def _lowest_one(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @llvm.cttz.i64(i64 {args[0]}, i1 true)")


def _highest_one(frame: EmitFrame, args: Sequence[str]) -> str:
    above = frame.value(f"call i64 @llvm.ctlz.i64(i64 {args[0]}, i1 true)")
    return frame.value(f"xor i64 {above}, 63")


def _wide(operation: str, rest: str = "") -> Callable[[EmitFrame, Sequence[str]], str]:
    def emit(frame: EmitFrame, args: Sequence[str]) -> str:
        found = frame.value(f"call i128 @llvm.{operation}.i128(i128 {args[0]}{rest})")
        return frame.value(f"trunc i128 {found} to i64")

    return emit


def _wide_highest_one(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"xor i64 {_wide('ctlz', ', i1 true')(frame, args)}, 127")


def _wide_positions(frame: EmitFrame, args: Sequence[str]) -> str:
    cards, count, mask = args
    return frame.value(f"call i128 @.wide_positions(ptr {cards}, i64 {count}, i128 {mask})")


def _wide_nth_one(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @.wide_nth_one(i128 {args[0]}, i64 {args[1]})")


def _wide_nth_bit(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i128 @.wide_nth_bit(i128 {args[0]}, i64 {args[1]})")


def _multiply_high(frame: EmitFrame, args: Sequence[str]) -> str:
    left, right = (frame.value(f"zext i64 {arg} to i128") for arg in args)
    product = frame.value(f"mul nuw i128 {left}, {right}")
    upper = frame.value(f"lshr i128 {product}, 64")
    return frame.value(f"trunc i128 {upper} to i64")


def _rotate_left(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @llvm.fshl.i64(i64 {args[0]}, i64 {args[0]}, i64 {args[1]})")


def _overflows(name: str) -> Callable[[EmitFrame, Sequence[str]], str]:
    def emit(frame: EmitFrame, args: Sequence[str]) -> str:
        pair = frame.value(
            f"call {{i64, i1}} @llvm.{name}.with.overflow.i64(i64 {args[0]}, i64 {args[1]})"
        )
        return frame.value(f"extractvalue {{i64, i1}} {pair}, 1")

    return emit


def _helper(name: str) -> Callable[[EmitFrame, Sequence[str]], str]:
    def emit(frame: EmitFrame, args: Sequence[str]) -> str:
        return frame.value(f"call i64 @.{name}(ptr {args[0]}, i64 {args[1]}, i64 {args[2]})")

    return emit


def _nth_one(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @.nth_one(i64 {args[0]}, i64 {args[1]})")


def _nth_bit(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @.nth_bit(i64 {args[0]}, i64 {args[1]})")


def _deposit(frame: EmitFrame, args: Sequence[str]) -> str:
    return frame.value(f"call i64 @.deposit(i64 {args[0]}, i64 {args[1]})")


def _square_root(frame: EmitFrame, args: Sequence[str]) -> str:
    # Below 2^50 the root of a square less one, rounded as IEEE 754 demands, stays below the root.
    number = frame.value(f"uitofp i64 {args[0]} to double")
    root = frame.value(f"call double @llvm.sqrt.f64(double {number})")
    return frame.value(f"fptosi double {root} to i64")


def _ratio_bits(frame: EmitFrame, args: Sequence[str]) -> str:
    value, divisor = (frame.value(f"sitofp i64 {arg} to double") for arg in args)
    ratio = frame.value(f"fdiv double {value}, {divisor}")
    single = frame.value(f"fptrunc double {ratio} to float")
    bits = frame.value(f"bitcast float {single} to i32")
    return frame.value(f"zext i32 {bits} to i64")


def _unlikely(_frame: EmitFrame, args: Sequence[str]) -> str:
    return args[0]  # the branch on it says so


def _ask(frame: EmitFrame, args: Sequence[str]) -> str:
    address = frame.value(f"inttoptr i64 {args[0]} to ptr")
    return frame.value(f"call i64 {address}()")


INTRINSICS: Mapping[str, Callable[[EmitFrame, Sequence[str]], str]] = {
    "count_ones": _count_ones,
    "lowest_one": _lowest_one,
    "highest_one": _highest_one,
    "multiply_high": _multiply_high,
    "rotate_left": _rotate_left,
    "add_overflows": _overflows("sadd"),
    "subtract_overflows": _overflows("ssub"),
    "multiply_overflows": _overflows("smul"),
    "positions": _helper("positions"),
    "find_byte": _helper("find_byte"),
    "nth_one": _nth_one,
    "nth_bit": _nth_bit,
    "deposit": _deposit,
    "square_root": _square_root,
    "ratio_bits": _ratio_bits,
    "unlikely": _unlikely,
    "ask": _ask,
}
"""Writes the call of an intrinsic with its operands, and returns its result as an operand."""

WIDE_INTRINSICS: Mapping[str, Callable[[EmitFrame, Sequence[str]], str]] = {
    "count_ones": _wide("ctpop"),
    "lowest_one": _wide("cttz", ", i1 true"),
    "highest_one": _wide_highest_one,
    "positions": _wide_positions,
    "nth_one": _wide_nth_one,
    "nth_bit": _wide_nth_bit,
}
"""The same for masks of 128 bits."""
