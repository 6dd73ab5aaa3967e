"""States: games in play, over any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.errors import IllegalOptionError
from cardwright.game.horizon import Horizon
from cardwright.game.knowledge import seen_by_all
from cardwright.game.memory import Origin, StateMemory
from cardwright.game.played import PlayedState
from cardwright.game.rollouts import Rollouts
from cardwright.game.view import View, view_of
from cardwright.interpreter.world import Fault
from cardwright.program.cards import Card, Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any

    from cardwright.game.fast_view import FastView, FastViewSpec
    from cardwright.game.flat import FlatTable, Trials
    from cardwright.game.followers import GameFollower
    from cardwright.game.history import SeenDecision
    from cardwright.game.information import Information
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.observation import Numbers, ObservationLayout
    from cardwright.game.pickled_state import PickledState
    from cardwright.game.search import SearchResult, SearchTask
    from cardwright.game.search_kept import KeptTree
    from cardwright.game.search_native import Playouts
    from cardwright.interpreter.stream import Stream


class State(PlayedState):
    """A game in play: the one thing of this package that changes.

    `seed` started it and `choices` are the indices chosen so far; a determinised state has no seed.
    States are equal if they will behave identically from here on, whatever engine plays them. The
    hash changes as the game is played, so a state must not be played on while it is a key.
    """

    __slots__ = ()

    # Looking ------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """Return what a seat sees; its options too, if it has to decide."""
        self._check_seat(seat)
        options = self.options() if seat == self.player else ()
        scores = tuple(self._scores) if self._scores is not None else None
        return view_of(self._board.world(), Seat(seat), self.player, options, scores)

    def observation(self, seat: int, layout: ObservationLayout | None = None) -> Numbers:
        """Return what a seat sees as numbers: see `Game.observation` for the columns.

        A layout with a history, which `Game.observation_layout` makes, has the latest choices too.
        Raises ValueError for the layout of another game, and GameError as `play` did.
        """
        from cardwright.game.observe import observe_board

        self._check_seat(seat)
        layout = self.game.checked_layout(layout)
        follower = self._recalling(layout.history) if layout.history else None
        return observe_board(self._board, layout, Seat(seat), follower)

    def fast_view(self, look: FastViewSpec) -> FastView:
        """Return the few things that `look` names, as its seat sees them: far faster than a view.

        Raises ValueError for the spec of another game.
        """
        if look.program is not self.game.program:
            raise ValueError(f"this fast view is not for {self.game.name}")
        return look.at(self._board)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.game.players:
            raise IllegalOptionError(
                f"there is no seat {seat}: they are numbered 0 to {self.game.players - 1}"
            )

    def locations(self) -> dict[Location, tuple[Card, ...]]:
        """Return all locations that have held a card, with their cards from bottom to top."""
        cards = self.game.program.cards
        return {
            pile.location: tuple(cards[card] for card in pile.cards)
            for pile in self._board.world().touched()
        }

    def cards(
        self, owner: int | None, kind: LocationKind | str, name: str, at: int = 0
    ) -> tuple[Card, ...]:
        """Return the cards of a location from bottom to top; `owner` is a seat, None the table."""
        program = self.game.program
        whose = program.table if owner is None else OwnerId(owner)
        location = Location(whose, LocationKind(kind), name, at)
        pile = self._board.world().piles.get(location)
        return tuple(program.cards[card] for card in pile.cards) if pile else ()

    def integer(self, owner: int | None, name: str) -> int:
        """Return a stored integer of a seat, or of the table (None); 0 if it was never set."""
        whose = self.game.program.table if owner is None else OwnerId(owner)
        return self._board.world().integers.get((whose, name), 0)

    def string(self, owner: int | None, name: str) -> str:
        """Return a stored string of a seat, or of the table (None); empty if it was never set."""
        whose = self.game.program.table if owner is None else OwnerId(owner)
        return self._board.world().strings.get((whose, name), "")

    def position(self) -> Hashable:
        """Return a key of the state without its random stream, the same over any engine.

        States that differ only in their random streams have the same position.
        """
        position = self._board.world().position()
        return (position, self._pending) if self._pending else position

    # Copies -------------------------------------------------------------------------------

    def copy(self) -> State:
        """Return an independent state that will continue in the same way."""
        state = type(self)(self.game, self._board.copy(), self.seed)
        state.choices = self.choices.copy()
        state._options = self._options
        state._scores = self._scores
        state._coded, state._pending = self._coded, self._pending
        if self._memory is not None:
            state._memory = self._memory.copy()
        if self._information is not None:
            state._information = self._information.copy()
        state._beginning = self._beginning
        if self._past is not None:
            state._past = self._past.copy()
        return state

    def __copy__(self) -> State:
        """Return an independent state, as `copy` does."""
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> State:
        """Return an independent state; the game does not change, and is the same."""
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game, the board as it is, and where the state comes from."""
        from cardwright.game.pickled_state import PickledState

        return _loaded, (PickledState.of(self),)

    def determinise(
        self, seat: int, stream: Stream, mode: KnowledgeMode | str = KnowledgeMode.BASIC
    ) -> State:
        """Return a state drawn from those that the seat cannot tell from this one.

        Hidden cards are dealt again from the stream, given what `mode` lets the seat know. Deals
        are uniform, in mode `consistent` approximately: see `compiler.kernels.consistent_worlds`.
        The options are rebuilt: where they depend on cards that no seat sees, they may differ.
        The actions made so far of the decision are kept for the seat that has to make it; others do
        not know them. Raises GameError where such a deal leaves a choice without options, and
        IllegalOptionError for a seat that does not exist.
        """
        self._check_seat(seat)
        if KnowledgeMode(mode) is KnowledgeMode.CONSISTENT:
            knowledge = self.knowledge(seat)
            board = self._board.worlds(knowledge, stream).next()
            state = type(self)(self.game, board, None)
            origin = Origin(board.copy(), knowledge, self.record(seat), len(self.choices))
            state._memory = StateMemory(self.game.limits, origin=origin)
        else:
            state = type(self)(
                self.game, self._board.determinise(seat, stream, KnowledgeMode(mode)), None
            )
        state.choices = self.choices.copy()
        if self.finished:
            state._scores = self._scores
        else:
            state.advance()
            if self._pending and seat == self.player and state._actions().leads(self._pending):
                state._pending = self._pending
        state.begin_here()
        source = self._informed()
        state._information = source.imagined_for(seat, self._past_steps(), state._beginning)
        return state

    # Knowledge ----------------------------------------------------------------------------

    def knowledge(self, seat: int) -> Knowledge:
        """Return what a seat knows of where cards lie, from all that it has seen of the game.

        That is: cards shown to it or moved by it that have since gone to a hidden place, and cards
        that another seat cannot have, as its choices show. For that the game is replayed from its
        start, once. In an imagined state, only the seat for which it was determinised in mode
        `consistent` keeps what it knew; other seats know only what they see there.
        """
        self._check_seat(seat)
        return self._remembered().knowledge(self._board, self.choices, Seat(seat))

    def record(self, seat: int) -> tuple[SeenDecision, ...]:
        """Return every decision so far as a seat saw it.

        Raises NoRecordError for an imagined state, unless it was determinised for this seat in mode
        `consistent`.
        """
        self._check_seat(seat)
        return self._remembered().record(self._board, self.choices, Seat(seat))

    def allowed(self, seat: int, mode: KnowledgeMode | str) -> bytes | None:
        """Return where cards may lie, as kernels take it; None if a seat knows only what it sees.

        Raises EngineError for a state of any engine but the native one.
        """
        from cardwright.game.consistent_worlds_native import allowed

        self._check_seat(seat)
        if KnowledgeMode(mode) is KnowledgeMode.BASIC:
            return None
        known = KnowledgeMode(mode) is KnowledgeMode.KNOWN
        world = self._board.world()
        knowledge = seen_by_all(world, Seat(seat)) if known else self.knowledge(seat)
        return allowed(self._board, knowledge)

    def _remembered(self) -> StateMemory:
        if self._memory is None:
            self._memory = StateMemory(self.game.limits, self.seed)
        return self._memory

    def information(self, seat: int) -> bytes:
        """Return a key of what a seat has seen so far and what it chose, in order.

        States that the seat cannot tell apart by what happened have equal keys; on all engines they
        are the same. The actions made so far of a decision count for the seat that makes it. A
        determinised state keeps the key of the seat for which it was made; another seat's begins
        anew from what all have seen and what it sees there. That of a state without a past, as one
        of a batch, begins with what the seat sees. Raises GameError as `play` did, and ChanceError
        while a draw is due that has to be taken.
        """
        self._check_seat(seat)
        pending = self._pending if seat == self.player else ()
        try:
            return self._informed().key(self._past_steps(), seat, pending)
        except Fault as fault:
            raise self._error(fault) from None

    def _recalling(self, count: int) -> GameFollower:
        """Return the game as it is followed, with entries for a number of the latest choices."""
        try:
            return self._informed().recalling(self._past_steps(), count)
        except Fault as fault:
            raise self._error(fault) from None

    def _past_steps(self) -> list[int]:
        """Return what has been chosen so far, from which the game can be followed."""
        return self.choices

    def _informed(self) -> Information:
        if self._information is None:
            from cardwright.game.information import Information

            self._information = Information(self.game, self.seed, self._beginning)
        return self._information

    # Playing on at random ------------------------------------------------------------------

    def rollouts(
        self,
        count: int,
        stream: Stream,
        *,
        seat: int | None = None,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
    ) -> Rollouts:
        """Play on to the end `count` times, every seat choosing at random.

        If a seat is given, every game begins with a determinisation for that seat, given what
        `mode` lets it know. Otherwise the games begin with the hidden cards where they really are,
        which no player may know; only future random draws are new. The state does not change. All
        draws are from the stream, the same for any engine. A game that breaks a rule is counted as
        failed.
        """
        if count < 0:
            raise ValueError(f"the number of rollouts cannot be {count}")
        if seat is not None:
            self._check_seat(seat)
        if self._scores is not None:
            return Rollouts.of(self.scores, self.ranks, count)
        whose = None if seat is None else Seat(seat)
        knows = None
        if whose is not None and KnowledgeMode(mode) is KnowledgeMode.CONSISTENT:
            knows = self.knowledge(whose)
        return self._board.rollouts(count, stream, whose, KnowledgeMode(mode), knows)

    def flat(
        self,
        seat: int,
        stream: Stream,
        deals: int,
        rollouts: int = 1,
        *,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
        shared: bool = True,
        limit: int = 0,
        only: int | None = None,
        horizon: Horizon | str = Horizon.DEAL,
    ) -> FlatTable:
        """Try each option of the decision that is due by random rollouts; see `FlatPlan`.

        `deals` worlds are sampled for the seat that decides, given what `mode` lets it know, with
        `rollouts` of each option in each. The state does not change. All draws come from the
        stream, the same for any engine. Raises IllegalOptionError if the seat does not decide, or
        does not have the option `only`, and ValueError for numbers that make no sense.
        """
        from cardwright.game.flat import FlatPlan

        plan = FlatPlan(deals, rollouts, shared, limit, only, Horizon(horizon))
        return self.trials(seat, stream, mode).run(plan)

    def trials(
        self, seat: int, stream: Stream, mode: KnowledgeMode | str = KnowledgeMode.BASIC
    ) -> Trials:
        """Return trials of the options of the decision that is due, for repeated use.

        They are of the decision as it is now, even if the state moves on. Raises
        IllegalOptionError if the seat does not decide.
        """
        from cardwright.game.flat import Chances

        if self.player != seat:
            raise IllegalOptionError(f"p{seat + 1} does not have to decide here")
        knowledge = self.knowledge(seat) if mode == KnowledgeMode.CONSISTENT else None
        chances = Chances.of(stream, self.game.players)
        return self._board.trials(Seat(seat), KnowledgeMode(mode), chances, knowledge)

    def search(
        self,
        stream: Stream,
        task: SearchTask,
        *,
        threads: int = 1,
        playouts: Playouts | None = None,
        kept: KeptTree | None = None,
    ) -> SearchResult:
        """Search the decision that is due for the seat that has to make it; see `SearchTask`.

        The state does not change. All draws come from the stream, and the result is the same for
        any number of threads, unless the search is limited by time. `playouts` play games to the
        end from the leaves of the trees; without them all seats choose at random there. A `kept`
        tree is reused where that is sound, and grown further. Raises EngineError for a state of any
        engine but the native one, and IllegalOptionError if the game is over.
        """
        from cardwright.game.search_native import search_state

        return search_state(self, stream, task, threads=threads, playouts=playouts, kept=kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.program.digest != other.game.program.digest or self._scores != other._scores:
            return False
        if self._pending != other._pending:
            return False
        same = self._board.same(other._board)
        return self._board.key() == other._board.key() if same is None else same

    def __hash__(self) -> int:
        return hash((self.game.program.digest, self._board.key(), self._pending))

    def _repr_html_(self) -> str:
        from cardwright.game.displays import state_html

        return state_html(self)

    def __repr__(self) -> str:
        where = "finished" if self.finished else f"p{(self.player or 0) + 1} to decide"
        return f"<State of {self.game.name}, seed {self.seed}, {len(self.choices)} chosen, {where}>"


def _loaded(pickled: PickledState) -> State:
    """Return a state that was pickled."""
    return pickled.state()
