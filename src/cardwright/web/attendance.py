"""Attendance: who looks at a table, and since when somebody is away."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

POLLING = 20.0
"""Seconds for which somebody who has asked once counts as looking."""

_MOST = 100
"""How many pollers of a seat are counted: more make no difference."""


class Attendance:
    """Counts who looks at a table, from each seat and as spectators (None).

    `changed` is called when a seat is no longer empty, or empty again; `used` is when somebody was
    last there.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.used = time.monotonic()
        self._since = self.used
        self._changed = changed
        self._present: Counter[int | None] = Counter()
        self._left: dict[int | None, float] = {}

    @property
    def anybody(self) -> bool:
        """Whether anybody looks."""
        return self._present.total() > 0

    def here(self, seat: int) -> bool:
        """Return whether somebody looks from a seat."""
        return self._present[seat] > 0

    def away(self, seat: int) -> float | None:
        """Return for how many seconds nobody has been at a seat; None if somebody is."""
        if self.here(seat):
            return None
        return time.monotonic() - self._left.get(seat, self._since)

    @contextmanager
    def attended(self, seat: int | None) -> Iterator[None]:
        """Count somebody as looking."""
        self._come(seat)
        try:
            yield
        finally:
            self._go(seat)

    def attend_briefly(self, seat: int | None) -> None:
        """Count somebody as looking who asks now and then, until it should have asked again."""
        self.used = time.monotonic()
        if self._present[seat] < _MOST:
            self._come(seat)
            asyncio.get_running_loop().call_later(POLLING, self._go, seat)

    def _come(self, seat: int | None) -> None:
        self._present[seat] += 1
        if self._present[seat] == 1:
            self._changed()

    def _go(self, seat: int | None) -> None:
        self._present[seat] -= 1
        self.used = self._left[seat] = time.monotonic()
        if not self._present[seat]:
            self._changed()
