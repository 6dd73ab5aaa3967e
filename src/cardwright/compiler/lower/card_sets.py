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
from cardwright.compiler.builder import NONE, ONE, ZERO, add, both, call, compare, const, negate
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.layout import WORD, PileForm
from cardwright.compiler.lower import piles, points, storages, words
from cardwright.compiler.lower.lowering import card_at
from cardwright.compiler.lower.values import CardArray, CardList, CardSet, LoweredPile
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily

# Locations as cards in any order ----------------------------------------------------------


def as_set(low: Lowering, node: n.Node) -> ir.Expr | None:
    """Return the cards of a location as a mask, now; None if that takes a list."""
    return low.b.let(_set(low, node), "set") if is_set(low, node) else None


def is_set(low: Lowering, node: n.Node) -> bool:
    """Return whether the cards of a location can be had as a mask, if their order is lost."""
    if not low.has_masks or node.kind is not ValueKind.LOCATION or not low.analysis.pure(node):
        return False
    match node:
        case n.Place():
            form = piles.form_of(low, node)
            return form is not None and form.masked
        case n.Variable(slot=slot):
            match low.env.get(slot):
                case CardSet(array=array):
                    return array is None
                case LoweredPile() as pile:
                    return piles.is_masked(pile)
        case n.Filter(collection=collection, test=test, variable=variable):
            mask = not low.counts(node) and is_mask(low, test, variable.slot)
            return mask and is_set(low, collection)
        case n.Combine(operation=n.SetOperation.UNION, parts=parts):
            return all(_is_part(low, part) for part in parts)
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=parts):
            return all(is_set(low, part) or _is_real(low, part) for part in parts)
    return False


def _is_part(low: Lowering, part: n.Node) -> bool:
    match part:
        case n.EachLocation(collection=collection, location=location):
            every = isinstance(collection, n.Everyone) and not low.counts(part)
            return every and is_set(low, location)
    return is_set(low, part)


def _is_real(low: Lowering, node: n.Node) -> bool:
    return node.kind is ValueKind.LOCATION and low.analysis.is_real(node)


def _set(low: Lowering, node: n.Node) -> ir.Expr:
    match node:
        case n.Place() | n.Variable():
            cards = low.location(node)
            if isinstance(cards, CardSet):
                return cards.bits
            assert isinstance(cards, LoweredPile)
            return piles.mask(low, cards)
        case n.Filter(collection=collection, test=test, variable=variable):
            mask = cards_passing(low, test, variable.slot)
            assert mask is not None
            return words.common(_set(low, collection), mask)
        case n.Combine(operation=n.SetOperation.INTERSECT, parts=parts):
            return words.common(*(_whole(low, part) for part in parts))
        case n.Combine(parts=parts):
            none = words.none(low.layout.mask)
            union: ir.Expr = none
            for cards_of_part in (cards for part in parts for cards in _parts(low, part)):
                joined = words.joined(union, cards_of_part)
                union = cards_of_part if union == none else low.b.let(joined, "set")
            return union
    raise AssertionError(node)


def _whole(low: Lowering, node: n.Node) -> ir.Expr:
    if is_set(low, node):
        return _set(low, node)
    pile = low.location(node)
    assert isinstance(pile, LoweredPile)
    return piles.mask(low, pile)


def _in_just_one(low: Lowering, parts: list[ir.Expr]) -> ir.Expr:
    seen: ir.Expr = words.none(parts[0].type)
    once = seen
    for part in parts:
        cards = low.b.let(part, "set")
        fresh = words.common(cards, words.inverted(seen))
        left = words.common(once, words.inverted(cards))
        once = low.b.let(words.joined(left, fresh), "once")
        seen = low.b.let(words.joined(seen, cards), "seen")
    return once


def _parts(low: Lowering, part: n.Node) -> Iterator[ir.Expr]:
    if not isinstance(part, n.EachLocation):
        yield _set(low, part)
        return
    assert isinstance(part.collection, n.Everyone)
    for owner, belongs in each_owner(low, part.collection):
        low.env[part.variable.slot] = owner
        cards = _set(low, part.location)
        yield cards if belongs is None else words.only_if(belongs, cards)


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


# Locations as cards by number -------------------------------------------------------------


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


