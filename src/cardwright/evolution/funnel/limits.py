"""Limits of what a candidate may cost: all of them are counts, the same on every machine.

A loop in a rule can make a million rounds, and a choice a million options, and two machines do not
agree on a bound of time. What a game costs the interpreter is proportional to its *work*: the
rounds of all loops, the effects, and ten for each block and test of an end. In the games of the
library a unit takes one to four microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, FunnelStep
from cardwright.evolution.funnel.leaving import LeftError
from cardwright.interpreter.machine import GameLimits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.evolution.funnel.trial_game import TrialGame
    from cardwright.program.program import Program

GROWTH = 4
"""A candidate may be this many times as large, as long and as costly as the original."""

LEAST_STEPS = GameLimits().steps
"""Steps in a row without a decision that are allowed in any case: as many as engines allow. A game
that anybody can play to its end must not be called endless here."""

LEAST_DECISIONS = 500
"""Decisions of a game that are allowed in any case: most games of the library have fewer than 100.
"""

MORE_IDLE = 0.05
"""By how much the share of decisions with an option that does nothing may be above the original's:
such an option makes a decision of what was none, and nothing else."""

LEAST_OPTIONS = 1_000
"""Options of one decision that are allowed in any case: no game of the library has 100."""

LEAST_WORK = 300_000
"""Work that is allowed in any case, for all trial games of a candidate together: a second or less.
The longest game of the library takes 30,000 a game.
"""

LEAST_CARDS = 250
"""Cards that are allowed in any case: four packs and more."""

LEAST_FORMS = 4_000
"""Forms of the unfolded rules that are allowed in any case: twice the longest rules of the library.
What it takes to compile is proportional to them."""


@dataclass(frozen=True, slots=True)
class CostLimits:
    """What candidates near one original may cost.

    `steps` is the most in a row without a decision and `decisions` the most of a game; `options`
    the most of a decision; `work` the most of all trial games of a candidate together; `cards` and
    `forms` the most of its rules; `idle` the share of decisions with an option that does nothing.
    """

    steps: int = 10_000
    decisions: int = 10_000
    options: int = 100_000
    work: int = 600_000
    cards: int = 1 << 16
    forms: int = 100_000
    idle: float = 1.0

    @classmethod
    def near(cls, program: Program, games: Iterable[TrialGame], trials: int) -> CostLimits:
        """Return the limits for variants of a program, given games of it; `trials` a candidate."""
        played = tuple(games)

        def most(least: int, found: Iterable[int]) -> int:
            return max(least, GROWTH * max(found, default=0))

        return cls(
            most(LEAST_STEPS, (game.steps for game in played)),
            most(LEAST_DECISIONS, (game.decisions for game in played)),
            most(LEAST_OPTIONS, (game.options for game in played)),
            most(LEAST_WORK, (trials * game.work for game in played)),
            most(LEAST_CARDS, [len(program.cards)]),
            most(LEAST_FORMS, [len(program.nodes())]),
            MORE_IDLE + idle_share(played),
        )

    @classmethod
    def of_originals(cls) -> CostLimits:
        """Return the limits of the games from which those of variants follow.

        They are far above what engines allow by default, so that what a game really costs is seen.
        """
        return cls(steps=1_000_000, decisions=1_000_000, work=30_000_000)

    @property
    def of_games(self) -> GameLimits:
        """The limits of a game, for engines."""
        return GameLimits(self.steps, self.decisions)

    def check_size(self, program: Program) -> None:
        """Raise LeftError for rules that are too large to be tried."""
        for what, found, most in (
            ("cards", len(program.cards), self.cards),
            ("forms", len(program.nodes()), self.forms),
        ):
            if found > most:
                detail = f"{found:,} {what}, more than {most:,}"
                raise LeftError(FunnelStep.TRY, DepartureReason.TOO_LARGE, detail)


def idle_share(games: Sequence[TrialGame]) -> float:
    """Return the share of decisions with an option that does nothing, 0 for no decisions."""
    decisions = sum(game.decisions for game in games)
    return sum(game.idle for game in games) / decisions if decisions else 0.0
