"""The table of measures: what each is, its formula, its unit, and what a high value means.

Everything that says something of games in numbers reads this table: the rows of a table of
results, reports, comparisons, figures and the aims of a design search. The families are the
`shape` of games, the six measures of CardStock's `articles` (M. Goadrich and others,
https://cardstock.wordpress.com), what CardStock's program computes, its `engine`
(https://github.com/mgoadric/cardstock), and Browne's measures ("Automatic generation and
evaluation of recombination games", thesis, 2008), adapted to games of several players.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.analysis import formulas as f
from cardwright.statistics.ties import ties_in_short
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from cardwright.analysis.formulas import Bounds, Image, Terms, Value
    from cardwright.statistics.ties import Ties

Batch: TypeAlias = Literal["RR", "AR", "AA"]
"""Which players: all random; one that thinks, in the first seat, among random ones; all think."""

Method: TypeAlias = Literal["", "agresti-coull", "student", "constant"]
"""How an interval was made. Empty means that there is none, and `constant` that there is none
because all deals are equal, which says nothing about a mean without bounds."""

Groups: TypeAlias = "tuple[tuple[Batch, ...], ...]"

SIGNS = 6
"""The fewest values of one sign with which a sign test is significant (p of 2 / 2^6)."""

_RR: Groups = (("RR",),)
_AR: Groups = (("AR",),)
_AA: Groups = (("AA",),)
_EACH: Groups = (("RR",), ("AR",), ("AA",))
_THINKING: Groups = (("AA",), ("AR",), ("AA", "AR"))
"""Groups for what thinking players tell: all thinking, one thinking, and both pooled."""


@dataclass(frozen=True)
class InnerMean:
    """A mean of which a measure is a non-monotonic function, and how that maps intervals.

    At the turning point the measure itself has no useful standard error.
    """

    value: Value
    image: Image


@dataclass(frozen=True)
class Measure:
    """A measure: what it is, how it is computed, and from which groups of batches.

    `definition` says what it is, `unit` in what its values are, `high` what a high value means, and
    `published` what the published definition has otherwise. Each of `groups` gives a value of its
    own, from the sums over its batches together. `noted` says that the decisions must be in the
    records. The measure needs at least this many `seats`: most compare seats, and say nothing about
    a single one. `bounds` are those of the value, or of the `inner` mean of which it is a function;
    None for a mean without any. `by_ties` says that it counts shared wins as the rules say.
    """

    family: str
    name: str
    definition: str
    terms: Terms
    value: Value = f.ratio
    groups: Groups = _AA
    unit: str = ""
    high: str = ""
    published: str = ""
    noted: bool = True
    seats: int = 2
    bounds: Bounds | None = f.unit
    inner: InnerMean | None = None
    by_ties: bool = False

    @property
    def key(self) -> str:
        """Family and name, such as `articles order`."""
        return f"{self.family} {self.name}"


def _signed(_: int) -> tuple[float, float]:
    return -1.0, 1.0


def _shape(name: str, definition: str, terms: Terms, unit: str, high: str = "") -> Measure:
    return Measure("shape", name, definition, terms, groups=_EACH, unit=unit, high=high)


MEASURES: dict[str, Measure] = {
    one.key: one
    for one in (
        # The shape of games: these need no notes from players and can be taken from any batch.
        Measure("shape", "decisions", "decisions a game",
                lambda games, _: f.mean_terms(games.lengths), groups=_EACH, noted=False, seats=1,
                unit="decisions", bounds=None),
        Measure("shape", "branching", "options a decision",
                lambda games, _: f.pooled_terms(games, games.noted.game, games.noted.options),
                groups=_EACH, seats=1, unit="options", bounds=None),
        Measure("shape", "forced", "decisions with one option",
                lambda games, _: f.pooled_terms(games, games.noted.game, games.noted.options == 1),
                groups=_EACH, seats=1, unit="%"),
        Measure("shape", "first_seat_wins", "games that the first seat wins, ties in full",
                f.full_wins, groups=_EACH, noted=False, unit="%"),
        Measure("shape", "first_seat_wins_shared", "wins of the first seat, ties shared",
                f.shared_wins, groups=_EACH, noted=False, unit="%"),
        Measure("shape", "first_seat_score", "mean score of the first seat",
                lambda games, _: f.mean_terms(games.scores[:, 0]), groups=_EACH, noted=False,
                seats=1, unit="points", bounds=None),
        Measure("shape", "first_seat_nonloss", "games in which its rank is not the worst of any",
                f.rank_terms, f.nonloss, _EACH, noted=False, unit="%"),
        Measure("shape", "shared_wins", "games with ties for first",
                lambda games, _: f.mean_terms((games.ranks == 0).sum(axis=1) > 1),
                groups=_EACH, noted=False, unit="%"),
        # The articles. Where a measure is given for `AA` and `AR` together, that is their number:
        # the program appends the spreads of both batches to one list.
        Measure("articles", "order", "(w − 1/P) / (1 − 1/P) of the wins w of P seats",
                f.first_seat_wins, f.order_value, _AR, noted=False, by_ties=True,
                bounds=lambda players: (f.order(0.0, players), 1.0), high="thinking pays",
                published="ties count in full, so that random players that tie are above 0"),
        Measure("articles", "fairness", "P w up to w = 1/P, then (1 − w) P / (P − 1)",
                f.first_seat_wins, f.fairness_value, _RR, noted=False, by_ties=True,
                inner=InnerMean(f.ratio, f.fairness_over), high="the first seat wins its share",
                published="ties count in full, so that they make a fair game look unfair"),
        Measure("articles", "convergence", "1 − (slope / 2 + 1/2) of the options by decision",
                lambda games, _: f.mean_terms(f.convergence(f.slopes(games))), groups=_EACH,
                seats=1, bounds=None,
                high="above 0.5 choices become fewer"),
        Measure("articles", "spread", "best minus worst estimated place", f.spread_terms,
                groups=_THINKING, seats=1, high="decisions matter",
                published="pooled over both batches, so that random opponents have a part in it"),
        Measure("articles", "held_out_spread",
                "spread without the noise of rollouts: no more than it is",
                f.noted_terms("held_out_spread"), groups=_THINKING, seats=1, bounds=_signed,
                high="decisions matter"),
        Measure("articles", "score_spread", "spread of estimated scores, in points",
                f.noted_terms("score_spread"), groups=_THINKING, seats=1, unit="points",
                bounds=None, high="decisions matter"),
        Measure("articles", "drama", "mean of √(θ − lead) where the winner's lead is below θ",
                f.drama_terms, bounds=lambda players: (0.0, sqrt(f.threshold(players))),
                high="winners were far behind",
                published="the winner is who leads in the last lead vector"),
        Measure("articles", "security", "decisions at which the winner is not behind",
                f.security_terms, f.rest, high="winners were seldom behind",
                published="the winner is who leads in the last lead vector"),
        Measure("articles", "behind", "θ − lead at decisions at which the winner is behind",
                lambda games, rules: np.stack(f.trailing(games, rules)[1::-1], axis=1),
                bounds=lambda players: (0.0, f.threshold(players)),
                high="winners were far behind"),
        # CardStock's program: its definitions differ from the articles', and NaN becomes 0.
        Measure("engine", "fairness", "of wins shared as 1/k, but a whole one if all seats tie",
                f.engine_fairness_terms, f.zero_for_nan(f.fairness_value), _RR, noted=False,
                inner=InnerMean(f.ratio, f.fairness_over), high="the first seat wins its share"),
        Measure("engine", "meaningful_moves", "mean spread", f.spread_terms,
                f.zero_for_nan(f.ratio), (("AA", "AR"), ("AA",)), high="decisions matter"),
        Measure("engine", "drama", "mean of √(0.5 − x) of winners' own estimates x below 0.5",
                f.engine_drama_terms, f.zero_for_nan(f.ratio),
                bounds=lambda _: (0.0, sqrt(f.BEHIND)), high="winners were far behind"),
        Measure("engine", "decisiveness",
                "1 − what is left of the winner's decisions from its first estimate above 0.8",
                f.engine_decisiveness_terms, f.zero_for_nan(f.rest), high="games are decided late"),
        Measure("engine", "coolness", "1 − own estimates lower than the one before", f.fall_terms,
                f.zero_for_nan(f.rest), high="estimates do not fall"),
        # Browne's; the winner is that of the result, the first seat of those that tie.
        Measure("browne", "drama", "√(leader's lead − own) where the winner decides and trails",
                f.browne_drama_terms, high="winners were far behind"),
        Measure("browne", "decisiveness", "what is left once the winner stays sure to win",
                f.browne_decisiveness_terms, high="games are decided early"),
        Measure("browne", "clarity", "(best - average) / spread", f.clarity_terms,
                groups=_THINKING, high="the best option stands out"),
        Measure("browne", "uncertainty", "1 minus the distance between the two best estimates",
                f.uncertainty_terms, high="it is open who wins"),
        Measure("browne", "lead_change", "steps at which none of the leaders still leads",
                f.lead_change_terms, high="the lead changes often"),
        Measure("browne", "permanence", "steps of own estimates that the next does not take back",
                f.permanence_terms, high="what is gained stays"),
        Measure("browne", "killer_moves", "the largest step of any seat's estimate in a game",
                f.killer_terms, high="single decisions change much"),
        Measure("browne", "coolness", "own estimates lower than the one before", f.fall_terms,
                high="even the best option did harm"),
    )
}  # fmt: skip
"""All measures by their keys, in the order of a table of results."""


@dataclass(frozen=True)
class HeuristicRow:
    """The result of a measure: a line of a table, for a batch or for several pooled (`AA+AR`).

    `value` is NaN where it is unknown, and so are the ends of a missing interval; `note` says why,
    or what the number means. `games` is how many games it was taken from, `deals` how many deals
    contribute to it, and `method` how its interval was made.
    """

    family: str
    name: str
    batch: str
    value: float
    low: float = math.nan
    high: float = math.nan
    games: int = 0
    note: str = ""
    deals: int = 0
    method: Method = ""

    @property
    def measure(self) -> Measure:
        """What it is a result of: with its definition, its unit, and what a high value means."""
        return MEASURES[f"{self.family} {self.name}"]

    @property
    def constant(self) -> bool:
        """Whether it is the same in all deals, and has no interval for that reason."""
        return self.method == "constant"

    def side(self, middle: float, signs: int = SIGNS) -> int:
        """Return on which side of a number this clearly lies: 1 above, -1 below, 0 if neither.

        The whole interval lies there; or it is the same in so many deals, `signs`, that a sign test
        is significant.
        """
        if self.constant and self.deals >= signs and abs(self.value - middle) > 1e-9:
            return 1 if self.value > middle else -1
        return int(self.low > middle) - int(self.high < middle)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; what has no value is null."""
        lost = {key for key in ("value", "low", "high") if math.isnan(getattr(self, key))}
        return {**asdict(self), **dict.fromkeys(lost)}


