"""The native engine: boards of bytes, played by machine code."""

from __future__ import annotations

import ctypes
import threading
from contextlib import contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from cardwright.compiler import kernel_sets as sets
from cardwright.compiler.kernels import rollouts as kernel
from cardwright.compiler.kernels.rollouts import WINS
from cardwright.compiler.kernels.stream import POOL_BYTES, seed_words
from cardwright.compiler.kernels.worlds import (
    BASIC,
    GIVEN,
    KNOWING,
    POOL_AT,
    POOL_HEAD,
    POOL_SIZE,
    POOLED,
    WITHIN,
    chain_bytes,
)
from cardwright.compiler.native import NativeCode, NativeProgram, TooLargeError, native
from cardwright.compiler.structs import STREAM
from cardwright.game.board import Board
from cardwright.game.errors import EngineError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.decode import Decoder
from cardwright.game.search import FlatTable, Rollouts, seat_streams
from cardwright.interpreter.effects import Pick
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program.cards import CardId, Location, Seat
from cardwright.program.chains import choosing
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.compiler.context import Context
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.actions.kernel_tables import ActionForms, ObservationWords, PickForms
    from cardwright.game.actions.numbering import Actions
    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.board import Histories, Redeal, Snapshot
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.game.search import FlatPlan, WorldFigures
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.chains import ChoiceOptions
    from cardwright.program.program import Program

_AT_ONCE = 1_000
"""Rollouts in one call of the machine code."""

_KNOWLEDGE = {
    KnowledgeMode.BASIC: BASIC,
    KnowledgeMode.KNOWN: KNOWING,
    KnowledgeMode.CONSISTENT: WITHIN,
}
"""How kernels are told what a seat knows."""

_EXTENSION_OF = {
    name: extension
    for extension in (
        sets.PLAY,
        sets.RANDOM_GAMES,
        sets.ROLLOUTS,
        sets.BATCHES,
        sets.WORLDS,
        sets.OBSERVATIONS,
        sets.INFORMATION,
        sets.HISTORIES,
        sets.HIDDEN_CHOICES,
    )
    for name in extension.exports
}
"""The extension that has a function."""


