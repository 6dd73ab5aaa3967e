"""What of a long test is run at every change, and what only by `scripts/test --deep`.

Deep are whole sweeps, many random examples and endurance: what finds a fault that no smaller form
of the same claim has found. Nothing is claimed by deep tests alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Value = TypeVar("Value")

asked = False
"""Whether all is run at length; `conftest.py` sets it before other modules are loaded."""

GAMES = frozenset({"bridge", "coup", "durak", "gofish", "leduc", "schwimmen"})
"""Games of the library that stand for all: tricks, auctions, partners, bluffs, melds, exchanges."""


def usually(usual: Value, deep: Value) -> Value:
    """Return one of two sizes of a test: of any run, and of a deep one."""
    return deep if asked else usual


def mostly_deep(
    values: Iterable[Value], usual: Callable[[Value], bool], ids: Callable[[Value], str] = str
) -> Sequence[pytest.ParameterSet]:
    """Return parameters of which all but the usual ones are left to the deep run."""
    return [
        pytest.param(value, id=ids(value), marks=() if usual(value) else pytest.mark.deep)
        for value in values
    ]


def some_games(names: Iterable[str]) -> Sequence[pytest.ParameterSet]:
    """Return games of the library as parameters, of which those in `GAMES` are always tried."""
    return mostly_deep(names, GAMES.__contains__)
