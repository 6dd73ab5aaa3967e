"""The findings in plain words: what was found, how certain it is, and what it does not show."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from cardwright.english import agreed, capital, counted, listed, minus, percent
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.findings import fine_width
from cardwright.lab.plan import Design, Precision, Seating, Sequential
from cardwright.lab.report.phrases import chance, change, effect_form, span
from cardwright.lab.response import Better
from cardwright.library.catalogue import people_name
from cardwright.statistics.caveat import caveat, family_caveat
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.lab.findings import Effect, Findings, Statistic
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.phrases import NumberFormat
    from cardwright.lab.response import Response

_MOST = 8
"""Effects, or aliases, that are described one by one; tables have all."""

STOPPED = 89
"""Percent of intervals that covered the truth in simulations that were stopped by their width after
about 1,000 deals, where 1 % of the values are 26 standard deviations off."""

_FEW = 3
"""The fewest clear effects of a class among which one can stand out."""

_LITTLE = 0.25
"""An effect stands out if it has less than this fraction of the other effects' wins per point."""


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
        ("Points and wins", _disagreeing(findings)),
        ("Do the factors overlap?", _overlapping(findings)),
        ("What the stopping rule said", _stopped(plan, findings)),
        ("How precise this is", _precise(plan, findings)),
        ("What this does not show", _limits(plan, findings)),
    ]
    made = [ReportSection(heading, tuple(sentences)) for heading, sentences in parts]
    return tuple(section for section in made if section.sentences)


def headline(plan: LabPlan, findings: Findings) -> str:
    """Return what decides the game, in one sentence, with intervals against each class.

    Where no effect is clear against any class, it says that this cannot be told.
    """
    response, form = findings.responses[0], effect_form(findings, 0)
    game, leading = people_name(plan.game.name), findings.leading
    mains = [findings.name_of(effect) for effect in findings.effects_of(0, 0, ContrastReading.MAIN)]
    if leading is None:
        what = f"which of {listed(mains)}" if len(mains) > 1 else f"whether {mains[0]}"
        return (
            f"In {game}, {what} matters cannot be told from {counted(findings.deals, 'deal')}: "
            "no effect is clear."
        )
    classes = []
    for opponents, name in enumerate(findings.opponents):
        found = findings.effect(opponents, leading).found
        if found.clear(findings.level):
            size = f"{form.judged(found.value)} {form.unit} a {span(response)}"
            ends = form.sized(found.low, found.high, found.value)
            classes.append(f"against {name} it is {size} ({percent(findings.level, None)}: {ends})")
        else:
            ends = form.judged_range(found.low, found.high)
            classes.append(f"against {name} its effect cannot be told ({ends})")
    matters = "matters most" if len(mains) > 1 else "matters"
    return f"In {game}, {change(plan, findings.contrasts[leading])} {matters}: {listed(classes)}."


def _played(plan: LabPlan, findings: Findings) -> Iterator[str]:
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
        f"{design}: {counted(len(findings.cells), 'cell')}, each with the same "
        f"{counted(findings.deals, 'deal')}, the tested player {seats}, against "
        f"{counted(len(findings.opponents), 'class')} of opponents "
        f"({listed(findings.opponents)}). {counted(findings.games, 'game')} in all."
    )
    if findings.deals < 2:
        yield "A single deal has no interval: how certain these numbers are is unknown."
    elif rough := caveat(findings.deals):
        yield rough
        yield family_caveat(findings.deals)


# Effects ------------------------------------------------------------------------------------------


