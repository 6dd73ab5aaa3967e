"""Cards as words: which locations, groups and tests of cards are sets of bits, without lists.

A place without an order lists its cards by number, and so does what a filter or an intersection
leaves of it, and every group of a partition of it and every subset. Where the order of cards does
not matter, a union or the cards of all players are a few operations on words as well. The parts of
a pile with an order are words of positions in it as long as nothing moves.

A test of cards that depends only on their attributes, on their points, and on what is the same for
all of them is a word too, in programs of up to 128 cards: the whole location is tested at once.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import builder, ir
from cardwright.compiler.builder import ONE, ZERO, add, both, call, compare, const, negate
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import piles, points, storages, words
from cardwright.compiler.lower.lowering import card_at
from cardwright.compiler.lower.values import CardArray, CardList, CardSet, LoweredPile
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily

# Locations as cards in any order ----------------------------------------------------------


def as_set(low: Lowering, node: n.Node) -> ir.Expr | None:
    """Return the cards of a location as a mask, now; None if that takes a list."""
    bits = low.tried(lambda: _set(low, node))
    return None if bits is None else low.b.let(bits, "set")


def _set(low: Lowering, node: n.Node) -> ir.Expr | None:
    if not low.has_masks or node.kind is not ValueKind.LOCATION or not low.analysis.pure(node):
        return None
    match node:
        case n.Place():
            form = piles.form_of(low, node)
            return piles.mask(low, low.pile(node)) if form is not None and form.masked else None
        case n.Variable(slot=slot):
            match low.env.get(slot):
                case CardSet(array=None, bits=bits):
                    return bits
                case LoweredPile() as pile if piles.is_masked(pile):
                    return piles.mask(low, pile)
        case n.Filter(collection=collection, test=test, variable=variable):
            if not low.counts(node):
                passing = cards_passing(low, test, variable.slot)
                return _united(words.common, [_set(low, collection), passing])
        case n.Combine(operation=n.SetOperation.UNION, parts=parts):
            return _united(words.joined, (cards for part in parts for cards in _parts(low, part)))
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=parts):
            return _united(words.common, (_set(low, part) or _real(low, part) for part in parts))
    return None


def _united(join: Callable[..., ir.Expr], parts: Iterable[ir.Expr | None]) -> ir.Expr | None:
    """Return what words come to together; None if one of them takes a list."""
    cards = list(parts)
    known = [part for part in cards if part is not None]
    return join(*known) if len(known) == len(cards) else None


def _real(low: Lowering, node: n.Node) -> ir.Expr | None:
    real = node.kind is ValueKind.LOCATION and low.analysis.is_real(node)
    return piles.mask(low, low.pile(node)) if real else None


def _in_just_one(*parts: ir.Expr) -> ir.Expr:
    once = seen = parts[0]
    for cards in parts[1:]:
        fresh = words.common(cards, words.inverted(seen))
        once = words.joined(words.common(once, words.inverted(cards)), fresh)
        seen = words.joined(seen, cards)
    return once


def _parts(low: Lowering, part: n.Node) -> Iterator[ir.Expr | None]:
    if not isinstance(part, n.EachLocation):
        yield _set(low, part)
    elif not isinstance(part.collection, n.Everyone) or low.counts(part):
        yield None
    else:
        for owner, belongs in each_owner(low, part.collection):
            low.env[part.variable.slot] = owner
            cards = _set(low, part.location)
            yield cards if belongs is None or cards is None else words.only_if(belongs, cards)


def each_owner(low: Lowering, node: n.Everyone) -> Iterator[tuple[ir.Const, ir.Expr | None]]:
    """Yield all owners of a sort, each with a test whether it is one of the others."""
    now = low.current_of(node) if node.others else None
    for owner in range(low.owners(team=node.kind is ValueKind.TEAMS)):
        yield const(owner), None if now is None else ir.OrderTest(Rel.NE, now, const(owner))


def is_disjoint(low: Lowering, node: n.Node) -> bool:
    """Return whether a location that is a set names no card twice."""
    if isinstance(node, n.Variable) and isinstance(low.env.get(node.slot), CardSet):
        return True
    named: list[LocationFamily] = []
    for place in _named(node):
        families = families_of(place, low.analysis) if place is not None else None
        if not families:
            return False
        named += families
    return len(set(named)) == len(named)


def _named(node: n.Node) -> Iterator[n.Place | None]:
    """Yield each place whose cards a location has once; None for one that it may have again."""
    match node:
        case n.Place():
            yield node
        case n.Filter(collection=collection):
            yield from _named(collection)
        case n.Combine(parts=parts):
            for part in parts:
                yield from _named(part)
        case n.EachLocation(variable=variable, location=location):
            for place in _named(location):
                owner = place.owner if place is not None else None
                own = isinstance(owner, n.Variable) and owner.slot == variable.slot
                yield place if own else None
        case _:
            yield None


# Locations as cards in their order --------------------------------------------------------


def in_order(low: Lowering, node: n.Node, *, still: bool) -> CardSet | None:
    """Return the cards of a location by number, or as positions if all is still; or None."""
    if lies_by_number(low, node) or (still and has_positions(low, node)):
        return cards_of(low, node)
    return None


def lies_by_number(low: Lowering, node: n.Node) -> bool:
    """Return whether a location lists its cards by number, each once, and can be had as a mask."""
    if node.kind is not ValueKind.LOCATION or not low.has_words or low.analysis.reorders_groups:
        return False
    match node:
        case n.Place():
            return piles.form_of(low, node) is PileForm.MASK
        case n.Variable(slot=slot):
            match low.env.get(slot):
                case CardSet() as cards:
                    return cards.by_number
                case LoweredPile(form=form):
                    return form is PileForm.MASK
        case n.Filter(collection=collection):
            return lies_by_number(low, collection)
    return False


def has_positions(low: Lowering, node: n.Node) -> bool:
    """Return whether parts of a location can be had as positions: it lists few cards, each once."""
    if not low.has_words or low.analysis.reorders_groups or not _is_plain(low, node):
        return False
    match node:
        case n.Place():
            return piles.is_pile(LoweredPile(ZERO, node.place, piles.form_of(low, node)))
        case n.Variable(slot=slot):
            match low.env.get(slot):
                case LoweredPile() as pile:
                    return piles.is_pile(pile)
                case CardSet(array=array) as cards:
                    return array is not None and cards.run_points is None
                case CardList():
                    return True
    return False


def _is_plain(low: Lowering, node: n.Node) -> bool:
    """Return whether a location, or each group of a set of them, lists every card once."""
    match node:
        case n.Place(place=kind):
            return kind is not LocationKind.MEMORY
        case n.Partition(parts=(inner,)) if inner.kind is ValueKind.LOCATION:
            return _is_plain(low, inner)
        case n.Combine(operation=n.SetOperation.UNION, parts=parts):
            plain = (part.kind is ValueKind.LOCATION and _is_plain(low, part) for part in parts)
            return is_disjoint(low, node) and all(plain)
        case n.Filter(collection=inner) | n.Subsets(location=inner):
            return _is_plain(low, inner)
        case n.Variable(slot=slot):
            return _is_plain(low, piles.bound_to(low, slot))
    return False


def cards_of(low: Lowering, node: n.Node) -> CardSet:
    """Return the cards of a location now: by number if it lies so, else as positions in it."""
    if isinstance(node, n.Filter):
        among = cards_of(low, node.collection)
        return replace(among, bits=_passing(low, node, among))
    held = low.location(node)
    if isinstance(held, CardSet):
        pile = held.pile if held.moves == low.moves else None
        return replace(held, bits=low.b.variable(held.bits, "set"), pile=pile)
    if isinstance(held, LoweredPile) and held.form is PileForm.MASK:
        return CardSet(piles.mask(low, held), None, held, low.moves)
    count = piles.length(low, held)
    array = CardArray(piles.array(low, held, node), count)
    return CardSet(low.b.variable(words.first(low.layout.mask, count), "positions"), array)


def _passing(low: Lowering, node: n.Filter, among: CardSet) -> ir.Expr:
    """Return those of some cards that pass a test, in a variable."""
    slot = node.variable.slot
    if not low.counts(*n.walk(node.test)):
        mask = cards_passing(low, node.test, slot)
        if mask is not None:
            low.rounds(node, call("count_ones", among.bits))
            return low.b.variable(words.common(among.bits, _within(among, mask)), "cards")
        at_once = low.tried(lambda: _passing_once_begun(low, node, among))
        if at_once is not None:
            return at_once
    passing = low.b.variable(words.none(among.bits.type), "cards")
    with low.each_bit(among.bits) as at:
        low.rounds(node)
        low.env[slot] = piles.card_of(low, among, at)
        own = words.only_if(low.holds(node.test), words.single(passing.type, at))
        low.b.set(passing, words.joined(passing, own))
    return passing


def _passing_once_begun(low: Lowering, node: n.Filter, among: CardSet) -> ir.Expr | None:
    """Test all cards at once as soon as there is one: what it is compared with may break a rule."""
    if not isinstance(node.test, n.Compare | n.Equal) or low.analysis.draws(node.test):
        return None
    low.rounds(node, call("count_ones", among.bits))
    passing = low.b.variable(words.none(among.bits.type), "cards")
    with low.b.when(words.is_some(among.bits)):
        mask = _mask_of(low, node.test, node.variable.slot)
        if mask is not None:
            low.b.set(passing, words.common(among.bits, _within(among, mask)))
    return None if mask is None else passing


def _within(cards: CardSet, mask: ir.Expr) -> ir.Expr:
    """Return the bits that the cards of a mask have in a set."""
    array = cards.array
    return mask if array is None else call("positions", array.address, array.count, mask)


def home(low: Lowering, node: n.Node) -> LoweredPile | None:
    """Return the place without an order where the cards of a location or of groups lie, or None.

    It is found again, so nothing may have changed since they were.
    """
    match node:
        case n.Place() if piles.form_of(low, node) is PileForm.MASK and is_array(low, node):
            return low.pile(node)
        case n.Filter(collection=inner) | n.Subsets(location=inner) | n.Partition(parts=(inner,)):
            return home(low, inner)
        case n.Variable(slot=slot):
            return home(low, piles.bound_to(low, slot))
    return None


_JOINS: dict[n.SetOperation, Callable[..., ir.Expr]] = {
    n.SetOperation.UNION: words.joined,
    n.SetOperation.INTERSECT: words.common,
    n.SetOperation.DISJUNCTION: _in_just_one,
}


def common_positions(low: Lowering, node: n.Node) -> CardSet | None:
    """Return the positions of a combination of sets of positions in one array, or None."""
    match node:
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            if isinstance(held, CardSet) and held.array is not None and held.run_points is None:
                return held
        case n.Combine(operation=operation, parts=parts):
            known = [cards for cards in (common_positions(low, p) for p in parts) if cards]
            if len(known) < len(parts) or len({cards.array for cards in known}) != 1:
                return None
            word = _JOINS[operation](*(cards.bits for cards in known))
            return CardSet(low.b.let(word, "positions"), known[0].array)
    return None


# Groups -----------------------------------------------------------------------------------


def are_words(low: Lowering, node: n.Partition, *, still: bool) -> bool:
    """Return whether the groups of a partition are sets, of positions only while all is still."""
    part = _grouped_by_name(node)
    return part is not None and (lies_by_number(low, part) or (still and has_positions(low, part)))


def _grouped_by_name(node: n.Partition) -> n.Node | None:
    """Return the one location that is grouped by an attribute that is written out, if it is so."""
    match node:
        case n.Partition(key=n.Text(), parts=(part,)) if part.kind is ValueKind.LOCATION:
            return part
    return None


@contextmanager
def each_group(low: Lowering, node: n.Partition, stop: Local | None) -> Iterator[CardSet]:
    """Run a block for each group of cards with the same value of an attribute."""
    assert isinstance(node.key, n.Text)
    cards = cards_of(low, node.parts[0])
    left = low.b.variable(cards.bits, "left")
    test = compare(Rel.NE, left, ZERO)
    with low.b.loop(both(negate(stop), test) if stop is not None else test):
        first: ir.Expr = call("lowest_one", left)
        if cards.array is not None:
            first = card_at(low, cards.array.address, first)
        alike = _within(cards, storages.cards_alike(low.shared, node.key.value, first))
        group = low.b.variable(words.common(left, alike), "group")
        low.b.set(left, ir.Binary(Op.XOR, left, group))
        yield replace(cards, bits=group)


def number_of_groups(low: Lowering, node: n.Partition) -> ir.Expr | None:
    """Return how many groups there are, in whatever order; None if that takes a list."""
    part = _grouped_by_name(node)
    cards = as_set(low, part) if part is not None and low.has_words else None
    if cards is None:
        return None
    assert isinstance(node.key, n.Text)
    left = low.b.variable(cards, "left")
    number = low.b.variable(ZERO, "groups")
    with low.b.loop(compare(Rel.NE, left, ZERO)):
        like = storages.cards_alike(low.shared, node.key.value, call("lowest_one", left))
        low.b.set(left, words.common(left, words.inverted(like)))
        low.b.set(number, add(number, ONE))
    return number


def subset(low: Lowering, cards: CardSet, which: ir.Expr) -> CardSet:
    """Return the subset of a set that has a bit in `which` for each of its cards."""
    return replace(cards, bits=low.b.variable(call("deposit", which, cards.bits), "subset"))


# Tests of cards ---------------------------------------------------------------------------


def passing(low: Lowering, node: n.Filter, *, ordered: bool) -> CardSet | None:
    """Return the cards of a real location that pass a filter's test, or None."""
    if low.counts(node) or not is_array(low, node.collection):
        return None
    mask = cards_passing(low, node.test, node.variable.slot)
    return None if mask is None else selected(low, node.collection, mask, ordered=ordered)


