"""Intervals and truths in doubt: integers and conditions of which not everything is known.

Interval arithmetic after Moore, *Interval Analysis* (1966), on the integers of the language: 64
bits, division towards zero. Truths are those of Kleene's logic, with None for unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import integers
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Truth: TypeAlias = bool | None


class Interval(NamedTuple):
    """An integer from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def sure(self) -> bool:
        """Whether it can be only one integer."""
        return self.low == self.high

    @property
    def fits(self) -> bool:
        """Whether all of it fits in the integers of the language."""
        return self.low >= integers.SMALLEST and self.high <= integers.LARGEST

    @property
    def size(self) -> int:
        """The largest absolute value."""
        return max(-self.low, self.high)

    def cut(self) -> Interval:
        """Return the bounds of the value, given that nothing overflowed."""
        low, high = (min(max(end, integers.SMALLEST), integers.LARGEST) for end in self)
        return Interval(low, high)


ANY_INTEGER = Interval(integers.SMALLEST, integers.LARGEST)
ZERO = Interval(0, 0)


def applied(operator: Operator, left: Interval, right: Interval) -> Interval | None:
    """Return the bounds of an operator's result, beyond 64 bits where it may overflow.

    None if the operator may have no result at all, or nothing is known about it.
    """
    if left.sure and right.sure:
        try:
            value = integers.apply(operator, left.low, right.low)
        except integers.IntegerError:
            return None
        return Interval(value, value)
    match operator:
        case Operator.ADD:
            return Interval(left.low + right.low, left.high + right.high)
        case Operator.SUBTRACT:
            return Interval(left.low - right.high, left.high - right.low)
        case Operator.MULTIPLY:
            corners = [a * b for a in left for b in right]
            return Interval(min(corners), max(corners))
        case Operator.MAXIMUM:
            return Interval(max(left.low, right.low), max(left.high, right.high))
        case Operator.MINIMUM:
            return Interval(min(left.low, right.low), min(left.high, right.high))
        case Operator.DIVIDE if right.low > 0:
            return Interval(min(left.low, 0), max(left.high, 0))
        case Operator.REMAINDER if right.low > 0:
            return Interval(0 if left.low >= 0 else 1 - right.high, right.high - 1)
        case Operator.DIVIDE | Operator.REMAINDER | Operator.POWER:
            return None


def hull(*intervals: Interval) -> Interval:
    """Return the bounds of an integer that is within one of some bounds."""
    if not intervals:
        return ANY_INTEGER
    return Interval(min(one.low for one in intervals), max(one.high for one in intervals))


def compared(relation: str, left: Interval, right: Interval) -> Truth:
    """Return whether an order, < > <= or >=, holds between two integers."""
    corners = {integers.PASSES[relation](a, b) for a in left for b in right}
    return corners.pop() if len(corners) == 1 else None


def equal(left: Interval, right: Interval) -> Truth:
    """Return whether two integers are equal."""
    if left.high < right.low or right.high < left.low:
        return False
    return True if left.sure and left == right else None


def negation(truth: Truth) -> Truth:
    """Return the opposite."""
    return None if truth is None else not truth


def joined(truths: Iterable[Truth], *, every: bool) -> Truth:
    """Return whether all of some conditions hold, or else whether one does."""
    result: Truth = every
    for truth in truths:
        if truth is not None and truth is not every:
            return truth
        if truth is None:
            result = None
    return result


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class NumberComparison:
    """A test of an integer form against a number."""

    form: n.Node
    relation: str
    number: int

    def holds(self, value: int) -> bool:
        """Return whether the test holds if the form has a value."""
        return integers.PASSES[self.relation](value, self.number)


def comparison(test: n.Node) -> NumberComparison | None:
    """Return a test as a comparison with a number, or None if it is none."""
    for left, relation, right in sides(test):
        if isinstance(right, n.Number):
            return NumberComparison(left, relation, right.value)
    return None


def sides(test: n.Node) -> tuple[tuple[n.Node, str, n.Node], ...]:
    """Return a comparison of integers as it is and turned round; nothing for any other test."""
    match test:
        case n.Compare(left=left, right=right, operator=relation):
            pass
        case n.Equal(left=left, right=right, negated=negated) if left.kind is ValueKind.INTEGER:
            relation = "!=" if negated else "=="
        case _:
            return ()
    return (left, relation, right), (right, _TURNED[relation], left)


def cover(tests: Sequence[NumberComparison], bounds: Interval) -> bool:
    """Return whether for each value within bounds one of some tests of the same form holds."""
    near = {test.number + by for test in tests for by in (-1, 0, 1)} | set(bounds)
    within = [value for value in near if bounds.low <= value <= bounds.high]
    return all(any(test.holds(value) for test in tests) for value in within)
