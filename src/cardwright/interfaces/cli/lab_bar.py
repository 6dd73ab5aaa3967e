"""What an experiment shows while it runs: a bar with deals and the time that is left."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def lab_bar(deals: int, games: int, *, shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on the standard error; give what is told how many deals, of how many, are done.

    A deal has so many games.
    """
    if not shown:
        yield lambda _done, _total: None
        return
    from rich.console import Console  # noqa: PLC0415 - heavy

    from cardwright.interfaces.cli.rate_bar import RateBar  # noqa: PLC0415 - loads rich

    rated = RateBar(deals, games, Console(file=sys.stderr))
    with rated.bar:
        yield rated.tell
