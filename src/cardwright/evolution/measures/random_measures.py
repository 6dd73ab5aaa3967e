"""Measures of random games: how long they are, what there is to choose, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.evaluation import FunnelStep
from cardwright.evolution.measures.evidence import REPEATS, results
from cardwright.evolution.measures.fairness import seat_fairness
from cardwright.evolution.measures.luck import share_between
from cardwright.evolution.measures.measure import GameMeasure
from cardwright.evolution.measures.ratios import mean, ratio

if TYPE_CHECKING:
    from cardwright.evolution.measures.evidence import Evidence
    from cardwright.statistics.sample import Estimate


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


MEASURES = (
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
