"""Flat Monte Carlo over determinised states ("perfect information Monte Carlo").

For each option the mean outcome of random playouts is estimated in imagined worlds, and the option
with the best mean is chosen. All options are tried in the same worlds, which makes their
differences far less noisy than independent worlds would. Its known weaknesses, strategy fusion and
non-locality, are described by Frank and Basin, "Search in games with incomplete information"
(Artificial Intelligence 100, 1998).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.search import FlatPlan, Horizon
from cardwright.players.player import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.search import FlatTable
    from cardwright.players.player import Decision

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
    replayed. `mode` says what the seat is assumed to know, and `horizon` where playouts end.
    The first of equally good options is chosen. A single option is played without search.
    """

    rollouts: int = 50
    mode: KnowledgeMode = KnowledgeMode.BASIC
    reward: FlatReward = FlatReward.SCORE
    ms: int | None = None
    horizon: Horizon = Horizon.DEAL

    def choose(self, decision: Decision) -> int:
        """Return the index of the option with the best mean."""
        if decision.option_count == 1:
            return 0
        halves = self._tried(decision)
        table = halves[0] + halves[1]
        decision.report(note_of(table, decision.seat, halves))
        return first_best(means(table, decision, self.reward))

    def _tried(self, decision: Decision) -> Halves:
        if self.ms is None:
            return decision.flat_halves(self.rollouts, mode=self.mode, horizon=self.horizon)
        end = time.monotonic() + self.ms / 1_000
        trials = decision.trials(self.mode)
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
    seat = decision.seat
    if reward is FlatReward.WIN:
        return table.wins(seat)
    if reward is FlatReward.RANK:
        return tuple(None if mean is None else -mean for mean in table.ranks(seat))
    sign = 1 if decision.game.highest_wins else -1
    return tuple(None if mean is None else sign * mean for mean in table.scores(seat))


def first_best(values: Sequence[float | None]) -> int:
    """Return the first index of the largest value; None counts as the worst."""
    best = 0
    for index, value in enumerate(values):
        top = values[best]
        if value is not None and (top is None or value > top):
            best = index
    return best


def note_of(table: FlatTable, seat: int, halves: Halves | None = None) -> Note:
    """Return the note on a decision by a table of rollouts, as CardStock records it.

    A mean rank R among P players is worth (P-1-R)/(P-1). The best option is the first with the
    seat's smallest mean rank, and the lead is the worth of every player's mean rank after it.
    Without a rollout, or with a single player, there are no places. `halves` are the same rollouts
    in two halves that are independent, for the held-out spread.
    """
    players = len(table.options[0].scores)
    ranks = table.ranks(seat)
    known = [rank for rank in ranks if rank is not None]
    scores = [score for score in table.scores(seat) if score is not None]
    if not known:
        return Note(iterations=table.count)
    score_spread = max(scores) - min(scores)
    if players < 2:
        return Note(iterations=table.count, score_spread=score_spread)

    def worth(rank: float) -> float:
        return (players - 1 - rank) / (players - 1)

    after = table.options[ranks.index(min(known))]
    difference = None if halves is None else held_out(halves[0].ranks(seat), halves[1].ranks(seat))
    return Note(
        spread=worth(min(known)) - worth(max(known)),
        average=sum(map(worth, known)) / len(known),
        best=worth(min(known)),
        lead=tuple(worth(rank / after.count) for rank in after.ranks),
        iterations=table.count,
        held_out_spread=None if difference is None else difference / (players - 1),
        score_spread=score_spread,
    )


def held_out(some: Sequence[float | None], others: Sequence[float | None]) -> float | None:
    """Return the largest difference of means, without the bias of having been looked for.

    Two independent estimates of each mean are given; what one of them lacks is left out, and
    without any the result is None. See `cardwright.players.player.Note`.
    """
    pairs = [
        (one, other)
        for one, other in zip(some, others, strict=True)
        if one is not None and other is not None
    ]
    if not pairs:
        return None
    swapped = [(other, one) for one, other in pairs]
    return (_chosen_difference(pairs) + _chosen_difference(swapped)) / 2


def _chosen_difference(pairs: Sequence[tuple[float, float]]) -> float:
    first = [one for one, _ in pairs]
    return pairs[first.index(max(first))][1] - pairs[first.index(min(first))][1]


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