@dataclass(frozen=True)
class NamedMeasure:
    """A measure of a batch, with its name in reports, its definition, and how it is written.

    `digits` are those after the point; shares are written in per cent if `share`. Where shared wins
    count, `meaning` has `{ties}` for how they do, and `in_full` is the name of the line in which
    they count in full, if `name` is that of another one.
    """

    key: str
    family: str
    name: str
    batch: str
    label: str
    meaning: str
    digits: int = 2
    in_full: str = ""

    @property
    def measure(self) -> Measure:
        """What it is: with its formula, its unit, and what a high value means."""
        return MEASURES[f"{self.family} {self.name}"]

    @property
    def share(self) -> bool:
        """Whether its values are written in per cent."""
        return self.measure.unit == "%"

    def counting(self, ties: Ties) -> NamedMeasure:
        """Return this measure as it is where shared wins count in this way."""
        name = self.in_full if self.in_full and ties == "full" else self.name
        return replace(self, name=name, meaning=self.meaning.format(ties=ties_in_short(ties)))

    def text(self, value: float) -> str:
        """Return a value of this measure as text."""
        return f"{100 * value:.1f} %" if self.share else f"{value:,.{self.digits}f}"

    def side(self, row: HeuristicRow, middle: float) -> int:
        """Return on which side of a number a line of this measure lies, as `HeuristicRow.side`.

        It is on neither if the number is in the interval as that is printed.
        """
        if row.constant:
            return row.side(middle)
        scale, digits = (100, 1) if self.share else (1, self.digits)
        low, at, high = (round(scale * one, digits) for one in (row.low, middle, row.high))
        return int(low > at) - int(high < at)


