"""Card references: as a card, as a source, as a target of a move, and as the best of a location.

A reference to an empty location names no card, which is -1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    NONE,
    ONE,
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
    sub,
    unlikely,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import card_sets, piles, points, storages, words
from cardwright.compiler.lower.lowering import card_address, card_at
from cardwright.compiler.lower.values import (
    CardList,
    Cards,
    CardSet,
    Held,
    LoweredPile,
    Value,
    is_memory,
)
from cardwright.program import integers as arithmetic, nodes as n
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.compiler.lower.points import CardAward, Worth


@dataclass(frozen=True)
class LoweredCard:
    """A card and where it was found: at a position of a real location, or of a list.

    The position is None for a card found by a variable: it is the card's real position.
    """

    card: ir.Expr
    place: Cards | None = None
    at: ir.Expr | None = None
    held: Held | None = None
    """The known place of a card found by a variable."""
    bit: ir.Expr | None = None
    """The mask of the card, if it is known."""


@dataclass(frozen=True)
class LoweredTarget:
    """A place in a real location: a position, the top (None), or that of another card."""

    pile: LoweredPile
    position: ir.Expr | None
    card: ir.Expr | None = None


# Cards ------------------------------------------------------------------------------------


def held(low: Lowering, node: n.Node) -> Value:
    """Return the card that a reference names for a variable to hold; no card is an error."""
    if isinstance(node, n.Variable):
        return low.env[node.slot]
    bound = low.b.let(card(low, node), "let")
    low.check(equal(bound, NONE), "no-card", "there is no card to bind", node.span)
    return bound


def card(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the card that a reference names, or -1."""
    match node:
        case n.Variable(slot=slot):
            return low.scalar(slot)
        case n.Actual(card=inner):
            return card(low, inner)
        case n.End(top=top, location=location) if card_sets.lies_by_number(low, location):
            if not low.analysis.is_real(location):
                return _end_of_set(low, card_sets.cards_of(low, location), top=top).card
    return source(low, node).card


def _end_of_sorted(low: Lowering, node: n.Sort, *, top: bool) -> ir.Expr:
    """Return the first card of fewest points, or the last one of most, or -1; no list is sorted."""
    worth = points.worth(low, node.points)
    end = low.b.variable(NONE, "end")
    best = low.b.variable(ZERO, "best")
    with low.each_card(node.location) as item:
        score = low.b.let(worth(item), "score")
        beyond = compare(Rel.GE if top else Rel.LT, score, best)
        better = low.b.let(either(equal(end, NONE), beyond), "better")
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(end, ir.Select(better, item, end))
    return end


# Sources ----------------------------------------------------------------------------------


def source(low: Lowering, node: n.Node) -> LoweredCard:
    """Return where a reference finds its card; the card is -1 if there is none."""
    match node:
        case n.Variable() | n.Actual():
            place = _known_place(low, node)
            number = low.b.let(card(low, node), "card")
            return LoweredCard(number, held=place, bit=place.bit if place else None)
        case n.End(top=top, location=n.Sort() as location):
            return LoweredCard(_end_of_sorted(low, location, top=top))
        case n.End():
            return _end(low, node)
        case n.Position():
            return _position(low, node)
        case n.BestCard():
            return _best_source(low, node)
    raise AssertionError(node)


def _known_place(low: Lowering, node: n.Node) -> Held | None:
    """Return where the card of a variable lies, if no card has moved since it was found."""
    while isinstance(node, n.Actual):
        node = node.card
    value = low.env.get(node.slot) if isinstance(node, n.Variable) else None
    return value if isinstance(value, Held) and value.moves == low.moves else None


def _end(low: Lowering, node: n.End) -> LoweredCard:
    top, place = node.top, low.location(node.location)
    if isinstance(place, LoweredPile) and not piles.is_pile(place):
        number, bit = piles.end(low, place, top=top)
        return LoweredCard(number, place, bit=bit)
    if isinstance(place, CardSet) and place.by_number:
        return _end_of_set(low, place, top=top)
    count = piles.length(low, place)
    base = piles.array(low, place, node)
    if low.defers(place):
        low.settle(ONE)
    at = low.b.let(sub(count, ONE), "last") if top else ZERO
    end = low.b.variable(NONE, "card")
    with low.b.when(ir.OrderTest(Rel.GT, count, ZERO)):
        low.b.set(end, card_at(low, base, at))
    return LoweredCard(end, place, at)


