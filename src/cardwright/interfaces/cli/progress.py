"""Progress bars on the standard error for all long work, with the time left."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from cardwright.english import counted
from cardwright.interfaces.cli.text import printable
from cardwright.jobs.long_steps import long_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from rich.console import Console
    from rich.progress import TaskID
    from rich.table import Table

    Below: TypeAlias = Callable[[Console], Table | None]

Row = TypeVar("Row")

PLAYING = "playing"

_A_SECOND = 4
"""How often per second the screen is redrawn."""
_REFRESH = 0.1
"""Seconds between two updates of a bar: there may be a hundred thousand reports a second."""
_FAST = 100
"""Games a second from which tenths are not shown."""
_NAME_ROOM = 12
"""Columns that a name keeps, however narrow the screen is."""
_MOST_THINKING = 3
"""Lines about players that think for long."""
_AROUND = 6
"""Lines of a screen that are not rows of a table."""


class TellProgress(Protocol):
    """A callback that is given how much is done, and of how much: by default of as much as before.

    Each label has a bar of its own; full bars disappear when another begins.
    """

    def __call__(self, done: int, total: int | None = None, label: str = PLAYING) -> None:
        """Show this progress."""


@contextmanager
def progress_bar(
    counted: str = "",
    total: int | None = None,
    *,
    shown: bool,
    rate: str = "",
    games: int = 1,
    below: Below | None = None,
) -> Iterator[TellProgress]:
    """Show a bar up to `total`, or a bar per label if that is not given; yield the callback.

    `counted` is what is done, such as "deals", each of which has `games` games; the rate of these
    is shown if `rate` is given, such as "games a second". `below` returns a table that is shown
    under the bar. Above it is said who has been thinking for long.
    """
    if not shown:
        yield lambda done, total=None, label="": None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console = Console(file=sys.stderr)
    bars = _Bars(counted, rate, games, console)
    if total is not None:
        bars.begin(total, PLAYING)

    def picture() -> Group:
        table = None if below is None else below(console)
        thinking = [Text(line, "yellow", overflow="fold") for line in thinking_lines()]
        return Group(*thinking, bars.drawn, *([] if table is None else [table]))

    with Live(
        get_renderable=picture, console=console, transient=True, refresh_per_second=_A_SECOND
    ):
        yield bars.tell


def thinking_lines() -> list[str]:
    """Return lines that say who has been thinking for long, those who have longest first."""
    steps = long_steps()
    lines = [
        printable(
            f"{step.who} has been thinking for {step.seconds:.0f} s"
            + (f" ({step.where})" if step.where else "")
        )
        for step in steps[:_MOST_THINKING]
    ]
    more = len(steps) - len(lines)
    return [*lines, f"... and {counted(more, 'player')} more"] if more else lines


class _Bars:
    """A bar for each label. What is done at the first call does not count for the rate."""

    def __init__(self, counted: str, rate: str, games: int, console: Console) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.drawn = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[words]}left", markup=False),
            TimeRemainingColumn(),
            console=console,
        )
        self._counted = f"{counted}, " if counted else ""
        self._rate = rate
        self._games = games
        self._tasks: dict[str, TaskID] = {}
        self._begun: dict[str, tuple[float, int]] = {}
        self._due = 0.0

    def begin(self, total: int | None, label: str) -> None:
        """Show an empty bar, and remove full ones."""
        for task in self.drawn.tasks:
            self.drawn.update(task.id, visible=not task.finished)
        self._tasks[label] = self.drawn.add_task(label, total=total, words=self._words("-"))

    def tell(self, done: int, total: int | None = None, label: str = PLAYING) -> None:
        """Show how much is done, but not more often than can be seen."""
        now = time.monotonic()
        if label not in self._tasks:
            self.begin(total, label)
        first, before = self._begun.setdefault(label, (now, done))
        if now < self._due and done not in (before, total):
            return
        self._due = now + _REFRESH
        words = self._words(_a_second(self._games * (done - before), now - first))
        self.drawn.update(self._tasks[label], completed=done, total=total, words=words)

    def _words(self, speed: str) -> str:
        return f"{self._counted}{speed} {self._rate}, " if self._rate else self._counted


def _a_second(played: int, seconds: float) -> str:
    if not played or seconds <= 0:
        return "-"
    speed = played / seconds
    return f"{speed:,.{0 if speed >= _FAST else 1}f}"


def so_far(
    console: Console,
    titles: Sequence[str],
    ranked: Sequence[Row],
    cells: Callable[[Row], Sequence[str]],
) -> Table:
    """Return a table of the first rows, as many as the console has lines for.

    `cells` returns a row: a name, then the values below the titles.
    """
    from rich.text import Text

    from cardwright.interfaces.cli.tables import new_table

    table = new_table("so far", numbers=titles, min_width=_NAME_ROOM)
    room = max(3, console.height - _AROUND)
    for row in ranked[:room]:
        name, *rest = cells(row)
        table.add_row(Text(printable(name), no_wrap=True, overflow="ellipsis"), *rest)
    if len(ranked) > room:
        table.add_row(Text(f"... {len(ranked) - room} more", no_wrap=True))
    return table
