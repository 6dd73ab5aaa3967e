"""The best card of a location under a point map, with ties broken at random.

The best score is found without branches on the cards, which would be unpredictable. Only if two
cards tie for it are the tied ones collected, each once, in a second pass.
"""

from __future__ import annotations

from contextlib import contextmanager
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
    words,
)
from cardwright.compiler.lower.card_classes import Sections, best_class, best_of, sections
from cardwright.compiler.lower.lowered_values import CardSet, LoweredPile, UnionView
from cardwright.compiler.lower.lowering import card_address, card_at
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowered_values import Cards
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.compiler.lower.points import Worth


def best_card(low: Lowering, node: n.BestCard, worth: Worth, place: Cards | None) -> ir.Expr:
    """Return the card with the extreme score; ties are broken at random."""
    found = _of_set(low, node, place)
    if found is None:
        return _by_scores(low, node, worth, place, None)
    order = _sections(low, node)
    if order is not None:
        low.check(words.is_none(found), "no-card", _NO_CARD, node.span)
        return best_of(low, found, order, highest=node.highest)
    best = best_class(low, node, found)
    if best is None:
        return _by_scores(low, node, worth, place, found)
    chosen = low.b.variable(NONE, "best_card")
    with low.b.when(unlikely(words.is_none(best.cards))):
        low.b.set(chosen, _by_scores(low, node, worth, place, found))
    with low.b.otherwise():
        low.b.set(chosen, best_of(low, best.cards, best.sections, highest=True))
    return chosen


_NO_CARD = "there is no card to choose the best from"


def _by_scores(
    low: Lowering,
    node: n.BestCard,
    worth: Worth,
    place: Cards | None,
    found: ir.Expr | None,
) -> ir.Expr:
    """Return the card with the extreme score, found by scoring all."""
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
    low.check(equal(chosen, NONE), "no-card", _NO_CARD, node.span)
    with low.b.when(unlikely(tied)):
        low.b.set(chosen, _drawn(low, node, worth, place, best))
    return chosen


def _of_set(low: Lowering, node: n.BestCard, place: Cards | None) -> ir.Expr | None:
    """Return the cards of which one is the best as a mask, or None."""
    if place is None:
        return sets.as_set(low, node.location)
    if isinstance(place, CardSet | UnionView):
        return place.mask
    if isinstance(place, LoweredPile) and piles.is_masked(place):
        return piles.mask(low, place)
    return None


def _sections(low: Lowering, node: n.BestCard) -> Sections | None:
    """Return sections in which points go by the card's number where cards can differ.

    Cards differ only in what no test of a filter fixes: of those of one suit, say.
    """
    scores = points.fixed_scores(low, node.points)
    return None if scores is None else sections(low, scores, _fixed_keys(low, node.location))


def _fixed_keys(low: Lowering, node: n.Node) -> list[str]:
    """Return attributes in which the cards of a location are alike."""
    keys: list[str] = []
    while isinstance(node, n.Filter):
        tests = node.test.tests if isinstance(node.test, n.Logic) and node.test.every else ()
        for test in tests or (node.test,):
            keys += _fixed_key(low, test, node.variable.slot)
        node = node.collection
    return keys


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


@contextmanager
def _candidates(
    low: Lowering,
    node: n.Node,
    place: Cards | None,
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
                    yield card, both(passes, words.has(which, card))
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
    place: Cards | None,
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
    low.settle()
    drawn = low.b.let(call("draw", low.board.base, count), "drawn")
    return low.b.let(card_at(low, base, drawn), "card")