def _end_of_set(low: Lowering, cards: CardSet, *, top: bool) -> LoweredCard:
    """Return the first or last card of a set, with the place where it lies if that is known."""
    bits = low.b.let(cards.bits, "set")
    end = call("highest_one" if top else "lowest_one", bits)
    number = low.b.let(ir.Select(equal(bits, ZERO), NONE, end), "card")
    place = None
    if cards.pile is not None and cards.moves == low.moves:
        place = Held(number, cards.pile, low.moves)
    return LoweredCard(number, cards, held=place)


def _position(low: Lowering, node: n.Position) -> LoweredCard:
    at = low.integer(node.index)
    place = low.location(node.location)
    count = piles.length(low, place)
    base = piles.array(low, place, node)
    number = low.b.variable(NONE, "card")
    with low.b.when(ir.OrderTest(Rel.GT, count, ZERO)):
        beyond = compare(Rel.UGE, at, count)
        what = "there is no position {a} among {b} cards"
        low.check(beyond, "position", what, node.span, at, count)
        low.b.set(number, card_at(low, base, at))
    return LoweredCard(number, place, at)


def _best_source(low: Lowering, node: n.BestCard) -> LoweredCard:
    """Find the card with the extreme score; ties are broken at random."""
    worth = points.worth(low, node.points)
    bound = low.analysis.is_real(node.location) or isinstance(node.location, n.Variable)
    place = low.location(node.location) if bound else None
    chosen = best_card(low, node, worth, place)
    if place is None or not (isinstance(place, CardList) or is_memory(place)):
        return LoweredCard(chosen, place)
    base, count = piles.array(low, place, node), piles.length(low, place)
    return LoweredCard(chosen, place, piles.find(low, base, count, chosen))


def lies_in(low: Lowering, card: ir.Expr) -> LoweredPile:
    """Return the location where a card actually is, to take it from there."""
    slot = low.b.let(call("holder_slot", low.board.base, card), "slot")
    form = PileForm.PILE if low.layout.forms.masks == 0 else None  # piles lose cards alike
    return LoweredPile(slot, LocationKind.VISIBLE, form)


def position_in(low: Lowering, pile: LoweredPile, card: ir.Expr) -> ir.Expr:
    """Return the position of a card of a location."""
    if piles.is_pile(pile):
        array = low.board.at("card", pile.slot, ZERO)
        return piles.find(low, array, piles.count(low, pile), card)
    return low.b.let(call("position_in", low.board.base, pile.slot, card), "position")


# Targets ----------------------------------------------------------------------------------


def target(low: Lowering, node: n.Node) -> LoweredTarget:
    """Return the place that a reference names as the target of a move."""
    match node:
        case n.End(top=top, location=location):
            pile = _real(low, low.location(location, keep=True), node)
            return LoweredTarget(pile, None if top else ZERO)
        case n.Position(index=index, location=location):
            position = low.integer(index)
            pile = _real(low, low.location(location, keep=True), node)
            return LoweredTarget(pile, position)
    mark = source(low, node)
    if not isinstance(node, n.Variable):
        what = "there is no card to mark the place"
        low.check(equal(mark.card, NONE), "no-card", what, node.span)
    best = mark.place is None and isinstance(node, n.BestCard)
    if best or isinstance(mark.place, CardSet):
        low.fail("virtual-destination", VIRTUAL, node.span)
    if mark.place is not None and mark.at is not None:
        return LoweredTarget(_real(low, mark.place, node), mark.at, mark.card)
    pile = lies_in(low, mark.card)
    if low.layout.forms.sorted:
        pile = replace(pile, form=None)
    if isinstance(mark.place, LoweredPile):
        pile = replace(pile, kind=mark.place.kind)
    return LoweredTarget(pile, position_in(low, pile, mark.card), mark.card)


VIRTUAL = "cards cannot be put into a virtual group; name a real location"


