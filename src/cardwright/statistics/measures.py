"""The table of measures: what is measured of games, of seats and of variants, in words.

Everything that says something of games in numbers reads this table: simulations and contests,
analyses and comparisons, experiments, the aims of a design search, and their reports and figures.
What computes a measure is listed under its key where the games are: in `analysis.measures`,
`evolution.measures.table` and `lab.response`. The formulas that several of them need are here.

The families are the `shape` of games, the six measures of CardStock's `articles` (M. Goadrich and
others, https://cardstock.wordpress.com), what CardStock's program computes, its `engine`
(https://github.com/mgoadric/cardstock), and Browne's measures ("Automatic generation and evaluation
of recombination games", thesis, 2008), adapted to games of several players; what only design
`search` asks for; and what a `seat` gets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cardwright.english import capital

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardwright.statistics.intervals import Values

    Number = TypeVar("Number", float, Values)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: what it is, in words.

    `key` is its family and its name there, such as `articles order`, and `label` its name for
    people. `definition` says what it is, in short; `about` says the same to people who have no
    formulas, and `unit` in what its values are, as axes have it in brackets. `high` is what a high
    value means, `published` what the published definition has otherwise. Values are written in per
    cent if `share`, and else with so many `digits`.

    Where shared wins count, `about` has `{ties}` for how they do; where a match is measured as well
    as a game, the definition has `{span}` for which of them, and where games are played for the
    measure alone, how many.
    """

    key: str
    definition: str
    unit: str
    high: str
    about: str
    published: str
    label: str
    share: bool = False
    digits: int = 2

    @property
    def family(self) -> str:
        """The first word of its key."""
        return self.key.partition(" ")[0]

    @property
    def name(self) -> str:
        """Its name in its family."""
        return self.key.partition(" ")[2]

    @property
    def sentence(self) -> str:
        """What it is, for people."""
        return self.about or f"{capital(self.definition)}."

    def text(self, value: float) -> str:
        """Return a value as text."""
        return f"{100 * value:.1f} %" if self.share else f"{value:,.{self.digits}f}"


_DECISIONS, _OPTIONS, _POINTS = "decisions of a game", "options of a decision", "points"
_OF_DECISIONS, _OF_GAMES, _OF_WINS = "share of decisions", "share of games", "share of wins"
_GAINED, _EQUAL, _SCALE = "share of wins gained", "1 is equal", "of estimates, 0 to 1"
_LAST_LEADS = "the winner is who leads in the last lead vector"


def _row(  # noqa: PLR0917 - the columns of the table
    key: str,
    definition: str,
    unit: str,
    high: str = "",
    about: str = "",
    published: str = "",
    **more: Any,
) -> Measure:
    more.setdefault("label", re.sub("[_-]", " ", key.partition(" ")[2]).capitalize())
    return Measure(key, definition, unit, high, about, published, **more)