SIX = (
    NamedMeasure("order", "articles", "order", "AR", "Order",
          "How much better than chance one thinking player, in the first seat, does among random "
          "ones: (w − 1/P) / (1 − 1/P), where w is the share of games it wins, {ties}, "
          "and P the number of seats. 0 is no better than chance, 1 is always."),
    NamedMeasure("fairness", "articles", "fairness", "RR", "Fairness",
          "Whether the first seat wins its share if all choose at random, {ties}: 1 if it "
          "wins one game in P, falling to 0 for never and for always."),
    NamedMeasure("convergence", "articles", "convergence", "RR", "Convergence",
          "Whether choices become fewer: 1 − (s/2 + 1/2), where s is the slope of a straight line "
          "through the options of a game by decision, averaged over random games. Above 0.5 they "
          "become fewer, below 0.5 more.", 3),
    NamedMeasure("spread", "articles", "spread", "AA+AR", "Spread",
          "How much a decision matters: the estimated place of its best option minus that of its "
          "worst, on a scale from 0 (last) to 1 (first), averaged over all decisions of thinking "
          "players. Few rollouts make it too large; articles held_out_spread is free of that, and "
          "if anything too small.", 3),
    NamedMeasure("drama", "articles", "drama", "AA", "Drama",
          "How far behind winners were on the way: the mean of √(θ − lead) over the decisions at "
          "which the lead of the later winner is below θ, as a mean over games."),
    NamedMeasure("security", "articles", "security", "AA", "Security",
          "The share of decisions at which the later winner was not behind, as a mean over games."),
)  # fmt: skip
"""The six measures of CardStock's articles."""

