"""Games, and states of games in play.

A `Game` is rules that were read and checked, ready to be started; a `State` is a game in play, over
any engine. Nothing below them knows either: boards, knowledge and searches take what they need.
"""

from __future__ import annotations

import operator
import time
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, cast

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.english import counted
from cardwright.game.board import Redeal, figures_of
from cardwright.game.chance import Chance, ChanceBoard, first_world
from cardwright.game.engines import (
    DEFAULT_ENGINE,
    check_engine,
    check_optimisation,
    machine_engine,
    native_engine,
    reference_engine,
)
from cardwright.game.errors import (
    CardwrightError,
    ChanceError,
    EngineError,
    GameError,
    GameFileError,
    IllegalOptionError,
    NoPlainTextError,
    UndoError,
    UnreadablePickleError,
)
from cardwright.game.find import find, neighbour
from cardwright.game.information.knowledge import KnowledgeMode, seen_by_all
from cardwright.game.information.past import Begun, Past
from cardwright.game.option import (
    Content,
    Option,
    View,
    contents_of,
    described_of,
    options_of,
    view_of,
)
from cardwright.game.reference import ReferenceBoard
from cardwright.game.search import FlatPlan, Horizon, Rollouts, SearchReward, SearchWorlds
from cardwright.game.seeds import game_seed
from cardwright.game.settings import settings_of
from cardwright.game.wording.naming import Namer
from cardwright.game.wording.phrases import GameWords
from cardwright.interpreter import machine
from cardwright.interpreter.machine import GameLimits
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.markup.lazy_display import shown_by
from cardwright.program.cards import Card, Location, LocationKind, OwnerId, Seat
from cardwright.program.check import Checked, check, examine
from cardwright.program.telling import tellings
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any, SupportsIndex, TypeAlias

    from cardwright.game.actions.fast_view import FastView, FastViewSpec
    from cardwright.game.actions.numbering import Actions, DecisionActions
    from cardwright.game.actions.observation import Numbers, ObservationLayout
    from cardwright.game.board import Board, Engine, Histories
    from cardwright.game.followers import GameFollower
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.game.information.sightings import Sightings
    from cardwright.game.likelihood import Inference
    from cardwright.game.native.batch import Batch
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.game.native.histories import HistoryChain, PastChoice
    from cardwright.game.native.search import KeptTree, Playouts
    from cardwright.game.option import SeenDecision
    from cardwright.game.pickles import StateContent
    from cardwright.game.reference import ReferenceEngine
    from cardwright.game.search import FlatTable, SearchResult, SearchTask, Trials
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.program.constants import Constant
    from cardwright.program.game_bounds import GameBounds
    from cardwright.program.program import Program
    from cardwright.program.telling import Telling
    from cardwright.syntax.diagnostic import Diagnostics

    TypedValues: TypeAlias = tuple[tuple[str, type, Constant], ...]


