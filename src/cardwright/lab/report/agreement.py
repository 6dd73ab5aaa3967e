"""Whether points and wins agree: what improves one need not improve the other."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.report.judged import judged_in, judged_range
from cardwright.lab.report.numerals import effect_form, many
from cardwright.lab.report.phrases import capital, good

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.lab.findings import Findings

_FEW = 3
"""The fewest clear effects of a class among which one can stand out."""

_LITTLE = 0.25
"""An effect stands out if it has less than this fraction of the other effects' wins per point."""


def disagreeing(findings: Findings) -> Iterator[str]:
    """Yield sentences on effects that improve points, but not wins, or hardly."""
    wins = findings.response_number("wins")
    if wins is None or wins == 0 or findings.deals < 2:
        return
    points_form, wins_form = effect_form(findings, 0), effect_form(findings, wins)
    primary, shares, agreed = findings.responses[0], findings.responses[wins], 0
    for opponents, name in enumerate(findings.opponents):
        both = zip(
            findings.of(opponents, 0, ContrastReading.MAIN),
            findings.of(opponents, wins, ContrastReading.MAIN),
            strict=True,
        )
        for one, other in both:
            sure = one.found.clear(findings.level), other.found.clear(findings.level)
            same = good(one.found, primary) == good(other.found, findings.responses[wins])
            values = (
                f"{judged_in(one.found.value, primary, points_form, points_form.unit)} and "
                f"{judged_in(other.found.value, shares, wins_form, f'{wins_form.unit} of wins')} "
                f"({judged_range(other.found.low, other.found.high, shares, wins_form)})"
            )
            what = f"{findings.contrasts[one.contrast].name} against {name}"
            if all(sure) and not same:
                yield f"They disagree on {what}: {values}."
            elif sure == (True, False):
                yield f"Clear in {primary.name} but not in wins: {what}, {values}."
            elif sure == (False, True):
                yield f"Clear in wins but not in {primary.name}: {what}, {values}."
            elif all(sure):
                agreed += 1
        yield from _lopsided(findings, opponents, wins)
    if agreed:
        yield (
            f"{capital(primary.name)} and wins agree on {many(agreed, 'effect')} that "
            f"{'is' if agreed == 1 else 'are'} clear in both."
        )


def _lopsided(findings: Findings, opponents: int, wins: int) -> Iterator[str]:
    """Say which effects have far fewer wins per point than the others of their class.

    All of these are clear in points; those that are not clear in wins are reported elsewhere.
    """
    points_form, wins_form = effect_form(findings, 0), effect_form(findings, wins)
    effects = [
        (one, other.found)
        for one, other in zip(
            findings.of(opponents, 0, ContrastReading.MAIN),
            findings.of(opponents, wins, ContrastReading.MAIN),
            strict=True,
        )
        if one.found.clear(findings.level)
    ]
    if len(effects) < _FEW:
        return
    rates = [abs(other.value / one.found.value) for one, other in effects]
    for at, (one, other) in enumerate(effects):
        rest = rates[:at] + rates[at + 1 :]
        if not other.clear(findings.level) or rates[at] >= _LITTLE * median(rest):
            continue
        yield (
            f"Much in {findings.responses[0].name}, little in wins: "
            f"{findings.contrasts[one.contrast].name} against {findings.opponents[opponents]}, "
            f"{points_form.signed(one.found.value)} {points_form.unit} and "
            f"{wins_form.signed(other.value)} {wins_form.unit} of wins "
            f"({wins_form.interval(other.low, other.high)}): {100 * rates[at]:.1f} a point, where "
            f"the other effects have {100 * min(rest):.1f} to {100 * max(rest):.1f}."
        )
