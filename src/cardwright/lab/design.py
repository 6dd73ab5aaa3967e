"""Designs: which cells an experiment plays, and which effects they cannot tell apart.

A level of a two-level factor is a sign here: the first is minus, the second plus.
"""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

from cardwright.lab.errors import LabError
from cardwright.lab.generators import LETTERS, signed_words, words_of
from cardwright.lab.hadamard import MOST_RUNS, hadamard
from cardwright.lab.plan import MOST_CELLS, Design

if TYPE_CHECKING:
    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell, LabPlan

Effect: TypeAlias = "tuple[int, ...]"
"""The numbers of an effect's factors: one for a main effect, two for an interaction."""


def cells(plan: LabPlan) -> tuple[Cell, ...]:
    """Return the cells that a plan plays, the base first if it is one of them.

    Raises LabError if there are more than MOST_CELLS, and for a fraction or a screen that the
    factors do not allow.
    """
    counts = [len(factor.levels) for factor in plan.factors]
    match plan.design:
        case Design.ONE:
            _check_count(1 + sum(counts) - len(counts))
            return _one_at_a_time(counts)
        case Design.SCREEN:
            _check_two_levels(plan.factors, "a Plackett-Burman screen")
            return _screen(len(counts))
        case Design.FACTORIAL:
            generators = signed_words(plan.generators, len(counts))
            if not generators:
                _check_count(math.prod(counts))
                return tuple(product(*map(range, counts)))
            _check_two_levels(plan.factors, "a fraction of a factorial")
            _check_count(2 ** (len(counts) - len(generators)))
            return _fraction(len(counts), generators)


def resolution(plan: LabPlan) -> int | None:
    """Return the resolution of a fraction; None for a plan that is not a fraction of a factorial.

    It is the length of the shortest word that is always plus or always minus: with 3 main effects
    are aliased with interactions of two factors, with 4 these with each other, with 5 neither (Box
    and Hunter, Technometrics 3, 1961, p. 319).
    """
    words = words_of(signed_words(plan.generators, len(plan.factors)))
    return min(map(len, words), default=None)


def aliases(plan: LabPlan) -> tuple[tuple[Effect, ...], ...]:
    """Return groups of main effects and interactions of two that the cells cannot tell apart.

    One may have the opposite sign of another. A plan that varies one factor at a time, or all in
    all combinations, has none.
    """
    if plan.design is Design.ONE or (plan.design is Design.FACTORIAL and not plan.generators):
        return ()
    rows = [[2 * level - 1 for level in cell] for cell in cells(plan)]
    columns = list(zip(*rows, strict=True))
    alike: dict[tuple[int, ...], list[Effect]] = defaultdict(list)
    for one, column in enumerate(columns):
        alike[_unsigned(column)].append((one,))
    for one, other in combinations(range(len(columns)), 2):
        both = tuple(a * b for a, b in zip(columns[one], columns[other], strict=True))
        alike[_unsigned(both)].append((one, other))
    return tuple(tuple(group) for group in alike.values() if len(group) > 1)


def _unsigned(column: tuple[int, ...]) -> tuple[int, ...]:
    return column if column[0] > 0 else tuple(-sign for sign in column)


def _one_at_a_time(counts: list[int]) -> tuple[Cell, ...]:
    base = (0,) * len(counts)
    return (
        base,
        *(
            (*base[:at], level, *base[at + 1 :])
            for at, count in enumerate(counts)
            for level in range(1, count)
        ),
    )


def _fraction(
    factors: int, generators: tuple[tuple[int, int, frozenset[int]], ...]
) -> tuple[Cell, ...]:
    """Return the cells in which every generated factor is the product of its word."""
    generated = {target: (sign, word) for target, sign, word in generators}
    free = [at for at in range(factors) if at not in generated]
    found = []
    for signs in product((-1, 1), repeat=len(free)):
        row = dict(zip(free, signs, strict=True))
        for target, (sign, word) in generated.items():
            row[target] = sign * math.prod(row[at] for at in word)
        found.append(tuple((row[at] + 1) // 2 for at in range(factors)))
    return tuple(sorted(found))


def _screen(factors: int) -> tuple[Cell, ...]:
    """Return a Plackett-Burman design: columns of a Hadamard matrix (Biometrika 33, 1946).

    It has the least number of cells divisible by four that is above the number of factors.
    """
    runs = max(4, 4 * (factors // 4 + 1))
    if runs > MOST_RUNS:
        raise LabError(
            f"a screen has {MOST_RUNS - 1} factors at most, not {factors}: leave some out"
        )
    return tuple(tuple(int(sign < 0) for sign in row[1 : factors + 1]) for row in hadamard(runs))


def _check_count(count: int) -> None:
    if count > MOST_CELLS:
        raise LabError(
            f"this design has {count:,} cells, and {MOST_CELLS:,} are the most: leave out factors "
            "or levels, play a fraction (--fraction 1/2), or one factor at a time"
        )


def _check_two_levels(factors: tuple[Factor, ...], what: str) -> None:
    for letter, factor in zip(LETTERS, factors, strict=False):
        if len(factor.levels) != 2:
            raise LabError(
                f"{what} is for factors of two levels; {factor.name} ({letter}) has "
                f"{len(factor.levels)}: leave levels out, or play all combinations"
            )
