"""States as they are pickled: the board as it is, and what else is known of the state.

What seats know and boards for `undo` are not pickled: they are worked out again, from the seed or
from where a determinised state began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.board_content import board_with, content_of_board
from cardwright.game.information import ImaginedFor, Information
from cardwright.game.memory import Origin, StateMemory
from cardwright.game.state import State

if TYPE_CHECKING:
    from cardwright.game.board_content import BoardContent
    from cardwright.game.game import Game
    from cardwright.game.history import SeenDecision
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.past import Snapshot
    from cardwright.game.recalled import Recalled, SeenSoFar


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
class PickledSource:
    """Where the keys of a determinised state come from; see `ImaginedFor`.

    That is the seat for which it was made, and of the state that was determinised its seed, or its
    beginning and its own source.
    """

    seat: int
    steps: tuple[int, ...]
    known: SeenSoFar | None
    seed: int | None = None
    beginning: tuple[BoardContent, int] | None = None
    source: PickledSource | None = None
    recalled: tuple[Recalled, ...] = ()

    @classmethod
    def of(cls, information: Information | None) -> PickledSource | None:
        """Return the source of a state's information to be pickled, if it has one."""
        if information is None or information.imagined is None:
            return None
        imagined = information.imagined
        seat, source, steps = imagined.seat, imagined.source, imagined.steps
        if source is None:
            return cls(seat, steps, imagined.known)
        begun, inner = _content_at(source.beginning), cls.of(source)
        return cls(seat, steps, None, source.seed, begun, inner, source.recalled)

    def imagined(self, game: Game) -> ImaginedFor:
        """Return the source again."""
        if self.known is not None:
            return ImaginedFor(self.seat, None, self.steps, self.known)
        inner = None if self.source is None else self.source.imagined(game)
        beginning = _beginning_with(game, self.beginning)
        source = Information(game, self.seed, beginning, inner, self.recalled)
        return ImaginedFor(self.seat, source, self.steps)


def _content_at(beginning: tuple[Snapshot, int] | None) -> tuple[BoardContent, int] | None:
    return None if beginning is None else (content_of_board(beginning[0]()), beginning[1])


def _beginning_with(
    game: Game, beginning: tuple[BoardContent, int] | None
) -> tuple[Snapshot, int] | None:
    if beginning is None:
        return None
    board, made = beginning
    return board_with(game, board).snapshot(), made


@dataclass(frozen=True)
class PickledState:
    """A state as plain values, and its game.

    `pending` are the actions made so far of the decision that is due. `beginning` is how far back
    `undo` goes, if not to the first decision: the board there, and how many choices had been made.
    """

    game: Game
    seed: int | None
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    board: BoardContent
    beginning: tuple[BoardContent, int] | None
    origin: PickledOrigin | None
    source: PickledSource | None
    recalled: tuple[Recalled, ...]
    pending: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> PickledState:
        """Return a state to be pickled."""
        memory = state._memory
        return cls(
            state.game,
            state.seed,
            tuple(state.choices),
            None if state._scores is None else tuple(state._scores),
            content_of_board(state._board),
            _content_at(state._beginning),
            PickledOrigin.of(memory.origin) if memory and memory.origin else None,
            PickledSource.of(state._information),
            () if state._information is None else state._information.recalled,
            state.pending,
        )

    def state(self) -> State:
        """Return the state again; raises UnreadablePickleError if this is damaged."""
        state = State(self.game, board_with(self.game, self.board), self.seed)
        state.choices = list(self.choices)
        state._scores = None if self.scores is None else list(self.scores)
        state._beginning = _beginning_with(self.game, self.beginning)
        if self.origin is not None:
            origin = self.origin.origin(self.game)
            state._memory = StateMemory(self.game.limits, origin=origin)
        if self.source is not None or self.recalled:
            imagined = None if self.source is None else self.source.imagined(self.game)
            begun = state._beginning
            state._information = Information(self.game, None, begun, imagined, self.recalled)
        state._pending = self.pending
        return state
