"""Players that search trees: ISMCTS in its variants, UCT in imagined worlds, and in the true one.

What each of them is, and who described it, is said in `cardwright.compiler.kernels.search`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.search import MOST_ITERATIONS, SearchReward, SearchTask, SearchWorlds
from cardwright.game.search_kept import KeptTree
from cardwright.players.note import Note

if TYPE_CHECKING:
    from cardwright.game.search import SearchResult
    from cardwright.players.player import Decision


class Observers(StrEnum):
    """Whose trees are kept: one for the seat that searches, or one for every seat."""

    ONE = "one"
    MANY = "many"


@dataclass(frozen=True)
class Ismcts:
    """Chooses the option that information set Monte Carlo tree search has tried most.

    There are `iterations` in each of `trees`, which `threads` grow; with `ms` as many as that many
    milliseconds allow, which cannot be replayed. `c` is the weight of exploration. With `ris` the
    hidden cards are dealt anew for every opponent in the tree. With `reuse` a single tree is gone
    on with at the next decision, where that is sound. A single option is played without thought.
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
    kept: KeptTree = field(default_factory=KeptTree, init=False, compare=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the option tried most."""
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
        )
        return _found(decision, task, self.threads, self.kept if self.reuse else None).most_visited


@dataclass(frozen=True)
class PimcUct:
    """Chooses the option of best mean reward over UCT searches of imagined worlds.

    There are `iterations` in each of `worlds`; all seats are taken to see everything there, which
    is the weakness of perfect information Monte Carlo.
    """

    worlds: int = 30
    iterations: int = 333
    c: float = 0.4
    reward: SearchReward = SearchReward.SCORE
    mode: KnowledgeMode = KnowledgeMode.CONSISTENT
    threads: int = 1

    def choose(self, decision: Decision) -> int:
        """Return the index of the option of best mean."""
        if decision.option_count == 1:
            return 0
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            mode=self.mode,
            worlds=SearchWorlds.ONE,
            trees=self.worlds,
        )
        return _found(decision, task, self.threads).best_mean


@dataclass(frozen=True)
class CheatingMcts:
    """Chooses the option that UCT has tried most in the true state: it sees all cards.

    Only the chances to come it does not know. It shows how much there is to be known.
    """

    iterations: int = 1_000
    c: float = 0.7
    reward: SearchReward = SearchReward.SCORE
    trees: int = 1
    threads: int = 1

    def choose(self, decision: Decision) -> int:
        """Return the index of the option tried most."""
        if decision.option_count == 1:
            return 0
        task = SearchTask(
            iterations=self.iterations,
            exploration=self.c,
            reward=self.reward,
            worlds=SearchWorlds.TRUE,
            trees=self.trees,
        )
        return _found(decision, task, self.threads).most_visited


def _found(
    decision: Decision, task: SearchTask, threads: int, kept: KeptTree | None = None
) -> SearchResult:
    """Search a decision, and report what was found."""
    found = decision.search(task, threads=threads, kept=kept)
    decision.report(note_of(found, task.reward))
    return found


def note_of(found: SearchResult, reward: SearchReward) -> Note:
    """Return what a search says of a decision.

    Only rewards by rank are the estimates that a note has; of others there is nothing but the
    number of iterations.
    """
    tried = [option for option in found.options if option.visits]
    if reward is not SearchReward.RANK or not tried:
        return Note(iterations=found.iterations)
    means = [option.mean(found.seat) for option in tried]
    best = max(tried, key=lambda option: option.mean(found.seat))
    return Note(
        spread=max(means) - min(means),
        average=sum(means) / len(means),
        best=max(means),
        lead=tuple(best.mean(seat) for seat in range(len(best.rewards))),
        iterations=found.iterations,
    )
