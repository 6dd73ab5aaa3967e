"""Phrases: numbers, effects and factors as they are written in sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from statistics import median
from typing import TYPE_CHECKING

from cardwright.english import minus
from cardwright.game.errors import override_text
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.factor import FactorKind
from cardwright.lab.response import Better
from cardwright.library.catalogue import people_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.factor import FactorLevel
    from cardwright.lab.findings import Findings
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Response

_MOST_DECIMALS = 5

_DOING = {
    "pass": "passing",
    "first": "leading a trick",
    "second": "playing second to a trick",
    "third": "playing third to a trick",
    "fourth": "playing fourth to a trick",
    "discard": "discarding",
    "discard_second": "discarding as second to a trick",
    "discard_third": "discarding as third to a trick",
    "discard_fourth": "discarding as fourth to a trick",
}

_DIRECTIONS = {
    Better.LOWER: "lower is better",
    Better.HIGHER: "higher is better",
    Better.NEITHER: "neither more nor less is better",
}

_CHANGES = {
    Better.LOWER: ("worse", "better"),
    Better.HIGHER: ("better", "worse"),
    Better.NEITHER: ("more", "less"),
}
"""What a positive and a negative effect are called."""


# Factors and responses ----------------------------------------------------------------------------


def game_name(plan: LabPlan) -> str:
    """Return the game of a plan as people write it."""
    game = plan.game
    settings = {name: override_text(value) for name, value in game.declared}
    return people_name(game.name, game.preset, settings)


def change(plan: LabPlan, contrast: Contrast) -> str:
    """Return what a factor's effect compares, such as `passing by rule instead of at random`."""
    number, level = contrast.terms[0]
    factor = plan.factors[number]
    base, other = factor.levels[0], factor.levels[level]
    match factor.kind:
        case FactorKind.SLOT:
            doing = _DOING.get(factor.target, factor.target)
            return f"{doing} {_way(other)} instead of {_way(base)}"
        case FactorKind.SWAP:
            slot, _, place = factor.target.partition(":")
            steps = f"steps {int(place) + 1} and {int(place) + 2} of {slot}"
            if other.value is True:
                return f"exchanging {steps}"
            return f"leaving {steps} in their order instead of exchanging them"
        case FactorKind.OPTION:
            return f"playing with {factor.target} = {other.value} instead of {base.value}"
        case FactorKind.PARAMETER:
            return f"setting {factor.target} to {other.value} instead of {base.value}"
        case FactorKind.PLAYER:
            return f"playing as {other.name} instead of {base.name}"


def _way(level: FactorLevel) -> str:
    """Return how a slot is played: by the name of its list, or at random without one."""
    return "at random" if level.value is None else f"by {level.name}"


def direction(response: Response) -> str:
    """Return which values of a response are good."""
    return _DIRECTIONS[response.better]


def span(response: Response) -> str:
    """Return what a response is counted over: a game, or a match of several deals."""
    return "match" if "match" in response.about else "game"


# Numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How values of a response are written: shares in per cent, others in their units."""

    response: Response
    decimals: int

    @classmethod
    def of(cls, response: Response, margins: Iterable[float | None]) -> NumberFormat:
        """Return the format for values whose intervals have these half-widths.

        The median one is written with one digit, or with two if it begins with a 1, and the
        smallest with one.
        """
        scale = 100 if response.unit == "share" else 1
        known = [scale * margin for margin in margins if margin] or [0.1]
        digits = max(-floor(log10(median(known) / 2)), -floor(log10(min(known))))
        return cls(response, min(_MOST_DECIMALS, max(0, digits)))

    @property
    def share(self) -> bool:
        """Whether values are shares."""
        return self.response.unit == "share"

    @property
    def scale(self) -> int:
        """What values are multiplied by: 100 for shares."""
        return 100 if self.share else 1

    @property
    def unit(self) -> str:
        """The unit of a difference."""
        return "percentage points" if self.share else self.response.unit

    def number(self, value: float) -> str:
        """Return a value without unit or per cent sign."""
        return minus(f"{self.scale * value:,.{self.decimals}f}")

    def plain(self, value: float) -> str:
        """Return a value; shares have a per cent sign."""
        return self.number(value) + (" %" if self.share else "")

    def signed(self, value: float) -> str:
        """Return a difference with its sign."""
        text = self.number(value)
        return text if text.startswith("−") or not text.strip("0.,") else f"+{text}"

    def interval(self, low: float | None, high: float | None) -> str:
        """Return an interval, or a dash if there is none."""
        if low is None or high is None:
            return "–"
        return f"{self.number(low)} to {self.number(high)}"

    def size(self, value: float) -> str:
        """Return the size of a difference with its unit, without its sign."""
        text = self.number(abs(value))
        return f"{text} {self.unit.removesuffix('s') if text == '1' else self.unit}"

    def sized(self, low: float | None, high: float | None, value: float) -> str:
        """Return the interval of an effect's size, with the sign that makes the effect positive."""
        if low is None or high is None:
            return "no interval"
        return self.interval(low, high) if value >= 0 else self.interval(-high, -low)

    def done(self, value: float) -> str:
        """Return what an effect does, such as `saves 2.35 points a game`."""
        response, size, up = self.response, self.size(value), value > 0
        if response.name == "points":
            verbs = ("gains", "loses") if response.better is Better.HIGHER else ("costs", "saves")
            return f"{verbs[not up]} {size} a {span(response)}"
        verb = "raises" if up else "lowers"
        if response.name == "wins":
            return f"{verb} the share of wins by {size}"
        return f"{verb} {response.name} by {size} a {span(response)}"

    def judged(self, value: float, unit: str = "") -> str:
        """Return what an effect is, such as `better by 2.35`, perhaps with a unit."""
        if not value:
            return "no different"
        return f"{self._word(value)} by {self.number(abs(value))}{unit and f' {unit}'}"

    def judged_range(self, low: float | None, high: float | None) -> str:
        """Return an interval, such as `1.3 to 2.3 better` or `0.3 worse to 1.9 better`."""
        if low is None or high is None:
            return "–"
        if low * high > 0:
            first, last = sorted((abs(low), abs(high)))
            return f"{self.number(first)} to {self.number(last)} {self._word(low)}"
        ends = (high, low) if self.response.better is Better.LOWER else (low, high)
        return " to ".join(
            f"{self.number(abs(end))} {self._word(end)}" if end else self.number(0) for end in ends
        )

    def _word(self, value: float) -> str:
        return _CHANGES[self.response.better][value < 0]


def effect_form(
    findings: Findings, response: int, reading: ContrastReading = ContrastReading.MAIN
) -> NumberFormat:
    """Return the format for effects of one reading on a response.

    One without an interval is written as if its interval were as wide as the effect is large.
    """
    return NumberFormat.of(
        findings.responses[response],
        [
            effect.found.margin or abs(effect.found.value)
            for opponents in range(len(findings.opponents))
            for effect in findings.effects_of(opponents, response, reading)
        ],
    )


def chance(p: float | None) -> str:
    """Return a p value."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
