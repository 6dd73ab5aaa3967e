"""What a measure of a game is: its name, what it says, and how it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.evolution.evaluation import FunnelStep
    from cardwright.evolution.measures.evidence import Evidence
    from cardwright.statistics.sample import Estimate

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
