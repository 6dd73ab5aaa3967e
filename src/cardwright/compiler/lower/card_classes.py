"""The best card by classes: the trumps, then the suit led, then the rest.

A point map of a trick game gives all trumps more than any other card, and the cards of the suit led
more than the rest; within a suit its points rise with the cards' numbers, at least within a few
sections of it. Then the best card is the end of the best section that is there, and no card is
scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import call
from cardwright.compiler.ir import Op
from cardwright.compiler.lower import points, storages, words
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.compiler.lower.points import CardAward

_MOST_AWARDS = 3


_MOST_SECTIONS = 3


@dataclass(frozen=True)
class Sections:
    """Masks of cards, better ones first, in each of which points rise or fall with the number."""

    masks: tuple[int, ...]
    rising: bool


@dataclass(frozen=True)
class BestClass:
    """The cards of the best class that is there, and the sections of any class."""

    cards: ir.Expr
    sections: Sections


def best_class(low: Lowering, node: n.BestCard, found: ir.Expr) -> BestClass | None:
    """Return the best class of the cards of a mask; none of them if no class with awards is there.

    None if points do not make such classes.
    """
    assert isinstance(node.points, n.Storage)
    cell = storages.cell(low, node.points)
    late = points.late_awards(low, node.points, cell)
    if not late or not node.highest:
        return None
    least = min(award.points for award in late)
    high = [
        award for award in points.static_awards(low, node.points, cell) if award.points >= least
    ]
    awards = (*late, *high)
    scores = points.static_scores(low, node.points, without=[award.award for award in high])
    ranked = sorted(_classes(awards), key=lambda group: -_worth(group))
    gap = max(scores) - min(scores)
    if len(awards) > _MOST_AWARDS or any(
        _worth(better) - _worth(worse) <= gap for better, worse in pairwise([*ranked, ()])
    ):
        return None
    # Who gets all awards of a group is alike in their keys, so the fewer keys, the more can differ.
    found_in = sections(low, scores, frozenset.intersection(*map(_keys, ranked)))
    if found_in is None:
        return None
    best: ir.Expr = words.none(found.type)
    for group in reversed(ranked):
        own = low.b.let(_common(found, group), "class")
        best = ir.Select(words.is_some(own), own, best)
    return BestClass(low.b.let(best, "class"), found_in)


def _classes(awards: Sequence[CardAward]) -> list[tuple[CardAward, ...]]:
    """Return which awards a card can get together."""
    if len(awards) == 2 and set(awards[0].keys) == set(awards[1].keys):
        # Who gets both gets the better one, and so do all others of the class.
        return [(award,) for award in awards]
    counts = range(1, len(awards) + 1)
    return [group for count in counts for group in combinations(awards, count)]


def _worth(group: Iterable[CardAward]) -> int:
    return sum(award.points for award in group)


def _keys(group: Iterable[CardAward]) -> frozenset[str]:
    return frozenset(key for award in group for key in award.keys)


def _common(found: ir.Expr, group: Iterable[CardAward]) -> ir.Expr:
    for award in group:
        found = ir.Binary(Op.AND, found, award.cards)
    return found


def best_of(low: Lowering, found: ir.Expr, within: Sections, *, highest: bool) -> ir.Expr:
    """Return the best card of a mask that is not empty, or the worst."""
    *first, _ = within.masks if highest else reversed(within.masks)
    best = found
    for mask in reversed(first):
        own = low.b.let(ir.Binary(Op.AND, found, words.word(found.type, mask)), "section")
        best = ir.Select(words.is_some(own), own, best)
    end = "highest_one" if within.rising == highest else "lowest_one"
    return low.b.let(call(end, best), "best_card")


def sections(low: Lowering, scores: Sequence[int], keys: Iterable[str]) -> Sections | None:
    """Divide the cards so that those of one section that are alike in some keys go by number.

    None if that takes too many sections, or if two cards alike in the keys tie.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for card in low.program.cards:
        alike.setdefault(tuple(card.attributes.get(key, "") for key in keys), []).append(card.id)
    groups = [sorted(group, key=lambda card: scores[card]) for group in alike.values()]
    if any(scores[one] == scores[other] for group in groups for one, other in pairwise(group)):
        return None
    ways = [_divide(scores, groups, rising=rising) for rising in (True, False)]
    best = min(ways, key=lambda way: len(way.masks))
    return best if len(best.masks) <= _MOST_SECTIONS else None


def _divide(scores: Sequence[int], groups: Sequence[Sequence[int]], *, rising: bool) -> Sections:
    """Divide the cards at as few scores as possible, from the lowest."""
    cuts: list[int] = []
    for level in sorted(set(scores)):
        for group in groups:
            before = [card for card in group if scores[card] < level]
            own = [card for card in group if scores[card] == level]
            turns = before and own and (before[-1] < own[0]) != rising
            if turns and not any(scores[before[-1]] < cut <= level for cut in cuts):
                cuts.append(level)
    bounds = [*cuts, max(scores) + 1]
    masks = [0] * len(bounds)
    for card, score in enumerate(scores):
        masks[next(at for at, bound in enumerate(bounds) if score < bound)] |= 1 << card
    return Sections(tuple(reversed(masks)), rising)
