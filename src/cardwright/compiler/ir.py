"""The vocabulary of the compiler's intermediate representation.

Functions are structured: expressions are trees without side effects (except calls), statements
nest, and local variables may be assigned again. Every expression knows its type. Integers have 64
bits and wrap; memory holds them in 1, 2, 4 or 8 bytes, and wide ones, of 128 bits, in 16. Named
structs define the offsets of fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, get_args

from cardwright.compiler import intrinsics
from cardwright.compiler.kernel import Inline
from cardwright.compiler.structs import Field, Struct, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FunctionType

__all__ = ["Field", "Inline", "Struct", "Type"]  # besides what is defined here


# Expressions ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """A constant integer or truth value."""

    value: int
    type: Type = Type.INT


@dataclass(frozen=True, slots=True)
class Local:
    """The value of a local variable or parameter; as a target of `Assign`, the variable itself."""

    name: str
    type: Type = Type.INT


@dataclass(frozen=True, slots=True)
class Data:
    """The address of a constant table of the module."""

    name: str
    type: ClassVar[Type] = Type.POINTER


class Op(Enum):
    """Operations on two integers; shifts are by less than the width."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    AND = "&"
    OR = "|"
    XOR = "^"
    SHL = "<<"
    SHR = ">>"
    """Shift right, filling with zeros."""
    SAR = "~>>"
    """Shift right, filling with the sign."""
    DIV = "/"
    """Division towards zero; the divisor is not 0 and the result fits."""
    REM = "%"
    """Remainder of division towards zero."""
    UDIV = "u/"
    """Division of unsigned integers."""
    UREM = "u%"
    """Remainder of unsigned integers."""


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two integers of one type, or AND, OR and XOR on two truth values.

    Wide integers are not divided.
    """

    op: Op
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        """The type of the operands."""
        return self.left.type


class Rel(Enum):
    """Orders; those with a u compare unsigned integers."""

    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    ULT = "u<"
    UGE = "u>="


@dataclass(frozen=True, slots=True)
class OrderTest:
    """A comparison of two values of one type."""

    rel: Rel
    left: Expr
    right: Expr
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Negation:
    """The opposite of a truth value."""

    value: Expr
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Select:
    """One of two values; both are evaluated."""

    test: Expr
    yes: Expr
    no: Expr

    @property
    def type(self) -> Type:
        """The type of the values."""
        return self.yes.type


@dataclass(frozen=True, slots=True)
class Convert:
    """A value in another type: a truth value as 0 or 1, an integer widened or truncated."""

    value: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Offset:
    """An address some bytes after another."""

    base: Expr
    bytes: Expr
    type: ClassVar[Type] = Type.POINTER


@dataclass(frozen=True, slots=True)
class Load:
    """The contents of memory at an address: an integer, a wide one (16 bytes), or a pointer.

    Loads and stores with different tags are never of the same memory, unless one tag is part of the
    other, as "mask/2" is of "mask"; those without a tag may be of
    any.
    """

    address: Expr
    width: int
    signed: bool = False
    type: Type = Type.INT
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """The result of a function of the module, or of an intrinsic."""

    function: str
    args: tuple[Expr, ...]
    type: Type


Expr: TypeAlias = (
    Const | Local | Data | Binary | OrderTest | Negation | Select | Convert | Offset | Load | Call
)


# Statements -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """Give a local variable a value."""

    target: Local
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """Put an integer, or a pointer, into memory."""

    address: Expr
    value: Expr
    width: int
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Copy:
    """Copy bytes from one address to another; the two stretches may overlap."""

    target: Expr
    source: Expr
    bytes: Expr


@dataclass(frozen=True, slots=True)
class Clear:
    """Fill bytes with zeros."""

    target: Expr
    bytes: Expr


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Evaluate a call for its effect."""

    value: Expr