def _found(plan: LabPlan, findings: Findings, opponents: int) -> Iterator[str]:
    """Say what each factor does, the largest effect first, then what was not shown."""
    form = effect_form(findings, 0)
    effects = findings.largest(opponents, 0, ContrastReading.MAIN)
    clear = findings.clear(effects)
    for effect in clear[:_MOST]:
        found = effect.found
        interval = form.sized(found.low, found.high, found.value)
        yield (
            f"{capital(change(plan, findings.contrast(effect)))} {form.done(found.value)} "
            f"({percent(findings.level, None)}: {interval})."
        )
    if len(clear) > _MOST:
        yield f"{len(clear) - _MOST} smaller effects are clear too: see the table."
    if findings.deals < 2:
        values = _named(findings, effects, lambda found: form.judged(found.value))
        yield f"In this one deal, without an interval: {values} {form.unit}."
        return
    unclear = [effect for effect in effects if not effect.found.clear(findings.level)]
    yield from _constant([effect for effect in unclear if effect.found.spread == 0], findings, form)
    unsure = [effect for effect in unclear if effect.found.spread]
    if unsure:
        ranges = _named(
            findings, unsure, lambda found: f"({form.judged_range(found.low, found.high)})"
        )
        more = f", and {len(unsure) - _MOST} more" if len(unsure) > _MOST else ""
        yield f"No clear effect, which is not the same as none: {ranges}{more}."
    adjusted = [one.found.adjusted for one in clear if one.found.adjusted is not None]
    if len(effects) > 1 and adjusted:
        yield (
            f"Clear means: p is at most {1 - findings.level:.2g} after Holm’s adjustment for "
            f"{len(effects)} effects; the largest of these p is "
            f"{chance(max(adjusted)).replace('<', 'below')}."
        )


def _constant(effects: Sequence[Effect], findings: Findings, form: NumberFormat) -> Iterator[str]:
    """Report effects that were the same in every deal, but are not clear even so."""
    nothing = [findings.name_of(effect) for effect in effects if not effect.found.value]
    if nothing:
        yield f"No difference at all, in any deal: {listed(nothing)}."
    same = [effect for effect in effects if effect.found.value]
    if same:
        yield (
            "The same in every deal, which does not show what it is in others: "
            f"{_named(findings, same, lambda found: form.signed(found.value))} {form.unit}."
        )


def _named(findings: Findings, effects: Sequence[Effect], write: Callable[[Statistic], str]) -> str:
    """Return the first effects by name, each with what is written of it."""
    return listed(
        [f"{findings.name_of(effect)} {write(effect.found)}" for effect in effects[:_MOST]]
    )


def _shifted(findings: Findings) -> Iterator[str]:
    form = effect_form(findings, 0)
    if len(findings.opponents) < 2 or findings.deals < 2:
        return
    clear = findings.clear([shift for shift in findings.shifts if shift.response == 0])
    for shift in sorted(clear, key=lambda one: -abs(one.found.value))[:_MOST]:
        first, second = (
            form.judged(findings.effect(at, shift.contrast).found.value)
            for at in (shift.first, shift.second)
        )
        found = shift.found
        yield (
            f"{findings.name_of(shift)}: {first} {form.unit} against "
            f"{findings.opponents[shift.first]}, {second} against "
            f"{findings.opponents[shift.second]}; they differ by {form.size(found.value)} "
            f"({form.sized(found.low, found.high, found.value)})."
        )
    if len(clear) > _MOST:
        yield f"{len(clear) - _MOST} smaller differences are clear too: see the table."
    if not clear:
        yield "No effect was shown to differ between the classes of opponents."


def _overlapping(findings: Findings) -> Iterator[str]:
    finer = effect_form(findings, 0, ContrastReading.INTERACTION)
    for opponents, name in enumerate(findings.opponents):
        clear = findings.clear(findings.largest(opponents, 0, ContrastReading.MAIN))
        readings = _readings(findings, opponents, clear[0]) if clear else []
        if len(readings) > 1:
            what = findings.name_of(clear[0])
            yield f"Against {name}, the effect of {what} is {', '.join(readings)}."
        both = findings.largest(opponents, 0, ContrastReading.INTERACTION)
        sure = findings.clear(both)
        if sure:
            largest = _named(findings, sure[:3], lambda found: finer.signed(found.value))
            yield (
                f"Against {name}, {len(sure)} of {counted(len(both), 'interaction')} "
                f"{agreed('are', len(sure))} clear; the largest: {largest} "
                f"{findings.responses[0].unit}."
            )
        elif both and findings.deals > 1:
            yield f"Against {name}, none of {counted(len(both), 'interaction')} is clear."


def _readings(findings: Findings, opponents: int, main: Effect) -> list[str]:
    """Return what one effect is alone, as a mean, and removed, where that is known."""
    form, terms = effect_form(findings, 0), findings.contrast(main).terms
    words = {
        ContrastReading.ALONE: "with all others at the base",
        ContrastReading.MAIN: "as a mean over all settings",
        ContrastReading.REMOVED: "with all others changed too",
    }
    return [
        f"{form.judged(effect.found.value)} {how}"
        for reading, how in words.items()
        for effect in findings.effects_of(opponents, 0, reading)
        if findings.contrast(effect).terms == terms
    ]


