"""What is computed from records of games: a formula for each measure, and its results."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.analysis import formulas as f
from cardwright.analysis.errors import AnalysisError
from cardwright.statistics.measures import MEASURES
from cardwright.statistics.ties import ties_in_short
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from cardwright.analysis.formulas import Bounds, Image, Terms, Value
    from cardwright.statistics.measures import Measure
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
class Formula:
    """What computes the measure of a key, and from which groups of batches.

    Each of `groups` gives a value of its own, from the sums over its batches together. `noted` says
    that the decisions must be in the records. It needs at least this many `seats`: most compare
    seats, and say nothing about a single one. `bounds` are those of the value, or of the `inner`
    mean of which it is a function; None for a mean without any. `by_ties` says that it counts
    shared wins as the rules say.
    """

    key: str
    terms: Terms
    value: Value = f.ratio
    groups: Groups = _AA
    noted: bool = True
    seats: int = 2
    bounds: Bounds | None = f.unit
    inner: InnerMean | None = None
    by_ties: bool = False


def _signed(_: int) -> tuple[float, float]:
    return -1.0, 1.0


FORMULAS: dict[str, Formula] = {
    one.key: one
    for one in (
        # These need no notes from players and can be taken from any batch.
        Formula("shape decisions", lambda games, _: f.mean_terms(games.lengths),
                groups=_EACH, noted=False, seats=1, bounds=None),
        Formula("shape branching",
                lambda games, _: f.pooled_terms(games, games.noted.game, games.noted.options),
                groups=_EACH, seats=1, bounds=None),
        Formula("shape forced",
                lambda games, _: f.pooled_terms(games, games.noted.game, games.noted.options == 1),
                groups=_EACH, seats=1),
        Formula("shape first_seat_wins", f.full_wins, groups=_EACH, noted=False),
        Formula("shape first_seat_wins_shared", f.shared_wins, groups=_EACH, noted=False),
        Formula("shape first_seat_score", lambda games, _: f.mean_terms(games.scores[:, 0]),
                groups=_EACH, noted=False, seats=1, bounds=None),
        Formula("shape first_seat_nonloss", f.rank_terms, f.nonloss, _EACH, noted=False),
        Formula("shape shared_wins",
                lambda games, _: f.mean_terms((games.ranks == 0).sum(axis=1) > 1),
                groups=_EACH, noted=False),
        Formula("articles order", f.first_seat_wins, f.order_value, _AR, noted=False, by_ties=True,
                bounds=lambda players: (f.order(0.0, players), 1.0)),
        Formula("articles fairness", f.first_seat_wins, f.fairness_value, _RR, noted=False,
                by_ties=True, inner=InnerMean(f.ratio, f.fairness_over)),
        Formula("articles convergence",
                lambda games, _: f.mean_terms(f.convergence(f.slopes(games))),
                groups=_EACH, seats=1, bounds=None),
        Formula("articles spread", f.spread_terms, groups=_THINKING, seats=1),
        Formula("articles held_out_spread", f.noted_terms("held_out_spread"), groups=_THINKING,
                seats=1, bounds=_signed),
        Formula("articles score_spread", f.noted_terms("score_spread"), groups=_THINKING, seats=1,
                bounds=None),
        Formula("articles drama", f.drama_terms,
                bounds=lambda players: (0.0, sqrt(f.threshold(players)))),
        Formula("articles security", f.security_terms, f.rest),
        Formula("articles behind",
                lambda games, rules: np.stack(f.trailing(games, rules)[1::-1], axis=1),
                bounds=lambda players: (0.0, f.threshold(players))),
        Formula("engine fairness", f.engine_fairness_terms, f.zero_for_nan(f.fairness_value), _RR,
                noted=False, inner=InnerMean(f.ratio, f.fairness_over)),
        Formula("engine meaningful_moves", f.spread_terms, f.zero_for_nan(f.ratio),
                (("AA", "AR"), ("AA",))),
        Formula("engine drama", f.engine_drama_terms, f.zero_for_nan(f.ratio),
                bounds=lambda _: (0.0, sqrt(f.BEHIND))),
        Formula("engine decisiveness", f.engine_decisiveness_terms, f.zero_for_nan(f.rest)),
        Formula("engine coolness", f.fall_terms, f.zero_for_nan(f.rest)),
        Formula("browne drama", f.browne_drama_terms),
        Formula("browne decisiveness", f.browne_decisiveness_terms),
        Formula("browne clarity", f.clarity_terms, groups=_THINKING),
        Formula("browne uncertainty", f.uncertainty_terms),
        Formula("browne lead_change", f.lead_change_terms),
        Formula("browne permanence", f.permanence_terms),
        Formula("browne killer_moves", f.killer_terms),
        Formula("browne coolness", f.fall_terms),
    )
}  # fmt: skip
"""What can be computed from records of games, by keys, in the order of a table of results."""


@dataclass(frozen=True)
class MeasureResult:
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

    def printed_side(self, middle: float) -> int:
        """Return the same, but neither if the number is in the interval as that is printed."""
        if self.constant:
            return self.side(middle)
        scale, digits = (100, 1) if self.measure.share else (1, self.measure.digits)
        low, at, high = (round(scale * end, digits) for end in (self.low, middle, self.high))
        return int(low > at) - int(high < at)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; what has no value is null."""
        lost = {key for key in ("value", "low", "high") if math.isnan(getattr(self, key))}
        return {**asdict(self), **dict.fromkeys(lost)}


