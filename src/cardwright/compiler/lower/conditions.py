"""Conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    TRUE,
    both,
    compare,
    differ,
    either,
    equal,
    negate,
    truth,
)
from cardwright.compiler.ir import Rel, Type
from cardwright.compiler.lower import (
    cards,
    collections,
    integers,
    locations,
    masks,
    owners,
    storages,
)
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering

_ORDER = {"<": Rel.LT, ">": Rel.GT, "<=": Rel.LE, ">=": Rel.GE}


def condition(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the truth value of a condition."""
    match node:
        case n.Truth(value=value):
            return truth(value)
        case n.Variable(slot=slot):
            return owners.scalar(low, slot)
        case n.Not(test=test):
            return negate(condition(low, test))
        case n.Logic():
            return _logic(low, node)
        case n.Compare(operator=sign):
            left = integers.integer(low, node.left)
            return compare(_ORDER[sign], left, integers.integer(low, node.right))
        case n.Equal():
            left, right = comparable(low, node.left), comparable(low, node.right)
            return differ(left, right) if node.negated else equal(left, right)
        case n.Quantifier():
            return _quantifier(low, node)
    raise AssertionError(node)


def tested(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the truth value of a condition in a loop, and free the memory that it takes."""
    with low.scratch():
        return low.b.let(condition(low, node), "holds")


def holds(low: Lowering, node: n.Node) -> ir.Expr:
    """Evaluate a condition now, and free the memory that it takes."""
    with low.scratch():
        return low.b.let(condition(low, node), "holds")


def comparable(low: Lowering, node: n.Node) -> ir.Expr:
    """Return a comparable value; cards, players and teams are compared by identity."""
    match node.kind:
        case ValueKind.INTEGER:
            return integers.integer(low, node)
        case ValueKind.STRING:
            return storages.string(low, node)
        case ValueKind.CARD:
            return cards.card(low, node)
        case ValueKind.PLAYER:
            return owners.seat(low, node)
        case _:
            return owners.team(low, node)


def _logic(low: Lowering, node: n.Logic) -> ir.Expr:
    """Conjunction or disjunction, from left to right, no further than needed."""
    result = low.b.variable(condition(low, node.tests[0]), "holds")

    def rest(at: int) -> None:
        if at == len(node.tests):
            return
        with low.b.when(result if node.every else ir.Negation(result)):
            low.b.set(result, condition(low, node.tests[at]))
            rest(at + 1)

    rest(1)
    return result


def _quantifier(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Short-circuit, in order of the collection."""
    found = None
    if not low.program.rounds.counted(node):
        found = masks.passing(low, node.collection, node.variable, node.test, opposite=node.every)
    if found is not None:
        return compare(Rel.EQ if node.every else Rel.NE, found.positions, ir.Const(0))
    if node.collection.kind is ValueKind.LOCATION and not low.program.rounds.counted(node):
        which = masks.mask(low, node.test, node.variable.slot)
        if which is not None:
            return _by_mask(low, node, which)
    stop = low.b.variable(FALSE, "stop")
    with low.scratch(), collections.each(low, node.collection, node.variable, stop=stop):
        low.rounds(node)
        test = tested(low, node.test)
        with low.b.when(negate(test) if node.every else test):
            low.b.set(stop, TRUE)
    result = low.b.let(ir.Negation(stop) if node.every else stop, "holds")
    assert result.type is Type.BOOL
    return result


def _by_mask(low: Lowering, node: n.Quantifier, which: ir.Expr) -> ir.Expr:
    """Test all cards by a mask, without an early exit, which would be unpredictable."""
    result = low.b.variable(truth(node.every), "holds")
    join = both if node.every else either
    with low.scratch(), locations.each_card(low, node.collection) as card:
        low.b.set(result, join(result, masks.has(which, card)))
    return result