# Points and wins ----------------------------------------------------------------------------------


def _disagreeing(findings: Findings) -> Iterator[str]:
    wins = findings.response_number("wins")
    if not wins or findings.deals < 2:
        return
    primary, both = findings.responses[0], 0
    points_form, wins_form = effect_form(findings, 0), effect_form(findings, wins)
    for opponents, name in enumerate(findings.opponents):
        mains = (findings.effects_of(opponents, at, ContrastReading.MAIN) for at in (0, wins))
        pairs = list(zip(*mains, strict=True))
        for effect, other in pairs:
            points, share = effect.found, other.found
            what = f"{findings.name_of(effect)} against {name}"
            values = (
                f"{points_form.judged(points.value, points_form.unit)} and "
                f"{wins_form.judged(share.value, f'{wins_form.unit} of wins')} "
                f"({wins_form.judged_range(share.low, share.high)})"
            )
            better = (points.value > 0) == (primary.better is Better.HIGHER)
            match points.clear(findings.level), share.clear(findings.level):
                case True, True if better != (share.value > 0):
                    yield f"They disagree on {what}: {values}."
                case True, True:
                    both += 1
                case True, False:
                    yield f"Clear in {primary.name} but not in wins: {what}, {values}."
                case False, True:
                    yield f"Clear in wins but not in {primary.name}: {what}, {values}."
        yield from _lopsided(findings, pairs, name)
    if both:
        yield (
            f"{capital(primary.name)} and wins agree on {counted(both, 'effect')} that "
            f"{agreed('are', both)} clear in both."
        )


def _lopsided(
    findings: Findings, pairs: Sequence[tuple[Effect, Effect]], opponents: str
) -> Iterator[str]:
    """Say which effects have far fewer wins per point than the others of their class.

    All of these are clear in points; those that are not clear in wins are reported elsewhere.
    """
    clear = [pair for pair in pairs if pair[0].found.clear(findings.level)]
    if len(clear) < _FEW:
        return
    rates = [abs(share.found.value / points.found.value) for points, share in clear]
    for at, (points, share) in enumerate(clear):
        found, rest = share.found, rates[:at] + rates[at + 1 :]
        if not found.clear(findings.level) or rates[at] >= _LITTLE * median(rest):
            continue
        points_form, wins_form = effect_form(findings, 0), effect_form(findings, share.response)
        yield (
            f"Much in {findings.responses[0].name}, little in wins: {findings.name_of(points)} "
            f"against {opponents}, {points_form.signed(points.found.value)} {points_form.unit} and "
            f"{wins_form.signed(found.value)} {wins_form.unit} of wins "
            f"({wins_form.interval(found.low, found.high)}): {100 * rates[at]:.1f} a point, where "
            f"the other effects have {100 * min(rest):.1f} to {100 * max(rest):.1f}."
        )


# Caveats ------------------------------------------------------------------------------------------


def _stopped(plan: LabPlan, findings: Findings) -> Iterator[str]:
    rule = plan.stop
    if isinstance(rule, Precision):
        yield (
            f"Deals were to be played until every main effect on {rule.response} was known to "
            f"±{rule.half_width:g}, {plan.deals:,} at most; it ended after {findings.deals:,}."
        )
        if findings.deals < plan.deals:
            yield (
                "Such an experiment stops where the spread seems small. In simulations that "
                "stopped after about 1,000 deals its intervals covered the truth in "
                f"{STOPPED} % of cases instead of 95 % where 1 score in 100 is 26 standard "
                "deviations off; that is no lower limit."
            )
    if isinstance(rule, Sequential):
        yield (
            f"The test was whether the gain in {rule.response} is {rule.h0:g} or {rule.h1:g}, with "
            f"the sign such that more is better, with error probabilities of {rule.alpha:g} and "
            f"{rule.beta:g} for all effects together."
        )
        if findings.tested:
            yield _bounded(findings, rule)
        several = len(findings.opponents) > 1
        for answer, words in (
            ("H1", f"Accepted is {rule.h1:g}"),
            ("H0", f"Accepted is {rule.h0:g}"),
            ("undecided", "Undecided"),
        ):
            names = [
                findings.name_of(test)
                + (f" against {findings.opponents[test.opponents]}" if several else "")
                for test in findings.tested
                if test.verdict.accepted == answer
            ]
            if names:
                yield f"{words}: {listed(names)}."
        yield (
            "An experiment that stops by such a test overstates the effects that ended it a "
            "little: for sizes rather than verdicts, play a fixed number of deals."
        )


