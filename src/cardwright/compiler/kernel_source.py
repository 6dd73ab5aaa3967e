"""The source of kernels: the syntax trees of their functions."""

from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.compiler.kernel import KernelError

if TYPE_CHECKING:
    from types import FunctionType


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
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            first = min((node.lineno, *(mark.lineno for mark in node.decorator_list)))
            found[node.name, first] = node
    return found


def fault(function: FunctionType, node: ast.AST, message: str) -> KernelError:
    """The error that a kernel has at a place."""
    line = getattr(node, "lineno", function.__code__.co_firstlineno)
    msg = f"{function.__code__.co_filename}:{line}: {function.__name__}: {message}"
    return KernelError(msg)