class State:
    """A game in play: the one thing of this package that changes.

    `seed` started it and `choices` are the indices chosen so far; a determinised state has no seed.
    States are equal if they will behave identically from here on, whatever engine plays them. The
    hash changes as the game is played, so a state must not be played on while it is a key.
    """

    __slots__ = (
        *("_board", "_coded", "_options", "_past", "_pending", "_scores", "_steps", "_twin"),
        *("game", "seed"),
    )

    def __init__(
        self,
        game: Game,
        board: Board,
        seed: int | None,
        steps: Sequence[int] = (),
        past: Past | None = None,
    ) -> None:
        """Take over a board, perhaps before its first item, after some steps; see `Game.start`."""
        self.game = game
        self.seed = seed
        self._steps = list(steps)
        """What was chosen, and in a game whose chance is taken by hand what was drawn."""
        self._board = board
        self._options: tuple[Option, ...] | None = None
        self._scores: list[int] | None = None
        self._past = past or _past(game, seed, by_hand=self._by_hand)
        self._coded: DecisionActions | None = None
        self._pending: tuple[int, ...] = ()
        self._twin: NativeBoard | None = None

    # Playing ------------------------------------------------------------------------------

    @property
    def _by_hand(self) -> bool:
        return isinstance(self._board, ChanceBoard)

    @property
    def choices(self) -> list[int]:
        """The indices of the options chosen so far."""
        return [step for step in self._steps if step >= 0] if self._by_hand else self._steps

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide.

        None when the game is over (`finished`), and while a draw has to be taken (`chance`).
        """
        return self._board.player

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self._board.finished

    @property
    def option_count(self) -> int:
        """The number of options of the decision that is due; 0 when no seat has to decide."""
        return self._board.option_count

    def options(self, *, brief: bool = False) -> tuple[Option, ...]:
        """Return the options of the decision that is due, in order; none if no seat has to decide.

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
        from cardwright.game.wording.option_text import OptionTexts, parse_option

        options, game = self.options(), self.game
        index = parse_option(
            text,
            [option.description for option in options],
            lambda: [option.description for option in self.options(brief=True)],
            lambda: OptionTexts(self.described(), game.namer, game.cards),
        )
        return options[index]

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
        self._check_drawn()
        self._step(self.index_of(option))

    def index_of(self, option: Option | int | str) -> int:
        """Return the index of an option, which is given as for `play`.

        Raises IllegalOptionError if the state does not offer it, and TypeError for what cannot be
        one, as a real number.
        """
        if self.finished:
            raise IllegalOptionError("the game is over: there is nothing to choose")
        if isinstance(option, str):
            return self.parse(option).index
        if isinstance(option, Option):
            match = [at for at, one in enumerate(self.contents()) if one == option.content]
            if not match:
                raise IllegalOptionError(f"{option.description!r} is not an option here")
            return option.index if option.index in match else match[0]
        index = operator.index(option)
        if not 0 <= index < self.option_count:
            raise IllegalOptionError(
                f"there is no option {index}: they are numbered 0 to {self.option_count - 1}"
            )
        return index

    @property
    def chance(self) -> Chance | None:
        """The random draw that is due, in a game that `Game.start_chance` started; else None.

        While one is due no seat decides, and the game cannot be looked at.
        """
        draw = self._board.draw
        return None if draw is None else Chance(draw, self.game.cards, self.game.namer)

    def take_chance(self, outcome: SupportsIndex) -> None:
        """Take an outcome of the draw that is due, by number, and run on.

        Raises ChanceError if no draw is due, or it has no such outcome, and GameError if the game
        then breaks a rule of the language.
        """
        if not self._by_hand:
            raise ChanceError("chance is not taken by hand in a game that was started with a seed")
        number, draw = operator.index(outcome), self._board.draw
        if draw is None:
            raise ChanceError("no draw is due")
        if not 0 <= number < len(draw.items):
            raise ChanceError(
                f"there is no outcome {number}: outcomes are numbered 0 to {len(draw.items) - 1}"
            )
        self._step(-1 - number)

    def _check_drawn(self) -> None:
        if self._board.draw is not None:
            raise ChanceError("a draw is due: take its outcome first (take_chance)")

    def _step(self, step: int) -> None:
        if self._past.boards:
            self._past.keep(len(self._steps), self._board)
        self._steps.append(step)
        self.advance(step)

    def undo(self, count: SupportsIndex = 1) -> None:
        """Take back the last choices: the state is exactly as it was before them.

        That includes its future random draws and what seats know. Actions of a decision that is not
        made yet (`pending`) are dropped, and count as no choice. It also works after the end of
        the game and after a GameError, whose choice counts. Where chance is taken by hand, the
        outcome of a draw counts as well. A determinised state, and one of a batch, goes back to
        where it began; further back raises UndoError, and a negative count ValueError.
        """
        number, what = operator.index(count), "steps" if self._by_hand else "choices"
        if number < 0:
            raise ValueError(f"{number} {what} cannot be taken back")
        self._past.check(len(self._steps), number, what)
        self._pending = ()
        if number == 0:
            return
        left = self._steps[:-number]
        self._board = self._past.board_after(left)
        self._steps = left
        self._options = self._scores = self._coded = self._twin = None

    # Actions ------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The actions made so far of the decision that is due; empty where options are single."""
        return self._pending

    def legal_actions(self) -> tuple[int, ...]:
        """Return the actions that can be made now, in order; none if no seat has to decide.

        They are numbers in `game.actions`, where an action means the same in every state.
        """
        return () if self.player is None else self._actions().legal(self._pending)

    def action_of(self, option: Option | int | str) -> int:
        """Return the next action on the way to an option, which is given as for `play`.

        Raises IllegalOptionError for what is no option, or one to which the actions made so far do
        not lead.
        """
        index = self.index_of(option)
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

        Outcomes of draws after it are taken back as well. Raises UndoError as `undo` does.
        """
        if not self._pending:
            chosen = [at for at, step in enumerate(self._steps) if step >= 0]
            if self._by_hand and not chosen:
                raise UndoError("no action has been made that could be taken back")
            choice = self._steps[chosen[-1]] if chosen else 0
            self.undo(len(self._steps) - chosen[-1] if chosen else 1)
            self._pending = self._actions().codes[choice]
        self._pending = self._pending[:-1]

    def _actions(self) -> DecisionActions:
        self._check_drawn()
        if self._coded is None:
            from cardwright.game.actions.numbering import DecisionActions

            self._coded = DecisionActions(self.game.actions, self._board, self.game.program)
        return self._coded

    def begin_here(self, **more: Any) -> None:
        """Let the past begin here, with `more` of a `Begun`, in a state that has no seed."""
        self._past.first = self._board.snapshot()
        self._past.begun = Begun(len(self._steps), **more)

    def advance(self, step: int | None = None) -> None:
        """Run to the next decision or to the end, by a step; called by code that makes a state."""
        self._options = self._coded = self._twin = None
        self._pending = ()
        try:
            if step is None:
                self._board.advance()
            else:
                self._board.play(step)
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

    @property
    def returns(self) -> tuple[float, ...]:
        """For every seat, what it has got, of which more is better; as `scores`, at the end only.

        It is the score, negated where the lowest wins.
        """
        sign = 1 if self.game.highest_wins else -1
        return tuple(float(sign * score) for score in self.scores)

    # Looking ------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """Return what a seat sees; its options too, if it has to decide."""
        self.game._check_seat(seat)
        options = self.options() if seat == self.player else ()
        scores = tuple(self._scores) if self._scores is not None else None
        return view_of(self._board.world(), Seat(seat), self.player, options, scores)

    def observation(self, seat: int, layout: ObservationLayout | None = None) -> Numbers:
        """Return what a seat sees as numbers: see `Game.observation` for the columns.

        A layout with a history, which `Game.observation_layout` makes, has the latest choices too.
        Raises ValueError for the layout of another game, and GameError as `play` did.
        """
        from cardwright.game.actions.fast_view import observe_board

        self.game._check_seat(seat)
        layout = self.game.checked_layout(layout)
        follower = self._followed(layout.history) if layout.history else None
        return observe_board(self._board, layout, Seat(seat), follower)

    def fast_view(self, look: FastViewSpec) -> FastView:
        """Return the few things that `look` names, as its seat sees them: far faster than a view.

        Raises ValueError for the spec of another game.
        """
        if look.program is not self.game.program:
            raise ValueError(f"this fast view is not for {self.game.name}")
        return look.at(self._board)

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

        States that differ only in their random streams have the same position. Where chance is
        taken by hand, equal states have equal positions.
        """
        position = self._board.position()
        return (position, self._pending) if self._pending else position

    # Copies -------------------------------------------------------------------------------

    def copy(self) -> State:
        """Return an independent state that will continue in the same way."""
        state = State(self.game, self._board.copy(), self.seed, self._steps, self._past.copy())
        state._options = self._options
        state._scores = self._scores
        state._coded, state._pending, state._twin = self._coded, self._pending, self._twin
        return state

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        from cardwright.game import pickles

        return _loaded_state, (
            self.game,
            pickles.StateContent(
                tuple(self._steps),
                None if self._scores is None else tuple(self._scores),
                None if self._by_hand else pickles.content_of_board(self._board),
                pickles.PastContent.of(self._past),
                self._pending,
            ),
        )

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
        self.game._check_seat(seat)
        redeal = self._redeal(seat, KnowledgeMode(mode))
        record = () if redeal.knowledge is None else self.record(seat)
        board = self._fastest.worlds(redeal, stream)()
        state = State(self.game, board, None, self._steps)
        if self.finished:
            state._scores = self._scores
        else:
            state.advance()
            if self._pending and seat == self.player and state._actions().leads(self._pending):
                state._pending = self._pending
        about = {"seat": redeal.seat, "knowledge": redeal.knowledge, "record": record}
        state.begin_here(steps=tuple(self._steps), **about)
        state._past.source = self._past.copy()
        return state

    # Knowledge ----------------------------------------------------------------------------

    def knowledge(self, seat: int) -> Knowledge:
        """Return what a seat knows of where cards lie, from all that it has seen of the game.

        That is: cards shown to it or moved by it that have since gone to a hidden place, and cards
        that another seat cannot have, as its choices show. For that the game is replayed from its
        start, once. In an imagined state, only the seat for which it was determinised in mode
        `consistent` keeps what it knew; other seats know only what they see there.
        """
        self.game._check_seat(seat)
        self._check_drawn()
        return self._past.knowledge(self._board, self._steps, Seat(seat))

    def record(self, seat: int) -> tuple[SeenDecision, ...]:
        """Return every decision so far as a seat saw it.

        Raises NoRecordError for an imagined state, unless it was determinised for this seat in mode
        `consistent`.
        """
        self.game._check_seat(seat)
        self._check_drawn()
        return self._past.record(self._board, self._steps, Seat(seat))

    def allowed(self, seat: int, mode: KnowledgeMode | str) -> bytes | None:
        """Return where cards may lie, as kernels take it; None if a seat knows only what it sees.

        Raises EngineError for a state of any engine but the native one.
        """
        self.game._check_seat(seat)
        if KnowledgeMode(mode) is KnowledgeMode.BASIC:
            return None
        known = KnowledgeMode(mode) is KnowledgeMode.KNOWN
        world = self._board.world()
        knowledge = seen_by_all(world, Seat(seat)) if known else self.knowledge(seat)
        board = self._native_board()
        if board is None:
            raise EngineError("there are tables for kernels only of games of the native engine")
        return board.table(knowledge)

    def information(self, seat: int) -> bytes:
        """Return a key of what a seat has seen so far and what it chose, in order.

        States that the seat cannot tell apart by what happened have equal keys; on all engines they
        are the same. The actions made so far of a decision count for the seat that makes it. A
        determinised state keeps the key of the seat for which it was made; another seat's begins
        anew from what all have seen and what it sees there. That of a state without a past, as one
        of a batch, begins with what the seat sees. Raises GameError as `play` did, and ChanceError
        while a draw is due that has to be taken.
        """
        self.game._check_seat(seat)
        key = self._followed().key(seat)
        if not self._pending or seat != self.player:
            return key
        return blake2b(repr(self._pending).encode(), key=key, digest_size=len(key)).digest()

    def _followed(self, count: int = 0) -> GameFollower:
        """Return the game as it is followed, with entries for a number of the latest choices."""
        self._check_drawn()
        try:
            return self._past.follower(self._steps, count)
        except Fault as fault:
            raise self._error(fault) from None

    def _native_board(self) -> NativeBoard | None:
        """Return the board as machine code has it, not to be played on; None if it has none.

        In a lazy game the interpreter plays, and for this its steps are made again, in some
        milliseconds: the engines play alike.
        """
        if not isinstance(self._board, ReferenceBoard):
            return cast("NativeBoard", self._board)
        machine = self.game._machine
        if machine is None or self._by_hand or self.seed is None:
            return None
        if self._twin is None:
            self._twin = machine.start(self.seed)
            self._twin.advance()
            for step in self._steps:
                self._twin.play(step)
        return self._twin

    @property
    def _fastest(self) -> Board:
        return self._native_board() or self._board

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
            self.game._check_seat(seat)
        if self._scores is not None:
            return Rollouts.of(self.scores, self.ranks, count)
        redeal = None if seat is None else self._redeal(seat, KnowledgeMode(mode))
        return self._fastest.rollouts(count, stream, redeal)

    def _redeal(self, seat: int, mode: KnowledgeMode) -> Redeal:
        if mode is not KnowledgeMode.CONSISTENT:
            return Redeal(Seat(seat), mode)
        knowledge, histories = self.knowledge(seat), self._told(seat)
        chain = histories and histories.copy()
        return Redeal(Seat(seat), mode, knowledge, chain, bool(self.game.tells))

    def _told(self, seat: int) -> Histories | None:
        """Return worlds that agree with what the rules tell; None where they tell nothing."""
        return self._histories(seat) if self.game.tells else None

    def _inferred(self, seat: Seat, stream: Stream, inference: Inference) -> Redeal:
        """Return how worlds are drawn that are weighted by what other seats have chosen."""
        from cardwright.game.native.inferred_worlds import InferredWorlds

        redeal = Redeal(seat, KnowledgeMode.CONSISTENT, self.knowledge(seat), told=True)
        found = self._histories(seat)
        if found is None:
            return redeal
        own = Stream(stream.next())
        weighed = InferredWorlds.weighed(found.copy(), seat, inference, self._imagined, own)
        return redeal._replace(histories=weighed)

    def _imagined(self, choice: PastChoice) -> State:
        """Return the state before a choice of an imagined history."""
        state = State(self.game, choice.board(), None, choice.steps)
        state.advance()
        state.begin_here()
        return state

    def _histories(self, seat: int) -> HistoryChain | None:
        """Return worlds that agree with all that a seat has seen, as they were found.

        None where none are known: in a state that was not started from a seed, and where no history
        was found.
        """
        if self._by_hand or self.seed is None or self._past.begun:
            return None
        made, found = self._past.histories.get(Seat(seat), (-1, None))
        if made != len(self._steps):
            from cardwright.game.native.histories import HistoryChain

            found = HistoryChain.found(self.game._retracing, self.seed, self._steps, Seat(seat))
            self._past.histories[Seat(seat)] = len(self._steps), found
        return found

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
        inference: Inference | None = None,
    ) -> FlatTable:
        """Try each option of the decision that is due by random rollouts; see `FlatPlan`.

        `deals` worlds are sampled for the seat that decides, given what `mode` lets it know or by
        an `inference`, with `rollouts` of each option in each. The state does not change. All draws
        come from the stream, the same for any engine. Raises IllegalOptionError if the seat does
        not decide, or does not have the option `only`, and ValueError for numbers that make no
        sense.
        """
        plan = FlatPlan(deals, rollouts, shared, limit, only, Horizon(horizon))
        return self.trials(seat, stream, mode, inference).run(plan)

    def trials(
        self,
        seat: int,
        stream: Stream,
        mode: KnowledgeMode | str = KnowledgeMode.BASIC,
        inference: Inference | None = None,
    ) -> Trials:
        """Return trials of the options of the decision that is due, for repeated use.

        They are of the decision as it is now, even if the state moves on. With an `inference`
        worlds are weighted, and those of the mode `consistent`. Raises IllegalOptionError if the
        seat does not decide.
        """
        if self.player != seat:
            raise IllegalOptionError(f"p{seat + 1} does not have to decide here")
        if inference is None:
            redeal = self._redeal(seat, KnowledgeMode(mode))
        else:
            redeal = self._inferred(Seat(seat), stream, inference)
        return self._fastest.trials(redeal, stream)

    def search(
        self,
        stream: Stream,
        task: SearchTask,
        *,
        threads: int = 1,
        playouts: Playouts | None = None,
        kept: KeptTree | None = None,
        inference: Inference | None = None,
    ) -> SearchResult:
        """Search the decision that is due for the seat that has to make it; see `SearchTask`.

        The state does not change. All draws come from the stream, and the result is the same for
        any number of threads, unless the search is limited by time. `playouts` play games to the
        end from the leaves of the trees; without them all seats choose there as the task says. A
        `kept` tree is reused where that is sound, and grown further. With an `inference` worlds are
        weighted, and those of the mode `consistent`. Raises EngineError for a state of any engine
        but the native one, and IllegalOptionError if the game is over.
        """
        from cardwright.game.native.search import Root, playouts_by, search

        engine = native_engine(self.game, "searches need")
        if self.game.program.shared_score:  # all seats are equal, whatever happens
            task = replace(task, reward=SearchReward.SCORE)
        board, seat = self._native_board(), self.player
        if board is None:
            raise EngineError(
                "searches take chance from a stream: start the game with a seed, not with"
                " start_chance"
            )
        if seat is None:
            raise IllegalOptionError("the game is over: there is nothing to search")
        if playouts is None:
            playouts = playouts_by(engine, task.playouts)
        if task.worlds is SearchWorlds.TRUE:
            root = Root(board, seat, self._steps, None, playouts)
            return search(root, stream, task, threads=threads, kept=kept)
        begun = time.perf_counter()
        if inference is None:
            mode = task.mode
            told = mode is KnowledgeMode.CONSISTENT and bool(self.game.tells)
            histories: Histories | None = self._histories(seat) if told else None
        else:
            mode, told = KnowledgeMode.CONSISTENT, True
            histories = self._inferred(seat, stream, inference).histories
        allowed = self.allowed(seat, mode)
        root = Root(board, seat, self._steps, allowed, playouts, histories, told, begun)
        result = search(root, stream, task, threads=threads, kept=kept)
        # Trees share the worlds that were weighed: these are counted once.
        return result if inference is None else replace(result, worlds=figures_of(histories))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.program.digest != other.game.program.digest:
            return False
        if (self._scores, self._pending) != (other._scores, other._pending):
            return False
        board = self._board
        return board.same(other._board) or board.key() == other._board.key()

    def __hash__(self) -> int:
        return hash((self.game.program.digest, self._board.key(), self._pending))

    _repr_html_ = shown_by("cardwright.game.displays", "state_html")

    def __repr__(self) -> str:
        where = "finished" if self.finished else f"p{(self.player or 0) + 1} to decide"
        if self._board.draw is not None:
            where = "a draw is due"
        begun = "by hand" if self._by_hand else f"seed {self.seed}"
        return f"<State of {self.game.name}, {begun}, {len(self.choices)} chosen, {where}>"


