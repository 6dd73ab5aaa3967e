"""The log: what has happened, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.interfaces.play.screen.card_face import Faces
    from cardwright.table.account import Event


class Log:
    """Makes the lines of a game, each event's only once; what is undone is dropped."""

    def __init__(self, names: tuple[str, ...], faces: Faces) -> None:
        self._names = names
        self._faces = faces
        self._told = 0
        self._last: Event | None = None
        self._lines: list[str] = []

    def lines(self, opening: Sequence[str], events: Sequence[Event]) -> tuple[str, ...]:
        """Return what happened, one sentence per line, the earliest first."""
        # After moves were undone, all events of the game are new objects.
        if not 0 < self._told <= len(events) or events[self._told - 1] is not self._last:
            self._told = 0
            self._lines = list(map(self._faces.words, opening))
        for event in events[self._told :]:
            self._lines += self._of(event)
            self._last = event
        self._told = len(events)
        return tuple(self._lines)

    def _of(self, event: Event) -> Iterator[str]:
        assert event.seat is not None
        yield f"{self._names[event.seat]} {self._faces.words(event.words)}"
        for change in event.told:
            yield f"  {self._faces.words(change)}"
