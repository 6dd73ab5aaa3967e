"""The page on intervals and tests: its tables are whole, and the program says what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from coverage_run import LOW, TABLES
from interval_coverage import coverage
from populations import BOUNDED, LOTTERY, RAREST, SCORES, SHARES as POPULATIONS

from cardwright.statistics.caveat import (
    FAMILY,
    FAMILY_FEW,
    FEW,
    GAINS,
    MANY,
    RARE,
    RARE_FEW,
    RARER,
    SHARES,
    SKEWED,
)
from cardwright.statistics.intervals import mean_interval, share_interval

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")


def table(name: str) -> list[list[str]]:
    """Return the cells of a table of the page, its head first."""
    text = PAGE.partition(f"<!-- table: {name} -->")[2].partition("<!-- end -->")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def covered(name: str) -> dict[str, dict[int, float]]:
    """Return the coverage in percent by population and number of values, where one is printed."""
    head, _, *rows = table(name)
    counts = [int(cell.replace(",", "")) for cell in head[1:]]
    found: dict[str, dict[int, float]] = {}
    for population, *cells in rows:
        here = found.setdefault(population, {})
        for count, cell in zip(counts, cells, strict=True):
            number = re.search(r"\d+\.\d", cell)
            if number:
                here[count] = float(number[0])
                assert ("**" in cell) == (here[count] < 100 * LOW), (name, population, count)
    return found


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_there(name: str) -> None:
    head, _, *rows = table(name)
    assert rows
    assert all(len(row) == len(head) for row in rows)


def test_the_words_of_the_program_are_those_of_the_tables() -> None:
    scores, shares, families = covered("scores"), covered("shares"), covered("families")
    gains = covered("gains")
    for said, row, count in (
        (SKEWED, scores["lognormal"], 5),
        (RARE_FEW, scores["5 % are 26 lower"], 10),
        (RARE, scores["1 % are 26 lower"], 100),
        (RARER, scores[RAREST.name], 100),
        (SHARES, shares["beta(1, 0.1)"], 5),
        (FAMILY_FEW, families["5 % are 26 lower"], 10),
        (FAMILY, families["1 % are 26 lower"], 30),
        (GAINS[0][1], gains["1 % are 26 lower"], 1_000),
    ):
        assert said == round(row[count]), (row, count)


def test_without_words_intervals_cover_what_they_claim_but_for_the_rarest() -> None:
    scores, shares = covered("scores"), covered("shares")
    rarest = scores.pop(RAREST.name)
    assert max(rarest.values()) < 100 * LOW
    assert min(row[MANY] for row in scores.values() if MANY in row) >= 100 * LOW
    assert (
        min(value for row in shares.values() for n, value in row.items() if n >= FEW) >= 100 * LOW
    )


def test_guaranteed_intervals_cover_what_they_promise_for_all_populations() -> None:
    head, _, *rows = table("betting")
    assert len(rows) == len(BOUNDED)
    for row in rows:
        assert min(float(cell.split(",")[0]) for cell in row[1:]) >= 95
    assert len(head) == len(rows[0])


def test_what_the_page_says_is_what_simulation_finds() -> None:
    """A few cells again, with fewer samples."""
    for name, populations, interval in (
        ("scores", SCORES[:5], mean_interval), ("shares", POPULATIONS[:5], share_interval),
    ):  # fmt: skip
        said = covered(name)
        for population in populations:
            found = coverage(interval, population, 10, 1_000, seed=2)
            assert 100 * found.covered == pytest.approx(said[population.name][10], abs=5)


def test_the_sequential_test_keeps_its_chances_and_the_usual_one_does_not() -> None:
    rows = table("sequential")[2:]
    assert max(float(row[at]) for row in rows for at in (3, 4)) <= 6.5
    assert max(float(row[6]) for row in rows) > 15
    lottery = [row for row in rows if row[0] == LOTTERY.name]
    assert max(float(row[3]) for row in lottery) <= 5
    assert max(float(row[6]) for row in lottery) > 35


def test_equal_seats_are_seldom_called_unequal() -> None:
    """Neither worse off nor better off in more than 2.5 % of samples each, with some allowance."""
    for name, _, *cells in table("fairness")[2:]:
        for cell in cells:
            covered, worse, better = map(float, cell.strip("*").split("; "))
            assert covered >= 93
            wrong = {"equal": (worse, better), "20": (better,), "30": (worse,)}
            kind = next(kind for kind in wrong if kind in name.removeprefix("4 seats"))
            assert max(wrong[kind]) <= 3.5


def test_equal_bots_are_told_apart_as_seldom_as_is_said() -> None:
    for row in table("ranks")[2:]:
        assert max(map(float, row[1:])) <= 5 * int(row[0].split()[0])


def test_identical_players_differ_by_chance_in_balanced_orders_and_else_do_not() -> None:
    for row in table("orders")[2:]:
        balanced, rotations = (cell.split(" ± ") for cell in row[1::2])
        assert abs(float(balanced[0])) < 1.5 * float(balanced[1]), row
        assert abs(float(rotations[0])) > 1.5 * float(rotations[1]), row
        assert float(row[2]) < 10