def _past(game: Game, seed: int | None, *, by_hand: bool) -> Past:
    """Return the past of a state that was started from a seed, or by hand without one."""

    def first() -> Board:
        return (game.start_chance() if seed is None else game.start(seed))._board

    engine = game._reference if by_hand else game._engine
    return Past(engine, lambda: game._sightings, first, seed)


def _loaded_state(game: Game, content: StateContent) -> State:
    """Return a state that was pickled; raises UnreadablePickleError if it is damaged."""
    from cardwright.game.pickles import board_with

    past = content.past.past(game, partial(_past, game, by_hand=content.board is None))
    if content.board is None:
        made, board = past.made, past.first()
    else:
        made, board = len(content.steps), board_with(game, content.board)
    state = State(game, board, past.seed, content.steps[:made], past)
    state._scores = None if content.scores is None else list(content.scores)
    try:
        for step in content.steps[made:]:
            if step >= 0:
                state.play(step)
            else:
                state.take_chance(-1 - step)
    except CardwrightError as error:
        raise UnreadablePickleError(f"the pickle is damaged: {error}") from None
    state._pending = content.pending
    return state


_KEPT = 64
"""Number of checked games that are cached, some 200 kB each: checking Hearts takes 100 ms."""


PICKLES = f"{__version__}, results {RESULTS_VERSION}"
"""The version that pickles are of: no other reads them."""