MORE = (
    NamedMeasure("decisions", "shape", "decisions", "RR", "Decisions",
          "Decisions a game, all seats together.", 1),
    NamedMeasure("branching", "shape", "branching", "RR", "Branching", "Options a decision."),
    NamedMeasure("forced", "shape", "forced", "RR", "Forced",
          "Share of decisions with one option."),
    NamedMeasure("ties", "shape", "shared_wins", "RR", "Ties",
          "Share of games with a tie for first."),
    NamedMeasure("score", "shape", "first_seat_score", "RR", "Score",
          "Mean score of the first seat."),
    NamedMeasure("wins", "shape", "first_seat_wins_shared", "RR", "First seat wins",
          "Share of wins of the first seat, {ties}.", in_full="first_seat_wins"),
)  # fmt: skip
"""What random games are like."""

THINKING = (
    NamedMeasure("ai-wins", "shape", "first_seat_wins_shared", "AR", "Thinker wins",
          "Share of wins of one player that thinks, in the first seat, among random ones, {ties}.",
          in_full="first_seat_wins"),
    NamedMeasure("ai-score", "shape", "first_seat_score", "AR", "Thinker’s score",
          "Mean score of one player that thinks, in the first seat, among random ones."),
    NamedMeasure("ai-decisions", "shape", "decisions", "AA", "Decisions, thinking",
          "Decisions a game if all think.", 1),
    NamedMeasure("ai-branching", "shape", "branching", "AA", "Branching, thinking",
          "Options a decision if all think."),
    NamedMeasure("decisiveness", "browne", "decisiveness", "AA", "Decisiveness",
          "Share of a game that is left once the winner stays sure to win."),
    NamedMeasure("lead-change", "browne", "lead_change", "AA", "Lead change",
          "Share of steps, from one decision to the next, at which the lead changes hands."),
    NamedMeasure("uncertainty", "browne", "uncertainty", "AA", "Uncertainty",
          "1 minus the distance between the two best estimates, averaged over games."),
)  # fmt: skip
"""What games of thinking players are like."""

NAMED = {one.key: one for one in (*SIX, *MORE, *THINKING)}
"""All of them by their keys."""


def named_measure(key: str) -> NamedMeasure:
    """Return a measure by its key; raises AnalysisError if there is none."""
    if key not in NAMED:
        advice = advice_on(key, NAMED)
        raise AnalysisError(f"{key!r} is no measure; {advice}")
    return NAMED[key]
