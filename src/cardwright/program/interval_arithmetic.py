"""Interval arithmetic: integers known only by their bounds.

After Moore, *Interval Analysis* (1966), on the integers of the language: 64 bits, division towards
zero.
"""

from __future__ import annotations

from typing import NamedTuple

from cardwright.program import integers
from cardwright.program.nodes import Operator


class Between(NamedTuple):
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

    def cut(self) -> Between:
        """Return the bounds of the value, given that nothing overflowed."""
        low, high = (min(max(end, integers.SMALLEST), integers.LARGEST) for end in self)
        return Between(low, high)


ANY_INTEGER = Between(integers.SMALLEST, integers.LARGEST)


def applied(operator: Operator, left: Between, right: Between) -> Between | None:
    """Return the bounds of an operator's result, beyond 64 bits where it may overflow.

    None if the operator may have no result at all, or nothing is known about it.
    """
    if left.sure and right.sure:
        return _known(operator, left.low, right.low)
    match operator:
        case Operator.ADD:
            return Between(left.low + right.low, left.high + right.high)
        case Operator.SUBTRACT:
            return Between(left.low - right.high, left.high - right.low)
        case Operator.MULTIPLY:
            corners = [a * b for a in left for b in right]
            return Between(min(corners), max(corners))
        case Operator.MAXIMUM:
            return Between(max(left.low, right.low), max(left.high, right.high))
        case Operator.MINIMUM:
            return Between(min(left.low, right.low), min(left.high, right.high))
        case Operator.DIVIDE if right.low > 0:
            return Between(min(left.low, 0), max(left.high, 0))
        case Operator.REMAINDER if right.low > 0:
            return Between(0 if left.low >= 0 else 1 - right.high, right.high - 1)
        case Operator.DIVIDE | Operator.REMAINDER | Operator.POWER:
            return None


def _known(operator: Operator, left: int, right: int) -> Between | None:
    try:
        value = integers.apply(operator, left, right)
    except integers.IntegerError:
        return None
    return Between(value, value)
