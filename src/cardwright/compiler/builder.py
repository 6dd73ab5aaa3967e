"""Building IR: blocks that grow statement by statement, and expressions folded on the way."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.folding import FALSE, TRUE, binary, compare, negate, select
from cardwright.compiler.ir import Const, Local, Op, Rel, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "FALSE", "NONE", "ONE", "TRUE", "ZERO", "Access", "Builder", "add", "binary", "both", "call",
    "compare", "const", "differ", "either", "equal", "less", "mul", "negate", "offset", "select",
    "sub", "truth", "unlikely",
]  # fmt: skip

ZERO = Const(0)
ONE = Const(1)
NONE = Const(-1)
"""No card; also what a function returns if it failed."""


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

    def local(self, hint: str, type: Type = Type.INT) -> Local:  # noqa: A002 - the field's name
        """Return a new variable, not yet assigned."""
        self._names += 1
        return Local(f"{hint}.{self._names}", type)

    def let(self, value: ir.Expr, hint: str = "t") -> ir.Expr:
        """Evaluate a value now; constants and variables that never change stay as they are."""
        if isinstance(value, Const | ir.Data):
            return value
        target = self.local(hint, value.type)
        self.add(ir.Assign(target, value))
        return target

    def variable(self, value: ir.Expr, hint: str = "v") -> Local:
        """Return a new variable with a first value, to be assigned again."""
        target = self.local(hint, value.type)
        self.add(ir.Assign(target, value))
        return target

    def run(self, function: str, *args: ir.Expr) -> None:
        """Call a function that returns nothing."""
        self.add(ir.Evaluate(ir.Call(function, args, Type.NOTHING)))

    def set(self, target: Local, value: ir.Expr) -> None:
        """Assign a variable."""
        self.add(ir.Assign(target, value))

    @contextmanager
    def when(self, test: ir.Expr) -> Iterator[None]:
        """Open a block that is run if a test holds."""
        block = self._enter()
        yield
        self._leave()
        self.add(ir.If(test, tuple(block)))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Open the other block of the `when` that was just closed."""
        last = self._open[-1].pop()
        assert isinstance(last, ir.If)
        block = self._enter()
        yield
        self._leave()
        self.add(ir.If(last.test, last.yes, tuple(block)))

    @contextmanager
    def loop(self, test: ir.Expr, *step: ir.Statement) -> Iterator[None]:
        """Open a block that is repeated while a test holds."""
        block = self._enter()
        yield
        self._leave()
        self.add(ir.Loop(test, tuple(block), step))

    @contextmanager
    def count(
        self, end: ir.Expr, start: ir.Expr = ZERO, stop: Local | None = None
    ) -> Iterator[Local]:
        """Open a block that is repeated for the integers from start to end - 1.

        It ends early once `stop` holds.
        """
        at = self.variable(start, "i")
        test = compare(Rel.LT, at, end)
        step = ir.Assign(at, ir.Binary(Op.ADD, at, ONE))
        test = both(negate(stop), test) if stop is not None else test
        with self.loop(test, step):
            yield at

    @contextmanager
    def case(self) -> Iterator[list[ir.Statement]]:
        """Open a detached block, which the context manager yields."""
        block = self._enter()
        yield block
        self._leave()

    def _enter(self) -> list[ir.Statement]:
        block: list[ir.Statement] = []
        self._open.append(block)
        return block

    def _leave(self) -> None:
        self._open.pop()


# Expressions ------------------------------------------------------------------------------


def const(value: int) -> Const:
    """Return an integer constant."""
    return Const(value)


def add(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return a sum."""
    return binary(Op.ADD, left, right)


def sub(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return a difference."""
    return binary(Op.SUB, left, right)


def mul(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return a product."""
    return binary(Op.MUL, left, right)


def equal(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return whether two values are the same."""
    return compare(Rel.EQ, left, right)


def differ(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return whether two values are not the same."""
    return compare(Rel.NE, left, right)


def less(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return whether a value is less than another."""
    return compare(Rel.LT, left, right)


def truth(value: bool) -> Const:
    """Return a truth value."""
    return TRUE if value else FALSE


def both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return whether two truth values hold; both are evaluated."""
    return binary(Op.AND, left, right)


def either(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Return whether one of two truth values holds; both are evaluated."""
    return binary(Op.OR, left, right)


def offset(base: ir.Expr, by: ir.Expr) -> ir.Expr:
    """Return an address some bytes after another."""
    if isinstance(by, Const):
        if by.value == 0:
            return base
        if isinstance(base, ir.Offset) and isinstance(base.bytes, Const):
            return ir.Offset(base.base, Const(base.bytes.value + by.value))
    return ir.Offset(base, by)


def call(function: str, *args: ir.Expr, type: Type = Type.INT) -> ir.Call:  # noqa: A002
    """Return a call; the result type of an intrinsic is known."""
    known = ir.intrinsic(function, [arg.type for arg in args])
    if known is not None:
        type = known[1]  # noqa: A001
    return ir.Call(function, args, type)


def unlikely(test: ir.Expr) -> ir.Expr:
    """Return a test that rarely holds."""
    return test if isinstance(test, Const) else call("unlikely", test)


class Access:
    """The fields of a struct at an address."""

    def __init__(self, struct: ir.Struct, base: ir.Expr) -> None:
        self.struct = struct
        self.base = base

    def at(self, name: str, *indices: ir.Expr) -> ir.Expr:
        """Return the address of a field, or of an element of an array."""
        field = self.struct.fields[name]
        address = offset(self.base, Const(field.offset))
        for index, stride in zip(indices, field.strides, strict=False):
            address = offset(address, mul(index, Const(stride)))
        return address

    def load(self, name: str, *indices: ir.Expr, part: str = "") -> ir.Expr:
        """Return what a field holds; `part` names a part that is accessed as such or as a whole."""
        field = self.struct.fields[name]
        address = self.at(name, *indices)
        return ir.Load(address, field.width, field.signed, field.type, field.tag + part)

    def store(self, name: str, *indices: ir.Expr, value: ir.Expr, part: str = "") -> ir.Statement:
        """Return the statement that puts a value into a field."""
        field = self.struct.fields[name]
        return ir.Store(self.at(name, *indices), value, field.width, field.tag + part)
