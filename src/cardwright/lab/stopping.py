"""Stopping rules: which are valid, when they look, and what they decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.contrast import ContrastReading, contrasts
from cardwright.lab.factor import LabError
from cardwright.lab.findings import TestedEffect, moments, statistic
from cardwright.lab.plan import Precision, Sequential
from cardwright.lab.response import Better
from cardwright.statistics.sequential import SequentialTest
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.outcomes import Outcomes, Values
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.response import Bounds, Response


class UnboundedEffectError(LabError):
    """A test of a response whose bounds are not known: its error probabilities would not hold."""

    wrong_call = True


def needs_bounds(stop: Precision | Sequential | None) -> bool:
    """Say whether a stopping rule rests on what is known of how large a response can be."""
    return isinstance(stop, Sequential) and stop.bound is None


def check_stop(stop: Precision | Sequential, responses: Iterable[Response]) -> None:
    """Raise LabError if a stopping rule is not valid for an experiment with these responses."""
    known = {one.name: one for one in responses}
    if stop.response not in known:
        advice = advice_on(stop.response, known)
        raise LabError(f"no response is called {stop.response!r}; {advice}")
    if stop.least < 2 or stop.every < 1:
        raise LabError("a first look needs 2 deals or more, and 1 or more lie between two looks")
    if isinstance(stop, Precision):
        if not 0 < stop.half_width < float("inf"):
            raise LabError(f"no interval is {stop.half_width:g} wide to each side; take 0.1")
        return
    if not float("-inf") < stop.h0 < stop.h1 < float("inf"):
        raise LabError(
            f"a test is between two numbers, the smaller first, not {stop.h0:g} and {stop.h1:g}"
        )
    if not (0 < stop.alpha < 0.5 and 0 < stop.beta < 0.5):
        raise LabError("the error probabilities of a test are above 0 and below 0.5")
    if stop.bound is None and known[stop.response].bounds is None:
        raise UnboundedEffectError(
            f"a test of {stop.response} needs to know how large an effect of a deal can be, and no "
            "range is proved from the rules of each game here, or declared in the file beside it: "
            "state the bound (--bound, or bound in the plan), declare the range of scores "
            "([[scores]] in the TOML file of the game), or test another response, such as wins"
        )
    most = max(abs(stop.h0), abs(stop.h1))
    if stop.bound is not None and not most <= stop.bound < float("inf"):
        raise LabError(
            f"the bound of a test is how large an effect of a deal can be: {most:g} or more here, "
            f"not {stop.bound:g}"
        )


def looks(plan: LabPlan) -> Iterator[int]:
    """Yield the numbers of deals after which a plan may stop: none without a stopping rule.

    The first look is after `least` deals, the others after every `every` more; there is none at the
    end, where the experiment stops anyway. Raises LabError for numbers that give no looks.
    """
    rule = plan.stop
    if rule is None:
        return
    if rule.least < 2 or rule.every < 1:
        raise LabError(
            "an experiment that stops early looks after 2 deals or more, and then after every 1 "
            f"or more; not after {rule.least:,} and every {rule.every:,}"
        )
    yield from range(rule.least, plan.deals, rule.every)


def decided(plan: LabPlan, outcomes: Outcomes) -> bool:
    """Say whether to stop after the deals of these outcomes, which are those of a look.

    Raises LabError if the rule's response is not measured, or its test is invalid.
    """
    if plan.stop is None:
        return False
    if isinstance(plan.stop, Precision):
        return all(
            margin is not None and margin <= plan.stop.half_width
            for margin in _margins(plan, plan.stop, outcomes)
        )
    return all(one.verdict.accepted != "undecided" for one in verdicts(plan, outcomes))


def verdicts(plan: LabPlan, outcomes: Outcomes) -> Iterator[TestedEffect]:
    """Yield the verdict on each main effect against each class; nothing without a test.

    A test ends at the first look that accepts a hypothesis, and what comes later does not change
    it. Effects have the sign such that more is better for the tested seat. Raises LabError for an
    effect of a deal beyond the bound of the test.
    """
    rule = plan.stop
    if not isinstance(rule, Sequential):
        return
    response = _response(outcomes, rule.response)
    mains = _mains(plan, outcomes)
    tests = len(mains) * len(outcomes.sums)
    made = [_test(rule, one.bounds(outcomes.responses[response].bounds), tests) for one in mains]
    seen = [look for look in (*looks(plan), plan.deals) if look <= outcomes.deals]
    numbers = np.array(seen, dtype=np.int64)
    sign = -1.0 if outcomes.responses[response].better is Better.LOWER else 1.0
    for opponents in range(len(outcomes.sums)):
        values = _values(outcomes, mains, opponents, response)
        for number, one in enumerate(mains):
            scaled = sign * values[:, number] / (one.divisor * _scale(outcomes, response))
            try:
                verdict = made[number].judge(scaled, numbers)
            except ValueError as error:
                raise LabError(f"the test of {one.name} cannot go on: {error}") from None
            yield TestedEffect(number, opponents, verdict)


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


def _margins(plan: LabPlan, rule: Precision, outcomes: Outcomes) -> Iterator[float | None]:
    response = _response(outcomes, rule.response)
    mains = _mains(plan, outcomes)
    divisors = [one.divisor * _scale(outcomes, response) for one in mains]
    bounds = [one.bounds(outcomes.responses[response].bounds) for one in mains]
    for opponents in range(len(outcomes.sums)):
        values = _values(outcomes, mains, opponents, response)
        for one in moments(values, divisors, bounds):
            yield statistic(one, plan.level).margin


def _values(outcomes: Outcomes, mains: list[Contrast], opponents: int, response: int) -> Values:
    """Return the integers of contrasts in each deal: shape (deals, contrasts)."""
    weights = np.array([one.weights for one in mains], dtype=float).T
    found: Values = outcomes.sums[opponents][:, :, response].astype(float) @ weights
    return found


def _mains(plan: LabPlan, outcomes: Outcomes) -> list[Contrast]:
    found = contrasts(plan, outcomes.cells)
    return [one for one in found if one.reading is ContrastReading.MAIN]


def _scale(outcomes: Outcomes, response: int) -> int:
    return outcomes.responses[response].scale * outcomes.seatings * outcomes.tested


def _response(outcomes: Outcomes, name: str) -> int:
    names = [response.name for response in outcomes.responses]
    if name not in names:
        raise LabError(
            f"the stopping rule is about {name!r}, which is not measured; write one of "
            f"{', '.join(names)}"
        )
    return names.index(name)
