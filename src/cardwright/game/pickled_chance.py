"""States whose chance is taken by hand, as they are pickled: how they began, and their steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.chance_board import ChanceBoard, by_hand
from cardwright.game.chance_information import ChanceInformation
from cardwright.game.chance_memory import ChanceMemory
from cardwright.game.chance_state import ChanceState
from cardwright.game.errors import CardwrightError, UnreadablePickleError
from cardwright.game.information import ImaginedFor
from cardwright.game.memory import Origin
from cardwright.interpreter.world import content_of_world, world_with

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.game.history import SeenDecision
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.recalled import SeenSoFar
    from cardwright.interpreter.world import WorldContent


@dataclass(frozen=True)
class _Imagined:
    """How a determinised state began.

    `choices` are those of the true game, and `scores` those of a game that was over; `origin` is
    the world before its options were found, with what its seat knew and had seen, if it was made
    for what the seat knows. `seat` is that for which it was made in any case, and `seen` what all
    seats had seen.
    """

    world: WorldContent
    choices: tuple[int, ...]
    scores: tuple[int, ...] | None
    seat: int
    seen: SeenSoFar
    origin: tuple[WorldContent, Knowledge, tuple[SeenDecision, ...]] | None


@dataclass(frozen=True)
class PickledChance:
    """A state whose chance is taken by hand, as plain values, and its game."""

    game: Game
    steps: tuple[int, ...]
    imagined: _Imagined | None
    pending: tuple[int, ...]

    @classmethod
    def of(cls, state: ChanceState) -> PickledChance:
        """Return a state to be pickled."""
        return cls(state.game, tuple(state._steps), _imagined(state), state.pending)

    def state(self) -> ChanceState:
        """Return the state again; raises UnreadablePickleError if this is damaged."""
        try:
            state = self._beginning()
            for step in self.steps:
                if step >= 0:
                    state.play(step)
                else:
                    state.take_chance(-1 - step)
        except CardwrightError as error:
            raise UnreadablePickleError(f"the pickle is damaged: {error}") from None
        state._pending = self.pending
        return state

    def _beginning(self) -> ChanceState:
        found = self.imagined
        if found is None:
            return ChanceState.start(self.game, self.game._rules)
        state = ChanceState(self.game, _board(self.game, found.world))
        state.choices = list(found.choices)
        if found.origin is not None:
            world, knowledge, record = found.origin
            origin = Origin(_board(self.game, world), knowledge, record, len(found.choices))
            state._memory = ChanceMemory(self.game.limits, origin=origin)
        if found.scores is None:
            state.advance()
        else:
            state._scores = list(found.scores)
        state.begin_here()
        imagined = ImaginedFor(found.seat, None, known=found.seen)
        state._information = ChanceInformation(self.game, None, state._beginning, imagined)
        return state


def loaded(pickled: PickledChance) -> ChanceState:
    """Return a state that was pickled."""
    return pickled.state()


def _imagined(state: ChanceState) -> _Imagined | None:
    if state._beginning is None:
        return None
    begin, made = state._beginning
    board = begin()
    assert isinstance(board, ChanceBoard)
    scores = state._scores if board.finished else None
    assert state._information is not None
    imagined = state._information.imagined
    assert imagined is not None
    origin = None
    if state._memory is not None and state._memory.origin is not None:
        known = state._memory.origin
        origin = content_of_world(known.board.world()), known.knowledge, known.record
    return _Imagined(
        content_of_world(board.rest),
        tuple(state.choices[:made]),
        None if scores is None else tuple(scores),
        imagined.seat,
        imagined.seen(len(state.choices)),
        origin,
    )


def _board(game: Game, content: WorldContent) -> ChanceBoard:
    """Return a board with a content, not yet advanced; raises UnreadablePickleError."""
    try:
        world = world_with(game._rules, content)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadablePickleError(f"the pickle is damaged: {error!r}") from None
    return ChanceBoard.at(by_hand(world), game.limits)
