"""The progress of a search: how far it is, how fast, and what was found."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console
    from rich.table import Table

    from cardwright.evolution.progress import EvolutionProgress

SEARCHING, AGAIN = "searching", "measuring again"


@contextmanager
def search_bar(*, shown: bool) -> Iterator[Callable[[EvolutionProgress], object]]:
    """Show the progress of a search on the standard error; yield what is told of it.

    Candidates that were there at the start, as the search was resumed, do not count for the rate.
    """
    last: EvolutionProgress | None = None
    told = threading.Lock()  # the screen is drawn by a separate thread

    def below(_console: Console) -> Table | None:
        with told:
            return None if last is None else found_table(last)

    with progress_bar("candidates", shown=shown, rate="candidates a second", below=below) as show:

        def tell(now: EvolutionProgress) -> None:
            nonlocal last
            with told:
                last = now
            show(now.done, now.total, AGAIN if now.final else SEARCHING)

        yield tell


def found_table(now: EvolutionProgress) -> Table:
    """Return what a search has found so far."""
    from rich.table import Table

    from cardwright.interfaces.cli.tables import table_box

    table = Table(box=table_box(), header_style="bold")
    for title in ("measured", "elites", "best score"):
        table.add_column(title, justify="right", no_wrap=True)
    best = "-" if now.best is None else f"{now.best:,.3f}"
    table.add_row(f"{now.measured:,}", f"{now.elites:,}", best)
    return table
