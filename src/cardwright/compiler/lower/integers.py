"""Integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    either,
    equal,
    mul,
    sub,
)
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.lower import card_sets, collections, points, storages, words
from cardwright.compiler.lower.lowering import OVERFLOW
from cardwright.program import integers as arithmetic, nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.lower.lowering import Lowering

NOTHING_HIGHEST = -1
NOTHING_LOWEST = 2_147_483_647
"""What `scoremax` and `scoremin` give where there are no cards."""


def integer(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the value of an integer form."""
    match node:
        case n.Number(value=value):
            return const(value)
        case n.Variable(slot=slot):
            return low.scalar(slot)
        case n.Storage():
            return low.read("integers", storages.cell(low, node))
        case n.Arithmetic():
            return _arithmetic(low, node)
        case n.Triangle(number=number):
            return _checked(low, node, "triangle", integer(low, number))
        case n.Fibonacci(number=number):
            return _checked(low, node, "fibonacci", integer(low, number))
        case n.Random():
            return _random(low, node)
        case n.Size(collection=collection):
            return collections.size(low, collection)
        case n.Score():
            return _score(low, node)
        case n.Sum():
            return _sum(low, node)
        case n.ExtremeScore():
            return _extreme_score(low, node)
        case n.Total():
            return _total(low, node)
        case n.NumberOf(owner=owner):
            own = low.seat(owner) if owner.kind is ValueKind.PLAYER else low.team(owner)
            return add(own, const(low.program.base))
    raise AssertionError(node)


_INTRINSICS = {
    n.Operator.ADD: (Op.ADD, "add_overflows"),
    n.Operator.SUBTRACT: (Op.SUB, "subtract_overflows"),
    n.Operator.MULTIPLY: (Op.MUL, "multiply_overflows"),
}
_ORDERS = {n.Operator.MAXIMUM: Rel.GE, n.Operator.MINIMUM: Rel.LE}
"""How the left operand compares with the right one where it is the extreme."""


def _arithmetic(low: Lowering, node: n.Arithmetic) -> ir.Expr:
    value = integer(low, node.operands[0])
    for operand in node.operands[1:]:
        value = _apply(low, node, value, integer(low, operand))
    return value


