"""Estimates: what a player expects of each option, judged decisions, and hints."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.game.search import Horizon, SearchReward
from cardwright.players.monte_carlo import FlatReward
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game
    from cardwright.game.search import FlatTable, SearchResult, SearchTask
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat


class EstimateMeasure(StrEnum):
    """What is estimated for a seat.

    points: what its score is or changes by. margin: the same, less the mean of the other seats.
    rank: the share of the other seats that are behind. win: the share of the win, which is the
    chance of it. reward: from 0, the worst outcome met, to 1, the best.
    """

    POINTS = "points"
    MARGIN = "margin"
    RANK = "rank"
    WIN = "win"
    REWARD = "reward"


class EstimateScope(StrEnum):
    """Of what something is estimated: the deal, the match of several deals, or the game."""

    DEAL = "deal"
    MATCH = "match"
    GAME = "game"

    @classmethod
    def of(cls, game: Game, *, one_deal: bool) -> EstimateScope:
        """Return of what a game that is played out, or only to the end of a deal, is an outcome."""
        if one_deal:
            return cls.DEAL
        return cls.MATCH if game.program.has_deals else cls.GAME


_SHARES = frozenset({EstimateMeasure.RANK, EstimateMeasure.WIN, EstimateMeasure.REWARD})

_WORDS = {
    (EstimateMeasure.POINTS, EstimateScope.DEAL): "points by the end of this deal",
    (EstimateMeasure.POINTS, EstimateScope.MATCH): "score at the end of the match",
    (EstimateMeasure.POINTS, EstimateScope.GAME): "score at the end of the game",
    (
        EstimateMeasure.MARGIN,
        EstimateScope.DEAL,
    ): "points by the end of this deal against the mean of the others",
    (
        EstimateMeasure.MARGIN,
        EstimateScope.MATCH,
    ): "score at the end of the match against the mean of the others",
    (
        EstimateMeasure.MARGIN,
        EstimateScope.GAME,
    ): "score at the end of the game against the mean of the others",
    (EstimateMeasure.RANK, EstimateScope.DEAL): "share of the others who do worse in this deal",
    (EstimateMeasure.RANK, EstimateScope.MATCH): "share of the others who end behind in the match",
    (EstimateMeasure.RANK, EstimateScope.GAME): "share of the others who end behind",
    (EstimateMeasure.WIN, EstimateScope.DEAL): "chance to do best in this deal",
    (EstimateMeasure.WIN, EstimateScope.MATCH): "chance to win the match",
    (EstimateMeasure.WIN, EstimateScope.GAME): "chance to win the game",
}


@dataclass(frozen=True)
class EstimateUnit:
    """What numbers are: a measure, of what, and whether more of it is better."""

    measure: EstimateMeasure
    scope: EstimateScope
    higher_is_better: bool = True

    @property
    def words(self) -> str:
        """What the numbers are, in words: `chance to win the match`."""
        worst_to_best = f"from the worst outcome of the {self.scope} met to the best"
        return _WORDS.get((self.measure, self.scope), worst_to_best)

    @property
    def percent(self) -> bool:
        """Whether people read the numbers in percent: those from 0 to 1."""
        return self.measure in _SHARES

    def amount(self, value: float) -> str:
        """Return a number as people read it: `31 %`, `2.4`."""
        return f"{100 * value:.1f} %" if self.percent else f"{value:.1f}"

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it, with the words."""
        return {
            "measure": self.measure.value,
            "scope": self.scope.value,
            "higher_is_better": self.higher_is_better,
            "percent": self.percent,
            "words": self.words,
        }

    @classmethod
    def of_data(cls, data: Any) -> EstimateUnit:
        """Return the unit from its data; raises a Python error for anything else."""
        return cls(
            EstimateMeasure(data["measure"]),
            EstimateScope(data["scope"]),
            bool(data["higher_is_better"]),
        )


@dataclass(frozen=True)
class Estimates:
    """A player's estimate of every option, in order; None for those that it has not tried."""

    unit: EstimateUnit
    values: tuple[float | None, ...]

    def lost(self, best: int, played: int) -> float | None:
        """Return how much worse one option is than another, below 0 if better; None if unknown."""
        first, second = self.values[best], self.values[played]
        if first is None or second is None:
            return None
        return first - second if self.unit.higher_is_better else second - first

    def replaced(self, other: Estimates, options: Sequence[int]) -> Estimates:
        """Return these estimates with those of some options taken from others."""
        values = list(self.values)
        for option in options:
            values[option] = other.values[option]
        return Estimates(self.unit, tuple(values))

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {"unit": self.unit.data(), "values": list(self.values)}

    @classmethod
    def of_data(cls, data: Any) -> Estimates:
        """Return the estimates from their data; raises a Python error for anything else."""
        return cls(EstimateUnit.of_data(data["unit"]), tuple(data["values"]))


