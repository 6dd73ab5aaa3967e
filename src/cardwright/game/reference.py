"""The interpreter as an engine: the definition of what every engine does.

Nothing here, nor anything that it imports, shares code with the compiler: the tests hold the native
engine against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.board import Board
from cardwright.game.information.worlds import drawn_worlds
from cardwright.game.option import contents_of
from cardwright.game.search import FlatPlan, FlatTable, Rollouts, seat_streams
from cardwright.game.wording.describe import choice_at
from cardwright.interpreter import machine
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program.cards import Location, Seat

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.board import Redeal, Snapshot
    from cardwright.game.option import Picked
    from cardwright.game.search import Trials, WorldFigures
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.machine import GameLimits, Rules
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n


class ReferenceEngine:
    """Plays a game by the interpreter, from its rules."""

    name = "interpreter"

    def __init__(self, rules: Rules, limits: GameLimits) -> None:
        self.rules = rules
        self.limits = limits

    def prepare(self) -> None:
        """Do nothing: there is nothing to prepare."""

    def start(self, seed: int) -> ReferenceBoard:
        """Return a board after the set-up of a new game, before its first item."""
        return ReferenceBoard(machine.start(self.rules, seed), self.limits)


class ReferenceBoard(Board):
    """A world, and the options of its decision.

    The options name places, not piles, so that copies of a board can share them.
    """

    __slots__ = ("_built", "_world", "limits")

    def __init__(
        self, world: World, limits: GameLimits, built: Sequence[BuiltOption] | None = None
    ) -> None:
        """Take over a world that is not advanced yet, or is at a decision with these options."""
        self._world = world
        self.limits = limits
        self._built = built or None

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide."""
        return None if self._built is None else Seat(self._world.players[-1].current)

    @property
    def option_count(self) -> int:
        """The number of options."""
        return 0 if self._built is None else len(self._built)

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due."""
        return choice_at(self.world()).node

    def advance(self) -> None:
        """Run to the next decision, or to the end."""
        self._built = None
        self._built = machine.advance(self._world, self.limits)

    def play(self, index: int) -> None:
        """Carry out an option, and run on."""
        assert self._built is not None
        machine.carry_out(self._world, self._built[index])
        self.advance()

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        return machine.scores(self._world)

    def picks(self) -> list[tuple[int, tuple[Pick, ...]]]:
        """Return for every option its branch and its picks."""
        return [(option.branch, option.picks) for option in self._built or ()]

    def built(self) -> Sequence[BuiltOption]:
        """Return the options with their effects."""
        return self._built or ()

    def world(self) -> World:
        """Return the world itself."""
        return self._world

    def copy(self) -> ReferenceBoard:
        """Return an independent board."""
        return ReferenceBoard(self._world.copy(), self.limits, self._built)

    def worlds(self, redeal: Redeal, stream: Stream) -> Snapshot:
        """Return what draws boards that a seat cannot tell from this one."""
        draw = drawn_worlds(self._world, redeal, stream)
        return lambda: ReferenceBoard(draw(), self.limits)

    def rollouts(self, count: int, stream: Stream, redeal: Redeal | None) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        players = self._world.rules.program.players
        total = Rollouts.none(players)
        if not count:
            return total
        draw = redeal and drawn_worlds(self._world, redeal, stream)
        seats = seat_streams(stream, players)
        for _ in range(count):
            world = draw() if draw else self._world.copy()
            if not draw:
                world.stream = Stream(stream.next())
            total += _played_out(world, 0, self.limits, seats, [0] * players)
        return total

    def trials(self, redeal: Redeal, stream: Stream) -> Trials:
        """Return trials of the options of the decision that is due."""
        return ReferenceTrials(self, redeal, stream)


class ReferenceTrials:
    """Trials by the interpreter."""

    def __init__(self, board: ReferenceBoard, redeal: Redeal, stream: Stream) -> None:
        self._seat = redeal.seat
        self._redeal = redeal
        self._limits = board.limits
        self._program = board.world().rules.program
        self._stream, self._seats = stream, seat_streams(stream, self._program.players)
        self._keys = _keys(board, redeal.seat)
        self._draw = drawn_worlds(board.world().copy(), redeal, stream)

    @property
    def worlds(self) -> WorldFigures | None:
        """How worlds were drawn so far."""
        return self._redeal.figures

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options, in the same order as the kernel."""
        keys = self._keys
        tried = plan.indices(len(keys))
        players = self._program.players
        one_deal = plan.horizon.one_deal(self._program)
        table = [Rollouts.none(players)] * len(keys)
        for _ in range(plan.deals):
            sample: _Sample | None = None
            for option in tried:
                if not plan.shared or option == tried.start:
                    sample = self._sample(one_deal=one_deal)
                index = None if sample is None else _find(keys[option], option, sample.keys)
                for _ in range(plan.rollouts):
                    if sample is None or index is None:
                        table[option] += Rollouts.none(players, failed=1)
                        continue
                    world = sample.board.world().copy()
                    machine.carry_out(world, sample.board.built()[index])
                    world.stream = Stream(self._stream.next())
                    given = plan.limit, self._limits, self._seats, sample.before
                    table[option] += _played_out(world, *given)
        return FlatTable(tuple(table))

    def _sample(self, *, one_deal: bool) -> _Sample | None:
        """Return a world at its decision; None if it breaks a rule before that."""
        world = self._draw()
        world.one_deal = one_deal
        board = ReferenceBoard(world, self._limits)
        try:
            board.advance()
            if board.finished:
                return None
            before = scores_now(world) if one_deal else [0] * self._program.players
        except Fault:
            return None
        return _Sample(board, _keys(board, self._seat), before)


