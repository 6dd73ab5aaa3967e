"""Integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
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
from cardwright.compiler.lower import (
    cards,
    collections,
    locations,
    owners,
    points,
    sets,
    storages,
    words,
)
from cardwright.compiler.lower.points import OVERFLOW
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
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
            return owners.scalar(low, slot)
        case n.Storage():
            return low.stored("integers", storages.cell(low, node))
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
        case n.Sum() | n.ExtremeScore():
            return _scores(low, node)
        case n.Total():
            return _total(low, node)
        case n.NumberOf(owner=owner):
            own = (owners.seat if owner.kind is ValueKind.PLAYER else owners.team)(low, owner)
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
    safe = not low.analysis.overflows(node)
    for operand in node.operands[1:]:
        value = _apply(low, node, value, integer(low, operand), safe=safe)
    return value


def _apply(
    low: Lowering, node: n.Arithmetic, left: ir.Expr, right: ir.Expr, *, safe: bool
) -> ir.Expr:
    operator = node.operator
    if operator in _INTRINSICS:
        op, overflows = _INTRINSICS[operator]
        if not safe:
            low.check(call(overflows, left, right), "overflow", OVERFLOW, node.span)
        return low.b.let(ir.Binary(op, left, right), "result")
    if operator in _ORDERS:
        return low.b.let(ir.Select(compare(_ORDERS[operator], left, right), left, right), "extreme")
    if operator is n.Operator.POWER:
        return _checked(low, node, "power", left, right)
    what = "division by zero"
    if operator is n.Operator.REMAINDER:
        what = "remainder of a division by zero"
    low.check(equal(right, ZERO), "division", what, node.span)
    if operator is n.Operator.REMAINDER:
        by = ir.Select(equal(right, const(-1)), ONE, right)
        return low.b.let(ir.Binary(Op.REM, left, by), "rest")
    if not safe:
        edge = both(equal(left, const(arithmetic.SMALLEST)), equal(right, const(-1)))
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
    """Both bounds are included; one bound alone starts at 0."""
    first: ir.Expr = ZERO
    last = integer(low, node.low)
    if node.high is not None:
        first, last = last, integer(low, node.high)
    low.check(
        compare(Rel.LT, last, first),
        "empty-range",
        "nothing lies between {a} and {b}",
        node.span,
        first,
        last,
    )
    bound = add(sub(last, first), ONE)
    low.settle()
    drawn = low.b.let(call("draw", low.board.base, bound), "drawn")
    return low.b.let(add(first, drawn), "random")


def _score(low: Lowering, node: n.Score) -> ir.Expr:
    worth = points.worth(low, node.points)
    scored = low.b.let(cards.card(low, node.card), "scored")
    if not isinstance(node.card, n.Variable):
        low.check(equal(scored, const(-1)), "no-card", "there is no card to score", node.span)
    return worth(scored)


def _scores(low: Lowering, node: n.Sum | n.ExtremeScore) -> ir.Expr:
    """Return the sum, the highest or the lowest score of the cards of a location."""
    worth = points.worth(low, node.points)
    if isinstance(node, n.Sum):
        if low.analysis.points_bound(node.points) is None:
            wide = low.b.variable(ir.Const(0, Type.WIDE), "total")
            with locations.each_card(low, node.location) as card:
                added = ir.Convert(worth(card), Type.WIDE)
                low.b.set(wide, ir.Binary(Op.ADD, wide, added))
            return points.fits(low, wide, node)
        if sets.is_disjoint(low, node.location) and sets.is_set(low, node.location):
            return _sum_of_set(low, node)
        total = low.b.variable(ZERO, "total")
        with locations.each_somehow(low, node.location) as card:
            low.b.set(total, add(total, worth(card)))
        return total
    rel = Rel.GT if node.highest else Rel.LT
    best = low.b.variable(const(NOTHING_HIGHEST if node.highest else NOTHING_LOWEST), "best")
    found = low.b.variable(ir.Const(0, Type.BOOL), "found")
    cards = sets.as_set(low, node.location)
    each = (
        locations.each_somehow(low, node.location)
        if cards is None
        else locations.each_of_mask(low, cards)
    )
    with each as card:
        score = low.b.let(worth(card), "score")
        better = either(ir.Negation(found), compare(rel, score, best))
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(found, ir.Const(1, Type.BOOL))
    return best


_CLASSES = 8
"""Most different points, or powers of 2 of which they are sums, by which cards are counted."""


def _sum_of_set(low: Lowering, node: n.Sum) -> ir.Expr:
    """Return the sum of the scores of cards that are a mask."""
    cards = sets.as_set(low, node.location)
    assert cards is not None
    fixed = points.fixed_scores(low, node.points)
    classes: dict[int, int] = {}
    for card, score in enumerate(fixed or ()):
        if score:
            classes[score] = classes.get(score, 0) | 1 << card
    parts = min(classes, _powers(fixed or ()), key=len)
    if fixed is None or len(parts) > _CLASSES:
        worth = points.worth(low, node.points)
        total = low.b.variable(ZERO, "total")
        with locations.each_of_mask(low, cards) as held:
            low.b.set(total, add(total, worth(held)))
        return total
    result: ir.Expr = ZERO
    for score, which in parts.items():
        of_score = ir.Binary(Op.AND, cards, words.word(cards.type, which))
        found = call("count_ones", of_score)
        result = add(result, mul(found, const(score)))
    return low.b.let(result, "total")


def _powers(fixed: Sequence[int]) -> dict[int, int]:
    """Return powers of 2, with or without a sign, of which the points of each card are a sum.

    Each has the cards in whose points it is.
    """
    parts: dict[int, int] = {}
    for card, score in enumerate(fixed):
        for at in range(abs(score).bit_length()):
            if abs(score) >> at & 1:
                power = (1 if score > 0 else -1) << at
                parts[power] = parts.get(power, 0) | 1 << card
    return parts


def _total(low: Lowering, node: n.Total) -> ir.Expr:
    wide = low.analysis.overflows(node)
    zero = ir.Const(0, Type.WIDE) if wide else ZERO
    total = low.b.variable(zero, "total")
    with low.scratch(), collections.each(low, node.collection, node.variable), low.scratch():
        low.rounds(node)
        value = integer(low, node.value)
        added = ir.Convert(value, Type.WIDE) if wide else value
        low.b.set(total, ir.Binary(Op.ADD, total, added))
    return points.fits(low, total, node) if wide else total


def clamp(low: Lowering, value: ir.Expr, least: int) -> ir.Expr:
    """Return a value, or `least` if it is smaller."""
    return low.b.let(ir.Select(compare(Rel.LT, value, const(least)), const(least), value), "least")
