"""Unions in variables that are never made into lists as long as only sums, sizes and tests ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.lower import masks, sets
from cardwright.compiler.lower.lowered_values import UnionView
from cardwright.program import nodes as n
from cardwright.program.nodes import StatePart

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering

_MOVED = StatePart.CARDS | StatePart.HOLDERS


def view(low: Lowering, node: n.Let) -> UnionView | None:
    """Return the union that a `let` binds if it stays what it is in the body; else None."""
    value = node.value
    if not isinstance(value, n.Combine) or value.operation is not n.SetOperation.UNION:
        return None
    if not masks.fit_a_word(low):
        return None
    if n.writes(node.body) & _MOVED or not sets.is_disjoint(low, value):
        return None
    others = StatePart.STORED | StatePart.TURNS | StatePart.HOLDERS
    if any(inner.traits.reads & others for inner in n.walk(value)):
        return None
    found = sets.as_set(low, value)
    return None if found is None else UnionView(found, value)
