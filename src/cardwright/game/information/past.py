"""The past of a state: for taking steps back, what its seats know, and keys of what they have seen.

Nothing is done before it is asked for. Then the game is followed from its beginning, and from there
on as the state is played; for taking steps back it is replayed, and then the boards of the last
steps are kept, so that going back and forth costs one copy for each step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from cardwright.game.board import outcomes_at
from cardwright.game.chance import ChanceBoard, first_world
from cardwright.game.errors import NoRecordError, UndoError
from cardwright.game.information.knowledge import at_first_sight
from cardwright.game.information.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.board import Board, Engine, Snapshot
    from cardwright.game.followers import GameFollower
    from cardwright.game.information.knowledge import Knowledge
    from cardwright.game.information.sightings import Recalled, Sightings
    from cardwright.game.native.histories import HistoryChain
    from cardwright.game.option import SeenDecision
    from cardwright.interpreter.machine import Rules
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Seat

_MOST = 64
"""Most boards and followers that are kept; for Hearts the boards take 100 kB."""

_BEHIND = 32
"""Boards that are kept before one that had to be replayed."""

Followed = TypeVar("Followed", "GameFollower", Tracker)


@dataclass(frozen=True)
class Begun:
    """How a state began that was not started: after `made` steps of its game.

    `recalled` are the latest choices before, for a state of a batch. A determinised state was made
    for a seat, after the `steps` of another state; in mode `consistent` by the seat's `knowledge`
    and the `record` of what it had seen.
    """

    made: int
    recalled: tuple[Recalled, ...] = ()
    seat: Seat | None = None
    steps: tuple[int, ...] = ()
    knowledge: Knowledge | None = None
    record: tuple[SeenDecision, ...] = ()


@dataclass(slots=True)
class Past:
    """What came before in a state that was started from a seed, by hand without one, or otherwise.

    `first` makes the board at which it began, and `source` is the past of the state of which it was
    determinised.
    """

    engine: Engine
    sightings: Callable[[], Sightings]
    first: Snapshot
    seed: int | None
    begun: Begun | None = None
    source: Past | None = None
    boards: list[tuple[int, Snapshot]] = field(default_factory=list, repr=False)
    histories: dict[Seat, tuple[int, HistoryChain | None]] = field(default_factory=dict, repr=False)
    """For each seat the histories last found, after how many steps."""
    _followers: list[tuple[int, GameFollower]] = field(default_factory=list, repr=False)
    _trackers: list[tuple[int, Tracker]] = field(default_factory=list, repr=False)
    _room: int = 0

    def copy(self) -> Past:
        """Return the past of a copy of the state."""
        kept = self.boards.copy(), self.histories.copy()
        followed = self._followers.copy(), self._trackers.copy()
        began = self.first, self.seed, self.begun, self.source
        return Past(self.engine, self.sightings, *began, *kept, *followed, self._room)

    @property
    def made(self) -> int:
        """How many steps had been made where it began."""
        return self.begun.made if self.begun else 0

    # Boards -------------------------------------------------------------------------------

    def check(self, made: int, count: int, what: str) -> None:
        """Raise UndoError if the last `count` of the steps made so far cannot be taken back."""
        since = made - self.made
        if count <= since:
            return
        if self.made:
            raise UndoError(
                f"this state was determinised after {self.made} {what}, and {since} were made "
                f"in it: {count} cannot be taken back; ask the state that was started"
            )
        raise UndoError(f"{since} {what} have been made: {count} cannot be taken back")

    def keep(self, made: int, board: Board) -> None:
        """Keep the board of a state after a number of steps."""
        if not self.boards or self.boards[-1][0] < made:
            self.boards.append((made, board.snapshot()))
            del self.boards[:-_MOST]

    def board_after(self, steps: Sequence[int]) -> Board:
        """Return the board after these steps, the first of all that were made; go back there."""
        made = len(steps)
        for kept in (self.boards, self._followers, self._trackers):
            while kept and kept[-1][0] > made:
                kept.pop()
        done, begin = self.boards[-1] if self.boards else (self.made, self.first)
        board = begin()
        for at in range(done, made):
            if made - at <= _BEHIND:
                self.keep(at, board)
            board.play(steps[at])
        self.keep(made, board)
        return board

    # What seats know ----------------------------------------------------------------------

    def knowledge(self, board: Board, steps: Sequence[int], seat: Seat) -> Knowledge:
        """Return what a seat knows about a board after all these steps."""
        if self.begun is not None and self.begun.knowledge is None:
            return at_first_sight(board.world(), seat)
        return self._tracker(board, steps).knowledge(seat)

    def record(self, board: Board, steps: Sequence[int], seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all these steps; raises NoRecordError if there is none."""
        begun = self.begun
        if begun is not None and (begun.knowledge is None or begun.seat != seat):
            raise NoRecordError(
                f"this state was determinised and has no record of p{seat + 1}: ask the state that"
                " was started, or one determinised for this seat in mode 'consistent'"
            )
        return (begun.record if begun else ()) + self._tracker(board, steps).record(seat)

    def _tracker(self, board: Board, steps: Sequence[int]) -> Tracker:
        def begin(outcomes: Sequence[int]) -> Tracker:
            if self.begun is None:
                world: World = first_world(cast("Rules", board.world().rules), self.seed)
                return Tracker(self.engine.limits, world).begun(outcomes)
            first = self.first()
            world = first.rest if isinstance(first, ChanceBoard) else first.world()
            knowledge = self.begun.knowledge
            return Tracker(self.engine.limits, world.copy(), knowledge).begun(outcomes)

        return self._followed(self._trackers, begin, steps, 1)

    # What seats have seen -----------------------------------------------------------------

    def follower(self, steps: Sequence[int], room: int = 0) -> GameFollower:
        """Return the game as it is followed, with entries for some of the latest choices."""
        from cardwright.game.followers import followed, followed_from

        def begin(outcomes: Sequence[int]) -> GameFollower:
            begun, sightings = self.begun, self.sightings()
            if begun is None:
                return followed(self.engine, sightings, self.seed, self._room, outcomes)
            board = self.first()
            for outcome in outcomes:  # it began with draws, for options that were found anew
                board.play(-1 - outcome)
            seen = self.source.follower(begun.steps, self._room).seen if self.source else None
            return followed_from(board, sightings, seen, begun.seat, begun.recalled, self._room)

        if room > self._room:
            self._room = room
            self._followers.clear()
        return self._followed(self._followers, begin, steps, _MOST)

    def _followed(
        self,
        kept: list[tuple[int, Followed]],
        begin: Callable[[Sequence[int]], Followed],
        steps: Sequence[int],
        most: int,
    ) -> Followed:
        """Return a game as it is followed to its state after all these steps, and keep it."""
        if not kept:
            outcomes = outcomes_at(steps, self.made)
            kept.append((self.made + len(outcomes), begin(outcomes)))
        done, follower = kept[-1]
        if done < len(steps):
            follower = follower.after(steps[done:])
            kept.append((len(steps), follower))
            del kept[:-most]
        return follower
