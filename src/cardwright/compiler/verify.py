"""The verifier of the intermediate representation.

Every value has the type that its place requires, variables keep their type and are assigned before
they are read on every path, `Break` and `Continue` are inside loops, and every path of a function
with a result returns one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from cardwright.compiler.ir import (
    INTRINSICS,
    Assign,
    Binary,
    Break,
    Call,
    Clear,
    Const,
    Continue,
    Convert,
    Copy,
    Data,
    Evaluate,
    If,
    Load,
    Local,
    Loop,
    Negation,
    Offset,
    Op,
    OrderTest,
    Rel,
    Return,
    Select,
    Store,
    Switch,
    Type,
    intrinsic,
)
from cardwright.compiler.show import show_expression, show_statement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from cardwright.compiler.ir import Block, Expr, Function, Module, Signature, Statement

WIDTHS = {
    Type.INT: frozenset({1, 2, 4, 8}),
    Type.WIDE: frozenset({16}),
    Type.POINTER: frozenset({8}),
}
"""In how many bytes memory holds values of each type."""

INTEGERS = frozenset({Type.INT, Type.WIDE})
LOGICAL = frozenset({Op.AND, Op.OR, Op.XOR})
EQUALITIES = frozenset({Rel.EQ, Rel.NE})
POINTER_ORDERS = EQUALITIES | {Rel.ULT, Rel.UGE}

# Sets of variables are bit sets; in unreachable code all are assigned.
_NOWHERE = -1


class InvalidError(Exception):
    """A module breaks a rule of the intermediate representation."""


def verify(module: Module) -> None:
    """Raise `InvalidError` at the first rule that a module breaks."""
    signatures: dict[str, Signature] = {}
    for name, function in module.functions.items():
        if function.name != name or name in INTRINSICS:
            msg = f"{name}: a function {function.name} under this name"
            raise InvalidError(msg)
        signatures[name] = (tuple(p.type for p in function.params), function.result)
    for function in module.functions.values():
        _Verifier(function, signatures, module.data).verify()


class _Verifier:
    """Verifies one function."""

    def __init__(
        self,
        function: Function,
        signatures: Mapping[str, Signature],
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
        self.expressions: dict[type, Callable[[Any], None]] = {
            Const: self._const,
            Local: self._local,
            Data: self._data,
            Binary: self._binary,
            OrderTest: self._compare,
            Negation: self._not,
            Select: self._select,
            Convert: self._convert,
            Offset: self._offset,
            Load: self._load,
            Call: self._call,
        }
        self.statements: dict[type, Callable[[Any], None]] = {
            Assign: self._assign,
            Store: self._store,
            Copy: self._copy,
            Clear: self._clear,
            Evaluate: self._do,
            If: self._if,
            Loop: self._loop,
            Break: self._break,
            Continue: self._continue,
            Switch: self._switch,
            Return: self._return,
        }

    def verify(self) -> None:
        """Verify the function."""
        for param in self.function.params:
            if param.name in self.types:
                self.fail(f"two parameters {param.name}")
            self._declare(param)
        self.block(self.function.body)
        if self.assigned != _NOWHERE and self.function.result is not Type.NOTHING:
            self.fail("a path ends without return")

    def fail(self, message: str, piece: Expr | Statement | None = None) -> NoReturn:
        """Raise the error for a part of the function."""
        shown = ""
        if piece is not None:
            is_expression = type(piece) in self.expressions
            text = show_expression(piece) if is_expression else show_statement(piece)  # type: ignore[arg-type]
            shown = f": {text if len(text) <= 300 else text[:300] + ' ...'}"
        msg = f"{self.function.name}: {message}{shown}"
        raise InvalidError(msg)

    # Expressions ----------------------------------------------------------------------

    def expect(self, expr: Expr, type_: Type, piece: Expr | Statement) -> None:
        """Verify an operand, which has a type."""
        self.expressions[type(expr)](expr)
        if expr.type is not type_:
            self.fail(
                f"{type_.value} expected, not {expr.type.value} {show_expression(expr)}", piece
            )

    def _const(self, expr: Const) -> None:
        fits = {
            Type.INT: -(2**63) <= expr.value < 2**64,
            Type.BOOL: expr.value in {0, 1},
            Type.WIDE: -(2**127) <= expr.value < 2**128,
        }
        if not fits.get(expr.type, False):
            self.fail(f"no constant of type {expr.type.value}", expr)

    def _local(self, expr: Local) -> None:
        bit = self.bits.get(expr.name, 0)
        if not self.assigned & bit:
            self.fail("a variable may be read before it is assigned", expr)
        if self.types[expr.name] is not expr.type:
            self.fail(f"{self.types[expr.name].value} {expr.name} read as {expr.type.value}", expr)

    def _data(self, expr: Data) -> None:
        if expr.name not in self.data:
            self.fail("no such table", expr)

    def _binary(self, expr: Binary) -> None:
        self.expressions[type(expr.left)](expr.left)
        type_ = expr.left.type
        self.expect(expr.right, type_, expr)
        if type_ not in INTEGERS and not (type_ is Type.BOOL and expr.op in LOGICAL):
            self.fail(f"no operation of {type_.value}", expr)

    def _compare(self, expr: OrderTest) -> None:
        self.expressions[type(expr.left)](expr.left)
        type_ = expr.left.type
        self.expect(expr.right, type_, expr)
        known = (
            type_ in INTEGERS
            or (type_ is Type.BOOL and expr.rel in EQUALITIES)
            or (type_ is Type.POINTER and expr.rel in POINTER_ORDERS)
        )
        if not known:
            self.fail(f"no order of {type_.value}", expr)

    def _not(self, expr: Negation) -> None:
        self.expect(expr.value, Type.BOOL, expr)

    def _select(self, expr: Select) -> None:
        self.expect(expr.test, Type.BOOL, expr)
        self.expressions[type(expr.yes)](expr.yes)
        if expr.yes.type is Type.NOTHING:
            self.fail("nothing selected", expr)
        self.expect(expr.no, expr.yes.type, expr)

    def _convert(self, expr: Convert) -> None:
        self.expressions[type(expr.value)](expr.value)
        of = expr.value.type
        if expr.type not in INTEGERS or (of not in INTEGERS and of is not Type.BOOL):
            self.fail(f"no conversion of {of.value} to {expr.type.value}", expr)

    def _offset(self, expr: Offset) -> None:
        self.expect(expr.base, Type.POINTER, expr)
        self.expect(expr.bytes, Type.INT, expr)

    def _load(self, expr: Load) -> None:
        self.expect(expr.address, Type.POINTER, expr)
        self._kept(expr.type, expr.width, expr)
        if expr.signed and expr.type is not Type.INT:
            self.fail(f"a signed {expr.type.value}", expr)

    def _call(self, expr: Call) -> None:
        given = [arg.type for arg in expr.args]
        signature = intrinsic(expr.function, given) or self.signatures.get(expr.function)
        if signature is None:
            self.fail("no such function", expr)
        params, result = signature
        if len(params) != len(expr.args):
            self.fail(f"{len(params)} arguments expected", expr)
        for arg, type_ in zip(expr.args, params, strict=True):
            self.expect(arg, type_, expr)
        if expr.type is not result:
            self.fail(f"{result.value} called as {expr.type.value}", expr)

    # Statements -----------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Verify statements in order."""
        for statement in block:
            self.statements[type(statement)](statement)

    def _declare(self, target: Local, piece: Statement | None = None) -> None:
        """Record that a variable is assigned."""
        known = self.types.setdefault(target.name, target.type)
        if known is not target.type or known is Type.NOTHING:
            self.fail(f"{known.value} {target.name} assigned as {target.type.value}", piece)
        if self.assigned != _NOWHERE:
            self.assigned |= self.bits.setdefault(target.name, 1 << len(self.bits))
        else:
            self.bits.setdefault(target.name, 1 << len(self.bits))

    def _assign(self, statement: Assign) -> None:
        self.expect(statement.value, statement.target.type, statement)
        self._declare(statement.target, statement)

    def _store(self, statement: Store) -> None:
        self.expect(statement.address, Type.POINTER, statement)
        self.expressions[type(statement.value)](statement.value)
        self._kept(statement.value.type, statement.width, statement)

    def _kept(self, type_: Type, width: int, piece: Expr | Statement) -> None:
        """Verify that memory holds values of a type in a number of bytes."""
        if width not in WIDTHS.get(type_, ()):
            self.fail(f"no {type_.value} of width {width} in memory", piece)

    def _copy(self, statement: Copy) -> None:
        self.expect(statement.target, Type.POINTER, statement)
        self.expect(statement.source, Type.POINTER, statement)
        self.expect(statement.bytes, Type.INT, statement)

    def _clear(self, statement: Clear) -> None:
        self.expect(statement.target, Type.POINTER, statement)
        self.expect(statement.bytes, Type.INT, statement)

    def _do(self, statement: Evaluate) -> None:
        if not isinstance(statement.value, Call):
            self.fail("only calls are done", statement)
        self._call(statement.value)

    def _if(self, statement: If) -> None:
        self.expect(statement.test, Type.BOOL, statement)
        before = self.assigned
        self.block(statement.yes)
        after_yes, self.assigned = self.assigned, before
        self.block(statement.no)
        self.assigned &= after_yes

    def _loop(self, statement: Loop) -> None:
        self.expect(statement.test, Type.BOOL, statement)
        endless = isinstance(statement.test, Const) and statement.test.value == 1
        ends = [_NOWHERE if endless else self.assigned, _NOWHERE]
        self.loops.append(ends)
        self.block(statement.body)
        self.assigned &= ends[1]
        # The step belongs to no loop that `Break` could leave.
        outer, self.loops = self.loops, []
        self.block(statement.step)
        self.loops = outer
        self.loops.pop()
        self.assigned = ends[0]

    def _break(self, statement: Break) -> None:
        self._leave(statement, 0)

    def _continue(self, statement: Continue) -> None:
        self._leave(statement, 1)

    def _leave(self, statement: Statement, way: int) -> None:
        if not self.loops:
            self.fail("no loop around", statement)
        self.loops[-1][way] &= self.assigned
        self.assigned = _NOWHERE

    def _switch(self, statement: Switch) -> None:
        self.expect(statement.value, Type.INT, statement)
        values = [value for value, _ in statement.cases]
        if len(set(values)) != len(values):
            self.fail("a case twice", statement)
        before, after = self.assigned, _NOWHERE
        for block in (*(block for _, block in statement.cases), statement.default):
            self.assigned = before
            self.block(block)
            after &= self.assigned
        self.assigned = after

    def _return(self, statement: Return) -> None:
        if statement.value is None:
            if self.function.result is not Type.NOTHING:
                self.fail(f"{self.function.result.value} expected, not nothing", statement)
        elif self.function.result is Type.NOTHING:
            self.fail("a value where nothing is returned", statement)
        else:
            self.expect(statement.value, self.function.result, statement)
        self.assigned = _NOWHERE
