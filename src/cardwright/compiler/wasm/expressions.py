"""Expressions of the IR as instructions, which leave a value on the stack.

Addresses are sums of 32 bits. What a load or store adds to its address is a sum of 33 bits, which
does not wrap around: an index from below 0 leads there only from an address that is larger than
that. Hosts place nothing below `LOWEST`, so pointers are large enough; tables are addressed with
all constants in the sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.wasm import wide
from cardwright.compiler.wasm.encoding import I32, const32, const64, get, keep, memory
from cardwright.compiler.wasm.operations import intrinsic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.compiler.wasm.frame import Frame, Rule

LOWEST = 1 << 20
"""The lowest address of anything in a host's memory."""

_TABLES = b"\x23\x00"
"""Push the address of the tables: the global that every module imports."""

_MOST_STATIC = 1 << 31

_OPERATIONS = {
    Op.ADD: "add", Op.SUB: "sub", Op.MUL: "mul", Op.AND: "and", Op.OR: "or", Op.XOR: "xor",
    Op.SHL: "shl", Op.SHR: "shr_u", Op.SAR: "shr_s", Op.DIV: "div_s", Op.REM: "rem_s",
    Op.UDIV: "div_u", Op.UREM: "rem_u",
}  # fmt: skip
_ORDERS = {
    Rel.EQ: "eq", Rel.NE: "ne", Rel.LT: "lt_s", Rel.LE: "le_s", Rel.GT: "gt_s", Rel.GE: "ge_s",
    Rel.ULT: "lt_u", Rel.UGE: "ge_u",
}  # fmt: skip
_BINARY = {
    kind: {op: f"{prefix}.{name}" for op, name in _OPERATIONS.items()}
    for kind, prefix in ((Type.INT, "i64"), (Type.BOOL, "i32"))
}
_COMPARE = {
    kind: {rel: f"{prefix}.{name}" for rel, name in _ORDERS.items()}
    for kind, prefix in ((Type.INT, "i64"), (Type.BOOL, "i32"), (Type.POINTER, "i32"))
}
_NARROW = {Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR}
"""Operations of which the lower half of the result depends on the lower halves only."""


def _loads(prefix: str, full: int) -> dict[tuple[int, bool], str]:
    """Return the loads of a type, by width and sign; wider contents are truncated."""
    return {
        (width, signed): f"{prefix}.load"
        if width >= full
        else f"{prefix}.load{8 * width}_{'s' if signed else 'u'}"
        for width in (1, 2, 4, 8)
        for signed in (False, True)
    }


_LOAD, _NARROW_LOAD = _loads("i64", 8), _loads("i32", 4)


# Addresses --------------------------------------------------------------------------------


def push_low(frame: Frame, node: ir.Expr) -> None:
    """Write the evaluation of the lower 32 bits of an integer, as addresses need them."""
    match node:
        case ir.Const(value):
            frame.write(const32(value))
        case ir.Binary(op, left, right) if op in _NARROW:
            push_low(frame, left)
            push_low(frame, right)
            frame.write(_BINARY[Type.BOOL][op])
        case ir.Binary(Op.SHL, left, ir.Const(bits)) if 0 <= bits < 32:
            push_low(frame, left)
            frame.write(const32(bits), "i32.shl")
        case ir.Load(type=Type.INT):
            _load_as(frame, node, _NARROW_LOAD[node.width, node.signed])
        case ir.Convert(value) if value.type is Type.BOOL:
            frame.push(value)
        case _:
            frame.push(node)
            frame.write("i32.wrap_i64")


def push_address(frame: Frame, node: ir.Expr) -> int:
    """Write the evaluation of an address but for some bytes from 0, and return how many."""
    constant, moves = 0, []
    while isinstance(node, ir.Offset):
        move: ir.Expr = node.bytes
        while isinstance(move, ir.Binary) and move.op is Op.ADD:
            if not isinstance(move.right, ir.Const):
                break
            constant += move.right.value
            move = move.left
        if isinstance(move, ir.Const):
            constant += move.value
        else:
            moves.append(move)
        node = node.base
    if isinstance(node, ir.Data):
        constant += frame.around.place(node.name)
        frame.write(_TABLES)
    else:
        frame.push(node)
    static = 0 <= constant < _MOST_STATIC and not (moves and isinstance(node, ir.Data))
    if constant and not static:
        frame.write(const32(constant), "i32.add")
    for move in reversed(moves):
        push_low(frame, move)
        frame.write("i32.add")
    return constant if static else 0


