"""Flat Monte Carlo: how a state ends after each of its options, if all later play is random.

An option is carried out in worlds that the choosing seat cannot tell apart, and the game is then
played on at random. What an option itself draws at random belongs to the world; later chance events
are drawn anew in each rollout. The options of a world are found by their contents, since hidden
cards may change which there are. Every engine arrives at the same table by the same draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cardwright.game.errors import IllegalOptionError
from cardwright.game.horizon import Horizon
from cardwright.game.option import contents_of
from cardwright.game.rollouts import Rollouts
from cardwright.interpreter import machine
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program.cards import Location

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.option import Content, Picked
    from cardwright.game.reference import ReferenceBoard
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Seat


@dataclass(frozen=True, slots=True)
class FlatPlan:
    """What to try: `deals` sampled worlds, and in each `rollouts` of every option.

    With `shared` all options are tried in the same worlds; otherwise each has worlds of its own. A
    rollout is cut off after `limit` choices that follow the option (0: never) and scored as it is
    then. `only` is the index of the one option to try, if not all are. Where rollouts end with a
    deal, by `horizon`, the points since the decision take the place of scores.
    """

    deals: int
    rollouts: int = 1
    shared: bool = True
    limit: int = 0
    only: int | None = None
    horizon: Horizon = Horizon.DEAL

    def __post_init__(self) -> None:
        if self.deals < 0 or self.rollouts < 1 or self.limit < 0:
            raise ValueError(
                "flat Monte Carlo takes deals from 0, rollouts from 1 and a limit from 0, not "
                f"{self.deals}, {self.rollouts} and {self.limit}"
            )

    def indices(self, count: int) -> range:
        """Return the indices of the options to try, out of `count`; raises IllegalOptionError."""
        if self.only is None:
            return range(count)
        if not 0 <= self.only < count:
            raise IllegalOptionError(
                f"there is no option {self.only}: they are numbered 0 to {count - 1}"
            )
        return range(self.only, self.only + 1)


@dataclass(frozen=True, slots=True)
class Chances:
    """The random streams: one for worlds and games' chance events, one for each seat's choices."""

    stream: Stream
    seats: tuple[Stream, ...]

    @classmethod
    def of(cls, stream: Stream, players: int) -> Chances:
        """Return streams that all derive from one stream, from which the others are seeded."""
        return cls(stream, tuple(Stream(stream.next()) for _ in range(players)))


class Trials(Protocol):
    """A decision whose options can be tried repeatedly, independently of how the game goes on.

    Worlds consistent with what a seat knows (the mode `consistent`) are one chain, which goes on
    from one run to the next.
    """

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options; raises IllegalOptionError for one that is not there."""
        ...


@dataclass(frozen=True, slots=True)
class FlatTable:
    """For each option, in order, how its rollouts ended.

    A rollout has failed if its world does not have the option, or breaks a rule. Tables of the same
    decision can be added.
    """

    options: tuple[Rollouts, ...]

    def __add__(self, other: FlatTable) -> FlatTable:
        pairs = zip(self.options, other.options, strict=True)
        return FlatTable(tuple(mine + theirs for mine, theirs in pairs))

    @property
    def count(self) -> int:
        """How many rollouts were completed, of all options together."""
        return sum(option.count for option in self.options)

    @property
    def failed(self) -> int:
        """How many rollouts failed."""
        return sum(option.failed for option in self.options)

    def ranks(self, seat: int) -> tuple[float | None, ...]:
        """Return for each option a seat's mean rank, 0 for the best; None if nothing is known."""
        return tuple(one.ranks[seat] / one.count if one.count else None for one in self.options)

    def scores(self, seat: int) -> tuple[float | None, ...]:
        """Return for each option a seat's mean score; None if nothing is known."""
        return tuple(one.scores[seat] / one.count if one.count else None for one in self.options)

    def wins(self, seat: int) -> tuple[float | None, ...]:
        """Return for each option a seat's mean share of the win; None if nothing is known."""
        return tuple(one.wins[seat] / one.count if one.count else None for one in self.options)


class ReferenceTrials:
    """Trials by the interpreter."""

    def __init__(
        self,
        board: ReferenceBoard,
        seat: Seat,
        mode: KnowledgeMode,
        chances: Chances,
        knowledge: Knowledge | None,
    ) -> None:
        self._board = board.copy()
        self._program = board.world().rules.program
        self._seat = seat
        self._mode = mode
        self._chances = chances
        self._keys = _keys(board, seat)
        self._chain = None if knowledge is None else board.worlds(knowledge, chances.stream)

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
                found = None if sample is None else _keys(sample.board, self._seat)
                index = None if found is None else _find(keys[option], option, found)
                for _ in range(plan.rollouts):
                    if sample is None or index is None:
                        table[option] += Rollouts.none(players, failed=1)
                    else:
                        table[option] += _play_out(sample, index, plan.limit, self._chances)
        return FlatTable(tuple(table))

    def _sample(self, *, one_deal: bool) -> _Sample | None:
        """Return a world at its decision; None if it breaks a rule before that."""
        if self._chain is None:
            world = self._board.determinise(self._seat, self._chances.stream, self._mode)
        else:
            world = self._chain.next()
        world.world().one_deal = one_deal
        try:
            world.advance()
            if world.finished:
                return None
            before = scores_now(world.world()) if one_deal else [0] * self._program.players
        except Fault:
            return None
        return _Sample(world, before)


class _Sample(NamedTuple):
    """A sampled world at its decision, and the scores from which points are counted."""

    board: ReferenceBoard
    before: list[int]


def scores_now(world: World) -> list[int]:
    """Return the scores that a game would end with now; the world does not change."""
    ended = world.copy()
    del ended.teams[1:]
    return machine.scores(ended)


def _keys(board: ReferenceBoard, seat: int) -> list[Hashable]:
    """Return for each option its key as the choosing seat sees it, without order in groups."""
    return [_key(content) for content in contents_of(board, board.world().rules.program, seat)]


def _key(content: Content) -> Hashable:
    return content.branch, tuple((name, _sorted(picked)) for name, picked in content.picks)


def _sorted(picked: Picked) -> Hashable:
    if isinstance(picked, tuple) and not isinstance(picked, Location):
        return tuple(sorted(picked))
    return picked


def _find(key: Hashable, at: int, keys: Sequence[Hashable]) -> int | None:
    """Return the index of a key: its old index if it is there, or else the first one."""
    if at < len(keys) and keys[at] == key:
        return at
    return keys.index(key) if key in keys else None


def _play_out(sample: _Sample, index: int, limit: int, chances: Chances) -> Rollouts:
    board = sample.board
    world = board.world().copy()
    machine.carry_out(world, board.built()[index])
    world.stream = Stream(chances.stream.next())
    program = world.rules.program
    try:
        play_random(world, limit, board.limits, chances.seats)
        ends = scores_now(world)
    except Fault:
        return Rollouts.none(program.players, failed=1)
    points = [end - start for end, start in zip(ends, sample.before, strict=True)]
    return Rollouts.of(points, machine.ranks(points, highest_wins=program.highest_wins))


def play_random(world: World, limit: int, limits: GameLimits, streams: Sequence[Stream]) -> None:
    """Make random choices to the end, or up to a number of them; each seat has its own stream."""
    made = 0
    while (built := machine.advance(world, limits)) and not (limit and made == limit):
        stream = streams[world.players[-1].current]
        machine.carry_out(world, built[stream.below(len(built))])
        made += 1
