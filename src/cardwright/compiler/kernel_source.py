"""The source of kernels: marked Python functions, and their syntax trees."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeGuard, TypeVar, overload

from cardwright.compiler.ir import Inline

if TYPE_CHECKING:
    from collections.abc import Callable

_P = ParamSpec("_P")
_R = TypeVar("_R")

MARK = "__kernel__"


class KernelError(Exception):
    """A function is not written in the kernel language."""


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
    """The functions of a file by name and first line, which is that of the first decorator."""
    # A file is parsed once: `inspect.getsource` would search it again for every function.
    tree = ast.parse("".join(linecache.getlines(filename)), filename)
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min((node.lineno, *(mark.lineno for mark in node.decorator_list)))
            found[node.name, first] = node
    return found


def fault(function: FunctionType, node: ast.AST, message: str) -> KernelError:
    """The error that a kernel has at a place."""
    line = getattr(node, "lineno", function.__code__.co_firstlineno)
    msg = f"{function.__code__.co_filename}:{line}: {function.__name__}: {message}"
    return KernelError(msg)
