"""Players that search by random playouts: flat Monte Carlo, bandits, and tree search.

Flat Monte Carlo ("perfect information Monte Carlo") estimates the mean outcome of each option over
random playouts in imagined worlds, and takes the best. All options are tried in the same worlds,
which makes their differences far less noisy. Its known weaknesses, strategy fusion and
non-locality, are described by Frank and Basin, "Search in games with incomplete information"
(Artificial Intelligence 100, 1998).

Tree search is ISMCTS and its variants, and UCT in imagined worlds or in the true state:
`cardwright.compiler.kernels.search` describes the algorithms and gives their sources.

CardStock (Mark Goadrich, https://github.com/mgoadric/cardstock) is where RECYCLE comes from. Its
players, here exactly as they decide, are weaker than they could be, but published figures were made
with them. They know what is visible now (`KnowledgeMode.BASIC`), search even a single option, and
report what CardStock records.
"""

from __future__ import annotations

import math
import operator
import time
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from cardwright.game.errors import GameError
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.likelihood import Inference
from cardwright.game.search import (
    MOST_ITERATIONS,
    FlatPlan,
    Horizon,
    PlayoutPolicy,
    SearchReward,
    SearchTask,
    SearchWorlds,
)
from cardwright.players.kind import find_kind
from cardwright.players.player import Note

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.game import State
    from cardwright.game.native.search import KeptTree
    from cardwright.game.search import FlatTable, SearchResult
    from cardwright.interpreter.stream import Stream
    from cardwright.players.player import Decision
    from cardwright.program.cards import Seat

MOST_ROLLOUTS = 1_000_000
MOST_MILLISECONDS = 3_600_000
_AT_ONCE = 10
"""Worlds between two checks of the clock."""

Means: TypeAlias = "tuple[float | None, ...]"
Halves: TypeAlias = "tuple[FlatTable, FlatTable]"


