"""The native engine: boards of bytes, played by machine code."""

from __future__ import annotations

import ctypes
import threading
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from cardwright.compiler.compilation import TooLargeError
from cardwright.compiler.kernel_sets import (
    BATCHES,
    INFORMATION,
    OBSERVATIONS,
    PLAY,
    RANDOM_GAMES,
    RECALLED_BATCHES,
    ROLLOUTS,
    SEARCHES,
    WORLDS,
)
from cardwright.compiler.kernels import rollouts as kernel
from cardwright.compiler.kernels.rollouts import WINS
from cardwright.compiler.kernels.stream import POOL_BYTES, seed_words
from cardwright.compiler.kernels.worlds import BASIC, GIVEN, KNOWING, WITHIN, chain_bytes
from cardwright.compiler.native import NativeCode, NativeProgram, native
from cardwright.compiler.structs import STREAM
from cardwright.game.board import Board
from cardwright.game.errors import EngineError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.decode import Decoder
from cardwright.game.search import FlatTable, Rollouts
from cardwright.interpreter.effects import Pick
from cardwright.interpreter.world import Fault
from cardwright.program.cards import CardId, Location, Seat
from cardwright.program.chains import choosing
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.compiler.context import Context
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.actions.kernel_tables import ActionForms, ObservationWords, PickForms
    from cardwright.game.actions.numbering import Actions
    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.board import Snapshot
    from cardwright.game.information.knowledge import Knowledge, Redeal
    from cardwright.game.search import Chances, FlatPlan
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.chains import ChoiceOptions
    from cardwright.program.program import Program

_AT_ONCE = 1_000
"""Rollouts in one call of the machine code."""

_EXTENSION_OF = {
    name: extension
    for extension in (
        PLAY,
        RANDOM_GAMES,
        ROLLOUTS,
        BATCHES,
        WORLDS,
        OBSERVATIONS,
        INFORMATION,
        RECALLED_BATCHES,
    )
    for name in extension.signatures
}
"""The extension that has a function."""


