"""States: games in play, over any engine."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING

from cardwright.game.decision_actions import DecisionActions
from cardwright.game.determinise import KnowledgeMode
from cardwright.game.errors import ChanceError, GameError, IllegalOptionError
from cardwright.game.horizon import Horizon
from cardwright.game.knowledge import seen_by_all
from cardwright.game.memory import Origin, StateMemory
from cardwright.game.option import Content, Option, contents_of, described_of, options_of
from cardwright.game.past import Past
from cardwright.game.rollouts import Rollouts
from cardwright.game.view import View, view_of
from cardwright.interpreter import machine
from cardwright.interpreter.fault import Fault
from cardwright.program.cards import Card, Location, LocationKind, OwnerId, Seat

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any, SupportsIndex

    from cardwright.game.board import Board
    from cardwright.game.chance import Chance
    from cardwright.game.described_option import DescribedOption
    from cardwright.game.fast_view import FastView, FastViewSpec
    from cardwright.game.flat import FlatTable, Trials
    from cardwright.game.followers import GameFollower
    from cardwright.game.game import Game
    from cardwright.game.history import SeenDecision
    from cardwright.game.information import Information
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.observation import Numbers, ObservationLayout
    from cardwright.game.past import Snapshot
    from cardwright.game.pickled_state import PickledState
    from cardwright.game.search import SearchResult, SearchTask
    from cardwright.game.search_kept import KeptTree
    from cardwright.game.search_native import Playouts
    from cardwright.interpreter.stream import Stream


class State:
    """A game in play: the one thing of this package that changes.

    `seed` started it and `choices` are the indices chosen so far; a determinised state has no seed.
    States are equal if they will behave identically from here on, whatever engine plays them. The
    hash changes as the game is played, so a state must not be played on while it is a key.
    """

    __slots__ = (
        *("_beginning", "_board", "_coded", "_information", "_memory", "_options", "_past"),
        *("_pending", "_scores"),
        *("choices", "game", "seed"),
    )

    def __init__(self, game: Game, board: Board, seed: int | None) -> None:
        """Take over a board that is before its first item; see `Game.start`."""
        self.game = game
        self.seed = seed
        self.choices: list[int] = []
        self._board = board
        self._options: tuple[Option, ...] | None = None
        self._scores: list[int] | None = None
        self._memory: StateMemory | None = None
        self._information: Information | None = None
        self._beginning: tuple[Snapshot, int] | None = None
        self._past: Past | None = None
        self._coded: DecisionActions | None = None
        self._pending: tuple[int, ...] = ()

    # Playing ------------------------------------------------------------------------------

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide; None when the game is over."""
        return self._board.player

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._board.finished

    @property
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 when the game is over."""
        return self._board.option_count

    def options(self, *, brief: bool = False) -> tuple[Option, ...]:
        """Return the options of the decision that is due, in order; none when the game is over.

        An option has the same description in every list of options. A `brief` one says only what
        distinguishes it from the others in this list.
        """
        seat = self.player
        if seat is None:
            return ()
        if brief:
            return options_of(self._board, self.game.program, seat, self.game.namer, brief=True)
        if self._options is None:
            self._options = options_of(self._board, self.game.program, seat, self.game.namer)
        return self._options

    def contents(self) -> tuple[Content, ...]:
        """Return what each option means to its chooser, without a description: `Option.content`."""
        seat = self.player
        return () if seat is None else contents_of(self._board, self.game.program, seat)

    def parse(self, text: str) -> Option:
        """Return the option that a text means.

        That is its description, in full or brief, or its number; or what it names, in any order and
        case: cards (`9 of hearts`, `9H`, `♥9`, `2C 3C QS`), players (`p2`), stored values. Any part
        that no other option shares is enough. Raises OptionTextError, which lists what could have
        been meant.
        """
        from cardwright.game.option_text import parse_option

        return parse_option(text, self)

    def described(self) -> tuple[DescribedOption, ...]:
        """Return the options of the decision that is due with the cards and players they name."""
        seat = self.player
        return () if seat is None else described_of(self._board, seat, self.game.namer)

    def play(self, option: Option | int | str) -> None:
        """Carry out an option and run to the next decision.

        It is given as an Option, by its index, or by a text that `parse` understands. Raises
        IllegalOptionError if the state does not offer it, and GameError if the game then
        breaks a rule of the language; after that the only use of the state is `undo`. Actions made
        so far of the decision (`pending`) do not matter.
        """
        index = self._index(option)
        if self._past is not None:
            self._past.keep(len(self.choices), self._board)
        self.choices.append(index)
        self._run(index)

    def undo(self, count: SupportsIndex = 1) -> None:
        """Take back the last choices: the state is exactly as it was before them.

        That includes its future random draws and what seats know. Actions of a decision that is not
        made yet (`pending`) are dropped, and count as no choice. It also works after the end of
        the game and after a GameError, whose choice counts. A determinised state, and one of a
        batch, goes back to where it began; further back raises UndoError, and a negative count
        ValueError.
        """
        number = operator.index(count)
        if number < 0:
            raise ValueError(f"{number} choices cannot be taken back")
        if self._past is None:
            self._past = Past(
                *(self._beginning or (partial(_first_board, self.game, self.seed), 0))
            )
        self._past.check(len(self.choices), number)
        self._pending = ()
        if number == 0:
            return
        left = self.choices[:-number]
        self._board = self._past.board_after(left)
        self.choices = left
        self._options = self._scores = self._coded = None
        if self._memory is not None:
            self._memory = self._memory.rewound()
        if self._information is not None:
            self._information.rewind(len(left))

    # Actions ------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions made so far of the decision that is due; empty where options are single."""
        return self._pending

    def legal_actions(self) -> tuple[int, ...]:
        """Return the actions that can be made now, in ascending order; none when the game is over.

        They are numbers in `game.actions`, where an action means the same in every state.
        """
        return () if self.player is None else self._actions().legal(self._pending)

    def action_of(self, option: Option | int | str) -> int:
        """Return the next action on the way to an option, which is given as for `play`.

        Raises IllegalOptionError for what is no option, or one to which the actions made so far do
        not lead.
        """
        index = self._index(option)
        return self._actions().towards(index, self._pending)

    def action_codes(self) -> tuple[tuple[int, ...], ...]:
        """Return for each option, in order, the actions that make it; none when the game is over.

        Most options are made by one action. Actions made so far (`pending`) are among them.
        """
        return () if self.finished else tuple(self._actions().codes)

    def play_action(self, action: int | str) -> None:
        """Make an action, given by its number or name in `game.actions`.

        It plays an option, or if more actions are needed for one it is added to `pending`. Raises
        IllegalOptionError for an action that is not legal, and GameError as `play` does.
        """
        if self.finished:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        number = self.game.actions.number(action) if isinstance(action, str) else int(action)
        made = self._actions().after(self._pending, number)
        if isinstance(made, int):
            self.play(made)
        else:
            self._pending = made

    def undo_action(self) -> None:
        """Take back the last action, also if it is one of several that made the last choice.

        Raises UndoError as `undo` does.
        """
        if self._pending:
            self._pending = self._pending[:-1]
            return
        last = self.choices[-1:]
        self.undo()
        self._pending = self._actions().codes[last[0]][:-1]

    def _actions(self) -> DecisionActions:
        if self._coded is None:
            self._coded = DecisionActions(self.game.actions, self._board, self.game.program)
        return self._coded

    def begin_here(self) -> None:
        """Let `undo` go no further back than here; called by code that makes an unseeded state."""
        self._beginning = self._board.snapshot(), len(self.choices)

    @property
    def chance(self) -> Chance | None:
        """The random draw that is due, in a game that `Game.start_chance` started; else None."""
        return None

    def take_chance(self, outcome: SupportsIndex) -> None:
        """Take an outcome of the draw that is due, by number, and run on; raises ChanceError."""
        raise ChanceError("chance is not taken by hand in a game that was started with a seed")

    def _index(self, option: Option | int | str) -> int:
        if self.finished:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        if isinstance(option, str):
            return self.parse(option).index
        if isinstance(option, Option):
            match = [at for at, one in enumerate(self.contents()) if one == option.content]
            if not match:
                raise IllegalOptionError(f"{option.description!r} is not an option here")
            return option.index if option.index in match else match[0]
        if not 0 <= option < self.option_count:
            raise IllegalOptionError(
                f"there is no option {option}: they are numbered 0 to {self.option_count - 1}"
            )
        return int(option)

    def advance(self) -> None:
        """Run to the next decision or to the end of the game; called by code that makes a state."""
        self._run()

    def _run(self, choice: int | None = None) -> None:
        self._options = self._coded = None
        self._pending = ()
        try:
            if choice is None:
                self._board.advance()
            else:
                self._board.play(choice)
            if self._board.finished:
                self._scores = self._board.scores()
        except Fault as fault:
            raise self._error(fault) from None

    def _error(self, fault: Fault) -> GameError:
        return GameError(fault, self.game.program, self.game.name, self.seed, self.choices)

    # Outcome ------------------------------------------------------------------------------

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat; raises IllegalOptionError before the game is over."""
        if self._scores is None:
            raise IllegalOptionError("the game is not over: there are no scores yet")
        return tuple(self._scores)

    @property
    def ranks(self) -> tuple[int, ...]:
        """For every seat, how many have a strictly better score; 0 is a (shared) win."""
        return tuple(machine.ranks(list(self.scores), highest_wins=self.game.highest_wins))

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, its share of the win: each of w winners has 1/w."""
        ranks = self.ranks
        winners = ranks.count(0)
        return tuple(0.0 if rank else 1 / winners for rank in ranks)

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

    def __repr__(self) -> str:
        where = "finished" if self.finished else f"p{(self.player or 0) + 1} to decide"
        return f"<State of {self.game.name}, seed {self.seed}, {len(self.choices)} chosen, {where}>"


def _first_board(game: Game, seed: int | None) -> Board:
    """Return a board at the first decision of the game that a seed starts.

    Only states that have their own beginning lack a seed.
    """
    assert seed is not None
    return game.start(seed)._board


def _loaded(pickled: PickledState) -> State:
    """Return a state that was pickled."""
    return pickled.state()
