"""Tree-search players: ISMCTS and its variants, and UCT in imagined worlds or in the true state.

`cardwright.compiler.kernels.search` describes the algorithms and gives their sources.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.search import KeptTree
from cardwright.game.search import MOST_ITERATIONS, Horizon, SearchReward, SearchTask, SearchWorlds
from cardwright.players.player import Note

if TYPE_CHECKING:
    from cardwright.game.search import SearchResult
    from cardwright.players.player import Decision


class Observers(StrEnum):
    """Whose trees are kept: one for the seat that searches, or one for every seat."""

    ONE = "one"
    MANY = "many"


@dataclass(frozen=True)
class Ismcts:
    """Chooses the option most visited by information set Monte Carlo tree search.

    Each of `trees` gets `iterations`, run by `threads`; with `ms`, as many as fit into that many
    milliseconds, which cannot be replayed. `c` is the exploration constant. With `ris` the hidden
    cards are redealt for every opponent in the tree. With `reuse` a single tree is kept for the
    next decision, where that is sound. `horizon` says where playouts end. A single option is
    played without search.
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
    kept: KeptTree = field(default_factory=KeptTree, init=False, compare=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option."""
        if decision.option_count == 1:
            return 0
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
        )
        return _searched(
            decision, task, self.threads, self.kept if self.reuse else None
        ).most_visited


@dataclass(frozen=True)
class PimcUct:
    """Chooses the option with the best mean reward over UCT searches of imagined worlds.

    Each of `worlds` gets `iterations`, with playouts up to `horizon`; all seats are assumed to
    see everything there, which is the weakness of perfect information Monte Carlo.
    """

    worlds: int = 30
    iterations: int = 333
    c: float = 0.4
    reward: SearchReward = SearchReward.SCORE
    mode: KnowledgeMode = KnowledgeMode.CONSISTENT
    threads: int = 1
    horizon: Horizon = Horizon.DEAL

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        if decision.option_count == 1:
            return 0
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            mode=self.mode,
            worlds=SearchWorlds.ONE,
            trees=self.worlds,
            horizon=self.horizon,
        )
        return _searched(decision, task, self.threads).best_mean


@dataclass(frozen=True)
class CheatingMcts:
    """Chooses the option most visited by UCT in the true state: it sees all cards.

    Future randomness is all that it does not know; `horizon` says where playouts end.
    It shows what full information is worth.
    """

    iterations: int = 1_000
    c: float = 0.7
    reward: SearchReward = SearchReward.SCORE
    trees: int = 1
    threads: int = 1
    horizon: Horizon = Horizon.DEAL

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option."""
        if decision.option_count == 1:
            return 0
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            worlds=SearchWorlds.TRUE,
            trees=self.trees,
            horizon=self.horizon,
        )
        return _searched(decision, task, self.threads).most_visited


def _searched(
    decision: Decision, task: SearchTask, threads: int, kept: KeptTree | None = None
) -> SearchResult:
    result = decision.search(task, threads=threads, kept=kept)
    decision.report(note_of(result, task.reward))
    return result


def note_of(result: SearchResult, reward: SearchReward) -> Note:
    """Return the note on a decision by a search.

    A note's estimates are rewards by rank; with other rewards they are not set. Options are visited
    unequally, and the worse ones seldom, so there are no halves for a held-out spread.
    """
    tried = [option for option in result.options if option.visits]
    points = [option.points for option in tried if option.points is not None]
    score_spread = max(points) - min(points) if points else None
    if reward is not SearchReward.RANK or not tried:
        return Note(iterations=result.iterations, score_spread=score_spread)
    means = [option.mean(result.seat) for option in tried]
    best = max(tried, key=lambda option: option.mean(result.seat))
    return Note(
        spread=max(means) - min(means),
        average=sum(means) / len(means),
        best=max(means),
        lead=tuple(best.mean(seat) for seat in range(len(best.rewards))),
        iterations=result.iterations,
        score_spread=score_spread,
    )
