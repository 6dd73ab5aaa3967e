"""Flat Monte Carlo over determinised states ("perfect information Monte Carlo").

For each option the mean outcome of random playouts is estimated in imagined worlds, and the option
with the best mean is chosen. All options are tried in the same worlds, which makes their
differences far less noisy than independent worlds would. Its known weaknesses, strategy fusion and
non-locality, are described by Frank and Basin, "Search in games with incomplete information"
(Artificial Intelligence 100, 1998).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.determinise import KnowledgeMode
from cardwright.game.flat import FlatPlan
from cardwright.game.horizon import Horizon
from cardwright.players.note import Note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.flat import FlatTable
    from cardwright.players.player import Decision

MOST_ROLLOUTS = 1_000_000
MOST_MILLISECONDS = 3_600_000
_AT_ONCE = 10
"""Worlds between two checks of the clock."""

Means: TypeAlias = "tuple[float | None, ...]"


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
        table = self._tried(decision)
        decision.report(note_of(table, decision.seat))
        return first_best(means(table, decision, self.reward))

    def _tried(self, decision: Decision) -> FlatTable:
        if self.ms is None:
            return decision.flat(self.rollouts, mode=self.mode, horizon=self.horizon)
        end = time.monotonic() + self.ms / 1_000
        trials = decision.trials(self.mode)
        table = trials.run(FlatPlan(1, horizon=self.horizon))
        while time.monotonic() < end:
            table += trials.run(FlatPlan(_AT_ONCE, horizon=self.horizon))
        return table


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


def note_of(table: FlatTable, seat: int) -> Note:
    """Return the note on a decision by a table of rollouts, as CardStock records it.

    A mean rank R among P players is worth (P-1-R)/(P-1). The best option is the first with the
    seat's smallest mean rank, and the lead is the worth of every player's mean rank after it.
    Without a rollout, or with a single player, only the number of rollouts is set.
    """
    players = len(table.options[0].scores)
    ranks = table.ranks(seat)
    known = [rank for rank in ranks if rank is not None]
    if players < 2 or not known:
        return Note(iterations=table.count)

    def worth(rank: float) -> float:
        return (players - 1 - rank) / (players - 1)

    after = table.options[ranks.index(min(known))]
    return Note(
        spread=worth(min(known)) - worth(max(known)),
        average=sum(map(worth, known)) / len(known),
        best=worth(min(known)),
        lead=tuple(worth(rank / after.count) for rank in after.ranks),
        iterations=table.count,
    )
