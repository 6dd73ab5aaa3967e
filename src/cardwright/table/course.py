"""Courses: a game as far as it has been played, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import GameError

if TYPE_CHECKING:
    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.table.referee import Ply, Referee

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


class GameCourse:
    """A game with its referee, which can go back to any earlier decision.

    `deciders` are the seats that made the choices so far.
    """

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.deciders: list[int] = []
        self._checkpoints = Checkpoints(referee)

    @property
    def beginning(self) -> Referee:
        """The referee before the first decision; it must not change."""
        return self._checkpoints.kept[0]

    def rename(self, namer: PeopleNamer) -> None:
        """Put options into words by another namer."""
        for referee in (self.referee, *self._checkpoints.kept):
            referee.rename(namer)

    def choose(self, option: int) -> Ply:
        """Carry out an option and run to the next decision.

        Raises GameError if the game then breaks a rule: nothing has changed.
        """
        number = self.referee.number
        try:
            ply = self.referee.choose(option)
        except GameError:
            self._find(number)
            raise
        self.deciders.append(ply.seat)
        self._checkpoints.note(self.referee)
        return ply

    def moment(self) -> Referee:
        """Return another referee right after the last choice, before the rules went on."""
        *before, last = self.referee.choices
        referee = self._checkpoints.before(len(before))
        for choice in before[referee.number :]:
            referee.choose(choice)
        referee.lay(last)
        return referee

    def back(self, number: int) -> None:
        """Go back to the decision of a number, which is pending again."""
        self._find(number)
        del self.deciders[number:]

    def _find(self, number: int) -> None:
        choices = self.referee.choices[:number]
        self._checkpoints.forget(number)
        self.referee = self._checkpoints.before(number)
        for choice in choices[self.referee.number :]:
            self.referee.choose(choice)