class FlatReward(StrEnum):
    """What a player maximises: its score, the number of seats behind it, or its share of wins."""

    SCORE = "score"
    RANK = "rank"
    WIN = "win"


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Chooses the option with the best mean reward over random playouts.

    `rollouts` is the number of imagined worlds per decision, with one playout of each option in
    each; with `ms` it is as many worlds as fit into that many milliseconds, which cannot be
    replayed. `mode` says what the seat is assumed to know, and `horizon` where playouts end. With
    an `inference` worlds are weighted, as the function of this name says. The first of equally good
    options is chosen. A single option is played without search.
    """

    rollouts: int = 50
    mode: KnowledgeMode = KnowledgeMode.BASIC
    reward: FlatReward = FlatReward.SCORE
    ms: int | None = None
    horizon: Horizon = Horizon.DEAL
    inference: str | None = None

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        if decision.option_count == 1:
            return 0
        return best_of(decision, self._tried(decision), self.reward)

    def _tried(self, decision: Decision) -> Halves:
        if self.ms is None:
            return decision.flat_halves(
                self.rollouts,
                mode=self.mode,
                horizon=self.horizon,
                inference=inference(decision, self.inference),
            )
        end = time.monotonic() + self.ms / 1_000
        trials = decision.trials(self.mode, inference(decision, self.inference))
        table = trials.run(FlatPlan(1, horizon=self.horizon))
        other = trials.run(FlatPlan(0, horizon=self.horizon))
        while time.monotonic() < end:
            other += trials.run(FlatPlan(_AT_ONCE, horizon=self.horizon))
            table, other = other, table
        return table, other


def means(table: FlatTable, decision: Decision, reward: FlatReward) -> Means:
    """Return each option's mean reward for the seat that decides; larger is better.

    Ranks count down from 0, and scores are negated where the lowest wins. None means that nothing
    is known of the option.
    """
    if decision.game.program.shared_score:  # ranks and wins say nothing there
        reward = FlatReward.SCORE
    seat, ranked = decision.seat, reward is FlatReward.RANK
    if reward is FlatReward.WIN:
        return table.wins(seat)
    sign = 1 if decision.game.highest_wins and not ranked else -1
    means = table.ranks(seat) if ranked else table.scores(seat)
    return tuple(None if mean is None else sign * mean for mean in means)


def best_of(decision: Decision, halves: Halves, reward: FlatReward) -> int:
    """Return the first option with the largest mean in both halves, and report what is known."""
    table = halves[0] + halves[1]
    decision.report(note_of(table, decision.seat, halves))
    return first_best(means(table, decision, reward))


def first_best(values: Sequence[float | None]) -> int:
    """Return the first index of the largest value; None counts as the worst."""
    known = [-math.inf if value is None else value for value in values]
    return known.index(max(known))


def note_of(table: FlatTable, seat: int, halves: Halves | None = None) -> Note:
    """Return the note on a decision by a table of rollouts, as CardStock records it.

    A mean rank R among P players is worth (P-1-R)/(P-1). The best option is the first with the
    seat's smallest mean rank, and the lead is the worth of every player's mean rank after it.
    Without a rollout, or with a single player, there are no places. `halves` are the same rollouts
    in two halves that are independent, for the held-out spread.
    """
    players, ranks = len(table.options[0].scores), table.ranks(seat)
    known = [rank for rank in ranks if rank is not None]
    scores = [score for score in table.scores(seat) if score is not None]
    if not known or players < 2:
        return _note(table.count, scores)

    def worth(rank: float) -> float:
        return (players - 1 - rank) / (players - 1)

    after = table.options[ranks.index(min(known))]
    lead = [worth(rank / after.count) for rank in after.ranks]
    note = _note(table.count, scores, list(map(worth, known)), lead)
    difference = None if halves is None else held_out(halves[0].ranks(seat), halves[1].ranks(seat))
    return replace(note, held_out_spread=difference and difference / (players - 1))


def _note(
    iterations: int,
    scores: Sequence[float],
    estimates: Sequence[float] = (),
    lead: Sequence[float] = (),
) -> Note:
    """Return a note by the mean scores of options, and by their estimates if there are any."""
    note = Note(iterations=iterations, score_spread=max(scores) - min(scores) if scores else None)
    if not estimates:
        return note
    least, best, average = min(estimates), max(estimates), sum(estimates) / len(estimates)
    return replace(note, spread=best - least, average=average, best=best, lead=tuple(lead))


def held_out(some: Sequence[float | None], others: Sequence[float | None]) -> float | None:
    """Return the largest difference of means, without the bias of having been looked for.

    Two independent estimates of each mean are given; what one of them lacks is left out, and
    without any the result is None. See `cardwright.players.player.Note`.
    """
    pairs = zip(some, others, strict=True)
    known = [(left, right) for left, right in pairs if left is not None and right is not None]
    if not known:
        return None

    def difference(first: Sequence[float], second: Sequence[float]) -> float:
        return second[first.index(max(first))] - second[first.index(min(first))]

    left, right = zip(*known, strict=True)
    return (difference(left, right) + difference(right, left)) / 2


FIRST_WORLDS = 10
"""Worlds in which all options are tried before the bound decides; fewer with few rollouts."""


@dataclass(frozen=True)
class Bandit:
    """Chooses the option that a bandit has tried most; of these, the first with the best mean.

    Each decision has `rollouts` in total, allocated `batch` at a time, or as many as fit into `ms`
    milliseconds, which cannot be replayed. `k` is the exploration constant for rewards from 0 to 1.
    Scores are scaled to the range seen in the initial worlds. `horizon` says where
    rollouts end. A single option is played without search.
    """

    rollouts: int = 1_000
    k: float = 0.7
    mode: KnowledgeMode = KnowledgeMode.BASIC
    reward: FlatReward = FlatReward.SCORE
    batch: int = 10
    ms: int | None = None
    horizon: Horizon = Horizon.DEAL
    inference: str | None = None

    def choose(self, decision: Decision) -> int:
        """Return the index of the option tried most."""
        if decision.option_count == 1:
            return 0
        table = self._tried(decision)
        decision.report(note_of(table, decision.seat))
        values = means(table, decision, self.reward)
        tried = [
            (option.count, -math.inf if value is None else value)
            for option, value in zip(table.options, values, strict=True)
        ]
        return tried.index(max(tried))

    def _tried(self, decision: Decision) -> FlatTable:
        end = None if self.ms is None else time.monotonic() + self.ms / 1_000
        options = decision.option_count
        trials = decision.trials(self.mode, inference(decision, self.inference))
        first = min(FIRST_WORLDS, max(1, self.rollouts // (2 * options)))
        worlds = [trials.run(FlatPlan(1, horizon=self.horizon)) for _ in range(first)]
        span = _span([means(world, decision, self.reward) for world in worlds])
        table = reduce(operator.add, worlds)
        used = first * options
        while used < self.rollouts if end is None else time.monotonic() < end:
            option = self._next(table, means(table, decision, self.reward), span)
            some = self.batch if end is not None else min(self.batch, self.rollouts - used)
            table += trials.run(FlatPlan(some, only=option, horizon=self.horizon))
            used += some
        return table

    def _next(self, table: FlatTable, values: Means, span: tuple[float, float]) -> int:
        """Return the option with the largest bound; failed rollouts count as tries."""
        least, width = span
        tries = [option.count + option.failed for option in table.options]
        total = math.log(sum(tries))
        bounds = [
            (0.0 if value is None else (value - least) / width) + self.k * math.sqrt(total / n)
            for value, n in zip(values, tries, strict=True)
        ]
        return bounds.index(max(bounds))


def _span(worlds: Sequence[Means]) -> tuple[float, float]:
    """Return the smallest outcome of all worlds, and the range of outcomes; 1 if all are equal."""
    outcomes = [outcome for world in worlds for outcome in world if outcome is not None]
    if not outcomes:
        return 0.0, 1.0
    least, largest = min(outcomes), max(outcomes)
    return least, largest - least or 1.0


# Tree search ----------------------------------------------------------------------------------


class Observers(StrEnum):
    """Whose trees are kept: one for the seat that searches, or one for every seat."""

    ONE = "one"
    MANY = "many"


def _kept_tree() -> KeptTree:
    from cardwright.game.native.search import KeptTree

    return KeptTree()


@dataclass(frozen=True)
class Ismcts:
    """Chooses the option most visited by information set Monte Carlo tree search.

    Each of `trees` gets `iterations`, run by `threads`; with `ms`, as many as fit into that many
    milliseconds, which cannot be replayed. `c` is the exploration constant. With `ris` the hidden
    cards are redealt for every opponent in the tree. With `reuse` a single tree is kept for the
    next decision, where that is sound. `horizon` says where playouts end, and `playouts` how seats
    play in them. A single option is played without search.
    """

    iterations: int = 1_000
    c: float = 0.7
    reward: SearchReward = SearchReward.SCORE
    mode: KnowledgeMode = KnowledgeMode.CONSISTENT
    observers: Observers = Observers.ONE
    ris: bool = False
    reuse: bool = False
    trees: int = 1
    threads: int = 1
    ms: int | None = None
    horizon: Horizon = Horizon.DEAL
    playouts: PlayoutPolicy = PlayoutPolicy.RANDOM
    inference: str | None = None
    kept: KeptTree = field(default_factory=_kept_tree, init=False, compare=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option."""
        task = SearchTask(
            iterations=self.iterations if self.ms is None else MOST_ITERATIONS,
            exploration=self.c,
            reward=self.reward,
            mode=self.mode,
            trees=self.trees,
            many=self.observers is Observers.MANY,
            again=self.ris,
            milliseconds=self.ms,
            horizon=self.horizon,
            playouts=self.playouts,
        )
        kept = self.kept if self.reuse else None
        return _chosen(decision, task, self.threads, kept, self.inference)


