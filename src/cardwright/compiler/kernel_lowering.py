"""Kernels as functions of the IR: their statements, and all the kernels that they call."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright.compiler import intrinsics
from cardwright.compiler.builder import (
    TRUE,
    binary,
    compare,
    is_cheap,
    is_simple,
    negate,
    reads,
)
from cardwright.compiler.ir import (
    Assign,
    Break,
    Call,
    Const,
    Continue,
    Evaluate,
    Expr,
    Function,
    If,
    Local,
    Loop,
    Op,
    Rel,
    Return,
    Store,
    Type,
)
from cardwright.compiler.kernel import MARK, KernelError, Mark
from cardwright.compiler.kernel_expressions import (
    INTEGERS,
    ExpressionLowering,
    KernelType,
    Value,
    is_effect,
    read,
    stored,
    syntax_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from cardwright.compiler.ir import Block, Field, Struct
    from cardwright.compiler.kernel_expressions import EngineFunctions


def kernels_needed(
    functions: Iterable[Callable[..., Any]],
    structs: Mapping[str, Struct],
    parameters: Mapping[str, int],
    engine: EngineFunctions,
    have: Container[str] = (),
) -> dict[str, Function]:
    """Lower kernels and what they call, by name; calls in pruned branches do not count.

    `structs` are those that annotations name, `parameters` constants that precede those of the
    kernels' modules, and `engine` the types of functions they call that are not kernels. What there
    is already is left out.
    """
    lowered: dict[str, Function] = {}
    sources: dict[str, Any] = {}
    waiting: list[Any] = [*functions][::-1]
    while waiting:
        function = waiting.pop()
        name = function.__name__
        if sources.setdefault(name, function) is not function:
            msg = f"two kernels have the name {name}"
            raise KernelError(msg)
        if name not in lowered and name not in have:
            kernel = _KernelLowering(function, structs, parameters, engine)
            lowered[name] = kernel.lowered()
            waiting.extend(kernel.kernels.values())
    return lowered


class _KernelLowering(ExpressionLowering):
    """Lowers one kernel."""

    syntax: ast.FunctionDef
    result: KernelType

    def lowered(self) -> Function:
        """The kernel as a function of the IR."""
        mark: Mark | None = getattr(self.function, MARK, None)
        if mark is None:
            msg = f"{self.function} is not marked as a kernel"
            raise KernelError(msg)
        self.syntax = syntax = syntax_of(self.function)
        args = syntax.args
        if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults:
            raise self.fault(syntax, "a kernel's parameters are plain")
        params = []
        for arg in args.args:
            self.kinds[arg.arg] = kind = self.kind_of(arg.annotation, arg)
            params.append(Local(arg.arg, kind.type))
        self.result = self.kind_of(syntax.returns, syntax)
        body = self._block(syntax.body)
        name, result = self.function.__name__, self.result.type
        return Function(name, tuple(params), result, body, mark.exported, mark.inline)

    def _block(self, nodes: Sequence[ast.stmt]) -> Block:
        """Lower statements as a block."""
        with self.block() as block:
            self._run(nodes)
        return tuple(block)

    def _run(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._give(node, target, value)
            case ast.Assign():
                raise self.fault(node, "one target is assigned at a time")
            case ast.AnnAssign():
                kind = self.kind_of(node.annotation, node)
                if not isinstance(node.target, ast.Name) or node.value is None:
                    raise self.fault(node, "an annotated name has a value")
                self._declare(node, node.target.id, kind)
                self._give(node, node.target, node.value)
            case ast.AugAssign():
                self._augmented(node)
            case ast.If():
                self._if(node)
            case ast.While(orelse=[]):
                self._while(node)
            case ast.For(orelse=[]):
                self._for(node)
            case ast.While() | ast.For():
                raise self.fault(node, "a kernel's loops have no else")
            case ast.Return():
                self._return(node)
            case ast.Expr(value=ast.Call() as call):
                change = self.change(call)
                if change is not None:
                    self.out.append(change)
                    return
                result = self.call(call).expr
                if is_effect(result):
                    self.out.append(Evaluate(result))
            case ast.Expr(value=ast.Constant(value=str())):  # the docstring
                pass
            case ast.Expr():
                raise self.fault(node, "a statement is a call or an assignment")
            case ast.Break():
                self.out.append(Break())
            case ast.Continue():
                self.out.append(Continue())
            case ast.Pass():
                pass
            case _:
                raise self.fault(node, f"kernels have no {type(node).__name__}")

    # Assignments --------------------------------------------------------------------------

    def _give(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._set_local(node, target.id, self.value(value, whole=True))
            return
        fields: list[Field] = []

        def place() -> Value:
            address, field = self._target(target)
            fields.append(field)
            return Value(address)

        # Python evaluates the value before the target.
        given, address = self.in_order([partial(self.value, value), place])
        self._store(node, address.expr, fields[0], given)

    def _set_local(self, node: ast.stmt, name: str, value: Value) -> None:
        known = self.kinds.get(name)
        value = value.fitted(known.type) if known is not None else value
        self._declare(node, name, value.kind)
        self.out.append(Assign(Local(name, value.expr.type), value.expr))

    def _declare(self, node: ast.AST, name: str, kind: KernelType) -> None:
        """Record the kind of a variable, which is fixed."""
        if name.isupper() or (name.startswith("_t") and name[2:].isdigit()):
            raise self.fault(node, f"{name} is not the name of a variable")
        if kind.type is Type.NOTHING:
            raise self.fault(node, f"{name} is given nothing")
        known = self.kinds.setdefault(name, kind)
        if known != kind:
            raise self.fault(node, f"{name} is {known}, not {kind}")

    def _target(self, target: ast.expr) -> tuple[Expr, Field]:
        if not isinstance(target, ast.Attribute | ast.Subscript):
            raise self.fault(target, "only variables and fields of structs are assigned")
        address, field, item = self.place(target)
        if not item:
            raise self.fault(target, "too few indices for an array of a struct")
        return address, field

    def _store(self, node: ast.stmt, address: Expr, field: Field, value: Value) -> None:
        alone = field.type in {Type.POINTER, Type.WIDE}
        value = value.fitted(field.type)
        if value.expr.type not in ({field.type} if alone else {Type.INT, Type.BOOL}):
            raise self.fault(node, f"{value.kind} in a field of {field.type.value}")
        self.out.append(Store(address, stored(value.expr), field.width, field.tag))

    def _augmented(self, node: ast.AugAssign) -> None:
        lower_value = partial(self.value, node.value)
        if isinstance(node.target, ast.Name):
            old_value = partial(self.value, ast.Name(node.target.id, ast.Load()))
            old, value = self.in_order([old_value, lower_value])
            new = Value(self.operation(node, node.op, old, value))
            self._set_local(node, node.target.id, new)
            return
        address, field = self._target(node.target)
        if reads(address) or not is_cheap(address):
            address = self.repeatable(Value(address)).expr
        old, value = self.in_order([lambda: Value(read(address, field)), lower_value])
        new = Value(self.operation(node, node.op, old, value))
        self._store(node, address, field, new)

    # Branches -----------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        if not node.orelse and isinstance(node.test, ast.BoolOp):
            if isinstance(node.test.op, ast.And):
                self._if_all(node.test.values, node.body)
                return
            if len(node.body) == 1 and _is_jump(node.body[0]):
                for value in node.test.values:
                    self._if_all([value], node.body)
                return
        test = self.test(node.test, whole=True)
        if isinstance(test, Const):
            self._run(node.body if test.value else node.orelse)
            return
        self.out.append(If(test, self._block(node.body), self._block(node.orelse)))

    def _if_all(self, tests: Sequence[ast.expr], body: Sequence[ast.stmt]) -> None:
        """Lower a branch with several tests as nested branches."""
        if not tests:
            self._run(body)
            return
        test = self.test(tests[0], whole=True)
        if isinstance(test, Const):
            if test.value:
                self._if_all(tests[1:], body)
            return
        with self.block() as inner:
            self._if_all(tests[1:], body)
        match inner:
            case [If(second, yes, ())] if len(tests) > 1 and is_cheap(test) and is_cheap(second):
                self.out.append(If(binary(Op.AND, test, second), yes))
            case _:
                self.out.append(If(test, tuple(inner)))

    def _return(self, node: ast.Return) -> None:
        if node.value is None or (
            isinstance(node.value, ast.Constant) and node.value.value is None
        ):
            if self.result.type is not Type.NOTHING:
                raise self.fault(node, f"nothing returned where {self.result} belongs")
            self.out.append(Return())
            return
        value = self.value(node.value, whole=True).fitted(self.result.type)
        if self.result not in (value.kind, (value.expr.type, None)):
            raise self.fault(node, f"{value.kind} returned where {self.result} belongs")
        if value.expr.type is Type.NOTHING:
            raise self.fault(node, "nothing returned as a value")
        self.out.append(Return(value.expr))

    # Loops --------------------------------------------------------------------------------

    def _while(self, node: ast.While) -> None:
        match node.test:
            case ast.BoolOp(op=ast.And(), values=parts):
                pass
            case _:
                parts = [node.test]
        test: Expr = TRUE
        with self.block() as start:
            for part in parts:
                with self.block() as before:
                    holds = self.test(part, whole=True)
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
        self.out.append(Loop(test, (*start, *self._block(node.body))))

    def _for(self, node: ast.For) -> None:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call() as call) if (
                self.named(call.func)[1] is intrinsics.ones
            ):
                self._for_ones(node, name, call)
            case ast.For(
                target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=args)
            ) if 1 <= len(args) <= 3:
                self._for_range(node, name, args)
            case _:
                raise self.fault(node, "a kernel's for goes over a range, or over ones")

    def _for_ones(self, node: ast.For, name: str, call: ast.Call) -> None:
        """Lower a loop over the set bits of an integer or a mask."""
        (value,) = self.operands(call.args)
        if value.expr.type not in INTEGERS:
            raise self.fault(node, f"{value.kind} where int belongs")
        left = self.new_local(value.expr.type)
        self.out.append(Assign(left, value.expr))
        self._declare(node, name, KernelType(Type.INT))
        without = binary(Op.AND, left, binary(Op.SUB, left, Const(1, left.type)))
        take = (
            Assign(Local(name), Call("lowest_one", (left,), Type.INT)),
            Assign(left, without),
        )
        body = self._block(node.body)
        self.out.append(Loop(compare(Rel.NE, left, Const(0, left.type)), (*take, *body)))

    def _for_range(self, node: ast.For, name: str, args: Sequence[ast.expr]) -> None:
        step = self.of_type(args[2], Type.INT) if len(args) == 3 else Const(1)
        if not isinstance(step, Const) or step.value == 0:
            raise self.fault(node, "the step of a range is a constant, not 0")
        bounds = self.integers(args[:2])
        start, stop = bounds if len(bounds) == 2 else (Const(0), bounds[0])
        assigned = _assigned(node.body)
        # The stop is evaluated once.
        if not is_simple(stop) or (
            isinstance(stop, Local) and (stop.name == name or stop.name in assigned)
        ):
            stop = self.temporary(Value(stop)).expr
        counter = Local(name)
        is_param = any(arg.arg == name for arg in self.syntax.args.args)
        own = name in assigned or is_param or _reads_outside(self.syntax, name)
        if own:  # the variable keeps its last value, or is changed
            counter = self.new_local()
        self.out.append(Assign(counter, start))
        self._declare(node, name, KernelType(Type.INT))
        body = self._block(node.body)
        if own:
            body = (Assign(Local(name), counter), *body)
        test = compare(Rel.LT if step.value > 0 else Rel.GT, counter, stop)
        self.out.append(Loop(test, body, (Assign(counter, binary(Op.ADD, counter, step)),)))


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
    """Whether a variable is read where no loop over it has just given it a value."""
    match node:
        case ast.For(target=ast.Name(id=loop)) if loop == name:
            return _reads_outside(node.iter, name)
        case ast.AugAssign(target=ast.Name(id=target)):
            return target == name or _reads_outside(node.value, name)
        case ast.Name():
            return node.id == name and isinstance(node.ctx, ast.Load)
    return any(_reads_outside(child, name) for child in ast.iter_child_nodes(node))