def _apply(low: Lowering, node: n.Arithmetic, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    operator, safe = node.operator, not low.analysis.overflows(node)
    if operator in _INTRINSICS:
        op, overflows = _INTRINSICS[operator]
        if not safe:
            low.check(call(overflows, left, right), "overflow", OVERFLOW, node.span)
        return low.b.let(ir.Binary(op, left, right), "result")
    if operator in _ORDERS:
        return low.b.let(ir.Select(compare(_ORDERS[operator], left, right), left, right), "extreme")
    if operator is n.Operator.POWER:
        return _checked(low, node, "power", left, right)
    by_zero = equal(right, ZERO)
    if operator is n.Operator.REMAINDER:
        low.check(by_zero, "division", "remainder of a division by zero", node.span)
        divisor = ir.Select(equal(right, NONE), ONE, right)
        return low.b.let(ir.Binary(Op.REM, left, divisor), "rest")
    low.check(by_zero, "division", "division by zero", node.span)
    if not safe:
        edge = both(equal(left, const(arithmetic.SMALLEST)), equal(right, NONE))
        low.check(edge, "overflow", OVERFLOW, node.span)
    return low.b.let(ir.Binary(Op.DIV, left, right), "quotient")


def _checked(low: Lowering, node: n.Node, kernel: str, *operands: ir.Expr) -> ir.Expr:
    """Call a kernel that leaves its result in the context, or returns which rule it breaks."""
    outcome = low.b.let(call(kernel, low.context.base, *operands), "outcome")
    low.check(equal(outcome, ONE), "overflow", OVERFLOW, node.span)
    if kernel == "power":
        low.check(equal(outcome, const(2)), "division", "0 to a negative power", node.span)
    return low.b.let(low.context.load("result"), "result")


def _random(low: Lowering, node: n.Random) -> ir.Expr:
    first: ir.Expr = ZERO
    last = integer(low, node.low)
    if node.high is not None:
        first, last = last, integer(low, node.high)
    empty = compare(Rel.LT, last, first)
    low.check(empty, "empty-range", "nothing lies between {a} and {b}", node.span, first, last)
    low.settle()
    drawn = low.b.let(call("draw", low.board.base, add(sub(last, first), ONE)), "drawn")
    return low.b.let(add(first, drawn), "random")


def _score(low: Lowering, node: n.Score) -> ir.Expr:
    worth = points.worth(low, node.points)
    scored = low.b.let(low.card(node.card), "scored")
    if not isinstance(node.card, n.Variable):
        low.check(equal(scored, NONE), "no-card", "there is no card to score", node.span)
    return worth(scored)


def _sum(low: Lowering, node: n.Sum) -> ir.Expr:
    worth = points.worth(low, node.points)
    if low.analysis.points_bound(node.points) is None:
        wide = low.b.variable(ir.Const(0, Type.WIDE), "total")
        with low.each_card(node.location) as card:
            low.b.set(wide, ir.Binary(Op.ADD, wide, ir.Convert(worth(card), Type.WIDE)))
        return points.fits(low, wide, node)
    is_disjoint = card_sets.is_disjoint(low, node.location)
    if is_disjoint and (cards := card_sets.as_set(low, node.location)) is not None:
        return _sum_of_set(low, node, cards)
    total = low.b.variable(ZERO, "total")
    with low.each_card(node.location) as card:
        low.b.set(total, add(total, worth(card)))
    return total


def _extreme_score(low: Lowering, node: n.ExtremeScore) -> ir.Expr:
    worth = points.worth(low, node.points)
    rel = Rel.GT if node.highest else Rel.LT
    best = low.b.variable(const(NOTHING_HIGHEST if node.highest else NOTHING_LOWEST), "best")
    some = low.b.variable(FALSE, "found")
    cards = card_sets.as_set(low, node.location)
    each = low.each_card(node.location) if cards is None else low.each_bit(cards)
    with each as card:
        score = low.b.let(worth(card), "score")
        better = either(ir.Negation(some), compare(rel, score, best))
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(some, TRUE)
    return best


_MOST_PARTS = 8
"""Most different points, or powers of 2 of which they are sums, by which cards are counted."""


def _sum_of_set(low: Lowering, node: n.Sum, cards: ir.Expr) -> ir.Expr:
    fixed = points.fixed_scores(low, node.points)
    same: dict[int, int] = {}
    for card, score in enumerate(fixed or ()):
        if score:
            same[score] = same.get(score, 0) | 1 << card
    parts = min(same, _powers(fixed or ()), key=len)
    if fixed is None or len(parts) > _MOST_PARTS:
        worth = points.worth(low, node.points)
        total = low.b.variable(ZERO, "total")
        with low.each_bit(cards) as held:
            low.b.set(total, add(total, worth(held)))
        return total
    result: ir.Expr = ZERO
    for each, which in parts.items():
        number = call("count_ones", words.common(cards, words.word(cards.type, which)))
        result = add(result, mul(number, const(each)))
    return low.b.let(result, "total")


def _powers(scores: Sequence[int]) -> dict[int, int]:
    """Return powers of 2, with or without a sign, of which the points of each card are a sum.

    Each has the cards in whose points it is.
    """
    parts: dict[int, int] = {}
    for card, score in enumerate(scores):
        for at in range(abs(score).bit_length()):
            if abs(score) >> at & 1:
                power = (1 if score > 0 else -1) << at
                parts[power] = parts.get(power, 0) | 1 << card
    return parts


def _total(low: Lowering, node: n.Total) -> ir.Expr:
    wide = low.analysis.overflows(node)
    total = low.b.variable(ir.Const(0, Type.WIDE) if wide else ZERO, "total")
    with low.scratch(), collections.each(low, node.collection, node.variable), low.scratch():
        low.rounds(node)
        value = integer(low, node.value)
        added = ir.Convert(value, Type.WIDE) if wide else value
        low.b.set(total, ir.Binary(Op.ADD, total, added))
    return points.fits(low, total, node) if wide else total
