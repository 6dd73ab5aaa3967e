"""Par, to which the benchmark of auctions compares contracts, on tables worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture(scope="module")
def par_levels() -> Callable[..., frozenset[int]]:
    sys.path.append(str(BENCH))
    try:
        import auctions
    finally:
        sys.path.remove(str(BENCH))
    found: Callable[..., frozenset[int]] = auctions.par_levels
    return found


NOBODY = [6, 6, 6, 6, 6]


@pytest.mark.parametrize(
    ("ours", "theirs", "vulnerable", "levels"),
    [
        # Nobody makes seven tricks.
        (NOBODY, NOBODY, False, {0}),
        # Eight tricks in spades are worth as much in one as in two.
        ([6, 6, 6, 8, 6], NOBODY, False, {1, 2}),
        # Three no trump, where another trick goes beyond the game: four are worth no more.
        ([6, 6, 6, 6, 10], NOBODY, False, {3, 4}),
        # Four spades, 420, and five hearts doubled down two, 300: the others bid on.
        ([6, 6, 4, 10, 6], [6, 6, 9, 3, 6], False, {5}),
        # Vulnerable, down three costs 800, more than 620.
        ([6, 6, 5, 10, 6], [6, 6, 8, 3, 6], True, {4}),
        # Twelve tricks want a small slam, all of them a grand one.
        ([6, 6, 12, 6, 6], NOBODY, False, {6}),
        ([6, 6, 6, 6, 13], NOBODY, True, {7}),
    ],
)
def test_par(
    par_levels: Callable[..., frozenset[int]],
    ours: list[int],
    theirs: list[int],
    vulnerable: bool,
    levels: set[int],
) -> None:
    assert par_levels([ours, theirs], 0, vulnerable=vulnerable) == levels
