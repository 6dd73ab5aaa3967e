"""The best card of a location under a point map, with ties broken at random.

The best score is found without branches on the cards, which would be unpredictable. Only if two
cards tie for it are the tied ones collected, each once, in a second pass.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    differ,
    either,
    equal,
    negate,
    unlikely,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import (
    cards,
    collections,
    lists,
    locations,
    masks,
    piles,
    points,
    sets,
)
from cardwright.compiler.lower.lowering import LoweredPile, card_address, card_at
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import CardList, Lowering
    from cardwright.compiler.lower.points import Worth


def best_card(
    low: Lowering, node: n.BestCard, worth: Worth, place: LoweredPile | CardList | None
) -> ir.Expr:
    """Return the card with the extreme score; ties are broken at random."""
    found = _of_set(low, node, place)
    if found is not None and _rises(low, node):
        message = "there is no card to choose the best from"
        low.check(equal(found, ZERO), "no-card", message, node.span)
        return low.b.let(call(_end(low, node), found), "chosen")
    if place is None and not low.analysis.pure(node.location):
        place = lists.listed(low, node.location)
    worst = arithmetic.SMALLEST if node.highest else arithmetic.LARGEST
    tied = low.b.variable(FALSE, "tied")
    best = low.b.variable(const(worst), "best")
    chosen = low.b.variable(NONE, "chosen")
    rel = Rel.GT if node.highest else Rel.LT
    with _candidates(low, node.location, place, found) as (card, passes):
        score = low.b.let(worth(card), "score")
        ahead = compare(rel, score, best)
        if low.analysis.points_bound(node.points) is None:
            ahead = either(equal(chosen, NONE), ahead)
        better = low.b.let(both(passes, ahead), "better")
        like = both(both(passes, equal(score, best)), differ(card, chosen))
        low.b.set(tied, both(negate(better), either(tied, like)))
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(chosen, ir.Select(better, card, chosen))
    message = "there is no card to choose the best from"
    low.check(equal(chosen, NONE), "no-card", message, node.span)
    with low.b.when(unlikely(tied)):
        low.b.set(chosen, _drawn(low, node, worth, place, best))
    return chosen


def _of_set(
    low: Lowering, node: n.BestCard, place: LoweredPile | CardList | None
) -> ir.Expr | None:
    """Return the cards of which one is the best as a mask, or None."""
    if place is None:
        return sets.as_set(low, node.location)
    if isinstance(place, LoweredPile) and piles.is_masked(place):
        return piles.mask(low, place)
    return None


def _rises(low: Lowering, node: n.BestCard) -> int:
    """Return whether points rise with the card's number (1) or fall (-1) where cards can differ.

    Cards differ only in what no test of a filter fixes: of those of one suit, say. Otherwise 0.
    """
    scores = points.fixed_scores(low, node.points)
    if scores is None:
        return 0
    groups = _classes(low, node.location)
    pairs = [pair for group in groups for pair in pairwise(group)]
    if all(scores[one] < scores[other] for one, other in pairs):
        return 1
    return -1 if all(scores[one] > scores[other] for one, other in pairs) else 0


def _classes(low: Lowering, node: n.Node) -> list[list[int]]:
    """Group cards such that only those of one group can be in a location at once."""
    keys: list[str] = []
    while isinstance(node, n.Filter):
        tests = node.test.tests if isinstance(node.test, n.Logic) and node.test.every else ()
        for test in tests or (node.test,):
            keys += _fixed_key(low, test, node.variable.slot)
        node = node.collection
    groups: dict[tuple[str, ...], list[int]] = {}
    for card in low.program.cards:
        values = tuple(card.attributes.get(key, "") for key in keys)
        groups.setdefault(values, []).append(card.id)
    return list(groups.values())


def _fixed_key(low: Lowering, test: n.Node, slot: int) -> tuple[str, ...]:
    """Return the attribute that must have a certain value if a test holds."""
    if isinstance(test, n.Equal) and not test.negated:
        for own, other in ((test.left, test.right), (test.right, test.left)):
            match own:
                case n.Attribute(key=n.Text(value=key), card=n.Variable(slot=read)) if (
                    read == slot and not low.analysis.mentions(other, slot)
                ):
                    return (key,)
    return ()


def _end(low: Lowering, node: n.BestCard) -> str:
    """Return the operation that finds the best card of a mask whose points rise or fall."""
    return "highest_one" if (_rises(low, node) > 0) == node.highest else "lowest_one"


@contextmanager
def _candidates(
    low: Lowering,
    node: n.Node,
    place: LoweredPile | CardList | None,
    cards_found: ir.Expr | None = None,
) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Run a block for cards of a location and perhaps others, with a test which belong to it."""
    if cards_found is not None:
        with locations.each_of_mask(low, cards_found) as card:
            yield card, TRUE
        return
    if place is not None:
        with locations.each_in(low, place, node) as card:
            yield card, TRUE
        return
    match node:
        case n.Filter(variable=variable):
            which = masks.mask(low, node.test, variable.slot)
            if which is not None and not masks.is_array(low, node.collection):
                with _candidates(low, node.collection, None) as (card, passes):
                    yield card, both(passes, masks.has(which, card))
                return
        case n.Combine(operation=n.SetOperation.UNION, parts=(n.EachLocation() as part,)):
            if part.location.kind is ValueKind.LOCATION and low.analysis.pure(part):
                with (
                    collections.each(low, part.collection, part.variable),
                    _candidates(low, part.location, None) as found,
                ):
                    yield found
                return
    with locations.each_card(low, node) as card:
        yield card, TRUE


def _drawn(
    low: Lowering,
    node: n.BestCard,
    worth: Worth,
    place: LoweredPile | CardList | None,
    best: ir.Expr,
) -> ir.Expr:
    """Return a random one of the distinct cards with a score."""
    width = low.layout.card_bytes
    base = low.arena(low.reserve(width * (len(low.program.cards) + 16), node.span))
    count = low.b.variable(ZERO, "count")
    walk = locations.each_in(low, place, node) if place else locations.each_card(low, node.location)
    with walk as card, low.b.when(equal(worth(card), best)):
        known = cards.find(low, base, count, card)
        with low.b.when(equal(known, count)):
            low.b.add(ir.Store(card_address(low, base, count), card, width, "card"))
            low.b.set(count, add(count, const(1)))
    drawn = low.b.let(call("draw", low.board.base, count), "drawn")
    return low.b.let(card_at(low, base, drawn), "card")
