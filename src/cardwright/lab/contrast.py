"""Contrasts: weighted sums of cells that say what a factor does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from math import gcd, lcm
from typing import TYPE_CHECKING, TypeAlias

from cardwright.lab.factor import LabError
from cardwright.lab.plan import Design

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.lab.response import Bounds

    Group: TypeAlias = Callable[[Cell], bool]

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

    def bounds(self, of: Bounds | None) -> Bounds | None:
        """Return the least and the most that it can be, given the bounds of what is measured."""
        if of is None:
            return None
        up, down = (
            sum(weight for weight in (sign * one for one in self.weights) if weight > 0)
            for sign in (1, -1)
        )
        least, most = of
        return (up * least - down * most) / self.divisor, (up * most - down * least) / self.divisor


def contrasts(plan: LabPlan, cells: Sequence[Cell]) -> tuple[Contrast, ...]:
    """Return the contrasts of a plan's cells: main effects, interactions, then other readings.

    Only factorial designs have interactions and other readings. There is `alone` and `removed`
    where their cells are played, and `removed` only if all factors have two levels. Raises LabError
    if the cells lack a level.
    """
    found = list(_mains(plan, cells))
    if plan.design is Design.FACTORIAL:
        found += _interactions(plan, cells)
    found = _merged(found)
    if plan.design is Design.FACTORIAL and len(plan.factors) > 1:
        found += _alone(plan, cells)
        found += _removed(plan, cells)
    return tuple(found)


def term_name(factors: Sequence[Factor], term: Term) -> str:
    """Return an effect's name: its factor, and its level if there are several."""
    factor = factors[term[0]]
    return (
        factor.name if len(factor.levels) == 2 else f"{factor.name}: {factor.levels[term[1]].name}"
    )


def _terms(plan: LabPlan) -> Iterator[Term]:
    for number, factor in enumerate(plan.factors):
        for level in range(1, len(factor.levels)):
            yield number, level


def _mains(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    base = (0,) * len(plan.factors)
    for term in _terms(plan):
        name = term_name(plan.factors, term)
        if plan.design is Design.ONE:
            plus, minus = _is(_changed(base, term)), _is(base)
        else:
            plus, minus = _at(term), _at((term[0], 0))
        found = _contrast(name, ContrastReading.MAIN, (term,), cells, ((plus, 1), (minus, -1)))
        if found is None:
            raise LabError(
                f"the cells have nothing to compare {name} with: a plan's cells hold every level "
                "of its factors and the base"
            )
        yield found


def _interactions(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    for one, other in combinations(_terms(plan), 2):
        if one[0] == other[0]:
            continue
        groups = [
            (_at((one[0], first * one[1]), (other[0], second * other[1])), (-1) ** (first + second))
            for first, second in product((0, 1), repeat=2)
        ]
        name = f"{term_name(plan.factors, one)} × {term_name(plan.factors, other)}"
        found = _contrast(name, ContrastReading.INTERACTION, (one, other), cells, groups, parts=2)
        if found is not None:
            yield found


def _alone(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    base = (0,) * len(plan.factors)
    for term in _terms(plan):
        groups = ((_is(_changed(base, term)), 1), (_is(base), -1))
        name = term_name(plan.factors, term)
        found = _contrast(name, ContrastReading.ALONE, (term,), cells, groups)
        if found is not None:
            yield found


def _removed(plan: LabPlan, cells: Sequence[Cell]) -> Iterator[Contrast]:
    if any(len(factor.levels) != 2 for factor in plan.factors):
        return
    full = (1,) * len(plan.factors)
    for term in _terms(plan):
        groups = ((_is(full), 1), (_is(_changed(full, (term[0], 0))), -1))
        name = term_name(plan.factors, term)
        found = _contrast(name, ContrastReading.REMOVED, (term,), cells, groups)
        if found is not None:
            yield found


def _contrast(
    name: str,
    reading: ContrastReading,
    terms: tuple[Term, ...],
    cells: Sequence[Cell],
    groups: Sequence[tuple[Group, int]],
    *,
    parts: int = 1,
) -> Contrast | None:
    """Return the signed sum of the means of groups of cells, in `parts`; None if one is missing."""
    members = [[at for at, cell in enumerate(cells) if group(cell)] for group, _ in groups]
    if not all(members):
        return None
    common = lcm(*map(len, members))
    weights = [0] * len(cells)
    for inside, (_, sign) in zip(members, groups, strict=True):
        for at in inside:
            weights[at] += sign * common // len(inside)
    divisor = common * parts
    shared = gcd(divisor, *weights)
    scaled = tuple(weight // shared for weight in weights)
    return Contrast(name, reading, terms, scaled, divisor // shared)


def _at(*terms: Term) -> Group:
    return lambda cell: all(cell[factor] == level for factor, level in terms)


def _is(wanted: Cell) -> Group:
    return lambda cell: cell == wanted


def _changed(cell: Cell, term: Term) -> Cell:
    return (*cell[: term[0]], term[1], *cell[term[0] + 1 :])


def _merged(found: Sequence[Contrast]) -> list[Contrast]:
    """Return each sum once, as the first of its contrasts, with the others as aliases."""
    kept: dict[tuple[tuple[int, ...], int], Contrast] = {}
    for one in found:
        key = (one.weights, one.divisor)
        other = (tuple(-weight for weight in one.weights), one.divisor)
        if key in kept:
            kept[key] = replace(kept[key], aliases=(*kept[key].aliases, one.name))
        elif other in kept:
            kept[other] = replace(kept[other], aliases=(*kept[other].aliases, f"−{one.name}"))
        else:
            kept[key] = one
    return list(kept.values())


def cell_label(factors: Sequence[Factor], cell: Cell) -> str:
    """Return the name of a cell: what differs from the base, by factors and levels.

    With two levels the factor's name is enough. `base` is the base itself, and `all` the cell in
    which every one of several factors with two levels is changed.
    """
    if not any(cell):
        return "base"
    if len(factors) > 2 and all(cell) and all(len(factor.levels) == 2 for factor in factors):
        return "all"
    return " + ".join(
        factor.name if len(factor.levels) == 2 else f"{factor.name}: {factor.levels[level].name}"
        for factor, level in zip(factors, cell, strict=True)
        if level
    )
