"""The table of measures: what can be asked of a game, by the names that aims use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.english import number
from cardwright.evolution.candidate import FunnelStep
from cardwright.evolution.measures.estimates import mean, ratio, seat_fairness, share_between
from cardwright.evolution.measures.evidence import REPEATS, Evidence, results
from cardwright.evolution.measures.trials import DECISIONS, WORLDS
from cardwright.statistics.intervals import Estimate
from cardwright.statistics.measures import MEASURES as WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.statistics.measures import Measure

Take: TypeAlias = Callable[[Evidence], Estimate | None]
Better: TypeAlias = Literal["more", "less", ""]
"""Which direction most people would call better; empty where that is a matter of taste."""


@dataclass(frozen=True, slots=True)
class GameMeasure:
    """What can be aimed at: a measure of a game, under a name of its own.

    `name` is what people type in an aim. It is taken at `step`: from random games (PLAY) or from
    searching players (SEARCH), of which it needs at least `players`; `strongest` says that only the
    strongest of them plays. Its values lie between `least` and `most`, where these are known.
    `scale` is the difference that counts as 1 in an aim. `take` returns the estimate, whose
    interval counts a deal as one value; or None if this game cannot be measured.
    """

    name: str
    measure: Measure
    take: Take
    scale: float = 0.1
    least: float | None = 0.0
    most: float | None = 1.0
    better: Better = ""
    players: int = 0
    strongest: bool = False

    @property
    def step(self) -> FunnelStep:
        """The step of the pipeline at which it is taken."""
        return FunnelStep.SEARCH if self.players else FunnelStep.PLAY

    @property
    def sentence(self) -> str:
        """What is measured, of whichever games."""
        return self.measure.sentence.format(repeats=REPEATS, decisions=DECISIONS, worlds=WORLDS)

    @property
    def words(self) -> str:
        """What it is, as a sentence or more."""
        said, key = self.sentence, self.measure.key
        if not self.strongest:
            return said
        there = "" if key.startswith("search ") else f" In `analyze` it is `{key}`."
        return f"In games of the strongest player: {said[0].lower()}{said[1:]}{there}"

    @property
    def label(self) -> str:
        """Its name as people read it."""
        return self.phrase.capitalize()

    @property
    def phrase(self) -> str:
        """Its name within a sentence."""
        return self.name.replace("-", " ")

    def text(self, value: float) -> str:
        """Return a value with digits by the scale."""
        digits = 3 if self.scale < 0.5 else 2 if self.scale < 5 else 1
        return number(value, digits)

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


def _analysed(key: str) -> Take:
    """Return what takes a measure of `cardwright.analysis` from games of the strongest player."""
    return lambda evidence: evidence.strongest.measured(key)


# The table ------------------------------------------------------------------------------------

_COUNT: dict[str, Any] = {"scale": 10.0, "most": None}
_UNBOUNDED: dict[str, Any] = {"scale": 10.0, "least": None, "most": None}
_WIDTH: dict[str, Any] = {"scale": 1.0, "least": 1.0, "most": None}


def _random(name: str, take: Take, key: str = "", **facts: Any) -> GameMeasure:
    return GameMeasure(name, WORDS[key or f"search {name}"], take, **facts)


def _searched(name: str, key: str, take: Take | None = None, **facts: Any) -> GameMeasure:
    return GameMeasure(name, WORDS[key], take or _analysed(key), players=1, strongest=True, **facts)


_ALL = (
    _random("length", lambda evidence: mean(evidence.ended.decisions), "shape decisions", **_COUNT),
    _random("choices", lambda evidence: mean(evidence.ended.decisions - evidence.ended.single_sums),
            **_COUNT),
    _random("branching",
            lambda evidence: ratio(evidence.ended.option_sums, evidence.ended.decisions),
            "shape branching", **_WIDTH),
    _random("widest", lambda evidence: mean(evidence.ended.option_most), scale=5.0, most=None),
    _random("dead",
            lambda evidence: ratio(evidence.ended.single_sums, evidence.ended.decisions, 0.0, 1.0),
            "shape forced", better="less"),
    _random("fairness", lambda evidence: seat_fairness(results(evidence.ended)), better="more"),
    _random("draws", lambda evidence: _draws(results(evidence.ended), evidence.game.players),
            better="less"),
    _random("score-range", _score_range, **_COUNT),
    _random("score", lambda evidence: mean(evidence.ended.scores.mean(axis=1)), **_UNBOUNDED),
    _random("highest-score", lambda evidence: mean(evidence.ended.scores.max(axis=1)),
            **_UNBOUNDED),
    _random("lowest-score", lambda evidence: mean(evidence.ended.scores.min(axis=1)), **_UNBOUNDED),
    _random("luck", lambda evidence: share_between(evidence.repeats), better="less"),
    _random("skill", _gain(0, lambda evidence: "random"), least=-1.0, better="more", players=1),
    _random("depth", _gain(-1, lambda evidence: evidence.players[0]), least=-1.0, better="more",
            players=2),
    _random("matters",
            lambda evidence: evidence.trials.share if evidence.game.players > 1 else None,
            better="more", players=1),
    _searched("searched-fairness", "search fairness",
              lambda evidence: seat_fairness(evidence.strongest.wins), better="more"),
    _searched("searched-draws", "search draws",
              lambda evidence: _draws(evidence.strongest.wins, evidence.game.players),
              better="less"),
    _searched("searched-length", "shape decisions", **_COUNT),
    _searched("searched-branching", "shape branching", **_WIDTH),
    _searched("searched-dead", "shape forced", better="less"),
    _searched("convergence", "articles convergence", scale=0.05, least=None, most=None),
    # Those from here on need a player that notes estimates: `cardstock-pipmc` and `pimc` do, and
    # players that search trees with `reward=rank`.
    _searched("decision-spread", "articles spread", scale=0.05, better="more"),
    _searched("drama", "articles drama", better="more"),
    _searched("security", "articles security"),
    _searched("decisiveness", "browne decisiveness"),
    _searched("clarity", "browne clarity"),
    _searched("uncertainty", "browne uncertainty", better="more"),
    _searched("lead-change", "browne lead_change", better="more"),
    _searched("permanence", "browne permanence"),
    _searched("killer-moves", "browne killer_moves"),
    _searched("coolness", "browne coolness"),
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
