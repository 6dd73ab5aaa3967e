"""The table of measures: what can be asked of a game, by the names that aims use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.evolution.candidate import FunnelStep
from cardwright.evolution.measures.estimates import mean, ratio, seat_fairness, share_between
from cardwright.evolution.measures.evidence import REPEATS, Evidence, results
from cardwright.evolution.measures.trials import DECISIONS, WORLDS
from cardwright.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Take: TypeAlias = Callable[[Evidence], Estimate | None]
Better: TypeAlias = Literal["more", "less", ""]
"""Which direction most people would call better; empty where that is a matter of taste."""


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """A measure of a game.

    `name` is what people type in an aim; `words` say what it is, with its formula and source, and
    `unit` what its values mean, as axes have it in brackets. It is taken at `step`: from random
    games (PLAY) or from searching players (SEARCH), of which it needs at least `players`. Its
    values lie between `least` and `most`, where these are known. `scale` is the difference that
    counts as 1 in an aim. `take` returns the estimate, whose interval counts a deal as one value;
    or None if this game cannot be measured.
    """

    name: str
    unit: str
    words: str
    take: Take
    scale: float = 0.1
    least: float | None = 0.0
    most: float | None = 1.0
    better: Better = ""
    players: int = 0

    @property
    def step(self) -> FunnelStep:
        """The step of the pipeline at which it is taken."""
        return FunnelStep.SEARCH if self.players else FunnelStep.PLAY

    @property
    def label(self) -> str:
        """Its name as people read it."""
        return self.name.replace("-", " ").capitalize()

    @property
    def phrase(self) -> str:
        """Its name within a sentence."""
        return self.name.replace("-", " ")

    def text(self, value: float) -> str:
        """Return a value with digits by the scale, and a true minus sign."""
        digits = 3 if self.scale < 0.5 else 2 if self.scale < 5 else 1
        return f"{value:,.{digits}f}".replace("-", "−")

    def interval(self, estimate: Estimate) -> str:
        """Return an estimate's interval as `0.40 to 0.51`; empty if it has none, or no width."""
        if estimate.low is None or estimate.high is None:
            return ""
        low, high = self.text(estimate.low), self.text(estimate.high)
        return f"{low} to {high}" if low != high else ""


# How they are taken ---------------------------------------------------------------------------


def _draws(shares: np.ndarray[Any, Any], players: int) -> Estimate | None:
    return None if players == 1 else mean(shares.max(axis=1, initial=0.0) < 1, 0.0, 1.0)


def _score_range(evidence: Evidence) -> Estimate | None:
    if evidence.game.players == 1 or not len(evidence.ended):
        return None
    return mean(np.ptp(evidence.ended.scores.astype(np.float64), axis=1))


def _gain(player: int, others: Callable[[Evidence], str]) -> Take:
    """Return what measures how much more than its fair share one of the players wins."""

    def take(evidence: Evidence) -> Estimate | None:
        from cardwright.evolution.measures.matches import gain

        spec, game = evidence.players[player], evidence.game
        return gain(
            game, spec, others(evidence), evidence.deals, evidence.seed, trust=evidence.trust
        )

    return take


OF_THE_STRONGEST = "In games of the strongest player: "
"""How the words on a measure of `cardwright.analysis` begin."""


def _analysed(name: str, unit: str, key: str, words: str, **facts: Any) -> GameMeasure:
    """Return a measure of `cardwright.analysis`, by its family and its name there."""
    family, there = key.split()

    def take(evidence: Evidence) -> Estimate | None:
        return evidence.strongest.measured(family, there)

    return GameMeasure(name, unit, OF_THE_STRONGEST + words, take, players=1, **facts)


# The table ------------------------------------------------------------------------------------

_DECISIONS_OF_A_GAME = "decisions of a game"
_OPTIONS = "options of a decision"
_GAMES, _SHARE_OF_DECISIONS = "share of games", "share of decisions"
_GAINED = "share of wins gained"
_EQUAL, _POINTS = "1 is equal", "points"
_COUNT: dict[str, Any] = {"scale": 10.0, "most": None}
_UNBOUNDED: dict[str, Any] = {"scale": 10.0, "least": None, "most": None}