class Game:
    """The rules of one game, with values for its declared constants.

    `name` is the name or path under which it was loaded; `diagnostics` has the warnings and notes;
    `engine_name` says which engine plays it: the game is the same by any, only faster by the native
    one. `words` are what the file beside the game's file says to people, and `declared_scores` the
    lowest and the highest score that it promises, if it does; they change no play.
    """

    def __init__(
        self,
        program: Program,
        name: str,
        diagnostics: Diagnostics,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
    ) -> None:
        self.program = program
        self.name = name
        self.diagnostics = diagnostics
        self.limits = limits or GameLimits()
        self.engine_name = check_engine(engine)
        self.words = GameWords()
        self.declared_scores: tuple[int, int] | None = None
        self._lazy = self._brief = False

    @classmethod
    def load(
        cls,
        game: str | Path,
        /,
        *,
        preset: str | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
        **declared: Constant,
    ) -> Game:
        """Load a game by its library name or from a file.

        `preset` names a variant of the game, and other keywords give declared constants another
        value: `Game.load("hearts", preset="standard", PLAYERS=3)`. `base` forces whether players
        are numbered from 0 or 1; `engine` is what plays the game, `native` or `interpreter`. Raises
        NotFoundError, UnreadableFileError, or GameFileError with all errors of the file,
        SettingError for values with which the game cannot be played, and EngineError for an unknown
        engine.
        """
        return cls.variant(game, declared, preset, base, limits, engine=engine)

    @classmethod
    def variant(
        cls,
        game: str | Path,
        declared: Mapping[str, Constant],
        preset: str | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
    ) -> Game:
        """Load a game as `load` does, with the values of its constants in a mapping."""
        settings = settings_of(game)
        declared = {name: _constant(value) for name, value in declared.items()}
        if preset is not None:
            chosen = settings.preset(preset)
            declared = {**chosen.declared, **declared}
            if chosen.game:
                game = neighbour(game, chosen.game)
                settings = settings_of(game)
        settings.check_each(declared)
        loaded = cls.from_source(find(game), str(game), declared, base, limits, engine=engine)
        settings.check_together(loaded.declared)
        loaded.words = settings.words
        loaded.declared_scores = settings.scores_with(loaded.declared)
        return loaded

    @classmethod
    def from_text(
        cls,
        text: str,
        /,
        *,
        name: str = "game",
        base: int | None = None,
        limits: GameLimits | None = None,
        engine: str = DEFAULT_ENGINE,
        **declared: Constant,
    ) -> Game:
        """Make a game from the text of its rules; raises GameFileError if it is wrong.

        `name` stands in messages; all other keywords are those of `load`. There are no presets,
        since they are in a file beside the game's file.
        """
        return cls.from_source(Source(name, text), name, declared, base, limits, engine=engine)

    @classmethod
    def from_source(
        cls,
        source: Source,
        name: str = "",
        declared: Mapping[str, Constant] | None = None,
        base: int | None = None,
        limits: GameLimits | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
    ) -> Game:
        """Make a game from a source; raises GameFileError if it is wrong."""
        values = {key: _constant(value) for key, value in (declared or {}).items()}
        checked = _checked(source, _typed(values), base)
        if checked.program is None:
            raise GameFileError(checked)
        return cls(checked.program, name or source.name, checked.diagnostics, limits, engine)

    def with_engine(self, engine: str) -> Game:
        """Return the same game as played by another engine; raises EngineError for a wrong name."""
        return self if engine == self.engine_name else self._varied(engine)

    def late(self) -> Game:
        """Return the same game for a few decisions: nothing is compiled before a search needs it.

        Until then the interpreter plays in place of the native engine.
        """
        return self._varied(self.engine_name, lazy=True, brief=self._brief)

    def brief(self) -> Game:
        """Return the same game for a few hundred games: compiled with the least effort.

        What is compiled is not kept, neither in the user's cache nor in this process once the game
        is gone. Play is the same, only slower.
        """
        return self._varied(self.engine_name, lazy=self._lazy, brief=True)

    def _varied(self, engine: str, *, lazy: bool = False, brief: bool = False) -> Game:
        game = Game(self.program, self.name, self.diagnostics, self.limits, engine)
        game.words, game.declared_scores = self.words, self.declared_scores
        game._lazy, game._brief = lazy, brief
        return game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.program.players

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.players:
            raise IllegalOptionError(
                f"there is no seat {seat}: seats are numbered 0 to {self.players - 1}"
            )

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the game, in order of creation."""
        return self.program.cards

    def parse_cards(self, text: str) -> tuple[Card, ...]:
        """Return the cards that a text names, in its order: `QS`, `♥9`, `2C 3C`, `9 of hearts`.

        Any name that `namer.card` gives is understood. Of cards that look alike each is named once.
        Raises OptionTextError for text that is not a card of the game.
        """
        from cardwright.game.wording.option_text import read_cards

        return tuple(read_cards(text, self.namer, self.cards))

    @property
    def highest_wins(self) -> bool:
        """Whether the highest score wins, or the lowest."""
        return self.program.highest_wins

    @cached_property
    def _bounds(self) -> GameBounds:
        from cardwright.game.bounds import bounds_of

        return bounds_of(self.program, self.name)

    @property
    def score_range(self) -> tuple[int, int] | None:
        """The lowest and the highest score with which a seat can end; None if it was not proved.

        The bounds are proved from the rules, and may be too wide. That takes up to some seconds,
        once on a machine. Games that stop with an error are not spoken of.
        """
        return self._bounds.scores

    @property
    def longest(self) -> int | None:
        """The most decisions that a game can have; None if it was not proved. See `score_range`."""
        return self._bounds.decisions

    @property
    def constant_sum(self) -> int | None:
        """What the scores of all seats add up to in every game; None if it was not proved."""
        return self._bounds.total

    @cached_property
    def tells(self) -> tuple[Telling, ...]:
        """Where the rules tell something of hidden cards that no move and no choice shows."""
        return tellings(self.program)

    @property
    def declared(self) -> dict[str, Constant]:
        """The declared constants and their values in this game."""
        return {d.name: d.value for d in self.program.declared if d.value is not None}

    def plain_text(self) -> str:
        """Return the rules in plain RECYCLE, for other engines and with the same play.

        What the game's declared constants have been set to stands in the text. Raises
        NoPlainTextError if plain RECYCLE cannot express an extension that the game uses.
        """
        from cardwright.program.plain import NotPlainError, plain_text

        base = self.program.base if self.program.forced_base else None
        try:
            return plain_text(examine(self.program.source, self.declared, base))
        except NotPlainError as error:
            raise NoPlainTextError(str(error)) from None

    @cached_property
    def namer(self) -> Namer:
        """Names of this game's cards and places for people."""
        return Namer(self.program)

    @cached_property
    def actions(self) -> Actions:
        """All actions of the game, numbered by what they mean, the same in every state."""
        from cardwright.game.actions.numbering import Actions

        return Actions(self.program, self.namer)

    @cached_property
    def observation(self) -> ObservationLayout:
        """What each number of an observation is: the columns of `State.observation`."""
        return self.observation_layout()

    def observation_layout(self, history: int = 0) -> ObservationLayout:
        """Return a layout of observations that has some of the latest choices as well.

        Raises ValueError for a negative number.
        """
        from cardwright.compiler.native import native
        from cardwright.game.actions.observation import layout_of

        if history < 0:
            raise ValueError(f"an observation has 0 or more of the latest choices, not {history}")
        return layout_of(native(self.program), history)

    def checked_layout(self, layout: ObservationLayout | None) -> ObservationLayout:
        """Return a layout, or that without a history for None; raises ValueError for another's."""
        if layout is None:
            return self.observation
        own = self.observation_layout(layout.history)
        if layout is not own and layout != own:  # the hashes that are compared take a while
            raise ValueError(f"this layout is not of {self.name}: ask its observation_layout")
        return own

    @cached_property
    def _sightings(self) -> Sightings:
        """The words for what seats see happen."""
        from cardwright.compiler.native import native
        from cardwright.game.information.sightings import Sightings

        return Sightings(native(self.program))

    @cached_property
    def _engine(self) -> Engine:
        if self._lazy and self.engine_name != "interpreter":
            check_optimisation()
        return (None if self._lazy else self._machine) or self._reference

    @cached_property
    def _machine(self) -> NativeEngine | None:
        """The engine of machine code; None if the interpreter plays the game."""
        if self.engine_name == "interpreter":
            return None
        return machine_engine(self.program, self.limits, self.engine_name, brief=self._brief)

    @cached_property
    def _retracing(self) -> NativeEngine:
        """The engine that looks for histories: machine code, whatever plays the game."""
        if self._machine is not None:
            return self._machine
        return machine_engine(self.program, self.limits, DEFAULT_ENGINE, brief=self._brief)

    @cached_property
    def _reference(self) -> ReferenceEngine:
        """The interpreter, for what no other engine plays, and a lazy game meanwhile."""
        return reference_engine(self.program, self.limits)

    def prepare(self) -> None:
        """Prepare the engine; the native one may have to compile the game.

        Otherwise the first start of a game does this.
        """
        self._engine.prepare()

    def start(self, seed: SupportsIndex) -> State:
        """Start a game from a 64-bit seed and run it to its first decision.

        Raises ValueError for a seed out of range, TypeError for one that is not an integer,
        GameError if the game breaks a rule, and EngineError if its engine cannot play here.
        """
        seed = game_seed(seed)  # NumPy's integers wrap around
        try:
            board = self._engine.start(seed)
        except Fault as fault:
            raise GameError(fault, self.program, self.name, seed, ()) from None
        state = State(self, board, seed)
        state.advance()
        return state

    def start_chance(self) -> State:
        """Start a game whose chance is taken by hand, and run it to its first draw or decision.

        While a draw is due, `state.chance` says what may come, and `state.take_chance` goes on with
        an outcome. The interpreter plays these games, for either engine. Raises GameError if the
        game breaks a rule, and ChanceError if it draws from more outcomes than can be listed.
        """
        world = first_world(self._reference.rules, None)
        state = State(self, ChanceBoard(world, self.limits), None)
        state.advance()
        return state

    def replay(self, seed: SupportsIndex, choices: Iterable[int]) -> State:
        """Start a game and make these choices, by index."""
        state = self.start(seed)
        for choice in choices:
            state.play(choice)
        return state

    def batch(
        self, count: int, seeds: SupportsIndex | Iterable[SupportsIndex], *, history: int = 0
    ) -> Batch:
        """Start many games side by side, for learning and for statistics; native games only.

        `seeds` has the seed of each game, or is one seed from which `game_seeds` makes them. If
        there is a `history`, the latest choices are observed too (`observation_layout`). Raises
        ValueError for a wrong number of seeds and seeds out of range, and EngineError for games of
        the interpreter.
        """
        from cardwright.extras import need

        need("numpy")
        import numpy as np

        from cardwright.game.native.batch import Batch

        batch = Batch(self, count, history)
        batch.reset(np.ones(count, np.bool_), seeds)
        return batch

    def __reduce__(self) -> tuple[object, ...]:
        """Let the game travel between processes as its rules, which are checked there once."""
        base = self.program.base if self.program.forced_base else None
        source, values = self.program.source, _typed(self.declared)
        how = self.limits, self.engine_name, self._lazy, self._brief
        beside = self.words, self.declared_scores
        return _loaded, (PICKLES, (source, self.name, values, base, *how, *beside))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self

    _repr_html_ = shown_by("cardwright.game.displays", "game_html")

    def __repr__(self) -> str:
        size = f"{counted(self.players, 'player')}, {counted(len(self.cards), 'card')}"
        return f"<Game {self.name}, {size}>"


