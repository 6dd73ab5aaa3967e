"""Kernels: functions of the engine written in a small part of Python, and lowered to the IR.

A kernel has annotated parameters and a result: `int`, `bool`, `Pointer`, the name of a struct,
`None`, or `Mask` for a set of cards: an integer with as many bits as masks have in the game, which
an integer that is written out becomes where a mask belongs. It consists of assignments to variables
and to fields of structs (`board.where[card]`), `if`, `while`, `for` over a `range` or the `ones` of
an integer, `break`, `continue`, `return` and calls: of other kernels, of the functions of
`intrinsics`, of `min` and `max`, `int` and `bool`, and of functions that the engine declares. A
`Pointer` is an array of words, integers of 8 bytes: `items[i]` is a word, `items + i` its address.
Names in capitals are constants. What another module has can be named with it: `module.NAME`,
`module.function()`. Integers have 64 bits and a sign: arithmetic that may overflow is put in
`wrap`, while `>>`, `//` and `%` are for integers from 0. A kernel is also an ordinary Python
function: tests run it on structs of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeGuard, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

_P = ParamSpec("_P")
_R = TypeVar("_R")

MARK = "__kernel__"


class KernelError(Exception):
    """A function is not written in the kernel language."""


class Inline(Enum):
    """Whether calls of a function are replaced by its body."""

    ALWAYS = "always"
    NEVER = "never"
    PERHAPS = "perhaps"
    COLD = "cold"
    """Never, and compiled with the least effort: it hardly ever runs."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The arguments of a kernel's decorator."""

    inline: Inline
    exported: bool


@overload
def kernel(function: Callable[_P, _R], /) -> Callable[_P, _R]: ...


@overload
def kernel(
    *, inline: Inline = ..., exported: bool = ...
) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]: ...


def kernel(
    function: Any = None, /, *, inline: Inline = Inline.PERHAPS, exported: bool = False
) -> Any:
    """Mark a function as a kernel, which can be lowered; it stays an ordinary function."""

    def mark(marked: Any) -> Any:
        setattr(marked, MARK, Mark(inline, exported))
        return marked

    return mark if function is None else mark(function)


def is_kernel(value: object) -> TypeGuard[FunctionType]:
    """Whether a value is a function marked as a kernel."""
    return isinstance(value, FunctionType) and hasattr(value, MARK)
