"""A function of WebAssembly while it is written: its locals, its blocks, and its instructions.

An INT is an i64, a BOOL or POINTER an i32, a WIDE two i64, the lower half first: in locals, as
parameters and as results alike.

How expressions and statements are written is a matter of other modules, which the frame knows only
as rules by types of nodes. So they can call each other through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from cardwright.compiler import ir
from cardwright.compiler.ir import Type
from cardwright.compiler.wasm.encoding import (
    I32,
    I64,
    NO_VALUE,
    V128,
    call,
    code,
    const64,
    get,
    put,
    unsigned,
    vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.compiler.wasm.encoding import Kind

VALUES: Mapping[Type, tuple[Kind, ...]] = {
    Type.INT: (I64,),
    Type.WIDE: (I64, I64),
    Type.BOOL: (I32,),
    Type.POINTER: (I32,),
    Type.NOTHING: (),
}

Rule: TypeAlias = "Callable[[Frame, Any], object]"
Named: TypeAlias = "tuple[int, ...] | ir.Const"
"""What a variable of the IR is: locals, or in an inlined function the constant that is given."""
Halves: TypeAlias = tuple[bytes, bytes]
"""Instructions that push the lower and the upper half of a wide integer."""


class Around(Protocol):
    """The module of a function, as far as its instructions need it."""

    rules: Mapping[type[Any], Rule]

    def helper(self, name: str) -> int:
        """Return the number of a helper function, which the module then has."""

    def place(self, table: str) -> int:
        """Return where a table lies, from the first of all on."""

    def block_type(self, kind: Type) -> bytes:
        """Return the type of a block that leaves a value."""

    def called(self, frame: Frame, name: str, args: tuple[ir.Expr, ...]) -> None:
        """Write a call of a function of the module, or the function itself."""


class OpenLoop:
    """A loop around the place where instructions go: labels, and whether they are jumped to."""

    __slots__ = ("end", "left", "step", "stepped")

    def __init__(self, end: int, step: int) -> None:
        self.end = end
        self.step = step
        self.left = False
        self.stepped = False


class VariableScope:
    """The variables of a function of the IR: the one that is written, or one inlined in it.

    `returns` is the label of the block that an inlined function leaves.
    """

    __slots__ = ("loops", "names", "owned", "returns")

    def __init__(self) -> None:
        self.names: dict[str, Named] = {}
        self.loops: list[OpenLoop] = []
        self.owned: list[int] = []
        self.returns: int | None = None


class Frame:
    """A function being written."""

    __slots__ = ("_free", "_temporary", "around", "depth", "kinds", "out", "rules", "scope")

    def __init__(self, around: Around) -> None:
        self.around = around
        self.rules = around.rules
        self.out = bytearray()
        self.kinds: list[Kind] = []
        """The types of all locals, parameters first."""
        self.scope = VariableScope()
        self.depth = 0
        self._free: dict[Kind, list[int]] = {I32: [], I64: [], V128: []}
        self._temporary: list[int] = []

    def push(self, node: ir.Expr) -> None:
        """Write the evaluation of an expression, which leaves its value on the stack."""
        self.rules[type(node)](self, node)

    def write(self, *parts: bytes | str) -> None:
        """Write instructions, each encoded or by its name."""
        self.out += code(*parts)

    def call(self, helper: str) -> None:
        """Write a call of a helper function."""
        self.out += call(self.around.helper(helper))

    # Locals -------------------------------------------------------------------------------

    def local(self, kind: Kind) -> int:
        """Return a local that is in no use."""
        free = self._free[kind]
        if free:
            return free.pop()
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def release(self, local: int) -> None:
        """Let a local be used again."""
        self._free[self.kinds[local]].append(local)

    def temporary(self, kind: Kind) -> int:
        """Return a local that is in use up to the end of the statement."""
        local = self.local(kind)
        self._temporary.append(local)
        return local

    def set_aside(self, kind: Kind) -> bytes:
        """Pop a value into a temporary local, and return what pushes it again."""
        local = self.temporary(kind)
        self.out += put(local)
        return get(local)

    def mark(self) -> int:
        """Return how many temporary locals there are."""
        return len(self._temporary)

    def end_statement(self, mark: int) -> None:
        """Release the temporary locals since a mark."""
        while len(self._temporary) > mark:
            self.release(self._temporary.pop())

    def variable(self, name: str, kind: Type) -> Named:
        """Return what a variable of the IR is here."""
        named = self.scope.names.get(name)
        return self.declare(name, kind) if named is None else named

    def declare(self, name: str, kind: Type) -> tuple[int, ...]:
        """Return new locals for a variable, which are released with its scope."""
        locals_ = tuple(map(self.local, VALUES[kind]))
        self.scope.names[name] = locals_
        self.scope.owned += locals_
        return locals_

    # Wide integers ------------------------------------------------------------------------

    def halves(self, node: ir.Expr) -> Halves:
        """Write the evaluation of a wide integer, and return what pushes its halves."""
        if isinstance(node, ir.Const):
            return const64(node.value), const64(node.value >> 64)
        if isinstance(node, ir.Local):
            named = self.variable(node.name, Type.WIDE)
            if isinstance(named, ir.Const):
                return self.halves(named)
            low, high = named
            return get(low), get(high)
        self.push(node)
        upper = self.set_aside(I64)
        return self.set_aside(I64), upper

    # Blocks -------------------------------------------------------------------------------

    def block(self, kind: bytes = NO_VALUE) -> int:
        """Begin a block, and return its label: jumps to it lead to its end."""
        return self._open(0x02, kind)

    def loop(self) -> int:
        """Begin a block of which jumps lead to the beginning."""
        return self._open(0x03, NO_VALUE)

    def if_(self, kind: bytes = NO_VALUE) -> int:
        """Begin a block that is for a true value on the stack."""
        return self._open(0x04, kind)

    def _open(self, instruction: int, kind: bytes) -> int:
        self.out.append(instruction)
        self.out += kind
        self.depth += 1
        return self.depth

    def end(self) -> None:
        """End the block that was begun last."""
        self.out.append(0x0B)
        self.depth -= 1

    def jump(self, label: int) -> None:
        """Jump to a block that this place is in."""
        self.out += b"\x0c" + self._distance(label)

    def jump_if(self, label: int) -> None:
        """Jump to a block if the value on the stack is true."""
        self.out += b"\x0d" + self._distance(label)

    def jump_by_table(self, labels: Sequence[int], other: int) -> None:
        """Jump to the label that the value on the stack has, or to another."""
        self.out += b"\x0e" + vector([*map(self._distance, labels)]) + self._distance(other)

    def _distance(self, label: int) -> bytes:
        """Return a label as jumps here name it: by the blocks between."""
        return unsigned(self.depth - label)