@dataclass(frozen=True)
class NamedMeasure:
    """A measure of a batch, as reports show it: by a name and in words of its own.

    Where shared wins count, `about` has `{ties}` for how they do, and `in_full` is the measure in
    which they count in full, if `measure` is that of another one.
    """

    key: str
    measure: Measure
    batch: str
    label: str
    about: str
    in_full: Measure | None = None

    def counting(self, ties: Ties) -> NamedMeasure:
        """Return this measure as it is where shared wins count in this way."""
        measure = self.in_full if self.in_full and ties == "full" else self.measure
        return replace(self, measure=measure, about=self.about.format(ties=ties_in_short(ties)))


def _named(key: str, name: str, batch: str, label: str = "", about: str = "") -> NamedMeasure:
    measure = MEASURES[name]
    in_full = MEASURES.get(name.removesuffix("_shared"))
    return NamedMeasure(
        key, measure, batch, label or measure.label, about or measure.sentence, in_full
    )


SIX = (
    _named("order", "articles order", "AR"),
    _named("fairness", "articles fairness", "RR"),
    _named("convergence", "articles convergence", "RR"),
    _named("spread", "articles spread", "AA+AR"),
    _named("drama", "articles drama", "AA"),
    _named("security", "articles security", "AA"),
)
"""The six measures of CardStock's articles."""

MORE = (
    _named("decisions", "shape decisions", "RR"),
    _named("branching", "shape branching", "RR"),
    _named("forced", "shape forced", "RR"),
    _named("ties", "shape shared_wins", "RR"),
    _named("score", "shape first_seat_score", "RR"),
    _named("wins", "shape first_seat_wins_shared", "RR"),
)
"""What random games are like."""

_ALONE = "of one player that thinks, in the first seat, among random ones"

THINKING = (
    _named("ai-wins", "shape first_seat_wins_shared", "AR", "Thinker wins",
           f"Share of wins {_ALONE}, {{ties}}."),
    _named("ai-score", "shape first_seat_score", "AR", "Thinker’s score", f"Mean score {_ALONE}."),
    _named("ai-decisions", "shape decisions", "AA", "Decisions, thinking",
           "Decisions a game if all think."),
    _named("ai-branching", "shape branching", "AA", "Branching, thinking",
           "Options a decision if all think."),
    _named("decisiveness", "browne decisiveness", "AA"),
    _named("lead-change", "browne lead_change", "AA"),
    _named("uncertainty", "browne uncertainty", "AA"),
)  # fmt: skip
"""What games of thinking players are like."""

NAMED = {one.key: one for one in (*SIX, *MORE, *THINKING)}
"""All of them by their keys."""


def named_measure(key: str) -> NamedMeasure:
    """Return a measure by its key; raises AnalysisError if there is none."""
    if key not in NAMED:
        advice = advice_on(key, NAMED)
        raise AnalysisError(f"{key!r} is not a measure; {advice}")
    return NAMED[key]