class NativeEngine:
    """Plays a program by machine code, each part of which is compiled when it is first needed.

    A `brief` one compiles with the least effort, and keeps nothing beyond its own life.
    """

    name = "native"

    def __init__(self, program: Program, limits: GameLimits, *, brief: bool = False) -> None:
        self.native = NativeProgram(program) if brief else native(program)
        self._brief = brief
        self.limits = limits
        self.decoder = Decoder(self.native)
        self.chooses: list[n.ForEach] = choosing(list(program.nodes()))
        self._threads = threading.local()
        self._extended: dict[str, NativeCode] = {}
        self._observed: dict[int, ObservationWords] = {}
        self._action_forms: ActionForms | None = None

    @cached_property
    def advance(self) -> Callable[[int, int], int]:
        """The function that runs a board to its next decision."""
        return cast("Callable[[int, int], int]", self.extended(PLAY).functions["cw_advance"])

    @cached_property
    def step(self) -> Callable[[int, int, int], int]:
        """The function that carries out an option of a board, and runs on."""
        return cast("Callable[[int, int, int], int]", self.extended(PLAY).functions["cw_step"])

    def prepare(self) -> None:
        """Compile what plays a game; raises EngineError for a program that is too large."""
        self.extended(PLAY)

    def observed(self, layout: ObservationLayout) -> ObservationWords:
        """Return a layout of observations for kernels."""
        found = self._observed.get(layout.history)
        if found is None:
            from cardwright.game.actions.kernel_tables import ObservationWords

            found = self._observed[layout.history] = ObservationWords(layout)
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

    def context(self) -> Context:
        """Return the context of the calling thread."""
        try:
            return cast("Context", self._threads.context)
        except AttributeError:
            return cast("Context", self._of_thread("context", self._watched))

    def second_context(self) -> Context:
        """Return another context of the calling thread, for games played in between."""
        return cast("Context", self._of_thread("second", self._watched))

    def following_context(self) -> Context:
        """Return the context of the calling thread in which games are followed."""
        return cast("Context", self._of_thread("following", self._watched))

    def kept_by_thread(self) -> dict[Any, Any]:
        """Return what the calling thread keeps for its searches."""
        return cast("dict[Any, Any]", self._of_thread("kept", dict))

    def _of_thread(self, name: str, make: Callable[[], object]) -> object:
        """Return an object of the calling thread, which is made when it is first asked for."""
        if not hasattr(self._threads, name):
            setattr(self._threads, name, make())
        return getattr(self._threads, name)

    def _watched(self) -> Context:
        """Return a new context; what works in it in the main thread can be interrupted."""
        context = self.new_context()
        if threading.current_thread() is threading.main_thread():
            context.watch()
        return context

    def new_context(self) -> Context:
        """Return a context for a thread alone."""
        return self.native.context(self.limits.steps, self.limits.decisions)

    def call(self, name: str, *args: Any) -> int:
        """Call a function of the machine code."""
        result: int = self.extended(_EXTENSION_OF[name]).functions[name](*args)
        return result

    def extended(self, extension: KernelSet) -> NativeCode:
        """Return the functions of an extension; raises EngineError for too large a program."""
        found = self._extended.get(extension.name)
        if found is None:
            try:
                of = self.native
                found = of.brief_code(extension) if self._brief else of.code(extension)
            except TooLargeError as error:
                raise too_large(self.native.program, error) from None
            self._extended[extension.name] = found
        return found

    def fault(self, context: Context) -> Fault:
        """Return the fault that the context holds."""
        numbers = [context.get(f"fault_{name}") for name in ("site", *"abc")]
        return self._fault_at(list(self._extended.values()), *numbers)

    def fault_of(self, numbers: Sequence[int], *extensions: KernelSet) -> Fault:
        """Return the fault of a site and three numbers, from one of some extensions."""
        return self._fault_at((self.extended(one) for one in extensions), *numbers)

    def _fault_at(self, codes: Iterable[NativeCode], number: int, a: int, b: int, c: int) -> Fault:
        """Return the fault of a site, which defines the meaning of three numbers."""
        site = next(code.sites[number] for code in codes if number in code.sites)
        message = site.text(a, b, c)
        return Fault(site.rule, message, site.span)

    def start(self, seed: int) -> NativeBoard:
        """Return a board after the set-up of a new game, before its first item."""
        board = self.new_board()
        context = self.context()
        signed = seed - 2**64 if seed >= 2**63 else seed
        if self.call("cw_start", board.address, context.address, signed) < 0:
            raise self.fault(context)
        return board

    def game_seeds(self, seed: int, first: int, count: int) -> bytearray:
        """Return the seeds of games of a job, 8 bytes each, as `GameSeeds` gives them."""
        words = seed_words(seed)
        pool, given = ctypes.create_string_buffer(POOL_BYTES), ctypes.create_string_buffer(words)
        out = (ctypes.c_uint64 * count)()
        at = [ctypes.addressof(memory) for memory in (pool, given, out)]
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

    def __init__(self, engine: NativeEngine, state: bytearray) -> None:
        self.engine = engine
        self.state = state
        self._held = (ctypes.c_char * len(state)).from_buffer(state)
        self.address = ctypes.addressof(self._held)
        self.count = 0
        self._token: tuple[Context, int] | None = None
        self._world: World | None = None

    @property
    def finished(self) -> bool:
        """Whether no decision is due."""
        return self.count == 0

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide."""
        return Seat(self.engine.decoder.player(self.state)) if self.count else None

    @property
    def chances(self) -> bytes:
        """The state of the board's own random stream."""
        return bytes(self.state[: STREAM.bytes])

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
        address = ctypes.addressof(out)
        if self.engine.call("cw_scores", self.address, context.address, address) < 0:
            context.check()
            raise self.engine.fault(context)
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
        found = plan.chains[branch]
        starts = range(plan.shape.head, plan.shape.words, plan.shape.width)
        if plan.shape.strict:
            assert found is not None
            forms = found.picks
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
        return _board_of(self.engine, self.state, self.count)

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state, from its bytes."""
        return partial(_board_of, self.engine, bytes(self.state), self.count)

    def determinise(self, seat: int, stream: Stream, mode: KnowledgeMode) -> NativeBoard:
        """Return a board drawn from those that a seat cannot tell from this one."""
        board = self.copy()
        context = self.engine.context()
        context.token += 1
        words = (ctypes.c_uint64 * 4)(*stream.words)
        address = ctypes.addressof(words)
        known = int(mode is KnowledgeMode.KNOWN)
        done = self.engine.call(
            "cw_determinise", board.address, context.address, seat, address, known
        )
        assert done == 0
        _set_stream(stream, words)
        return board

    def worlds(self, knowledge: Knowledge, stream: Stream) -> NativeWorlds:
        """Begin a chain of boards that a seat cannot tell from this one by what it knows."""
        return NativeWorlds(self, knowledge, stream)

    def rollouts(self, count: int, stream: Stream, redeal: Redeal | None) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        program = self.engine.native.program
        context = self.engine.context()
        context.token += 1
        work = NativeBoard(self.engine, self.engine.native.new_board())
        worlds = None
        if redeal and redeal.knowledge and count:
            worlds = self.worlds(redeal.knowledge, stream)
        words = (ctypes.c_uint64 * 4)(*stream.words)
        streams = (ctypes.c_uint64 * (4 * program.players))()
        ends = (ctypes.c_int64 * program.players)()
        sums = (ctypes.c_int64 * (program.players * (3 + program.players)))()
        before = self.address, context.address, work.address, ctypes.addressof(words)
        choosing = ctypes.addressof(streams)
        after = int(program.highest_wins), ctypes.addressof(ends), ctypes.addressof(sums)
        done = 0
        for first in range(0, count, _AT_ONCE):
            fresh, some = int(first == 0), min(_AT_ONCE, count - first)
            if worlds is not None:
                done += worlds.roll_out(work, choosing, fresh, some, after[1:])
                continue
            known = redeal is not None and redeal.mode is KnowledgeMode.KNOWN
            how = GIVEN if redeal is None else KNOWING if known else BASIC
            drawn = fresh, 0 if redeal is None else redeal.seat, how, 0, 0
            done += self.engine.call("cw_rollouts", *before, choosing, *drawn, some, *after)
            context.check()
            _set_stream(stream, words)
        return _rollouts(list(sums), program.players, done, count - done)

    def trials(self, redeal: Redeal, chances: Chances) -> NativeTrials:
        """Return trials of the options of the decision that is due."""
        return NativeTrials(self, redeal, chances)

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

    def same(self, other: Board) -> bool | None:
        """Return True if the bytes are the same; otherwise the keys have to be compared."""
        if isinstance(other, NativeBoard) and other.state == self.state:
            return True
        return None


def _board_of(engine: NativeEngine, state: bytes | bytearray, count: int) -> NativeBoard:
    """Return a new board with these bytes and this many options."""
    board = NativeBoard(engine, bytearray(state))
    board.count = count
    return board


def _rollouts(sums: list[int], players: int, done: int, failed: int) -> Rollouts:
    """Return rollouts from the sums that `cardwright.compiler.kernels.rollouts` describes."""
    size = WINS + players
    rows = [sums[at : at + size] for at in range(0, len(sums), size)]
    return Rollouts.from_sums(done, failed, rows)


class _Chain:
    """Memory for a chain of worlds: what a seat knows, as kernels take it, and the state."""

    def __init__(self, board: NativeBoard, knowledge: Knowledge) -> None:
        parameters = board.engine.native.layout.parameters
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._board, self._seat = board, knowledge.seat
        self._table = ctypes.create_string_buffer(board.table(knowledge))
        self._chain = (ctypes.c_char * chain_bytes(parameters["CARDS"], slots))()
        self.addresses = ctypes.addressof(self._table), ctypes.addressof(self._chain)

    def begin(self, function: Callable[..., int], stream: int) -> None:
        """Begin the chain by a kernel `cw_chain`, drawing from the stream at an address."""
        count = function(self._board.address, self._seat, stream, *self.addresses)
        assert count >= 0, "what a seat knows allows no deal"


class NativeWorlds:
    """A chain of worlds that a seat cannot tell from a board by what it knows."""

    def __init__(self, board: NativeBoard, knowledge: Knowledge, stream: Stream) -> None:
        self._board = board
        self._stream = stream
        self._chain = _Chain(board, knowledge)
        self._words = (ctypes.c_uint64 * 4)(*stream.words)
        self._places = ctypes.addressof(self._words), *self._chain.addresses
        self._functions = board.engine.extended(WORLDS).functions
        self._chain.begin(self._functions["cw_chain"], self._places[0])
        _set_stream(stream, self._words)

    def next(self) -> NativeBoard:
        """Return the next world as a board, not yet advanced."""
        board = self._board.copy()
        self._functions["cw_next_world"](board.address, *self._places)
        _set_stream(self._stream, self._words)
        return board

    def roll_out(
        self, work: NativeBoard, streams: int, fresh: int, count: int, out: tuple[int, int]
    ) -> int:
        """Play the next worlds to their ends, adding to sums; return how many broke no rule.

        `work` is a board to play on; `streams` and `fresh` are as `cw_rollouts` takes them, and so
        is `out`, the addresses of the scores and of the sums.
        """
        engine = self._board.engine
        context = engine.context()
        context.token += 1
        highest = int(engine.native.program.highest_wins)
        done: int = engine.extended(ROLLOUTS).functions["cw_rollouts"](
            self._board.address, context.address, work.address, self._places[0], streams, fresh,
            0, WITHIN, *self._places[1:], count, highest, *out,
        )  # fmt: skip
        context.check()
        _set_stream(self._stream, self._words)
        return done


_TRIALS_AT_ONCE = 4_000
"""Rollouts in one call of the machine code, or as many as a world has."""

_KNOWLEDGE = {
    KnowledgeMode.BASIC: BASIC,
    KnowledgeMode.KNOWN: KNOWING,
    KnowledgeMode.CONSISTENT: WITHIN,
}


class NativeTrials:
    """Trials by machine code, with the memory for them; for one thread at a time."""

    def __init__(self, board: NativeBoard, redeal: Redeal, chances: Chances) -> None:
        self._board = board.copy()
        self._streams = (chances.stream, *chances.seats)
        self._call = board.engine.extended(SEARCHES).functions["cw_flat"]
        players = board.engine.native.program.players
        size = len(board.state)
        row = 1 + players * (WINS + players)
        self._words = (ctypes.c_uint64 * (4 * (1 + players)))()
        self._plan = (ctypes.c_int64 * kernel.WORDS)()
        self._plan[kernel.SEAT] = redeal.seat
        self._plan[kernel.KNOWLEDGE] = _KNOWLEDGE[redeal.mode]
        self._plan[kernel.HIGHEST] = int(board.engine.native.program.highest_wins)
        self._sums = (ctypes.c_int64 * (row * board.count))()
        self._held: list[Any] = [
            (ctypes.c_char * size)(),
            (ctypes.c_char * size)(),
            (ctypes.c_int64 * board.count)(),
            (ctypes.c_int64 * (2 * players))(),
        ]
        self._chain: _Chain | None = None
        if redeal.knowledge is not None:
            self._chain = _Chain(self._board, redeal.knowledge)
            self._take_words()
            begin = board.engine.extended(SEARCHES).functions["cw_chain"]
            self._chain.begin(begin, ctypes.addressof(self._words))
            self._give_words()

    def _take_words(self) -> None:
        self._words[:] = [word for stream in self._streams for word in stream.words]

    def _give_words(self) -> None:
        for at, stream in enumerate(self._streams):
            _set_stream(stream, self._words[4 * at : 4 * at + 4])

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options."""
        board, todo = self._board, self._plan
        tried = plan.indices(board.count)
        todo[kernel.ROLLOUTS], todo[kernel.SHARED] = plan.rollouts, int(plan.shared)
        todo[kernel.FIRST], todo[kernel.END] = tried.start, tried.stop
        todo[kernel.LIMIT] = plan.limit
        ctypes.memset(self._sums, 0, ctypes.sizeof(self._sums))
        engine = self._board.engine
        contexts = engine.context(), engine.second_context()
        places = self._places()
        self._take_words()
        left, most = plan.deals, max(1, _TRIALS_AT_ONCE // (plan.rollouts * max(1, len(tried))))
        with contexts[1].one_deal(plan.horizon.one_deal(engine.native.program)):
            while left:
                todo[kernel.DEALS] = min(most, left)
                left -= todo[kernel.DEALS]
                done = self._call(*places)
                for context in contexts:
                    context.check()
                assert done == 0, "a decision has lost options"
        self._give_words()
        return self._table(tried, plan.deals * plan.rollouts)

    def _places(self) -> list[int]:
        """Return the arguments of the kernel, for the calling thread."""
        engine = self._board.engine
        context = engine.context()
        context.token += 1
        world, work, keys, ends = map(ctypes.addressof, self._held)
        chain = self._chain.addresses if self._chain else (0, 0)
        words = ctypes.addressof(self._words)
        return [
            self._board.address, context.address, engine.second_context().address, world, work,
            words, words + 32, ctypes.addressof(self._plan), engine.pick_forms.address,
            *chain, keys, ends, ctypes.addressof(self._sums),
        ]  # fmt: skip

    def _table(self, tried: range, asked: int) -> FlatTable:
        """Return the table from the sums, given the number of rollouts of each option tried."""
        players = self._board.engine.native.program.players
        size = 1 + players * (WINS + players)
        table = [Rollouts.none(players)] * self._board.count
        for at in tried:
            done, *sums = self._sums[at * size : (at + 1) * size]
            table[at] = _rollouts(sums, players, done, asked - done)
        return FlatTable(tuple(table))


def _set_stream(stream: Stream, words: Sequence[int] | ctypes.Array[ctypes.c_uint64]) -> None:
    stream.words = (words[0], words[1], words[2], words[3])
