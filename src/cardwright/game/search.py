"""Random play and search from a decision: the tasks and the results.

Rollouts are games that are played on at random. Flat Monte Carlo tries each option: it is carried
out in worlds that the choosing seat cannot tell apart, and the game is then played on at random.
What an option itself draws at random belongs to the world; later chance events are drawn anew in
each rollout. The options of a world are found by their contents, since hidden cards may change
which there are. Every engine arrives at the same table by the same draws. Tree search is machine
code (`cardwright.game.native.search`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from cardwright.game.errors import IllegalOptionError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.interpreter.stream import Stream
from cardwright.markup.lazy_display import shown_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.program.program import Program


class Horizon(StrEnum):
    """Where the games end that a search plays out, and what counts there.

    deal: at the end of the deal that is being played, where the game has deals
    (`cardwright.program.program`); what counts is by how much the scores have changed since the
    decision. Games without deals are played to their end. match: always at the end of the game,
    where the scores count.
    """

    DEAL = "deal"
    MATCH = "match"

    def one_deal(self, program: Program) -> bool:
        """Return whether games of a program are played only to the end of a deal."""
        return self is Horizon.DEAL and program.has_deals


Summed = TypeVar("Summed")


def _sum(left: Summed, right: Summed) -> Summed:
    """Return the sum of two numbers, or part by part of two tuples or two results."""
    pair: Any = left, right
    total: Any
    if isinstance(left, tuple):
        total = tuple(_sum(one, other) for one, other in zip(*pair, strict=True))
    elif is_dataclass(left):
        names = [field.name for field in fields(left)]
        parts = (_sum(getattr(left, name), getattr(right, name)) for name in names)
        total = type(pair[0])(*parts)
    else:
        total = sum(pair)
    return cast("Summed", total)


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The results of random games from one state, added up for every seat.

    `count` games were finished, and `failed` were abandoned because they broke a rule; these are
    not counted otherwise. `scores` and `ranks` are sums; a rank is how many seats have a strictly
    better score. `won[seat][w - 1]` says how often a seat was one of w winners. Rollouts from the
    same state can be added.
    """

    count: int
    failed: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, the sum of its shares of the wins: each of w winners has 1/w."""
        return tuple(
            float(sum(Fraction(times, winners) for winners, times in enumerate(row, start=1)))
            for row in self.won
        )

    _repr_html_ = shown_by("cardwright.game.displays", "rollouts_html")

    def __add__(self, other: Rollouts) -> Rollouts:
        return _sum(self, other)

    @classmethod
    def none(cls, players: int, failed: int = 0) -> Rollouts:
        """Return rollouts of which none was finished."""
        zeros = (0,) * players
        return cls(0, failed, zeros, zeros, (zeros,) * players)

    @classmethod
    def from_sums(cls, count: int, failed: int, players: int, sums: Sequence[int]) -> Rollouts:
        """Return rollouts from the sums that `cardwright.compiler.kernels.rollouts` describes."""
        size = len(sums) // players
        rows = [sums[at : at + size] for at in range(0, len(sums), size)]
        return cls(
            count,
            failed,
            tuple((upper << 32) + lower for upper, lower, *_ in rows),
            tuple(row[2] for row in rows),
            tuple(tuple(row[3:]) for row in rows),
        )

    @classmethod
    def of(cls, scores: Sequence[int], ranks: Sequence[int], count: int = 1) -> Rollouts:
        """Return rollouts that all ended with these scores and ranks."""
        winners = ranks.count(0)
        alike = tuple(
            count if winners == winner_count else 0 for winner_count in range(1, len(scores) + 1)
        )
        zeros = (0,) * len(scores)
        return cls(
            count,
            0,
            tuple(count * score for score in scores),
            tuple(count * rank for rank in ranks),
            tuple(zeros if rank else alike for rank in ranks),
        )


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
                f"there is no option {self.only}: options are numbered 0 to {count - 1}"
            )
        return range(self.only, self.only + 1)


def seat_streams(stream: Stream, players: int) -> tuple[Stream, ...]:
    """Return a stream for each seat's choices, all seeded from one stream."""
    return tuple(Stream(stream.next()) for _ in range(players))


class Trials(Protocol):
    """A decision whose options can be tried repeatedly, independently of how the game goes on.

    Worlds consistent with what a seat knows (the mode `consistent`) are one chain, which goes on
    from one run to the next.
    """

    def run(self, plan: FlatPlan) -> FlatTable:
        """Try options; raises IllegalOptionError for one that is not there."""
        ...

    @property
    def worlds(self) -> WorldFigures | None:
        """How worlds were drawn so far; None where the rules tell nothing of hidden cards."""
        ...


