"""A progress bar for jobs of many games."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_REFRESH = 0.1


@contextmanager
def progress(games: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar on the standard error; give a function that is told how many games are played."""
    if not shown:
        yield lambda _played: None
        return
    from rich.console import Console  # noqa: PLC0415 - heavy
    from rich.progress import (  # noqa: PLC0415 - heavy
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, left"),
        TimeRemainingColumn(),
    )
    due = 0.0
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("playing", total=games)

        def tell(played: int) -> None:
            nonlocal due
            if (now := time.monotonic()) >= due:
                bar.update(task, completed=played)
                due = now + _REFRESH

        yield tell
