"""Chance by hand: random draws that are asked for one by one, instead of taken from a seed.

The rules run as always, in a `ScriptedRun`: its script has the outcomes of its first draws. The
first draw that the script does not have raises DrawDueError; to go on, the rules are run again from
the same world, with one more outcome in the script. What is drawn has the distribution of ordinary
play: see `chance_stream` for what comes from the stream, and `undrawn` for shuffled piles.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.program.cards import Location


class Draw(NamedTuple):
    """A draw that is due: what may come, numbers or cards, and the weight of each.

    A card is drawn for a position, or from several that tie. `size` is how many cards lie where the
    position is, 0 for a tie; `at` counts from the bottom, and `place` is None for a group.
    """

    items: tuple[int, ...]
    weights: tuple[int, ...]
    cards: bool = False
    place: Location | None = None
    at: int = 0
    size: int = 0


class DrawDueError(Exception):
    """The rules have come to a draw that their script does not have."""

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw)
        self.draw = draw


class ScriptedRun:
    """One run of the rules, with a script of the outcomes of its draws."""

    __slots__ = ("_script", "_taken")

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self._taken = 0

    def take(self, draw: Draw) -> int:
        """Return the outcome of a draw, by number; raises DrawDueError where the script ends.

        What has only one outcome is not asked for.
        """
        if len(draw.items) == 1:
            return 0
        if self._taken == len(self._script):
            raise DrawDueError(draw)
        self._taken += 1
        return self._script[self._taken - 1]


_RUN: ContextVar[ScriptedRun | None] = ContextVar("run", default=None)


def current() -> ScriptedRun | None:
    """Return the run that is under way, if there is one."""
    return _RUN.get()


@contextmanager
def running(run: ScriptedRun | None) -> Iterator[None]:
    """Let a run answer the draws meanwhile, or none: then looking at cards draws nothing."""
    token = _RUN.set(run)
    try:
        yield
    finally:
        _RUN.reset(token)
