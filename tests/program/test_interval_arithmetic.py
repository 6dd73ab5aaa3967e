"""Interval arithmetic: what it says of a result holds for every value within the bounds."""

from itertools import combinations_with_replacement, product

import pytest

from cardwright.program.abstract_state import ANY_INTEGER, Interval, applied
from cardwright.program.integers import LARGEST, SMALLEST, IntegerError, apply
from cardwright.program.nodes import Operator

SMALL = [Interval(*ends) for ends in combinations_with_replacement(range(-3, 4), 2)]


@pytest.mark.parametrize("operator", Operator)
def test_bounds_hold_for_all_values(operator: Operator) -> None:
    """No value lies outside the bounds, and where there are bounds there is a value."""
    values = range(-3, 4)
    results = {}
    for left, right in product(values, values):
        try:
            results[left, right] = apply(operator, left, right)
        except IntegerError:
            results[left, right] = None
    for one, other in product(SMALL, SMALL):
        found = applied(operator, one, other)
        inside = [
            results[left, right]
            for left in range(one.low, one.high + 1)
            for right in range(other.low, other.high + 1)
        ]
        if found is not None:
            assert all(value is not None and found.low <= value <= found.high for value in inside)


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (Operator.ADD, Interval(0, 7)),
        (Operator.SUBTRACT, Interval(-2, 5)),
        (Operator.MULTIPLY, Interval(-4, 12)),
        (Operator.DIVIDE, None),
        (Operator.REMAINDER, None),
        (Operator.POWER, None),
    ],
)
def test_bounds_are_as_narrow_as_told(operator: Operator, expected: Interval | None) -> None:
    """Where a divisor may be 0, and of powers, nothing is known."""
    assert applied(operator, Interval(1, 4), Interval(-1, 3)) == expected


def test_divisions_by_what_is_positive_have_bounds() -> None:
    """A quotient lies between 0 and the dividend, a rest below the divisor."""
    assert applied(Operator.DIVIDE, Interval(-5, 9), Interval(1, 3)) == Interval(-5, 9)
    assert applied(Operator.REMAINDER, Interval(0, 9), Interval(2, 3)) == Interval(0, 2)
    assert applied(Operator.REMAINDER, Interval(-1, 9), Interval(2, 3)) == Interval(-2, 2)


def test_single_values_are_worked_out() -> None:
    """Of two integers that are known the result is, unless there is none."""
    assert applied(Operator.POWER, Interval(2, 2), Interval(5, 5)) == Interval(32, 32)
    assert applied(Operator.DIVIDE, Interval(2, 2), Interval(0, 0)) is None
    assert applied(Operator.ADD, Interval(LARGEST, LARGEST), Interval(1, 1)) is None


def test_an_overflow_shows_in_the_bounds() -> None:
    """Bounds beyond 64 bits do not fit; cut, they are those of the results that there are."""
    beyond = applied(Operator.ADD, ANY_INTEGER, Interval(1, 2))
    assert beyond == Interval(SMALLEST + 1, LARGEST + 2)
    assert not beyond.fits
    assert beyond.cut() == Interval(SMALLEST + 1, LARGEST)
    assert Interval(LARGEST + 1, LARGEST + 2).cut() == Interval(LARGEST, LARGEST)
