"""What seats have seen in games whose chance is taken by hand: followers that know the outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from cardwright.game.chance_board import by_hand
from cardwright.game.followers import ReferenceFollower
from cardwright.game.information import Information
from cardwright.game.recalled import SeenSoFar
from cardwright.interpreter import machine
from cardwright.interpreter.chance import ChanceStream, ScriptedRun, running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.followers import GameFollower
    from cardwright.interpreter.effects import Effect


class ChanceFollower(ReferenceFollower):
    """A game as the interpreter follows it, whose steps are choices and outcomes of draws.

    Outcomes are negative, as those of `ChanceBoard`; they follow the choice that draws.
    """

    __slots__ = ()

    def after(self, choices: Sequence[int]) -> Self:
        """Return the game after some more steps, the first of which is a choice; raises Fault."""
        follower = self._copy()
        at = 0
        while at < len(choices):
            script = leading(choices[at + 1 :])
            with running(ScriptedRun(script)):
                follower._step(choices[at])
            at += 1 + len(script)
        return follower

    def begin(self, script: Sequence[int]) -> None:
        """Run a new game to its first decision by the outcomes of its first draws."""
        with running(ScriptedRun(script)):
            self._run_on()

    def _run_on(self) -> None:
        stream = self._world.stream
        assert isinstance(stream, ChanceStream)
        stream.settle()
        super()._run_on()

    def _watch(self, effect: Effect) -> None:
        with running(None):  # what is only reported is not drawn
            super()._watch(effect)


class ChanceInformation(Information):
    """The information of a state whose chance is taken by hand, after its steps."""

    __slots__ = ()

    def _begun(self, choices: Sequence[int]) -> tuple[int, GameFollower]:
        script = leading(choices)
        if self.beginning is not None:
            board = self.beginning[0]()
            for outcome in script:  # it began with draws, for options that were found anew
                board.play(-1 - outcome)
            return len(script), self._adopted(board)
        world = by_hand(machine.start(self.game._rules, 0))
        sightings = self.game._sightings
        seen = SeenSoFar(sightings.beginning)
        follower = ChanceFollower(sightings, self.game.limits, world, seen, self._room)
        follower.begin(script)
        return len(script), follower

    def _begin_at(self, board: Board, seen: SeenSoFar, others: Sequence[int]) -> GameFollower:
        return self._reference(ChanceFollower, board, seen, others)


def leading(steps: Sequence[int]) -> list[int]:
    """Return the outcomes with which some steps begin, counted from 0."""
    found: list[int] = []
    for step in steps:
        if step >= 0:
            break
        found.append(-1 - step)
    return found
