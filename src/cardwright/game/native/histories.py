"""Chains of worlds whose histories a seat cannot tell from the true one, by machine code.

What histories are, and how they are found, is in `cardwright.compiler.kernels.histories`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.compiler.kernels import histories as kernel
from cardwright.compiler.kernels.information import CHAINS
from cardwright.game.followers import follower_words
from cardwright.game.native.engine import LentStreams, NativeBoard
from cardwright.game.search import WorldFigures
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.cards import CardId

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.game.native.engine import NativeEngine
    from cardwright.program.cards import Seat

_EVENTS = 2_048
"""Events for which there is room at first."""

_TRIES = 20_000
"""Changes by which a first history is mended before another one is begun."""

_BEGINNINGS = 2
"""First histories that are begun before the search is given up."""

_BURN_IN = 500, 40_000
"""Proposals before the first world, and about how many steps they may play; some have none."""

_BETWEEN = 25, 2_000
"""The same for each further world."""


@dataclass(frozen=True, slots=True)
class History:
    """A history that a seat cannot tell from the true one.

    The first `made` choices are those of the true game. `orders` are those of the cards after each
    shuffle since, from the bottom, `choices` the indices of the options, and `seeds` what is drawn
    else with each, and before the first one if the game begins there.
    """

    made: int
    orders: tuple[tuple[CardId, ...], ...]
    choices: tuple[int, ...]
    seeds: tuple[int, ...]


class PastChoice(NamedTuple):
    """A choice of a history: the state before it, and the index of the option that was chosen.

    `steps` are the choices before in the history; any before its beginning are 0. `step` is the
    number of the choice in the chain.
    """

    engine: NativeEngine
    state: bytes
    steps: tuple[int, ...]
    chosen: int
    step: int

    def board(self) -> NativeBoard:
        """Return a board before the choice, not yet advanced."""
        board = self.engine.new_board()
        board.state[: len(self.state)] = self.state
        return board


class _HistoryMemory:
    """The memory of a trace, whose parts have names in `cardwright.compiler.kernels.histories`."""

    def __init__(self, engine: NativeEngine, sizes: dict[int, int]) -> None:
        """Take memory that is zero for parts of so many words."""
        self._at = follower_words(engine, 0)
        self._words = self._at + kernel.HEAD + sum(sizes.values())
        self._engine = engine
        self._memory = engine.native.machine.memory(8 * self._words)
        self._all = (ctypes.c_int64 * self._words).from_address(self._memory.place)
        self._all[CHAINS] = self._at
        self._sizes = sizes
        end = kernel.HEAD
        for part, size in sizes.items():
            self[part] = end
            end += size

    def copy(self) -> _HistoryMemory:
        """Return memory with the same content."""
        other = _HistoryMemory(self._engine, self._sizes)
        ctypes.memmove(other._memory.place, self._memory.place, 8 * self._words)
        return other

    def __getitem__(self, word: int) -> int:
        return self._all[self._at + word]

    def __setitem__(self, word: int, value: int) -> None:
        self._all[self._at + word] = value

    def part(self, part: int) -> Any:
        """Return the words of a part, which can be changed."""
        place = self._memory.place + 8 * (self._at + self[part])
        return (ctypes.c_int64 * self._sizes[part]).from_address(place)

    def rows(self, part: int, width: int, count: int) -> list[list[int]]:
        """Return the first words of a part in rows."""
        words = self.part(part)
        return [words[at : at + width] for at in range(0, width * count, width)]

    def call(self, function: str, board: NativeBoard, *rest: Any) -> int:
        """Call a function that works in this memory; raises Fault."""
        context = self._engine.context("retraced")
        context.set("extra", self._memory.address)
        forms = self._engine.pick_forms.address
        where = board.address, context.address, forms
        return self._engine.play(context, function, *where, *rest)


class HistoryChain:
    """A Markov chain of histories that a seat cannot tell from the true one; see `found`."""

    def __init__(self, engine: NativeEngine, trace: _HistoryMemory) -> None:
        self._engine, self._trace = engine, trace
        self._board = engine.new_board()
        self._fresh = True
        self._drawn = 0

    @classmethod
    def found(
        cls, engine: NativeEngine, seed: int, choices: Sequence[int], seat: Seat
    ) -> HistoryChain | None:
        """Return a chain for what a seat has seen of a game; None if no history was found.

        The search draws from a stream of its own, so that it depends on nothing else than what the
        seat has seen.
        """
        try:
            chain = cls(engine, _begun(engine, seed, choices, seat))
        except Fault:
            return None
        stream = Stream(0)
        for _ in range(_BEGINNINGS):
            if chain._call("cw_history_find", stream, _TRIES):
                return chain
        return None

    def copy(self) -> HistoryChain:
        """Return a chain that goes on from where this one is."""
        other = HistoryChain(self._engine, self._trace.copy())
        other._fresh, other._drawn = self._fresh, self._drawn
        return other

    def world(self, stream: Stream) -> NativeBoard:
        """Return the next world, with a random stream of its own."""
        effort = _BURN_IN if self._fresh else _BETWEEN
        self._fresh = False
        self._drawn += 1
        self._call("cw_history_next", stream, *effort)
        return self._board.copy()

    def _call(self, function: str, stream: Stream, *rest: Any) -> int:
        with LentStreams(self._engine, stream).lent() as words:
            return self._trace.call(function, self._board, words, *rest)

    def steps(self) -> Iterator[tuple[bytes, int]]:
        """Yield the board before each choice of the history of the last world, and its option."""
        trace, size = self._trace, self._engine.native.state_bytes
        frames = bytes(memoryview(trace.part(kernel.FRAMES)).cast("B"))
        rows = trace.rows(kernel.ROWS, kernel.ROW_WORDS, trace[kernel.STEPS])
        for step, row in enumerate(rows):
            if step >= trace[kernel.BEGINS]:
                yield frames[size * step : size * (step + 1)], row[kernel.INDEX]

    @property
    def history(self) -> History:
        """The history of the last world."""
        trace = self._trace
        width = self._engine.native.layout.parameters["CARDS"] + 1
        orders = trace.rows(kernel.ORDERS, width, trace[kernel.ORDER_ROOM])
        begins = trace[kernel.BEGINS]
        rows = trace.rows(kernel.ROWS, kernel.ROW_WORDS, trace[kernel.STEPS])
        return History(
            self._made,
            tuple(tuple(map(CardId, cards[:size])) for size, *cards in orders),
            tuple(row[kernel.INDEX] for row in rows[begins:]),
            tuple(row[kernel.SEED] % 2**64 for row in rows),
        )

    def is_hidden(self, choice: PastChoice) -> bool:
        """Return whether the seat for which the chain is has not seen all of a choice."""
        seen = self._trace.part(kernel.ROWS)[kernel.ROW_WORDS * choice.step + kernel.SEEN]
        return bool(seen != kernel.EVERY)

    def agreeing(self, choice: PastChoice, count: int) -> list[int]:
        """Return the options of a hidden choice, of so many, with which a history agrees."""
        out = (ctypes.c_int64 * count)()
        self._call("cw_history_choices", Stream(0), choice.step, count, self._engine.lend(out))
        return [index for index in range(count) if out[index]]

    def choose(self, choice: PastChoice, index: int) -> NativeBoard:
        """Make a hidden choice otherwise, so that the history agrees; return the world."""
        done = self._call("cw_history_choose", Stream(0), choice.step, index)
        assert done
        return self._board.copy()

    def past(self, seat: Seat) -> list[PastChoice]:
        """Return the choices of all other seats in the history of the last world.

        Of the step that shuffles all cards only what follows is imagined: its choice is left out.
        """
        engine, made, begins = self._engine, self._made, self._trace[kernel.BEGINS]
        steps = list(self.steps())
        choices = (0,) * made + tuple(index for _, index in steps)
        return [
            PastChoice(engine, state, choices[: made + at], index, at + begins)
            for at, (state, index) in enumerate(steps)
            if at + begins > 0 and engine.decoder.player(state) != seat
        ]

    @property
    def _made(self) -> int:
        """How many choices of the true game come before the history."""
        return self._trace[kernel.FIRST] - 1 + self._trace[kernel.BEGINS]

    @property
    def figures(self) -> WorldFigures:
        """How the chain went so far."""
        return WorldFigures(self._drawn, self._trace[kernel.PROPOSED], self._trace[kernel.ACCEPTED])


def _frame_words(engine: NativeEngine, count: int) -> int:
    return -(-engine.native.state_bytes * count // 8) + 1


def _noted(engine: NativeEngine, seed: int, choices: Sequence[int], seat: Seat) -> _HistoryMemory:
    """Play a game, and return what a seat saw of it."""
    parameters = engine.native.layout.parameters
    frame, room = _frame_words(engine, 1), _EVENTS
    made = (ctypes.c_int64 * len(choices))(*choices)
    while True:
        trace = _HistoryMemory(
            engine,
            {
                kernel.PLACES: parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"] + 1,
                kernel.FRAMES: frame,
                kernel.FRESH: frame,
                kernel.ROWS: kernel.ROW_WORDS * (len(choices) + 2),
                kernel.LOG: kernel.EVENT_WORDS * room,
            },
        )
        trace[kernel.SEAT], trace[kernel.EVENT_ROOM] = seat, room
        board = engine.new_board()
        trace.call("cw_history_note", board, seed, engine.lend(made), len(choices))
        if trace[kernel.AT] <= room:
            return trace
        room = trace[kernel.AT]


def _begun(engine: NativeEngine, seed: int, choices: Sequence[int], seat: Seat) -> _HistoryMemory:
    """Return the memory for histories of a game, as far as a seat saw it."""
    noted = _noted(engine, seed, choices, seat)
    program, parameters = engine.native.program, engine.native.layout.parameters
    first = noted[kernel.FIRST]
    rows = noted.rows(kernel.ROWS, kernel.ROW_WORDS, len(choices) + 2)[first:]
    since, shuffled = rows[0][kernel.LOG_AT], rows[0][kernel.SHUFFLE_AT]
    forced = rows[0][kernel.INDEX]
    for row in rows:
        row[kernel.LOG_AT] -= since
        row[kernel.SHUFFLE_AT] -= shuffled
        row[kernel.INDEX] = -1
    rows[0][kernel.INDEX], rows[0][kernel.SEEN] = forced, kernel.EVERY
    events = noted.rows(kernel.LOG, kernel.EVENT_WORDS, noted[kernel.AT])[since:]
    _order(events)
    cards, steps, shuffles = parameters["CARDS"], len(rows) - 1, rows[-1][kernel.SHUFFLE_AT]
    orders, frames = (cards + 1) * shuffles, _frame_words(engine, steps + 1)
    trace = _HistoryMemory(
        engine,
        {
            kernel.LOG: kernel.EVENT_WORDS * len(events),
            kernel.ROWS: kernel.ROW_WORDS * len(rows),
            kernel.ORDERS: orders,
            kernel.BEFORE: orders,
            kernel.PERMUTED: cards,
            kernel.INVERSE: cards,
            kernel.PLACES: parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"] + 1,
            kernel.FRAMES: frames,
            kernel.FRESH: frames,
        },
    )
    given = {
        kernel.SEAT: seat,
        kernel.STEPS: steps,
        kernel.BEGINS: int(first == 0),
        kernel.EVENTS: len(events),
        kernel.ORDER_ROOM: shuffles,
        kernel.FIRST: first,
        kernel.FREE: sum(row[kernel.SEEN] != kernel.EVERY for row in rows[:-1]),
        kernel.DRAWS: int(any(map(_draws, program.nodes()))),
    }
    for word, value in given.items():
        trace[word] = value
    trace.part(kernel.LOG)[:] = [word for event in events for word in event]
    trace.part(kernel.ROWS)[:] = [word for row in rows for word in row]
    start = noted.part(kernel.FRAMES)
    ctypes.memmove(trace.part(kernel.FRAMES), start, engine.native.state_bytes)
    return trace


def _draws(node: n.Node) -> bool:
    """Return whether a form may draw anything but the order of cards."""
    return node.traits.draws and not isinstance(node, n.Shuffle)


def _order(events: list[list[int]]) -> None:
    """Order what a seat saw of cards dealt in a row by number: their order tells nothing."""
    first = 0
    while first < len(events):
        end = first
        dealt: dict[int, list[int]] = {}
        while end < len(events) and events[end][kernel.ANY_ORDER]:
            if events[end][kernel.CARD]:
                dealt.setdefault(events[end][kernel.TARGET], []).append(end)
            end += 1
        for places in dealt.values():
            cards = sorted((events[at] for at in places), key=lambda event: event[kernel.CARD])
            for at, event in zip(places, cards, strict=True):
                events[at] = event
        first = end + 1
