"""The table of measures: what can be asked of a game, by the names that aims use."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from cardwright.evolution.candidate import FunnelStep
from cardwright.evolution.measures.estimates import mean, ratio, seat_fairness, share_between
from cardwright.evolution.measures.evidence import REPEATS, results
from cardwright.evolution.measures.trials import DECISIONS, WORLDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cardwright.evolution.measures.evidence import Evidence
    from cardwright.statistics.intervals import Estimate

    Take: TypeAlias = Callable[[Evidence], Estimate | None]

Better: TypeAlias = Literal["more", "less", ""]
"""Which direction most people would call better; empty where that is a matter of taste."""


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """A measure of a game.

    `name` is what people type in an aim, and `words` say what it is, with its unit, formula and
    source. It is taken at `step`: from random games (PLAY) or from searching players (SEARCH), of
    which it needs at least `players`. Its values lie between `least` and `most`, where these are
    known. `scale` is the difference that counts as 1 in an aim. `take` returns the estimate, whose
    interval counts a deal as one value; or None if this game cannot be measured.
    """

    name: str
    words: str
    step: FunnelStep
    take: Take
    scale: float
    least: float | None = None
    most: float | None = None
    better: Better = ""
    players: int = 0


def _length(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.decisions)


def _choices(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.decisions - evidence.ended.single_sums)


def _branching(evidence: Evidence) -> Estimate | None:
    return ratio(evidence.ended.option_sums, evidence.ended.decisions)


def _widest(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.option_most)


def _dead(evidence: Evidence) -> Estimate | None:
    return ratio(evidence.ended.single_sums, evidence.ended.decisions, 0.0, 1.0)


def _fairness(evidence: Evidence) -> Estimate | None:
    return seat_fairness(results(evidence.ended))


def _draws(evidence: Evidence) -> Estimate | None:
    if evidence.game.players == 1:
        return None
    return mean(results(evidence.ended).max(axis=1, initial=0.0) < 1, 0.0, 1.0)


def _score_range(evidence: Evidence) -> Estimate | None:
    if evidence.game.players == 1 or not len(evidence.ended):
        return None
    scores = evidence.ended.scores.astype(np.float64)
    return mean(np.ptp(scores, axis=1))


def _score(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.scores.mean(axis=1))


def _highest_score(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.scores.max(axis=1))


def _lowest_score(evidence: Evidence) -> Estimate | None:
    return mean(evidence.ended.scores.min(axis=1))


def _luck(evidence: Evidence) -> Estimate | None:
    return share_between(evidence.repeats)


RANDOM_MEASURES = (
    GameMeasure(
        "length", "Decisions of a game: the mean.", FunnelStep.PLAY, _length, 10.0, least=0.0
    ),
    GameMeasure(
        "choices",
        "Decisions of a game with two options or more: the mean.",
        FunnelStep.PLAY,
        _choices,
        10.0,
        least=0.0,
    ),
    GameMeasure(
        "branching",
        "Options of a decision: the mean over all decisions.",
        FunnelStep.PLAY,
        _branching,
        1.0,
        least=1.0,
    ),
    GameMeasure(
        "widest",
        "Options of the decision of a game that has most of them: the mean.",
        FunnelStep.PLAY,
        _widest,
        5.0,
        least=0.0,
    ),
    GameMeasure(
        "dead",
        "Dead choices: the share of the decisions that have one option only.",
        FunnelStep.PLAY,
        _dead,
        0.1,
        0.0,
        1.0,
        "less",
    ),
    GameMeasure(
        "fairness",
        "Fairness by seat: 1 minus the distance of the sides' shares of the wins from equal ones: "
        "1 if all sides win equally often, 0 if always the same wins. A side is a seat, or a team. "
        "The distance is Euclidean, less what chance adds to its square.",
        FunnelStep.PLAY,
        _fairness,
        0.1,
        0.0,
        1.0,
        "more",
    ),
    GameMeasure(
        "draws",
        "The share of the games in which several sides share the win.",
        FunnelStep.PLAY,
        _draws,
        0.1,
        0.0,
        1.0,
        "less",
    ),
    GameMeasure(
        "score-range",
        "Points between the highest and the lowest score of a game: the mean.",
        FunnelStep.PLAY,
        _score_range,
        10.0,
        least=0.0,
    ),
    GameMeasure(
        "score",
        "Points of a seat at the end: the mean over all seats.",
        FunnelStep.PLAY,
        _score,
        10.0,
    ),
    GameMeasure(
        "highest-score",
        "Points of the seat that has most of them at the end: the mean.",
        FunnelStep.PLAY,
        _highest_score,
        10.0,
    ),
    GameMeasure(
        "lowest-score",
        "Points of the seat that has fewest of them at the end: the mean.",
        FunnelStep.PLAY,
        _lowest_score,
        10.0,
    ),
    GameMeasure(
        "luck",
        "The share of the variance of results, the sides' shares of the win, that is between deals"
        f" and not between the {REPEATS} games played of each: 1 if all that is drawn at random by "
        "the rules decides, 0 if only choices do. The intraclass correlation, by unbiased "
        "variance components (Searle, Casella and McCulloch 1992).",
        FunnelStep.PLAY,
        _luck,
        0.1,
        0.0,
        1.0,
        "less",
    ),
)


def _matters(evidence: Evidence) -> Estimate | None:
    return evidence.trials.share if evidence.game.players > 1 else None


def _skill(evidence: Evidence) -> Estimate | None:
    from cardwright.evolution.measures.matches import gain

    weakest = evidence.players[0]
    return gain(
        evidence.game, weakest, "random", evidence.deals, evidence.seed, trust=evidence.trust
    )


def _depth(evidence: Evidence) -> Estimate | None:
    from cardwright.evolution.measures.matches import gain

    weakest, strongest = evidence.players[0], evidence.players[-1]
    return gain(
        evidence.game, strongest, weakest, evidence.deals, evidence.seed, trust=evidence.trust
    )


def _searched_fairness(evidence: Evidence) -> Estimate | None:
    return seat_fairness(evidence.strongest.wins)


def _searched_draws(evidence: Evidence) -> Estimate | None:
    if evidence.game.players == 1:
        return None
    return mean(evidence.strongest.wins.max(axis=1, initial=0.0) < 1, 0.0, 1.0)


def _analysed(
    name: str,
    family: str,
    there: str,
    words: str,
    *,
    scale: float = 0.1,
    least: float | None = 0.0,
    most: float | None = 1.0,
    better: Better = "",
) -> GameMeasure:
    """Return a measure of `cardwright.analysis`, by its family and its name there."""

    def take(evidence: Evidence) -> Estimate | None:
        return evidence.strongest.measured(family, there)

    whole = f"In games of the strongest player: {words} It is `{there}` of the {_FAMILIES[family]}."
    return GameMeasure(name, whole, FunnelStep.SEARCH, take, scale, least, most, better, players=1)


_FAMILIES = {
    "shape": "measures of shape",
    "articles": "articles' measures",
    "browne": "measures after Browne",
}
"""The families of measures, as docs/heuristics.md has them."""

SEARCH_MEASURES = (
    GameMeasure(
        "skill",
        "What skill is worth against none: the share of the wins of the weakest player, on each "
        "side in turn among random ones, over chance: (w - 1/S) / (1 - 1/S) with S sides. 0 is as "
        "good as random, 1 wins always.",
        FunnelStep.SEARCH,
        _skill,
        0.1,
        -1.0,
        1.0,
        "more",
        players=1,
    ),
    GameMeasure(
        "depth",
        "What more search is worth: the same for the strongest player among the weakest.",
        FunnelStep.SEARCH,
        _depth,
        0.1,
        -1.0,
        1.0,
        "more",
        players=2,
    ),
    GameMeasure(
        "matters",
        "The share of decisions whose options differ in expected result, if all later play is "
        f"random: of up to {DECISIONS} decisions a game, each tried in {WORLDS} imagined worlds, "
        "the share of true differences by permutation tests, corrected for those by chance "
        "(Storey 2002).",
        FunnelStep.SEARCH,
        _matters,
        0.1,
        0.0,
        1.0,
        "more",
        players=1,
    ),
    GameMeasure(
        "searched-fairness",
        "Fairness by seat, as in `fairness`, in games of the strongest player.",
        FunnelStep.SEARCH,
        _searched_fairness,
        0.1,
        0.0,
        1.0,
        "more",
        players=1,
    ),
    GameMeasure(
        "searched-draws",
        "The share of games in which several sides share the win, in games of the strongest "
        "player.",
        FunnelStep.SEARCH,
        _searched_draws,
        0.1,
        0.0,
        1.0,
        "less",
        players=1,
    ),
    _analysed(
        "searched-length", "shape", "decisions", "decisions of a game.", scale=10.0, most=None
    ),
    _analysed(
        "searched-branching", "shape", "branching", "options of a decision.",
        scale=1.0, least=1.0, most=None,
    ),
    _analysed(
        "searched-dead", "shape", "forced", "the share of decisions with one option.",
        better="less",
    ),
    _analysed(
        "convergence", "articles", "convergence",
        "1 - (slope / 2 + 1/2), with the slope of the options by decision; above 0.5 choices "
        "become fewer.",
        scale=0.05, least=None, most=None,
    ),
    _analysed(
        "decision-spread", "articles", "spread",
        "the estimate of a decision's best option minus that of its worst, on a scale from last "
        "to first.",
        scale=0.05, better="more",
    ),
    _analysed(
        "drama", "articles", "drama",
        "how far the winner was behind: the mean of sqrt(t - lead) over decisions at which its "
        "lead is below t, halfway between the best two places.",
        better="more",
    ),
    _analysed(
        "security", "articles", "security",
        "the share of decisions at which the winner is not behind.",
    ),
    _analysed(
        "decisiveness", "browne", "decisiveness",
        "the share of the game that is left once the winner's estimate stays at 0.8 or above.",
    ),
    _analysed(
        "clarity", "browne", "clarity",
        "(best - average) / spread of a decision's options: how much the best stands out.",
    ),
    _analysed(
        "uncertainty", "browne", "uncertainty",
        "1 minus the distance between the two best seats' estimates.", better="more",
    ),
    _analysed(
        "lead-change", "browne", "lead_change",
        "the share of steps at which none of the leaders still leads.", better="more",
    ),
    _analysed(
        "permanence", "browne", "permanence",
        "the share of rises and falls of a seat's estimates that its next does not reverse.",
    ),
    _analysed(
        "killer-moves", "browne", "killer_moves",
        "the largest step of a seat's estimate in a game.",
    ),
    _analysed(
        "coolness", "browne", "coolness",
        "the share of a seat's estimates that are lower than its one before.",
    ),
)  # fmt: skip
"""Those from `decision-spread` on need a player that notes estimates: `cardstock-pipmc` and `pimc`
do, and players that search trees with `reward=rank`."""

MEASURES: Mapping[str, GameMeasure] = MappingProxyType(
    {one.name: one for one in (*RANDOM_MEASURES, *SEARCH_MEASURES)}
)
"""All measures by name: those of random games, then those of searching players."""


def measured(evidence: Evidence, names: Iterable[str]) -> dict[str, Estimate]:
    """Return measures of a game, in the order of the table; what cannot be measured is not there.

    A measure that needs more searching players than there are cannot be. All values are finite.
    Raises KeyError for a name that is not in the table.
    """
    wanted = {name: MEASURES[name] for name in names}
    found = {}
    for name in MEASURES:
        if name in wanted and len(evidence.players) >= wanted[name].players:
            estimate = wanted[name].take(evidence)
            if estimate is not None:
                found[name] = estimate
    return found
