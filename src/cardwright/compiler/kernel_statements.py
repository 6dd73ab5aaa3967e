"""Lowering of the statements of kernels."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler.folding import TRUE, binary, compare, is_cheap, is_simple, negate, reads
from cardwright.compiler.ir import (
    Assign,
    Break,
    Const,
    Continue,
    Evaluate,
    Expr,
    If,
    Local,
    Loop,
    Op,
    Rel,
    Return,
    Store,
    Type,
)
from cardwright.compiler.kernel_expressions import Expressions, read, stored
from cardwright.compiler.kernel_frame import KernelType, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.compiler.ir import Block, Field
    from cardwright.compiler.kernel_frame import KernelFrame


class Statements:
    """Lowers statements of one kernel."""

    def __init__(self, frame: KernelFrame, syntax: ast.FunctionDef, result: KernelType) -> None:
        self.frame = frame
        self.expressions = Expressions(frame)
        self.syntax = syntax
        self.result = result
        self._lower: dict[type[ast.stmt], Callable[..., None]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Return: self._return,
            ast.Expr: self._expression,
            ast.Break: lambda _: self.frame.out.append(Break()),
            ast.Continue: lambda _: self.frame.out.append(Continue()),
            ast.Pass: lambda _: None,
        }

    def block(self, nodes: Sequence[ast.stmt]) -> Block:
        """Lower statements as a block."""
        with self.frame.block() as block:
            for node in nodes:
                self.statement(node)
        return tuple(block)

    def statement(self, node: ast.stmt) -> None:
        """Lower a statement."""
        lower = self._lower.get(type(node))
        if lower is None:
            raise self.frame.fault(node, f"kernels have no {type(node).__name__}")
        lower(node)

    # Assignments ----------------------------------------------------------------------

    def _assign(self, node: ast.Assign) -> None:
        if len(node.targets) != 1:
            raise self.frame.fault(node, "one target is assigned at a time")
        self._give(node, node.targets[0], node.value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        kind = self.frame.kind_of(node.annotation, node)
        if not isinstance(node.target, ast.Name) or node.value is None:
            raise self.frame.fault(node, "an annotated name has a value")
        self._declare(node, node.target.id, kind)
        self._give(node, node.target, node.value)

    def _give(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._set_local(node, target.id, self.expressions.value(value, whole=True))
            return
        fields: list[Field] = []

        def place() -> Value:
            address, field = self._target(target)
            fields.append(field)
            return Value(address)

        # Python evaluates the value before the target.
        given, address = self.expressions.in_order([partial(self.expressions.value, value), place])
        self._store(node, address.expr, fields[0], given)

    def _set_local(self, node: ast.stmt, name: str, value: Value) -> None:
        known = self.frame.kinds.get(name)
        value = value.fitted(known.type) if known is not None else value
        self._declare(node, name, value.kind)
        self.frame.out.append(Assign(Local(name, value.expr.type), value.expr))

    def _declare(self, node: ast.AST, name: str, kind: KernelType) -> None:
        """Record the kind of a variable, which is fixed."""
        if name.isupper() or (name.startswith("_t") and name[2:].isdigit()):
            raise self.frame.fault(node, f"{name} is not the name of a variable")
        if kind.type is Type.NOTHING:
            raise self.frame.fault(node, f"{name} is given nothing")
        known = self.frame.kinds.setdefault(name, kind)
        if known != kind:
            raise self.frame.fault(node, f"{name} is {known}, not {kind}")

    def _target(self, target: ast.expr) -> tuple[Expr, Field]:
        if not isinstance(target, ast.Attribute | ast.Subscript):
            raise self.frame.fault(target, "only variables and fields of structs are assigned")
        address, field, whole = self.expressions.place(target)
        if not whole:
            raise self.frame.fault(target, "too few indices for an array of a struct")
        return address, field

    def _store(self, node: ast.stmt, address: Expr, field: Field, value: Value) -> None:
        alone = field.type in {Type.POINTER, Type.WIDE}
        types = {field.type} if alone else {Type.INT, Type.BOOL}
        value = value.fitted(field.type)
        if value.expr.type not in types:
            raise self.frame.fault(node, f"{value.kind} in a field of {field.type.value}")
        self.frame.out.append(Store(address, stored(value.expr), field.width, field.tag))

    def _augmented(self, node: ast.AugAssign) -> None:
        lower_value = partial(self.expressions.value, node.value)
        if isinstance(node.target, ast.Name):
            old_value = partial(self.expressions.value, ast.Name(node.target.id, ast.Load()))
            old, value = self.expressions.in_order([old_value, lower_value])
            new = self.expressions.operation(node, node.op, old, value)
            self._set_local(node, node.target.id, Value(new))
            return
        address, field = self._target(node.target)
        if reads(address) or not is_cheap(address):
            address = self.expressions.repeatable(address)
        old, value = self.expressions.in_order([lambda: Value(read(address, field)), lower_value])
        new = self.expressions.operation(node, node.op, old, value)
        self._store(node, address, field, Value(new))

    # Branches -------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        if not node.orelse and isinstance(node.test, ast.BoolOp):
            if isinstance(node.test.op, ast.And):
                self._if_all(node.test.values, node.body)
                return
            if len(node.body) == 1 and _is_jump(node.body[0]):
                for value in node.test.values:
                    self._if_all([value], node.body)
                return
        test = self.expressions.test(node.test, whole=True)
        if isinstance(test, Const):
            self._run(node.body if test.value else node.orelse)
            return
        self.frame.out.append(If(test, self.block(node.body), self.block(node.orelse)))

    def _if_all(self, tests: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        """Lower a branch with several tests as nested branches."""
        if not tests:
            self._run(body)
            return
        test = self.expressions.test(tests[0], whole=True)
        if isinstance(test, Const):
            if test.value:
                self._if_all(tests[1:], body)
            return
        with self.frame.block() as inner:
            self._if_all(tests[1:], body)
        match inner:
            case [If(second, yes, ())] if len(tests) > 1 and is_cheap(test) and is_cheap(second):
                self.frame.out.append(If(binary(Op.AND, test, second), yes))
            case _:
                self.frame.out.append(If(test, tuple(inner)))

    def _run(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            self.statement(node)

    def _return(self, node: ast.Return) -> None:
        empty = node.value is None or (
            isinstance(node.value, ast.Constant) and node.value.value is None
        )
        if empty or node.value is None:
            if self.result.type is not Type.NOTHING:
                raise self.frame.fault(node, f"nothing returned where {self.result} belongs")
            self.frame.out.append(Return())
            return
        value = self.expressions.value(node.value, whole=True).fitted(self.result.type)
        if self.result not in (value.kind, (value.expr.type, None)):
            raise self.frame.fault(node, f"{value.kind} returned where {self.result} belongs")
        if value.expr.type is Type.NOTHING:
            raise self.frame.fault(node, "nothing returned as a value")
        self.frame.out.append(Return(value.expr))

    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        if not isinstance(node.value, ast.Call):
            raise self.frame.fault(node, "a statement is a call or an assignment")
        change = self.expressions.calls.change(node.value)
        if change is not None:
            self.frame.out.append(change)
            return
        value = self.expressions.calls.value(node.value)
        if self.expressions.calls.is_effect(value.expr):
            self.frame.out.append(Evaluate(value.expr))

    # Loops ----------------------------------------------------------------------------

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            raise self.frame.fault(node, "a kernel's loops have no else")
        conjunction = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
        tests = node.test.values if conjunction and isinstance(node.test, ast.BoolOp) else None
        test: Expr = TRUE
        with self.frame.block() as start:
            for part in tests or [node.test]:
                with self.frame.block() as before:
                    holds = self.expressions.test(part, whole=True)
                start_empty = not before and not start
                if start_empty and test == TRUE:
                    test = holds
                elif start_empty and is_cheap(holds) and not isinstance(holds, Const):
                    test = binary(Op.AND, test, holds)
                else:
                    start.extend(before)
                    if holds != TRUE:
                        start.append(If(negate(holds), (Break(),)))
        if isinstance(test, Const) and not test.value:
            return
        self.frame.out.append(Loop(test, (*start, *self.block(node.body))))

    def _for(self, node: ast.For) -> None:
        name, step = self._header(node)
        start, stop = self._bounds(node, name)
        counter = Local(name)
        with_own_counter = name in _assigned(node.body) or self._used_outside(name)
        if with_own_counter:
            self.frame.temporaries += 1
            counter = Local(f"_t{self.frame.temporaries}")
        self.frame.out.append(Assign(counter, start))
        self._declare(node, name, KernelType(Type.INT))
        body = self.block(node.body)
        if with_own_counter:
            body = (Assign(Local(name), counter), *body)
        test = compare(Rel.LT if step > 0 else Rel.GT, counter, stop)
        advance = Assign(counter, binary(Op.ADD, counter, Const(step)))
        self.frame.out.append(Loop(test, body, (advance,)))

    def _header(self, node: ast.For) -> tuple[str, int]:
        """The variable and the step of a loop over a range."""
        call = node.iter
        if (
            not isinstance(node.target, ast.Name)
            or not isinstance(call, ast.Call)
            or not isinstance(call.func, ast.Name)
            or call.func.id != "range"
            or not 1 <= len(call.args) <= 3
        ):
            raise self.frame.fault(node, "a kernel's for goes over a range")
        if node.orelse:
            raise self.frame.fault(node, "a kernel's loops have no else")
        step = self.expressions.integer(call.args[2]) if len(call.args) == 3 else Const(1)
        if not isinstance(step, Const) or step.value == 0:
            raise self.frame.fault(node, "the step of a range is a constant, not 0")
        return node.target.id, step.value

    def _bounds(self, node: ast.For, name: str) -> tuple[Expr, Expr]:
        """The start and the stop of a loop; the stop is evaluated once."""
        assert isinstance(node.iter, ast.Call)
        args = node.iter.args[:2]
        values = self.expressions.integers(args)
        start, stop = values if len(values) == 2 else (Const(0), values[0])
        changing = isinstance(stop, Local) and (
            stop.name == name or stop.name in _assigned(node.body)
        )
        if changing or not is_simple(stop):
            stop = self.frame.temporary(Value(stop)).expr
        return start, stop

    def _used_outside(self, name: str) -> bool:
        """Whether a variable is read where no loop over it has just given it a value."""
        if any(arg.arg == name for arg in self.syntax.args.args):
            return True
        return _reads_outside(self.syntax, name)


def _is_jump(node: ast.stmt) -> bool:
    """Whether a statement is short and leaves its block."""
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant | ast.Name)
    return isinstance(node, ast.Break | ast.Continue)


def _assigned(nodes: Sequence[ast.stmt]) -> set[str]:
    """The variables that statements assign."""
    return {
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _reads_outside(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == name:
        return _reads_outside(node.iter, name)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return node.target.id == name or _reads_outside(node.value, name)
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Load)
    return any(_reads_outside(child, name) for child in ast.iter_child_nodes(node))