def selected(
    low: Lowering, node: n.Node, mask: ir.Expr, *, ordered: bool = False
) -> CardSet | None:
    """Return the cards of a real location that are in a mask, perhaps in another order; or None."""
    if not is_array(low, node):
        return None
    pile = low.pile(node)
    if pile.form is PileForm.MASK or (piles.is_masked(pile) and not ordered):
        return CardSet(low.b.let(words.common(piles.mask(low, pile), mask), "cards"))
    array = CardArray(piles.array(low, pile, node), piles.count(low, pile))
    positions = call("positions", array.address, array.count, mask)
    return CardSet(low.b.let(positions, "positions"), array)


def is_array(low: Lowering, node: n.Node) -> bool:
    """Return whether a form names a real location and its evaluation cannot fail.

    A location of references may have more of them than a mask has bits, unlike any other.
    """
    if not low.has_masks or not low.analysis.is_real(node) or not low.analysis.pure(node):
        return False
    few = low.layout.capacity <= low.layout.mask_bits
    return few or LocationKind.MEMORY not in low.analysis.kinds(node)


def cards_passing(low: Lowering, test: n.Node, slot: int) -> ir.Expr | None:
    """Return the mask of the cards for which a test of a variable holds, or None."""
    if not low.has_masks or not low.analysis.pure(test):
        return None
    mask = low.tried(lambda: _mask_of(low, test, slot))
    return None if mask is None else low.b.let(mask, "mask")