def card_set(low: Lowering, node: n.Node) -> CardSet:
    """Return the cards that a location that lies by number has now."""
    cards, pile = _by_number(low, node)
    return CardSet(low.b.variable(cards, "set"), None, pile, low.moves)


def cards_by_number(low: Lowering, node: n.Node) -> tuple[ir.Expr, LoweredPile | None]:
    """Return the cards of a location now, and the place where all of them lie if that is known."""
    cards, pile = _by_number(low, node)
    return low.b.let(cards, "cards"), pile


def _by_number(low: Lowering, node: n.Node) -> tuple[ir.Expr, LoweredPile | None]:
    if isinstance(node, n.Filter):
        cards, pile = _by_number(low, node.collection)
        return _passing_by_number(low, node, cards), pile
    held = low.location(node)
    if isinstance(held, CardSet):
        return held.bits, held.pile if held.moves == low.moves else None
    assert isinstance(held, LoweredPile)
    return piles.mask(low, held), held


def _passing_by_number(low: Lowering, node: n.Filter, cards: ir.Expr) -> ir.Expr:
    """Return those of some cards that pass a test."""
    slot = node.variable.slot
    if not low.counts(*n.walk(node.test)):
        mask = cards_passing(low, node.test, slot)
        if mask is not None:
            low.rounds(node, call("count_ones", cards))
            return low.b.let(words.common(cards, mask), "set")
        if _is_mask_once_begun(low, node.test, slot):
            low.rounds(node, call("count_ones", cards))
            some = low.b.variable(ZERO, "set")
            with low.b.when(compare(Rel.NE, cards, ZERO)):
                low.b.set(some, words.common(cards, _mask_of(low, node.test, slot)))
            return some
    passing = low.b.variable(ZERO, "set")
    with low.each_bit(cards) as card:
        low.rounds(node)
        low.env[slot] = card
        own = ir.Select(low.holds(node.test), piles.bit(low, card), ZERO)
        low.b.set(passing, words.joined(passing, own))
    return passing


def home(low: Lowering, node: n.Node) -> LoweredPile | None:
    """Return the place without an order where the cards of a location or of groups lie, or None.

    It is found again, so nothing may have changed since they were.
    """
    match node:
        case n.Place() if piles.form_of(low, node) is PileForm.MASK and is_array(low, node):
            pile = low.location(node)
            assert isinstance(pile, LoweredPile)
            return pile
        case n.Filter(collection=inner) | n.Subsets(location=inner) | n.Partition(parts=(inner,)):
            return home(low, inner)
        case n.Variable(slot=slot):
            return home(low, piles.bound_to(low, slot))
    return None


# Locations as positions -------------------------------------------------------------------


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


def positions(low: Lowering, node: n.Node) -> CardSet:
    """Return all cards of a location, or those of a set of positions, as positions."""
    held = low.location(node)
    if isinstance(held, CardSet):
        return held
    count = piles.length(low, held)
    array = piles.array(low, held, node)
    above = ir.Binary(Op.SHL, NONE, ir.Binary(Op.AND, count, const(WORD - 1)))
    bits = ir.Select(compare(Rel.EQ, count, const(WORD)), NONE, words.inverted(above))
    return CardSet(low.b.variable(bits, "positions"), CardArray(array, count))


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
            bits = [cards.bits for cards in known]
            if operation is n.SetOperation.DISJUNCTION:
                word = _in_just_one(low, bits)
            elif operation is n.SetOperation.INTERSECT:
                word = words.common(*bits)
            else:
                word = words.joined(*bits)
            return CardSet(low.b.let(word, "positions"), known[0].array)
    return None


# Groups -----------------------------------------------------------------------------------


def are_sets(low: Lowering, node: n.Partition) -> bool:
    """Return whether the groups of a partition list their cards by number."""
    part = _grouped_by_name(node)
    return part is not None and lies_by_number(low, part)


def are_positions(low: Lowering, node: n.Partition) -> bool:
    """Return whether the groups of a partition can be had as positions."""
    part = _grouped_by_name(node)
    return part is not None and has_positions(low, part)


def _grouped_by_name(node: n.Partition) -> n.Node | None:
    """Return the one location that is grouped by an attribute that is written out, if it is so."""
    match node:
        case n.Partition(key=n.Text(), parts=(part,)) if part.kind is ValueKind.LOCATION:
            return part
    return None


