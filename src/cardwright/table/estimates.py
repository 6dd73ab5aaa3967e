"""Estimates: what a player expects of each option, judged decisions, and hints."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import stdev
from typing import TYPE_CHECKING, Any

from cardwright.english import counted, listed, plural
from cardwright.game.errors import CardwrightError
from cardwright.game.search import Horizon, SearchReward
from cardwright.players.monte_carlo import FlatReward
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


_POINT = "point"
"""What scores count where the words of the game do not say."""

_SHARES = frozenset({EstimateMeasure.RANK, EstimateMeasure.WIN, EstimateMeasure.REWARD})

_WORDS = {
    (EstimateMeasure.POINTS, EstimateScope.DEAL): "{} by the end of this deal",
    (EstimateMeasure.POINTS, EstimateScope.MATCH): "score at the end of the match",
    (EstimateMeasure.POINTS, EstimateScope.GAME): "score at the end of the game",
    (
        EstimateMeasure.MARGIN,
        EstimateScope.DEAL,
    ): "{} by the end of this deal against the mean of the others",
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
    """What numbers are: a measure, of what, and whether more of it is better.

    `noun` is what scores of the game count, in the singular.
    """

    measure: EstimateMeasure
    scope: EstimateScope
    higher_is_better: bool = True
    noun: str = _POINT

    @property
    def words(self) -> str:
        """What the numbers are, in words: `chance to win the match`."""
        worst_to_best = f"from the worst outcome of the {self.scope} met to the best"
        return _WORDS.get((self.measure, self.scope), worst_to_best).format(plural(self.noun))

    @property
    def percent(self) -> bool:
        """Whether people read the numbers in percent: those from 0 to 1."""
        return self.measure in _SHARES

    def amount(self, value: float, error: float | None = None) -> str:
        """Return a number as people read it: `31.0 %`, `2.4`, `2.4 ± 0.3`."""
        numbers = [value] if error is None else [value, error]
        told = " ± ".join(f"{100 * one if self.percent else one:.1f}" for one in numbers)
        return f"{told} %" if self.percent else told

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it, with the words."""
        return {
            "measure": self.measure.value,
            "scope": self.scope.value,
            "higher_is_better": self.higher_is_better,
            "percent": self.percent,
            "noun": self.noun,
            "words": self.words,
        }

    @classmethod
    def of_data(cls, data: Any) -> EstimateUnit:
        """Return the unit from its data; raises a Python error for anything else."""
        return cls(
            EstimateMeasure(data["measure"]),
            EstimateScope(data["scope"]),
            bool(data["higher_is_better"]),
            str(data["noun"]),
        )


