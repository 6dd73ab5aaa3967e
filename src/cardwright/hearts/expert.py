"""The expert: information set search with rule-based playouts, which also chooses its passes.

It is `ismcts` with additions for Hearts. Playouts follow the rule player except for an occasional
random choice, without which they would never see what the rules never do; the same is reported of
the program xinxin (N. Sturtevant). Imagined worlds are consistent with everything that play has
shown. For passing, only the most promising sets of cards are searched; other players are assumed to
pass by rules. In a match, what counts is the probability of winning it, not the points of the deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.search import MOST_ITERATIONS, SearchReward, SearchTask
from cardwright.hearts.cards import SPADES, suit_of
from cardwright.hearts.kernels import playouts
from cardwright.hearts.playing import danger, playouts_of
from cardwright.hearts.table import DecisionKind, table_of
from cardwright.players.note import Note

if TYPE_CHECKING:
    from cardwright.game.search_native import Playouts
    from cardwright.hearts.table import HeartsView
    from cardwright.players.player import Decision

_FOR_A_PASS = 4
"""How many times as many iterations a pass gets as a card: it matters for the whole deal."""

_VOID = 8
"""What it is worth to be void in a suit, in units of danger."""


@dataclass
class Expert:
    """Chooses the option most visited by the search.

    Each of `trees` gets `iterations`, run by `threads`, and to decide which cards to pass or to lay
    aside `pass_iterations`, which are four times as many if not given; with `ms`, as many as fit
    into that many milliseconds, which cannot be replayed. `c` is the exploration constant,
    `epsilon` the probability of a random choice in playouts, `widening` the factor of progressive
    widening, which starts with what the rules prefer, and `passes` the number of sets of cards it
    considers for passing.
    """

    iterations: int = 7_500
    pass_iterations: int | None = None
    c: float = 0.4
    epsilon: float = 0.1
    reward: SearchReward = SearchReward.SCORE
    widening: float = 2.0
    passes: int = 24
    trees: int = 1
    threads: int = 1
    ms: int | None = None
    _playouts: Playouts | None = field(default=None, init=False, repr=False)

    def choose(self, decision: Decision) -> int:
        """Return the index of the most visited option.

        Raises NotHeartsError in a game that is not of the Hearts family.
        """
        if decision.option_count == 1:
            return 0
        iterations, wanted = self._plan(decision)
        task = SearchTask(
            iterations=iterations if self.ms is None else MOST_ITERATIONS,
            exploration=self.c,
            reward=self.reward,
            mode=KnowledgeMode.CONSISTENT,
            trees=self.trees,
            milliseconds=self.ms,
            widening=self.widening,
            wanted=wanted,
        )
        if self._playouts is None:
            self._playouts = playouts_of(decision.game, self.epsilon)
        found = decision.search(task, threads=self.threads, playouts=self._playouts)
        decision.report(Note(iterations=found.iterations))
        return found.most_visited

    def _plan(self, decision: Decision) -> tuple[int, tuple[int, ...]]:
        """Return how many iterations to do, and which options to try; none means all."""
        table = table_of(decision)
        if table.kind not in {DecisionKind.PASS, DecisionKind.LAY}:
            return self.iterations, ()
        iterations = self.pass_iterations or _FOR_A_PASS * self.iterations
        if decision.option_count <= self.passes:
            return iterations, ()
        return iterations, tuple(map(table.option, promising(table, self.passes)))


def promising(table: HeartsView, count: int) -> list[tuple[int, ...]]:
    """Return the most promising sets of cards to pass or to lay aside, best first.

    Cards that are dangerous to keep go first, and those that empty a suit. Cards that are laid
    aside count as taken, so penalty cards stay.
    """
    family, hand = table.family, table.hand
    queen = family.queen
    low = [card for card in hand if suit_of(card) == SPADES and (queen is None or card < queen)]
    guarded = len(low) >= playouts.GUARDS
    dangers = {card: danger(family, card, guarded=guarded) for card in hand}
    if table.kind is DecisionKind.LAY:
        dangers = {card: value - 20 * family.costs[card] for card, value in dangers.items()}
    held = [suit_of(card) for card in hand]

    def merit(cards: tuple[int, ...]) -> int:
        suits = [suit_of(card) for card in cards]
        emptied = {suit for suit in suits if suits.count(suit) == held.count(suit)} - {SPADES}
        return sum(map(dangers.__getitem__, cards)) + _VOID * len(emptied)

    sets = list(dict.fromkeys(combinations(sorted(hand), table.count)))
    return sorted(sets, key=lambda cards: (-merit(cards), cards))[:count]