_ALL = (
    GameMeasure(
        "length", _DECISIONS_OF_A_GAME, "Decisions of a game: the mean.",
        lambda evidence: mean(evidence.ended.decisions), **_COUNT,
    ),
    GameMeasure(
        "choices", _DECISIONS_OF_A_GAME, "Decisions of a game with two options or more: the mean.",
        lambda evidence: mean(evidence.ended.decisions - evidence.ended.single_sums), **_COUNT,
    ),
    GameMeasure(
        "branching", _OPTIONS, "Options of a decision: the mean over all decisions.",
        lambda evidence: ratio(evidence.ended.option_sums, evidence.ended.decisions),
        scale=1.0, least=1.0, most=None,
    ),
    GameMeasure(
        "widest", _OPTIONS, "Most options of a decision in a game: the mean.",
        lambda evidence: mean(evidence.ended.option_most), scale=5.0, most=None,
    ),
    GameMeasure(
        "dead", _SHARE_OF_DECISIONS,
        "The share of decisions with one option only.",
        lambda evidence: ratio(evidence.ended.single_sums, evidence.ended.decisions, 0.0, 1.0),
        better="less",
    ),
    GameMeasure(
        "fairness", _EQUAL,
        "Fairness by seat: 1 minus the distance of the sides' shares of the wins from equal ones: "
        "1 if all sides win equally often, 0 if always the same wins. A side is a seat, or a team. "
        "The distance is Euclidean, less what chance adds to its square.",
        lambda evidence: seat_fairness(results(evidence.ended)), better="more",
    ),
    GameMeasure(
        "draws", _GAMES, "The share of the games in which several sides share the win.",
        lambda evidence: _draws(results(evidence.ended), evidence.game.players), better="less",
    ),
    GameMeasure(
        "score-range", _POINTS,
        "Points between the highest and the lowest score of a game: the mean.",
        _score_range, **_COUNT,
    ),
    GameMeasure(
        "score", _POINTS, "Points of a seat at the end: the mean over all seats.",
        lambda evidence: mean(evidence.ended.scores.mean(axis=1)), **_UNBOUNDED,
    ),
    GameMeasure(
        "highest-score", _POINTS,
        "Points of the seat that has most of them at the end: the mean.",
        lambda evidence: mean(evidence.ended.scores.max(axis=1)), **_UNBOUNDED,
    ),
    GameMeasure(
        "lowest-score", _POINTS,
        "Points of the seat that has fewest of them at the end: the mean.",
        lambda evidence: mean(evidence.ended.scores.min(axis=1)), **_UNBOUNDED,
    ),
    GameMeasure(
        "luck", "share of variance",
        "The share of the variance of results, the sides' shares of the win, that is between deals"
        f" and not between the {REPEATS} games played of each: 1 if all that is drawn at random by "
        "the rules decides, 0 if only choices do. The intraclass correlation, by unbiased "
        "variance components (Searle, Casella and McCulloch 1992).",
        lambda evidence: share_between(evidence.repeats), better="less",
    ),
    GameMeasure(
        "skill", _GAINED,
        "What skill is worth: the weakest player's share of wins w, on each side in turn among "
        "random ones, over chance: (w - 1/S) / (1 - 1/S) with S sides. 0 is as good as random, 1 "
        "always wins.",
        _gain(0, lambda evidence: "random"), least=-1.0, better="more", players=1,
    ),
    GameMeasure(
        "depth", _GAINED,
        "What more search is worth: the same for the strongest player among the weakest.",
        _gain(-1, lambda evidence: evidence.players[0]), least=-1.0, better="more", players=2,
    ),
    GameMeasure(
        "matters", _SHARE_OF_DECISIONS,
        "The share of decisions whose options differ in expected result, if all later play is "
        f"random: of up to {DECISIONS} decisions a game, each tried in {WORLDS} imagined worlds, "
        "the share of true differences by permutation tests, corrected for those by chance "
        "(Storey 2002).",
        lambda evidence: evidence.trials.share if evidence.game.players > 1 else None,
        better="more", players=1,
    ),
    GameMeasure(
        "searched-fairness", _EQUAL,
        "Fairness by seat, as in `fairness`, in games of the strongest player.",
        lambda evidence: seat_fairness(evidence.strongest.wins), better="more", players=1,
    ),
    GameMeasure(
        "searched-draws", _GAMES,
        "The share of games in which several sides share the win, in games of the strongest "
        "player.",
        lambda evidence: _draws(evidence.strongest.wins, evidence.game.players),
        better="less", players=1,
    ),
    _analysed(
        "searched-length", _DECISIONS_OF_A_GAME, "shape decisions", "decisions of a game.",
        **_COUNT,
    ),
    _analysed(
        "searched-branching", _OPTIONS, "shape branching", "options of a decision.",
        scale=1.0, least=1.0, most=None,
    ),
    _analysed(
        "searched-dead", _SHARE_OF_DECISIONS, "shape forced",
        "the share of decisions with one option.", better="less",
    ),
    _analysed(
        "convergence", "above 0.5 options become fewer", "articles convergence",
        "1 - (slope / 2 + 1/2), with the slope of the options by decision; above 0.5 choices "
        "become fewer.",
        scale=0.05, least=None, most=None,
    ),
    # Those from here on need a player that notes estimates: `cardstock-pipmc` and `pimc` do, and
    # players that search trees with `reward=rank`.
    _analysed(
        "decision-spread", "of estimates, 0 to 1", "articles spread",
        "the estimate of a decision's best option minus that of its worst.",
        scale=0.05, better="more",
    ),
    _analysed(
        "drama", "0 to 1", "articles drama",
        "how far the winner was behind: the mean of sqrt(t - lead) over decisions at which its "
        "lead is below t, halfway between the best two places.",
        better="more",
    ),
    _analysed(
        "security", _SHARE_OF_DECISIONS, "articles security",
        "the share of decisions at which the winner is not behind.",
    ),
    _analysed(
        "decisiveness", "share of the game", "browne decisiveness",
        "the share of the game that is left once the winner's estimate stays at 0.8 or above.",
    ),
    _analysed(
        "clarity", "share of the spread", "browne clarity",
        "(best - average) / spread of a decision's options: how much the best stands out.",
    ),
    _analysed(
        "uncertainty", "0 to 1", "browne uncertainty",
        "1 minus the distance between the two best seats' estimates.", better="more",
    ),
    _analysed(
        "lead-change", "share of steps", "browne lead_change",
        "the share of steps at which none of the leaders still leads.", better="more",
    ),
    _analysed(
        "permanence", "share of changes", "browne permanence",
        "the share of rises and falls of a seat's estimates that its next does not reverse.",
    ),
    _analysed(
        "killer-moves", "of estimates, 0 to 1", "browne killer_moves",
        "the largest step of a seat's estimate in a game.",
    ),
    _analysed(
        "coolness", "share of estimates", "browne coolness",
        "the share of a seat's estimates that are lower than its one before.",
    ),
)  # fmt: skip

MEASURES: Mapping[str, GameMeasure] = MappingProxyType({one.name: one for one in _ALL})
"""All measures by name: those of random games, then those of searching players."""


def measured(evidence: Evidence, names: Iterable[str]) -> dict[str, Estimate]:
    """Return measures of a game, in the order of the table; what cannot be measured is not there.

    A measure that needs more searching players than there are cannot be. All values are finite.
    Raises KeyError for a name that is not in the table.
    """
    wanted = {MEASURES[name].name for name in names}
    estimates = {
        name: measure.take(evidence)
        for name, measure in MEASURES.items()
        if name in wanted and len(evidence.players) >= measure.players
    }
    return {name: found for name, found in estimates.items() if found is not None}