@dataclass(frozen=True, slots=True)
class If:
    """One of two blocks."""

    test: Expr
    yes: Block
    no: Block = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """A block repeated while a test holds; `step` follows each iteration, after `Continue` too."""

    test: Expr
    body: Block
    step: Block = ()


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on with the next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The block of the case that equals an integer, or else the default."""

    value: Expr
    cases: tuple[tuple[int, Block], ...]
    default: Block = ()


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function, with its result if it has one."""

    value: Expr | None = None


Statement: TypeAlias = (
    Assign | Store | Copy | Clear | Evaluate | If | Loop | Break | Continue | Switch | Return
)
Block: TypeAlias = tuple[Statement, ...]


# Modules ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Function:
    """A function: parameters by name, the type of its result, its body.

    A function whose result is not NOTHING ends every path with `Return`. Exported functions can be
    called from outside the module.
    """

    name: str
    params: tuple[Local, ...]
    result: Type
    body: Block
    exported: bool = False
    inline: Inline = Inline.PERHAPS


@dataclass
class Module:
    """Functions and constant tables."""

    name: str
    functions: dict[str, Function] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)


Signature: TypeAlias = tuple[tuple[Type, ...], Type]
"""The types of a function's parameters, and of its result."""


def signature_of(function: FunctionType) -> Signature:
    """Return the types of a function by its annotations: integers, truth values and addresses."""
    known = {"int": Type.INT, "bool": Type.BOOL}
    *params, result = (known.get(kind, Type.POINTER) for kind in function.__annotations__.values())
    return tuple(params), result


INTRINSICS: Mapping[str, Signature] = {
    name: signature_of(getattr(intrinsics, name))
    for name in (
        "count_ones", "lowest_one", "highest_one", "multiply_high", "rotate_left",
        "add_overflows", "subtract_overflows", "multiply_overflows", "positions", "find_byte",
        "nth_one", "nth_bit", "deposit", "square_root", "ratio_bits", "unlikely", "ask",
    )
}  # fmt: skip
"""Operations of the machine: parameter types and the type of the result.

`cardwright.compiler.intrinsics` says in Python what each does. `positions` takes at most 64 bytes
below 64; it and `find_byte` may read 15 bytes more than they are given.
"""

_I, _W, _P = Type.INT, Type.WIDE, Type.POINTER
WIDE_INTRINSICS: Mapping[str, Signature] = {
    "count_ones": ((_W,), _I),
    "lowest_one": ((_W,), _I),
    "highest_one": ((_W,), _I),
    "positions": ((_P, _I, _W), _W),
    "nth_one": ((_W, _I), _I),
    "nth_bit": ((_W, _I), _W),
}
"""Those that also take masks of 128 bits; then `positions` looks at up to 128 bytes below 128."""


def intrinsic(name: str, given: Sequence[Type]) -> Signature | None:
    """Return the types of an intrinsic for operands of some types; None if there is none."""
    if Type.WIDE in given and name in WIDE_INTRINSICS:
        return WIDE_INTRINSICS[name]
    return INTRINSICS.get(name)


# Walking ----------------------------------------------------------------------------------


def _parts_of(node: type[Any]) -> Callable[[Any], Any]:
    """Return what gives the expressions, variables and blocks that a node consists of."""
    inner = [
        part.name
        for part in fields(node)
        if any(word in str(part.type) for word in ("Expr", "Block", "Local"))
    ]
    return attrgetter(*inner) if inner else lambda _: ()


_PARTS = {node: _parts_of(node) for node in (*get_args(Expr), *get_args(Statement))}


def walk(piece: Expr | Block) -> Iterator[Expr | Statement]:
    """Yield the expressions and statements that an expression or a block consists of."""
    pending: list[Any] = [piece]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending += node
            continue
        parts = _PARTS.get(type(node))
        if parts is not None:  # else it is the number of a case, or the value of a bare return
            yield node
            pending.append(parts(node))


def callees(function: Function) -> dict[str, None]:
    """Return the names of all functions that a function calls, as keys in the order found."""
    return dict.fromkeys(node.function for node in walk(function.body) if isinstance(node, Call))


def node_count(module: Module) -> int:
    """Return how many expressions and statements a module has."""
    return sum(1 for function in module.functions.values() for _ in walk(function.body))
