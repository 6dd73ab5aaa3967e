"""How far rules are from other rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.variation.program_tokens import program_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence


def distance(one: str, other: str, most: int | None = None) -> int:
    """Return the distance of two texts of rules: how many tokens differ.

    It is the smallest number of tokens to be put in, taken out or exchanged for another, which
    makes it a metric (Levenshtein's, on tokens): 0 for the same rules in any layout and with any
    comments, the same both ways, and never more than by way of third rules. Tokens are words,
    numbers, marks and brackets: another number is 1, a condition negated 3, a step deleted as much
    as it has tokens. With `most`, every distance beyond it is given as `most + 1`, sooner.
    """
    return levenshtein(program_tokens(one), program_tokens(other), most)


def levenshtein(one: Sequence[str], other: Sequence[str], most: int | None = None) -> int:
    """Return the smallest number of items put in, taken out or exchanged; see `distance`.

    It takes time in proportion to the square of the distance, and once to the length: what is
    reached with a number of changes on each diagonal is followed (Ukkonen, Algorithms for
    approximate string matching, Information and Control 64, 1985).
    """
    start = 0
    shortest = min(len(one), len(other))
    while start < shortest and one[start] == other[start]:
        start += 1
    end = 0
    while end < shortest - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    limit = max(len(one), len(other)) if most is None else most
    goal = len(other) - len(one)
    reached = {0: _slide(one, other, 0, 0)}
    for changes in range(limit + 1):
        if reached.get(goal, -1) >= len(one):
            return changes
        reached = {
            diagonal: _slide(one, other, _furthest(reached, diagonal, one, other), diagonal)
            for diagonal in range(-changes - 1, changes + 2)
            if -len(one) <= diagonal <= len(other)
        }
    return limit + 1


def _furthest(
    reached: dict[int, int], diagonal: int, one: Sequence[str], other: Sequence[str]
) -> int:
    """Return how many items of the first are used up after one more change, on a diagonal.

    The diagonal is how many more items of the other are used up.
    """
    exchanged = reached.get(diagonal, -2) + 1
    put_in = reached.get(diagonal - 1, -1)
    taken_out = reached.get(diagonal + 1, -2) + 1
    return min(max(exchanged, put_in, taken_out), len(one), len(other) - diagonal)


def _slide(one: Sequence[str], other: Sequence[str], at: int, diagonal: int) -> int:
    """Return how far the items are the same from a place on."""
    while at < len(one) and at + diagonal < len(other) and one[at] == other[at + diagonal]:
        at += 1
    return at