@dataclass(frozen=True)
class PimcUct:
    """Chooses the option with the best mean reward over UCT searches of imagined worlds.

    Each of `worlds` gets `iterations`, with `playouts` up to `horizon`, as those of
    `Ismcts`; all seats are assumed to see everything there, which is the weakness of
    perfect information Monte Carlo.
    """

    worlds: int = 30
    iterations: int = 333
    c: float = 0.4
    reward: SearchReward = SearchReward.SCORE
    mode: KnowledgeMode = KnowledgeMode.CONSISTENT
    threads: int = 1
    horizon: Horizon = Horizon.DEAL
    playouts: PlayoutPolicy = PlayoutPolicy.RANDOM
    inference: str | None = None

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            mode=self.mode,
            worlds=SearchWorlds.ONE,
            trees=self.worlds,
            horizon=self.horizon,
            playouts=self.playouts,
        )
        return _chosen(decision, task, self.threads, inferred_by=self.inference)


@dataclass(frozen=True)
class CheatingMcts:
    """Chooses the option most visited by UCT in the true state: it sees all cards."""

    iterations: int = 1_000
    c: float = 0.7
    reward: SearchReward = SearchReward.SCORE
    trees: int = 1
    threads: int = 1
    horizon: Horizon = Horizon.DEAL

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option."""
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            worlds=SearchWorlds.TRUE,
            trees=self.trees,
            horizon=self.horizon,
        )
        return _chosen(decision, task, self.threads)


def inference(decision: Decision, kind: str | None) -> Inference | None:
    """Return the inference by what players of a kind would have chosen; None for no kind."""
    model = None if kind is None else find_kind(kind).model
    return None if model is None else Inference(model(decision))


def _chosen(
    decision: Decision,
    task: SearchTask,
    threads: int,
    kept: KeptTree | None = None,
    inferred_by: str | None = None,
) -> int:
    """Return the option that a search is for; a single one is played without search."""
    if decision.option_count == 1:
        return 0
    by = inference(decision, inferred_by)
    result = decision.search(task, threads=threads, kept=kept, inference=by)
    decision.report(replace(search_note(result, result.reward), worlds=result.worlds))
    return result.best_mean if task.worlds is SearchWorlds.ONE else result.most_visited


def search_note(result: SearchResult, reward: SearchReward) -> Note:
    """Return the note on a decision by a search.

    A note's estimates are rewards by rank; with other rewards they are not set. Options are visited
    unequally, and the worse ones seldom, so there are no halves for a held-out spread.
    """
    tried = [option for option in result.options if option.visits]
    points = [option.points for option in tried if option.points is not None]
    if reward is not SearchReward.RANK or not tried:
        return _note(result.iterations, points)
    best = max(tried, key=lambda option: option.mean(result.seat))
    lead = [best.mean(seat) for seat in range(len(best.rewards))]
    return _note(result.iterations, points, [option.mean(result.seat) for option in tried], lead)


# CardStock ------------------------------------------------------------------------------------

CUT = 200
"""Choices after which CardStock's second player cuts a rollout off and scores it as it stands."""