def estimates_of_search(found: SearchResult, seat: Seat, game: Game) -> tuple[Estimates, ...]:
    """Return what a search has found of each option.

    First that by which it chooses; beside a share of places or wins also the points of the deal, if
    it looks no further.
    """
    scope = EstimateScope.of(game, one_deal=found.one_deal)
    points = Estimates(
        EstimateUnit(EstimateMeasure.POINTS, scope, game.highest_wins),
        tuple(option.points for option in found.options),
    )
    if found.reward is SearchReward.SCORE:
        return (points,)
    means = tuple(option.mean(seat) if option.visits else None for option in found.options)
    if found.reward is SearchReward.MARGIN:
        return (_margin(found, means, scope, game.players),)
    measure = EstimateMeasure.RANK if found.reward is SearchReward.RANK else EstimateMeasure.WIN
    asked_scope = EstimateScope.MATCH if found.match else scope
    chosen_by = Estimates(EstimateUnit(measure, asked_scope), means)
    return (chosen_by, points) if found.one_deal else (chosen_by,)


def _margin(
    found: SearchResult, means: tuple[float | None, ...], scope: EstimateScope, players: int
) -> Estimates:
    """Return margins in points; of trees that scale differently only how good they are."""
    if found.scale is None:
        return Estimates(EstimateUnit(EstimateMeasure.REWARD, scope), means)
    (low, span), others = found.scale, max(1, players - 1)
    margins = tuple(None if mean is None else (low + mean * span) / others for mean in means)
    return Estimates(EstimateUnit(EstimateMeasure.MARGIN, scope), margins)


def estimates_of_flat(
    table: FlatTable, seat: Seat, game: Game, reward: FlatReward, *, one_deal: bool
) -> Estimates:
    """Return what rollouts have found of each option, as the player that asked for them counts."""
    scope, others = EstimateScope.of(game, one_deal=one_deal), game.players - 1
    if reward is FlatReward.WIN:
        return Estimates(EstimateUnit(EstimateMeasure.WIN, scope), table.wins(seat))
    if reward is FlatReward.RANK and others:
        ranks = table.ranks(seat)
        shares = (None if rank is None else (others - rank) / others for rank in ranks)
        return Estimates(EstimateUnit(EstimateMeasure.RANK, scope), tuple(shares))
    return Estimates(
        EstimateUnit(EstimateMeasure.POINTS, scope, game.highest_wins), table.scores(seat)
    )


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
        result = super().search(task, **settings)
        judged = estimates_of_search(result, self.seat, self.game)
        best, played = result.most_visited, self.played
        if played is not None and played != best:
            pair = replace(task, wanted=(best, played), widening=0.0)
            again = super().search(pair, **{**settings, "kept": None})
            compared = estimates_of_search(again, self.seat, self.game)
            if [estimate.unit for estimate in compared] == [estimate.unit for estimate in judged]:
                judged = tuple(
                    estimate.replaced(other, (best, played))
                    for estimate, other in zip(judged, compared, strict=True)
                )
        self.judged.append(judged)
        return result

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
        estimates = estimates_of_flat(
            table, self.seat, self.game, self.flat_reward, one_deal=one_deal
        )
        self.judged.append((estimates,))


class HintError(CardwrightError):
    """There is no hint; the message says why."""


@dataclass(frozen=True)
class Hint:
    """The option that a player advises, in words, and its estimates of the options it tried.

    `estimates` are those by which it chooses, and perhaps others beside them; there are none if the
    player has none. `tried` are the options that have some, with their words: the advised one
    first, and then the best first.
    """

    index: int
    words: str
    estimates: tuple[Estimates, ...]
    tried: tuple[tuple[int, str], ...]

    @property
    def units(self) -> tuple[EstimateUnit, ...]:
        """What the estimates are."""
        return tuple(estimate.unit for estimate in self.estimates)

    def amounts(self, option: int) -> tuple[str, ...]:
        """Return the estimates of an option as people read them; a dash for an unknown one."""
        return tuple(
            "-" if (value := estimate.values[option]) is None else estimate.unit.amount(value)
            for estimate in self.estimates
        )


def hint_of(index: int, decision: JudgedDecision, choices: Sequence[DescribedOption]) -> Hint:
    """Return the advice of a player that chose an option; that option comes first."""
    words = choices[index].words
    if not decision.estimates:
        return Hint(index, words, (), ())
    first = decision.estimates[0]
    known = [(at, value) for at, value in enumerate(first.values) if value is not None]
    sign = -1 if first.unit.higher_is_better else 1
    known.sort(key=lambda one: (one[0] != index, sign * one[1], one[0]))
    tried = tuple((at, choices[at].words) for at, _ in known)
    return Hint(index, words, decision.estimates, tried)