@dataclass(frozen=True, slots=True)
class WorldFigures:
    """How worlds were drawn in a game whose rules tell something of hidden cards (`Game.tells`).

    `drawn` worlds agree with all that the seat has seen. They are those of a Markov chain, which
    made some proposals, of which some were accepted. Each of the `fallbacks` is a chain of worlds
    for which no history was found, so that they only agree by where the seat knows that cards are.
    Where worlds are weighted by what players have chosen in them (`cardwright.game.likelihood`),
    they tell as much as `effective` worlds of equal weight.
    """

    drawn: int = 0
    proposed: int = 0
    accepted: int = 0
    fallbacks: int = 0
    effective: float = 0.0

    @property
    def acceptance(self) -> float | None:
        """The share of proposals that was accepted; None if there was none."""
        return self.accepted / self.proposed if self.proposed else None

    def __add__(self, other: WorldFigures) -> WorldFigures:
        return _sum(self, other)


@dataclass(frozen=True, slots=True)
class FlatTable:
    """For each option, in order, how its rollouts ended.

    A rollout has failed if its world does not have the option, or breaks a rule. Tables of the same
    decision can be added.
    """

    options: tuple[Rollouts, ...]

    def __add__(self, other: FlatTable) -> FlatTable:
        return _sum(self, other)

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
        return self._means([option.ranks[seat] for option in self.options])

    def scores(self, seat: int) -> tuple[float | None, ...]:
        """Return for each option a seat's mean score; None if nothing is known."""
        return self._means([option.scores[seat] for option in self.options])

    def wins(self, seat: int) -> tuple[float | None, ...]:
        """Return for each option a seat's mean share of the win; None if nothing is known."""
        return self._means([option.wins[seat] for option in self.options])

    def _means(self, sums: Sequence[float]) -> tuple[float | None, ...]:
        counts = [option.count for option in self.options]
        return tuple(sum_ / n if n else None for sum_, n in zip(sums, counts, strict=True))


MOST_ITERATIONS = 10_000_000
MOST_EXPLORATION = 4.0
MOST_TREES = 10_000

_MEMORY = "; with four seats a tree takes up to 114 MB for each million"
"""What a node takes: 64 bytes, and up to 48 in the table of children, or 16 in a list of them."""

_NODES_A_MILLISECOND = 1_000
"""More than a machine makes; a full tree no longer grows, but is still searched."""


class SearchReward(StrEnum):
    """The value of a game's end to a seat, as a search sees it.

    rank: the share of the other seats that are behind, ties counting half. win: a share of the win.
    Both are from 0 to 1. score: the seat's own score. margin: its score less the mean of the
    others'. These are scaled by the results of random play from the decision: 0 is the worst
    outcome met, and 1 the best, but neither is more than two standard deviations from the mean.
    Rare outcomes beyond are worth less than 0 or more than 1, from -2 to 3 at most. Where all seats
    share one score the reward is `score` in any case, as nobody is before anybody.
    """

    RANK = "rank"
    WIN = "win"
    SCORE = "score"
    MARGIN = "margin"


class SearchWorlds(StrEnum):
    """In which worlds the iterations of a tree play.

    each: every iteration in a new one. one: all in one that is drawn before. true: all in the true
    state, which no honest player can know.
    """

    EACH = "each"
    ONE = "one"
    TRUE = "true"


class PlayoutPolicy(StrEnum):
    """How games are played out from the leaves of a tree.

    random: every seat takes any option. greedy: what raises its score at once in the world that is
    played, if anything does. informed: what surely does by all that it knows there, and else no
    option of a sort that might.
    """

    RANDOM = "random"
    GREEDY = "greedy"
    INFORMED = "informed"


@dataclass(frozen=True, slots=True)
class SearchTask:
    """The task of a search.

    `iterations` are done in each of `trees` independent trees, whose roots are added up; or if
    `milliseconds` are given, as many as these allow, of at most `iterations`. `exploration` is the
    constant k of the bound r/n + k sqrt(ln(a)/n), where a is how often an option was available, and
    n how often it was chosen. `many` keeps a tree for every seat (MO-ISMCTS) instead of one for all
    (SO-ISMCTS); `again` redeals for every opponent that chooses in a tree (RIS-MCTS). `mode` says
    what the seat is assumed to know. If there are `wanted` options, no others of the root are
    tried. With `widening` w above 0, a node that was visited n times, except the root, tries only 1
    + w sqrt(n) options; without, it tries all of them before any for the second time.
    `horizon` says where the games end that are played out, and `playouts` how they are played.
    Raises ValueError for numbers out of range, and texts that name no reward, mode, worlds, horizon
    or playouts.
    """

    iterations: int = 1_000
    exploration: float = 0.7
    reward: SearchReward = SearchReward.SCORE
    mode: KnowledgeMode = KnowledgeMode.BASIC
    worlds: SearchWorlds = SearchWorlds.EACH
    trees: int = 1
    many: bool = False
    again: bool = False
    milliseconds: int | None = None
    wanted: tuple[int, ...] = ()
    widening: float = 0.0
    horizon: Horizon = Horizon.DEAL
    playouts: PlayoutPolicy = PlayoutPolicy.RANDOM

    def __post_init__(self) -> None:
        _within("iterations", self.iterations, 1, MOST_ITERATIONS, _MEMORY)
        _within("exploration", self.exploration, 0, MOST_EXPLORATION)
        _within("widening", self.widening, 0, 100)
        _within("trees", self.trees, 1, MOST_TREES)
        if self.milliseconds is not None:
            _within("milliseconds", self.milliseconds, 1, 1_000_000)
        for name, kind in _CHOICES.items():
            object.__setattr__(self, name, _member(name, kind, getattr(self, name)))

    @property
    def most_nodes(self) -> int:
        """The most nodes of a seat's tree: one per iteration, or more than there is time for."""
        if self.milliseconds is None:
            return self.iterations
        return min(self.iterations, _NODES_A_MILLISECOND * self.milliseconds)


