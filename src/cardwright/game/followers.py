"""Followers: a game that is played once more by the interpreter, for what its seats see of it."""

from __future__ import annotations

import ctypes
from array import array
from typing import TYPE_CHECKING, Self, TypeAlias

from cardwright.compiler.kernels.information import CHAINS, REFUSED, ROOM
from cardwright.game.board import outcomes_at
from cardwright.game.information.sightings import (
    KEY_BYTES,
    Chains,
    Recalled,
    SeenSoFar,
    entries_of,
    entry_words,
)
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.option import SeenDecision, content_of
from cardwright.interpreter import machine
from cardwright.interpreter.chance import scripted, settle
from cardwright.interpreter.steps import picked_cards
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.layout import BoardLayout
    from cardwright.game.board import Board
    from cardwright.game.information.sightings import Sightings
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World


_WORD = 2**64 - 1


class ReferenceFollower:
    """A game at a decision or at its end, as the interpreter follows it; it does not change."""

    __slots__ = ("_built", "_chains", "_limits", "_recalled", "_room", "_sightings", "_world")

    def __init__(
        self, sightings: Sightings, limits: GameLimits, world: World, seen: SeenSoFar, room: int
    ) -> None:
        """Take over a world and what was seen so far; there is room to recall some choices."""
        self._sightings = sightings
        self._limits = limits
        self._chains = Chains(seen.words)
        self._room = room
        self._recalled = seen.recalled[:room]
        self._world = WatchedWorld.of(world, self._watch)
        self._built: Sequence[BuiltOption] | None = None

    def begun(self, outcomes: Sequence[int]) -> Self:
        """Run a new game to its first decision, by the outcomes of its first draws; raises Fault.

        Only draws by hand have outcomes.
        """
        with scripted(self._world.stream, outcomes):
            self._run_on()
        return self

    @classmethod
    def adopted(
        cls, sightings: Sightings, limits: GameLimits, board: Board, seen: SeenSoFar, room: int
    ) -> Self:
        """Return a follower of a board at a decision, or at the end, where this had been seen."""
        follower = cls(sightings, limits, board.world().copy(), seen, room)
        built = board.built()
        assert built is not None
        follower._built = None if board.finished else built
        return follower

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen."""
        return SeenSoFar(tuple(self._chains.words), self._recalled)

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        return self._chains.key(seat)

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices."""
        return entry_words(self._sightings.layout, self._recalled, count)

    def after(self, choices: Sequence[int]) -> Self:
        """Return the game after some more steps, the first of which is a choice; raises Fault."""
        follower = self._copy()
        at = 0
        while at < len(choices):
            outcomes = outcomes_at(choices, at + 1)
            with scripted(follower._world.stream, outcomes):
                follower._step(choices[at])
            at += 1 + len(outcomes)
        return follower

    def _copy(self) -> Self:
        world = self._world.copy()
        follower = type(self)(self._sightings, self._limits, world, self.seen, self._room)
        follower._built = self._built
        return follower

    def _step(self, choice: int) -> None:
        assert self._built is not None
        self._choose(self._built[choice])
        self._run_on()

    def _watch(self, effect: Effect) -> None:
        self._sightings.happened(self._chains, effect)

    def _run_on(self) -> None:
        settle(self._world.stream)
        self._built = machine.advance(self._world, self._limits)
        if self._built is None:
            self._sightings.arrived(self._chains, None, machine.scores(self._world))
        else:
            self._sightings.arrived(self._chains, self._world.players[-1].current, ())

    def _choose(self, option: BuiltOption) -> None:
        """Carry an option out, and let all seats see of the choice what they can."""
        world, witnesses = self._world, self._sightings.witnesses
        branch = self._sightings.branch_number(world, option)
        seat = Seat(world.players[-1].current)
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        before = {card: witnesses(world.where[card]) for card in picked}
        machine.carry_out(world, option)
        after = {card: witnesses(world.where[card]) for card in picked}
        cards: list[int] = []
        shared: dict[tuple[bool, ...], int] = {}
        for observer in self._sightings.seats:
            known = {card: before[card][observer] or after[card][observer] for card in picked}
            key = tuple(known.values())
            if key not in shared:
                content = content_of(option, known.__getitem__, lambda card: before[card][seat])
                shared[key] = self._sightings.decision_word(SeenDecision(seat, content))
            self._chains.add(observer, shared[key])
            cards.append(sum({1 << card for card in picked if known[card]}))
        picks = self._sightings.public_words(option)
        recalled = Recalled(seat, branch, picks, tuple(cards))
        self._recalled = (recalled, *self._recalled)[: self._room]


