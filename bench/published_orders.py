"""Whether games come in the same order as in a publication, and how much chance is in that.

Two orders are compared by pairs. That a publication's order of eight games differs says little by
itself: with a hundred games of each, its authors would have found another order the next time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from published_claims import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from published_claims import Judged

DRAWS = 4_000
"""Simulated publications."""
SURE = 1.96


@dataclass(frozen=True)
class Member:
    """A game of an order: its published number, ours, and the standard errors of both."""

    name: str
    published: float
    found: float
    error: float
    published_error: float


@dataclass(frozen=True)
class Order:
    """Two orders of the same games, from the least to the greatest.

    `same` of `pairs` pairs of games are in the same order. `low` and `high` are how many would be,
    in 95 of 100 cases, if somebody played as many games as the publication and all was alike.
    `against` are pairs that both put in an order of which they can be sure, but not in the same.
    """

    name: str
    published: tuple[str, ...]
    found: tuple[str, ...]
    same: int
    pairs: int
    low: int
    high: int
    against: tuple[tuple[str, str], ...]


def orders(judged: Iterable[Judged]) -> list[Order]:
    """Return the orders of all groups of claims of which each was played."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        if one.claim.group:
            groups.setdefault(one.claim.group, []).append(one)
    return [
        order(name, [_member(one) for one in group])
        for name, group in groups.items()
        if all(one.verdict is not Verdict.NOT_PLAYED for one in group)
    ]


def order(name: str, members: Sequence[Member]) -> Order:
    """Compare the published order of games with ours; pairs with equal numbers are left out."""
    pairs = [(a, b) for a, b in combinations(members, 2) if a.published != b.published]
    same = sum(_signs(a, b) > 0 for a, b in pairs)
    low, high = _expected(members, pairs)
    return Order(
        name,
        tuple(one.name for one in sorted(members, key=lambda one: one.published)),
        tuple(one.name for one in sorted(members, key=lambda one: one.found)),
        same,
        len(pairs),
        low,
        high,
        tuple((a.name, b.name) for a, b in pairs if _signs(a, b) < 0 and _sure(a, b)),
    )


def _member(one: Judged) -> Member:
    assert one.found is not None
    assert one.claim.value is not None
    error = one.found.error
    again = error * math.sqrt(one.games / one.claim.games)
    return Member(one.claim.member, float(one.claim.value), one.found.value, error, again)


def _signs(a: Member, b: Member) -> float:
    return (a.published - b.published) * (a.found - b.found)


def _sure(a: Member, b: Member) -> bool:
    """Say whether each order by itself is more than chance."""
    published = abs(a.published - b.published) > SURE * math.hypot(
        a.published_error, b.published_error
    )
    return published and abs(a.found - b.found) > SURE * math.hypot(a.error, b.error)


def _expected(members: Sequence[Member], pairs: Sequence[tuple[Member, Member]]) -> tuple[int, int]:
    """Return how many pairs chance lets agree, if the numbers are ours but for their errors."""
    stream = np.random.default_rng(1)
    draws = stream.standard_normal((2, DRAWS, len(members)))
    truth = np.array([one.found for one in members])
    ours = truth + draws[0] * [one.error for one in members]
    theirs = truth + draws[1] * [one.published_error for one in members]
    places = {one.name: place for place, one in enumerate(members)}
    left = [places[a.name] for a, _ in pairs]
    right = [places[b.name] for _, b in pairs]
    signs = (ours[:, left] - ours[:, right]) * (theirs[:, left] - theirs[:, right])
    low, high = np.quantile((signs > 0).sum(axis=1), [0.025, 0.975], method="nearest")
    return int(low), int(high)
