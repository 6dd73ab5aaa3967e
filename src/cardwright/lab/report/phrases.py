"""Phrases: numbers, effects and factors as they are written in sentences and tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from statistics import median
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.factor import FactorKind
from cardwright.lab.response import Better

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.factor import FactorLevel
    from cardwright.lab.findings import Findings, Statistic
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Response

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
            there = f"steps {int(place) + 1} and {int(place) + 2} of {slot}"
            if other.value is True:
                return f"exchanging {there}"
            return f"leaving {there} in their order instead of exchanging them"
        case FactorKind.OPTION:
            return f"playing with {factor.target} = {other.value} instead of {base.value}"
        case FactorKind.PARAMETER:
            return f"setting {factor.target} to {other.value} instead of {base.value}"
        case FactorKind.PLAYER:
            return f"playing as {other.name} instead of {base.name}"


def compared(plan: LabPlan, contrast: Contrast) -> str:
    """Return the levels that an effect of one factor compares, such as `rule − random`."""
    number, level = contrast.terms[0]
    levels = plan.factors[number].levels
    return f"{levels[level].name} − {levels[0].name}"


def called(contrast: Contrast) -> str:
    """Return an effect's name, with its aliases."""
    return " = ".join((contrast.name, *contrast.aliases))


def done(found: Statistic, response: Response, form: NumberFormat, span: str) -> str:
    """Return what an effect does, such as `saves 2.35 points a game`."""
    up = found.value > 0
    size = form.size(found.value)
    if response.name == "wins":
        return f"{'raises' if up else 'lowers'} the share of wins by {size}"
    if response.name == "points":
        good = up == (response.better is Better.HIGHER)
        verb = ("gains" if good else "loses") if response.better is Better.HIGHER else (
            "saves" if good else "costs"
        )  # fmt: skip
        return f"{verb} {size} a {span}"
    return f"{'raises' if up else 'lowers'} {response.name} by {size} a {span}"


def sided(low: float | None, high: float | None, value: float, form: NumberFormat) -> str:
    """Return the interval of an effect's size, with the sign such that the effect is positive."""
    if low is None or high is None:
        return "no interval"
    return form.interval(low, high) if value >= 0 else form.interval(-high, -low)


def direction(response: Response) -> str:
    """Return which values of a response are good."""
    match response.better:
        case Better.LOWER:
            return "lower is better"
        case Better.HIGHER:
            return "higher is better"
        case Better.NEITHER:
            return "neither more nor less is better"


def good(found: Statistic, response: Response) -> bool | None:
    """Say whether an effect is good for the seat; None if neither direction of its response is."""
    if response.better is Better.NEITHER:
        return None
    return (found.value > 0) == (response.better is Better.HIGHER)


def span(response: Response) -> str:
    """Return what a response is counted over: a game, or a match of several deals."""
    return "match" if "match" in response.about else "game"


def _way(level: FactorLevel) -> str:
    """Return how a slot is played: by the name of its list, or at random without one."""
    return "at random" if level.value is None else f"by {level.name}"


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


_MOST = 5
"""Digits after the point, at most."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How values of a response are written: shares in per cent, others in their units."""

    share: bool
    decimals: int
    unit: str

    @classmethod
    def of(cls, response: Response, margins: Iterable[float | None]) -> NumberFormat:
        """Return the format for values whose intervals have these half-widths.

        The median one is written with one digit, or with two if it begins with a 1, and the
        smallest with one.
        """
        share = response.unit == "share"
        known = [(100 if share else 1) * margin for margin in margins if margin] or [0.1]
        digits = max(-floor(log10(median(known) / 2)), -floor(log10(min(known))))
        decimals = min(_MOST, max(0, digits))
        return cls(share, decimals, "percentage points" if share else response.unit)

    def number(self, value: float) -> str:
        """Return a value without unit or per cent sign."""
        scaled = 100 * value if self.share else value
        return minus(f"{scaled:,.{self.decimals}f}")

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
        one = text == "1" and not self.share
        return f"{text} {self.unit.removesuffix('s') if one else self.unit}"


def minus(text: str) -> str:
    """Return a number with a true minus sign, and none before a 0."""
    if not text.strip("-0.,"):
        return text.removeprefix("-")
    return text.replace("-", "−")


def chance(p: float | None) -> str:
    """Return a p value."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def times(gain: float | None) -> str:
    """Return a factor, as in `3.2 times as many`."""
    return "–" if gain is None else f"{gain:.1f}"


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
            for effect in findings.of(opponents, response, reading)
        ],
    )


def percent(level: float) -> str:
    """Return a level of intervals, as `95 %`."""
    return f"{100 * level:g} %"


def count(number: int) -> str:
    """Return a count."""
    return f"{number:,}"


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence, with `and` before the last."""
    found = list(names)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"


def many(number: int, one: str, more: str = "") -> str:
    """Return a count with its noun; `more` is the plural, if it is not formed with an s."""
    return f"{count(number)} {one if number == 1 else more or one + 's'}"


_WORDS = {
    Better.LOWER: ("worse", "better"),
    Better.HIGHER: ("better", "worse"),
    Better.NEITHER: ("more", "less"),
}
"""What a positive and a negative effect are called."""


def direction_word(value: float, response: Response) -> str:
    """Return `better` or `worse`, or `more` or `less` of what is neither; not for 0."""
    return _WORDS[response.better][value < 0]


def judged(value: float, response: Response, form: NumberFormat) -> str:
    """Return what an effect is, such as `better by 2.35`, without its unit."""
    if not value:
        return "no different"
    return f"{direction_word(value, response)} by {form.number(abs(value))}"


def judged_in(value: float, response: Response, form: NumberFormat, unit: str) -> str:
    """Return what an effect is, with its unit: `better by 2.35 points`, or `no different`."""
    said = judged(value, response, form)
    return f"{said} {unit}" if value else said


def judged_range(
    low: float | None, high: float | None, response: Response, form: NumberFormat
) -> str:
    """Return an interval, such as `1.3 to 2.3 better` or `0.3 worse to 1.9 better`."""
    if low is None or high is None:
        return "–"
    ends = sorted((low, high), key=lambda end: (good_side(end, response), abs(end)))
    if low * high > 0:
        first, last = sorted((abs(low), abs(high)))
        return f"{form.number(first)} to {form.number(last)} {direction_word(low, response)}"
    return " to ".join(
        f"{form.number(abs(end))} {direction_word(end, response)}" if end else form.number(0)
        for end in ends
    )


def good_side(value: float, response: Response) -> float:
    """Return an effect with the sign that makes better ones positive."""
    return -value if response.better is Better.LOWER else value
