"""Followers: games played once more, by either engine, for the keys of what their seats see."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast

from cardwright.compiler.backend import Words
from cardwright.compiler.kernels.information import CHAINS, ROOM
from cardwright.game.chance import first_world
from cardwright.game.information.sightings import (
    KEY_BYTES,
    Chains,
    Recalled,
    SeenSoFar,
    entries_of,
    entry_words,
    words_of,
)
from cardwright.game.information.tracker import WatchedGame
from cardwright.game.reference import ReferenceBoard, ReferenceEngine
from cardwright.interpreter import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.layout import BoardLayout
    from cardwright.game.board import Board, Engine
    from cardwright.game.information.sightings import Sightings
    from cardwright.game.information.tracker import InSight
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.game.option import SeenDecision
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World


_WORD = 2**64 - 1


class ReferenceFollower(WatchedGame):
    """A game as the interpreter follows it, for the chains of its seats and the latest choices."""

    def __init__(
        self, sightings: Sightings, limits: GameLimits, world: World, seen: SeenSoFar, room: int
    ) -> None:
        """Take over a world and what was seen so far; there is room to recall some choices."""
        super().__init__(limits, world, sightings.witnesses)
        self._sightings = sightings
        self._chains = Chains(seen.words)
        self._room = room
        self._recalled = seen.recalled[:room]

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

    def _copy(self) -> Self:
        other = super()._copy()
        other._chains = Chains(self._chains.words)
        return other

    def _watch(self, effect: Effect) -> None:
        self._sightings.happened(self._chains, effect)

    def _note(self, option: BuiltOption, seen: list[SeenDecision], in_sight: InSight) -> None:
        recalled = Recalled(
            seen[0].seat,
            self._sightings.branch_number(self._world, option),
            self._sightings.public_words(option),
            tuple(
                sum(1 << card for card, witnesses in in_sight.items() if witnesses[observer])
                for observer in self._sightings.seats
            ),
        )
        self._recalled = (recalled, *self._recalled)[: self._room]

    def _chosen(self, seen: list[SeenDecision]) -> None:
        words = {decision: self._sightings.decision_word(decision) for decision in set(seen)}
        for observer, decision in enumerate(seen):
            self._chains.add(observer, words[decision])

    def _arrived(self) -> None:
        if self._built is None:
            self._sightings.arrived(self._chains, None, machine.scores(self._world))
        else:
            self._sightings.arrived(self._chains, self._world.players[-1].current, ())


class NativeFollower:
    """The same as machine code follows it.

    `memory` is what `cardwright.compiler.kernels.information` works in.
    """

    __slots__ = ("_board", "_memory")

    def __init__(self, board: NativeBoard, memory: Words) -> None:
        """Take over a board and the memory."""
        self._board = board
        self._memory = memory

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen."""
        layout = self._board.engine.native.layout
        end, memory = CHAINS + 2 + 2 * layout.players, self._memory.array
        words = tuple(word & _WORD for word in memory[CHAINS:end])
        first = _entries_at(layout)
        last = first + memory[ROOM] * layout.entry_words
        return SeenSoFar(words, entries_of(layout, memory[first:last]))

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        at = 8 * CHAINS + KEY_BYTES * seat
        return bytes(memoryview(self._memory.array).cast("B")[at : at + KEY_BYTES])

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices."""
        layout = self._board.engine.native.layout
        first = _entries_at(layout)
        return array("q", self._memory.array[first : first + count * layout.entry_words])

    def after(self, choices: Sequence[int]) -> NativeFollower:
        """Return the game after some more choices; raises Fault."""
        engine = self._board.engine
        memory = Words(engine.native.machine, self._memory.array[:])
        follower = NativeFollower(self._board.copy(), memory)
        made = array("q", choices)
        forms = engine.pick_forms.address
        follower.call("cw_follow", forms, engine.lend(made), 0, len(made))
        return follower

    def call(self, function: str, *args: Any) -> None:
        """Call a function that follows the game; raises Fault."""
        engine = self._board.engine
        context = engine.context("followed")
        context.set("extra", self._memory.address)
        engine.play(context, function, self._board.address, context.address, *args)


def _entries_at(layout: BoardLayout) -> int:
    """Return where the entries for the latest choices begin in the memory of a follower."""
    seats = layout.players + 1
    return CHAINS + 2 * seats + (layout.capacity * seats + 7) // 8


def follower_words(engine: NativeEngine, room: int) -> int:
    """Return how many words the memory of a follower has, with room for some entries."""
    layout = engine.native.layout
    entries = _entries_at(layout) + room * layout.entry_words
    return entries + max(engine.pick_forms.most, layout.players + 1)


def follower_memory(engine: NativeEngine, seen: SeenSoFar, room: int) -> Words:
    """Return the memory of a follower, with room for some entries, where this had been seen."""
    layout = engine.native.layout
    seats, first = layout.players + 1, _entries_at(layout)
    last = first + room * layout.entry_words
    content = [0] * follower_words(engine, room)
    content[ROOM] = room
    content[CHAINS : CHAINS + 2 * seats] = seen.words
    if room:
        content[first:last] = entry_words(layout, seen.recalled, room)
    return Words(engine.native.machine, content)


GameFollower: TypeAlias = ReferenceFollower | NativeFollower


def followed(
    engine: Engine, sightings: Sightings, seed: int | None, room: int, outcomes: Sequence[int]
) -> GameFollower:
    """Return a new game at its first decision, which is by hand if it has no seed; raises Fault."""
    seen = SeenSoFar(sightings.beginning)
    if isinstance(engine, ReferenceEngine):
        world = first_world(engine.rules, seed)
        return ReferenceFollower(sightings, engine.limits, world, seen, room).begun(outcomes)
    assert seed is not None
    native = cast("NativeEngine", engine)
    follower = NativeFollower(native.new_board(), follower_memory(native, seen, room))
    follower.call("cw_follow_start", seed)
    return follower


def followed_from(  # noqa: PLR0917 - what a beginning has
    board: Board,
    sightings: Sightings,
    source: SeenSoFar | None,
    own: int | None,
    recalled: tuple[Recalled, ...],
    room: int,
) -> GameFollower:
    """Return a follower of a board at which all chains but a seat's begin with the spectator's.

    They are those of a source if there is one, and otherwise made of what is public. What a seat
    sees of the cards on the board is added to its chain.
    """
    if source is not None:
        words, recalled = source.words, tuple(entry.imagined(own) for entry in source.recalled)
    else:
        words = words_of(blake2b(_public(board.world()), digest_size=KEY_BYTES).digest())
    start = [*words[-2:]] * len(sightings.seats)
    if own is not None:
        start[2 * own : 2 * own + 2] = words[2 * own : 2 * own + 2]
    others = [seat for seat in sightings.seats[:-1] if seat != own]
    if not isinstance(board, ReferenceBoard):
        played = cast("NativeBoard", board)
        memory = follower_memory(played.engine, SeenSoFar(tuple(start), recalled), room)
        follower = NativeFollower(played.copy(), memory)
        for seat in others:
            follower.call("cw_follow_from", seat)
        return follower
    chains = Chains(start)
    for seat in others:
        sightings.look(chains, board.world(), seat)
    seen = SeenSoFar(tuple(chains.words), recalled)
    adopted = ReferenceFollower(sightings, board.limits, board.world().copy(), seen, room)
    adopted._built = board.built()
    return adopted


def _public(world: World) -> bytes:
    """Return the public part of a world, stored values and turns, as bytes."""
    stored = (
        sorted((cell, value) for cell, value in world.integers.items() if value),
        sorted((cell, value) for cell, value in world.strings.items() if value),
        sorted((cell, points.awards) for cell, points in world.points.items() if points.awards),
    )
    turns = [(cycle.current, cycle.queued) for cycle in (*world.players, *world.teams)]
    return repr((stored, turns)).encode()