@dataclass(frozen=True)
class CardStockPipmc:
    """CardStock's `PIPMC`: the smallest mean rank over `tests` random games of each option.

    Each test of each option starts from its own determinisation. A rank is the number of players
    with a strictly better score; the first of equally good options is chosen.
    """

    tests: int = 10
    reward: ClassVar[FlatReward] = FlatReward.RANK

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the smallest mean rank."""
        halves = decision.flat_halves(self.tests, shared=False, horizon=Horizon.MATCH)
        return best_of(decision, halves, self.reward)


@dataclass(frozen=True)
class CardStockPipmcNew:
    """CardStock's `PIPMCNEW`: the best mean score over `deals` worlds with `tests` games in each.

    All options are tried in the same worlds, and a game is cut off after `CUT` choices. The report
    uses mean ranks all the same, so the best option there may differ from the one played.
    """

    deals: int = 10
    tests: int = 2
    reward: ClassVar[FlatReward] = FlatReward.SCORE

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean score."""
        halves = decision.flat_halves(self.deals, self.tests, limit=CUT, horizon=Horizon.MATCH)
        return best_of(decision, halves, self.reward)


@dataclass(slots=True)
class _Spot:
    """A state reachable from a decision, the number of its position, and its successors.

    All paths start in the same state with the same randomness, so successors can be cached.
    """

    state: State
    position: int
    after: list[_Spot | None]


