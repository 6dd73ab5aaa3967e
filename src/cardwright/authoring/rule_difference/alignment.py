"""Lists of parts laid side by side: which of them belong together, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.authoring.rule_difference.part import Part

_ALIKE = 0.35
"""Least likeness of parts that are taken for two versions of one."""


class Aligned(NamedTuple):
    """Pairs of parts that belong together, and the parts that have no counterpart."""

    pairs: tuple[tuple[Part, Part], ...]
    before: tuple[Part, ...]
    after: tuple[Part, ...]


def aligned(before: Sequence[Part], after: Sequence[Part]) -> Aligned:
    """Pair the parts of two lists so that the pairs keep their order and are most alike in sum."""
    first = 0
    shortest = min(len(before), len(after))
    while first < shortest and before[first].digest == after[first].digest:
        first += 1
    last = 0
    while last < shortest - first and before[-1 - last].digest == after[-1 - last].digest:
        last += 1
    heads = list(zip(before[:first], after[:first], strict=True))
    tails = list(zip(before[len(before) - last :], after[len(after) - last :], strict=True))
    inner = _most_alike(before[first : len(before) - last], after[first : len(after) - last])
    paired = {id(part) for pair in inner for part in pair}
    return Aligned(
        (*heads, *inner, *tails),
        tuple(part for part in before[first : len(before) - last] if id(part) not in paired),
        tuple(part for part in after[first : len(after) - last] if id(part) not in paired),
    )


def _most_alike(before: Sequence[Part], after: Sequence[Part]) -> list[tuple[Part, Part]]:
    """Return the best pairs in order, by dynamic programming as for an edit distance."""
    if len(before) == 1 == len(after):
        both = before[0], after[0]
        return [both] if type(both[0].node) is type(both[1].node) else []
    best = [[0.0] * (len(after) + 1) for _ in range(len(before) + 1)]
    alike = [[likeness(one, other) for other in after] for one in before]
    worth = [[_worth(alike[i][j], one) for j in range(len(after))] for i, one in enumerate(before)]
    for i in range(len(before) - 1, -1, -1):
        for j in range(len(after) - 1, -1, -1):
            paired = best[i + 1][j + 1] + worth[i][j] if alike[i][j] >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs: list[tuple[Part, Part]] = []
    i = j = 0
    while i < len(before) and j < len(after):
        if alike[i][j] >= _ALIKE and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            pairs.append((before[i], after[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _worth(alike: float, part: Part) -> float:
    """Return what a pair is worth: a little more for larger parts, of which fewer shall move."""
    return alike * (1 + min(part.size, 100) / 200)


def likeness(before: Part, after: Part) -> float:
    """Return how alike two parts are, from 0 to 1 for equal ones.

    That is the Dice coefficient of the trees in them, with a tenth for the same class.
    """
    if before.digest == after.digest:
        return 1.0
    if isinstance(before.node, n.Award) and isinstance(after.node, n.Award):
        same = all(
            [part.digest for part in before.field(name)] == [p.digest for p in after.field(name)]
            for name in ("keys", "values")
        )
        return 0.9 if same else 0.2
    kind = 0.1 if before.label[0] == after.label[0] else 0.0
    small, large = sorted((before, after), key=lambda part: part.size)
    if large.size > 12 * small.size:
        return kind
    other = large.below
    shared = sum(min(count, other[digest]) for digest, count in small.below.items())
    return kind + 0.9 * 2 * shared / (before.size + after.size)
