"""What a contest shows while it runs: a bar with deals and time left, and the standings so far."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

    from cardwright.arena.live import LiveStanding
    from cardwright.arena.results import Results

_A_SECOND = 4
"""How often the screen is drawn anew."""
_NAME_ROOM = 12
"""Columns that a name keeps, however narrow the screen is."""
_AROUND = 6
"""Lines of a screen that are not the standings of entrants."""


class Display(NamedTuple):
    """What is to be told of a contest: deals finished, of how many; and results as they come.

    `watch` is None if nobody looks.
    """

    tell: Callable[[int, int], None]
    watch: Callable[[Results], None] | None


@contextmanager
def deal_bar(
    deals: int, tables: int, names: Sequence[str], seats: int, *, shown: bool
) -> Iterator[Display]:
    """Show how a contest of these entrants goes on, on the standard error; give what to tell.

    The rate is of games, of which a deal has one a table. Deals that are there from the beginning,
    because the contest was resumed, do not count for it. Raises MissingExtraError if a library for
    the standings is missing.
    """
    if not shown:
        yield Display(lambda _done, _total: None, None)
        return
    from rich.console import Console, Group  # noqa: PLC0415 - heavy
    from rich.live import Live  # noqa: PLC0415 - heavy

    from cardwright.arena.live import LiveStandings  # noqa: PLC0415 - numpy is heavy
    from cardwright.interfaces.cli.rate_bar import RateBar  # noqa: PLC0415 - loads rich

    standings = LiveStandings(len(names), seats)
    console = Console(file=sys.stderr)
    rated = RateBar(deals, tables, console)
    told = threading.Lock()  # the screen is drawn by a thread of its own

    def picture() -> Group:
        with told:
            rows = standings.best_first()
        return Group(rated.bar, standings_table(rows, names, console))

    with Live(
        get_renderable=picture, console=console, transient=True, refresh_per_second=_A_SECOND
    ):

        def watch(results: Results) -> None:
            with told:
                standings.add(results)

        yield Display(rated.tell, watch)


def standings_table(
    standings: Sequence[LiveStanding], names: Sequence[str], console: Console
) -> Table:
    """Return the standings of as many entrants, in their order, as the console has lines for."""
    from rich.table import Table  # noqa: PLC0415 - heavy
    from rich.text import Text  # noqa: PLC0415 - heavy

    from cardwright.interfaces.cli.tables import table_box  # noqa: PLC0415 - loads rich

    between = _plus_or_minus(console)
    table = Table(box=table_box(), header_style="bold")
    table.add_column("so far", min_width=_NAME_ROOM)
    for title in ("games", "score", "share of wins", f"OpenSkill {between} 2 sigma"):
        table.add_column(title, justify="right", no_wrap=True)
    room = max(3, console.height - _AROUND)
    left = len(standings) - room if len(standings) > room else 0
    for row in standings[: len(standings) - left]:
        table.add_row(
            Text(printable(names[row.entrant]), no_wrap=True, overflow="ellipsis"),
            f"{row.games:,}",
            "-" if row.score is None else f"{row.score:,.2f}",
            "-" if row.win is None else f"{100 * row.win:.1f} %",
            f"{row.mu:.1f} {between} {2 * row.sigma:4.1f}",
        )
    if left:
        table.add_row(Text(f"... {left} more", no_wrap=True))
    return table


def _plus_or_minus(console: Console) -> str:
    try:
        "±".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return "+/-"
    return "±"
