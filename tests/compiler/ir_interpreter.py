"""An interpreter of the intermediate representation, for tests: slow, short and literal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.compiler import intrinsics, ir
from cardwright.compiler.intrinsics import Pointer, shift_right, wrap
from cardwright.compiler.ir import Op, Rel, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OPS: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.SHL: lambda a, b: a << b,
    Op.SHR: shift_right,
    Op.SAR: lambda a, b: a >> b,
    Op.DIV: intrinsics.divide,
    Op.REM: intrinsics.remainder,
    Op.UDIV: intrinsics.unsigned_divide,
    Op.UREM: intrinsics.unsigned_remainder,
}
_RELS: dict[Rel, Callable[[Any, Any], bool]] = {
    Rel.EQ: lambda a, b: a == b,
    Rel.NE: lambda a, b: a != b,
    Rel.LT: lambda a, b: a < b,
    Rel.LE: lambda a, b: a <= b,
    Rel.GT: lambda a, b: a > b,
    Rel.GE: lambda a, b: a >= b,
    Rel.ULT: intrinsics.unsigned_less,
    Rel.UGE: lambda a, b: not intrinsics.unsigned_less(a, b),
}


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Interpreter:
    """Runs functions of a module; functions that it lacks are given as Python functions."""

    def __init__(
        self,
        functions: Mapping[str, ir.Function],
        engine: Mapping[str, Callable[..., Any]] | None = None,
        data: Mapping[str, bytes] | None = None,
    ) -> None:
        self.functions = functions
        self.engine = engine or {}
        self.data = {name: bytearray(content) for name, content in (data or {}).items()}

    def call(self, name: str, *args: Any) -> Any:
        function = self.functions.get(name)
        if function is None:
            if name in ir.INTRINSICS:
                return getattr(intrinsics, name)(*args)
            return self.engine[name](*args)
        variables = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
        try:
            self._block(function.body, variables)
        except _Return as result:
            return result.value
        return None

    def _value(self, expr: ir.Expr, variables: dict[str, Any]) -> Any:
        def value(part: ir.Expr) -> Any:
            return self._value(part, variables)

        match expr:
            case ir.Const(constant, type_):
                return bool(constant) if type_ is Type.BOOL else wrap(constant)
            case ir.Local(name):
                return variables[name]
            case ir.Data(name):
                return Pointer(self.data[name], 0)
            case ir.Binary(op, left, right):
                result = _OPS[op](value(left), value(right))
                return result if expr.type is Type.BOOL else wrap(result)
            case ir.OrderTest(rel, left, right):
                return _RELS[rel](value(left), value(right))
            case ir.Negation(inner):
                return not value(inner)
            case ir.Select(test, yes, no):
                chosen = (value(no), value(yes))
                return chosen[value(test)]
            case ir.Convert(inner, Type.INT):
                return int(value(inner))
            case ir.Offset(base, bytes_):
                return intrinsics.offset(value(base), value(bytes_))
            case ir.Load(address, width, signed, Type.INT):
                read = intrinsics.load_signed if signed else intrinsics.load
                return read(value(address), width)
            case ir.Call(name, args):
                return self.call(name, *map(value, args))
        raise NotImplementedError(expr)

    def _block(self, block: ir.Block, variables: dict[str, Any]) -> None:
        for statement in block:
            self._statement(statement, variables)

    def _statement(self, statement: ir.Statement, variables: dict[str, Any]) -> None:
        def value(part: ir.Expr) -> Any:
            return self._value(part, variables)

        match statement:
            case ir.Assign(target, expr):
                variables[target.name] = value(expr)
            case ir.Store(address, expr, width):
                intrinsics.store(value(address), value(expr), width)
            case ir.Copy(target, source, bytes_):
                intrinsics.copy(value(target), value(source), value(bytes_))
            case ir.Clear(target, bytes_):
                intrinsics.clear(value(target), value(bytes_))
            case ir.Evaluate(expr):
                value(expr)
            case ir.If(test, yes, no):
                self._block(yes if value(test) else no, variables)
            case ir.Loop(test, body, step):
                self._loop(test, body, step, variables)
            case ir.Switch(expr, cases, default):
                self._block(dict(cases).get(value(expr), default), variables)
            case ir.Return(expr):
                raise _Return(None if expr is None else value(expr))
            case ir.Break():
                raise _Break
            case ir.Continue():
                raise _Continue

    def _loop(
        self, test: ir.Expr, body: ir.Block, step: ir.Block, variables: dict[str, Any]
    ) -> None:
        while self._value(test, variables):
            try:
                self._block(body, variables)
            except _Break:
                return
            except _Continue:
                pass
            self._block(step, variables)