@contextmanager
def each_group(low: Lowering, node: n.Partition, stop: Local | None) -> Iterator[CardSet]:
    """Run a block for each group of cards with the same value of an attribute."""
    part, key = node.parts[0], node.key
    assert isinstance(key, n.Text)
    if are_sets(low, node):
        bits, pile = _by_number(low, part)
        cards = CardSet(bits, None, pile, low.moves)
    else:
        cards = positions(low, part)
    left = low.b.variable(cards.bits, "left")
    test = compare(Rel.NE, left, ZERO)
    with low.b.loop(both(negate(stop), test) if stop is not None else test):
        first: ir.Expr = call("lowest_one", left)
        if cards.array is None:
            alike = storages.cards_alike(low.shared, key.value, first)
        else:
            address, count = cards.array.address, cards.array.count
            like = storages.cards_alike(low.shared, key.value, card_at(low, address, first))
            alike = low.b.let(call("positions", address, count, like), "alike")
        group = low.b.variable(words.common(left, alike), "group")
        low.b.set(left, ir.Binary(Op.XOR, left, group))
        yield replace(cards, bits=group)


def number_of_groups(low: Lowering, node: n.Partition) -> ir.Expr | None:
    """Return how many groups there are, in whatever order; None if that takes a list."""
    part = _grouped_by_name(node)
    if part is None or not low.has_words or not is_set(low, part):
        return None
    assert isinstance(node.key, n.Text)
    left = low.b.variable(as_set(low, part) or ZERO, "left")
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


def passing(
    low: Lowering, collection: n.Node, variable: n.Variable, test: n.Node, *, opposite: bool
) -> ir.Expr | None:
    """Return a word of the cards of a real location that pass a test, or do not; or None.

    The bits may be positions, or numbers.
    """
    if collection.kind is not ValueKind.LOCATION or not low.has_masks:
        return None
    mask = cards_passing(low, test, variable.slot) if is_array(low, collection) else None
    if mask is None:
        return None
    if opposite:
        mask = words.inverted(mask)
    return _selected(low, collection, mask, ordered=False).bits


def chosen(low: Lowering, node: n.Filter) -> CardSet | None:
    """Return the cards of a real location that pass a filter's test, or None."""
    if not is_array(low, node.collection) or low.counts(node):
        return None
    mask = cards_passing(low, node.test, node.variable.slot)
    return None if mask is None else _selected(low, node.collection, mask)


def _selected(low: Lowering, base: n.Node, mask: ir.Expr, *, ordered: bool = True) -> CardSet:
    pile = low.location(base)
    assert isinstance(pile, LoweredPile)
    if pile.form is PileForm.MASK or (piles.is_masked(pile) and not ordered):
        return CardSet(low.b.let(words.common(piles.mask(low, pile), mask), "cards"))
    array = piles.array(low, pile, base)
    count = piles.count(low, pile)
    positions = low.b.let(call("positions", array, count, mask), "positions")
    return CardSet(positions, CardArray(array, count))


def is_array(low: Lowering, node: n.Node) -> bool:
    """Return whether a form names a real location and its evaluation cannot fail.

    A location of references may have more of them than a mask has bits, unlike any other.
    """
    if not low.analysis.is_real(node) or not low.analysis.pure(node):
        return False
    few = low.layout.capacity <= low.layout.mask_bits
    return few or LocationKind.MEMORY not in low.analysis.kinds(node)


def cards_passing(low: Lowering, test: n.Node, slot: int) -> ir.Expr | None:
    """Return the mask of the cards for which a test of a variable holds, or None."""
    return low.b.let(_mask_of(low, test, slot), "mask") if is_mask(low, test, slot) else None


