"""What a season shows while it is played: a bar with its rate, and the leading bots."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from cardwright.interfaces.cli.tables import table_box
from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.league.standings import Standings

_A_SECOND = 4
_AROUND = 6
"""Lines of a screen that are not bots."""
_NAME_ROOM = 20


@contextmanager
def season_bar(games: int) -> Iterator[Callable[[int, Standings], None]]:
    """Show a bar and the standings; give what is told of games played, and of the standings.

    Games that are there at the first call, of a season that is resumed, do not count for the rate.
    """
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, {task.fields[rate]} a second, left"),
        TimeRemainingColumn(),
    )
    task = bar.add_task("playing", total=games, rate="-")
    console = Console(file=sys.stderr)
    begun: tuple[float, int] | None = None
    latest: Standings | None = None

    def picture() -> Group:
        return Group(bar) if latest is None else Group(bar, _table(latest, console))

    with Live(
        get_renderable=picture, console=console, transient=True, refresh_per_second=_A_SECOND
    ):

        def tell(done: int, standings: Standings) -> None:
            nonlocal begun, latest
            now = time.monotonic()
            begun = begun or (now, done)
            latest = standings
            spent, played = now - begun[0], done - begun[1]
            rate = f"{played / spent:,.1f}" if spent > 0 and played else "-"
            bar.update(task, completed=done, total=games, rate=rate)

        yield tell


def _table(standings: Standings, console: Console) -> Table:
    table = Table(box=table_box(), header_style="bold")
    table.add_column("so far", min_width=_NAME_ROOM)
    for title in ("games", "mean place", "points a game"):
        table.add_column(title, justify="right")
    ranked = standings.ranked()
    room = max(3, console.height - _AROUND)
    for one in ranked[:room]:
        name = Text(printable(one.entry.name), no_wrap=True, overflow="ellipsis")
        if one.games:
            cells = (f"{one.games:,}", f"{one.mean_place:.3f}", f"{one.points_a_game:.2f}")
        else:
            cells = ("0", "-", "-")
        table.add_row(name, *cells)
    if len(ranked) > room:
        table.add_row(Text(f"... {len(ranked) - room} more", no_wrap=True))
    return table
