"""Courses: a game as far as it has been played, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import GameError
from cardwright.table.checkpoints import Checkpoints

if TYPE_CHECKING:
    from cardwright.game.wording.naming import PeopleNamer
    from cardwright.table.referee import Ply, Referee


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
