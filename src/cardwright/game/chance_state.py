"""States of games whose chance is taken by hand."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from cardwright.game.chance import Chance
from cardwright.game.chance_board import ChanceBoard
from cardwright.game.chance_memory import ChanceMemory
from cardwright.game.errors import ChanceError, UndoError
from cardwright.game.past import Past
from cardwright.game.state import State

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import SupportsIndex

    from cardwright.game.board import Board
    from cardwright.game.decision_actions import DecisionActions
    from cardwright.game.game import Game
    from cardwright.game.information import Information
    from cardwright.game.memory import StateMemory
    from cardwright.game.option import Option
    from cardwright.interpreter.machine import Rules


class ChanceState(State):
    """A game in play in which every random draw is taken by hand; see `Game.start_chance`.

    It has no seed. While a draw is due no seat decides, and the game cannot be looked at.
    """

    __slots__ = ("_steps",)

    _board: ChanceBoard

    def __init__(self, game: Game, board: Board, seed: int | None = None) -> None:
        """Take over a board that is not advanced yet."""
        super().__init__(game, board, seed)
        self._steps: list[int] = []

    @classmethod
    def start(cls, game: Game, rules: Rules) -> ChanceState:
        """Start a game and run it to its first draw or decision; raises GameError."""
        state = cls(game, ChanceBoard.start(rules, game.limits))
        state.advance()
        return state

    @property
    def chance(self) -> Chance | None:
        """The draw that is due; None if a seat has to decide, or the game is over."""
        draw = self._board.draw
        return None if draw is None else Chance(self.game, draw)

    def take_chance(self, outcome: SupportsIndex) -> None:
        """Take an outcome of the draw that is due, by number, and run on.

        Raises ChanceError if no draw is due, or it has no such outcome, and GameError if the game
        then breaks a rule of the language.
        """
        number = operator.index(outcome)
        draw = self._board.draw
        if draw is None:
            raise ChanceError("no draw is due")
        if not 0 <= number < len(draw.items):
            raise ChanceError(
                f"there is no outcome {number}: they are numbered 0 to {len(draw.items) - 1}"
            )
        self._step(-1 - number)

    def play(self, option: Option | int | str) -> None:
        """Carry out an option and run to the next draw or decision; see `State.play`."""
        self._check_drawn()
        index = self._index(option)
        self.choices.append(index)
        self._step(index)

    def _step(self, step: int) -> None:
        if self._past is None:
            self._past = Past(self._board.snapshot(), 0)
        self._past.keep(len(self._steps), self._board)
        self._steps.append(step)
        self._run(step)

    def undo(self, count: SupportsIndex = 1) -> None:
        """Take back the last steps, each a choice or the outcome of a draw.

        Raises UndoError for more than there were since the state began, and ValueError for a
        negative count.
        """
        number = operator.index(count)
        self._pending = ()
        if number < 0:
            raise ValueError(f"{number} steps cannot be taken back")
        made = len(self._steps)
        if number > made:
            raise UndoError(f"{made} steps have been made: {number} cannot be taken back")
        if number == 0:
            return
        assert self._past is not None
        kept, dropped = self._steps[:-number], self._steps[-number:]
        self._board = self._past.board_after(kept)  # type: ignore[assignment]
        self._steps = kept
        del self.choices[len(self.choices) - sum(step >= 0 for step in dropped) :]
        self._options = self._scores = self._coded = None
        if self._memory is not None:
            self._memory = self._memory.rewound()
        if self._information is not None:
            self._information.rewind(len(kept))

    def undo_action(self) -> None:
        """Take back the last action, and with it the outcomes that came after it; see `State`."""
        if not self._pending:
            drawn = 0
            while drawn < len(self._steps) and self._steps[-1 - drawn] < 0:
                drawn += 1
            if drawn == len(self._steps):
                raise UndoError("no action has been made that could be taken back")
            # What is left to take back is the choice itself.
            choice = self._steps[-1 - drawn]
            self.undo(drawn + 1)
            self._pending = self._actions().codes[choice]
        self._pending = self._pending[:-1]

    def copy(self) -> ChanceState:
        """Return an independent state, which shares what both have been through."""
        state = super().copy()
        assert isinstance(state, ChanceState)
        state._steps = self._steps.copy()
        return state

    def position(self) -> Hashable:
        """Return a key of the state, with what is drawn of it; equal states have equal keys."""
        return self._board.key()

    def _check_drawn(self) -> None:
        if self._board.draw is not None:
            raise ChanceError("a draw is due: take its outcome first (take_chance)")

    def _actions(self) -> DecisionActions:
        self._check_drawn()
        return super()._actions()

    def _remembered(self) -> StateMemory:
        self._check_drawn()
        memory = self._memory
        if not isinstance(memory, ChanceMemory):
            if memory is None:
                memory = super()._remembered()
            memory = self._memory = ChanceMemory.of(memory, started=self._beginning is None)
        memory.steps = self._steps
        return memory

    def _informed(self) -> Information:
        if self._information is None:
            from cardwright.game.chance_information import ChanceInformation

            self._information = ChanceInformation(self.game, None, self._beginning)
        return self._information

    def _past_steps(self) -> list[int]:
        self._check_drawn()
        return self._steps

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game, what the state began as, and its steps."""
        from cardwright.game.pickled_chance import PickledChance, loaded

        return loaded, (PickledChance.of(self),)

    def __repr__(self) -> str:
        if self._board.draw is None:
            return super().__repr__().replace("seed None", "by hand")
        return f"<State of {self.game.name}, by hand, {len(self.choices)} chosen, a draw is due>"
