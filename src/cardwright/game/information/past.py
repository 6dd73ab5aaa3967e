"""The past of a state: for taking steps back, what its seats know, and keys of what they have seen.

Nothing is done before it is asked for. Then the game is followed from its beginning, and from there
on as the state is played; for taking steps back it is replayed, and then the boards of the last
steps are kept, so that going back and forth costs one copy for each step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, cast

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
    from cardwright.game.option import SeenDecision
    from cardwright.interpreter.machine import Rules
    from cardwright.program.cards import Seat

_MOST = 64
"""Most boards and followers that are kept; for Hearts the boards take 100 kB."""

_BEHIND = 32
"""Boards that are kept before one that had to be replayed."""

Followed = TypeVar("Followed", "GameFollower", Tracker)
Start = TypeVar("Start")
Source = TypeVar("Source")
OtherStart = TypeVar("OtherStart")
OtherSource = TypeVar("OtherSource")


@dataclass(frozen=True)
class Beginning(Generic[Start, Source]):
    """Where a state begins that was not started: at a board, after some steps of its game.

    `recalled` are the latest choices before, for a state of a batch. A determinised state was made
    for a seat, from a state with the past `source`, after `steps`; in mode `consistent` by the
    seat's `knowledge` and the `record` of what it had seen.
    """

    board: Start
    made: int
    recalled: tuple[Recalled, ...] = ()
    source: Source | None = None
    seat: Seat | None = None
    steps: tuple[int, ...] = ()
    knowledge: Knowledge | None = None
    record: tuple[SeenDecision, ...] = ()

    def moved(
        self, board: OtherStart, source: OtherSource | None
    ) -> Beginning[OtherStart, OtherSource]:
        """Return this with a board and a source in another form."""
        rest = self.seat, self.steps, self.knowledge, self.record
        return Beginning(board, self.made, self.recalled, source, *rest)


@dataclass(slots=True)
class Past:
    """What came before in a state that was started from a seed, by hand without one, or otherwise.

    `first` makes the board at the first decision of a game of a seed.
    """

    engine: Engine
    sightings: Callable[[], Sightings]
    first: Callable[[int | None], Board]
    seed: int | None
    beginning: Beginning[Snapshot, Past] | None = None
    boards: list[tuple[int, Snapshot]] = field(default_factory=list, repr=False)
    _followers: list[tuple[int, GameFollower]] = field(default_factory=list, repr=False)
    _trackers: list[tuple[int, Tracker]] = field(default_factory=list, repr=False)
    _room: int = 0

    def copy(self) -> Past:
        """Return the past of a copy of the state."""
        past = self.other(self.seed, self.beginning)
        past.boards = self.boards.copy()
        past._followers, past._trackers = self._followers.copy(), self._trackers.copy()
        past._room = self._room
        return past

    def other(self, seed: int | None, beginning: Beginning[Snapshot, Past] | None) -> Past:
        """Return the past of another state of the game."""
        return Past(self.engine, self.sightings, self.first, seed, beginning)

    # Boards -------------------------------------------------------------------------------

    def check(self, made: int, count: int, what: str) -> None:
        """Raise UndoError if the last `count` of the steps made so far cannot be taken back."""
        first = self.beginning.made if self.beginning else 0
        since = made - first
        if count <= since:
            return
        if first:
            raise UndoError(
                f"this state was determinised after {first} {what}, and {since} were made "
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
        done, board = self.latest()
        for at in range(done, made):
            if made - at <= _BEHIND:
                self.keep(at, board)
            board.play(steps[at])
        self.keep(made, board)
        return board

    def latest(self) -> tuple[int, Board]:
        """Return the last board that is kept, or else the first, and how many steps it is after."""
        if self.boards:
            made, snapshot = self.boards[-1]
            return made, snapshot()
        begun = self.beginning
        return (begun.made, begun.board()) if begun else (0, self.first(self.seed))

    # What seats know ----------------------------------------------------------------------

    def knowledge(self, board: Board, steps: Sequence[int], seat: Seat) -> Knowledge:
        """Return what a seat knows about a board after all these steps."""
        if self.beginning is not None and self.beginning.knowledge is None:
            return at_first_sight(board.world(), seat)
        return self._tracker(board, steps).knowledge(seat)

    def record(self, board: Board, steps: Sequence[int], seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all these steps; raises NoRecordError if there is none."""
        begun = self.beginning
        if begun is not None and (begun.knowledge is None or begun.seat != seat):
            raise NoRecordError(
                f"this state was determinised and has no record of p{seat + 1}: ask the state that"
                " was started, or one determinised for this seat in mode 'consistent'"
            )
        return (begun.record if begun else ()) + self._tracker(board, steps).record(seat)

    def _tracker(self, board: Board, steps: Sequence[int]) -> Tracker:
        def begin() -> tuple[int, Tracker]:
            begun = self.beginning
            if begun is None:
                rules = cast("Rules", board.world().rules)
                tracker = Tracker(self.engine.limits, first_world(rules, self.seed))
            else:
                first = begun.board()
                world = first.rest if isinstance(first, ChanceBoard) else first.world()
                tracker = Tracker(self.engine.limits, world.copy(), begun.knowledge)
            made = begun.made if begun else 0
            outcomes = outcomes_at(steps, made)
            return made + len(outcomes), tracker.begun(outcomes)

        return _followed(self._trackers, begin, steps, 1)

    # What seats have seen -----------------------------------------------------------------

    def follower(self, steps: Sequence[int], room: int = 0) -> GameFollower:
        """Return the game as it is followed, with entries for some of the latest choices."""
        if room > self._room:
            self._room = room
            self._followers.clear()
        return _followed(self._followers, lambda: self._begun(steps), steps, _MOST)

    def _begun(self, steps: Sequence[int]) -> tuple[int, GameFollower]:
        """Return a follower at the beginning, and how many of the steps had been made there."""
        from cardwright.game.followers import followed, followed_from

        begun, sightings = self.beginning, self.sightings()
        made = begun.made if begun else 0
        outcomes = outcomes_at(steps, made)
        if begun is None:
            follower = followed(self.engine, sightings, self.seed, self._room, outcomes)
        else:
            board = begun.board()
            for outcome in outcomes:  # it began with draws, for options that were found anew
                board.play(-1 - outcome)
            source = begun.source
            seen = source.follower(begun.steps, self._room).seen if source else None
            follower = followed_from(board, sightings, seen, begun.seat, begun.recalled, self._room)
        return made + len(outcomes), follower


def _followed(
    kept: list[tuple[int, Followed]],
    begin: Callable[[], tuple[int, Followed]],
    steps: Sequence[int],
    most: int,
) -> Followed:
    """Return a game as it is followed to its state after all these steps, and keep it."""
    done, follower = kept[-1] if kept else begin()
    if done < len(steps):
        follower = follower.after(steps[done:])
    if not kept or done < len(steps):
        kept.append((len(steps), follower))
        del kept[:-most]
    return follower