@dataclass(frozen=True)
class Estimates:
    """A player's estimate of every option, in order; None for those that it has not tried.

    It is by chance: with about 95 % of draws a value would be within its `errors`, and how much
    worse an option is than the chosen one within its `gaps`. They are None where that is unknown.
    """

    unit: EstimateUnit
    values: tuple[float | None, ...]
    errors: tuple[float | None, ...] = ()
    gaps: tuple[float | None, ...] = ()

    def __post_init__(self) -> None:
        unknown = (None,) * len(self.values)
        object.__setattr__(self, "errors", self.errors or unknown)
        object.__setattr__(self, "gaps", self.gaps or unknown)

    def told(self, option: int) -> str:
        """Return the estimate of an option as people read it; a dash for an unknown one."""
        value = self.values[option]
        return "-" if value is None else self.unit.amount(value, self.errors[option])

    def rivals(self, best: int) -> tuple[int, ...]:
        """Return the options that may be as good as the chosen one, for all that is known."""
        found = []
        for option, gap in enumerate(self.gaps):
            lost = self.lost(best, option)
            if option != best and lost is not None and (gap is None or lost <= gap):
                found.append(option)
        return tuple(found)

    def sampled(self, best: int, parts: Sequence[Estimates]) -> Estimates:
        """Return these with errors, from estimates by independent parts of as many draws in all."""
        values = [[part.values[option] for part in parts] for option in range(len(self.values))]
        lost = [[part.lost(best, option) for part in parts] for option in range(len(self.values))]
        return replace(self, errors=tuple(map(_error, values)), gaps=tuple(map(_error, lost)))

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
        return replace(self, values=tuple(values))

    def data(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        return {
            "unit": self.unit.data(),
            "values": list(self.values),
            "errors": list(self.errors),
            "gaps": list(self.gaps),
        }

    @classmethod
    def of_data(cls, data: Any) -> Estimates:
        """Return the estimates from their data; raises a Python error for anything else."""
        unit = EstimateUnit.of_data(data["unit"])
        return cls(unit, *(tuple(data[name]) for name in ("values", "errors", "gaps")))


PARTS = 8
"""Into how many independent parts draws are shared out, to see how much estimates differ."""

_T = 2.365
"""Student's t with seven degrees of freedom is within this in 95 % of cases."""


def _error(values: Sequence[float | None]) -> float | None:
    """Return half the width of the interval for the mean of parts; None unless all are known."""
    known = [value for value in values if value is not None]
    if len(known) < PARTS:
        return None
    return _T * stdev(known) / math.sqrt(PARTS)


def _unit_of(measure: EstimateMeasure, scope: EstimateScope, game: Game) -> EstimateUnit:
    """Return a unit of a game; what people win or are ahead by is better the more it is."""
    better = game.highest_wins or measure is not EstimateMeasure.POINTS
    return EstimateUnit(measure, scope, better, game.words.unit or _POINT)


def estimates_of_search(found: SearchResult, seat: Seat, game: Game) -> tuple[Estimates, ...]:
    """Return what a search has found of each option.

    First that by which it chooses; beside a share of places or wins also the points.
    """
    scope = EstimateScope.of(game, one_deal=found.one_deal)
    points = Estimates(
        _unit_of(EstimateMeasure.POINTS, scope, game),
        tuple(option.points for option in found.options),
    )
    if found.reward is SearchReward.SCORE:
        return (points,)
    means = tuple(option.mean(seat) if option.visits else None for option in found.options)
    if found.reward is SearchReward.MARGIN:
        return (_margin(found, means, scope, game),)
    measure = EstimateMeasure.RANK if found.reward is SearchReward.RANK else EstimateMeasure.WIN
    asked_scope = EstimateScope.MATCH if found.match else scope
    return Estimates(_unit_of(measure, asked_scope, game), means), points


def _margin(
    found: SearchResult, means: tuple[float | None, ...], scope: EstimateScope, game: Game
) -> Estimates:
    """Return margins in points; of trees that scale differently only how good they are."""
    if found.scale is None:
        return Estimates(_unit_of(EstimateMeasure.REWARD, scope, game), means)
    (low, span), others = found.scale, max(1, game.players - 1)
    margins = tuple(None if mean is None else (low + mean * span) / others for mean in means)
    return Estimates(_unit_of(EstimateMeasure.MARGIN, scope, game), margins)


def estimates_of_flat(
    table: FlatTable, seat: Seat, game: Game, reward: FlatReward, *, one_deal: bool
) -> tuple[Estimates, ...]:
    """Return what rollouts have found of each option, as the player that asked for them counts."""
    scope, others = EstimateScope.of(game, one_deal=one_deal), game.players - 1
    points = Estimates(_unit_of(EstimateMeasure.POINTS, scope, game), table.scores(seat))
    if reward is FlatReward.WIN:
        return Estimates(_unit_of(EstimateMeasure.WIN, scope, game), table.wins(seat)), points
    if reward is FlatReward.RANK and others:
        ranks = table.ranks(seat)
        shares = (None if rank is None else (others - rank) / others for rank in ranks)
        return Estimates(_unit_of(EstimateMeasure.RANK, scope, game), tuple(shares)), points
    return (points,)


@dataclass(frozen=True)
class JudgedDecision(Decision):
    """A decision that keeps what its player finds out about the options.

    A search tries bad options rarely, or not at all. If one has been `played` that the search would
    not play, both are compared by another search of these two. `judged` has the estimates of each
    time that options were tried: first those by which the player chooses. `parts` are those of the
    last time by independent parts of as many draws, from a copy of the stream.
    """

    played: int | None = field(default=None, repr=False, compare=False)
    flat_reward: FlatReward = field(default=FlatReward.SCORE, repr=False, compare=False)
    judged: list[tuple[Estimates, ...]] = field(default_factory=list, repr=False, compare=False)
    parts: list[tuple[Estimates, ...]] = field(default_factory=list, repr=False, compare=False)

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

    def sampled(self, choice: int) -> tuple[Estimates, ...]:
        """Return the estimates with their errors, and how sure it is that others are worse."""
        alike = [
            part for part in self.parts
            if [one.unit for one in part] == [one.unit for one in self.estimates]
        ]  # fmt: skip
        if len(alike) < PARTS:
            return self.estimates
        columns = zip(*alike, strict=True)
        return tuple(
            one.sampled(choice, column) for one, column in zip(self.estimates, columns, strict=True)
        )

    def search(self, task: SearchTask, **settings: Any) -> SearchResult:
        """Search like any decision, and keep the estimates."""
        result = super().search(task, **settings)
        settings = {**settings, "kept": None}
        judged = estimates_of_search(result, self.seat, self.game)
        best, played = result.most_visited, self.played
        if played is not None and played != best:
            task = replace(task, wanted=(best, played), widening=0.0)
            again = super().search(task, **settings)
            compared = estimates_of_search(again, self.seat, self.game)
            if [estimate.unit for estimate in compared] == [estimate.unit for estimate in judged]:
                judged = tuple(
                    estimate.replaced(other, (best, played))
                    for estimate, other in zip(judged, compared, strict=True)
                )
        self.judged.append(judged)
        self.parts.clear()
        state, stream, part = self._due(), self.stream.copy(), _part(task)
        for _ in range(PARTS):
            found = state.search(stream, part, **settings)
            self.parts.append(estimates_of_search(found, self.seat, self.game))
        return result

    def flat(self, *args: Any, **settings: Any) -> FlatTable:
        """Try options like any decision, and keep the estimates."""
        table = super().flat(*args, **settings)
        self._keep(table, args, settings)
        return table

    def flat_halves(self, *args: Any, **settings: Any) -> tuple[FlatTable, FlatTable]:
        """Try options like any decision, and keep the estimates."""
        first, second = super().flat_halves(*args, **settings)
        self._keep(first + second, args, settings)
        return first, second

    def _keep(self, table: FlatTable, args: tuple[int, ...], settings: dict[str, Any]) -> None:
        self.judged.append(self._of_flat(table, settings))
        self.parts.clear()
        state, stream, (deals, *rest) = self._due(), self.stream.copy(), args
        for _ in range(PARTS):
            found = state.flat(self.seat, stream, max(1, deals // PARTS), *rest, **settings)
            self.parts.append(self._of_flat(found, settings))

    def _of_flat(self, table: FlatTable, settings: dict[str, Any]) -> tuple[Estimates, ...]:
        horizon = Horizon(settings.get("horizon", Horizon.DEAL))
        one_deal = horizon.one_deal(self.game.program)
        return estimates_of_flat(table, self.seat, self.game, self.flat_reward, one_deal=one_deal)


def _part(task: SearchTask) -> SearchTask:
    """Return a search of as many draws as a part has."""
    if task.trees > 1:
        return replace(task, trees=max(1, task.trees // PARTS))
    limit = task.milliseconds and max(1, task.milliseconds // PARTS)
    return replace(task, iterations=max(1, task.iterations // PARTS), milliseconds=limit)


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
        return tuple(estimate.told(option) for estimate in self.estimates)

    @property
    def sureness(self) -> str:
        """How sure the advice is, as a sentence; nothing if that is unknown."""
        return sureness(self.estimates, self.index, dict(self.tried))


def hint_of(index: int, decision: JudgedDecision, choices: Sequence[DescribedOption]) -> Hint:
    """Return the advice of a player that chose an option; that option comes first."""
    words, estimates = choices[index].words, decision.sampled(index)
    if not estimates:
        return Hint(index, words, (), ())
    first = estimates[0]
    known = [(at, value) for at, value in enumerate(first.values) if value is not None]
    sign = -1 if first.unit.higher_is_better else 1
    known.sort(key=lambda one: (one[0] != index, sign * one[1], one[0]))
    tried = tuple((at, choices[at].words) for at, _ in known)
    return Hint(index, words, estimates, tried)


_FEW = 2


def sureness(estimates: Sequence[Estimates], best: int, words: Mapping[int, str]) -> str:
    """Return how sure it is that an option is the best one, by what its player chooses by.

    `words` are those of options; nothing is returned where errors are unknown.
    """
    if not estimates or all(gap is None for gap in estimates[0].gaps):
        return ""
    rivals = estimates[0].rivals(best)
    if not rivals:
        return "That is clearly the best."
    if len(rivals) > _FEW:
        return f"{counted(len(rivals), 'other choice')} may be as good."
    return f"It may be as good {listed([f'to {words[one]}' for one in rivals], 'or')}."
