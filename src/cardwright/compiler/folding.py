"""Expressions built in their simplest form: constants are folded, neutral operands left out."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    shift_right,
    shift_right_signed,
    unsigned_divide,
    unsigned_less,
    unsigned_remainder,
    wrap,
)
from cardwright.compiler.ir import (
    Binary,
    Call,
    Const,
    Convert,
    Expr,
    Load,
    Local,
    Negation,
    Offset,
    Op,
    OrderTest,
    Rel,
    Select,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Callable

TRUE = Const(1, Type.BOOL)
FALSE = Const(0, Type.BOOL)

_OPPOSITE = {
    Rel.EQ: Rel.NE,
    Rel.NE: Rel.EQ,
    Rel.LT: Rel.GE,
    Rel.GE: Rel.LT,
    Rel.GT: Rel.LE,
    Rel.LE: Rel.GT,
    Rel.ULT: Rel.UGE,
    Rel.UGE: Rel.ULT,
}
_COMPUTE: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.AND: operator.and_,
    Op.OR: operator.or_,
    Op.XOR: operator.xor,
    Op.SHL: operator.lshift,
    Op.SHR: shift_right,
    Op.SAR: shift_right_signed,
    Op.UDIV: unsigned_divide,
    Op.UREM: unsigned_remainder,
}
_HOLDS: dict[Rel, Callable[[int, int], bool]] = {
    Rel.EQ: operator.eq,
    Rel.NE: operator.ne,
    Rel.LT: operator.lt,
    Rel.LE: operator.le,
    Rel.GT: operator.gt,
    Rel.GE: operator.ge,
    Rel.ULT: unsigned_less,
    Rel.UGE: lambda left, right: not unsigned_less(left, right),
}
_DIVISIONS = {Op.DIV, Op.REM, Op.UDIV, Op.UREM}
_SHIFTS = {Op.SHL, Op.SHR, Op.SAR}
_NEUTRAL_RIGHT = {
    Op.ADD: 0,
    Op.SUB: 0,
    Op.OR: 0,
    Op.XOR: 0,
    Op.SHL: 0,
    Op.SHR: 0,
    Op.SAR: 0,
    Op.MUL: 1,
    Op.UDIV: 1,
    Op.DIV: 1,
}
_COMMUTE = {Op.ADD, Op.MUL, Op.AND, Op.OR, Op.XOR}


def binary(op: Op, left: Expr, right: Expr) -> Expr:
    """An operation on two integers or truth values."""
    if isinstance(left, Const):
        if isinstance(right, Const):
            return _computed(op, left, right)
        if op in _COMMUTE:
            left, right = right, left
    if isinstance(right, Const) and right.type is not Type.WIDE:
        if right.type is Type.BOOL:
            return _truth(op, left, bool(right.value))
        if _NEUTRAL_RIGHT.get(op) == right.value:
            return left
        if right.value == 0 and op in {Op.MUL, Op.AND}:
            return right
    return Binary(op, left, right)


def _computed(op: Op, left: Const, right: Const) -> Expr:
    unknown = op not in _COMPUTE or left.type is Type.WIDE
    undefined = (op in _DIVISIONS and right.value == 0) or (
        op in _SHIFTS and not 0 <= right.value < 64
    )
    if unknown or undefined:
        return Binary(op, left, right)
    return Const(wrap(_COMPUTE[op](left.value, right.value)), left.type)


def _truth(op: Op, left: Expr, right: bool) -> Expr:
    """An operation on a truth value and a known one."""
    if op is Op.AND:
        return left if right else FALSE
    if op is Op.OR:
        return TRUE if right else left
    return negate(left) if right else left


def compare(rel: Rel, left: Expr, right: Expr) -> Expr:
    """A comparison of two values."""
    if isinstance(left, Const) and isinstance(right, Const):
        return TRUE if _HOLDS[rel](left.value, right.value) else FALSE
    return OrderTest(rel, left, right)


def negate(value: Expr) -> Expr:
    """The opposite of a truth value."""
    if isinstance(value, Const):
        return FALSE if value.value else TRUE
    if isinstance(value, OrderTest):
        return OrderTest(_OPPOSITE[value.rel], value.left, value.right)
    return value.value if isinstance(value, Negation) else Negation(value)


def to_integer(value: Expr) -> Expr:
    """A truth value as 0 or 1."""
    return Const(value.value) if isinstance(value, Const) else Convert(value, Type.INT)


def select(test: Expr, yes: Expr, no: Expr) -> Expr:
    """One of two values, both of which may be evaluated."""
    if isinstance(test, Const):
        return yes if test.value else no
    return yes if yes == no else Select(test, yes, no)


def offset_by(base: Expr, scaled: list[tuple[Expr, int]], constant: int) -> Expr:
    """The address at base + the sum of index * stride + constant, the constant part last."""
    total: Expr | None = None
    for index, stride in scaled:
        rest, known = _split(index)
        constant += known * stride
        if rest is not None:
            part = binary(Op.MUL, rest, Const(stride))
            total = part if total is None else Binary(Op.ADD, total, part)
    constant = wrap(constant)
    if total is None:
        return Offset(base, Const(constant)) if constant else base
    return Offset(base, binary(Op.ADD, total, Const(constant)))


def _split(index: Expr) -> tuple[Expr | None, int]:
    """An integer as a sum of an unknown part, if any, and a known one."""
    if isinstance(index, Const):
        return None, index.value
    if isinstance(index, Binary) and isinstance(index.right, Const):
        if index.op is Op.ADD:
            return index.left, index.right.value
        if index.op is Op.SUB:
            return index.left, -index.right.value
    return index, 0


# The effects of evaluating an expression -------------------------------------------------------


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that an expression has as operands."""
    match expr:
        case Binary() | OrderTest():
            return (expr.left, expr.right)
        case Negation() | Convert():
            return (expr.value,)
        case Select():
            return (expr.test, expr.yes, expr.no)
        case Offset():
            return (expr.base, expr.bytes)
        case Load():
            return (expr.address,)
        case Call():
            return expr.args
        case _:
            return ()


def reads(expr: Expr) -> bool:
    """Whether an expression's value depends on memory, or on when it is evaluated."""
    if isinstance(expr, Load) or (
        isinstance(expr, Call) and expr.function in {"positions", "find_byte"}
    ):
        return True
    return any(map(reads, parts(expr)))


def is_simple(expr: Expr) -> bool:
    """Whether an expression is a constant or a variable, and may be repeated freely."""
    return isinstance(expr, Const | Local)


def is_cheap(expr: Expr, most: int = 8) -> bool:
    """Whether evaluating an expression for nothing is harmless and costs little."""
    return _cost(expr) <= most


def _cost(expr: Expr) -> int:
    """How many nodes an expression has; very many if evaluating it may fault.

    A shift by more than the width gives nothing that may be used, not even in a test whose result
    is known anyway.
    """
    dangerous = isinstance(expr, Load) or (isinstance(expr, Binary) and expr.op in _DIVISIONS)
    if isinstance(expr, Binary) and expr.op in _SHIFTS and not isinstance(expr.right, Const):
        dangerous = True
    if dangerous or (isinstance(expr, Call) and expr.function != "unlikely"):
        return 1_000_000
    return 1 + sum(map(_cost, parts(expr)))
