"""Lowering of calls in kernels: of other kernels, of the engine, and of intrinsics."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from cardwright.compiler import intrinsics
from cardwright.compiler.folding import binary, compare, negate, select, to_integer
from cardwright.compiler.ir import (
    INTRINSICS,
    Call,
    Clear,
    Const,
    Copy,
    Expr,
    Load,
    Offset,
    Op,
    Rel,
    Store,
    Type,
    intrinsic,
)
from cardwright.compiler.kernel import is_kernel
from cardwright.compiler.kernel_frame import Value
from cardwright.compiler.kernel_source import syntax_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FunctionType

    from cardwright.compiler.ir import Statement
    from cardwright.compiler.kernel_expressions import Expressions
    from cardwright.compiler.kernel_frame import KernelFrame

_OPERATIONS = {
    "shift_right": Op.SHR,
    "shift_right_signed": Op.SAR,
    "divide": Op.DIV,
    "remainder": Op.REM,
    "unsigned_divide": Op.UDIV,
    "unsigned_remainder": Op.UREM,
}
_MINIMA = {"min": Rel.LT, "max": Rel.GT}
_CHANGES = frozenset({"store", "copy", "clear"})


class Calls:
    """Lowers calls of one kernel."""

    def __init__(self, frame: KernelFrame, expressions: Expressions) -> None:
        self.frame = frame
        self.expressions = expressions
        self._builtin: dict[str, Callable[[ast.Call], Value]] = {
            "wrap": self._wrap,
            "offset": self._offset,
            "load": self._load,
            "load_signed": self._load,
            "like": self._like,
            "pointer_to": self._pointer_to,
            "unsigned_less": self._unsigned_less,
            "min": self._extreme,
            "max": self._extreme,
            "int": self._int,
            "bool": self._bool,
            **dict.fromkeys(_OPERATIONS, self._operation),
        }

    def value(self, node: ast.Call) -> Value:
        """Lower a call whose value is wanted."""
        name = self._name(node)
        target = self.frame.function.__globals__.get(name)
        if is_kernel(target):
            return self._kernel(node, target)
        if name in self._builtin and target is getattr(intrinsics, name, None):
            return self._builtin[name](node)
        if name in INTRINSICS and target is getattr(intrinsics, name):
            return Value(self._intrinsic(node, name))
        if name in self.frame.engine:
            return Value(self._engine(node, name))
        if name in _CHANGES and target is getattr(intrinsics, name):
            raise self.frame.fault(node, f"{name} gives nothing")
        raise self.frame.fault(node, f"unknown function {name}")

    def is_effect(self, expr: Expr) -> bool:
        """Whether an expression is a call that may do something."""
        return isinstance(expr, Call) and expr.function not in INTRINSICS

    def change(self, node: ast.Call) -> Statement | None:
        """Lower a change of memory; None if the call is not one."""
        name = self._name(node)
        target = self.frame.function.__globals__.get(name)
        if name not in _CHANGES or target is not getattr(intrinsics, name):
            return None
        if name == "store":
            address, value = self._arguments(node, 3, last=1)
            if address.expr.type is not Type.POINTER or value.expr.type not in _STORED:
                raise self.frame.fault(node, f"store({address.kind}, {value.kind})")
            integer = to_integer(value.expr) if value.expr.type is Type.BOOL else value.expr
            return Store(address.expr, integer, self._width(node, 2))
        if name == "copy":
            return Copy(*self._typed(node, (Type.POINTER, Type.POINTER, Type.INT)))
        return Clear(*self._typed(node, (Type.POINTER, Type.INT)))

    # Arguments ------------------------------------------------------------------------

    def _name(self, node: ast.Call) -> str:
        if not isinstance(node.func, ast.Name):
            raise self.frame.fault(node, "only named functions are called")
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise self.frame.fault(node, "arguments of kernels have no names or stars")
        return node.func.id

    def _arguments(self, node: ast.Call, count: int, last: int = 0) -> list[Value]:
        """Lower the arguments, of which there are `count`, without the last."""
        if len(node.args) != count:
            raise self.frame.fault(node, f"{self._name(node)} takes {count} arguments")
        return self.expressions.operands(node.args[: count - last])

    def _typed(self, node: ast.Call, types: Sequence[Type], last: int = 0) -> list[Expr]:
        values = self._arguments(node, len(types) + last, last)
        return self._checked(node, values, types)

    def _checked(
        self, node: ast.Call, values: Sequence[Value], types: Sequence[Type]
    ) -> list[Expr]:
        """Return operands, which must have these types."""
        for arg, value, type_ in zip(node.args, values, types, strict=False):
            if value.expr.type is not type_:
                raise self.frame.fault(arg, f"{value.kind} where {type_.value} belongs")
        return [value.expr for value in values]

    def _intrinsic(self, node: ast.Call, name: str) -> Expr:
        values = self._arguments(node, len(INTRINSICS[name][0]))
        signature = intrinsic(name, [value.expr.type for value in values])
        assert signature is not None
        types, result = signature
        args = self._checked(node, values, types)
        if name == "unlikely" and isinstance(args[0], Const):
            return args[0]
        return Call(name, tuple(args), result)

    def _engine(self, node: ast.Call, name: str) -> Expr:
        types, result = self.frame.engine[name]
        return Call(name, tuple(self._typed(node, types)), result)

    # Functions ------------------------------------------------------------------------

    def _kernel(self, node: ast.Call, target: FunctionType) -> Value:
        syntax = syntax_of(target)
        if self.frame.kernels.setdefault(target.__name__, target) is not target:
            raise self.frame.fault(node, f"two kernels have the name {target.__name__}")
        params = [self.frame.kind_of(arg.annotation, syntax) for arg in syntax.args.args]
        result = self.frame.kind_of(syntax.returns, syntax)
        values = [
            value.fitted(kind.type)
            for value, kind in zip(self._arguments(node, len(params)), params, strict=True)
        ]
        for arg, value, kind in zip(node.args, values, params, strict=True):
            # An address is a struct only by declaration, while every struct has an address.
            if kind not in (value.kind, (value.expr.type, None)):
                raise self.frame.fault(arg, f"{value.kind} where {kind} belongs")
        call = Call(target.__name__, tuple(value.expr for value in values), result.type)
        return Value(call, result.struct)

    def _wrap(self, node: ast.Call) -> Value:
        self.expressions.wrapping += 1
        (value,) = self._typed(node, (Type.INT,))
        self.expressions.wrapping -= 1
        return Value(value)

    def _operation(self, node: ast.Call) -> Value:
        left, right = self._typed(node, (Type.INT, Type.INT))
        return Value(binary(_OPERATIONS[self._name(node)], left, right))

    def _unsigned_less(self, node: ast.Call) -> Value:
        return Value(compare(Rel.ULT, *self._typed(node, (Type.INT, Type.INT))))

    def _extreme(self, node: ast.Call) -> Value:
        """Lower `min` or `max`, which name both operands twice."""
        left, right = map(self.expressions.repeatable, self._typed(node, (Type.INT, Type.INT)))
        return Value(select(compare(_MINIMA[self._name(node)], left, right), left, right))

    def _int(self, node: ast.Call) -> Value:
        (value,) = self._arguments(node, 1)
        if value.expr.type in {Type.INT, Type.WIDE}:
            return value
        if value.expr.type is not Type.BOOL:
            raise self.frame.fault(node, f"int of {value.kind}")
        return Value(to_integer(value.expr))

    def _bool(self, node: ast.Call) -> Value:
        (value,) = self._arguments(node, 1)
        return Value(negate(negate(self.expressions.truth(node, value))))

    # Memory ---------------------------------------------------------------------------

    def _load(self, node: ast.Call) -> Value:
        (address,) = self._typed(node, (Type.POINTER,), last=1)
        signed = self._name(node) == "load_signed"
        return Value(Load(address, self._width(node, 1), signed))

    def _width(self, node: ast.Call, at: int) -> int:
        width = self.expressions.integer(node.args[at])
        if not isinstance(width, Const) or width.value not in {1, 2, 4, 8}:
            raise self.frame.fault(node, "a width is 1, 2, 4 or 8")
        return width.value

    def _offset(self, node: ast.Call) -> Value:
        base, count = self._typed(node, (Type.POINTER, Type.INT))
        return Value(base if count == Const(0) else Offset(base, count))

    def _like(self, node: ast.Call) -> Value:
        struct, address = self._arguments(node, 2)
        if struct.struct is None or address.expr.type is not Type.POINTER:
            raise self.frame.fault(node, f"like({struct.kind}, {address.kind})")
        return Value(address.expr, struct.struct)

    def _pointer_to(self, node: ast.Call) -> Value:
        (address,) = self._typed(node, (Type.POINTER,))
        return Value(address)


_STORED = {Type.INT, Type.BOOL}
