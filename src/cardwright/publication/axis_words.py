"""The words on the axes of all figures: one wording for one thing."""

from __future__ import annotations

from enum import StrEnum


class AxisWord(StrEnum):
    """What an axis shows, as all figures write it; `labelled` adds a unit or a direction."""

    DECISION = "decision of the game"
    OPTIONS = "options"
    MEAN_OPTIONS = "mean options"
    TRICK = "trick"
    PORTION = "portion of the game that is over"
    SPREAD = "spread of estimated places / largest"
    SCORE_SPREAD = "spread of estimated scores / largest"
    PLACE = "estimated place"
    WINNER_PLACE = "estimated place of the winner"
    BITS = "bits unknown"
    SCORE = "score"
    SCORE_A_GAME = "score a game"
    OVER_FIELD = "score over the field"
    POINTS_A_GAME = "points a game"
    WINS = "share of wins"
    RATING = "rating (Elo)"
    LENGTH = "decisions of a game"
    SEATS_SHARE = "% of seats"
    GAMES_SHARE = "% of games"
    DEALS = "deals"
    EFFECT = "effect"
    EFFECT_IN_A_DEAL = "effect in a deal"
    MEAN = "mean"
    CANDIDATE = "candidate"
    TOTAL = "sum of scores"


_PUBLISHED = {
    AxisWord.DECISION: "Decision Point",
    AxisWord.OPTIONS: "Branching Factor",
    AxisWord.PORTION: "Portion of Game Complete",
    AxisWord.SPREAD: "Normalized Spread of Places",
    AxisWord.SCORE_SPREAD: "Normalized Spread of Scores",
    AxisWord.PLACE: "Normalized Rank Estimate",
}
"""What the figures of the Valet collection say; elsewhere its style has our words."""


def labelled(word: AxisWord, detail: str = "", *, style: str = "cardwright") -> str:
    """Return the label of an axis; `detail`, such as a unit or a direction, goes in brackets."""
    text = _PUBLISHED.get(word, str(word)) if style == "valet" else str(word)
    return f"{text} ({detail})" if detail else text
