"""Lowering of the expressions and the calls of kernels.

Expressions of the IR are evaluated in place, so what must happen earlier is hoisted: a call is
stored in a temporary, and so is what was read from memory before it.
"""

from __future__ import annotations

import ast
import linecache
from contextlib import contextmanager
from functools import lru_cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler import intrinsics
from cardwright.compiler.builder import (
    FALSE,
    TRUE,
    binary,
    call as builder_call,
    compare,
    is_cheap,
    is_simple,
    negate,
    offset_by,
    reads,
    select,
    to_integer,
    unlikely,
)
from cardwright.compiler.ir import (
    INTRINSICS,
    Assign,
    Call,
    Clear,
    Const,
    Convert,
    Copy,
    Expr,
    Field,
    If,
    Load,
    Local,
    Offset,
    Op,
    Rel,
    Statement,
    Store,
    Struct,
    Type,
    intrinsic,
)
from cardwright.compiler.kernel import KernelError, is_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FunctionType

    from cardwright.compiler.ir import Signature

EngineFunctions: TypeAlias = "Mapping[str, Signature]"

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
_I, _P = Type.INT, Type.POINTER
_MADE: Mapping[str, tuple[tuple[Type, ...], Callable[..., Expr]]] = {
    "wrap": ((_I,), lambda value: value),
    "pointer_to": ((_P,), lambda address: address),
    "offset": ((_P, _I), lambda base, count: base if count == Const(0) else Offset(base, count)),
    "shift_right": ((_I, _I), partial(binary, Op.SHR)),
    "shift_right_signed": ((_I, _I), partial(binary, Op.SAR)),
    "divide": ((_I, _I), partial(binary, Op.DIV)),
    "remainder": ((_I, _I), partial(binary, Op.REM)),
    "unsigned_divide": ((_I, _I), partial(binary, Op.UDIV)),
    "unsigned_remainder": ((_I, _I), partial(binary, Op.UREM)),
    "unsigned_less": ((_I, _I), partial(compare, Rel.ULT)),
}
"""The types of what intrinsics take, and what makes an expression of it."""

_CHANGES = frozenset({"store", "copy", "clear"})
_LOGICAL = {Op.AND, Op.OR, Op.XOR}
_SHIFTS = {Op.SHL, Op.SHR}
INTEGERS = {Type.INT, Type.WIDE}


class KernelType(NamedTuple):
    """The type of a value in a kernel; of a struct's address, the struct."""

    type: Type
    struct: Struct | None = None

    def __str__(self) -> str:
        return self.struct.name if self.struct else self.type.value


class Value(NamedTuple):
    """An expression of a kernel; if it is a struct's address, the struct."""

    expr: Expr
    struct: Struct | None = None

    @property
    def kind(self) -> KernelType:
        """The kind of the value."""
        return KernelType(self.expr.type, self.struct)

    def fitted(self, type_: Type) -> Value:
        """The value, as a wide integer if it is a known one where one belongs."""
        if type_ is Type.WIDE and isinstance(self.expr, Const) and self.expr.type is Type.INT:
            return Value(Const(self.expr.value, Type.WIDE))
        return self


_KINDS = {
    "int": KernelType(Type.INT),
    "bool": KernelType(Type.BOOL),
    "Pointer": KernelType(Type.POINTER),
    "None": KernelType(Type.NOTHING),
}
_ADDRESS = _KINDS["Pointer"]
_WORD = Field(0, 8, signed=True)


def syntax_of(function: FunctionType) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    tree = _functions(code.co_filename, len(lines)).get((code.co_name, code.co_firstlineno))
    if tree is None:
        msg = f"{code.co_filename}:{code.co_firstlineno}: no source of {code.co_name}"
        raise KernelError(msg)
    return tree


@lru_cache(maxsize=64)
def _functions(filename: str, _lines: int) -> dict[tuple[str, int], ast.FunctionDef]:
    """The functions of a module by name and first line, which is that of the first decorator."""
    # A file is parsed once: `inspect.getsource` would search it again for every function.
    tree = ast.parse("".join(linecache.getlines(filename)), filename)
    return {
        (node.name, min((node.lineno, *(mark.lineno for mark in node.decorator_list)))): node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }


class ExpressionLowering:
    """Lowers the expressions of one kernel; what is hoisted goes to the open block, `out`."""

    def __init__(
        self,
        function: FunctionType,
        structs: Mapping[str, Struct],
        parameters: Mapping[str, int],
        engine: EngineFunctions,
    ) -> None:
        self.function = function
        self.structs = structs
        self.parameters = parameters
        self.engine = engine
        self.kinds: dict[str, KernelType] = {}
        self.out: list[Statement] = []
        self.kernels: dict[str, FunctionType] = {}
        """The kernels called, by name."""
        self._hoisted = 0
        self._temporaries = 0
        self._wrapping = 0

    def fault(self, node: ast.AST, message: str) -> KernelError:
        """The error that the kernel has at a place."""
        code = self.function.__code__
        line = getattr(node, "lineno", code.co_firstlineno)
        return KernelError(f"{code.co_filename}:{line}: {self.function.__name__}: {message}")

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """Collect the statements lowered meanwhile in a block of their own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def new_local(self, type_: Type = Type.INT) -> Local:
        """Return a new variable."""
        self._temporaries += 1
        return Local(f"_t{self._temporaries}", type_)

    def temporary(self, value: Value) -> Value:
        """Store a value in a new variable, and return that."""
        target = self.new_local(value.expr.type)
        self.out.append(Assign(target, value.expr))
        return Value(target, value.struct)

    def kind_of(self, annotation: ast.expr | None, node: ast.AST) -> KernelType:
        """The kind that an annotation names."""
        match annotation:
            case ast.Name(id=str(name)) | ast.Constant(value=str(name)):
                pass
            case ast.Constant(value=None):
                name = "None"
            case _:
                name = ""
        if name == "Mask":
            return KernelType(Type.WIDE if self.parameters.get("MASK_BITS") == 128 else Type.INT)
        if name in self.structs and name not in _KINDS:
            return KernelType(Type.POINTER, self.structs[name])
        if name not in _KINDS:
            shown = ast.unparse(annotation) if annotation else "no annotation"
            raise self.fault(annotation or node, f"{shown} where a kernel's type belongs")
        return _KINDS[name]

    def named(self, node: ast.expr) -> tuple[str, object]:
        """A name, and what it is in the kernel's module, or in one named with it: `module.name`."""
        known = self.function.__globals__
        match node:
            case ast.Name(name):
                return name, known.get(name)
            case ast.Attribute(ast.Name(module), name) if module not in self.kinds:
                if isinstance(known.get(module), ModuleType):
                    return name, getattr(known[module], name, None)
        return "", None

    def _constant(self, node: ast.expr) -> int | None:
        """The value of a constant, if a name is one."""
        name, value = self.named(node)
        value = self.parameters.get(name, value) if name.isupper() else None
        return int(value) if isinstance(value, int) else None

    # Expressions of a type ----------------------------------------------------------------

    def value(self, node: ast.expr, *, whole: bool = False) -> Value:
        """Lower an expression; if it is a `whole` statement's, a call may stay where it is."""
        match node:
            case ast.Call():
                result = self.call(node)
                if whole or not is_effect(result.expr):
                    return result
                self._hoisted += 1
                return self.temporary(result)
            case ast.Constant(value=bool(known)):
                return Value(TRUE if known else FALSE)
            case ast.Constant(value=int(known)):
                return self._known(node, known)
            case ast.Constant():
                raise self.fault(node, f"kernels have no {node.value!r}")
            case ast.Name(name) if name in self.kinds:
                kind = self.kinds[name]
                return Value(Local(name, kind.type), kind.struct)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                constant = self._constant(node)
                if constant is not None:
                    return self._known(node, constant)
                if isinstance(node, ast.Name):
                    raise self.fault(node, f"unknown name {node.id}")
                address, field, item = self.place(node)
                return Value(read(address, field) if item else address)
            case ast.BinOp():
                return Value(self.operation(node, node.op, *self.operands([node.left, node.right])))
            case ast.UnaryOp(op=ast.Not()):
                return Value(negate(self.test(node.operand)))
            case ast.UnaryOp(op=ast.USub()):
                number = self._number(node.operand)
                return Value(binary(Op.SUB, Const(0, number.type), number))
            case ast.UnaryOp(op=ast.Invert()):
                number = self._number(node.operand)
                return Value(binary(Op.XOR, number, Const(-1, number.type)))
            case ast.UnaryOp():
                raise self.fault(node, f"kernels have no {type(node.op).__name__}")
            case ast.BoolOp():
                return Value(self._joined(node, lambda part: self.of_type(part, Type.BOOL)))
            case ast.Compare():
                return Value(self._chain(node, self.value(node.left), 0))
            case ast.IfExp():
                return self._conditional(node)
        raise self.fault(node, f"kernels have no {type(node).__name__}")

    def of_type(self, node: ast.expr, type_: Type) -> Expr:
        """Lower an expression that gives a value of a type."""
        return self._checked(node, self.value(node), type_)

    def _checked(self, node: ast.expr, value: Value, type_: Type) -> Expr:
        if value.expr.type is not type_:
            raise self.fault(node, f"{value.kind} where {type_.value} belongs")
        return value.expr

    def _number(self, node: ast.expr) -> Expr:
        """Lower an expression that gives an integer or a mask."""
        value = self.value(node)
        if value.expr.type not in INTEGERS:
            raise self.fault(node, f"{value.kind} where int belongs")
        return value.expr

    def test(self, node: ast.expr, *, whole: bool = False) -> Expr:
        """Lower an expression as a condition."""
        match node:
            case ast.BoolOp():
                return self._joined(node, self.test)
            case ast.UnaryOp(op=ast.Not()):
                return negate(self.test(node.operand))
        return self._truth(node, self.value(node, whole=whole))

    def _truth(self, node: ast.expr, value: Value) -> Expr:
        """Whether a value is true."""
        if value.expr.type is Type.BOOL:
            return value.expr
        if value.expr.type in INTEGERS:
            return compare(Rel.NE, value.expr, Const(0, value.expr.type))
        raise self.fault(node, f"{value.kind} where a truth value belongs")

    # Order --------------------------------------------------------------------------------

    def in_order(self, lowerings: Sequence[Callable[[], Value]]) -> list[Value]:
        """Lower operands so that all can be evaluated after the last one was lowered."""
        values: list[Value] = []
        for lower in lowerings:
            hoisted = self._hoisted
            with self.block() as block:
                value = lower()
            if hoisted != self._hoisted:
                values = [self.repeatable(v) if reads(v.expr) else v for v in values]
            self.out.extend(block)
            values.append(value)
        return values

    def operands(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Lower operands from left to right."""
        return self.in_order([partial(self.value, node) for node in nodes])

    def integers(self, nodes: Sequence[ast.expr]) -> list[Expr]:
        """Lower operands that give integers, from left to right."""
        values = self.operands(nodes)
        return [self._checked(node, v, Type.INT) for node, v in zip(nodes, values, strict=True)]

    def repeatable(self, value: Value) -> Value:
        """A value that may be evaluated more than once."""
        return value if is_simple(value.expr) else self.temporary(value)

    # Names and memory ---------------------------------------------------------------------

    def _known(self, node: ast.expr, value: int) -> Value:
        wrapped = intrinsics.wrap(value)
        if not self._wrapping and value != wrapped:
            raise self.fault(node, f"{value} has more than 64 bits with its sign: put it in wrap()")
        return Value(Const(wrapped))

    def place(self, node: ast.expr) -> tuple[Expr, Field, bool]:
        """The address of a field or of an item of one, and whether it is not an array itself."""
        if isinstance(node, ast.Subscript) and self._has_words(node.value):
            items, item = self.in_order(
                [partial(self.value, node.value), partial(self._index, node.slice)]
            )
            return offset_by(items.expr, [(item.expr, _WORD.width)], 0), _WORD, True
        indices: list[ast.expr] = []
        member = node
        while isinstance(member, ast.Subscript):
            at = member.slice
            indices[:0] = at.elts if isinstance(at, ast.Tuple) else [at]
            member = member.value
        if not isinstance(member, ast.Attribute):
            raise self.fault(node, "only fields of structs have items")
        base, *at_indices = self.in_order(
            [partial(self.value, member.value), *(partial(self._index, i) for i in indices)]
        )
        if base.struct is None:
            raise self.fault(node, f"{base.kind} has no fields")
        field = base.struct.fields.get(member.attr)
        if field is None:
            raise self.fault(node, f"{base.struct.name} has no field {member.attr}")
        if len(indices) > len(field.strides):
            raise self.fault(node, f"{member.attr} has {len(field.strides)} indices")
        scaled = [(i.expr, stride) for i, stride in zip(at_indices, field.strides, strict=False)]
        address = offset_by(base.expr, scaled, field.offset)
        return address, field, len(indices) == len(field.strides)

    def _has_words(self, node: ast.expr) -> bool:
        """Whether an expression is an address, but neither a struct's nor an array of one."""
        match node:
            case ast.Name(name):
                return self.kinds.get(name) == _ADDRESS
            case ast.Attribute(ast.Name(name), attr):
                kind = self.kinds.get(name)
                field = kind.struct.fields.get(attr) if kind and kind.struct else None
                return field is not None and field.type is Type.POINTER and not field.strides
        return isinstance(node, ast.BinOp | ast.Call)

    def _index(self, node: ast.expr) -> Value:
        return Value(self.of_type(node, Type.INT))

    # Operations ---------------------------------------------------------------------------

    def operation(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Expr:
        """An operation on two values."""
        op = _OPS.get(type(operator))
        if op is None:
            raise self.fault(node, f"kernels have no {type(operator).__name__}")
        if op is Op.ADD and left.kind == _ADDRESS and right.expr.type is Type.INT:
            return offset_by(left.expr, [(right.expr, _WORD.width)], 0)
        if op in _SHIFTS and (left.expr.type, right.expr.type) == (Type.WIDE, Type.INT):
            right = Value(Convert(right.expr, Type.WIDE))
        left, right = left.fitted(right.expr.type), right.fitted(left.expr.type)
        logical = op in _LOGICAL and left.expr.type is Type.BOOL
        if left.kind != right.kind or not (logical or left.expr.type in INTEGERS):
            raise self.fault(node, f"{left.kind} {op.value} {right.kind}")
        return binary(op, left.expr, right.expr)

    def _compared(self, node: ast.AST, operator: ast.cmpop, left: Value, right: Value) -> Expr:
        rel = _RELS.get(type(operator))
        if rel is None:
            raise self.fault(node, f"kernels have no {type(operator).__name__}")
        left, right = left.fitted(right.expr.type), right.fitted(left.expr.type)
        ordered = left.expr.type is Type.INT or rel in {Rel.EQ, Rel.NE}
        if left.kind != right.kind or not ordered or left.expr.type is Type.NOTHING:
            raise self.fault(node, f"{left.kind} {rel.value} {right.kind}")
        return compare(rel, left.expr, right.expr)

    def _chain(self, node: ast.Compare, left: Value, at: int) -> Expr:
        """A comparison in a chain, and those after it; each operand is evaluated once."""
        last = at == len(node.ops) - 1

        def operand() -> Value:
            right = self.value(node.comparators[at])
            return right if last else self.repeatable(right)

        left, right = self.in_order([lambda: left, operand])
        first = self._compared(node, node.ops[at], left, right)
        if last:
            return first
        return self._both(first, partial(self._chain, node, right, at + 1), conjunction=True)

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
        with self.block() as block:
            second = lower()
        if isinstance(first, Const):
            self.out.extend(block)
            return second
        if not block and is_cheap(second):
            return binary(Op.AND if conjunction else Op.OR, first, second)
        result = self.new_local(Type.BOOL)
        test = result if conjunction else negate(result)
        self.out += [Assign(result, first), If(test, (*block, Assign(result, second)))]
        return result

    def _conditional(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        if isinstance(test, Const):
            return self.value(node.body if test.value else node.orelse)
        with self.block() as yes_block:
            yes = self.value(node.body)
        with self.block() as no_block:
            no = self.value(node.orelse)
        if yes.kind != no.kind or yes.expr.type is Type.NOTHING:
            raise self.fault(node, f"either {yes.kind} or {no.kind}")
        if not yes_block and not no_block and is_cheap(yes.expr) and is_cheap(no.expr):
            return Value(select(test, yes.expr, no.expr), yes.struct)
        result = self.new_local(yes.expr.type)
        self.out.append(
            If(test, (*yes_block, Assign(result, yes.expr)), (*no_block, Assign(result, no.expr)))
        )
        return Value(result, yes.struct)

    # Calls --------------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Value:
        """Lower a call whose value is wanted."""
        name, target = self.called(node)
        if is_kernel(target):
            return self._kernel(node, target)
        if target is getattr(intrinsics, name, None):
            result = self._intrinsic(node, name)
            if result is not None:
                return result
        if name in self.engine:
            types, type_ = self.engine[name]
            return Value(Call(name, tuple(self._typed(node, *types)), type_))
        raise self.fault(
            node, f"{name} gives nothing" if name in _CHANGES else f"unknown function {name}"
        )

    def called(self, node: ast.Call) -> tuple[str, object]:
        """The name in a call, and what it is."""
        name, target = self.named(node.func)
        if not name:
            raise self.fault(node, "only named functions are called")
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise self.fault(node, "arguments of kernels have no names or stars")
        return name, target

    def _arguments(self, node: ast.Call, count: int, last: int = 0) -> list[Value]:
        """Lower the arguments, of which there are `count`, without the last."""
        if len(node.args) != count:
            raise self.fault(node, f"{self.called(node)[0]} takes {count} arguments")
        return self.operands(node.args[: count - last])

    def _typed(self, node: ast.Call, *types: Type, last: int = 0) -> list[Expr]:
        """Lower the arguments, which must have these types, without the last."""
        values = self._arguments(node, len(types) + last, last)
        return list(map(self._checked, node.args, values, types))

    def _kernel(self, node: ast.Call, target: FunctionType) -> Value:
        syntax = syntax_of(target)
        if self.kernels.setdefault(target.__name__, target) is not target:
            raise self.fault(node, f"two kernels have the name {target.__name__}")
        params = [self.kind_of(arg.annotation, syntax) for arg in syntax.args.args]
        result = self.kind_of(syntax.returns, syntax)
        values = [
            value.fitted(kind.type)
            for value, kind in zip(self._arguments(node, len(params)), params, strict=True)
        ]
        for arg, value, kind in zip(node.args, values, params, strict=True):
            # An address is a struct only by declaration, while every struct has an address.
            if kind not in (value.kind, (value.expr.type, None)):
                raise self.fault(arg, f"{value.kind} where {kind} belongs")
        call = Call(target.__name__, tuple(value.expr for value in values), result.type)
        return Value(call, result.struct)

    def _intrinsic(self, node: ast.Call, name: str) -> Value | None:
        """Lower a call of one of the `intrinsics`, or of a type; None for those without value."""
        match name:
            case "min" | "max":  # both operands are named twice
                left, right = (
                    self.repeatable(Value(operand)).expr
                    for operand in self._typed(node, Type.INT, Type.INT)
                )
                rel = Rel.LT if name == "min" else Rel.GT
                return Value(select(compare(rel, left, right), left, right))
            case "int" | "bool":
                (given,) = self._arguments(node, 1)
                if name == "bool":
                    return Value(negate(negate(self._truth(node, given))))
                if given.expr.type is Type.BOOL:
                    return Value(to_integer(given.expr))
                if given.expr.type not in INTEGERS:
                    raise self.fault(node, f"int of {given.kind}")
                return given
            case "load" | "load_signed":
                (address,) = self._typed(node, Type.POINTER, last=1)
                return Value(Load(address, self._width(node, 1), name == "load_signed"))
            case "like":
                struct, place = self._arguments(node, 2)
                if struct.struct is None or place.expr.type is not Type.POINTER:
                    raise self.fault(node, f"like({struct.kind}, {place.kind})")
                return Value(place.expr, struct.struct)
        if name in _MADE:
            types, make = _MADE[name]
            self._wrapping += name == "wrap"
            args = self._typed(node, *types)
            self._wrapping -= name == "wrap"
            return Value(make(*args))
        if name not in INTRINSICS:
            return None
        values = self._arguments(node, len(INTRINSICS[name][0]))
        signature = intrinsic(name, [value.expr.type for value in values])
        assert signature is not None
        args = list(map(self._checked, node.args, values, signature[0]))
        return Value(unlikely(*args) if name == "unlikely" else builder_call(name, *args))

    def change(self, node: ast.Call) -> Statement | None:
        """Lower a change of memory; None if the call is not one."""
        name, target = self.called(node)
        if name not in _CHANGES or target is not getattr(intrinsics, name):
            return None
        if name == "store":
            address, value = self._arguments(node, 3, last=1)
            if address.expr.type is not Type.POINTER or value.expr.type not in _STORED:
                raise self.fault(node, f"store({address.kind}, {value.kind})")
            return Store(address.expr, stored(value.expr), self._width(node, 2))
        if name == "copy":
            return Copy(*self._typed(node, Type.POINTER, Type.POINTER, Type.INT))
        return Clear(*self._typed(node, Type.POINTER, Type.INT))

    def _width(self, node: ast.Call, at: int) -> int:
        width = self.of_type(node.args[at], Type.INT)
        if not isinstance(width, Const) or width.value not in {1, 2, 4, 8}:
            raise self.fault(node, "a width is 1, 2, 4 or 8")
        return width.value


_STORED = {Type.INT, Type.BOOL}


def is_effect(expr: Expr) -> bool:
    """Whether an expression is a call that may do something."""
    return isinstance(expr, Call) and expr.function not in INTRINSICS


def read(address: Expr, field: Field) -> Expr:
    """The contents of a field."""
    if field.type is Type.BOOL:
        return compare(Rel.NE, Load(address, field.width, tag=field.tag), Const(0))
    return Load(address, field.width, field.signed, field.type, field.tag)


def stored(value: Expr) -> Expr:
    """A value as it is stored in memory: a truth value is 0 or 1."""
    return to_integer(value) if value.type is Type.BOOL else value
