"""Batches: many native games side by side, stepped by arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from cardwright.compiler.kernel_sets import BATCHES
from cardwright.compiler.kernels import batches as rows
from cardwright.compiler.kernels.action_numbers import LEFT, REFUSED
from cardwright.compiler.layout import SLACK
from cardwright.english import counted
from cardwright.game.actions.kernel_tables import Picks, branches_of
from cardwright.game.engines import native_engine
from cardwright.game.errors import EngineError, GameError, IllegalOptionError, UnreadablePickleError
from cardwright.game.game import State
from cardwright.game.information.sightings import entries_of
from cardwright.game.native.engine import NativeBoard
from cardwright.game.native.threads import check_threads, spread
from cardwright.game.pickles import BoardBytes
from cardwright.game.seeds import GameSeeds, seed_array
from cardwright.markup.lazy_display import shown_by

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import SupportsIndex

    from cardwright.game.actions.kernel_tables import Branch
    from cardwright.game.actions.numbering import Code
    from cardwright.game.actions.observation import Numbers
    from cardwright.game.game import Game
    from cardwright.program.cards import Location


Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Truths: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


Bytes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"
Streams: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"
"""Random streams: games x seats x 4, the words of a stream for each seat of each game."""


class Batch:
    """Many games of one kind, side by side, each at a decision of its own or over.

    Arrays have a row for every game. Returned arrays belong to the caller: they do not change when
    the batch is played on. Make batches by `Game.batch`, or by `of` from states. `observation` is
    the layout of what `observe` gives.
    """

    def __init__(self, game: Game, count: int, history: int = 0) -> None:
        """Make room for games that are not started, and for some of the latest choices of each."""
        if count < 1:
            raise ValueError(f"a batch has 1 game or more, not {count}")
        self.game = game
        self._engine = native_engine(game, "batches need")
        self._lend = self._engine.lend
        self._memory: Bytes = np.zeros(count * self._stride + SLACK, np.uint8)
        self._notes: Integers = np.zeros((count, rows.SCORES + game.players), np.int64)
        self._at = self._lend(self._memory), self._lend(self._notes)
        self._interrupted = False
        self._pending: dict[int, Code] = {}
        self.observation = game.observation_layout(history)
        self._history = history
        entries = history * self._engine.native.layout.entry_words
        self._recalled: Integers = np.zeros((count, entries), np.int64)
        """A row of entries for each game, the latest choice first; see `kernels.information`."""

    @classmethod
    def of(cls, states: Sequence[State], *, history: int = 0) -> Batch:
        """Return a batch of copies of states, which are of one game and of the native engine.

        `history` is how many of the latest choices it observes, as for `Game.batch`.
        """
        if not states:
            raise ValueError("a batch has 1 game or more, not 0")
        batch = cls(states[0].game, len(states), history)
        native = batch._engine.native
        for at, state in enumerate(states):
            board = state._native_board()
            if board is None or board.engine.native is not native:
                raise EngineError("a batch is made of states of one native game")
            batch._boards[at] = np.frombuffer(board.state, np.uint8, batch._stride)
            batch._notes[at, rows.OPTIONS] = state.option_count
            batch._notes[at, rows.PLAYER] = -1 if state.player is None else state.player
            if state.finished:
                batch._notes[at, rows.SCORES :] = state.scores
            if state.pending:
                batch._pending[at] = state.pending
            if history:
                batch._recalled[at] = state._followed(history).entries(history)
        return batch

    @property
    def _stride(self) -> int:
        return self._engine.native.state_bytes

    @property
    def _boards(self) -> Bytes:
        return self._memory[: len(self) * self._stride].reshape(len(self), self._stride)

    def __len__(self) -> int:
        return len(self._notes)

    _repr_html_ = shown_by("cardwright.game.displays", "batch_html")

    def __repr__(self) -> str:
        games = f"{counted(len(self), 'game')} of {self.game.name}"
        return f"<Batch of {games}, {self.finished.sum()} finished>"

    # The state of the games ----------------------------------------------------------------

    @property
    def players(self) -> Integers:
        """The seat that has to decide in each game; -1 where it is over."""
        return self._notes[:, rows.PLAYER].copy()

    @property
    def option_counts(self) -> Integers:
        """How many options there are in each game; 0 where it is over."""
        return self._notes[:, rows.OPTIONS].copy()

    @property
    def finished(self) -> Truths:
        """Which games have ended, and so have scores."""
        over: Truths = (self._notes[:, rows.OPTIONS] == 0) & (self._notes[:, rows.BROKEN] == 0)
        return over

    @property
    def faults(self) -> dict[int, GameError]:
        """The errors of the games that broke a rule, by their number; these games are over, too."""
        broken = np.flatnonzero(self._notes[:, rows.BROKEN]).tolist()
        return {at: self._error(at) for at in broken}

    def _error(self, at: int) -> GameError:
        site, a, b, c = map(int, self._notes[at, rows.BROKEN : rows.SCORES])
        fault = self._engine.fault_of((site - 1, a, b, c), BATCHES)
        return GameError(fault, self.game.program, self.game.name, None, ())

    @property
    def scores(self) -> Integers:
        """The scores (games x seats); zeros where a game is not finished."""
        return self._notes[:, rows.SCORES :].copy()

    @property
    def wins(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Every seat's share of the win (games x seats); zeros where a game is not finished."""
        better = 1 if self.game.highest_wins else -1
        scores = better * self._notes[:, rows.SCORES :]
        won = (scores == scores.max(axis=1, keepdims=True)) & self.finished[:, None]
        shares: np.ndarray[Any, np.dtype[np.float64]] = won / np.maximum(1, won.sum(1))[:, None]
        return shares

    def legal(self, width: int | None = None) -> Truths:
        """Return which option indices are legal (games x width).

        `width` is the most options that any game has now if it is not given, and must not be less.
        """
        counts = self._notes[:, rows.OPTIONS]
        mask: Truths = np.arange(self._width(width)) < counts[:, None]
        return mask

    def _width(self, width: int | None) -> int:
        widest = int(self._notes[:, rows.OPTIONS].max())
        if width is not None and width < widest:
            at = int(self._notes[:, rows.OPTIONS].argmax())
            raise ValueError(
                f"game {at} has {widest} options, which do not fit in a width of {width}"
            )
        return widest if width is None else width

    def state(self, at: int) -> State:
        """Return one of the games as a state; raises its GameError if it has one.

        It has no history: no seed, and no choices made so far.
        """
        at = range(len(self))[at]
        if self._notes[at, rows.BROKEN]:
            raise self._error(at)
        content = self._boards[at].tobytes() + bytes(SLACK)
        state = State(self.game, NativeBoard(self._engine, content), None)
        state.advance()
        state._pending = self._pending.get(at, ())
        entries = self._recalled[at].tolist()
        state.begin_here(recalled=entries_of(self._engine.native.layout, entries))
        return state

    # Playing ------------------------------------------------------------------------------

    def step(
        self, choices: Iterable[int], *, where: Truths | None = None, threads: int = 1
    ) -> None:
        """Play an option, by its index, in every game; where it is over, any number will do.

        Only games in which `where` is true are played, if it is given, and in others any number
        will do. Raises IllegalOptionError for the first game that has no such option, and then
        nothing is changed. Errors within a game are in `faults`.
        """
        given = self._one_each(choices)
        # The first option is never refused.
        asked = given if where is None else np.where(self._mask(where), given, 0)
        refused = self._engine.call("cw_batch_refused", self._at[1], self._lend(asked), len(self))
        if refused < len(self):
            last = self._notes[refused, rows.OPTIONS] - 1
            raise IllegalOptionError(
                f"game {refused} has no option {given[refused]}: options are numbered 0 to {last}"
            )
        if where is not None:
            given = np.where(where, given, -1)
        self._pending = self._pending_but(given >= 0)
        self._step(given, threads)

    def _pending_but(self, decided: Truths) -> dict[int, Code]:
        """Return the actions that are pending where no decision is made."""
        return {at: made for at, made in self._pending.items() if not decided[at]}

    def _one_each(self, choices: Iterable[int]) -> Integers:
        given = np.asarray(choices)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(
                f"choices are {len(self)} integers, one for each game,"
                f" not {given.dtype} of shape {given.shape}"
            )
        return np.ascontiguousarray(given, np.int64)

    def random_step(
        self, streams: Streams, *, where: Truths | None = None, threads: int = 1
    ) -> Integers:
        """Play a random option in every game that is not over, and return the choices (-1 else).

        `streams` has a stream for each seat of each game, as `seat_streams` makes them. Each seat
        that decides draws from its own. Only games in which `where` is true are played, if it is
        given; in others nothing is drawn.
        """
        check_threads(threads)
        shape = len(self), self.game.players, 4
        if streams.shape != shape or streams.dtype != np.uint64 or not streams.flags.carray:
            raise ValueError(f"streams are an array of numpy.uint64 of shape {shape}")
        choices = np.empty(len(self), np.int64)
        wanted = np.ones(len(self), np.bool_) if where is None else self._mask(where)
        wanted = np.ascontiguousarray(wanted)
        drawn = self._lend(streams), self._lend(wanted), self._lend(choices)
        self._engine.call("cw_batch_choose", self._at[1], *drawn, len(self))
        self._pending = self._pending_but(choices >= 0)
        self._step(choices, threads)
        return choices

    def seat_streams(self, seeds: SupportsIndex | Iterable[SupportsIndex]) -> Streams:
        """Return the streams that belong to the seats of games of these seeds.

        They are those of `Stream.of_seat`, from which the player `random` draws. One integer is a
        seed for as many games as the batch has, as for `Game.batch`.
        """
        given = self._seeds(seeds, None)
        streams = np.empty((len(given), self.game.players, 4), np.uint64)
        self._engine.call("cw_seat_streams", self._lend(streams), self._lend(given), len(given))
        return streams

    def reset(
        self, mask: Truths, seeds: SupportsIndex | Iterable[SupportsIndex], *, threads: int = 1
    ) -> None:
        """Restart the games for which the mask is true; there is a seed for each of these."""
        wanted = self._mask(mask)
        given = np.zeros(len(self), np.uint64)
        given[wanted] = self._seeds(seeds, int(wanted.sum()))
        wanted = np.ascontiguousarray(wanted)
        self._pending = self._pending_but(wanted)
        self._recalled[wanted] = 0
        self._play("cw_batch_start", self._lend(wanted), self._lend(given), threads=threads)

    def _mask(self, mask: Truths) -> Truths:
        wanted = np.asarray(mask)
        if wanted.shape != (len(self),) or wanted.dtype != np.bool_:
            raise ValueError(f"the mask is {len(self)} booleans, one for each game")
        return wanted

    def _seeds(self, seeds: SupportsIndex | Iterable[SupportsIndex], count: int | None) -> Streams:
        """Return seeds as an array, of a certain length if one is given."""
        if not isinstance(seeds, Iterable):
            job = GameSeeds(cast("int", seeds), len(self) if count is None else count)
            made = self._engine.game_seeds(job.seed, job.first, job.count)
            return np.frombuffer(made, np.uint64)
        given = np.frombuffer(seed_array(seeds), np.uint64)
        if count is not None and len(given) != count:
            raise ValueError(f"{count} games need as many seeds, not {len(given)}")
        return given

    def copy(self) -> Batch:
        """Return an independent batch that will go on in the same way."""
        batch = Batch(self.game, len(self), self._history)
        batch._fill(self._memory, self._notes, self._recalled)
        batch._interrupted = self._interrupted
        batch._pending = self._pending.copy()
        return batch

    def _fill(self, memory: Bytes, notes: Integers, recalled: Integers) -> None:
        self._memory[:], self._notes[:], self._recalled[:] = memory, notes, recalled

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        self._check_whole()
        boards = BoardBytes.of(self._memory.tobytes(), self._engine.native)
        recalled = self._history, self._recalled
        return _loaded, (self.game, boards, self._notes, self._pending, recalled)

    def _check_whole(self) -> None:
        if self._interrupted:
            raise EngineError("this batch was interrupted as it played: its games cannot go on")

    def _step(self, choices: Integers, threads: int) -> None:
        """Play the options whose index is not below 0, and recall them if choices are recalled."""
        forms = self._engine.pick_forms.address if self._history else 0
        recalled = self._lend(self._recalled), self._history
        self._play("cw_batch_step", self._lend(choices), forms, *recalled, threads=threads)

    def _play(self, function: str, *args: Any, threads: int) -> None:
        check_threads(threads)
        self._check_whole()
        self._interrupted = True
        spread(self._engine, function, *self._at, *args, games=len(self), threads=threads)
        self._interrupted = False

    # Actions ------------------------------------------------------------------------------

    @property
    def pending(self) -> dict[int, tuple[int, ...]]:
        """The actions made so far of decisions that need several, by the number of the game."""
        return self._pending.copy()

    def action_mask(self, out: Truths | None = None, *, threads: int = 1) -> Truths:
        """Return which actions are legal in each game: games x `len(game.actions)`.

        Where a game is over none is. `out` is an array to be written over, and returned.
        """
        shape = len(self), len(self.game.actions)
        if out is None:
            out = np.empty(shape, np.bool_)
        elif out.shape != shape or out.dtype != np.bool_ or not out.flags.carray:
            raise ValueError(f"the mask is a contiguous array of booleans of shape {shape}")
        left = np.zeros(len(self), np.bool_)
        given = shape[1], self._lend(out), self._lend(left)
        self._with_actions("cw_action_mask", self._made(), *given, threads=threads)
        for at in np.flatnonzero(left).tolist():
            out[at] = False
            out[at, list(self.state(at).legal_actions())] = True
        return out

    def step_actions(
        self, actions: Iterable[int], *, where: Truths | None = None, threads: int = 1
    ) -> Integers:
        """Make an action in every game, by its number; where it is over, any number will do.

        An action plays an option, or is added to `pending` if more are needed for one. Returns the
        options played, -1 where none was. Only games in which `where` is true are played, if it is
        given, and in others any number will do. Raises IllegalOptionError for the first game where
        the action is not legal, and then nothing is changed. Errors within a game are in `faults`.
        """
        given = self._one_each(actions)
        wanted = self._notes[:, rows.OPTIONS] > 0
        if where is not None:
            wanted &= self._mask(where)
        made, choices = self._made(), np.empty(len(self), np.int64)
        made[np.arange(len(self)), 1 + made[:, 0]] = given
        self._with_actions("cw_action_options", made, self._lend(choices), threads=threads)
        pending = self._pending_but(wanted)
        for at in np.flatnonzero(wanted & (choices < 0)).tolist():
            action, before = int(given[at]), self._pending.get(at, ())
            if choices[at] == REFUSED:
                raise IllegalOptionError(
                    f"action {action} ({self.game.actions.name(action)}) is not legal in game {at};"
                    " action_mask() says which are"
                )
            after: Code | int = (*before, action)
            if choices[at] == LEFT:
                after = self.state(at)._actions().after(before, action)
            if isinstance(after, int):
                choices[at] = after
            else:
                pending[at] = after
        choices, self._pending = np.where(wanted, np.maximum(choices, -1), -1), pending
        self._step(choices, threads)
        return choices

    def _made(self) -> Integers:
        """Return the actions made so far in each game: their number, they, and room for another."""
        longest = max(map(len, self._pending.values()), default=0)
        made = np.zeros((len(self), longest + 2), np.int64)
        for at, actions in self._pending.items():
            made[at, : len(actions) + 1] = len(actions), *actions
        return made

    def _with_actions(self, function: str, made: Integers, *args: Any, threads: int) -> None:
        forms = self._engine.action_forms(self.game.actions).address
        self._check_whole()
        all_args = *self._at, forms, self._lend(made), made.shape[1], *args
        spread(self._engine, function, *all_args, games=len(self), threads=threads)

    # For learning -------------------------------------------------------------------------

    def observe(
        self, seat: int | None = None, out: Numbers | None = None, *, threads: int = 1
    ) -> Numbers:
        """Return what a seat sees in each game (games x columns): see `observation`.

        Without a seat that is what the seat to decide sees, and zeros where the game is over. The
        numbers are written to `out` if it is given: an array of numpy.float32, stored row by row.
        Raises ValueError for an array of another form.
        """
        if seat is not None:
            self.game._check_seat(seat)
        shape = len(self), self.observation.size
        if out is None:
            out = np.empty(shape, np.float32)
        elif out.shape != shape or out.dtype != np.float32 or not out.flags.carray:
            raise ValueError(
                f"observations are written to a contiguous array of numpy.float32 of shape {shape},"
                f" not to one of {out.dtype} of shape {out.shape}"
            )
        whose = -1 if seat is None else seat
        words = self._engine.observed(self.observation).address
        args = (*self._at, whose, words, self._lend(self._recalled), self._lend(out))
        how = {"games": len(self), "threads": threads}
        spread(self._engine, "cw_observe", *args, **how, with_context=False)
        return out

    @property
    def places(self) -> tuple[Location, ...]:
        """The locations that are known before the game, as `picks` numbers them.

        Those made in play that have cards follow, in order of their first cards.
        """
        return self._engine.native.layout.places.locations

    @property
    def texts(self) -> tuple[str, ...]:
        """All strings that the game knows; stored and picked strings are indices into these."""
        return self._engine.native.names.texts

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The branches of all choices, as `picks` numbers them."""
        return branches_of(self._engine.native)

    def picks(self, width: int | None = None, *, threads: int = 1) -> Picks:
        """Return what each option picks, for `width` options a game as in `legal`."""
        forms = self._engine.pick_forms
        wide = self._width(width)
        cards = len(self.game.cards)
        items = np.full((len(self), wide, 1 + forms.most), -1, np.int64)
        hot = np.zeros((len(self), wide, cards), np.bool_)
        sizes = forms.address, wide, forms.most, cards
        out = self._lend(items), self._lend(hot)
        self._play("cw_option_picks", *sizes, *out, threads=threads)
        return Picks(items[:, :, 0], items[:, :, 1:], hot)


def _loaded(
    game: Game,
    boards: BoardBytes,
    notes: Integers,
    pending: dict[int, Code],
    history: tuple[int, Integers],
) -> Batch:
    """Return a batch that was pickled; raises UnreadablePickleError if it is not whole."""
    count, recalled = history
    batch = Batch(game, max(1, len(notes)), count)
    own = batch._recalled
    whole = (recalled.shape, recalled.dtype) == (own.shape, own.dtype)
    if not whole or (notes.shape, notes.dtype) != (batch._notes.shape, batch._notes.dtype):
        raise UnreadablePickleError("the pickle is damaged: a batch is not what was written")
    content = boards.checked(batch._engine.native, len(batch._memory))
    batch._fill(np.frombuffer(content, np.uint8), notes, recalled)
    batch._pending = pending
    return batch
