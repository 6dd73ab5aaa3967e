"""Building IR: expressions in their simplest form, and blocks that grow statement by statement.

In expressions constants are folded, and neutral operands left out.
"""

from __future__ import annotations

import operator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler import intrinsics, ir
from cardwright.compiler.ir import Binary, Const, Expr, Local, Offset, Op, OrderTest, Rel, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TRUE = Const(1, Type.BOOL)
FALSE = Const(0, Type.BOOL)
ZERO = Const(0)
ONE = Const(1)
NONE = Const(-1)
"""No card; also what a function returns if it failed."""

_OPPOSITES = ((Rel.EQ, Rel.NE), (Rel.LT, Rel.GE), (Rel.GT, Rel.LE), (Rel.ULT, Rel.UGE))
_OPPOSITE = dict(_OPPOSITES) | {second: first for first, second in _OPPOSITES}

_COMPUTE: dict[Op, Callable[[int, int], int]] = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.AND: operator.and_,
    Op.OR: operator.or_,
    Op.XOR: operator.xor,
    Op.SHL: operator.lshift,
    Op.SHR: intrinsics.shift_right,
    Op.SAR: intrinsics.shift_right_signed,
    Op.UDIV: intrinsics.unsigned_divide,
    Op.UREM: intrinsics.unsigned_remainder,
}
_HOLDS: dict[Rel, Callable[[int, int], bool]] = {
    Rel.EQ: operator.eq,
    Rel.NE: operator.ne,
    Rel.LT: operator.lt,
    Rel.LE: operator.le,
    Rel.GT: operator.gt,
    Rel.GE: operator.ge,
    Rel.ULT: intrinsics.unsigned_less,
    Rel.UGE: lambda left, right: not intrinsics.unsigned_less(left, right),
}
_DIVISIONS = {Op.DIV, Op.REM, Op.UDIV, Op.UREM}
_SHIFTS = {Op.SHL, Op.SHR, Op.SAR}
_NEUTRAL_RIGHT = dict.fromkeys((Op.ADD, Op.SUB, Op.OR, Op.XOR, *_SHIFTS), 0) | dict.fromkeys(
    (Op.MUL, Op.UDIV, Op.DIV), 1
)
_COMMUTE = {Op.ADD, Op.MUL, Op.AND, Op.OR, Op.XOR}

_MOST_CHEAP = 8
"""Most nodes of an expression that may be evaluated for nothing."""


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
    return Const(intrinsics.wrap(_COMPUTE[op](left.value, right.value)), left.type)


def _truth(op: Op, left: Expr, right: bool) -> Expr:
    """An operation on a truth value and a known one."""
    if op is Op.XOR:
        return negate(left) if right else left
    return left if right is (op is Op.AND) else truth(right)


def compare(rel: Rel, left: Expr, right: Expr) -> Expr:
    """A comparison of two values."""
    if isinstance(left, Const) and isinstance(right, Const):
        return truth(_HOLDS[rel](left.value, right.value))
    return OrderTest(rel, left, right)


def negate(value: Expr) -> Expr:
    """The opposite of a truth value."""
    if isinstance(value, Const):
        return truth(not value.value)
    if isinstance(value, OrderTest):
        return OrderTest(_OPPOSITE[value.rel], value.left, value.right)
    return value.value if isinstance(value, ir.Negation) else ir.Negation(value)


def to_integer(value: Expr) -> Expr:
    """A truth value as 0 or 1."""
    return Const(value.value) if isinstance(value, Const) else ir.Convert(value, Type.INT)


def select(test: Expr, yes: Expr, no: Expr) -> Expr:
    """One of two values, both of which may be evaluated."""
    if isinstance(test, Const):
        return yes if test.value else no
    return yes if yes == no else ir.Select(test, yes, no)


def offset_by(base: Expr, scaled: list[tuple[Expr, int]], constant: int) -> Expr:
    """The address at base + the sum of index * stride + constant, the constant part last."""
    total: Expr | None = None
    for index, stride in scaled:
        rest, known = _split(index)
        constant += known * stride
        if rest is not None:
            part = binary(Op.MUL, rest, Const(stride))
            total = part if total is None else Binary(Op.ADD, total, part)
    constant = intrinsics.wrap(constant)
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


const = Const
add = partial(binary, Op.ADD)
sub = partial(binary, Op.SUB)
mul = partial(binary, Op.MUL)
equal = partial(compare, Rel.EQ)
differ = partial(compare, Rel.NE)
less = partial(compare, Rel.LT)
both = partial(binary, Op.AND)
either = partial(binary, Op.OR)


def truth(value: bool) -> Const:
    """Return a truth value."""
    return TRUE if value else FALSE


def offset(base: Expr, by: Expr) -> Expr:
    """Return an address some bytes after another."""
    if isinstance(by, Const):
        if by.value == 0:
            return base
        if isinstance(base, Offset) and isinstance(base.bytes, Const):
            return Offset(base.base, Const(base.bytes.value + by.value))
    return Offset(base, by)


def call(function: str, *args: Expr, type: Type = Type.INT) -> ir.Call:  # noqa: A002
    """Return a call; the result type of an intrinsic is known."""
    known = ir.intrinsic(function, [arg.type for arg in args])
    if known is not None:
        type = known[1]  # noqa: A001
    return ir.Call(function, args, type)