MEASURES: dict[str, Measure] = {
    one.key: one
    for one in (
        # The shape of games.
        _row("shape decisions", "decisions a game", _DECISIONS,
             about="Decisions a game, all seats together.", digits=1),
        _row("shape branching", "options a decision", _OPTIONS, about="Options a decision."),
        _row("shape forced", "decisions with one option", _OF_DECISIONS,
             about="Share of decisions with one option.", share=True),
        _row("shape first_seat_wins", "games that the first seat wins, ties in full", _OF_GAMES,
             share=True),
        _row("shape first_seat_wins_shared", "wins of the first seat, ties shared", _OF_WINS,
             about="Share of wins of the first seat, {ties}.", label="First seat wins", share=True),
        _row("shape first_seat_score", "mean score of the first seat", _POINTS,
             about="Mean score of the first seat.", label="Score"),
        _row("shape first_seat_nonloss", "games in which its rank is not the worst of any",
             _OF_GAMES, label="First seat is not last", share=True),
        _row("shape shared_wins", "games with ties for first", _OF_GAMES,
             about="Share of games with a tie for first.", label="Ties", share=True),
        # The articles. Where a measure is given for `AA` and `AR` together, that is their number:
        # the program appends the spreads of both batches to one list.
        _row("articles order", "(w − 1/P) / (1 − 1/P) of the wins w of P seats", _GAINED,
             "thinking pays",
             "How much better than chance one thinking player, in the first seat, does among "
             "random ones: (w − 1/P) / (1 − 1/P), where w is the share of games it wins, {ties}, "
             "and P the number of seats. 0 is no better than chance, 1 is always.",
             "ties count in full, so that random players that tie are above 0"),
        _row("articles fairness", "P w up to w = 1/P, then (1 − w) P / (P − 1)", _EQUAL,
             "the first seat wins its share",
             "Whether the first seat wins its share if all choose at random, {ties}: 1 if it wins "
             "one game in P, falling to 0 for never and for always.",
             "ties count in full, so that they make a fair game look unfair"),
        _row("articles convergence", "1 − (slope / 2 + 1/2) of the options by decision",
             "above 0.5 options become fewer", "above 0.5 choices become fewer",
             "Whether choices become fewer: 1 − (s/2 + 1/2), where s is the slope of a straight "
             "line through the options of a game by decision, averaged over games. Above 0.5 they "
             "become fewer, below 0.5 more.", digits=3),
        _row("articles spread", "best minus worst estimated place", _SCALE, "decisions matter",
             "How much a decision matters: the estimated place of its best option minus that of "
             "its worst, on a scale from 0 (last) to 1 (first), averaged over all decisions of "
             "thinking players. Few rollouts make it too large; articles held_out_spread is free "
             "of that, and if anything too small.",
             "pooled over both batches, so that random opponents have a part in it", digits=3),
        _row("articles held_out_spread", "spread without the noise of rollouts: no more than it is",
             _SCALE, "decisions matter", label="Held-out spread"),
        _row("articles score_spread", "spread of estimated scores, in points", _POINTS,
             "decisions matter"),
        _row("articles drama", "mean of √(θ − lead) where the winner's lead is below θ", "0 to 1",
             "winners were far behind",
             "How far behind winners were on the way: the mean of √(θ − lead) over the decisions "
             "at which the lead of the later winner is below θ, as a mean over games.",
             _LAST_LEADS),
        _row("articles security", "decisions at which the winner is not behind", _OF_DECISIONS,
             "winners were seldom behind",
             "The share of decisions at which the later winner was not behind, as a mean over "
             "games.", _LAST_LEADS),
        _row("articles behind", "θ − lead at decisions at which the winner is behind", "0 to 1",
             "winners were far behind"),
        # CardStock's program: its definitions differ from the articles', and NaN becomes 0.
        _row("engine fairness", "of wins shared as 1/k, but a whole one if all seats tie", _EQUAL,
             "the first seat wins its share"),
        _row("engine meaningful_moves", "mean spread", _SCALE, "decisions matter"),
        _row("engine drama", "mean of √(0.5 − x) of winners' own estimates x below 0.5", "0 to 1",
             "winners were far behind"),
        _row("engine decisiveness",
             "1 − what is left of the winner's decisions from its first estimate above 0.8",
             "share of the game", "games are decided late"),
        _row("engine coolness", "1 − own estimates lower than the one before", "share of estimates",
             "estimates do not fall"),
        # Browne's; the winner is that of the result, the first seat of those that tie.
        _row("browne drama", "√(leader's lead − own) where the winner decides and trails", "0 to 1",
             "winners were far behind"),
        _row("browne decisiveness", "what is left once the winner stays sure to win",
             "share of the game", "games are decided early",
             "Share of a game that is left once the winner stays sure to win."),
        _row("browne clarity", "(best - average) / spread", "share of the spread",
             "the best option stands out",
             "(best - average) / spread of a decision’s options: how much the best stands out."),
        _row("browne uncertainty", "1 minus the distance between the two best estimates", "0 to 1",
             "it is open who wins",
             "1 minus the distance between the two best estimates, averaged over games."),
        _row("browne lead_change", "steps at which none of the leaders still leads",
             "share of steps", "the lead changes often",
             "Share of steps, from one decision to the next, at which the lead changes hands."),
        _row("browne permanence", "steps of own estimates that the next does not take back",
             "share of changes", "what is gained stays",
             "Share of the rises and falls of a seat’s estimates that its next one does not take "
             "back."),
        _row("browne killer_moves", "the largest step of any seat's estimate in a game", _SCALE,
             "single decisions change much"),
        _row("browne coolness", "own estimates lower than the one before", "share of estimates",
             "even the best option did harm",
             "Share of a seat’s estimates that are lower than its one before."),
        # Design search: of sides, which are the teams of a game with partners, and else the seats.
        _row("search choices", "decisions of a game with two options or more: the mean",
             _DECISIONS),
        _row("search widest", "options of the decision of a game that has most of them: the mean",
             _OPTIONS),
        _row("search fairness",
             "fairness by seat: 1 minus the distance of the sides' shares of the wins from equal "
             "ones: 1 if all sides win equally often, 0 if always the same wins. A side is a "
             "seat, or a team. The distance is Euclidean, less what chance adds to its square",
             _EQUAL),
        _row("search draws", "the share of the games in which several sides share the win",
             _OF_GAMES),
        _row("search score-range",
             "points between the highest and the lowest score of a game: the mean", _POINTS),
        _row("search score", "points of a seat at the end: the mean over all seats", _POINTS),
        _row("search highest-score",
             "points of the seat that has most of them at the end: the mean", _POINTS),
        _row("search lowest-score",
             "points of the seat that has fewest of them at the end: the mean", _POINTS),
        _row("search luck",
             "the share of the variance of results, the sides' shares of the win, that is between "
             "deals and not between the {repeats} games played of each: 1 if all that is drawn at "
             "random by the rules decides, 0 if only choices do. The intraclass correlation, by "
             "unbiased variance components (Searle, Casella and McCulloch 1992)",
             "share of variance"),
        _row("search skill",
             "what skill is worth against none: the share of the wins of the weakest player, on "
             "each side in turn among random ones, over chance: (w - 1/S) / (1 - 1/S) with S "
             "sides. 0 is as good as random, 1 wins always", _GAINED),
        _row("search depth",
             "what more search is worth: the same for the strongest player among the weakest",
             _GAINED),
        _row("search matters",
             "the share of decisions whose options differ in expected result, if all later play "
             "is random: of up to {decisions} decisions a game, each tried in {worlds} imagined "
             "worlds, the share of true differences by permutation tests, corrected for those by "
             "chance (Storey 2002)", _OF_DECISIONS),
        # What a seat gets, in a game or in a match of several deals.
        _row("seat points", "the score of a {span}", _POINTS, label="mean score"),
        _row("seat margin", "how much better the score is than the mean of the other seats' scores",
             _POINTS, label="margin"),
        _row("seat wins", "the share of the win of a {span}: w winners have 1/w each", "share",
             label="share of wins"),
        _row("seat place", "the place from 1, equal scores sharing the mean of theirs", "places",
             label="place"),
        _row("seat queen", "deals of a {span} in which the seat took the queen", "deals",
             label="queens"),
        _row("seat moon", "deals of a {span} in which it took all points", "deals", label="moons"),
        _row("seat tricks", "tricks taken in a {span}", "tricks", label="tricks"),
        _row("seat deals", "deals of a match", "deals", label="deals"),
    )
}  # fmt: skip
"""All measures by their keys, in the order of tables of results."""

SCORE, WINS = MEASURES["seat points"].label, MEASURES["seat wins"].label
"""What tables call the two things that every simulation and contest measures of a seat."""


# Formulas that several packages need ------------------------------------------------------------


def ranks(scores: NDArray[np.int64], *, highest_wins: bool) -> NDArray[np.int64]:
    """Return for every game and seat, (games, seats), how many seats have a better score."""
    good = scores if highest_wins else -scores
    better: NDArray[np.int64] = (good[:, None, :] > good[:, :, None]).sum(axis=2)
    return better


def win_shares(best: NDArray[np.bool_]) -> Values:
    """Return 1/k for each of k winners, given who is the best or as good: (games, seats)."""
    shares: Values = best / best.sum(axis=1, keepdims=True)
    return shares


def over_chance(wins: Number, sides: int) -> Number:
    """Return how much more than its fair share a side wins: 0 as much, 1 if it wins always."""
    fair = 1 / sides
    return (wins - fair) / (1 - fair)