def _typed(values: Mapping[str, Constant]) -> TypedValues:
    """Return values of constants as a key, in which a truth value is not the same as 1 or 0."""
    return tuple((key, type(at), at) for key, at in values.items())


def _loaded(version: object, what: tuple[Any, ...]) -> Game:
    """Return a game that was pickled; raises UnreadablePickleError for another version's.

    Pickled states and batches hold their game, so this checks the version of them, too.
    """
    if version != PICKLES:
        raise UnreadablePickleError(
            f"the pickle is of another version, {version!r}, than the one that reads it,"
            f" {PICKLES!r}; keep the seed and the choices to replay a game with any version"
        )
    return _again(what)


@lru_cache(maxsize=_KEPT)
def _again(what: tuple[Any, ...]) -> Game:
    """Return a game that comes from another process: the same one each time, compiled once."""
    source, name, values, base, limits, engine, lazy, brief, words, scores = what
    declared = {key: value for key, _, value in values}
    game = Game.from_source(source, name, declared, base, limits, engine=engine)
    game.words, game.declared_scores = words, scores
    return game._varied(engine, lazy=lazy, brief=brief)


@lru_cache(maxsize=_KEPT)
def _checked(source: Source, values: TypedValues, base: int | None) -> Checked:
    """Check a game, or return the cached result; the types tell a truth value from 1 or 0."""
    return check(source, {key: value for key, _, value in values}, base)


def _constant(value: Constant | list[str]) -> Constant:
    return tuple(value) if isinstance(value, list) else value
