"""Differences between two independent numbers, from the interval of each."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Reach: TypeAlias = "Callable[[float], tuple[float, float]]"
"""The bounds of a number, from a fraction (0 to 1) of the way to the ends of its interval."""

_STEPS = 90


def difference_ends(first: Reach, second: Reach) -> tuple[float, float]:
    """Return the ends of the interval of the second number minus the first.

    They are the extremes over all pairs of parts whose squares add up to 1. Where reaches grow as
    the parts do, these are the ends' distances squared and added (Newcombe 1998; Zou and Donner
    2008, "Construction of confidence limits about effect measures"); but a number may also be a
    function with a turn within its interval. Numbers that rise and fall together differ by less.
    """
    angles = [pi / 2 * step / _STEPS for step in range(_STEPS + 1)]
    pairs = [(first(cos(angle)), second(sin(angle))) for angle in angles]
    return min(two[0] - one[1] for one, two in pairs), max(two[1] - one[0] for one, two in pairs)
