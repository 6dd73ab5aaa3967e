"""The integers of the language: 64 bits, with errors instead of wraparound."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from cardwright.program.nodes import Operator

if TYPE_CHECKING:
    from collections.abc import Callable


LARGEST = 2**63 - 1
SMALLEST = -(2**63)


OVERFLOW = "the result does not fit in 64 bits"


class IntegerError(ValueError):
    """An operation without a result; `rule` names the rule that was broken."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def checked(value: int) -> int:
    """Return the value if it fits in 64 bits."""
    if SMALLEST <= value <= LARGEST:
        return value
    raise IntegerError("overflow", OVERFLOW)


def divide(left: int, right: int) -> int:
    """Divide, truncating towards zero."""
    if right == 0:
        raise IntegerError("division", "division by zero")
    quotient = abs(left) // abs(right)
    return checked(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    """Return the remainder of truncated division; it has the sign of the dividend."""
    if right == 0:
        raise IntegerError("division", "remainder of a division by zero")
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def power(base: int, exponent: int) -> int:
    """Raise to a power; negative exponents give the nearest integer to the fraction."""
    if exponent >= 0:
        if abs(base) > 1 and exponent > 63:
            raise IntegerError("overflow", OVERFLOW)
        return checked(base ** min(exponent, 64 + exponent % 2))
    if base == 0:
        raise IntegerError("division", "0 to a negative power")
    if abs(base) == 1:
        return base if exponent % 2 else 1
    return 0


def triangle(number: int) -> int:
    """Return the sum of the integers from 1 to n, by the formula n(n+1)/2."""
    return checked(number * (number + 1) // 2)


def fibonacci(number: int) -> int:
    """Return the n-th Fibonacci number; below 0 by the same recurrence backwards."""
    if abs(number) > 93:
        raise IntegerError("overflow", OVERFLOW)
    low, high = 0, 1
    for _ in range(abs(number)):
        low, high = high, low + high
    return checked(-low if number < 0 and number % 2 == 0 else low)


def apply(operator: Operator, left: int, right: int) -> int:
    """Apply an operator to two integers."""
    return _OPERATIONS[operator](left, right)


_OPERATIONS: dict[Operator, Callable[[int, int], int]] = {
    Operator.ADD: lambda left, right: checked(left + right),
    Operator.SUBTRACT: lambda left, right: checked(left - right),
    Operator.MULTIPLY: lambda left, right: checked(left * right),
    Operator.DIVIDE: divide,
    Operator.REMAINDER: remainder,
    Operator.POWER: power,
    Operator.MAXIMUM: max,
    Operator.MINIMUM: min,
}

PASSES: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
"""The comparisons of two integers."""
