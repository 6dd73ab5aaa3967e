"""Checkpoints: copies of a referee along a game, from which any earlier decision is soon found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.table.referee import Referee

_EVERY = 32
"""Decisions between two copies."""


class Checkpoints:
    """Copies of a referee, the first one before any decision."""

    def __init__(self, referee: Referee) -> None:
        self.kept = [referee.copy()]

    def note(self, referee: Referee) -> None:
        """Keep a copy of a referee, if it is where the next one is due."""
        if referee.number == len(self.kept) * _EVERY:
            self.kept.append(referee.copy())

    def number(self, decision: int) -> int:
        """Return the decision of the last copy that is not after one."""
        return min(decision // _EVERY, len(self.kept) - 1) * _EVERY

    def before(self, decision: int) -> Referee:
        """Return an independent copy of the referee at that decision."""
        return self.kept[self.number(decision) // _EVERY].copy()

    def forget(self, decision: int) -> None:
        """Forget the copies after a decision."""
        del self.kept[decision // _EVERY + 1 :]
