"""Measures of searching players: what skill is worth, and what their games are like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import FunnelStep
from cardwright.evolution.measures.fairness import seat_fairness
from cardwright.evolution.measures.measure import GameMeasure
from cardwright.evolution.measures.ratios import mean
from cardwright.evolution.measures.trials import DECISIONS, WORLDS

if TYPE_CHECKING:
    from cardwright.evolution.measures.evidence import Evidence
    from cardwright.evolution.measures.measure import Better
    from cardwright.statistics.sample import Estimate


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


def _fairness(evidence: Evidence) -> Estimate | None:
    return seat_fairness(evidence.strongest.wins)


def _draws(evidence: Evidence) -> Estimate | None:
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

MEASURES = (
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
        _fairness,
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
        _draws,
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
