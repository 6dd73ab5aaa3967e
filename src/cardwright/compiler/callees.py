"""Which functions a function of the IR calls."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

from cardwright.compiler import ir

if TYPE_CHECKING:
    from collections.abc import Callable

_NODES = (*get_args(ir.Expr), *get_args(ir.Statement))


def _inner(node: type[Any]) -> Callable[[Any], Any] | None:
    """Return what gives the parts of a node that may have calls; None if there are none."""
    parts = [
        one.name for one in fields(node) if "Expr" in str(one.type) or "Block" in str(one.type)
    ]
    return attrgetter(*parts) if parts else None


_INNER = {node: _inner(node) for node in _NODES}


def callees(function: ir.Function) -> dict[str, None]:
    """Return the names of all functions that a function calls, as keys in the order found."""
    found: dict[str, None] = {}
    pending: list[Any] = [function.body]
    while pending:
        piece = pending.pop()
        kind = type(piece)
        if kind is tuple:
            pending += piece
            continue
        if kind is ir.Call:
            found[piece.function] = None
        inner = _INNER.get(kind)
        if inner is not None:
            pending.append(inner(piece))
    return found
