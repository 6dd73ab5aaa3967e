"""What is printed as 95 % covers at least 92 %, or the words beside it say what was measured."""

from __future__ import annotations

import pytest
from interval_coverage import coverage
from populations import RAREST, SCORES, SHARES as POPULATIONS, Population

from cardwright.statistics.caveat import (
    FEW,
    MANY,
    RARE,
    RARE_FEW,
    RARER,
    SHARES,
    SKEWED,
    caveat,
    share_caveat,
)
from cardwright.statistics.intervals import bounded_interval, mean_interval, share_interval

RUNS = 1_500
SLACK = 3 * (0.95 * 0.05 / RUNS) ** 0.5
LEAST = 0.92 - SLACK
SKEWED_SHARES = [one for one in POPULATIONS if one.kind == "skewed"]
OTHERS = [one for one in POPULATIONS if one.kind != "skewed"]
BY_NAME = {one.name: one for one in (*SCORES, RAREST)}


@pytest.mark.parametrize("count", [2, 3, 5, 30])
def test_means_of_few_normal_scores_are_covered(count: int) -> None:
    """By the normal distribution's 1.96 it is 70, 81 and 87 % for 2, 3 and 5."""
    found = coverage(mean_interval, BY_NAME["normal"], count, RUNS)
    assert abs(found.covered - 0.95) < SLACK
    assert found.printed == 1


@pytest.mark.sweep
@pytest.mark.parametrize(
    "population", [one for one in POPULATIONS if one not in SKEWED_SHARES], ids=lambda one: one.name
)
@pytest.mark.parametrize("count", [10, 30, 300])
def test_shares_are_covered_at_the_edges_too(population, count: int) -> None:
    """Wald's interval covers 66 % at 0.9 of 10, Wilson's 90 % at 0.99 of 10."""
    found = coverage(share_interval, population, count, RUNS)
    assert found.covered > 0.95 - SLACK
    assert found.printed == 1


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.98])
def test_differences_of_shares_are_covered(chance: float) -> None:
    def interval(values):
        return bounded_interval(2 * values - 1, -1, 1)

    population = Population(
        "differences", "constant", 2 * chance - 1,
        lambda generator, n: (generator.random(n) < chance).astype(float),
    )  # fmt: skip
    assert coverage(interval, population, 30, RUNS).covered > LEAST


@pytest.mark.parametrize(
    ("name", "count", "words"),
    [
        ("lognormal", 5, SKEWED),
        ("5 % are 26 lower", 10, RARE_FEW),
        ("1 % are 26 lower", 100, RARE),
        (RAREST.name, 100, RARER),
    ],
)
def test_the_words_beside_an_interval_name_what_simulation_finds(name, count, words) -> None:
    found = coverage(mean_interval, BY_NAME[name], count, RUNS)
    assert found.covered == pytest.approx(words / 100, abs=0.05)
    assert found.covered < 0.92
    assert f"{words} %" in caveat(count)


def test_the_words_beside_shares_of_few_deals_name_what_simulation_finds() -> None:
    found = [coverage(share_interval, one, 5, RUNS).covered for one in SKEWED_SHARES]
    assert min(found) == pytest.approx(SHARES / 100, abs=0.05)
    for one in SKEWED_SHARES:
        assert coverage(share_interval, one, FEW, RUNS).covered > LEAST


def test_there_are_words_where_there_are_few_deals_and_none_where_there_are_many() -> None:
    assert caveat(1) == caveat(MANY) == ""
    assert f"fewer than {FEW} games" in caveat(FEW - 1, "games")
    assert f"in {SHARES} % with 5 that are nearly all alike" in caveat(FEW - 1)
    assert f"fewer than {FEW} games" in share_caveat(FEW - 1, "games")
    assert share_caveat(1) == share_caveat(FEW) == ""
    assert f"fewer than {MANY:,} deals" in caveat(FEW) == caveat(MANY - 1)


def test_scores_that_are_all_equal_have_no_interval_that_could_miss() -> None:
    population = BY_NAME["1 in 90 %, else -9"]
    found = coverage(mean_interval, population, 6, RUNS)
    assert found.printed == pytest.approx(1 - 0.9**6 - 0.1**6, abs=0.05)
    assert found.covered > LEAST
