"""The methods of search by name: what each does, what it needs, and its parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.english import listed
from cardwright.evolution.errors import MethodError
from cardwright.evolution.methods.map_elites import CELLS, MapAxis, MapElites
from cardwright.evolution.methods.pareto import ParetoSearch
from cardwright.evolution.methods.ranked import HillClimbing, LexicaseEvolution, RandomSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.methods.method import SearchMethod
    from cardwright.evolution.methods.ranked import Distance

Number: TypeAlias = int | float


@dataclass(frozen=True)
class MethodParameter:
    """A number that a method may be given: its default, which also says its kind, and its bounds.

    A default without a fraction takes whole numbers only.
    """

    default: Number
    words: str
    least: Number = 1
    most: Number = 1_000_000

    def checked(self, name: str, value: object) -> Number:
        """Return a value; raises MethodError if it is none of those possible."""
        kinds = int if isinstance(self.default, int) else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            what = "whole number" if kinds is int else "number"
            raise MethodError(f"{name}, {self.words}, is a {what}, not {value!r}")
        if not self.least <= value <= self.most:
            raise MethodError(
                f"{name}, {self.words}, is from {self.least:,} to {self.most:,}, not {value:,}"
            )
        return value


@dataclass(frozen=True)
class MethodKind:
    """A method of search: what it does in words, its parameters, and what makes one.

    `make` is given the distance from the original, the aims' measures, the axes of a map, and the
    parameters by name. It needs `least_axes` to `most_axes` axes, and `least_aims` aims.
    """

    words: str
    make: Callable[[Distance, Sequence[str], Sequence[MapAxis], dict[str, Any]], SearchMethod]
    parameters: Mapping[str, MethodParameter] = field(default_factory=dict)
    least_axes: int = 0
    most_axes: int = 0
    least_aims: int = 1


_KEEP = MethodParameter(20, "how many of the best are kept as elites")
_CROSSED = MethodParameter(0.2, "the share of candidates with two parents", 0.0, 1.0)

METHODS: Mapping[str, MethodKind] = {
    "random": MethodKind(
        "variations of the original alone",
        lambda distance, _aims, _axes, given: RandomSearch(distance, **given),
        {"keep": _KEEP},
    ),
    "climb": MethodKind(
        "hill climbing: variations of the best few, and a new start when that is stuck",
        lambda distance, _aims, _axes, given: HillClimbing(distance, **given),
        {
            "keep": _KEEP,
            "few": MethodParameter(3, "how many of the best are varied"),
            "price": MethodParameter(
                0.1, "what each unit of the distance costs in a climb", 0.0, 1_000.0
            ),
            "fresh": MethodParameter(
                0.2, "the share of candidates that are variations of the original", 0.0, 1.0
            ),
            "patience": MethodParameter(
                150, "after how many candidates without a better one to restart"
            ),
        },
    ),
    "lexicase": MethodKind(
        "evolution by lexicase selection, for many aims: parents are best in some order of aims",
        lambda distance, _aims, _axes, given: LexicaseEvolution(distance, **given),
        {
            "keep": _KEEP,
            "size": MethodParameter(50, "the size of the population"),
            "crossed": _CROSSED,
        },
    ),
    "map": MethodKind(
        "MAP-Elites: the best candidate for each combination of two or three measures",
        lambda distance, _aims, axes, given: MapElites(
            distance, axes, given["crossed"], given["measured"]
        ),
        {
            "crossed": _CROSSED,
            "measured": MethodParameter(
                100, "how many are measured before ends of axes are estimated"
            ),
            "cells": MethodParameter(CELLS, "the number of cells along an axis", 1, 100),
        },
        least_axes=2,
        most_axes=3,
    ),
    "front": MethodKind(
        "NSGA-II: candidates of which none is better in one aim without being worse in another",
        lambda distance, aims, _axes, given: ParetoSearch(distance, aims, **given),
        {
            "size": MethodParameter(50, "the size of the population", 2),
            "crossed": _CROSSED,
        },
        least_aims=2,
    ),
}


def new_method(
    name: str,
    aims: Sequence[Aim],
    distance: Distance,
    axes: Sequence[str] = (),
    parameters: Mapping[str, object] | None = None,
) -> SearchMethod:
    """Return a new method of search.

    `distance` says how far a candidate is from the original; `axes` are those of a map, as
    `MapAxis.parse` reads them. Parameters that are not given have their defaults. Raises
    MethodError for a name that is not in METHODS, and for what the method cannot do with, and
    MissingExtraError if it needs a library that is not installed.
    """
    kind = METHODS.get(name)
    if kind is None:
        raise MethodError(f"there is no method {name!r}; {_near(name, METHODS)}")
    given = dict(parameters or {})
    for other in given.keys() - kind.parameters.keys():
        near = _near(other, kind.parameters)
        raise MethodError(f"the method {name} has no parameter {other!r}; {near}")
    values = {
        one: parameter.checked(one, given.get(one, parameter.default))
        for one, parameter in kind.parameters.items()
    }
    cells = int(values.get("cells", CELLS))
    mapped = [MapAxis.parse(axis, cells) for axis in axes]
    _check_needs(name, kind, len(aims), [axis.measure for axis in mapped])
    return kind.make(distance, [aim.measure for aim in aims], mapped, values)


def _check_needs(name: str, kind: MethodKind, aims: int, measures: Sequence[str]) -> None:
    if measures and not kind.most_axes:
        raise MethodError(f"the method {name} makes no map: leave its measures out")
    if not kind.least_axes <= len(measures) <= kind.most_axes:
        raise MethodError(
            f"the method {name} needs {kind.least_axes} to {kind.most_axes} measures for the axes "
            f"of its map, not {len(measures)}: name them, such as `length` and `branching`"
        )
    for measure in measures:
        if measures.count(measure) > 1:
            raise MethodError(f"{measure} is named twice among the axes of the map: name it once")

    if aims < kind.least_aims:
        least = "an aim" if kind.least_aims == 1 else f"{kind.least_aims} aims or more"
        raise MethodError(
            f"the method {name} needs {least}, not {aims}: add one, such as `length 40..60`"
        )


def _near(name: str, names: Mapping[str, object]) -> str:
    """Return what was meant, if a name is near, and all names."""
    near = get_close_matches(name, names, 1)
    there = f"choose from {listed(names)}"
    return f"did you mean {near[0]!r}? {there}" if near else there