def unlikely(test: Expr) -> Expr:
    """Return a test that rarely holds."""
    return test if isinstance(test, Const) else call("unlikely", test)


# The effects of evaluating an expression --------------------------------------------------


def reads(expr: Expr) -> bool:
    """Whether an expression's value depends on memory, or on when it is evaluated."""
    return any(
        isinstance(node, ir.Load)
        or (isinstance(node, ir.Call) and node.function in {"positions", "find_byte"})
        for node in ir.walk(expr)
    )


def is_simple(expr: Expr) -> bool:
    """Whether an expression is a constant or a variable, and may be repeated freely."""
    return isinstance(expr, Const | Local)


def is_cheap(expr: Expr) -> bool:
    """Whether evaluating an expression for nothing is harmless and costs little."""
    for count, node in enumerate(ir.walk(expr), 1):
        if count > _MOST_CHEAP or _is_dangerous(node):
            return False
    return True


def _is_dangerous(node: Expr | ir.Statement) -> bool:
    """Whether evaluating an expression may fault, or takes long.

    A shift by more than the width gives nothing that may be used, not even in a test whose result
    is known anyway.
    """
    match node:
        case Binary(op=op, right=right):
            return op in _DIVISIONS or (op in _SHIFTS and not isinstance(right, Const))
        case ir.Call(function=function):
            return function != "unlikely"
    return isinstance(node, ir.Load)


# Statements -------------------------------------------------------------------------------


class Builder:
    """A function body under construction. Blocks open and close as context managers."""

    def __init__(self) -> None:
        self._open: list[list[ir.Statement]] = [[]]
        self._names = 0

    def finish(self) -> ir.Block:
        """Return the body."""
        (body,) = self._open
        return tuple(body)

    def add(self, statement: ir.Statement) -> None:
        """Add a statement to the innermost open block."""
        self._open[-1].append(statement)

    def extend(self, statements: Iterable[ir.Statement]) -> None:
        """Add statements to the innermost open block."""
        self._open[-1] += statements

    def local(self, hint: str, type: Type = Type.INT) -> Local:  # noqa: A002 - the field's name
        """Return a new variable, not yet assigned."""
        self._names += 1
        return Local(f"{hint}.{self._names}", type)

    def let(self, value: Expr, hint: str = "t") -> Expr:
        """Evaluate a value now; what never changes stays as it is."""
        return value if isinstance(value, Const | ir.Data) else self.variable(value, hint)

    def variable(self, value: Expr, hint: str = "v") -> Local:
        """Return a new variable with a first value, to be assigned again."""
        target = self.local(hint, value.type)
        self.set(target, value)
        return target

    def set(self, target: Local, value: Expr) -> None:
        """Assign a variable."""
        self.add(ir.Assign(target, value))

    def run(self, function: str, *args: Expr) -> None:
        """Call a function that returns nothing."""
        self.add(ir.Evaluate(ir.Call(function, args, Type.NOTHING)))

    @contextmanager
    def case(self) -> Iterator[list[ir.Statement]]:
        """Open a detached block, which the context manager yields."""
        block: list[ir.Statement] = []
        self._open.append(block)
        yield block
        self._open.pop()

    @contextmanager
    def when(self, test: Expr) -> Iterator[None]:
        """Open a block that is run if a test holds."""
        with self.case() as block:
            yield
        self.add(ir.If(test, tuple(block)))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Open the other block of the `when` that was just closed."""
        last = self._open[-1].pop()
        assert isinstance(last, ir.If)
        with self.case() as block:
            yield
        self.add(ir.If(last.test, last.yes, tuple(block)))

    @contextmanager
    def loop(self, test: Expr, *step: ir.Statement) -> Iterator[None]:
        """Open a block that is repeated while a test holds."""
        with self.case() as block:
            yield
        self.add(ir.Loop(test, tuple(block), step))

    @contextmanager
    def count(self, end: Expr, start: Expr = ZERO, stop: Local | None = None) -> Iterator[Local]:
        """Open a block that is repeated for the integers from start to end - 1.

        It ends early once `stop` holds.
        """
        at = self.variable(start, "i")
        test = compare(Rel.LT, at, end)
        test = both(negate(stop), test) if stop is not None else test
        with self.loop(test, ir.Assign(at, Binary(Op.ADD, at, ONE))):
            yield at


class Access:
    """The fields of a struct at an address."""

    def __init__(self, struct: ir.Struct, base: Expr) -> None:
        self.struct = struct
        self.base = base

    def at(self, name: str, *indices: Expr) -> Expr:
        """Return the address of a field, or of an element of an array."""
        field = self.struct.fields[name]
        address = offset(self.base, Const(field.offset))
        for index, stride in zip(indices, field.strides, strict=False):
            address = offset(address, mul(index, Const(stride)))
        return address

    def load(self, name: str, *indices: Expr, part: str = "") -> Expr:
        """Return what a field holds; `part` names a part that is accessed as such or as a whole."""
        field = self.struct.fields[name]
        address = self.at(name, *indices)
        return ir.Load(address, field.width, field.signed, field.type, field.tag + part)

    def store(self, name: str, *indices: Expr, value: Expr, part: str = "") -> ir.Statement:
        """Return the statement that puts a value into a field."""
        field = self.struct.fields[name]
        return ir.Store(self.at(name, *indices), value, field.width, field.tag + part)
