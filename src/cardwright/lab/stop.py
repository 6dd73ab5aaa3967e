"""Stopping rules: whether they are valid for what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.errors import LabError
from cardwright.lab.plan import Precision, Sequential
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.lab.response import Response


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