@dataclass(slots=True)
class _Plays:
    """How often a position was reached by a player's move, and that player's rewards after it."""

    count: int = 0
    rewards: float = 0.0

    @property
    def mean(self) -> float:
        return self.rewards / self.count if self.count else 0.0


@dataclass
class CardStockMcts:
    """CardStock's `MCTS`: `tests` times as many iterations as there are options, in one world.

    In the tree a random option is taken while any of them is untried, even if the random one is
    not; after that, the one with the largest mean + sqrt(2 ln N / n). The first new position is
    played out at random. The player in place p, from 0, has the reward 1/(p+1); ties are broken by
    seat, for the lower one if the lowest score wins, and for the higher one otherwise. The option
    with the best mean is played, the first of equal ones.
    """

    tests: int = 100
    _positions: dict[Hashable, int] = field(default_factory=dict, init=False, repr=False)
    _plays: dict[tuple[int, Seat], _Plays] = field(default_factory=dict, init=False, repr=False)
    _children: dict[int, list[_Plays]] = field(default_factory=dict, init=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean reward."""
        try:
            root = self._spot(decision.imagine(decision.stream))
        except GameError:
            return 0  # an impossible world: there is nothing to learn in it
        iterations = self.tests * decision.option_count
        for _ in range(iterations):
            try:
                self._iterate(root, decision.stream)
            except GameError:
                continue  # a game that breaks a rule has no outcome
        decision.report(Note(iterations=iterations))
        return first_best([plays.mean for plays in self._known(root)])

    def _spot(self, state: State) -> _Spot:
        number = self._positions.setdefault(state.position(), len(self._positions))
        return _Spot(state, number, [None] * state.option_count)

    def _after(self, spot: _Spot, index: int) -> _Spot:
        successor = spot.after[index]
        if successor is None:
            state = spot.state.copy()
            state.play(index)
            spot.after[index] = successor = self._spot(state)
        return successor

    def _known(self, spot: _Spot) -> list[_Plays]:
        """Return what is known of each option of a position, for the player that moves there."""
        return self._children.setdefault(spot.position, [_Plays() for _ in spot.after])

    def _iterate(self, spot: _Spot, stream: Stream) -> None:
        """Go down the tree to a new position, play on at random, and note the rewards."""
        path: list[tuple[_Plays, Seat]] = []
        while (mover := spot.state.player) is not None:
            children = self._known(spot)
            index = _next(children, stream)
            spot = self._after(spot, index)
            children[index] = plays = self._plays.setdefault((spot.position, mover), _Plays())
            path.append((plays, mover))
            if not plays.count:
                break
        end, game = spot.state.rollouts(1, stream), spot.state.game
        if end.failed:
            return
        rewards = _rewards(end.scores, highest_wins=game.highest_wins)
        for plays, mover in path:
            plays.count += 1
            plays.rewards += rewards[mover]


def _next(children: Sequence[_Plays], stream: Stream) -> int:
    if not all(plays.count for plays in children):
        return stream.below(len(children))
    total = 2 * math.log(sum(plays.count for plays in children))
    return first_best([plays.mean + math.sqrt(total / plays.count) for plays in children])


def _rewards(scores: Sequence[int], *, highest_wins: bool) -> list[float]:
    seats = range(len(scores))
    order = sorted(seats, key=lambda seat: (scores[seat], seat), reverse=highest_wins)
    return [1 / (1 + order.index(seat)) for seat in seats]
