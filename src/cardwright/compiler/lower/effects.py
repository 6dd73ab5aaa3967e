"""Whether actions do something, told by a test before they are done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.builder import TRUE, ZERO, both, compare, either, negate
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import collections, conditions
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.compiler import ir
    from cardwright.compiler.lower.lowering import Lowering


def acts(low: Lowering, node: n.Node) -> Callable[[Lowering], ir.Expr] | None:
    """Return how to test whether actions do something, before they are done; None if it is hard.

    As long as no step did anything, all is as it was.
    """
    if low.analysis.always_acts(node):
        return lambda _: TRUE
    match node:
        case n.Do(steps=steps):
            found = [acts(low, step) for step in steps]
            known = [one for one in found if one is not None]
            return None if len(known) < len(found) else lambda low: _any(low, known)
        case n.When(test=test, body=body) if low.analysis.pure(test):
            inner = acts(low, body)
            if inner is None:
                return None
            return lambda low: both(conditions.holds(low, test), inner(low))
        case n.RepeatAll(action=n.Move(card=n.End(location=n.Place() as source))):
            return _some(low, source)
        case n.ForEach(collection=source, body=body) if low.analysis.always_acts(body):
            return _some(low, source)
    return None


def _some(low: Lowering, source: n.Node) -> Callable[[Lowering], ir.Expr] | None:
    """Return the test whether a collection has items."""
    if not low.analysis.pure(source):
        return None
    return lambda low: compare(Rel.GT, collections.size(low, source), ZERO)


def _any(low: Lowering, tests: list[Callable[[Lowering], ir.Expr]]) -> ir.Expr:
    found: ir.Expr = negate(TRUE)
    for test in tests:
        with low.scratch():
            found = low.b.let(either(found, test(low)), "acts")
    return found
