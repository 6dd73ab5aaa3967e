"""Which groups of cards a collection can have, by the looks of their cards, listed if not many."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, product
from typing import TYPE_CHECKING, TypeAlias

from cardwright.interpreter.world import PointMap
from cardwright.program import nodes as n
from cardwright.program.integers import PASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.game.action_columns import Picking
    from cardwright.program.program import Program

Group: TypeAlias = tuple[int, ...]


def group_values(
    picking: Picking, found: n.Node, pools: Sequence[Sequence[int]]
) -> tuple[Group, ...] | None:
    """Return the groups that a collection can have, the small ones first; None if too many.

    Each lies in one of the pools, which are looks of cards. More may be listed than the game ever
    has, but none is missing.
    """
    groups = chain.from_iterable(_groups_of(picking, found, pool) for pool in pools)
    distinct: dict[Group, None] = {}
    for group in groups:
        distinct[group] = None
        if len(distinct) > picking.cap:
            return None
    return tuple(sorted(distinct, key=lambda group: (len(group), group)))


def least_size(program: Program, found: n.Node) -> int:
    """Return the number of cards that every group of a collection has at least."""
    match found:
        case n.Runs() | n.Tuples():
            return 1
        case n.Subsets():
            return 0 if program.base == 0 else 1
    return 0


def _groups_of(picking: Picking, found: n.Node, pool: Sequence[int]) -> Iterator[Group]:
    sizes: Iterable[int] = range(least_size(picking.program, found), len(pool) + 1)
    match found:
        case n.Subsets(size=n.Number(value=value), operator=operator):
            sizes = [size for size in sizes if PASSES[operator](size, value)]
        case n.Tuples(count=n.Number(value=value)):
            sizes = [value]
        case n.Runs(points=n.Storage() as storage):
            maps = _known_maps(picking, storage)
            if maps is not None:
                least = found.least.value if isinstance(found.least, n.Number) else 1
                for points in maps:
                    yield from _runs(picking, points, pool, max(least, 1))
                return
    counts = sorted(Counter(pool).items())
    for size in sizes:
        yield from _multisets(counts, size)


def _multisets(counts: Sequence[tuple[int, int]], size: int, at: int = 0) -> Iterator[Group]:
    """Yield the multisets of a size, of looks with so many cards each."""
    if size == 0:
        yield ()
        return
    if sum(count for _, count in islice(counts, at, None)) < size:
        return
    look, most = counts[at]
    for count in range(min(most, size), -1, -1):
        for rest in _multisets(counts, size - count, at + 1):
            yield (look,) * count + rest


def _known_maps(picking: Picking, storage: n.Storage) -> list[PointMap] | None:
    """Return the point maps that a storage can have; None if one is computed in play."""
    maps = []
    for site in picking.facts.values.sites_of(storage):
        awards = []
        for award in site.awards:
            assert isinstance(award, n.Award)
            words = (*award.keys, *award.values)
            if not all(isinstance(word, n.Text) for word in words):
                return None
            if not isinstance(award.points, n.Number):
                return None
            keys = tuple(key.value for key in award.keys if isinstance(key, n.Text))
            values = tuple(value.value for value in award.values if isinstance(value, n.Text))
            awards.append((keys, values, award.points.value))
        maps.append(PointMap(tuple(awards), picking.program))
    return maps


def _runs(picking: Picking, points: PointMap, pool: Sequence[int], least: int) -> Iterator[Group]:
    """Yield every choice of one look per score of consecutive scores."""
    by_score: dict[int, list[int]] = {}
    for look in sorted(set(pool)):
        card = picking.program.cards[picking.examples[look]]
        by_score.setdefault(points.of(card.id), []).append(look)
    for low in sorted(by_score):
        high = low
        while high in by_score:
            high += 1
            if high - low >= least:
                choices = product(*(by_score[score] for score in range(low, high)))
                yield from (tuple(sorted(choice)) for choice in choices)
