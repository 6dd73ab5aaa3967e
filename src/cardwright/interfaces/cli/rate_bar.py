"""A bar of deals that are played, with how many games a second that is, and the time left."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_FAST = 100
"""Games a second from which on tenths are not shown."""


class RateBar:
    """A bar for so many deals, of which each has so many games.

    Deals that are there from the beginning do not count for the rate. `bar` is what is drawn.
    """

    def __init__(self, deals: int, games: int, console: Console | None = None) -> None:
        from rich.progress import (  # noqa: PLC0415 - heavy
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.bar: Progress = Progress(
            TextColumn("playing"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("deals, {task.fields[rate]} games a second, left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._games = games
        self._task = self.bar.add_task("playing", total=deals, rate="-")
        self._begun: tuple[float, int] | None = None

    def tell(self, done: int, total: int) -> None:
        """Show that so many deals are done, of how many."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = now, done
        spent, played = now - self._begun[0], done - self._begun[1]
        rate = "-"
        if spent > 0 and played:
            a_second = played * self._games / spent
            rate = f"{a_second:,.{0 if a_second >= _FAST else 1}f}"
        self.bar.update(self._task, completed=done, total=total, rate=rate)
