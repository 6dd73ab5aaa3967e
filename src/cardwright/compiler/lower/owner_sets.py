"""Players or teams that pass a test, as bits of a word instead of a list."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO
from cardwright.compiler.ir import Local, Op
from cardwright.compiler.layout import WORD
from cardwright.compiler.lower import collections, conditions, locations
from cardwright.compiler.lower.lowered_values import OwnerSet
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering


def are_owners(low: Lowering, node: n.Node) -> bool:
    """Return whether a form filters players or teams, of whom there are few."""
    if not isinstance(node, n.Filter):
        return False
    base = n.unfiltered(node)
    return isinstance(base, n.Everyone) and collections.everyone(low, base) <= WORD


def owner_set(low: Lowering, node: n.Node) -> OwnerSet:
    """Return the owners that pass a filter, now."""
    assert isinstance(node, n.Filter)
    found = low.b.variable(ZERO, "owners")
    with collections.each(low, node.collection, node.variable) as owner:
        assert isinstance(owner, ir.Expr)
        low.rounds(node)
        bit = ir.Binary(Op.SHL, ONE, owner)
        own = ir.Select(conditions.tested(low, node.test), bit, ZERO)
        low.b.set(found, ir.Binary(Op.OR, found, own))
    return OwnerSet(found)


@contextmanager
def each_owner(low: Lowering, held: OwnerSet, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for each owner of a set, in order."""
    with locations.each_of_mask(low, held.bits, stop) as owner:
        yield owner