def _bounded(findings: Findings, rule: Sequential) -> str:
    """Say under which condition the error probabilities of a test hold."""
    bound = max(test.verdict.bound for test in findings.tested)
    why = "as the plan states"
    if rule.bound is None:
        number = findings.response_number(rule.response)
        assert number is not None
        why = (
            f"that follows from {_range(findings.responses[number])}, by the rules or by what the "
            "game's file declares"
        )
    return (
        "These probabilities hold for independent deals, whenever it stops, if no effect of a deal "
        f"is beyond {bound:g}: {why}."
    )


def _range(response: Response) -> str:
    assert response.bounds is not None
    least, most = (minus(f"{end:g}") for end in response.bounds)
    return f"{response.name} being from {least} to {most}"


def _precise(plan: LabPlan, findings: Findings) -> Iterator[str]:
    if findings.deals < 2:
        return
    mains = [
        effect
        for opponents in range(len(findings.opponents))
        for effect in findings.effects_of(opponents, 0, ContrastReading.MAIN)
    ]
    varying = [effect for effect in mains if effect.found.spread]
    if varying:
        margin = max(effect.found.margin or 0.0 for effect in varying)
        halved, response = 4 * findings.deals, findings.responses[0]
        yield (
            f"The least certain main effect is known to ±{effect_form(findings, 0).size(margin)}. "
            f"Halving that needs four times the deals: {halved:,}, which are "
            f"{counted(halved * findings.games_a_deal, 'game')}. ±{fine_width(response):g} "
            f"{response.unit} for all main effects needs "
            f"{counted(max(effect.fine or 0 for effect in varying), 'deal')}."
        )
        yield from _common(plan, varying)
    else:
        yield "Nothing varies from deal to deal."
    if len(varying) < len(mains):
        yield _without_spread(findings, len(mains) - len(varying))


def _without_spread(findings: Findings, number: int) -> str:
    """Say what the intervals of main effects rest on that were the same in every deal, if anything.

    Deals without spread do not show how far from them others can be.
    """
    response = findings.responses[0]
    same = f"{counted(number, 'main effect')} {agreed('were', number)} the same in all deals"
    if response.bounds is None:
        return (
            f"{same}, and so without an interval: nothing bounds what {response.name} are in other "
            "deals."
        )
    return (
        f"{same}: what is known of {'it' if number == 1 else 'them'} rests on the number of deals, "
        f"and on {_range(response)}."
    )


def _common(plan: LabPlan, mains: Sequence[Effect]) -> Iterator[str]:
    """Say what playing the same deals in all cells gained: sometimes less than nothing."""
    gains = [effect.gain for effect in mains if effect.gain is not None]
    if not gains:
        return
    low, high = f"{min(gains):.1f}", f"{max(gains):.1f}"
    yield (
        f"With other deals in each cell, {low if low == high else f'{low} to {high}'} times as "
        "many a cell would have been needed for the same intervals."
    )
    if float(low) < 1:
        advice = (
            "; a fraction of the cells with more deals is about as precise for fewer games"
            if plan.design is Design.FACTORIAL and len(plan.factors) > 2
            else ""
        )
        yield (
            "Less than 1 means that an effect itself differs greatly from deal to deal. Cells that "
            f"share their deals do not average that out, more deals do{advice}."
        )


def _limits(plan: LabPlan, findings: Findings) -> Iterator[str]:
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
    aliased = (contrast for contrast in findings.contrasts if contrast.aliases)
    mixed = [f"{effect.name} ({', '.join(effect.aliases)})" for effect in aliased]
    if mixed:
        yield f"In this fraction some effects cannot be told apart: {listed(mixed[:_MOST])}."
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
