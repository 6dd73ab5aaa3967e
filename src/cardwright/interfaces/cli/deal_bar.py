"""The display of a running contest: a bar with deals and time left, and the standings so far."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cardwright.english import percent
from cardwright.interfaces.cli.progress import progress_bar, so_far

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

    from cardwright.arena.live import LiveStanding
    from cardwright.arena.results import Results


class Display(NamedTuple):
    """Callbacks for a contest: deals finished, of how many; and results as they arrive.

    `watch` is None if nothing is displayed.
    """

    tell: Callable[[int, int], None]
    watch: Callable[[Results], None] | None


@contextmanager
def deal_bar(
    deals: int, tables: int, names: Sequence[str], seats: int, *, shown: bool
) -> Iterator[Display]:
    """Show the progress of a contest of these entrants on the standard error; yield its callbacks.

    The rate is in games, of which a deal has one per table. Deals that were there at the start,
    because the contest was resumed, do not count for it. Raises MissingExtraError if a library for
    the standings is missing.
    """
    if not shown:
        yield Display(lambda _done, _total: None, None)
        return
    from cardwright.arena.live import LiveStandings

    standings = LiveStandings(len(names), seats)
    told = threading.Lock()  # the screen is drawn by a separate thread

    def below(console: Console) -> Table:
        with told:
            rows = standings.best_first()
        return standings_table(rows, names, console)

    def watch(results: Results) -> None:
        with told:
            standings.add(results)

    with progress_bar(
        "deals", deals, shown=True, rate="games a second", games=tables, below=below
    ) as tell:
        yield Display(tell, watch)


def standings_table(
    standings: Sequence[LiveStanding], names: Sequence[str], console: Console
) -> Table:
    """Return the standings of as many entrants, in order, as the console has lines for."""
    between = _plus_or_minus(console)

    def cells(row: LiveStanding) -> tuple[str, ...]:
        return (
            names[row.entrant],
            f"{row.games:,}",
            "-" if row.score is None else f"{row.score:,.2f}",
            "-" if row.win is None else percent(row.win),
            f"{row.mu:.1f} {between} {2 * row.sigma:4.1f}",
        )

    titles = ("games", "score", "share of wins", f"OpenSkill {between} 2 sigma")
    return so_far(console, titles, standings, cells)


def _plus_or_minus(console: Console) -> str:
    try:
        "±".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return "+/-"
    return "±"
