"""Write the tables of docs/statistics.md by simulation; run by scripts/coverage."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import tried_fairness
import tried_intervals
import tried_orders
import tried_tests
from interval_coverage import coverage
from populations import BOUNDED, COUNTS, RAREST, SCORES, SHARES
from tried_ranks import wrong_ranges

from cardwright.statistics.caveat import MANY
from cardwright.statistics.intervals import betting_interval, mean_interval, share_interval
from cardwright.statistics.resampling import LEAST_DEALS
from cardwright.statistics.ties import TIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from interval_coverage import Coverage
    from populations import Population, Values

    from cardwright.statistics.intervals import Estimate

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
LOW = 0.92
"""Coverage below this is set in bold: the words beside the interval have to tell it."""


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    first, *others = (f"| {' | '.join(line)} |" for line in (head, *rows))
    return "\n".join((first, "|" + "---|" * len(head), *others))


def covered(
    interval: Callable[[Values], Estimate], populations: Iterable[Population], runs: int
) -> str:
    """Return the table of how often an interval covers, by population and sample size."""
    return by_count(
        [(one.name, partial(coverage, interval, one)) for one in populations], COUNTS, runs
    )


def by_count(
    lines: Iterable[tuple[str, Callable[[int, int], Coverage]]], counts: Sequence[int], runs: int
) -> str:
    """Return a table of coverage, a line a case and a column a number of values."""
    rows = []
    for name, tried in lines:
        found = [tried(count, runs if count < MANY else runs // 4) for count in counts]
        rows.append((name, *map(_cell, found)))
    return markdown(["values", *(f"{count:,}" for count in counts)], rows)


def _cell(found: Coverage) -> str:
    low = found.printed and round(found.covered, 3) < LOW
    return f"**{found}**" if low else str(found)


def betting(runs: int) -> str:
    """Return the table of guaranteed intervals, with their widths next to Student's."""
    rows = []
    for population, least, most in BOUNDED:
        interval = partial(betting_interval, least=least, most=most)
        cells = []
        for count in COUNTS:
            found = coverage(interval, population, count, runs)
            student = coverage(mean_interval, population, count, runs)
            wider = found.width / student.width if student.printed else float("nan")
            ratio = f", {wider:.1f}" if wider < 1_000 else ""
            cells.append(f"{100 * found.covered:.1f}{ratio}")
        rows.append((f"{population.name} ({least:g} to {most:g})", *cells))
    return markdown(["values", *(f"{count:,}" for count in COUNTS)], rows)


def heuristics(runs: int) -> str:
    """Return the table of means by the bootstrap: shares first, then means without bounds."""
    lines = [
        (one.name, partial(coverage, tried_intervals.by_bootstrap(share=share), one))
        for share, populations in ((True, SHARES), (False, SCORES[:5]))
        for one in populations
    ]
    return by_count(lines, COUNTS[:-1], runs)


def fairness(runs: int) -> str:
    """Return the table of fairness and of the sentence on the first seat.

    Where nobody ties, both ways of counting ties are one row.
    """
    rows = []
    for case in tried_fairness.CASES:
        for ties in TIES if case.tied else TIES[:1]:
            cells = []
            for games in COUNTS[1:]:
                samples = runs if games < MANY else runs // 4
                covered, *said = tried_fairness.tried(case, ties, games, samples)
                cell = "; ".join(f"{100 * part:.1f}" for part in (covered, *said))
                cells.append(f"**{cell}**" if covered < LOW else cell)
            rows.append((str(case), ties if case.tied else "either", *cells))
    return markdown(["games", "`--ties`", *(f"{count:,}" for count in COUNTS[1:])], rows)


def gains(runs: int) -> str:
    """Return the table of duplicate gains; of fewer deals none is printed."""
    tried = [one for one in SCORES if one.kind != "constant"]
    lines = [(one.name, partial(tried_intervals.gains, one, 4)) for one in tried]
    return by_count(lines, [count for count in COUNTS if count >= LEAST_DEALS], runs)


def ratings(runs: int) -> str:
    """Return the table of ratings."""
    lines = [(name, partial(tried_intervals.ratings, name)) for name in tried_intervals.DESIGNS]
    return by_count(lines, COUNTS[:-1], runs)


def families(runs: int) -> str:
    """Return the table of what holds for all effects of a family together."""
    rows = []
    for population in SCORES:
        found = [tried_intervals.families(population, count, runs) for count in COUNTS[1:]]
        cells = [f"{100 * held:.1f}, {100 * wrong:.1f}" for held, wrong in found]
        bold = [f"**{cell}**" if pair[0] < LOW else cell
                for cell, pair in zip(cells, found, strict=True)]  # fmt: skip
        rows.append((population.name, *bold))
    return markdown(["values", *(f"{count:,}" for count in COUNTS[1:])], rows)


def ranks(runs: int) -> str:
    """Return the table of wrong ranks of equal bots."""
    rows = [
        (
            f"{bots} bots",
            *(f"{100 * wrong_ranges(bots, games, runs):.1f}" for games in COUNTS[1:-1]),
        )
        for bots in (4, 8)
    ]
    return markdown(["", *(f"{count} games" for count in COUNTS[1:-1])], rows)


def sequential(runs: int) -> str:
    """Return the table of sequential tests."""
    head = (
        "values", "H1 - H0", "bound", "H0 true", "H1 true", "deals",
        "ratio: H0 true", "H1 true", "deals",
    )  # fmt: skip
    return markdown(head, tried_tests.table(runs))


def orders(runs: int) -> str:
    """Return the table of how identical players fare beside strange ones."""
    head = ("contest", "balanced", "missed", "rotations", "missed")
    return markdown(head, tried_orders.table(runs))


TABLES: dict[str, Callable[[int], str]] = {
    "scores": lambda runs: covered(mean_interval, (*SCORES, RAREST), runs),
    "betting": lambda runs: betting(runs // 4),
    "shares": lambda runs: covered(share_interval, SHARES, runs),
    "sequential": lambda runs: sequential(runs // 8),
    "heuristics": lambda runs: heuristics(runs // 4),
    "fairness": lambda runs: fairness(runs // 8),
    "gains": lambda runs: gains(runs // 4),
    "ratings": lambda runs: ratings(runs // 20),
    "families": lambda runs: families(runs // 4),
    "ranks": lambda runs: ranks(runs // 16),
    "orders": lambda runs: orders(runs // 40),
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
