"""Judgements: decisions that keep what their player thinks of every option."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cardwright.game.search import Horizon
from cardwright.players.monte_carlo import FlatReward
from cardwright.players.player import Decision
from cardwright.table.estimates import Estimates, estimates_of_flat, estimates_of_search

if TYPE_CHECKING:
    from cardwright.game.search import FlatTable, SearchResult, SearchTask
    from cardwright.players.player import Player


@dataclass(frozen=True)
class JudgedDecision(Decision):
    """A decision that keeps what its player finds out about the options.

    A search tries bad options rarely, or not at all. If one has been `played` that the search would
    not play, both are compared by another search of these two. `judged` has the estimates of each
    time that options were tried: first those by which the player chooses.
    """

    played: int | None = field(default=None, repr=False, compare=False)
    flat_reward: FlatReward = field(default=FlatReward.SCORE, repr=False, compare=False)
    judged: list[tuple[Estimates, ...]] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def by(cls, player: Player, decision: Decision, played: int | None = None) -> JudgedDecision:
        """Return a decision for a player to judge."""
        reward = getattr(player, "reward", None)
        return cls(
            decision.seat, decision.option_count, decision.stream, decision._state, decision._made,
            played=played,
            flat_reward=reward if isinstance(reward, FlatReward) else FlatReward.SCORE,
        )  # fmt: skip

    @property
    def estimates(self) -> tuple[Estimates, ...]:
        """The estimates of the last time; none if the player has none."""
        return self.judged[-1] if self.judged else ()

    def search(self, task: SearchTask, **settings: Any) -> SearchResult:
        """Search like any decision, and keep the estimates."""
        found = super().search(task, **settings)
        judged = estimates_of_search(found, self.seat, self.game)
        best, played = found.most_visited, self.played
        if played is not None and played != best:
            pair = replace(task, wanted=(best, played), widening=0.0)
            again = super().search(pair, **{**settings, "kept": None})
            compared = estimates_of_search(again, self.seat, self.game)
            if [one.unit for one in compared] == [one.unit for one in judged]:
                judged = tuple(
                    one.replaced(other, (best, played))
                    for one, other in zip(judged, compared, strict=True)
                )
        self.judged.append(judged)
        return found

    def flat(self, *args: Any, **settings: Any) -> FlatTable:
        """Try options like any decision, and keep the estimates."""
        table = super().flat(*args, **settings)
        self._keep(table, settings)
        return table

    def flat_halves(self, *args: Any, **settings: Any) -> tuple[FlatTable, FlatTable]:
        """Try options like any decision, and keep the estimates."""
        first, second = super().flat_halves(*args, **settings)
        self._keep(first + second, settings)
        return first, second

    def _keep(self, table: FlatTable, settings: dict[str, Any]) -> None:
        horizon = Horizon(settings.get("horizon", Horizon.DEAL))
        one_deal = horizon.one_deal(self.game.program)
        found = estimates_of_flat(table, self.seat, self.game, self.flat_reward, one_deal=one_deal)
        self.judged.append((found,))