def _mask_of(low: Lowering, test: n.Node, slot: int) -> ir.Expr | None:
    mentions = low.analysis.mentions
    if not mentions(test, slot):
        return words.only_if(low.condition(test), words.every(low.layout.mask))
    match test:
        case n.Not(test=inner):
            mask = _mask_of(low, inner, slot)
            return None if mask is None else words.inverted(mask)
        case n.Logic(tests=tests):
            join = words.common if test.every else words.joined
            return _united(join, [_mask_of(low, inner, slot) for inner in tests])
        case n.Equal(negated=negated):
            for own, other in ((test.left, test.right), (test.right, test.left)):
                if not mentions(other, slot):
                    equal = _equal(low, own, other, slot)
                    if equal is not None:
                        return words.inverted(equal) if negated else equal
        case n.Quantifier(collection=collection):
            if low.counts(test) or mentions(collection, slot):
                return None
            return _joined(low, test, slot)
    threshold = points.threshold(low, test, slot)
    return None if threshold is None else points.cards_comparing(low, threshold)


def _equal(low: Lowering, own: n.Node, other: n.Node, slot: int) -> ir.Expr | None:
    match own:
        case n.Attribute(key=n.Text(value=key), card=n.Variable(slot=read)) if read == slot:
            return storages.cards_with(low, key, low.string(other))
        case n.Variable(kind=ValueKind.CARD, slot=read) if read == slot:
            card = low.b.let(low.card(other), "card")
            return words.only_if(ir.OrderTest(Rel.GE, card, ZERO), piles.bit(low, card))
    return None


def _joined(low: Lowering, test: n.Quantifier, slot: int) -> ir.Expr | None:
    """Return the cards for which a test holds with one of some items, or with all of them."""
    neutral = (words.every if test.every else words.none)(low.layout.mask)
    join = words.common if test.every else words.joined

    def own(item: ir.Expr, belongs: ir.Expr | None = None) -> ir.Expr | None:
        low.env[test.variable.slot] = item
        mask = _mask_of(low, test.test, slot)
        return mask if belongs is None or mask is None else builder.select(belongs, mask, neutral)

    if isinstance(test.collection, n.Everyone):
        owners = each_owner(low, test.collection)
        return _united(join, [neutral, *(own(*owner) for owner in owners)])
    members = as_set(low, test.collection)
    if members is None:
        return None
    result = low.b.variable(neutral, "mask")
    with low.each_bit(members) as item:
        mask = own(item)
        low.b.set(result, result if mask is None else join(result, mask))
    return None if mask is None else result
