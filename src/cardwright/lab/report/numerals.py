"""Numbers as texts: with as many digits as their intervals justify, and in readable units."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10
from statistics import median
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.lab.findings import Findings
    from cardwright.lab.response import Response

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
