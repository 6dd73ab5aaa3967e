"""What an experiment shows while it runs: a bar with deals and the time that is left."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def lab_bar(deals: int, games: int, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on the standard error; give what is told how many deals, of how many, are done.

    The rate is of games, of which a deal has so many. Deals that are there from the beginning do
    not count for it.
    """
    if not shown:
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - heavy
    from rich.progress import (  # noqa: PLC0415 - heavy
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    begun: tuple[float, int] | None = None
    with Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("deals, {task.fields[rate]} games a second, left"),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    ) as bar:
        task = bar.add_task("playing", total=deals, rate="-")

        def tell(done: int, total: int) -> None:
            nonlocal begun
            now = time.monotonic()
            if begun is None:
                begun = now, done
            spent, played = now - begun[0], done - begun[1]
            rate = f"{played * games / spent:,.0f}" if spent > 0 and played else "-"
            bar.update(task, completed=done, total=total, rate=rate)

        yield tell
