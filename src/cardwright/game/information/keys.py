"""The keys of what the seats of a state have seen, and how a state comes to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from cardwright.game.board import outcomes_at
from cardwright.game.chance import first_world
from cardwright.game.engines import native_board, native_engine
from cardwright.game.followers import GameFollower, ReferenceFollower
from cardwright.game.information.sightings import KEY_BYTES, Chains, SeenSoFar, words_of
from cardwright.game.reference import ReferenceBoard, ReferenceEngine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board, Engine, Snapshot
    from cardwright.game.information.sightings import Recalled, Sightings
    from cardwright.interpreter.world import World

_KEPT = 64
"""Most followers that are kept, so that a state can go back and forth."""


@dataclass(frozen=True, slots=True)
class ImaginedFor:
    """The seat for which a state was determinised, and the information of the state it was of.

    `steps` are those of that state then.
    """

    seat: int
    source: Information
    steps: tuple[int, ...]


@dataclass(slots=True)
class Information:
    """How a state comes to the keys of what its seats have seen.

    A state that was started has a seed, or none if its chance is taken by hand; any other has a
    beginning, with the number of steps made before, and if it was determinised, a source. Nothing
    is done before a key is asked for: then the game is followed from its start, and from there on
    as the state is played.
    """

    engine: Engine
    sightings: Sightings
    seed: int | None
    beginning: tuple[Snapshot, int] | None = None
    imagined: ImaginedFor | None = None
    recalled: tuple[Recalled, ...] = ()
    """What is recalled of the latest choices before the beginning, if there is no source."""
    _room: int = 0
    _kept: list[tuple[int, GameFollower]] = field(default_factory=list, repr=False)

    def copy(self) -> Information:
        """Return the information of a copy of the state."""
        return replace(self, _kept=self._kept.copy())

    def imagined_for(
        self, seat: int, steps: Sequence[int], beginning: tuple[Snapshot, int] | None
    ) -> Information:
        """Return the information of a state determinised from this one after some steps."""
        imagined = ImaginedFor(seat, self.copy(), tuple(steps))
        return Information(self.engine, self.sightings, None, beginning, imagined)

    def rewind(self, made: int) -> None:
        """Forget what came after a number of steps."""
        while self._kept and self._kept[-1][0] > made:
            self._kept.pop()

    def key(self, steps: Sequence[int], seat: int, pending: tuple[int, ...] = ()) -> bytes:
        """Return the key of a seat after all these steps; raises Fault.

        `pending` are its actions so far in a decision that is not made yet.
        """
        key = self._follower(steps).key(seat)
        if not pending:
            return key
        return blake2b(repr(pending).encode(), key=key, digest_size=KEY_BYTES).digest()

    def recalling(self, steps: Sequence[int], room: int) -> GameFollower:
        """Return the game as it is followed, with entries for some of the latest choices."""
        if room > self._room:
            self._room = room
            self._kept.clear()
        return self._follower(steps)

    def _follower(self, steps: Sequence[int]) -> GameFollower:
        """Return the game as it is followed to its state after all these steps."""
        if not self._kept:
            self._kept.append(self._begun(steps))
        done, follower = self._kept[-1]
        if done < len(steps):
            follower = follower.after(steps[done:])
            self._kept.append((len(steps), follower))
            del self._kept[:-_KEPT]
        return follower

    # The beginning ------------------------------------------------------------------------

    def _begun(self, steps: Sequence[int]) -> tuple[int, GameFollower]:
        """Return a follower at the beginning, and how many of the steps had been made there."""
        if self.beginning is None:
            outcomes = outcomes_at(steps, 0)
            return len(outcomes), self._started(outcomes)
        begin, made = self.beginning
        board, outcomes = begin(), outcomes_at(steps, made)
        for outcome in outcomes:  # it began with draws, for options that were found anew
            board.play(-1 - outcome)
        return made + len(outcomes), self._adopted(board)

    def _started(self, outcomes: Sequence[int]) -> GameFollower:
        engine, seen = self.engine, SeenSoFar(self.sightings.beginning)
        if isinstance(engine, ReferenceEngine):
            world = first_world(engine.rules, self.seed)
            follower = ReferenceFollower(self.sightings, engine.limits, world, seen, self._room)
            return follower.begun(outcomes)
        from cardwright.game.followers import NativeFollower

        native = native_engine(engine, "this needs")
        assert self.seed is not None
        return NativeFollower.started(native, self.seed, seen, self._room)

    def _adopted(self, board: Board) -> GameFollower:
        """Return a follower of a board at which all chains but a seat's begin with the spectator's.

        What a seat sees of the cards there is added to its chain.
        """
        seats, own = self.sightings.seats, None
        if self.imagined is not None:
            own, source = self.imagined.seat, self.imagined.source
            words, entries = source.recalling(self.imagined.steps, self._room).seen
            recalled = tuple(entry.imagined(own) for entry in entries)
        else:
            words = words_of(blake2b(_public(board.world()), digest_size=KEY_BYTES).digest())
            recalled = self.recalled
        start = [*words[-2:]] * len(seats)
        if own is not None:
            start[2 * own : 2 * own + 2] = words[2 * own : 2 * own + 2]
        others = [seat for seat in seats[:-1] if seat != own]
        played = native_board(board)
        if played is not None:
            from cardwright.game.followers import NativeFollower

            seen = SeenSoFar(tuple(start), recalled)
            follower = NativeFollower.adopted(played, seen, self._room)
            for seat in others:
                follower.look(seat)
            return follower
        chains = Chains(start)
        for seat in others:
            self.sightings.look(chains, board.world(), seat)
        assert isinstance(board, ReferenceBoard)
        looked = SeenSoFar(tuple(chains.words), recalled)
        return ReferenceFollower.adopted(self.sightings, board.limits, board, looked, self._room)


def _public(world: World) -> bytes:
    """Return the public part of a world, stored values and turns, as bytes."""
    stored = (
        sorted((cell, value) for cell, value in world.integers.items() if value),
        sorted((cell, value) for cell, value in world.strings.items() if value),
        sorted((cell, points.awards) for cell, points in world.points.items() if points.awards),
    )
    turns = [(cycle.current, cycle.queued) for cycle in (*world.players, *world.teams)]
    return repr((stored, turns)).encode()
