"""The native engine: boards of bytes, played by machine code."""

from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Any

from cardwright.compiler.chains import choosing
from cardwright.compiler.kernels.seeds import POOL_BYTES, seed_words
from cardwright.compiler.native import native
from cardwright.game.decode import Decoder
from cardwright.game.determinise import Mode
from cardwright.interpreter.fault import Fault
from cardwright.interpreter.options import Pick
from cardwright.program.cards import CardId, Location, Seat
from cardwright.program.kinds import ITEM_KINDS, Kind
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.compiler.chains import Options
    from cardwright.compiler.context import Context
    from cardwright.game.board import Board
    from cardwright.interpreter.machine import Limits
    from cardwright.interpreter.options import Built
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.program import Program

_MASK = 2**64 - 1


class NativeEngine:
    """Plays a program by machine code."""

    name = "native"

    def __init__(self, program: Program, limits: Limits) -> None:
        self.native = native(program, program.source.name)
        self.limits = limits
        self.decoder = Decoder(self.native)
        self.chooses: list[n.ForEach] = choosing(list(program.nodes()))
        self._threads = threading.local()

    def context(self) -> Context:
        """Return the context of the thread that asks."""
        try:
            found: Context = self._threads.context
        except AttributeError:
            found = self.new_context()
            self._threads.context = found
        return found

    def new_context(self) -> Context:
        """Return a context for a thread alone."""
        return self.native.context(self.limits.steps, self.limits.decisions)

    def call(self, name: str, *args: Any) -> int:
        """Call a function of the machine code."""
        result: int = self.native.functions[name](*args)
        return result

    def fault(self, context: Context) -> Fault:
        """Return the fault that the context holds."""
        return self.fault_at(*(context.get(f"fault_{name}") for name in ("site", *"abc")))

    def fault_at(self, number: int, a: int, b: int, c: int) -> Fault:
        """Return the fault of a site, which says what three numbers are."""
        site = self.native.sites[number]
        message = site.text(a, b, c)
        return Fault(site.rule, message, Span(site.start, site.end))

    def start(self, seed: int) -> NativeBoard:
        """Return a board after the set-up of a new game, before its first item."""
        board = NativeBoard(self, self.native.new_board())
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


class NativeBoard:
    """A state of bytes, and how many options it has where it stands; see `Board`.

    The options themselves lie in the context of a thread, from the last search. They are sought
    again when they are wanted and another board's lie there.
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
        """Who has to decide."""
        return Seat(self.engine.call("cw_player", self.address)) if self.count else None

    @property
    def option_count(self) -> int:
        """The number of options."""
        return self.count

    def advance(self) -> None:
        """Run to the next decision, or to the end."""
        context = self.engine.context()
        context.token += 1
        self._world = None
        self._token = None
        count = self.engine.call("cw_advance", self.address, context.address)
        if count < 0:
            self.count = 0
            raise self.engine.fault(context)
        self.count = count
        self._token = (context, context.token)

    def _seek(self) -> Context:
        """Return the context in which the options of this board lie."""
        context = self.engine.context()
        if self._token != (context, context.token):
            world = self._world
            self.advance()
            self._world = world
        return context

    def play(self, index: int) -> None:
        """Carry out an option."""
        context = self._seek()
        context.token += 1
        self._world = None
        if self.engine.call("cw_play", self.address, context.address, index) < 0:
            raise self.engine.fault(context)

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        context = self.engine.context()
        players = self.engine.native.program.players
        out = (ctypes.c_int64 * players)()
        address = ctypes.addressof(out)
        if self.engine.call("cw_scores", self.address, context.address, address) < 0:
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
        self, context: Context, plan: Options, words: tuple[int, ...]
    ) -> tuple[int, tuple[Pick, ...]]:
        branch = words[0]
        found = plan.chains[branch]
        if plan.shape.strict:
            assert found is not None
            forms = list(found.picks)
            rows = [(words[1 + 2 * at], words[2 + 2 * at]) for at in range(len(forms))]
        else:
            starts = range(2, 2 + 3 * words[1], 3)
            forms = [self.engine.chooses[words[at + 2]] for at in starts]
            rows = [(words[at], words[at + 1]) for at in starts]
        picks = tuple(
            Pick(form, ordinal, self._item(context, form, value))
            for form, (value, ordinal) in zip(forms, rows, strict=True)
        )
        return branch, picks

    def _item(
        self, context: Context, form: n.ForEach, value: int
    ) -> int | str | Location | tuple[CardId, ...]:
        match ITEM_KINDS[form.collection.kind]:
            case Kind.STRING:
                return self.engine.native.names.texts[value]
            case Kind.LOCATION:
                if self.engine.native.facts.real_members(form.collection):
                    return self.engine.decoder.location(self.state, value)
                width = self.engine.native.layout.card_bytes
                return tuple(CardId(card) for card in context.list_at(value, width))
        return value

    def where(self, card: CardId) -> Location:
        """Return the place where a card really lies."""
        return self.engine.decoder.where(self.state, card)

    def world(self) -> World:
        """Return the state as a world."""
        if self._world is None:
            self._world = self.engine.decoder.world(self.state)
        return self._world

    def built(self) -> Sequence[Built] | None:
        """Say that effects are not kept."""
        return None

    def copy(self) -> NativeBoard:
        """Return an independent board."""
        board = NativeBoard(self.engine, bytearray(self.state))
        board.count = self.count
        return board

    def determinise(self, seat: int, stream: Stream, mode: Mode) -> NativeBoard:
        """Return a board drawn from those that a seat cannot tell from this one."""
        board = self.copy()
        context = self.engine.context()
        context.token += 1
        words = (ctypes.c_uint64 * 4)(*stream.words)
        address = ctypes.addressof(words)
        known = int(mode is Mode.KNOWN)
        done = self.engine.call(
            "cw_determinise", board.address, context.address, seat, address, known
        )
        assert done == 0
        stream.words = (words[0], words[1], words[2], words[3])
        return board

    def key(self) -> Hashable:
        """Return the key of the world."""
        return self.world().key()

    def same(self, other: Board) -> bool | None:
        """Say yes if the bytes are the same; if they are not, the keys have to tell."""
        if isinstance(other, NativeBoard) and other.state == self.state:
            return True
        return None
