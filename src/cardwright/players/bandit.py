"""Flat Monte Carlo that spends its rollouts where they matter: a multi-armed bandit.

The bound is UCB1 of Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit
problem" (Machine Learning 47, 2002): the option with the largest mean + k sqrt(ln N / n) is tried
next, where n of the N tries so far went to it. Rollouts are allocated in small batches, each in its
own worlds, after a few initial worlds that all options share.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.flat import FlatPlan
from cardwright.game.horizon import Horizon
from cardwright.players.flat import FlatReward, means, note_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.flat import FlatTable
    from cardwright.players.player import Decision

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
        trials = decision.trials(self.mode)
        first = min(FIRST_WORLDS, max(1, self.rollouts // (2 * options)))
        worlds = [trials.run(FlatPlan(1, horizon=self.horizon)) for _ in range(first)]
        span = _span([means(world, decision, self.reward) for world in worlds])
        table = worlds[0]
        for world in worlds[1:]:
            table += world
        used = first * options
        while used < self.rollouts if end is None else time.monotonic() < end:
            option = self._next(table, means(table, decision, self.reward), span)
            some = self.batch if end is not None else min(self.batch, self.rollouts - used)
            table += trials.run(FlatPlan(some, only=option, horizon=self.horizon))
            used += some
        return table

    def _next(
        self, table: FlatTable, values: Sequence[float | None], span: tuple[float, float]
    ) -> int:
        """Return the option with the largest bound; failed rollouts count as tries."""
        least, width = span
        tries = [option.count + option.failed for option in table.options]
        total = math.log(sum(tries))
        bounds = [
            (0.0 if value is None else (value - least) / width) + self.k * math.sqrt(total / n)
            for value, n in zip(values, tries, strict=True)
        ]
        return bounds.index(max(bounds))


def _span(worlds: Sequence[Sequence[float | None]]) -> tuple[float, float]:
    """Return the smallest outcome of all worlds, and the range of outcomes (1 if all are equal).

    Equal rewards need no scaling.
    """
    outcomes = [outcome for world in worlds for outcome in world if outcome is not None]
    if not outcomes:
        return 0.0, 1.0
    least, largest = min(outcomes), max(outcomes)
    return least, largest - least or 1.0
