"""The state while a kernel is lowered: its variables, and the names that it may use."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler.ir import Assign, Const, Expr, Local, Statement, Struct, Type
from cardwright.compiler.kernel_source import fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FunctionType

    from cardwright.compiler.kernel import KernelError

EngineFunctions: TypeAlias = "Mapping[str, tuple[tuple[Type, ...], Type]]"


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


KINDS = {
    "int": KernelType(Type.INT),
    "bool": KernelType(Type.BOOL),
    "Pointer": KernelType(Type.POINTER),
    "None": KernelType(Type.NOTHING),
}


@dataclass
class KernelFrame:
    """The state of lowering one kernel."""

    function: FunctionType
    structs: Mapping[str, Struct]
    parameters: Mapping[str, int]
    engine: EngineFunctions
    kinds: dict[str, KernelType] = field(default_factory=dict)
    out: list[Statement] = field(default_factory=list)
    kernels: dict[str, FunctionType] = field(default_factory=dict)
    """The kernels called, by name."""
    effects: int = 0
    """How many calls were hoisted out of expressions so far."""
    temporaries: int = 0

    def fault(self, node: ast.AST, message: str) -> KernelError:
        """The error that the kernel has at a place."""
        return fault(self.function, node, message)

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """Collect the statements lowered meanwhile in a block of their own."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def temporary(self, value: Value) -> Value:
        """Store a value in a new variable, and return that."""
        self.temporaries += 1
        target = Local(f"_t{self.temporaries}", value.expr.type)
        self.out.append(Assign(target, value.expr))
        return Value(target, value.struct)

    def kind_of(self, annotation: ast.expr | None, node: ast.AST) -> KernelType:
        """The kind that an annotation names."""
        name = _annotated(annotation)
        if name is not None:
            kind = KINDS.get(name)
            if name == "Mask":
                kind = KernelType(Type.WIDE if self.constant("MASK_BITS") == 128 else Type.INT)
            if kind is not None:
                return kind
            if name in self.structs:
                return KernelType(Type.POINTER, self.structs[name])
        shown = ast.unparse(annotation) if annotation else "no annotation"
        raise self.fault(annotation or node, f"{shown} where a kernel's type belongs")

    def constant(self, name: str) -> int | None:
        """The value of a named constant, if there is one."""
        if name in self.parameters:
            return int(self.parameters[name])
        value = self.function.__globals__.get(name)
        return int(value) if isinstance(value, int) else None


def _annotated(annotation: ast.expr | None) -> str | None:
    """The name that an annotation consists of."""
    if isinstance(annotation, ast.Name):
        return annotation.id
    if isinstance(annotation, ast.Constant):
        if annotation.value is None:
            return "None"
        return annotation.value if isinstance(annotation.value, str) else None
    return None