class NativeEngine:
    """Plays a program by machine code, each part of which is compiled when it is first needed.

    A `brief` one compiles with the least effort, and keeps nothing beyond its own life.
    """

    def __init__(
        self, program: Program, limits: GameLimits, name: str = "native", *, brief: bool = False
    ) -> None:
        self.name = name
        self.native = NativeProgram(program, name) if brief else native(program, name)
        self.lend = self.native.machine.lend
        self._brief = brief
        self.limits = limits
        self.decoder = Decoder(self.native)
        self.chooses: list[n.ForEach] = choosing(list(program.nodes()))
        self._threads = threading.local()
        self._extended: dict[str, NativeCode] = {}
        self._observed: dict[int, ObservationWords] = {}
        self._action_forms: ActionForms | None = None

    @cached_property
    def advance(self) -> Callable[[Any, int], int]:
        """The function that runs a board to its next decision."""
        return self.extended(sets.PLAY).functions["cw_advance"]

    @cached_property
    def step(self) -> Callable[[Any, int, int], int]:
        """The function that carries out an option of a board, and runs on."""
        return self.extended(sets.PLAY).functions["cw_step"]

    def prepare(self) -> None:
        """Compile what plays a game; raises EngineError for a program that is too large."""
        self.extended(sets.PLAY)

    def observed(self, layout: ObservationLayout) -> ObservationWords:
        """Return a layout of observations for kernels."""
        found = self._observed.get(layout.history)
        if found is None:
            from cardwright.game.actions.kernel_tables import ObservationWords

            words = ObservationWords(self.native.machine, layout)
            found = self._observed[layout.history] = words
        return found

    @cached_property
    def pick_forms(self) -> PickForms:
        """How options lie in memory, for kernels that read their picks."""
        from cardwright.game.actions.kernel_tables import PickForms

        return PickForms(self.native, self.chooses)

    def new_board(self) -> NativeBoard:
        """Return memory for a board."""
        return NativeBoard(self, self.native.new_board())

    def action_forms(self, actions: Actions) -> ActionForms:
        """Return the layout of options and the meanings of their picks, of the game's actions."""
        if self._action_forms is None:
            from cardwright.game.actions.kernel_tables import ActionForms

            self._action_forms = ActionForms(self.native, actions)
        return self._action_forms

    def context(self, name: str = "played") -> Context:
        """Return a context of the calling thread, one for each name.

        In `second` games are played in between, and in `followed` they are followed. What works in
        one of the main thread can be interrupted.
        """
        found: Context | None = getattr(self._threads, name, None)
        if found is None:
            found = self.new_context()
            setattr(self._threads, name, found)
            if threading.current_thread() is threading.main_thread():
                found.watch()
        return found

    def kept_by_thread(self) -> dict[Any, Any]:
        """Return what the calling thread keeps for its searches."""
        kept: dict[Any, Any] = self._threads.__dict__.setdefault("kept", {})
        return kept

    def new_context(self) -> Context:
        """Return a context for a thread alone; raises EngineError if there is no memory for it."""
        try:
            return self.native.context(self.limits.steps, self.limits.decisions)
        except OSError as error:
            raise EngineError(
                f"a thread that plays needs memory: {error}; keep fewer games in use"
            ) from None

    def threads(self, wanted: int) -> int:
        """Return how many threads to use of those that are wanted: no result depends on it."""
        return min(wanted, self.native.machine.MOST_THREADS)

    def call(self, name: str, *args: Any) -> int:
        """Call a function of the machine code."""
        return self.extended(_EXTENSION_OF[name]).functions[name](*args)

    def extended(self, extension: KernelSet) -> NativeCode:
        """Return the functions of an extension; raises EngineError for too large a program."""
        code = self._extended.get(extension.name)
        if code is None:
            try:
                native = self.native
                code = native.brief_code(extension) if self._brief else native.code(extension)
            except TooLargeError as error:
                raise too_large(self.native.program, error) from None
            self._extended[extension.name] = code
        return code

    def fault(self, context: Context) -> Fault:
        """Return the fault that the context holds."""
        return self.fault_of([context.get(f"fault_{name}") for name in ("site", *"abc")])

    def fault_of(self, numbers: Sequence[int], *extensions: KernelSet) -> Fault:
        """Return the fault of a site and three numbers, of some extensions or whatever is there."""
        number, *values = numbers
        codes = map(self.extended, extensions) if extensions else [*self._extended.values()]
        site = next(code.sites[number] for code in codes if number in code.sites)
        return Fault(site.rule, site.text(*values), site.span)

    def play(self, context: Context, function: str, *args: Any) -> int:
        """Call a function that plays in a context; raises Fault where a rule is broken."""
        result = self.call(function, *args)
        if result < 0:
            context.check()
            raise self.fault(context)
        return result

    def start(self, seed: int) -> NativeBoard:
        """Return a board after the set-up of a new game, before its first item."""
        board = self.new_board()
        context = self.context()
        self.play(context, "cw_start", board.address, context.address, seed)
        return board

    def game_seeds(self, seed: int, first: int, count: int) -> bytearray:
        """Return the seeds of games of a job, 8 bytes each, as `GameSeeds` gives them."""
        words = seed_words(seed)
        pool, given = ctypes.create_string_buffer(POOL_BYTES), ctypes.create_string_buffer(words)
        out = (ctypes.c_uint64 * count)()
        at = [*map(self.lend, (pool, given, out))]
        self.call("cw_game_seeds", at[0], at[1], len(words) // 4, first, count, at[2])
        return bytearray(out)


def too_large(program: Program, error: TooLargeError) -> EngineError:
    """Return the message for users about a program that cannot be compiled."""
    return EngineError(
        f"{program.source.name} is too large to be compiled: {error}; "
        "the interpreter plays it (--engine interpreter, or engine='interpreter')"
    )


class NativeBoard(Board):
    """A state of bytes, and how many options it has at its decision.

    The options themselves are in the context of a thread, from the last search. They are found
    again when they are needed and another board's are there.
    """

    __slots__ = ("_held", "_token", "_world", "address", "count", "engine", "state")

    def __init__(self, engine: NativeEngine, state: bytes | bytearray, count: int = 0) -> None:
        self.engine = engine
        self.state = bytearray(state)
        self._held = (ctypes.c_char * len(state)).from_buffer(self.state)
        self.address = engine.lend(self._held)
        self.count = count
        self._token: tuple[Context, int] | None = None
        self._world: World | None = None

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide."""
        return Seat(self.engine.decoder.player(self.state)) if self.count else None

    @property
    def option_count(self) -> int:
        """The number of options."""
        return self.count

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due."""
        return self.engine.native.options[self.engine.decoder.pc(self.state)].choice

    def advance(self) -> None:
        """Run to the next decision, or to the end."""
        context = self.engine.context()
        self._arrive(context, self.engine.advance(self.address, context.address))

    def _arrive(self, context: Context, count: int) -> None:
        """Record that the options of this board are in a context, or that the game broke a rule."""
        self._world = None
        context.token += 1
        self._token = context, context.token
        self.count = max(count, 0)
        if count < 0:
            context.check()
            raise self.engine.fault(context)

    def _seek(self) -> Context:
        """Return the context that holds the options of this board."""
        context = self.engine.context()
        if self._token != (context, context.token):
            world = self._world
            self.advance()
            self._world = world
        return context

    def play(self, index: int) -> None:
        """Carry out an option, and run on."""
        context = self._seek()
        self._arrive(context, self.engine.step(self.address, context.address, index))

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        context = self.engine.context()
        players = self.engine.native.program.players
        out = (ctypes.c_int64 * players)()
        where = self.address, context.address, self.engine.lend(out)
        self.engine.play(context, "cw_scores", *where)
        return list(out)

    def picks(self) -> list[tuple[int, tuple[Pick, ...]]]:
        """Return for every option its branch and its picks."""
        if not self.count:
            return []
        context = self._seek()
        plan = self.engine.native.options[self.engine.decoder.pc(self.state)]
        size = plan.shape.words
        words = context.option_words(0, self.count * size)
        return [
            self._option(context, plan, words[at : at + size]) for at in range(0, len(words), size)
        ]

    def _option(
        self, context: Context, plan: ChoiceOptions, words: tuple[int, ...]
    ) -> tuple[int, tuple[Pick, ...]]:
        branch = words[0]
        chain = plan.chains[branch]
        starts = range(plan.shape.head, plan.shape.words, plan.shape.width)
        if plan.shape.strict:
            assert chain is not None
            forms = chain.picks
        else:
            forms = tuple(self.engine.chooses[words[at + 2]] for at in starts[: words[1]])
        picks = tuple(
            Pick(form, words[at + 1], self._item(context, form, words[at]))
            for form, at in zip(forms, starts, strict=False)
        )
        return branch, picks

    def _item(
        self, context: Context, form: n.ForEach, value: int
    ) -> int | str | Location | tuple[CardId, ...]:
        match ITEM_KINDS[form.collection.kind]:
            case ValueKind.STRING:
                return self.engine.native.names.texts[value]
            case ValueKind.LOCATION:
                if self.engine.native.analysis.real_members(form.collection):
                    if value < 0:
                        return self.engine.decoder.named(context.words_at(-2 - value, 4))
                    return self.engine.decoder.location(self.state, value)
                width = self.engine.native.layout.card_bytes
                return tuple(CardId(card) for card in context.list_at(value, width))
        return value

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        return self.engine.decoder.where(self.state, card)

    def world(self) -> World:
        """Return the state as a world."""
        if self._world is None:
            self._world = self.engine.decoder.world(self.state)
        return self._world

    def copy(self) -> NativeBoard:
        """Return an independent board."""
        return NativeBoard(self.engine, self.state, self.count)

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state, from its bytes."""
        return partial(NativeBoard, self.engine, bytes(self.state), self.count)

    def worlds(self, redeal: Redeal, stream: Stream) -> Snapshot:
        """Return what draws boards that a seat cannot tell from this one."""
        streams, engine = LentStreams(self.engine, stream), self.engine
        if redeal.histories is not None:
            histories, own = redeal.histories, Stream(stream.next())

            def drawn() -> NativeBoard:
                board = histories.world(own)
                assert isinstance(board, NativeBoard)
                words = Stream(stream.next()).words
                board.state[: STREAM.bytes] = b"".join(word.to_bytes(8, "little") for word in words)
                return board

            return drawn
        chain = None if redeal.knowledge is None else _Chain(self, redeal.knowledge)
        if chain is not None:
            chain.begin(sets.WORLDS, streams)

        def draw() -> NativeBoard:
            board = self.copy()
            with streams.lent() as words:
                if chain is not None:
                    engine.call("cw_next_world", board.address, words, *chain.addresses)
                else:
                    context = engine.context()
                    context.token += 1
                    known = int(redeal.mode is KnowledgeMode.KNOWN)
                    where = board.address, context.address, redeal.seat, words
                    done = engine.call("cw_determinise", *where, known)
                    assert done == 0
            return board

        return draw

    def rollouts(self, count: int, stream: Stream, redeal: Redeal | None) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        engine, program = self.engine, self.engine.native.program
        context, work, drawn = engine.context(), engine.new_board(), LentStreams(engine, stream)
        context.token += 1
        chain, pool = None, None
        if redeal and redeal.histories and count:
            pool = WorldPool(self.engine, redeal.histories, stream)
        elif redeal and redeal.knowledge and count:
            chain = _Chain(self, redeal.knowledge)
            chain.begin(sets.WORLDS, drawn)
        streams = (ctypes.c_uint64 * (4 * program.players))()
        ends = (ctypes.c_int64 * program.players)()
        sums = (ctypes.c_int64 * (program.players * (WINS + program.players)))()
        seat, how = (redeal.seat, _KNOWLEDGE[redeal.mode]) if redeal else (0, GIVEN)
        known = chain.addresses if chain else (0, 0)
        if pool is not None:
            how, known = POOLED, (pool.address, 0)
        out = engine.lend(ends), engine.lend(sums)
        done, most = 0, _AT_ONCE if pool is None else pool.most
        for first in range(0, count, most):
            fresh, some = int(first == 0), min(most, count - first)
            if pool is not None:
                pool.fill(some)
            with drawn.lent() as words:
                done += engine.call(
                    "cw_rollouts", self.address, context.address, work.address, words,
                    engine.lend(streams), fresh, seat, how, *known, some,
                    int(program.highest_wins), *out,
                )  # fmt: skip
                context.check()
        return Rollouts.from_sums(done, count - done, program.players, list(sums))

    def trials(self, redeal: Redeal, stream: Stream) -> NativeTrials:
        """Return trials of the options of the decision that is due."""
        return NativeTrials(self, redeal, stream)

    def table(self, knowledge: Knowledge) -> bytes:
        """Return what a seat knows as kernels take it; see `Knowledge.table`."""
        places = self.engine.native.layout.places
        field = self.engine.native.layout.board.fields["pool_kind"]
        slots: list[Location | None] = list(places.locations)
        for at in range(places.pool):
            start = field.offset + field.width * at
            used = any(self.state[start : start + field.width])
            slot = places.fixed + at
            slots.append(self.engine.decoder.location(self.state, slot) if used else None)
        return knowledge.table(slots)

    def same(self, other: Board) -> bool:
        """Return whether the bytes of two boards are equal."""
        return isinstance(other, NativeBoard) and other.state == self.state


class LentStreams:
    """Random streams whose words lie in memory while kernels draw from them."""

    def __init__(self, engine: NativeEngine, *streams: Stream) -> None:
        self._streams = streams
        self._lend = engine.lend
        self._words = (ctypes.c_uint64 * (4 * len(streams)))()

    @contextmanager
    def lent(self) -> Iterator[Any]:
        """Lend the streams: give the address of their words."""
        self._words[:] = [word for stream in self._streams for word in stream.words]
        yield self._lend(self._words)
        for at, stream in enumerate(self._streams):
            first, second, third, fourth = self._words[4 * at : 4 * at + 4]
            stream.words = first, second, third, fourth


class _Chain:
    """Memory for a chain of worlds: what a seat knows, as kernels take it, and the state."""

    def __init__(self, board: NativeBoard, knowledge: Knowledge) -> None:
        parameters = board.engine.native.layout.parameters
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._board, self._seat = board, knowledge.seat
        self._table = ctypes.create_string_buffer(board.table(knowledge))
        self._chain = (ctypes.c_char * chain_bytes(parameters["CARDS"], slots))()
        self.addresses = board.engine.lend(self._table), board.engine.lend(self._chain)

    def begin(self, extension: KernelSet, streams: LentStreams) -> None:
        """Begin the chain, drawing from the first of some streams."""
        function = self._board.engine.extended(extension).functions["cw_chain"]
        with streams.lent() as words:
            count = function(self._board.address, self._seat, words, *self.addresses)
        assert count >= 0, "no deal agrees with what the seat knows"


_POOL_BYTES = 1 << 20
"""Most memory for a pool of worlds, unless one takes more."""

_POOL_WORLDS = 64
"""Most worlds of a pool."""


class WorldPool:
    """Memory for some worlds of a chain, from which kernels take one after the other."""

    def __init__(
        self, engine: NativeEngine, histories: Histories, stream: Stream, every: int = 1
    ) -> None:
        """Go on with a chain, which gets a stream of its own; take every n-th of its worlds."""
        self._every = every
        self._chain, self._stream = histories, Stream(stream.next())
        self._bytes = engine.native.state_bytes
        self.most = max(1, min(_POOL_WORLDS, _POOL_BYTES // self._bytes))
        self._memory = engine.native.machine.memory(8 * POOL_HEAD + self._bytes * self.most)
        self.address = self._memory.address

    def fill(self, count: int) -> None:
        """Draw new worlds, from one to the most."""
        place, size = self._memory.place, self._bytes
        head = (ctypes.c_int64 * POOL_HEAD).from_address(place)
        head[POOL_SIZE], head[POOL_AT] = count, 0
        for at in range(count):
            for _ in range(self._every):
                board = self._chain.world(self._stream)
            assert isinstance(board, NativeBoard)
            ctypes.memmove(place + 8 * POOL_HEAD + size * at, bytes(board.state[:size]), size)


_TRIALS_AT_ONCE = 4_000
"""Rollouts in one call of the machine code, or as many as a world has."""


class NativeTrials:
    """Trials by machine code, with the memory for them; for one thread at a time."""

    def __init__(self, board: NativeBoard, redeal: Redeal, stream: Stream) -> None:
        self._board = board.copy()
        self._call = board.engine.extended(sets.SEARCHES).functions["cw_flat"]
        program = board.engine.native.program
        self._players = program.players
        self._streams = LentStreams(board.engine, stream, *seat_streams(stream, program.players))
        size = len(board.state)
        self._row = 1 + self._players * (WINS + self._players)
        self._plan = (ctypes.c_int64 * kernel.WORDS)()
        self._plan[kernel.SEAT] = redeal.seat
        self._plan[kernel.KNOWLEDGE] = _KNOWLEDGE[redeal.mode]
        self._plan[kernel.HIGHEST] = int(program.highest_wins)
        self._sums = (ctypes.c_int64 * (self._row * board.count))()
        self._held: list[Any] = [
            (ctypes.c_char * size)(),
            (ctypes.c_char * size)(),
            (ctypes.c_int64 * board.count)(),
            (ctypes.c_int64 * (2 * self._players))(),
        ]
        self._chain: _Chain | None = None
        self._pool: WorldPool | None = None
        self._redeal = redeal
        if redeal.histories is not None:
            self._pool = WorldPool(board.engine, redeal.histories, stream)
            self._plan[kernel.KNOWLEDGE] = POOLED
        elif redeal.knowledge is not None:
            self._chain = _Chain(self._board, redeal.knowledge)
            self._chain.begin(sets.SEARCHES, self._streams)

    @property
    def worlds(self) -> WorldFigures | None:
        """How worlds were drawn so far."""
        return self._redeal.figures

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options."""
        board, engine, todo = self._board, self._board.engine, self._plan
        tried = plan.indices(board.count)
        todo[kernel.ROLLOUTS], todo[kernel.SHARED] = plan.rollouts, int(plan.shared)
        todo[kernel.FIRST], todo[kernel.END] = tried.start, tried.stop
        todo[kernel.LIMIT] = plan.limit
        ctypes.memset(self._sums, 0, ctypes.sizeof(self._sums))
        context, second = engine.context(), engine.context("second")
        context.token += 1
        world, work, keys, ends = map(engine.lend, self._held)
        chain = self._chain.addresses if self._chain else (0, 0)
        left, most = plan.deals, max(1, _TRIALS_AT_ONCE // (plan.rollouts * max(1, len(tried))))
        pool, drawn = self._pool, 1 if plan.shared else len(tried)
        if pool is not None:
            chain, most = (pool.address, 0), max(1, min(most, pool.most // drawn))
        one_deal = plan.horizon.one_deal(engine.native.program)
        with self._streams.lent() as words, second.one_deal(one_deal):
            while left:
                todo[kernel.DEALS] = min(most, left)
                left -= todo[kernel.DEALS]
                if pool is not None:
                    pool.fill(todo[kernel.DEALS] * drawn)
                done = self._call(
                    board.address, context.address, second.address, world, work, words, words + 32,
                    engine.lend(todo), engine.pick_forms.address, *chain, keys, ends,
                    engine.lend(self._sums),
                )  # fmt: skip
                context.check()
                second.check()
                assert done == 0, "a decision has lost options"
        table = [Rollouts.none(self._players)] * board.count
        for at in tried:
            done, *sums = self._sums[at * self._row : (at + 1) * self._row]
            failed = plan.deals * plan.rollouts - done
            table[at] = Rollouts.from_sums(done, failed, self._players, sums)
        return FlatTable(tuple(table))
