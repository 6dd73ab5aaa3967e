"""The table of measures: their names, definitions and units."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.analysis import AnalysisError
from cardwright.statistics.ties import ties_in_short
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from cardwright.analysis.results import HeuristicRow
    from cardwright.analysis.subject import Subject
    from cardwright.statistics.ties import Ties


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
    share: bool = False
    in_full: str = ""

    def counting(self, ties: Ties) -> NamedMeasure:
        """Return this measure as it is where shared wins count in this way."""
        name = self.in_full if self.in_full and ties == "full" else self.name
        return replace(self, name=name, meaning=self.meaning.format(ties=ties_in_short(ties)))

    def row(self, subject: Subject) -> HeuristicRow | None:
        """Return this measure's line of the table; None if it has no value."""
        return subject.row(self.family, self.counting(subject.ties).name, self.batch)

    def text(self, value: float) -> str:
        """Return a value of this measure as text."""
        return f"{100 * value:.1f} %" if self.share else f"{value:,.{self.digits}f}"

    def side(self, row: HeuristicRow, middle: float) -> int:
        """Return on which side of a number a line of this measure lies, as `HeuristicRow.side`.

        It is on neither if the number is in the interval as that is printed.
        """
        if row.constant:
            return row.side(middle)
        low, at, high = map(self._printed, (row.low, middle, row.high))
        return int(low > at) - int(high < at)

    def _printed(self, value: float) -> float:
        return round(100 * value, 1) if self.share else round(value, self.digits)


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
    NamedMeasure("forced", "shape", "forced", "RR", "Forced", "Share of decisions with one option.",
          share=True),
    NamedMeasure("ties", "shape", "shared_wins", "RR", "Ties",
          "Share of games with a tie for first.",
          share=True),
    NamedMeasure("score", "shape", "first_seat_score", "RR", "Score",
          "Mean score of the first seat."),
    NamedMeasure("wins", "shape", "first_seat_wins_shared", "RR", "First seat wins",
          "Share of wins of the first seat, {ties}.", share=True, in_full="first_seat_wins"),
)  # fmt: skip
"""What random games are like."""

THINKING = (
    NamedMeasure("ai-wins", "shape", "first_seat_wins_shared", "AR", "Thinker wins",
          "Share of wins of one player that thinks, in the first seat, among random ones, {ties}.",
          share=True, in_full="first_seat_wins"),
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

ALL = {one.key: one for one in (*SIX, *MORE, *THINKING)}
"""All of them by their keys."""


def named_measure(key: str) -> NamedMeasure:
    """Return a measure by its key; raises AnalysisError if there is none."""
    if key not in ALL:
        advice = advice_on(key, ALL)
        raise AnalysisError(f"{key!r} is no measure; {advice}")
    return ALL[key]
