"""Integers of 128 bits, as two of 64: operations, shifts by constants, comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.wasm.encoding import I32, I64, const64, get, keep

if TYPE_CHECKING:
    from cardwright.compiler.wasm.frame import Frame, Halves

_BITWISE = {Op.AND: "i64.and", Op.OR: "i64.or", Op.XOR: "i64.xor"}
_SHIFTS = {Op.SHL: "wide_shl", Op.SHR: "wide_shr", Op.SAR: "wide_sar"}
_SWAPPED = {Rel.GT: Rel.LT, Rel.LE: Rel.GE}
_OPPOSITE = {Rel.GE, Rel.UGE}


def binary(frame: Frame, node: ir.Binary) -> None:
    """Write an operation. Wide integers are not divided."""
    op = node.op
    if op in _SHIFTS:
        if isinstance(node.right, ir.Const):
            _shift(frame, op, frame.halves(node.left), node.right.value)
        else:
            frame.push(node.left)
            frame.write(frame.halves(node.right)[0])
            frame.call(_SHIFTS[op])
    elif op is Op.MUL:
        frame.push(node.left)
        frame.push(node.right)
        frame.call("wide_multiply")
    else:
        (low, high), (lower, upper) = frame.halves(node.left), frame.halves(node.right)
        if op in _BITWISE:
            bitwise = _BITWISE[op]
            frame.write(low, lower, bitwise, high, upper, bitwise)
        elif op is Op.ADD:  # a sum that is below an operand has a carry
            total = frame.temporary(I64)
            frame.write(low, lower, "i64.add", keep(total), high, upper, "i64.add")
            frame.write(get(total), low, "i64.lt_u", "i64.extend_i32_u", "i64.add")
        else:
            assert op is Op.SUB, op
            frame.write(low, lower, "i64.sub", high, upper, "i64.sub")
            frame.write(low, lower, "i64.lt_u", "i64.extend_i32_u", "i64.sub")


def _shift(frame: Frame, op: Op, halves: Halves, bits: int) -> None:
    """Write a shift by a constant from 0 to 127."""
    low, high = halves
    here, there = const64(bits % 64), const64(64 - bits % 64)
    if bits == 0:
        frame.write(low, high)
    elif op is Op.SHL:
        if bits >= 64:
            frame.write(const64(0), low, here, "i64.shl")
        else:
            frame.write(low, here, "i64.shl")
            frame.write(high, here, "i64.shl", low, there, "i64.shr_u", "i64.or")
    else:
        right = "i64.shr_s" if op is Op.SAR else "i64.shr_u"
        if bits >= 64:
            frame.write(high, here, right)
            frame.write(*((high, const64(63), right) if op is Op.SAR else (const64(0),)))
        else:
            frame.write(low, here, "i64.shr_u", high, there, "i64.shl", "i64.or")
            frame.write(high, here, right)


def compare(frame: Frame, node: ir.OrderTest) -> None:
    """Write a comparison."""
    first, second, rel = frame.halves(node.left), frame.halves(node.right), node.rel
    if rel in {Rel.EQ, Rel.NE}:
        for one, other in zip(first, second, strict=True):
            frame.write(one, other, "i64.xor")
        frame.write("i64.or", "i64.eqz", *(("i32.eqz",) if rel is Rel.NE else ()))
        return
    if rel in _SWAPPED:
        first, second, rel = second, first, _SWAPPED[rel]
    (low, high), (lower, upper) = first, second
    below = "i64.lt_u" if rel in {Rel.ULT, Rel.UGE} else "i64.lt_s"
    # Where the upper halves are equal the lower ones decide.
    frame.write(low, lower, "i64.lt_u", high, upper, below, high, upper, "i64.eq", "select")
    if rel in _OPPOSITE:
        frame.write("i32.eqz")


def select(frame: Frame, node: ir.Select) -> None:
    """Write a choice between two wide integers."""
    frame.push(node.test)
    test = frame.set_aside(I32)
    yes, no = frame.halves(node.yes), frame.halves(node.no)
    for one, other in zip(yes, no, strict=True):
        frame.write(one, other, test, "select")


def widened(frame: Frame, node: ir.Convert) -> None:
    """Write a value as a wide integer: an integer keeps its sign."""
    frame.push(node.value)
    if node.value.type is Type.INT:
        low = frame.temporary(I64)
        frame.write(keep(low), get(low), const64(63), "i64.shr_s")
    elif node.value.type is not Type.WIDE:
        frame.write("i64.extend_i32_u", const64(0))


def intrinsic(frame: Frame, name: str, args: tuple[ir.Expr, ...]) -> None:
    """Write an intrinsic of wide masks."""
    if name not in {"count_ones", "lowest_one", "highest_one"}:
        for arg in args:
            frame.push(arg)
        frame.call(f"wide_{name}")
        return
    low, high = frame.halves(args[0])
    if name == "count_ones":
        frame.write(low, "i64.popcnt", high, "i64.popcnt", "i64.add")
    elif name == "lowest_one":
        frame.write(low, "i64.ctz", high, "i64.ctz", const64(64), "i64.or")
        frame.write(low, "i64.eqz", "i32.eqz", "select")
    else:
        frame.write(high, "i64.clz", const64(127), "i64.xor", low, "i64.clz", const64(63))
        frame.write("i64.xor", high, "i64.eqz", "i32.eqz", "select")
