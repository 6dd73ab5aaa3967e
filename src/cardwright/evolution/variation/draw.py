"""Random choices that operators share."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_Item = TypeVar("_Item")


def one_of(items: Sequence[_Item], random: np.random.Generator) -> _Item:
    """Draw one of some items, each as likely; raises ValueError if there is none."""
    return items[int(random.integers(len(items)))]


def by_weight(weights: Sequence[float], random: np.random.Generator) -> int:
    """Draw a place in a list, in proportion to the weight there."""
    left = random.random() * sum(weights)
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    return len(weights) - 1
