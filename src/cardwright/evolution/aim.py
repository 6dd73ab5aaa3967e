"""Aims: what is wanted of a measure, and how far a value is from it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

from cardwright.evolution.errors import AimError
from cardwright.evolution.measures.table import MEASURES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.evolution.measures.table import GameMeasure
    from cardwright.statistics.intervals import Estimate

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})?\s*\.\.\s*({_NUMBER})?")
_FORMS = "`{0} 40..60`, `{0} 40..`, `{0} ..60`, `{0} 50`, `{0} max`, `{0} min`"


@dataclass(frozen=True, slots=True)
class Aim:
    """What is wanted of one measure: a range to lie in, or as much or little of it as can be.

    A `range` is from `low` to `high`, either of which may be infinite. For `max` the score counts
    from `high`, and for `min` from `low`: the measure's bound, or 0 if it has none. `scale` is the
    difference of the measure that counts as 1, so that aims can be weighed.
    """

    measure: str
    kind: Literal["range", "max", "min"]
    low: float = 0.0
    high: float = 0.0
    weight: float = 1.0
    scale: float = 1.0

    @classmethod
    def parse(cls, text: str) -> Aim:
        """Read `length 40..60`, `length 40..`, `length ..60`, `length 50`, `fairness max`.

        There may be a weight, as in `luck min x2`. The scale is that of the measure. Raises
        AimError, which says what could stand there.
        """
        name, _, rest = " ".join(text.split()).partition(" ")
        if not name:
            raise AimError(
                f"an aim is a measure and what is wanted of it: {_FORMS.format('length')}"
            )
        measure = measure_named(name)
        if not rest:
            raise AimError(f"what is wanted of {name}? Write one of {_FORMS.format(name)}")
        wanted, _, weight = rest.rpartition(" x")
        if not wanted:
            wanted, weight = rest, "1"
        least, most = measure.least or 0.0, measure.most or 0.0
        if wanted == "max":
            aim = cls(name, "max", high=most)
        elif wanted == "min":
            aim = cls(name, "min", low=least)
        else:
            aim = cls(name, "range", *_ends(wanted, measure))
        return replace(aim, weight=_weight(weight, text), scale=measure.scale)

    def __str__(self) -> str:
        """Return the text that gives this aim when it is read."""
        return self.text

    @property
    def text(self) -> str:
        """The text that gives this aim when it is read."""
        if self.kind != "range":
            wanted: str = self.kind
        elif self.low == self.high:
            wanted = _number(self.low)
        else:
            low = "" if math.isinf(self.low) else _number(self.low)
            high = "" if math.isinf(self.high) else _number(self.high)
            wanted = f"{low}..{high}"
        weight = "" if self.weight == 1 else f" x{_number(self.weight)}"
        return f"{self.measure} {wanted}{weight}"

    def score(self, value: float) -> float:
        """Return how good a value is, in units of the scale; the weight is not in it.

        In a range it is 0, and outside minus the distance from its nearer end. For `max` it is the
        distance of the value from the highest possible one, as a negative number, or the value
        itself where there is no highest; for `min` the same with the lowest, with the other sign.
        So 0 is the best of a bounded measure, and no score is NaN: what is not finite has minus
        infinity.
        """
        if not math.isfinite(value):
            return -math.inf
        match self.kind:
            case "max":
                return (value - self.high) / self.scale
            case "min":
                return (self.low - value) / self.scale
            case "range":
                return -max(self.low - value, value - self.high, 0.0) / self.scale


def scores(aims: Sequence[Aim], measures: Mapping[str, Estimate]) -> tuple[float, ...]:
    """Return the score of each aim, times its weight; minus infinity for what is not measured."""
    return tuple(
        aim.weight * aim.score(measures[aim.measure].mean) if aim.measure in measures else -math.inf
        for aim in aims
    )


def measure_named(name: str) -> GameMeasure:
    """Return a measure by its name; raises AimError, with all names, if there is none."""
    if name in MEASURES:
        return MEASURES[name]
    near = get_close_matches(name, MEASURES, 2, 0.6)
    start = f"did you mean {' or '.join(near)}? There" if near else "there"
    raise AimError(f"there is no measure {name!r}; {start} are: {', '.join(MEASURES)}")


def _ends(wanted: str, measure: GameMeasure) -> tuple[float, float]:
    """Return the ends of a range; raises AimError for one that no value can lie in."""
    if re.fullmatch(_NUMBER, wanted):
        low = high = _finite(wanted)
    else:
        found = _RANGE.fullmatch(wanted)
        if found is None or not any(found.groups()):
            raise AimError(
                f"{measure.name} cannot be {wanted!r}; write one of {_FORMS.format(measure.name)}, "
                "perhaps with a weight, such as x2"
            )
        low = -math.inf if found[1] is None else _finite(found[1])
        high = math.inf if found[2] is None else _finite(found[2])
    if low > high:
        turned = f"{_number(high)}..{_number(low)}"
        raise AimError(f"{wanted} ends before it begins; did you mean {measure.name} {turned}?")
    least = -math.inf if measure.least is None else measure.least
    most = math.inf if measure.most is None else measure.most
    if low > most or high < least:
        bounds = f"from {least:g} to {most:g}" if most < math.inf else f"{least:g} or more"
        raise AimError(f"{measure.name} is {bounds}, so it is never in {wanted}")
    return low, high


def _weight(text: str, whole: str) -> float:
    try:
        weight = _finite(text.strip())
    except (ValueError, AimError):
        weight = 0.0
    if weight <= 0:
        raise AimError(
            f"the weight at the end of {whole.strip()!r} is a number above 0, such as x2"
        )
    return weight


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise AimError(f"{text} is too large a number")
    return number + 0.0  # no negative zero


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")
