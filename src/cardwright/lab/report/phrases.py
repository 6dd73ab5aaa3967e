"""Phrases: what a factor does and what an effect is, as used in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.factor import FactorKind
from cardwright.lab.response import Better

if TYPE_CHECKING:
    from cardwright.lab.contrast import Contrast
    from cardwright.lab.factor import FactorLevel
    from cardwright.lab.findings import Statistic
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.numerals import NumberFormat
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
