"""The findings in plain words: what was found, how certain it is, and what it does not show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design, Seating
from cardwright.lab.report.agreement import disagreeing
from cardwright.lab.report.caveats import limits, precise, stopped
from cardwright.lab.report.judged import judged, judged_range
from cardwright.lab.report.numerals import chance, effect_form, listed, many, percent
from cardwright.lab.report.phrases import capital, change, done, sided, span
from cardwright.statistics.caveat import caveat, family_caveat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.findings import Effect, Findings
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.numerals import NumberFormat

_MOST = 8
"""Effects that are described one by one; tables have all."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Some sentences with a heading."""

    heading: str
    sentences: tuple[str, ...]


def summary(plan: LabPlan, findings: Findings) -> tuple[ReportSection, ...]:
    """Return the sections of the summary, in the order in which readers want them."""
    parts: list[tuple[str, Iterator[str]]] = [("What was played", _played(plan, findings))]
    for opponents, name in enumerate(findings.opponents):
        parts.append((f"Against {name}", _found(plan, findings, opponents)))
    parts += [
        ("Does it depend on the opponents?", _shifted(findings)),
        ("Points and wins", disagreeing(findings)),
        ("Do the factors overlap?", _overlapping(findings)),
        ("What the stopping rule said", stopped(plan, findings)),
        ("How precise this is", precise(plan, findings)),
        ("What this does not show", limits(plan, findings)),
    ]
    made = [ReportSection(heading, tuple(sentences)) for heading, sentences in parts]
    return tuple(section for section in made if section.sentences)


def _played(plan: LabPlan, findings: Findings) -> Iterator[str]:
    cells, classes = len(findings.cells), len(findings.opponents)
    seats = {
        Seating.ALL: "in each seat in turn, one against the others",
        Seating.ROTATE: "in one seat a deal, one against the others",
        Seating.PAIRS: "two against two, in all six ways",
    }[plan.seating]
    design = {
        Design.ONE: "The base and every level of each factor with the others at the base",
        Design.FACTORIAL: "A fraction of all combinations of levels"
        if plan.generators
        else "All combinations of levels",
        Design.SCREEN: "A screening design for main effects",
    }[plan.design]
    yield (
        f"{design}: {many(cells, 'cell')}, each with the same {many(findings.deals, 'deal')}, "
        f"the tested player {seats}, against {many(classes, 'class', 'classes')} of opponents "
        f"({listed(findings.opponents)}). {many(findings.games, 'game')} in all."
    )
    if findings.deals < 2:
        yield "A single deal has no interval: how certain these numbers are is unknown."
    elif rough := caveat(findings.deals):
        yield rough
        yield family_caveat(findings.deals)


def _found(plan: LabPlan, findings: Findings, opponents: int) -> Iterator[str]:
    """Say what each factor does, the largest effect first, then what was not shown."""
    response, form = findings.responses[0], effect_form(findings, 0)
    effects = _sorted(findings.of(opponents, 0, ContrastReading.MAIN))
    clear = [effect for effect in effects if effect.found.clear(findings.level)]
    for effect in clear[:_MOST]:
        contrast, found = findings.contrasts[effect.contrast], effect.found
        text = f"{capital(change(plan, contrast))} {done(found, response, form, span(response))}"
        interval = sided(found.low, found.high, found.value, form)
        yield f"{text} ({percent(findings.level)}: {interval})."
    if len(clear) > _MOST:
        yield f"{len(clear) - _MOST} smaller effects are clear too: see the table."
    unclear = [effect for effect in effects if not effect.found.clear(findings.level)]
    if findings.deals < 2:
        told = listed(
            f"{findings.contrasts[effect.contrast].name} "
            f"{judged(effect.found.value, response, form)}"
            for effect in effects[:_MOST]
        )
        yield f"In this one deal, without an interval: {told} {form.unit}."
        return
    yield from _constant([effect for effect in unclear if effect.found.spread == 0], findings, form)
    unsure = [effect for effect in unclear if effect.found.spread]
    if unsure:
        told = listed(
            f"{findings.contrasts[effect.contrast].name} "
            f"({judged_range(effect.found.low, effect.found.high, response, form)})"
            for effect in unsure[:_MOST]
        )
        more = f", and {len(unsure) - _MOST} more" if len(unsure) > _MOST else ""
        yield f"No clear effect, which is not the same as none: {told}{more}."
    if len(effects) > 1:
        adjusted = [effect.found.adjusted for effect in clear if effect.found.adjusted is not None]
        if adjusted:
            yield (
                f"Clear means: p is at most {1 - findings.level:.2g} after Holm’s adjustment for "
                f"{len(effects)} effects; the largest of these p is "
                f"{chance(max(adjusted)).replace('<', 'below')}."
            )


