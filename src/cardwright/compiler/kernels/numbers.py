"""Kernels for arithmetic without a machine instruction; the result is left in the context.

They return 0, or 1 for an overflow, or 2 for a division by zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    add_overflows,
    multiply_overflows,
    shift_right_signed,
    wrap,
)
from cardwright.compiler.kernel import kernel

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Context

LAST_FIBONACCI = 92
"""The number of the largest Fibonacci number that fits in 64 bits."""


@kernel
def power(context: Context, base: int, exponent: int) -> int:
    """Raise to a power; negative exponents give the nearest integer to the fraction."""
    context.result = 1
    if exponent < 0:
        if base == 0:
            return 2
        if base == 1:
            return 0
        context.result = 0
        if base == -1:
            context.result = -1 if (exponent & 1) != 0 else 1
        return 0
    if base == 0 or base == 1 or base == -1:
        if exponent > 0:
            context.result = base if (exponent & 1) != 0 else base * base
        return 0
    if exponent > 63:
        return 1
    for _ in range(exponent):
        if multiply_overflows(context.result, base):
            return 1
        context.result = context.result * base
    return 0


@kernel
def triangle(context: Context, number: int) -> int:
    """Return the sum of the integers from 1 to n, by the formula n(n+1)/2."""
    if add_overflows(number, 1):
        return 1
    left = number
    right = number + 1
    if (number & 1) != 0:
        right = half_of(right)
    else:
        left = half_of(left)
    if multiply_overflows(left, right):
        return 1
    context.result = left * right
    return 0


@kernel
def half_of(number: int) -> int:
    """Return half of an even integer."""
    return shift_right_signed(number, 1)


@kernel
def fibonacci(context: Context, number: int) -> int:
    """Return the n-th Fibonacci number; below 0 by the same recurrence backwards."""
    if number > LAST_FIBONACCI or number < -LAST_FIBONACCI:
        return 1
    count = number if number >= 0 else -number
    low = 0
    high = 1
    for _ in range(count):
        following = wrap(low + high)
        low = high
        high = following
    context.result = low
    if number < 0 and (number & 1) == 0:
        context.result = -low
    return 0
