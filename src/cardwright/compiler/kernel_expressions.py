"""Lowering of the expressions of kernels.

Expressions of the IR are evaluated in place, so what must happen earlier is hoisted: a call is
stored in a temporary, and so is what was read from memory before it.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler.folding import (
    FALSE,
    TRUE,
    binary,
    compare,
    is_cheap,
    is_simple,
    negate,
    offset_by,
    reads,
    select,
    to_integer,
)
from cardwright.compiler.intrinsics import wrap
from cardwright.compiler.ir import (
    Assign,
    Const,
    Convert,
    Expr,
    Field,
    If,
    Load,
    Local,
    Op,
    Rel,
    Type,
)
from cardwright.compiler.kernel_calls import Calls
from cardwright.compiler.kernel_frame import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.compiler.ir import Statement
    from cardwright.compiler.kernel_frame import KernelFrame

_OPS: dict[type[ast.operator], Op] = {
    ast.Add: Op.ADD,
    ast.Sub: Op.SUB,
    ast.Mult: Op.MUL,
    ast.BitAnd: Op.AND,
    ast.BitOr: Op.OR,
    ast.BitXor: Op.XOR,
    ast.LShift: Op.SHL,
    ast.RShift: Op.SHR,
    ast.FloorDiv: Op.UDIV,
    ast.Mod: Op.UREM,
}
_RELS: dict[type[ast.cmpop], Rel] = {
    ast.Eq: Rel.EQ,
    ast.NotEq: Rel.NE,
    ast.Lt: Rel.LT,
    ast.LtE: Rel.LE,
    ast.Gt: Rel.GT,
    ast.GtE: Rel.GE,
}
_LOGICAL = {Op.AND, Op.OR, Op.XOR}
_SHIFTS = {Op.SHL, Op.SHR}
_INTEGERS = {Type.INT, Type.WIDE}


class Expressions:
    """Lowers expressions of one kernel."""

    def __init__(self, frame: KernelFrame) -> None:
        self.frame = frame
        self.calls = Calls(frame, self)
        self.wrapping = 0
        self._lower: dict[type[ast.expr], Callable[..., Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._member,
            ast.Subscript: self._member,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._logical,
            ast.Compare: self._comparison,
            ast.IfExp: self._conditional,
        }

    # Expressions of a type -------------------------------------------------------------------

    def value(self, node: ast.expr, *, whole: bool = False) -> Value:
        """Lower an expression; if it is a `whole` statement's, a call may stay where it is."""
        if isinstance(node, ast.Call):
            result = self.calls.value(node)
            return result if whole else self.settled(result)
        lower = self._lower.get(type(node))
        if lower is None:
            raise self.frame.fault(node, f"kernels have no {type(node).__name__}")
        return lower(node)

    def integer(self, node: ast.expr) -> Expr:
        """Lower an expression that gives an integer."""
        return self.of_type(node, Type.INT)

    def _number(self, node: ast.expr) -> Expr:
        """Lower an expression that gives an integer or a mask."""
        value = self.value(node)
        if value.expr.type not in _INTEGERS:
            raise self.frame.fault(node, f"{value.kind} where int belongs")
        return value.expr

    def of_type(self, node: ast.expr, type: Type) -> Expr:  # noqa: A002 - the IR's word
        """Lower an expression that gives a value of a type."""
        value = self.value(node)
        if value.expr.type is not type:
            raise self.frame.fault(node, f"{value.kind} where {type.value} belongs")
        return value.expr

    def test(self, node: ast.expr, *, whole: bool = False) -> Expr:
        """Lower an expression as a condition."""
        if isinstance(node, ast.BoolOp):
            return self._joined(node, self.test)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negate(self.test(node.operand))
        value = self.value(node, whole=whole)
        return self.truth(node, value)

    def truth(self, node: ast.expr, value: Value) -> Expr:
        """Whether a value is true."""
        if value.expr.type is Type.BOOL:
            return value.expr
        if value.expr.type in _INTEGERS:
            return compare(Rel.NE, value.expr, Const(0, value.expr.type))
        raise self.frame.fault(node, f"{value.kind} where a truth value belongs")

    # Order ----------------------------------------------------------------------------

    def settled(self, value: Value) -> Value:
        """Store the result of a call, so that the call happens now."""
        if not self.calls.is_effect(value.expr):
            return value
        self.frame.effects += 1
        return self.frame.temporary(value)

    def in_order(self, lowerings: Sequence[Callable[[], Value]]) -> list[Value]:
        """Lower operands so that all can be evaluated after the last one was lowered."""
        values: list[Value] = []
        for lower in lowerings:
            effects = self.frame.effects
            with self.frame.block() as block:
                value = lower()
            if effects != self.frame.effects:
                values = [self._kept(v) if reads(v.expr) else v for v in values]
            self.frame.out.extend(block)
            values.append(value)
        return values

    def operands(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Lower operands from left to right."""
        return self.in_order([partial(self.value, node) for node in nodes])

    def integers(self, nodes: Sequence[ast.expr]) -> list[Expr]:
        """Lower operands that give integers, from left to right."""
        values = self.operands(nodes)
        for node, value in zip(nodes, values, strict=True):
            if value.expr.type is not Type.INT:
                raise self.frame.fault(node, f"{value.kind} where int belongs")
        return [value.expr for value in values]

    def _kept(self, value: Value) -> Value:
        return value if is_simple(value.expr) else self.frame.temporary(value)

    def repeatable(self, expr: Expr) -> Expr:
        """An expression that may be evaluated more than once."""
        return self._kept(Value(expr)).expr

    # Names and memory -----------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool):
            return Value(TRUE if node.value else FALSE)
        if not isinstance(node.value, int):
            raise self.frame.fault(node, f"kernels have no {node.value!r}")
        return self._known(node, node.value)

    def _known(self, node: ast.expr, value: int) -> Value:
        if not self.wrapping and value != wrap(value):
            raise self.frame.fault(
                node, f"{value} has more than 64 bits with its sign: put it in wrap()"
            )
        return Value(Const(wrap(value)))

    def _name(self, node: ast.Name) -> Value:
        kind = self.frame.kinds.get(node.id)
        if kind is not None:
            return Value(Local(node.id, kind.type), kind.struct)
        value = self.frame.constant(node.id) if node.id.isupper() else None
        if value is None:
            raise self.frame.fault(node, f"unknown name {node.id}")
        return self._known(node, value)

    def _member(self, node: ast.Attribute | ast.Subscript) -> Value:
        address, field, whole = self.place(node)
        if not whole:
            return Value(address)
        return Value(read(address, field))

    def place(self, node: ast.expr) -> tuple[Expr, Field, bool]:
        """The address of a field or of an item of one, and whether it is not an array itself."""
        indices: list[ast.expr] = []
        member = node
        while isinstance(member, ast.Subscript):
            at = member.slice
            indices[:0] = at.elts if isinstance(at, ast.Tuple) else [at]
            member = member.value
        if not isinstance(member, ast.Attribute):
            raise self.frame.fault(node, "only fields of structs have items")
        base, *at_indices = self.in_order(
            [partial(self.value, member.value), *(partial(self._index, i) for i in indices)]
        )
        if base.struct is None:
            raise self.frame.fault(node, f"{base.kind} has no fields")
        field = base.struct.fields.get(member.attr)
        if field is None:
            raise self.frame.fault(node, f"{base.struct.name} has no field {member.attr}")
        if len(indices) > len(field.strides):
            raise self.frame.fault(node, f"{member.attr} has {len(field.strides)} indices")
        scaled = [(i.expr, stride) for i, stride in zip(at_indices, field.strides, strict=False)]
        address = offset_by(base.expr, scaled, field.offset)
        return address, field, len(indices) == len(field.strides)

    def _index(self, node: ast.expr) -> Value:
        return Value(self.integer(node))

    # Operations -----------------------------------------------------------------------

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.operands([node.left, node.right])
        return Value(self.operation(node, node.op, left, right))

    def operation(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Expr:
        """An operation on two values."""
        op = _OPS.get(type(operator))
        if op is None:
            raise self.frame.fault(node, f"kernels have no {type(operator).__name__}")
        if op in _SHIFTS and (left.expr.type, right.expr.type) == (Type.WIDE, Type.INT):
            right = Value(Convert(right.expr, Type.WIDE))
        left, right = left.fitted(right.expr.type), right.fitted(left.expr.type)
        logical = op in _LOGICAL and left.expr.type is Type.BOOL
        if left.kind != right.kind or not (logical or left.expr.type in _INTEGERS):
            raise self.frame.fault(node, f"{left.kind} {op.value} {right.kind}")
        return binary(op, left.expr, right.expr)

    def _unary(self, node: ast.UnaryOp) -> Value:
        match node.op:
            case ast.Not():
                return Value(negate(self.test(node.operand)))
            case ast.USub():
                value = self._number(node.operand)
                return Value(binary(Op.SUB, Const(0, value.type), value))
            case ast.Invert():
                value = self._number(node.operand)
                return Value(binary(Op.XOR, value, Const(-1, value.type)))
            case _:
                raise self.frame.fault(node, f"kernels have no {type(node.op).__name__}")

    def _comparison(self, node: ast.Compare) -> Value:
        if len(node.ops) == 1:
            left, right = self.operands([node.left, node.comparators[0]])
            return Value(self._compared(node, node.ops[0], left, right))
        return Value(self._chain(node, self.value(node.left), 0))

    def _chain(self, node: ast.Compare, left: Value, at: int) -> Expr:
        """A comparison in a chain, and those after it; each operand is evaluated once."""

        def middle() -> Value:
            return self._kept(self.value(node.comparators[at]))

        if at == len(node.ops) - 1:
            left, right = self.in_order([lambda: left, partial(self.value, node.comparators[at])])
            return self._compared(node, node.ops[at], left, right)
        left, right = self.in_order([lambda: left, middle])
        first = self._compared(node, node.ops[at], left, right)
        return self._both(first, partial(self._chain, node, right, at + 1), conjunction=True)

    def _compared(self, node: ast.AST, operator: ast.cmpop, left: Value, right: Value) -> Expr:
        rel = _RELS.get(type(operator))
        if rel is None:
            raise self.frame.fault(node, f"kernels have no {type(operator).__name__}")
        left, right = left.fitted(right.expr.type), right.fitted(left.expr.type)
        ordered = left.expr.type is Type.INT or rel in {Rel.EQ, Rel.NE}
        if left.kind != right.kind or not ordered or left.expr.type is Type.NOTHING:
            raise self.frame.fault(node, f"{left.kind} {rel.value} {right.kind}")
        return compare(rel, left.expr, right.expr)

    # Short-circuit evaluation -------------------------------------------------

    def _logical(self, node: ast.BoolOp) -> Value:
        return Value(self._joined(node, lambda part: self.of_type(part, Type.BOOL)))

    def _joined(self, node: ast.BoolOp, lower: Callable[[ast.expr], Expr]) -> Expr:
        """Truth values joined by `and` or `or`."""
        conjunction = isinstance(node.op, ast.And)

        def join(at: int) -> Expr:
            first = lower(node.values[at])
            if at == len(node.values) - 1:
                return first
            return self._both(first, partial(join, at + 1), conjunction=conjunction)

        return join(0)

    def _both(self, first: Expr, lower: Callable[[], Expr], *, conjunction: bool) -> Expr:
        """`and` or `or` of a truth value and one that is evaluated only if needed."""
        if isinstance(first, Const) and bool(first.value) is not conjunction:
            return first
        with self.frame.block() as block:
            second = lower()
        if isinstance(first, Const):
            self.frame.out.extend(block)
            return second
        if not block and is_cheap(second):
            return binary(Op.AND if conjunction else Op.OR, first, second)
        result = self.frame.temporary(Value(first)).expr
        assert isinstance(result, Local)
        test = result if conjunction else negate(result)
        self.frame.out.append(If(test, (*block, Assign(result, second))))
        return result

    def _conditional(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        if isinstance(test, Const):
            return self.value(node.body if test.value else node.orelse)
        yes, yes_block = self._branch(node.body)
        no, no_block = self._branch(node.orelse)
        if yes.kind != no.kind or yes.expr.type is Type.NOTHING:
            raise self.frame.fault(node, f"either {yes.kind} or {no.kind}")
        if not yes_block and not no_block and is_cheap(yes.expr) and is_cheap(no.expr):
            return Value(select(test, yes.expr, no.expr), yes.struct)
        self.frame.temporaries += 1
        result = Local(f"_t{self.frame.temporaries}", yes.expr.type)
        self.frame.out.append(
            If(test, (*yes_block, Assign(result, yes.expr)), (*no_block, Assign(result, no.expr)))
        )
        return Value(result, yes.struct)

    def _branch(self, node: ast.expr) -> tuple[Value, list[Statement]]:
        with self.frame.block() as block:
            value = self.value(node)
        return value, block


def read(address: Expr, field: Field) -> Expr:
    """The contents of a field."""
    if field.type is Type.BOOL:
        return compare(Rel.NE, Load(address, field.width, tag=field.tag), Const(0))
    return Load(address, field.width, field.signed, field.type, field.tag)


def stored(value: Expr) -> Expr:
    """A value as it is stored in memory: a truth value is 0 or 1."""
    return to_integer(value) if value.type is Type.BOOL else value
