"""The verifier of the intermediate representation.

Every value has the type that its place requires, variables keep their type and are assigned before
they are read on every path, `Break` and `Continue` are inside loops, and every path of a function
with a result returns one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, get_args

from cardwright.compiler import ir
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.show import show_expression, show_statement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        _EXPRESSIONS[type(expr)](self, expr)
        return expr.type

    def expect(self, expr: ir.Expr, type_: Type, piece: ir.Expr | ir.Statement) -> None:
        """Verify an operand, which has a type."""
        if self.value(expr) is not type_:
            self.fail(
                f"{type_.value} expected, not {expr.type.value} {show_expression(expr)}", piece
            )

    def const(self, expr: ir.Const) -> None:
        least, above = _CONSTANTS.get(expr.type, (0, 0))
        if not least <= expr.value < above:
            self.fail(f"no constant of type {expr.type.value}", expr)

    def local(self, expr: ir.Local) -> None:
        if not self.assigned & self.bits.get(expr.name, 0):
            self.fail("a variable may be read before it is assigned", expr)
        if self.types[expr.name] is not expr.type:
            self.fail(f"{self.types[expr.name].value} {expr.name} read as {expr.type.value}", expr)

    def table(self, expr: ir.Data) -> None:
        if expr.name not in self.data:
            self.fail("no such table", expr)

    def binary(self, expr: ir.Binary) -> None:
        type_ = self.value(expr.left)
        self.expect(expr.right, type_, expr)
        if expr.op not in _OPERATIONS.get(type_, ()):
            self.fail(f"no operation of {type_.value}", expr)

    def compare(self, expr: ir.OrderTest) -> None:
        type_ = self.value(expr.left)
        self.expect(expr.right, type_, expr)
        if expr.rel not in _RELATIONS.get(type_, ()):
            self.fail(f"no order of {type_.value}", expr)

    def select(self, expr: ir.Select) -> None:
        self.expect(expr.test, Type.BOOL, expr)
        type_ = self.value(expr.yes)
        if type_ is Type.NOTHING:
            self.fail("nothing selected", expr)
        self.expect(expr.no, type_, expr)

    def convert(self, expr: ir.Convert) -> None:
        source = self.value(expr.value)
        if expr.type not in _INTEGERS or (source not in _INTEGERS and source is not Type.BOOL):
            self.fail(f"no conversion of {source.value} to {expr.type.value}", expr)

    def offset(self, expr: ir.Offset) -> None:
        self.expect(expr.base, Type.POINTER, expr)
        self.expect(expr.bytes, Type.INT, expr)

    def load(self, expr: ir.Load) -> None:
        self.expect(expr.address, Type.POINTER, expr)
        self.held(expr.type, expr.width, expr)
        if expr.signed and expr.type is not Type.INT:
            self.fail(f"a signed {expr.type.value}", expr)

    def held(self, type_: Type, width: int, piece: ir.Expr | ir.Statement) -> None:
        """Verify that memory holds values of a type in a number of bytes."""
        if width not in _WIDTHS.get(type_, ()):
            self.fail(f"no {type_.value} of width {width} in memory", piece)

    def call(self, expr: ir.Call) -> None:
        given = [arg.type for arg in expr.args]
        signature = ir.intrinsic(expr.function, given) or self.signatures.get(expr.function)
        if signature is None:
            self.fail("no such function", expr)
        params, result = signature
        if len(params) != len(expr.args):
            self.fail(f"{len(params)} arguments expected", expr)
        for arg, type_ in zip(expr.args, params, strict=True):
            self.expect(arg, type_, expr)
        if expr.type is not result:
            self.fail(f"{result.value} called as {expr.type.value}", expr)

    # Statements ---------------------------------------------------------------------------

    def block(self, block: ir.Block) -> None:
        """Verify statements in order."""
        for statement in block:
            _STATEMENTS[type(statement)](self, statement)

    def declare(self, target: ir.Local, piece: ir.Statement | None = None) -> None:
        """Record that a variable is assigned."""
        known = self.types.setdefault(target.name, target.type)
        if known is not target.type or known is Type.NOTHING:
            self.fail(f"{known.value} {target.name} assigned as {target.type.value}", piece)
        self.assigned |= self.bits.setdefault(target.name, 1 << len(self.bits))

    def assign(self, statement: ir.Assign) -> None:
        self.expect(statement.value, statement.target.type, statement)
        self.declare(statement.target, statement)

    def store(self, statement: ir.Store) -> None:
        self.expect(statement.address, Type.POINTER, statement)
        self.held(self.value(statement.value), statement.width, statement)

    def copy(self, statement: ir.Copy) -> None:
        self.expect(statement.target, Type.POINTER, statement)
        self.expect(statement.source, Type.POINTER, statement)
        self.expect(statement.bytes, Type.INT, statement)

    def clear(self, statement: ir.Clear) -> None:
        self.expect(statement.target, Type.POINTER, statement)
        self.expect(statement.bytes, Type.INT, statement)

    def evaluate(self, statement: ir.Evaluate) -> None:
        if not isinstance(statement.value, ir.Call):
            self.fail("only calls are done", statement)
        self.call(statement.value)

    def ways(self, *blocks: ir.Block) -> None:
        """Verify blocks of which one is run."""
        before, after = self.assigned, _NOWHERE
        for block in blocks:
            self.assigned = before
            self.block(block)
            after &= self.assigned
        self.assigned = after

    def if_(self, statement: ir.If) -> None:
        self.expect(statement.test, Type.BOOL, statement)
        self.ways(statement.yes, statement.no)

    def switch(self, statement: ir.Switch) -> None:
        self.expect(statement.value, Type.INT, statement)
        if len({value for value, _ in statement.cases}) != len(statement.cases):
            self.fail("a case twice", statement)
        self.ways(*(block for _, block in statement.cases), statement.default)

    def loop(self, statement: ir.Loop) -> None:
        self.expect(statement.test, Type.BOOL, statement)
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

    def leave(self, statement: ir.Break | ir.Continue) -> None:
        if not self.loops:
            self.fail("no loop around", statement)
        self.loops[-1][isinstance(statement, ir.Continue)] &= self.assigned
        self.assigned = _NOWHERE

    def return_(self, statement: ir.Return) -> None:
        result = self.function.result
        if statement.value is None:
            if result is not Type.NOTHING:
                self.fail(f"{result.value} expected, not nothing", statement)
        elif result is Type.NOTHING:
            self.fail("a value where nothing is returned", statement)
        else:
            self.expect(statement.value, result, statement)
        self.assigned = _NOWHERE


_EXPRESSIONS: Mapping[type[Any], Callable[[_Verifier, Any], None]] = {
    ir.Const: _Verifier.const,
    ir.Local: _Verifier.local,
    ir.Data: _Verifier.table,
    ir.Binary: _Verifier.binary,
    ir.OrderTest: _Verifier.compare,
    ir.Negation: lambda self, expr: self.expect(expr.value, Type.BOOL, expr),
    ir.Select: _Verifier.select,
    ir.Convert: _Verifier.convert,
    ir.Offset: _Verifier.offset,
    ir.Load: _Verifier.load,
    ir.Call: _Verifier.call,
}
_STATEMENTS: Mapping[type[Any], Callable[[_Verifier, Any], None]] = {
    ir.Assign: _Verifier.assign,
    ir.Store: _Verifier.store,
    ir.Copy: _Verifier.copy,
    ir.Clear: _Verifier.clear,
    ir.Evaluate: _Verifier.evaluate,
    ir.If: _Verifier.if_,
    ir.Loop: _Verifier.loop,
    ir.Break: _Verifier.leave,
    ir.Continue: _Verifier.leave,
    ir.Switch: _Verifier.switch,
    ir.Return: _Verifier.return_,
}
