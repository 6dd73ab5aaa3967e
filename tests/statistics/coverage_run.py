"""Write the tables of docs/statistics.md by simulation; run by scripts/coverage."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import tried_tests
from interval_coverage import coverage
from populations import COUNTS, SCORES, SHARES

from cardwright.statistics.intervals import mean_interval, share_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from populations import Population, Values

    from cardwright.statistics.sample import Estimate

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
LOW = 0.92
"""Coverage below this is set in bold: the words beside the interval have to tell it."""


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def covered(
    interval: Callable[[Values], Estimate], populations: Iterable[Population], runs: int
) -> str:
    """Return the table of how often an interval covers, by population and sample size."""
    rows = []
    for population in populations:
        row = [population.name]
        for count in COUNTS:
            found = coverage(interval, population, count, runs if count < COUNTS[-1] else runs // 4)
            text = str(found)
            row.append(f"**{text}**" if found.printed and found.covered < LOW else text)
        rows.append(row)
    return markdown(["values", *(f"{count:,}" for count in COUNTS)], rows)


def sequential(runs: int) -> str:
    """Return the table of sequential tests."""
    head = (
        "values", "H1 - H0", "bound", "H0 true", "H1 true", "deals",
        "ratio: H0 true", "H1 true", "deals",
    )  # fmt: skip
    return markdown(head, tried_tests.table(runs))


TABLES: dict[str, Callable[[int], str]] = {
    "scores": lambda runs: covered(mean_interval, SCORES, runs),
    "shares": lambda runs: covered(share_interval, SHARES, runs),
    "sequential": lambda runs: sequential(runs // 8),
}
"""The tables by name; each takes the number of runs behind a figure, or fewer where it is slow."""


def main() -> None:
    """Write all tables, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--runs", type=int, default=8_000, help="Samples behind each figure.")
    given = parser.parse_args()
    if unknown := set(given.names) - set(TABLES):
        parser.error(f"no table is called {sorted(unknown)[0]!r}; there are {', '.join(TABLES)}")
    text = PAGE.read_text(encoding="utf-8")
    for name in given.names or TABLES:
        begin, end = f"<!-- table: {name} -->", "<!-- end -->"
        before, found, rest = text.partition(begin)
        _, ended, after = rest.partition(end)
        if not found or not ended:
            parser.error(f"{PAGE.name} has no place for the table {name!r}: {begin} ... {end}")
        sys.stderr.write(f"{name}...\n")
        text = f"{before}{begin}\n\n{TABLES[name](given.runs)}\n\n{end}{after}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