class _Sample(NamedTuple):
    """A sampled world at its decision, its options, and the scores from which points count."""

    board: ReferenceBoard
    keys: list[Hashable]
    before: list[int]


def scores_now(world: World) -> list[int]:
    """Return the scores that a game would end with now; the world does not change."""
    ended = world.copy()
    del ended.teams[1:]
    return machine.scores(ended)


def _keys(board: ReferenceBoard, seat: int) -> list[Hashable]:
    """Return for each option its key as the choosing seat sees it, without order in groups."""
    contents = contents_of(board, board.world().rules.program, seat)
    return [
        (content.branch, tuple((name, _unordered(picked)) for name, picked in content.picks))
        for content in contents
    ]


def _unordered(picked: Picked) -> Hashable:
    if isinstance(picked, tuple) and not isinstance(picked, Location):
        return tuple(sorted(picked))
    return picked


def _find(key: Hashable, at: int, keys: Sequence[Hashable]) -> int | None:
    """Return the index of a key: its old index if it is there, or else the first one."""
    if at < len(keys) and keys[at] == key:
        return at
    return keys.index(key) if key in keys else None


def _played_out(
    world: World,
    limit: int,
    limits: GameLimits,
    streams: Sequence[Stream],
    before: Sequence[int],
) -> Rollouts:
    """Return how a world ends by random choices, in points from the scores before."""
    program = world.rules.program
    try:
        play_random(world, limit, limits, streams)
        ends = scores_now(world)
    except Fault:
        return Rollouts.none(program.players, failed=1)
    points = [end - start for end, start in zip(ends, before, strict=True)]
    return Rollouts.of(points, machine.ranks(points, highest_wins=program.highest_wins))


def play_random(world: World, limit: int, limits: GameLimits, streams: Sequence[Stream]) -> None:
    """Make random choices to the end, or up to a number of them; each seat has its own stream."""
    made = 0
    while (built := machine.advance(world, limits)) and not (limit and made == limit):
        stream = streams[world.players[-1].current]
        machine.carry_out(world, built[stream.below(len(built))])
        made += 1
