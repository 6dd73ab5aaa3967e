"""States as they are pickled: the board as it is, and what else is known of the state.

What seats know and boards for `undo` are not pickled: they are worked out again, from the seed or
from where a determinised state began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.board_content import board_with, content_of_board
from cardwright.game.memory import Origin, StateMemory
from cardwright.game.state import State

if TYPE_CHECKING:
    from cardwright.game.board_content import BoardContent
    from cardwright.game.game import Game
    from cardwright.game.history import SeenDecision
    from cardwright.game.knowledge import Knowledge


@dataclass(frozen=True)
class PickledOrigin:
    """The origin of a state that was determinised in mode `consistent`; see `Origin`."""

    board: BoardContent
    knowledge: Knowledge
    record: tuple[SeenDecision, ...]
    choices: int

    @classmethod
    def of(cls, origin: Origin) -> PickledOrigin:
        """Return an origin to be pickled."""
        what, _ = content_of_board(origin.board)  # it was never advanced: its options are not known
        return cls((what, 0), origin.knowledge, origin.record, origin.choices)

    def origin(self, game: Game) -> Origin:
        """Return the origin again."""
        return Origin(board_with(game, self.board), self.knowledge, self.record, self.choices)


@dataclass(frozen=True)
class PickledState:
    """A state as plain values, and its game.

    `beginning` is how far back `undo` goes, if not to the first decision: the board there, and how
    many choices had been made.
    """

    game: Game
    seed: int | None
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    board: BoardContent
    beginning: tuple[BoardContent, int] | None
    origin: PickledOrigin | None

    @classmethod
    def of(cls, state: State) -> PickledState:
        """Return a state to be pickled."""
        begun, memory = state._beginning, state._memory
        return cls(
            state.game,
            state.seed,
            tuple(state.choices),
            None if state._scores is None else tuple(state._scores),
            content_of_board(state._board),
            None if begun is None else (content_of_board(begun[0]()), begun[1]),
            PickledOrigin.of(memory.origin) if memory and memory.origin else None,
        )

    def state(self) -> State:
        """Return the state again; raises UnreadablePickleError if this is damaged."""
        state = State(self.game, board_with(self.game, self.board), self.seed)
        state.choices = list(self.choices)
        state._scores = None if self.scores is None else list(self.scores)
        if self.beginning is not None:
            board, made = self.beginning
            state._beginning = board_with(self.game, board).snapshot(), made
        if self.origin is not None:
            origin = self.origin.origin(self.game)
            state._memory = StateMemory(self.game.limits, origin=origin)
        return state