class NativeFollower:
    """The same as machine code follows it.

    `memory` is what `cardwright.compiler.kernels.information` works in.
    """

    __slots__ = ("_board", "_memory")

    def __init__(self, board: NativeBoard, memory: ctypes.Array[ctypes.c_int64]) -> None:
        """Take over a board and the memory."""
        self._board = board
        self._memory = memory

    @classmethod
    def started(cls, engine: NativeEngine, seed: int, seen: SeenSoFar, room: int) -> NativeFollower:
        """Return a new game at its first decision, with chains as they begin; raises Fault.

        There is room to recall a number of choices.
        """
        follower = cls(engine.new_board(), follower_memory(engine, seen, room))
        signed = seed - 2**64 if seed >= 2**63 else seed
        follower._call("cw_follow_start", signed)
        return follower

    @classmethod
    def adopted(cls, board: NativeBoard, seen: SeenSoFar, room: int) -> NativeFollower:
        """Return a follower of a board at a decision, or at the end, where this had been seen."""
        return cls(board.copy(), follower_memory(board.engine, seen, room))

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen."""
        layout = self._board.engine.native.layout
        end = CHAINS + 2 + 2 * layout.players
        words = tuple(word & _WORD for word in self._memory[CHAINS:end])
        first = _entries_at(layout)
        last = first + self._memory[ROOM] * layout.entry_words
        return SeenSoFar(words, entries_of(layout, self._memory[first:last]))

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        at = 8 * CHAINS + KEY_BYTES * seat
        return bytes(memoryview(self._memory).cast("B")[at : at + KEY_BYTES])

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices."""
        layout = self._board.engine.native.layout
        first = _entries_at(layout)
        return array("q", self._memory[first : first + count * layout.entry_words])

    def after(self, choices: Sequence[int]) -> NativeFollower:
        """Return the game after some more choices; raises Fault."""
        memory = type(self._memory).from_buffer_copy(self._memory)
        follower = NativeFollower(self._board.copy(), memory)
        made = array("q", choices)
        forms = self._board.engine.pick_forms.address
        follower._call("cw_follow", forms, made.buffer_info()[0], 0, len(made))
        return follower

    def look(self, seat: int) -> None:
        """Add what a seat sees of the cards to its chain; only for one that is new."""
        self._call("cw_follow_from", seat)

    def _call(self, function: str, *args: int) -> None:
        engine = self._board.engine
        context = engine.following_context()
        context.set("extra", ctypes.addressof(self._memory))
        found = engine.call(function, self._board.address, context.address, *args)
        assert found != REFUSED
        if found < 0:
            context.check()
            raise engine.fault(context)


def _entries_at(layout: BoardLayout) -> int:
    """Return where the entries for the latest choices begin in the memory of a follower."""
    seats = layout.players + 1
    return CHAINS + 2 * seats + (layout.capacity * seats + 7) // 8


def follower_memory(
    engine: NativeEngine, seen: SeenSoFar, room: int
) -> ctypes.Array[ctypes.c_int64]:
    """Return the memory of a follower, with room for some entries, where this had been seen."""
    layout = engine.native.layout
    seats, first = layout.players + 1, _entries_at(layout)
    last = first + room * layout.entry_words
    content = [0] * (last + max(engine.pick_forms.most, seats))
    content[ROOM] = room
    words = [word - 2**64 if word >= 2**63 else word for word in seen.words]
    content[CHAINS : CHAINS + 2 * seats] = words
    if room:
        content[first:last] = entry_words(layout, seen.recalled, room)
    return (ctypes.c_int64 * len(content))(*content)


GameFollower: TypeAlias = ReferenceFollower | NativeFollower
