"""Findings: all numbers that an experiment's report prints, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardwright.lab.contrast import Contrast, ContrastReading
    from cardwright.lab.plan import Cell
    from cardwright.lab.response import Response
    from cardwright.statistics.sample import Estimate
    from cardwright.statistics.sequential import Verdict

FORMAT, VERSION = "cardwright lab findings", 1

_DIGITS = 10
"""Digits of numbers that are written: fewer than machines agree on, more than anyone needs."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A mean over deals, in units of its response; None is what the deals cannot tell.

    A single deal tells only the value, equal values without bounds tell neither the interval nor p.
    `error` is the standard error, `spread` the standard deviation of a deal's value. `low`
    and `high` are the interval of this mean by itself, `joint_low` and `joint_high` the one that
    holds jointly for its family. `p` is for the hypothesis of no effect, `adjusted` the same after
    Holm's adjustment.
    """

    value: float
    error: float | None
    spread: float | None
    low: float | None
    high: float | None
    p: float | None
    joint_low: float | None = None
    joint_high: float | None = None
    adjusted: float | None = None

    @property
    def margin(self) -> float | None:
        """Half the width of the interval of this mean by itself."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def clear(self, level: float) -> bool:
        """Say whether "no effect" is rejected at the level, adjusted for the family (Holm)."""
        return self.adjusted is not None and self.adjusted <= 1 - level

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {name: rounded(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Effect:
    """The value of a contrast against one class of opponents, on one response.

    `gain` is how many times as many deals would be needed if each cell had its own instead of the
    common ones; it is below 1 where an effect differs greatly from deal to deal. `halved` and
    `fine` are how many deals an interval of half the width, and one of `fine_width` to each side,
    would need. All three are None for an effect that is the same in every deal.
    """

    contrast: int
    opponents: int
    response: int
    found: Statistic
    gain: float | None
    halved: int | None
    fine: int | None


@dataclass(frozen=True, slots=True)
class Shift:
    """By how much a contrast differs against the class `second` from the class `first`."""

    contrast: int
    response: int
    first: int
    second: int
    found: Statistic


@dataclass(frozen=True, slots=True)
class CellMean:
    """The mean of a response in a cell against a class of opponents.

    `difference` is that to the base, deal by deal; None for the base itself, or if the base is not
    played.
    """

    cell: int
    opponents: int
    response: int
    estimate: Estimate
    difference: Statistic | None = None


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of a deal's value in a cell: total, and residual.

    The second is what is left of the table of deals and cells after the means of both are
    subtracted; None for fewer than two deals or cells.
    """

    opponents: int
    response: int
    within: float | None
    residual: float | None


@dataclass(frozen=True, slots=True)
class TestedEffect:
    """What a sequential test says about a main effect."""

    contrast: int
    opponents: int
    verdict: Verdict


@dataclass(frozen=True, eq=False)
class Findings:
    """All findings of an experiment.

    `games` were played of `deals`; `opponents` are names of classes and `labels` those of cells.
    Contrasts, cells, classes and responses are referred to by their numbers here.
    """

    name: str
    level: float
    deals: int
    games: int
    opponents: tuple[str, ...]
    responses: tuple[Response, ...]
    cells: tuple[Cell, ...]
    labels: tuple[str, ...]
    contrasts: tuple[Contrast, ...]
    effects: tuple[Effect, ...]
    shifts: tuple[Shift, ...]
    means: tuple[CellMean, ...]
    noises: tuple[Noise, ...]
    tested: tuple[TestedEffect, ...] = ()

    @property
    def games_a_deal(self) -> int:
        """The number of games of a deal, over all cells, seatings and classes."""
        return self.games // self.deals

    def of(self, opponents: int, response: int, reading: ContrastReading) -> list[Effect]:
        """Return the effects of one family, in the order of the contrasts."""
        return [
            effect
            for effect in self.effects
            if (effect.opponents, effect.response) == (opponents, response)
            and self.contrasts[effect.contrast].reading is reading
        ]

    def cell_means(self, opponents: int, response: int) -> list[CellMean]:
        """Return the means of all cells, in their order."""
        wanted = (opponents, response)
        return [mean for mean in self.means if (mean.opponents, mean.response) == wanted]

    def response_number(self, name: str) -> int | None:
        """Return the number of a response, if it was measured."""
        names = [response.name for response in self.responses]
        return names.index(name) if name in names else None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        names = [response.name for response in self.responses]
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "level": self.level,
            "deals": self.deals,
            "games": self.games,
            "opponents": list(self.opponents),
            "responses": [asdict(response) for response in self.responses],
            "cells": [
                {"label": label, "levels": list(cell)}
                for label, cell in zip(self.labels, self.cells, strict=True)
            ],
            "contrasts": [asdict(contrast) for contrast in self.contrasts],
            "effects": [self._effect(effect, names) for effect in self.effects],
            "shifts": [
                {
                    "contrast": shift.contrast,
                    "response": names[shift.response],
                    "first": self.opponents[shift.first],
                    "second": self.opponents[shift.second],
                    **shift.found.record(),
                }
                for shift in self.shifts
            ],
            "means": [
                {
                    "cell": mean.cell,
                    "opponents": self.opponents[mean.opponents],
                    "response": names[mean.response],
                    **{key: rounded(value) for key, value in mean.estimate.record().items()},
                    "to_base": None if mean.difference is None else mean.difference.record(),
                }
                for mean in self.means
            ],
            "noise": [
                {
                    "opponents": self.opponents[noise.opponents],
                    "response": names[noise.response],
                    "within": rounded(noise.within),
                    "residual": rounded(noise.residual),
                }
                for noise in self.noises
            ],
            "tests": [
                {
                    "contrast": test.contrast,
                    "opponents": self.opponents[test.opponents],
                    **{key: rounded(value) for key, value in test.verdict.record().items()},
                }
                for test in self.tested
            ],
        }

    def _effect(self, effect: Effect, names: list[str]) -> dict[str, Any]:
        contrast = self.contrasts[effect.contrast]
        return {
            "contrast": effect.contrast,
            "name": contrast.name,
            "reading": str(contrast.reading),
            "opponents": self.opponents[effect.opponents],
            "response": names[effect.response],
            **effect.found.record(),
            "common_deals_gain": rounded(effect.gain),
            "deals_for_half_the_width": effect.halved,
            "deals_for_fine": effect.fine,
        }


def fine_width(response: Response) -> float:
    """Return a fine half-width of an interval: 0.1 of a unit, or 0.01 for shares."""
    return 0.01 if response.unit == "share" else 0.1


def rounded(value: Any) -> Any:
    """Return a float rounded to the digits that are written; anything else unchanged."""
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