def _constant(effects: Sequence[Effect], findings: Findings, form: NumberFormat) -> Iterator[str]:
    """Report effects that were the same in every deal, but are not clear even so."""
    nothing = [effect for effect in effects if not effect.found.value]
    if nothing:
        names = listed(findings.contrasts[effect.contrast].name for effect in nothing)
        yield f"No difference at all, in any deal: {names}."
    same = [effect for effect in effects if effect.found.value]
    if same:
        told = listed(
            f"{findings.contrasts[effect.contrast].name} {form.signed(effect.found.value)}"
            for effect in same[:_MOST]
        )
        yield (
            f"The same in every deal, which does not show what it is in others: {told} {form.unit}."
        )


def _shifted(findings: Findings) -> Iterator[str]:
    response, form = findings.responses[0], effect_form(findings, 0)
    if len(findings.opponents) < 2 or findings.deals < 2:
        return
    shifts = [shift for shift in findings.shifts if shift.response == 0]
    clear = [shift for shift in shifts if shift.found.clear(findings.level)]
    for shift in sorted(clear, key=lambda one: -abs(one.found.value))[:_MOST]:
        name = findings.contrasts[shift.contrast].name
        first, second = (
            judged(_effect_of(findings, at, shift.contrast).found.value, response, form)
            for at in (shift.first, shift.second)
        )
        found = shift.found
        yield (
            f"{name}: {first} {form.unit} against {findings.opponents[shift.first]}, {second} "
            f"against {findings.opponents[shift.second]}; they differ by {form.size(found.value)} "
            f"({sided(found.low, found.high, found.value, form)})."
        )
    if len(clear) > _MOST:
        yield f"{len(clear) - _MOST} smaller differences are clear too: see the table."
    if not clear:
        yield "No effect was shown to differ between the classes of opponents."


def _overlapping(findings: Findings) -> Iterator[str]:
    """Say how an effect depends on the levels of the other factors."""
    response, form = findings.responses[0], effect_form(findings, 0)
    for opponents, name in enumerate(findings.opponents):
        effects = _sorted(findings.of(opponents, 0, ContrastReading.MAIN))
        clear = [effect for effect in effects if effect.found.clear(findings.level)]
        if clear:
            yield from _three(findings, opponents, clear[0], form, name)
        both = _sorted(findings.of(opponents, 0, ContrastReading.INTERACTION))
        sure = [effect for effect in both if effect.found.clear(findings.level)]
        finer = effect_form(findings, 0, ContrastReading.INTERACTION)
        if sure:
            told = listed(
                f"{findings.contrasts[effect.contrast].name} {finer.signed(effect.found.value)}"
                for effect in sure[:3]
            )
            yield (
                f"Against {name}, {len(sure)} of {many(len(both), 'interaction')} "
                f"{'is' if len(sure) == 1 else 'are'} clear; the largest: {told} "
                f"{response.unit}."
            )
        elif both and findings.deals > 1:
            yield f"Against {name}, none of {many(len(both), 'interaction')} is clear."


def _three(
    findings: Findings, opponents: int, main: Effect, form: NumberFormat, name: str
) -> Iterator[str]:
    """Say what one effect is alone, as a mean, and removed, if there is more than the mean."""
    terms = findings.contrasts[main.contrast].terms
    said: list[str] = []
    for reading, words in (
        (ContrastReading.ALONE, "with all others at the base"),
        (ContrastReading.MAIN, "as a mean over all settings"),
        (ContrastReading.REMOVED, "with all others changed too"),
    ):
        said += [
            f"{judged(effect.found.value, findings.responses[0], form)} {words}"
            for effect in findings.of(opponents, 0, reading)
            if findings.contrasts[effect.contrast].terms == terms
        ]
    what = findings.contrasts[main.contrast].name
    if len(said) > 1:
        yield f"Against {name}, the effect of {what} is {', '.join(said)}."


def _effect_of(findings: Findings, opponents: int, contrast: int) -> Effect:
    effects = findings.of(opponents, 0, ContrastReading.MAIN)
    return next(effect for effect in effects if effect.contrast == contrast)


def _sorted(effects: Sequence[Effect]) -> list[Effect]:
    return sorted(effects, key=lambda effect: -abs(effect.found.value))
