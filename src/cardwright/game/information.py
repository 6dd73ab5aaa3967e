"""Information: what a state remembers for the keys of what its seats have seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Self, TypeVar

from cardwright.game.followers import GameFollower, ReferenceFollower
from cardwright.game.late import LateEngine
from cardwright.game.recalled import SeenSoFar
from cardwright.game.reference import ReferenceEngine
from cardwright.game.sightings import KEY_BYTES, Chains, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.game import Game
    from cardwright.game.past import Snapshot
    from cardwright.game.recalled import Recalled
    from cardwright.interpreter.world import World

Reference = TypeVar("Reference", bound=ReferenceFollower)

_KEPT = 64
"""Most followers that are kept, so that a state can go back and forth."""


@dataclass(frozen=True, slots=True)
class ImaginedFor:
    """The seat for which a state was determinised, and the information of the state it was of.

    `steps` are those of that state then. In place of both there may be `known`: what all seats had
    seen then.
    """

    seat: int
    source: Information | None
    steps: tuple[int, ...] = ()
    known: SeenSoFar | None = None

    def seen(self, room: int) -> SeenSoFar:
        """Return what had been seen in the state that was determinised; raises Fault.

        That includes entries for a number of choices.
        """
        if self.known is not None:
            return self.known
        assert self.source is not None
        return self.source.seen(self.steps, room)


@dataclass(slots=True)
class Information:
    """How a state comes to the keys of what its seats have seen.

    A state that was started has a seed; any other has a beginning, with the number of choices made
    before, and if it was determinised, a source. Nothing is done before a key is asked for: then
    the game is followed from its start, and from there on as the state is played.
    """

    game: Game
    seed: int | None
    beginning: tuple[Snapshot, int] | None
    imagined: ImaginedFor | None = None
    recalled: tuple[Recalled, ...] = ()
    """What is recalled of the latest choices before the beginning, if there is no source."""
    _room: int = 0
    _kept: list[tuple[int, GameFollower]] = field(default_factory=list, repr=False)

    def copy(self) -> Self:
        """Return the information of a copy of the state."""
        where = self.game, self.seed, self.beginning, self.imagined, self.recalled
        return type(self)(*where, self._room, self._kept.copy())

    def imagined_for(
        self, seat: int, steps: Sequence[int], beginning: tuple[Snapshot, int] | None
    ) -> Self:
        """Return the information of a state determinised from this one after some steps."""
        imagined = ImaginedFor(seat, self.copy(), tuple(steps))
        return type(self)(self.game, None, beginning, imagined)

    def rewind(self, made: int) -> None:
        """Forget what came after a number of choices."""
        while self._kept and self._kept[-1][0] > made:
            self._kept.pop()

    def key(self, choices: Sequence[int], seat: int, pending: tuple[int, ...] = ()) -> bytes:
        """Return the key of a seat after all these choices; raises Fault.

        `pending` are its actions so far in a decision that is not made yet.
        """
        key = self.follower(choices).key(seat)
        if not pending:
            return key
        return blake2b(repr(pending).encode(), key=key, digest_size=KEY_BYTES).digest()

    def seen(self, choices: Sequence[int], room: int) -> SeenSoFar:
        """Return what all seats have seen, with entries for some of the latest choices.

        Raises Fault.
        """
        return self.recalling(choices, room).seen

    def recalling(self, choices: Sequence[int], room: int) -> GameFollower:
        """Return the game as it is followed, with entries for some of the latest choices."""
        if room > self._room:
            self._room = room
            self._kept.clear()
        return self.follower(choices)

    def follower(self, choices: Sequence[int]) -> GameFollower:
        """Return the game as it is followed to its state after all these choices."""
        if not self._kept:
            self._kept.append(self._begun(choices))
        done, follower = self._kept[-1]
        if done < len(choices):
            follower = follower.after(choices[done:])
            self._kept.append((len(choices), follower))
            del self._kept[:-_KEPT]
        return follower

    # The beginning ------------------------------------------------------------------------

    def _begun(self, choices: Sequence[int]) -> tuple[int, GameFollower]:
        """Return how many of the choices had been made at the beginning, and a follower there."""
        del choices
        if self.beginning is None:
            assert self.seed is not None
            return 0, self._started(self.seed)
        return self.beginning[1], self._adopted(self.beginning[0]())

    def _adopted(self, board: Board) -> GameFollower:
        """Return a follower of a board at which all chains but a seat's begin with the spectator's.

        What a seat sees of the cards there is added to its chain.
        """
        sightings = self.game._sightings
        seats, own = sightings.seats, None
        if self.imagined is not None:
            seen, own = self.imagined.seen(self._room), self.imagined.seat
            words = seen.words
            recalled = tuple(entry.imagined(own) for entry in seen.recalled)
        else:
            words = words_of(blake2b(_public(board.world()), digest_size=KEY_BYTES).digest())
            recalled = self.recalled
        start = [*words[-2:]] * len(seats)
        if own is not None:
            start[2 * own : 2 * own + 2] = words[2 * own : 2 * own + 2]
        others = [seat for seat in seats[:-1] if seat != own]
        return self._begin_at(board, SeenSoFar(tuple(start), recalled), others)

    def _begin_at(self, board: Board, seen: SeenSoFar, others: Sequence[int]) -> GameFollower:
        from cardwright.game.followers_native import NativeFollower
        from cardwright.game.native import native_board

        played = native_board(board)
        if played is not None:
            follower = NativeFollower.adopted(played, seen, self._room)
            for seat in others:
                follower.look(seat)
            return follower
        return self._reference(ReferenceFollower, board, seen, others)

    def _reference(
        self, kind: type[Reference], board: Board, seen: SeenSoFar, others: Sequence[int]
    ) -> Reference:
        """Return a follower of a board after some seats have looked at its cards."""
        sightings, chains = self.game._sightings, Chains(seen.words)
        for seat in others:
            sightings.look(chains, board.world(), seat)
        looked = seen._replace(words=tuple(chains.words))
        return kind.adopted(sightings, self.game.limits, board, looked, self._room)

    def _started(self, seed: int) -> GameFollower:
        engine, sightings = self.game._engine, self.game._sightings
        if isinstance(engine, LateEngine):
            engine = engine.reference
        if isinstance(engine, ReferenceEngine):
            limits, rules = engine.limits, engine.rules
            return ReferenceFollower.started(sightings, limits, rules, seed, self._room)
        from cardwright.game.followers_native import NativeFollower
        from cardwright.game.native import native_engine

        engine = native_engine(self.game, "this needs")
        return NativeFollower.started(engine, seed, SeenSoFar(sightings.beginning), self._room)


def _public(world: World) -> bytes:
    """Return the public part of a world, stored values and turns, as bytes."""
    stored = (
        sorted((cell, value) for cell, value in world.integers.items() if value),
        sorted((cell, value) for cell, value in world.strings.items() if value),
        sorted((cell, points.awards) for cell, points in world.points.items() if points.awards),
    )
    turns = [(cycle.current, cycle.queued) for cycle in (*world.players, *world.teams)]
    return repr((stored, turns)).encode()
