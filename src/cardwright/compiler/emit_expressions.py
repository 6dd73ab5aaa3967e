"""LLVM's text for expressions: each gives its LLVM type and an operand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.compiler import ir
from cardwright.compiler.emit_frame import llvm_type, quoted
from cardwright.compiler.emit_intrinsics import INTRINSICS, WIDE_DIVISION, WIDE_INTRINSICS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler.emit_frame import EmitFrame

Value: TypeAlias = tuple[str, str]
"""An LLVM type, and an operand of that type."""

_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128}

_BINARY = {
    ir.Op.ADD: "add",
    ir.Op.SUB: "sub",
    ir.Op.MUL: "mul",
    ir.Op.AND: "and",
    ir.Op.OR: "or",
    ir.Op.XOR: "xor",
    ir.Op.SHL: "shl",
    ir.Op.SHR: "lshr",
    ir.Op.SAR: "ashr",
    ir.Op.DIV: "sdiv",
    ir.Op.REM: "srem",
    ir.Op.UDIV: "udiv",
    ir.Op.UREM: "urem",
}

_RELATIONS = {
    ir.Rel.EQ: "eq",
    ir.Rel.NE: "ne",
    ir.Rel.LT: "slt",
    ir.Rel.LE: "sle",
    ir.Rel.GT: "sgt",
    ir.Rel.GE: "sge",
    ir.Rel.ULT: "ult",
    ir.Rel.UGE: "uge",
}


def emit_expression(frame: EmitFrame, node: ir.Expr) -> Value:
    """Write the evaluation of an expression, and return its type and operand."""
    return _EMITTERS[type(node)](frame, node)


def resized(frame: EmitFrame, value: Value, kind: str, *, signed: bool) -> str:
    """Return an integer or pointer as an operand of an LLVM type, extended or truncated."""
    have, operand = value
    if have == kind:
        return operand
    if have == "ptr" or kind == "ptr":
        return frame.value(
            f"{'ptrtoint' if have == 'ptr' else 'inttoptr'} {have} {operand} to {kind}"
        )
    if _BITS[have] > _BITS[kind]:
        return frame.value(f"trunc {have} {operand} to {kind}")
    return frame.value(
        f"{'sext' if signed and have != 'i1' else 'zext'} {have} {operand} to {kind}"
    )


def _const(_frame: EmitFrame, node: ir.Const) -> Value:
    kind = llvm_type(node.type)
    if kind == "i1":
        return kind, "true" if node.value else "false"
    if kind == "ptr":
        return kind, f"inttoptr (i64 {node.value} to ptr)" if node.value else "null"
    half = 1 << _BITS[kind] - 1
    if -half <= node.value < half:
        return kind, str(node.value)
    return kind, str((node.value + half) % (2 * half) - half)


def _local(frame: EmitFrame, node: ir.Local) -> Value:
    kind, place = frame.local(node)
    return kind, frame.value(f"load {kind}, ptr {place}")


def _data(_frame: EmitFrame, node: ir.Data) -> Value:
    return "ptr", f"@{quoted('.data.' + node.name)}"


def _binary(frame: EmitFrame, node: ir.Binary) -> Value:
    left, right = node.left, node.right
    kind, first = _EMITTERS[type(left)](frame, left)
    _, second = _EMITTERS[type(right)](frame, right)
    operation = _BINARY[node.op]
    if kind == "i128" and operation in WIDE_DIVISION:
        return kind, frame.value(f"call i128 @.{operation}(i128 {first}, i128 {second})")
    return kind, frame.value(f"{operation} {kind} {first}, {second}")


def _compare(frame: EmitFrame, node: ir.OrderTest) -> Value:
    left, right = node.left, node.right
    kind, first = _EMITTERS[type(left)](frame, left)
    _, second = _EMITTERS[type(right)](frame, right)
    return "i1", frame.value(f"icmp {_RELATIONS[node.rel]} {kind} {first}, {second}")


def _not(frame: EmitFrame, node: ir.Negation) -> Value:
    _, operand = _EMITTERS[type(node.value)](frame, node.value)
    return "i1", frame.value(f"xor i1 {operand}, true")


def _select(frame: EmitFrame, node: ir.Select) -> Value:
    _, test = emit_expression(frame, node.test)
    kind, yes = emit_expression(frame, node.yes)
    _, no = emit_expression(frame, node.no)
    return kind, frame.value(f"select i1 {test}, {kind} {yes}, {kind} {no}")


def _convert(frame: EmitFrame, node: ir.Convert) -> Value:
    value = emit_expression(frame, node.value)
    kind = llvm_type(node.type)
    if kind == "i1" and value[0] != "i1":
        zero = "null" if value[0] == "ptr" else "0"
        return kind, frame.value(f"icmp ne {value[0]} {value[1]}, {zero}")
    return kind, resized(frame, value, kind, signed=True)


def _offset(frame: EmitFrame, node: ir.Offset) -> Value:
    base, count = node.base, node.bytes
    _, address = _EMITTERS[type(base)](frame, base)
    _, distance = _EMITTERS[type(count)](frame, count)
    return "ptr", frame.value(f"getelementptr i8, ptr {address}, i64 {distance}")


def _load(frame: EmitFrame, node: ir.Load) -> Value:
    _, address = _EMITTERS[type(node.address)](frame, node.address)
    kind = llvm_type(node.type)
    if kind == "ptr":
        return kind, frame.value(f"load ptr, ptr {address}, align 1{frame.notes.tag(node.tag)}")
    held = f"i{8 * node.width}"
    note = frame.notes.constant() if _in_table(node.address) else frame.notes.tag(node.tag)
    operand = frame.value(f"load {held}, ptr {address}, align 1{note}")
    if kind == "i1":
        return kind, frame.value(f"icmp ne {held} {operand}, 0")
    return kind, resized(frame, (held, operand), kind, signed=node.signed)


def _in_table(address: ir.Expr) -> bool:
    """Return whether an address lies in a constant table."""
    while isinstance(address, ir.Offset):
        address = address.base
    return isinstance(address, ir.Data)


def _call(frame: EmitFrame, node: ir.Call) -> Value:
    args = [_EMITTERS[type(arg)](frame, arg) for arg in node.args]
    wide = node.function in WIDE_INTRINSICS and any(have == "i128" for have, _ in args)
    intrinsic = (WIDE_INTRINSICS if wide else INTRINSICS).get(node.function)
    if intrinsic is not None:
        return llvm_type(node.type), intrinsic(frame, [operand for _, operand in args])
    kind = llvm_type(node.type)
    passed = ", ".join([f"{have} {operand}" for have, operand in args])
    call = f"call {kind} @{quoted(node.function)}({passed})"
    if kind == "void":
        frame.lines.append(call)
        return kind, ""
    return kind, frame.value(call)


_EMITTERS: Mapping[type[Any], Callable[[EmitFrame, Any], Value]] = {
    ir.Const: _const,
    ir.Local: _local,
    ir.Data: _data,
    ir.Binary: _binary,
    ir.OrderTest: _compare,
    ir.Negation: _not,
    ir.Select: _select,
    ir.Convert: _convert,
    ir.Offset: _offset,
    ir.Load: _load,
    ir.Call: _call,
}
"""Also looked up where operands are evaluated, so that deep expressions cost one call a level."""
