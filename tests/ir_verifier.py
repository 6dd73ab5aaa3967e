"""The verifier of the intermediate representation.

Every value has the type that its place requires, variables keep their type and are assigned before
they are read on every path, `Break` and `Continue` are inside loops, and every path of a function
with a result returns one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, get_args

from cardwright.compiler import ir
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.show import show_expression, show_statement

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTHS = {
    Type.INT: frozenset({1, 2, 4, 8}),
    Type.WIDE: frozenset({16}),
    Type.POINTER: frozenset({8}),
}
"""In how many bytes memory holds values of each type."""

_INTEGERS = frozenset({Type.INT, Type.WIDE})
_OPERATIONS = {
    Type.INT: frozenset(Op),
    Type.WIDE: frozenset(Op) - {Op.DIV, Op.REM, Op.UDIV, Op.UREM},
    Type.BOOL: frozenset({Op.AND, Op.OR, Op.XOR}),
}
_RELATIONS = {
    Type.INT: frozenset(Rel),
    Type.WIDE: frozenset(Rel),
    Type.BOOL: frozenset({Rel.EQ, Rel.NE}),
    Type.POINTER: frozenset({Rel.EQ, Rel.NE, Rel.ULT, Rel.UGE}),
}
_CONSTANTS = {
    Type.INT: (-(2**63), 2**64),
    Type.BOOL: (0, 2),
    Type.WIDE: (-(2**127), 2**128),
}
"""The least constant of each type, and the first that is too large."""

# Sets of variables are bit sets; in unreachable code all are assigned.
_NOWHERE = -1


class InvalidError(Exception):
    """A module breaks a rule of the intermediate representation."""


def verify(module: ir.Module) -> None:
    """Raise `InvalidError` at the first rule that a module breaks."""
    signatures: dict[str, ir.Signature] = {}
    for name, function in module.functions.items():
        if function.name != name or name in ir.INTRINSICS:
            msg = f"{name}: a function {function.name} under this name"
            raise InvalidError(msg)
        signatures[name] = (tuple(p.type for p in function.params), function.result)
    for function in module.functions.values():
        _Verifier(function, signatures, module.data).verify()


class _Verifier:
    """Verifies one function."""

    def __init__(
        self,
        function: ir.Function,
        signatures: Mapping[str, ir.Signature],
        data: Mapping[str, bytes],
    ) -> None:
        self.function = function
        self.signatures = signatures
        self.data = data
        self.types: dict[str, Type] = {}
        self.bits: dict[str, int] = {}
        self.assigned = 0
        # For each enclosing loop: what is assigned wherever it breaks, and wherever it continues.
        self.loops: list[list[int]] = []

    def verify(self) -> None:
        """Verify the function."""
        for param in self.function.params:
            if param.name in self.types:
                self.fail(f"two parameters {param.name}")
            self.declare(param)
        self.block(self.function.body)
        if self.assigned != _NOWHERE and self.function.result is not Type.NOTHING:
            self.fail("a path ends without return")

    def fail(self, message: str, piece: ir.Expr | ir.Statement | None = None) -> NoReturn:
        """Raise the error for a part of the function."""
        if piece is not None:
            is_expression = isinstance(piece, get_args(ir.Expr))
            text = show_expression(piece) if is_expression else show_statement(piece)  # type: ignore[arg-type]
            message += f": {text if len(text) <= 300 else text[:300] + ' ...'}"
        msg = f"{self.function.name}: {message}"
        raise InvalidError(msg)

    # Expressions --------------------------------------------------------------------------

    def value(self, expr: ir.Expr) -> Type:
        """Verify an expression, and return its type."""
        match expr:
            case ir.Local(name, type_):
                if not self.assigned & self.bits.get(name, 0):
                    self.fail("a variable may be read before it is assigned", expr)
                if self.types[name] is not type_:
                    self.fail(f"{self.types[name].value} {name} read as {type_.value}", expr)
            case ir.Const(value, type_):
                least, above = _CONSTANTS.get(type_, (0, 0))
                if not least <= value < above:
                    self.fail(f"no constant of type {type_.value}", expr)
            case ir.Binary(op, left, right):
                if op not in _OPERATIONS.get(self.alike(expr, left, right), ()):
                    self.fail(f"no operation of {left.type.value}", expr)
            case ir.OrderTest(rel, left, right):
                if rel not in _RELATIONS.get(self.alike(expr, left, right), ()):
                    self.fail(f"no order of {left.type.value}", expr)
            case ir.Negation(value):
                self.expect(expr, (value, Type.BOOL))
            case ir.Select(test, yes, no):
                self.expect(expr, (test, Type.BOOL))
                if yes.type is Type.NOTHING:
                    self.fail("nothing selected", expr)
                self.alike(expr, yes, no)
            case ir.Convert(inner, type_):
                source = self.value(inner)
                if type_ not in _INTEGERS or source not in {*_INTEGERS, Type.BOOL}:
                    self.fail(f"no conversion of {source.value} to {type_.value}", expr)
            case ir.Offset(base, count):
                self.expect(expr, (base, Type.POINTER), (count, Type.INT))
            case ir.Load(address, width, signed, type_):
                self.expect(expr, (address, Type.POINTER))
                self.held(type_, width, expr)
                if signed and type_ is not Type.INT:
                    self.fail(f"a signed {type_.value}", expr)
            case ir.Data(name):
                if name not in self.data:
                    self.fail("no such table", expr)
            case ir.Call():
                self.call(expr)
        return expr.type

    def expect(self, piece: ir.Expr | ir.Statement, *operands: tuple[ir.Expr, Type]) -> None:
        """Verify operands, which have types."""
        for expr, type_ in operands:
            if self.value(expr) is not type_:
                self.fail(
                    f"{type_.value} expected, not {expr.type.value} {show_expression(expr)}", piece
                )

    def alike(self, piece: ir.Expr, first: ir.Expr, second: ir.Expr) -> Type:
        """Verify two operands of one type, and return it."""
        type_ = self.value(first)
        self.expect(piece, (second, type_))
        return type_

    def held(self, type_: Type, width: int, piece: ir.Expr | ir.Statement) -> None:
        """Verify that memory holds values of a type in a number of bytes."""
        if width not in _WIDTHS.get(type_, ()):
            self.fail(f"no {type_.value} of width {width} in memory", piece)

    def call(self, expr: ir.Call) -> None:
        """Verify a call."""
        given = [arg.type for arg in expr.args]
        signature = ir.intrinsic(expr.function, given) or self.signatures.get(expr.function)
        if signature is None:
            self.fail("no such function", expr)
        params, result = signature
        if len(params) != len(expr.args):
            self.fail(f"{len(params)} arguments expected", expr)
        self.expect(expr, *zip(expr.args, params, strict=True))
        if expr.type is not result:
            self.fail(f"{result.value} called as {expr.type.value}", expr)

    # Statements ---------------------------------------------------------------------------

    def block(self, block: ir.Block) -> None:
        """Verify statements in order."""
        for statement in block:
            self.statement(statement)

    def declare(self, target: ir.Local, piece: ir.Statement | None = None) -> None:
        """Record that a variable is assigned."""
        known = self.types.setdefault(target.name, target.type)
        if known is not target.type or known is Type.NOTHING:
            self.fail(f"{known.value} {target.name} assigned as {target.type.value}", piece)
        self.assigned |= self.bits.setdefault(target.name, 1 << len(self.bits))

    def statement(self, statement: ir.Statement) -> None:
        """Verify a statement."""
        match statement:
            case ir.Assign(target, value):
                self.expect(statement, (value, target.type))
                self.declare(target, statement)
            case ir.Store(address, value, width):
                self.expect(statement, (address, Type.POINTER))
                self.held(self.value(value), width, statement)
            case ir.Copy(target, source, count):
                pointers = (target, Type.POINTER), (source, Type.POINTER)
                self.expect(statement, *pointers, (count, Type.INT))
            case ir.Clear(target, count):
                self.expect(statement, (target, Type.POINTER), (count, Type.INT))
            case ir.Evaluate(value):
                if not isinstance(value, ir.Call):
                    self.fail("only calls are done", statement)
                self.call(value)
            case ir.If(test, yes, no):
                self.expect(statement, (test, Type.BOOL))
                self.ways(yes, no)
            case ir.Switch(value, cases, default):
                self.expect(statement, (value, Type.INT))
                if len(dict(cases)) != len(cases):
                    self.fail("a case twice", statement)
                self.ways(*(block for _, block in cases), default)
            case ir.Loop():
                self.loop(statement)
            case ir.Break() | ir.Continue():
                if not self.loops:
                    self.fail("no loop around", statement)
                self.loops[-1][isinstance(statement, ir.Continue)] &= self.assigned
                self.assigned = _NOWHERE
            case ir.Return(value):
                result = self.function.result
                if value is None:
                    if result is not Type.NOTHING:
                        self.fail(f"{result.value} expected, not nothing", statement)
                elif result is Type.NOTHING:
                    self.fail("a value where nothing is returned", statement)
                else:
                    self.expect(statement, (value, result))
                self.assigned = _NOWHERE

    def ways(self, *blocks: ir.Block) -> None:
        """Verify blocks of which one is run."""
        before, after = self.assigned, _NOWHERE
        for block in blocks:
            self.assigned = before
            self.block(block)
            after &= self.assigned
        self.assigned = after

    def loop(self, statement: ir.Loop) -> None:
        """Verify a loop."""
        self.expect(statement, (statement.test, Type.BOOL))
        endless = isinstance(statement.test, ir.Const) and statement.test.value == 1
        ends = [_NOWHERE if endless else self.assigned, _NOWHERE]
        outer = self.loops
        self.loops = [*outer, ends]
        self.block(statement.body)
        self.assigned &= ends[1]
        self.loops = []  # the step belongs to no loop that `Break` could leave
        self.block(statement.step)
        self.loops = outer
        self.assigned = ends[0]
