"""Tests that compare an integer form with a number."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.program.interval_arithmetic import Between

PASSES: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class NumberComparison:
    """A test of an integer form against a number."""

    form: n.Node
    relation: str
    number: int

    def holds(self, value: int) -> bool:
        """Return whether the test holds if the form has a value."""
        return PASSES[self.relation](value, self.number)


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
    return (left, relation, right), (right, TURNED[relation], left)


def cover(tests: Sequence[NumberComparison], bounds: Between) -> bool:
    """Return whether for each value within bounds one of some tests of the same form holds."""
    near = {test.number + by for test in tests for by in (-1, 0, 1)} | set(bounds)
    within = [value for value in near if bounds.low <= value <= bounds.high]
    return all(any(test.holds(value) for test in tests) for value in within)