def _real(low: Lowering, place: Cards, node: n.Node) -> LoweredPile:
    """Return a real location; after a virtual one is reported, any will do."""
    if isinstance(place, LoweredPile):
        return place
    low.fail("virtual-destination", VIRTUAL, node.span)
    return LoweredPile(ZERO, LocationKind.VISIBLE, None)


# The best card ----------------------------------------------------------------------------


def best_card(low: Lowering, node: n.BestCard, worth: Worth, place: Cards | None) -> ir.Expr:
    """Return the card with the extreme score; ties are broken at random.

    A point map of a trick game gives all trumps more than any other card, and the cards of the suit
    led more than the rest; within a suit its points rise with the cards' numbers, at least within a
    few sections of it. Then the best card is the end of the best section of the best class that is
    there, and no card is scored.
    """
    cards = _as_set(low, node, place)
    if cards is None:
        return _by_scores(low, node, worth, place)
    order = _fixed_order(low, node)
    if order is not None:
        low.check(words.is_none(cards), "no-card", _NO_CARD, node.span)
        return _section_end(low, cards, order, highest=node.highest)
    classes = best_class(low, node, cards)
    if classes is None:
        return _by_scores(low, node, worth, place, cards)
    best, order = classes
    chosen = low.b.variable(NONE, "best_card")
    with low.b.when(unlikely(words.is_none(best))):
        low.b.set(chosen, _by_scores(low, node, worth, place, cards))
    with low.b.otherwise():
        low.b.set(chosen, _section_end(low, best, order, highest=True))
    return chosen


_NO_CARD = "there is no card to choose the best from"


def _by_scores(
    low: Lowering,
    node: n.BestCard,
    worth: Worth,
    place: Cards | None,
    cards: ir.Expr | None = None,
) -> ir.Expr:
    """Return the card with the extreme score by scoring all, without branches on the cards.

    These would be unpredictable. Only if two cards tie for the best score are the tied ones
    collected, each once, in a second pass.
    """
    if place is None and not low.analysis.pure(node.location):
        place = low.location(node.location)
    worst = arithmetic.SMALLEST if node.highest else arithmetic.LARGEST
    tied = low.b.variable(FALSE, "tied")
    best = low.b.variable(const(worst), "best")
    chosen = low.b.variable(NONE, "chosen")
    rel = Rel.GT if node.highest else Rel.LT
    with low.each_bit(cards) if cards is not None else _each_of(low, node, place) as card:
        score = low.b.let(worth(card), "score")
        ahead = compare(rel, score, best)
        if low.analysis.points_bound(node.points) is None:
            ahead = either(equal(chosen, NONE), ahead)
        better = low.b.let(ahead, "better")
        like = both(equal(score, best), differ(card, chosen))
        low.b.set(tied, both(negate(better), either(tied, like)))
        low.b.set(best, ir.Select(better, score, best))
        low.b.set(chosen, ir.Select(better, card, chosen))
    low.check(equal(chosen, NONE), "no-card", _NO_CARD, node.span)
    with low.b.when(unlikely(tied)):
        low.b.set(chosen, _drawn(low, node, worth, place, best))
    return chosen


def _as_set(low: Lowering, node: n.BestCard, place: Cards | None) -> ir.Expr | None:
    """Return the cards of which one is the best as a mask, or None."""
    if place is None:
        return card_sets.as_set(low, node.location)
    if isinstance(place, CardSet) and place.array is None:
        return place.bits
    if isinstance(place, LoweredPile) and piles.is_masked(place):
        return piles.mask(low, place)
    return None


def _fixed_order(low: Lowering, node: n.BestCard) -> Sections | None:
    """Return sections in which points go by the card's number where cards can differ.

    Cards differ only in what no test of a filter fixes: of those of one suit, say.
    """
    scores = points.fixed_scores(low, node.points)
    return None if scores is None else _sections(low, scores, _fixed_keys(low, node.location))


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
                case n.Attribute(key=n.Text(value=key), card=n.Variable(slot=read)):
                    if read == slot and not low.analysis.mentions(other, slot):
                        return (key,)
    return ()


