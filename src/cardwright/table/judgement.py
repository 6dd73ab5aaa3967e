"""Judgements: what a player thinks of every option of a decision, in a unit that people know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.game.search import SearchReward
from cardwright.players.flat import FlatReward
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from cardwright.game.flat import FlatTable
    from cardwright.game.search import SearchResult, SearchTask
    from cardwright.players.player import Player

Unit: TypeAlias = Literal["points", "margin", "rank", "win", "reward", ""]
"""What estimates are.

points: the seat's expected score, or what it scores from now on in the deal if the player looks no
further. margin: the same, less the mean of the other seats. rank: the share of the other seats that
are behind. win: the share of the win. reward: from 0, the worst outcome met, to 1, the best.
"""


@dataclass(frozen=True)
class Judgement:
    """A player's estimate of every option, in order; None for those that it has not tried.

    More is better, except for points in a game where the lowest score wins.
    """

    estimates: tuple[float | None, ...]
    unit: Unit
    higher_is_better: bool = True

    def lost(self, best: int, played: int) -> float | None:
        """Return how much worse one option is than another, 0 if it is not; None if unknown."""
        first, second = self.estimates[best], self.estimates[played]
        if first is None or second is None:
            return None
        return max(0.0, first - second if self.higher_is_better else second - first)


@dataclass(frozen=True)
class JudgedDecision(Decision):
    """A decision that keeps what its player finds out about the options.

    A search tries bad options rarely, or not at all. If one has been `played` that the search would
    not play, both are compared by another search of these two.
    """

    played: int | None = field(default=None, repr=False, compare=False)
    flat_reward: FlatReward = field(default=FlatReward.SCORE, repr=False, compare=False)
    judged: list[Judgement] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def by(cls, player: Player, decision: Decision, played: int | None = None) -> JudgedDecision:
        """Return a decision for a player to judge."""
        reward = getattr(player, "reward", None)
        return cls(
            decision.seat, decision.option_count, decision.stream, decision._state, decision._made,
            played=played,
            flat_reward=reward if isinstance(reward, FlatReward) else FlatReward.SCORE,
        )  # fmt: skip

    def search(self, task: SearchTask, **settings: Any) -> SearchResult:
        """Search like any decision, and keep the estimates."""
        found = super().search(task, **settings)
        judged = self._of_search(found, task.reward)
        best, played = found.most_visited, self.played
        if played is not None and played != best:
            pair = replace(task, wanted=(best, played), widening=0.0)
            compared = self._of_search(
                super().search(pair, **{**settings, "kept": None}), pair.reward
            )
            if compared.unit == judged.unit:
                estimates = list(judged.estimates)
                for option in (best, played):
                    estimates[option] = compared.estimates[option]
                judged = replace(judged, estimates=tuple(estimates))
        self.judged.append(judged)
        return found

    def _of_search(self, found: SearchResult, reward: SearchReward) -> Judgement:
        means = [one.mean(self.seat) if one.visits else None for one in found.options]
        if reward is SearchReward.RANK or reward is SearchReward.WIN:
            return Judgement(tuple(means), "rank" if reward is SearchReward.RANK else "win")
        if found.scale is None:
            return Judgement(tuple(means), "reward")
        low, span = found.scale
        points = [None if mean is None else low + mean * span for mean in means]
        if reward is SearchReward.MARGIN:
            others = max(1, self.game.players - 1)
            return Judgement(tuple(p if p is None else p / others for p in points), "margin")
        sign = 1 if self.game.highest_wins else -1
        scores = tuple(p if p is None else sign * p for p in points)
        return Judgement(scores, "points", self.game.highest_wins)

    def flat(self, *args: Any, **settings: Any) -> FlatTable:
        """Try options like any decision, and keep the estimates."""
        table = super().flat(*args, **settings)
        others = self.game.players - 1
        if self.flat_reward is FlatReward.WIN:
            judged = Judgement(table.wins(self.seat), "win")
        elif self.flat_reward is FlatReward.RANK and others:
            ranks = table.ranks(self.seat)
            shares = (None if rank is None else (others - rank) / others for rank in ranks)
            judged = Judgement(tuple(shares), "rank")
        else:
            judged = Judgement(table.scores(self.seat), "points", self.game.highest_wins)
        self.judged.append(judged)
        return table
