"""Numbers near a number, or taken from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np


def near_number(number: int, others: Sequence[int], random: np.random.Generator) -> int:
    """Draw a number of 0 or more in the place of another.

    In four of ten cases it is one step away, in two more two or three steps; else the double or the
    half, one of the `others`, or a number between a quarter and four times as much, where small
    factors are as frequent as large ones. It may be the number itself, where nothing else is found.

    A step is 1, and of large numbers a twentieth: 299 in the place of 300 would be no other game.
    """
    unit = max(1, round(number / 20))
    way = random.random()
    if way < 0.4:
        return max(0, number + (unit if random.random() < 0.5 else -unit))
    if way < 0.6:
        step = unit * int(random.integers(2, 4))
        return max(0, number + (step if random.random() < 0.5 else -step))
    if way < 0.76:
        return number * 2 if random.random() < 0.5 else number // 2
    if way < 0.88 and others:
        return others[int(random.integers(len(others)))]
    return round(number * 4 ** random.uniform(-1, 1))