def _each_of(
    low: Lowering, node: n.BestCard, place: Cards | None
) -> AbstractContextManager[ir.Expr]:
    return low.each_card(node.location) if place is None else piles.each_in(low, place, node)


def _drawn(
    low: Lowering, node: n.BestCard, worth: Worth, place: Cards | None, best: ir.Expr
) -> ir.Expr:
    width = low.layout.card_bytes
    base = low.arena(low.reserve(width * (len(low.program.cards) + 16), node.span))
    count = low.b.variable(ZERO, "count")
    with _each_of(low, node, place) as card, low.b.when(equal(worth(card), best)):
        known = piles.find(low, base, count, card)
        with low.b.when(equal(known, count)):
            low.b.add(ir.Store(card_address(low, base, count), card, width, "card"))
            low.b.set(count, add(count, const(1)))
    low.settle()
    drawn = low.b.let(call("draw", low.board.base, count), "drawn")
    return low.b.let(card_at(low, base, drawn), "card")


_MOST_AWARDS = 3
_MOST_SECTIONS = 3


@dataclass(frozen=True)
class Sections:
    """Masks of cards, better ones first, in each of which points rise or fall with the number."""

    masks: tuple[int, ...]
    rising: bool


def best_class(low: Lowering, node: n.BestCard, cards: ir.Expr) -> tuple[ir.Expr, Sections] | None:
    """Return the best class of cards, none of them if no award is there, and its sections.

    None if points do not make such classes.
    """
    cell = storages.cell(low, node.points)
    late = points.late_awards(low, node.points, cell)
    if not late or not node.highest:
        return None
    least = min(award.points for award in late)
    static = points.static_awards(low, node.points, cell)
    high = [award for award in static if award.points >= least]
    awards = (*late, *high)
    scores = points.static_scores(low, node.points, without=[award.award for award in high])
    ranked = sorted(_classes(awards), key=lambda group: -_worth(group))
    gap = max(scores) - min(scores)
    steps = pairwise([*map(_worth, ranked), 0])
    if len(awards) > _MOST_AWARDS or any(better - worse <= gap for better, worse in steps):
        return None
    # Who gets all awards of a group is alike in their keys, so the fewer keys, the more can differ.
    keys = [{key for award in group for key in award.keys} for group in ranked]
    order = _sections(low, scores, set.intersection(*keys))
    if order is None:
        return None
    best: ir.Expr = words.none(cards.type)
    for group in reversed(ranked):
        own = low.b.let(words.common(cards, *(award.cards for award in group)), "class")
        best = ir.Select(words.is_some(own), own, best)
    return low.b.let(best, "class"), order


def _classes(awards: Sequence[CardAward]) -> list[tuple[CardAward, ...]]:
    if len(awards) == 2 and set(awards[0].keys) == set(awards[1].keys):
        # Who gets both gets the better one, and so do all others of the class.
        return [(award,) for award in awards]
    counts = range(1, len(awards) + 1)
    return [group for count in counts for group in combinations(awards, count)]


def _worth(group: Iterable[CardAward]) -> int:
    return sum(award.points for award in group)


def _section_end(low: Lowering, cards: ir.Expr, order: Sections, *, highest: bool) -> ir.Expr:
    """Return the best card of a mask that is not empty, or the worst: an end of a section."""
    *first, _ = order.masks if highest else reversed(order.masks)
    best = cards
    for mask in reversed(first):
        own = low.b.let(words.common(cards, words.word(cards.type, mask)), "section")
        best = ir.Select(words.is_some(own), own, best)
    end = "highest_one" if order.rising == highest else "lowest_one"
    return low.b.let(call(end, best), "best_card")


def _sections(low: Lowering, scores: Sequence[int], keys: Iterable[str]) -> Sections | None:
    """Divide the cards so that those of one section that are alike in some keys go by number.

    None if that takes too many sections, or if two cards alike in the keys tie.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for card in low.program.cards:
        alike.setdefault(tuple(card.attributes.get(key, "") for key in keys), []).append(card.id)
    groups = [sorted(group, key=lambda card: scores[card]) for group in alike.values()]
    if any(scores[lower] == scores[upper] for group in groups for lower, upper in pairwise(group)):
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