def is_mask(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether a test of a variable can be expressed as a mask."""
    return low.has_masks and low.analysis.pure(test) and _is_simple(low, test, slot)


def _is_mask_once_begun(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether a test is a mask as soon as there is a card to test.

    What it compares the first card with may break a rule.
    """
    if not low.has_masks or low.analysis.draws(test):
        return False
    return isinstance(test, n.Compare | n.Equal) and _is_simple(low, test, slot)


def _is_simple(low: Lowering, test: n.Node, slot: int) -> bool:
    """Return whether `_mask_of` knows a test."""
    if not low.analysis.mentions(test, slot):
        return True
    match test:
        case n.Not(test=inner):
            return _is_simple(low, inner, slot)
        case n.Logic(tests=tests):
            return all(_is_simple(low, inner, slot) for inner in tests)
        case n.Equal() if _sides(low, test, slot) is not None:
            return True
        case n.Quantifier() if _belongs(low, test, slot):
            return is_set(low, test.collection)
        case n.Quantifier():
            return _is_joined(low, test, slot)
    return points.threshold(low, test, slot) is not None


def _mask_of(low: Lowering, test: n.Node, slot: int) -> ir.Expr:
    if not low.analysis.mentions(test, slot):
        holds = low.condition(test)
        return words.only_if(holds, words.every(low.layout.mask))
    match test:
        case n.Not(test=inner):
            return words.inverted(_mask_of(low, inner, slot))
        case n.Logic(tests=tests):
            join = words.common if test.every else words.joined
            return join(*[_mask_of(low, inner, slot) for inner in tests])
        case n.Equal() if (sides := _sides(low, test, slot)) is not None:
            equal = _equal(low, *sides)
            return words.inverted(equal) if test.negated else equal
        case n.Quantifier() if _belongs(low, test, slot):
            members = as_set(low, test.collection)
            assert members is not None
            return words.inverted(members) if test.every else members
        case n.Quantifier():
            return _joined(low, test, slot)
    threshold = points.threshold(low, test, slot)
    assert threshold is not None
    return points.cards_comparing(low, threshold)


def _sides(low: Lowering, test: n.Equal, slot: int) -> tuple[n.Node, n.Node] | None:
    for own, other in ((test.left, test.right), (test.right, test.left)):
        if low.analysis.mentions(other, slot):
            continue
        match own:
            case n.Attribute(key=n.Text(), card=n.Variable(slot=read)) if read == slot:
                return own, other
            case n.Variable(kind=ValueKind.CARD, slot=read) if read == slot:
                return own, other
    return None


def _equal(low: Lowering, own: n.Node, other: n.Node) -> ir.Expr:
    match own:
        case n.Attribute(key=n.Text(value=key)):
            return storages.cards_with(low, key, low.string(other))
    card = low.b.let(low.card(other), "card")
    return words.only_if(ir.OrderTest(Rel.GE, card, ZERO), piles.bit(low, card))


def _belongs(low: Lowering, test: n.Quantifier, slot: int) -> bool:
    """Return whether a test says that a variable's card is one of a location, or is not."""
    if test.collection.kind is not ValueKind.LOCATION or low.counts(test):
        return False
    match test.test:
        case n.Equal(left=n.Variable(slot=left), right=n.Variable(slot=right), negated=negated):
            same = {left, right} == {slot, test.variable.slot} and negated is test.every
            return same and not low.analysis.mentions(test.collection, slot)
    return False


def _is_joined(low: Lowering, test: n.Quantifier, slot: int) -> bool:
    """Return whether a quantifier joins masks of a card: one for each of some cards or owners."""
    collection = test.collection
    if low.counts(test) or low.analysis.mentions(collection, slot):
        return False
    if not _is_simple(low, test.test, slot):
        return False
    return isinstance(collection, n.Everyone) or is_set(low, collection)


def _joined(low: Lowering, test: n.Quantifier, slot: int) -> ir.Expr:
    """Return the cards for which a test holds with one of some items, or with all of them."""
    neutral = (words.every if test.every else words.none)(low.layout.mask)
    result = low.b.variable(neutral, "mask")
    join = words.common if test.every else words.joined
    if isinstance(test.collection, n.Everyone):
        for owner, belongs in each_owner(low, test.collection):
            low.env[test.variable.slot] = owner
            own = _mask_of(low, test.test, slot)
            if belongs is not None:
                own = builder.select(belongs, own, neutral)
            low.b.set(result, join(result, own))
        return result
    members = as_set(low, test.collection)
    assert members is not None
    with low.each_bit(members) as item:
        low.env[test.variable.slot] = item
        low.b.set(result, join(result, _mask_of(low, test.test, slot)))
    return result