def _member(name: str, kind: type[StrEnum], value: str) -> StrEnum:
    """Return a member of an enumeration, which may be given by its text; raises ValueError."""
    try:
        return kind(value)
    except ValueError:
        raise ValueError(
            f"the {name} of a search is one of {', '.join(kind)}, not {value!r}"
        ) from None


_CHOICES: dict[str, type[StrEnum]] = {
    "mode": KnowledgeMode, "reward": SearchReward, "worlds": SearchWorlds, "horizon": Horizon,
    "playouts": PlayoutPolicy,
}  # fmt: skip


def _within(name: str, value: float, least: float, most: float, why: str = "") -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} of a search are from {least:,} to {most:,}, not {value}{why}")


@dataclass(frozen=True, slots=True)
class OptionStatistics:
    """What a search knows about an option of the root.

    `visits` is how often it was chosen, `available` how often it could have been, and `rewards` the
    sums of the rewards that followed, for every seat, in units of `cardwright.game.search.UNIT`.
    `gained` is the sum of the points that the seat that searches got, whatever rewards are.
    """

    visits: int
    available: int
    gained: int
    rewards: tuple[int, ...]

    def mean(self, seat: int) -> float:
        """Return the mean reward of a seat; 0 for an option never tried."""
        return self.rewards[seat] * UNIT / self.visits if self.visits else 0.0

    @property
    def points(self) -> float | None:
        """The mean points of the seat that searches, as its score counts; None if never tried."""
        return self.gained / self.visits if self.visits else None

    def __add__(self, other: OptionStatistics) -> OptionStatistics:
        return _sum(self, other)


UNIT = 2.0**-20
"""The smallest reward that differs from none."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: statistics of every option in order, and how many iterations.

    `failed` of these broke a rule of the game. `plies` is how many decisions were made in trees,
    and `nodes` how many nodes these have. `reward` is what rewards were: playouts may have given
    others than were asked for. With `one_deal` games were played to the end of a deal, and points
    are those since the decision; `match` says that rewards are of the whole match all the same. For
    the rewards `score` and `margin`, `scale` is what a reward of 0 is in points, and how many more
    a reward of 1 is. There more is better, whoever wins the game, and a margin is counted as often
    as there are other seats. It is None for other rewards, and where trees were added up that scale
    differently. `worlds` says how worlds were drawn, and is None where the rules tell nothing of
    hidden cards, or the seat is not asked what it knows.
    """

    seat: int
    options: tuple[OptionStatistics, ...]
    iterations: int
    failed: int
    plies: int
    nodes: int
    reward: SearchReward
    one_deal: bool
    match: bool
    scale: tuple[int, int] | None = None
    worlds: WorldFigures | None = None

    @property
    def most_visited(self) -> int:
        """The option chosen most often; ties go to the best mean, then to the first."""
        return max(range(len(self.options)), key=lambda at: (*self._merits(at), -at))

    @property
    def best_mean(self) -> int:
        """The option of best mean reward; ties go to the most visited, then to the first."""
        return max(range(len(self.options)), key=lambda at: (*self._merits(at)[::-1], -at))

    def _merits(self, at: int) -> tuple[int, float]:
        option = self.options[at]
        return option.visits, option.mean(self.seat)

    _repr_html_ = shown_by("cardwright.game.displays", "search_html")

    def __add__(self, other: SearchResult) -> SearchResult:
        counted = ("options", "iterations", "failed", "plies", "nodes")
        return replace(
            self,
            scale=self.scale if self.scale == other.scale else None,
            worlds=self.worlds and other.worlds and self.worlds + other.worlds,
            **{name: _sum(getattr(self, name), getattr(other, name)) for name in counted},
        )