def _data(frame: Frame, node: ir.Data) -> None:
    frame.write(_TABLES, const32(frame.around.place(node.name)), "i32.add")


def _offset(frame: Frame, node: ir.Offset) -> None:
    constant = push_address(frame, node)
    if constant:
        frame.write(const32(constant), "i32.add")


def _load_as(frame: Frame, node: ir.Load, name: str) -> None:
    frame.write(memory(name, push_address(frame, node.address)))


def _load(frame: Frame, node: ir.Load) -> None:
    match node.type:
        case Type.INT:
            _load_as(frame, node, _LOAD[node.width, node.signed])
        case Type.POINTER:
            _load_as(frame, node, "i32.load")
        case Type.BOOL:
            _load_as(frame, node, _NARROW_LOAD[node.width, False])
            frame.write(const32(0), "i32.ne")
        case _:
            constant = push_address(frame, node.address)
            base = frame.temporary(I32)
            frame.write(keep(base), memory("i64.load", constant))
            frame.write(get(base), memory("i64.load", constant + 8))


# Values -----------------------------------------------------------------------------------


def _const(frame: Frame, node: ir.Const) -> None:
    match node.type:
        case Type.INT:
            frame.write(const64(node.value))
        case Type.WIDE:
            frame.write(*frame.halves(node))
        case _:
            frame.write(const32(node.value))


def _local(frame: Frame, node: ir.Local) -> None:
    named = frame.variable(node.name, node.type)
    if isinstance(named, ir.Const):
        _const(frame, named)
    else:
        frame.write(*map(get, named))


# Deep expressions take one call a level: operands are not evaluated by way of `push`.


def _binary(frame: Frame, node: ir.Binary) -> None:
    left, right = node.left, node.right
    kind = left.type
    if kind is Type.WIDE:
        wide.binary(frame, node)
        return
    frame.rules[type(left)](frame, left)
    frame.rules[type(right)](frame, right)
    frame.write(_BINARY[kind][node.op])


def _compare(frame: Frame, node: ir.OrderTest) -> None:
    left, right = node.left, node.right
    kind = left.type
    if kind is Type.WIDE:
        wide.compare(frame, node)
        return
    frame.rules[type(left)](frame, left)
    if node.rel is Rel.EQ and right == ir.Const(0):
        frame.write("i64.eqz")
        return
    frame.rules[type(right)](frame, right)
    frame.write(_COMPARE[kind][node.rel])


def _negation(frame: Frame, node: ir.Negation) -> None:
    frame.push(node.value)
    frame.write("i32.eqz")


def _select(frame: Frame, node: ir.Select) -> None:
    if node.type is Type.WIDE:
        wide.select(frame, node)
        return
    frame.push(node.test)
    test = frame.set_aside(I32)
    frame.push(node.yes)
    frame.push(node.no)
    frame.write(test, "select")


def _convert(frame: Frame, node: ir.Convert) -> None:
    have, want = node.value.type, node.type
    if want is Type.WIDE:
        wide.widened(frame, node)
        return
    frame.push(node.value)
    if have is want:
        return
    match want:
        case Type.INT:
            frame.write("drop" if have is Type.WIDE else "i64.extend_i32_u")
        case Type.BOOL:
            if have is Type.WIDE:
                frame.write("i64.or")
            narrow = have is Type.POINTER
            frame.write(*((const32(0), "i32.ne") if narrow else (const64(0), "i64.ne")))
        case _:
            frame.write("i32.wrap_i64")


def _call(frame: Frame, node: ir.Call) -> None:
    name, args = node.function, node.args
    if name not in ir.INTRINSICS:
        frame.around.called(frame, name, args)
    elif name in ir.WIDE_INTRINSICS and any(arg.type is Type.WIDE for arg in args):
        wide.intrinsic(frame, name, args)
    else:
        intrinsic(frame, name, args)


EXPRESSIONS: Mapping[type[Any], Rule] = {
    ir.Const: _const,
    ir.Local: _local,
    ir.Data: _data,
    ir.Binary: _binary,
    ir.OrderTest: _compare,
    ir.Negation: _negation,
    ir.Select: _select,
    ir.Convert: _convert,
    ir.Offset: _offset,
    ir.Load: _load,
    ir.Call: _call,
}
