"""Random Hearts has the figures of an independent program, as far as some deals can show it.

`bench/hearts_statistics.py` measures the same with ten times as many deals and narrow tolerances.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from deep import usually

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    sys.path.append(str(BENCH))
    return import_module("hearts_statistics")


def far(figures: Sequence[Any]) -> list[str]:
    """Return the figures that are off by more than the tolerance and three standard errors."""
    return [
        str(one) for one in figures if abs(one.value - one.expected) > one.tolerance + 3 * one.error
    ]


@pytest.fixture(scope="module")
def deals(bench: ModuleType) -> Any:
    """Deals of four players."""
    return bench.sample(4, range(50_000, usually(50_500, 52_000)))


def test_deals_of_four(bench: ModuleType, deals: Any) -> None:
    """Options by trick, when hearts break, convergence, moons, scores and wins of the first."""
    figures = bench.four_players(deals)
    assert len(figures) > 50
    assert not far(figures)


@pytest.mark.parametrize("players", [3, 5])
def test_deals_of_other_numbers(bench: ModuleType, players: int) -> None:
    figures = bench.other_players(bench.sample(players, range(50_000, usually(50_150, 50_400))))
    assert not far(figures)


def test_deals_by_other_rules(bench: ModuleType) -> None:
    """The two of clubs leading without points in the first trick, and the Hearts League."""
    assert not far(bench.other_rules(range(60_000, usually(62_000, 65_000))))


def test_games_of_the_league(bench: ModuleType) -> None:
    """Rounds to a hundred points, and what winners and losers have then."""
    assert not far(bench.league_games(range(60_000, 61_500)))


def test_the_figures_can_fail(bench: ModuleType, deals: Any) -> None:
    """One option more for every leader is noticed, and so are hearts that break late."""
    counts = deals.counts.copy()
    counts[:, ::4] += 1
    names = " ".join(far(bench.four_players(bench.Sample(counts, deals.scores, deals.broken))))
    assert names.count("leader's options") == 13
    assert "mean options" in names
    assert "convergence" not in names
    late = bench.Sample(deals.counts, deals.scores, deals.broken + 1)
    assert len(far(bench.four_players(late))) >= 5
