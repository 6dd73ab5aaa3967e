"""The findings in plain words: what was found, how certain it is, and what it does not show."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.findings import fine_width
from cardwright.lab.plan import Design, Precision, Seating, Sequential
from cardwright.lab.report.phrases import (
    capital,
    chance,
    change,
    count,
    done,
    effect_form,
    good,
    judged,
    judged_in,
    judged_range,
    listed,
    many,
    minus,
    percent,
    sided,
    span,
)
from cardwright.statistics.caveat import caveat, family_caveat
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.findings import Effect, Findings
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.phrases import NumberFormat

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


STOPPED = 89
"""Percent of intervals that covered the truth in simulations that were stopped by their width after
about 1,000 deals, where 1 % of the values are 26 standard deviations off."""

_MOST_ALIASES = 8
"""Aliases that are listed one by one; tables have all."""


def stopped(plan: LabPlan, findings: Findings) -> Iterator[str]:
    """Say how the stopping rule ended the experiment, if there is one."""
    rule = plan.stop
    if isinstance(rule, Precision):
        yield (
            f"Deals were to be played until every main effect on {rule.response} was known to "
            f"±{rule.half_width:g}, {count(plan.deals)} at most; it ended after "
            f"{count(findings.deals)}."
        )
        if findings.deals < plan.deals:
            yield (
                "Such an experiment stops where the spread seems small. In simulations that "
                "stopped after about 1,000 deals its intervals covered the truth in "
                f"{STOPPED} % of cases instead of 95 % where 1 score in 100 is 26 standard "
                "deviations off; that is no lower limit."
            )
    if isinstance(rule, Sequential):
        groups: dict[str, list[str]] = {"H1": [], "H0": [], "undecided": []}
        for test in findings.tested:
            name = findings.contrasts[test.contrast].name
            where = f" against {findings.opponents[test.opponents]}"
            groups[test.verdict.accepted].append(
                name + (where if len(findings.opponents) > 1 else "")
            )
        yield (
            f"The test was whether the gain in {rule.response} is {rule.h0:g} or {rule.h1:g}, with "
            f"the sign such that more is better, with error probabilities of {rule.alpha:g} and "
            f"{rule.beta:g} for all effects together."
        )
        yield from _bounded(findings, rule)
        for answer, words in (
            ("H1", f"Accepted is {rule.h1:g}"),
            ("H0", f"Accepted is {rule.h0:g}"),
            ("undecided", "Undecided"),
        ):
            if groups[answer]:
                yield f"{words}: {listed(groups[answer])}."
        yield (
            "An experiment that stops by such a test overstates the effects that ended it a "
            "little: for sizes rather than verdicts, play a fixed number of deals."
        )


def _bounded(findings: Findings, rule: Sequential) -> Iterator[str]:
    """Say under which condition the error probabilities of a test hold."""
    if not findings.tested:
        return
    bound = max(one.verdict.bound for one in findings.tested)
    if rule.bound is not None:
        why = "as the plan states"
    else:
        (least, most), *_ = (
            one.bounds for one in findings.responses if one.name == rule.response and one.bounds
        )
        why = (
            f"that follows from {rule.response} being from {minus(f'{least:g}')} to "
            f"{minus(f'{most:g}')}, by the rules or by what the game's file declares"
        )
    yield (
        "These probabilities hold for independent deals, whenever it stops, if no effect of a deal "
        f"is beyond {bound:g}: {why}."
    )


def precise(plan: LabPlan, findings: Findings) -> Iterator[str]:
    """Say how precise main effects are, what better intervals cost, what common deals gained."""
    if findings.deals < 2:
        return
    mains = [
        effect
        for opponents in range(len(findings.opponents))
        for effect in findings.of(opponents, 0, ContrastReading.MAIN)
    ]
    varying = [effect for effect in mains if effect.found.spread]
    if varying:
        yield _costs(findings, varying)
        yield from _common(plan, varying)
    else:
        yield "Nothing varies from deal to deal."
    if len(varying) < len(mains):
        yield _without_spread(findings, len(mains) - len(varying))


def _costs(findings: Findings, effects: Sequence[Effect]) -> str:
    """Say how wide the widest interval of the varying effects is, and what better ones cost."""
    response, form = findings.responses[0], effect_form(findings, 0)
    widest = max(effects, key=lambda effect: effect.found.margin or 0.0)
    margin, halved = widest.found.margin, widest.halved
    assert margin is not None
    assert halved is not None
    return (
        f"The least certain main effect is known to ±{form.size(margin)}. Halving that needs four "
        f"times the deals: {count(halved)}, which are "
        f"{many(halved * findings.games_a_deal, 'game')}. ±{fine_width(response):g} "
        f"{response.unit} for all main effects needs "
        f"{many(max(effect.fine or 0 for effect in effects), 'deal')}."
    )


def _without_spread(findings: Findings, number: int) -> str:
    """Say what the intervals of main effects rest on that were the same in every deal, if anything.

    Deals without spread do not show how far from them others can be.
    """
    response = findings.responses[0]
    same = f"{many(number, 'main effect')} {'was' if number == 1 else 'were'} the same in all deals"
    if response.bounds is None:
        return (
            f"{same}, and so without an interval: nothing bounds what {response.name} are in other "
            "deals."
        )
    least, most = response.bounds
    return (
        f"{same}: what is known of {'it' if number == 1 else 'them'} rests on the number of deals, "
        f"and on {response.name} being from {minus(f'{least:g}')} to {minus(f'{most:g}')}."
    )


def _common(plan: LabPlan, mains: Sequence[Effect]) -> Iterator[str]:
    """Say what playing the same deals in all cells gained: sometimes less than nothing."""
    gains = sorted(effect.gain for effect in mains if effect.gain is not None)
    if not gains:
        return
    low, high = f"{gains[0]:.1f}", f"{gains[-1]:.1f}"
    worth = low if low == high else f"{low} to {high}"
    yield (
        f"With other deals in each cell, {worth} times as many a cell would have been needed for "
        "the same intervals."
    )
    if float(low) < 1:
        fraction = plan.design is Design.FACTORIAL and len(plan.factors) > 2
        yield (
            "Less than 1 means that an effect itself differs greatly from deal to deal. Cells that "
            "share their deals do not average that out, more deals do"
            + ("; a fraction of the cells with more deals is about as precise for fewer games."
               if fraction else ".")
        )  # fmt: skip


def limits(plan: LabPlan, findings: Findings) -> Iterator[str]:
    """Say what the experiment does not show."""
    yield (
        f"Effects hold for these levels, in {plan.game.name} with {plan.game.players} players, "
        f"against {listed(findings.opponents)}; other opponents may reverse them."
    )
    if plan.design is Design.ONE and len(plan.factors) > 1:
        yield (
            "One factor was varied at a time, so whether factors overlap is not known: together "
            "they may do less than the sum, or more."
        )
    if plan.design is Design.SCREEN:
        yield (
            "A screen assumes that factors do not act on each other: an interaction, if there is "
            "one, is spread over the main effects of the others."
        )
    mixed = [one for one in findings.contrasts if one.aliases]
    if mixed:
        told = listed(f"{one.name} ({', '.join(one.aliases)})" for one in mixed[:_MOST_ALIASES])
        yield f"In this fraction some effects cannot be told apart: {told}."
    elif plan.generators:
        yield (
            "In this fraction main effects and interactions of two are aliased with those of more "
            "factors, which are taken to be zero."
        )
    if span(findings.responses[0]) == "game":
        yield (
            "Single games were played: what is good for one game need not win a match over many, "
            "where the standing counts."
        )
    if findings.response_number("wins") is not None:
        yield tie_words("shared")
    families = len(findings.responses) * len(findings.opponents)
    yield (
        "P values are adjusted, and joint intervals hold, within one family: one kind of effect on "
        f"one response against one class. Of main effects there are {families} families here, so "
        f"something will be found by chance in some of them: {findings.responses[0].name} come "
        "first, the other responses are secondary."
    )


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
