"""Caveats: how precise findings are, how the experiment ended, and what it does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.findings import fine_width
from cardwright.lab.plan import Design, Precision, Sequential
from cardwright.lab.report.numerals import count, effect_form, listed, many, minus
from cardwright.lab.report.phrases import span
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.findings import Effect, Findings
    from cardwright.lab.plan import LabPlan

STOPPED = 89
"""Percent of intervals that covered the truth in simulations that were stopped by their width after
about 1,000 deals, where 1 % of the values are 26 standard deviations off."""

_MOST = 8
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
        yield _constant(findings, len(mains) - len(varying))


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


def _constant(findings: Findings, number: int) -> str:
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
        told = listed(f"{one.name} ({', '.join(one.aliases)})" for one in mixed[:_MOST])
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
