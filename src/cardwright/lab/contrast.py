"""Contrasts: weighted sums of an experiment's cells that say what a factor does.

Weights are integers with a common divisor, so that contrasts of the integers that are measured are
exact: where there is no difference the result is exactly 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from math import gcd, lcm
from typing import TYPE_CHECKING, TypeAlias

from cardwright.lab.factor import LabError
from cardwright.lab.plan import Design

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.lab.response import Bounds

    Levels: TypeAlias = dict[int, int]

Term: TypeAlias = "tuple[int, int]"
"""A factor's number and that of one of its levels, which is compared with the base level."""


class ContrastReading(StrEnum):
    """What a contrast says about its factors.

    `main`: the effect of a level, averaged over the levels of the other factors; in a design that
    varies one factor at a time, the effect with the others at the base. `interaction`: half of how
    much the effect of one factor changes with the level of another. `alone`: the effect with all
    others at the base. `removed`: the effect with all others at their second level.
    """

    MAIN = "main"
    INTERACTION = "interaction"
    ALONE = "alone"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The sum of cells times their `weights`, divided by `divisor`.

    `aliases` are names of other contrasts that are the same sum in this design, after a minus if
    their sign is opposite: what is found may be due to any of them.
    """

    name: str
    reading: ContrastReading
    terms: tuple[Term, ...]
    weights: tuple[int, ...]
    divisor: int
    aliases: tuple[str, ...] = ()

    def bounds(self, ends: Bounds | None) -> Bounds | None:
        """Return the least and the most that it can be, given the bounds of what is measured."""
        if ends is None:
            return None
        least, most = ends
        up = sum(weight for weight in self.weights if weight > 0)
        down = sum(-weight for weight in self.weights if weight < 0)
        return (up * least - down * most) / self.divisor, (up * most - down * least) / self.divisor


def contrasts(plan: LabPlan, cells: Sequence[Cell]) -> tuple[Contrast, ...]:
    """Return the contrasts of a plan's cells: main effects, interactions, then other readings.

    Only factorial designs have interactions and other readings. There is `alone` and `removed`
    where their cells are played, and `removed` only if all factors have two levels. Raises LabError
    if the cells lack a level.
    """
    if plan.design is not Design.FACTORIAL:
        return tuple(_merged(_mains(plan, cells)))
    found = _merged([*_mains(plan, cells), *_interactions(plan, cells)])
    if len(plan.factors) > 1:
        found += _at_corner(plan, cells, ContrastReading.ALONE, 0)
        if all(len(factor.levels) == 2 for factor in plan.factors):
            found += _at_corner(plan, cells, ContrastReading.REMOVED, 1)
    return tuple(found)


def aliases(plan: LabPlan, cells: Sequence[Cell]) -> list[list[str]]:
    """Return groups of main effects and interactions of two that the cells cannot tell apart.

    One may have the opposite sign of another. A plan that varies one factor at a time, or all in
    all combinations, has none.
    """
    if plan.design is Design.ONE or (plan.design is Design.FACTORIAL and not plan.generators):
        return []
    found = _merged([*_mains(plan, cells), *_interactions(plan, cells)])
    return [
        [contrast.name, *(alias.removeprefix("−") for alias in contrast.aliases)]
        for contrast in found
        if contrast.aliases
    ]


def term_name(factors: Sequence[Factor], term: Term) -> str:
    """Return an effect's name: its factor, and its level if there are several."""
    factor = factors[term[0]]
    several = len(factor.levels) > 2
    return f"{factor.name}: {factor.levels[term[1]].name}" if several else factor.name


def cell_label(factors: Sequence[Factor], cell: Cell) -> str:
    """Return the name of a cell: what differs from the base, by factors and levels.

    With two levels the factor's name is enough. `base` is the base itself, and `all` the cell in
    which every one of several factors with two levels is changed.
    """
    if len(factors) > 2 and all(cell) and all(len(factor.levels) == 2 for factor in factors):
        return "all"
    return " + ".join(term_name(factors, term) for term in enumerate(cell) if term[1]) or "base"


def _terms(plan: LabPlan) -> list[Term]:
    return [
        (number, level)
        for number, factor in enumerate(plan.factors)
        for level in range(1, len(factor.levels))
    ]


def _mains(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    others = dict.fromkeys(range(len(plan.factors)), 0) if plan.design is Design.ONE else {}
    for factor, level in _terms(plan):
        groups = [({**others, factor: level}, 1), ({**others, factor: 0}, -1)]
        found = _contrast(plan, cells, ContrastReading.MAIN, [(factor, level)], groups)
        if found is None:
            raise LabError(
                "the cells have nothing to compare "
                f"{term_name(plan.factors, (factor, level))} with: a plan's cells hold every level "
                "of its factors and the base"
            )
        yield found


def _interactions(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    for one, other in combinations(_terms(plan), 2):
        if one[0] != other[0]:
            groups = [
                ({one[0]: first * one[1], other[0]: second * other[1]}, (-1) ** (first + second))
                for first, second in product((0, 1), repeat=2)
            ]
            reading = ContrastReading.INTERACTION
            if found := _contrast(plan, cells, reading, [one, other], groups):
                yield found


def _at_corner(
    plan: LabPlan, cells: Sequence[Cell], reading: ContrastReading, corner: int
) -> Iterator[Contrast]:
    """Yield the effects with all other factors at one level, where these cells are played."""
    others = dict.fromkeys(range(len(plan.factors)), corner)
    for factor, level in _terms(plan):
        groups = [({**others, factor: level}, 1), ({**others, factor: 0}, -1)]
        if found := _contrast(plan, cells, reading, [(factor, level)], groups):
            yield found


def _contrast(
    plan: LabPlan,
    cells: Sequence[Cell],
    reading: ContrastReading,
    terms: Sequence[Term],
    groups: Sequence[tuple[Levels, int]],
) -> Contrast | None:
    """Return the signed sum of the means of groups of cells, those with some levels.

    It is divided by the number of terms; None if a group is empty.
    """
    members = [
        [
            at
            for at, cell in enumerate(cells)
            if all(cell[factor] == level for factor, level in group.items())
        ]
        for group, _ in groups
    ]
    if not all(members):
        return None
    common = lcm(*map(len, members))
    weights = [0] * len(cells)
    for inside, (_, sign) in zip(members, groups, strict=True):
        for at in inside:
            weights[at] += sign * common // len(inside)
    divisor = common * len(terms)
    shared = gcd(divisor, *weights)
    name = " × ".join(term_name(plan.factors, term) for term in terms)
    scaled = tuple(weight // shared for weight in weights)
    return Contrast(name, reading, tuple(terms), scaled, divisor // shared)


def _merged(found: Iterable[Contrast]) -> list[Contrast]:
    """Return each sum once, as the first of its contrasts, with the others as aliases."""
    kept: dict[tuple[tuple[int, ...], int], Contrast] = {}
    for contrast in found:
        opposite = tuple(-weight for weight in contrast.weights)
        for weights, alias in ((contrast.weights, contrast.name), (opposite, f"−{contrast.name}")):
            if first := kept.get((weights, contrast.divisor)):
                kept[weights, contrast.divisor] = replace(first, aliases=(*first.aliases, alias))
                break
        else:
            kept[contrast.weights, contrast.divisor] = contrast
    return list(kept.values())
