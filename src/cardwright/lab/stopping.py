"""Stopping rules: which are valid, when they look, and what they decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.contrast import ContrastReading, contrasts
from cardwright.lab.factor import LabError
from cardwright.lab.findings import TestedEffect, samples, statistic
from cardwright.lab.plan import Precision, Sequential
from cardwright.lab.response import Better
from cardwright.statistics.sequential import SequentialTest
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Bounds, Response


class UnboundedEffectError(LabError):
    """A test of a response whose bounds are not known: its error probabilities would not hold."""

    wrong_call = True


def needs_bounds(stop: Precision | Sequential | None) -> bool:
    """Say whether a stopping rule rests on what is known of how large a response can be."""
    return isinstance(stop, Sequential) and stop.bound is None


def check_stop(stop: Precision | Sequential, responses: Sequence[Response]) -> None:
    """Raise LabError if a stopping rule is not valid for an experiment with these responses."""
    response = responses[_number(stop, responses)]
    if stop.least < 2 or stop.every < 1:
        raise LabError("a first look needs 2 deals or more, and 1 or more lie between two looks")
    if isinstance(stop, Precision):
        if not 0 < stop.half_width < float("inf"):
            raise LabError(f"no interval is {stop.half_width:g} wide to each side; take 0.1")
        return
    if needs_bounds(stop) and response.bounds is None:
        raise UnboundedEffectError(
            f"a test of {stop.response} needs to know how large an effect of a deal can be, and no "
            "range is proved from the rules of each game here, or declared in the file beside it: "
            "state the bound (--bound, or bound in the plan), declare the range of scores "
            "([[scores]] in the TOML file of the game), or test another response, such as wins"
        )
    # An effect is a difference between cells: it can be as large as the range of the response.
    width = None if response.bounds is None else response.bounds[1] - response.bounds[0]
    _test(stop, None if width is None else (-width, width), 1)


def looks(plan: LabPlan) -> Iterator[int]:
    """Yield the numbers of deals after which a plan may stop: none without a stopping rule.

    The first look is after `least` deals, the others after every `every` more; there is none at the
    end, where the experiment stops anyway.
    """
    if plan.stop is not None:
        yield from range(plan.stop.least, plan.deals, plan.stop.every)


def decided(plan: LabPlan, outcomes: Outcomes) -> bool:
    """Say whether to stop after the deals of these outcomes, which are those of a look."""
    if plan.stop is None:
        return False
    if isinstance(plan.stop, Sequential):
        return all(verdict.verdict.accepted != "undecided" for verdict in verdicts(plan, outcomes))
    mains, response = _mains(plan, outcomes), _number(plan.stop, outcomes.responses)
    divisors = [main.divisor * outcomes.scale(response) for main in mains]
    bounds = [main.bounds(outcomes.responses[response].bounds) for main in mains]
    margins = [
        statistic(sample, plan.level).margin
        for opponents in range(len(outcomes.sums))
        for sample in samples(outcomes.contrasted(mains, opponents, response), divisors, bounds)
    ]
    return all(margin is not None and margin <= plan.stop.half_width for margin in margins)


def verdicts(plan: LabPlan, outcomes: Outcomes) -> Iterator[TestedEffect]:
    """Yield the verdict on each main effect against each class; nothing without a test.

    A test ends at the first look that accepts a hypothesis, and what comes later does not change
    it. Effects have the sign such that more is better for the tested seat. Raises LabError for an
    effect of a deal beyond the bound of the test.
    """
    rule = plan.stop
    if not isinstance(rule, Sequential):
        return
    number = _number(rule, outcomes.responses)
    mains, response = _mains(plan, outcomes), outcomes.responses[number]
    tests = [_test(rule, main.bounds(response.bounds), len(mains) * len(outcomes.sums))
             for main in mains]  # fmt: skip
    seen = np.array([look for look in (*looks(plan), plan.deals) if look <= outcomes.deals])
    sign = -1.0 if response.better is Better.LOWER else 1.0
    for opponents in range(len(outcomes.sums)):
        values = sign * outcomes.contrasted(mains, opponents, number)
        for at, (one, test) in enumerate(zip(mains, tests, strict=True)):
            try:
                verdict = test.judge(values[:, at] / (one.divisor * outcomes.scale(number)), seen)
            except ValueError as error:
                raise LabError(f"the test of {one.name} cannot go on: {error}") from None
            yield TestedEffect(at, opponents, verdict)


def _test(rule: Sequential, bounds: Bounds | None, tests: int) -> SequentialTest:
    """Return the test of one of `tests` effects with these bounds; raises LabError if invalid."""
    bound = rule.bound
    if bound is None and bounds is not None:
        bound = max(map(abs, bounds))
    try:
        return SequentialTest(
            rule.h0, rule.h1, rule.alpha / tests, rule.beta / tests, rule.least, rule.every, bound
        )
    except ValueError as error:
        raise LabError(f"the sequential test of the plan is invalid: {error}") from None


def _mains(plan: LabPlan, outcomes: Outcomes) -> list[Contrast]:
    found = contrasts(plan, outcomes.cells)
    return [effect for effect in found if effect.reading is ContrastReading.MAIN]


def _number(stop: Precision | Sequential, responses: Sequence[Response]) -> int:
    """Return the number of the response that a rule is about; raises LabError if there is none."""
    names = [response.name for response in responses]
    if stop.response not in names:
        raise LabError(
            f"no response is called {stop.response!r}; {advice_on(stop.response, names)}"
        )
    return names.index(stop.response)
