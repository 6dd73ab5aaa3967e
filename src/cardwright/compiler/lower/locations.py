"""Locations: real ones by their slot, sets of cards as words, and lists of cards in the arena.

For a location that is only iterated over, `each_card` makes no list, as long as that is
unobservable: no test on the way draws or breaks a rule.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, add, call, compare, const, mul, offset, sub
from cardwright.compiler.ir import Local, Rel
from cardwright.compiler.lower import card_sets, collections, piles, points, words
from cardwright.compiler.lower.lowering import LIST, Lowering, card_at, entry
from cardwright.compiler.lower.values import CardList, Cards, LoweredPile
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS, MOST_ITEMS
from cardwright.program.places import KINDS, LocationFamily, families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager


def location(low: Lowering, node: n.Node, *, keep: bool = False) -> Cards:
    """Return a location. `keep` says that its place matters, even if it never held a card."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Cards)
            return value
        case n.Place():
            return place(low, node, keep=keep)
        case n.Filter() if card_sets.lies_by_number(low, node):
            return card_sets.cards_of(low, node)
        case n.Element():
            return _element(low, node)
        case n.Sort():
            return _sorted(low, node)
        case n.EndRun():
            return _end_run(low, node)
        case n.Combine(operation=n.SetOperation.UNION):
            return _union(low, node)
        case n.Combine():
            parts = _lists_of(low, node.parts, node)
            intersects = node.operation is n.SetOperation.INTERSECT
            kernel = "intersect" if intersects else "disjoin"
            return CardList(low.made(kernel, node.span, parts))
        case n.Filter():
            return _filtered(low, node)
        case n.Sequence():
            with piles.new_list(low, node) as (push, result), each_card(low, node) as card:
                push(card)
            return result
    raise AssertionError(node)


# Real locations ---------------------------------------------------------------------------


def place(low: Lowering, node: n.Place, *, keep: bool = False) -> LoweredPile:
    """Return the slot of a place; owner, name and index are evaluated in this order.

    A computed place that never held a card gets a slot only if `keep` is set.
    """
    sort = sort_of(node.owner, low.program)
    within = sub(low.owner(node.owner), const(sort.first))
    owner = low.b.let(add(within, const(sort.first)), "owner")
    name = low.string(node.name)
    index = ZERO if node.index is None else low.integer(node.index)
    families = families_of(node, low.analysis)
    bases = low.layout.places.bases
    form = piles.form_of(low, node)
    if families is None or any(family not in bases for family in families):
        owner = low.b.let(add(within, const(sort.first)), "owner")
        slot = _pooled(low, node, (owner, name, index), keep=keep)
        return LoweredPile(slot, node.place, form)
    if len(families) > 1:
        base = _base(low, families, name, index)
        return LoweredPile(low.b.let(add(base, within), "slot"), node.place, form)
    first = bases[families[0]]
    return LoweredPile(low.b.let(add(const(first), within), "slot"), node.place, form, first)


def _base(low: Lowering, families: list[LocationFamily], name: ir.Expr, index: ir.Expr) -> ir.Expr:
    """Return the first slot of one of several families, from a table by name and index."""
    bases = low.layout.places.bases
    names = list(dict.fromkeys(family.name for family in families))
    indices = sorted({family.at for family in families})
    width = indices[-1] - indices[0] + 1
    rows = [0] * ((max(low.names.number(name) for name in names) + 1) * width)
    for family in families:
        rows[low.names.number(family.name) * width + family.at - indices[0]] = bases[family]
    key = "places " + " ".join(f"{f.sort.first} {f.kind} {f.name} {f.at}" for f in families)
    table = low.shared.integers(key, rows, 2)
    at_row = add(mul(name, const(width)), sub(index, const(indices[0])))
    return low.b.let(entry(table, at_row, 2), "base")


def _pooled(
    low: Lowering, node: n.Place, key: tuple[ir.Expr, ir.Expr, ir.Expr], *, keep: bool
) -> ir.Expr:
    """Look a place up among all locations; the slot after the pool is the empty one."""
    owner, name, index = key
    kind = const(KINDS.index(node.place) + 1)
    table, count = collections.fixed_table(low)
    known = node.name.value if isinstance(node.name, n.Text) else None
    if not any(
        where.kind is node.place and known in {None, where.name}
        for where in low.layout.places.locations
    ):
        count = ZERO
    args = (low.board.base, table, count, owner, kind, name, index)
    if keep:
        pool = low.layout.places.pool
        many = f"more than {pool} locations whose names or indices are computed"
        return low.attempt(call("make_place", *args), "capacity", many, node.span)
    return low.b.let(call("find_place", *args), "slot")


# Going through cards ----------------------------------------------------------------------


def each_card(
    low: Lowering, node: n.Node, stop: Local | None = None
) -> AbstractContextManager[ir.Expr]:
    """Run a block for each card of a location, in order, until `stop` holds.

    The block must leave the cards where they are; otherwise iterate over a list of them.
    """
    match node:
        case n.Filter() if not low.analysis.noticed(node, node.test):
            return _each_passing(low, node, stop)
        case n.Combine(operation=n.SetOperation.UNION, parts=(n.EachLocation() as part,)):
            if low.analysis.pure(part) and low.program.rounds.cards(node) < MOST_CARDS:
                return _each_of_each(low, part, stop)
        case n.Sequence():
            return _each_of_sequence(low, node, stop)
    return piles.each_in(low, location(low, node), node, stop)


@contextmanager
def _each_of_each(low: Lowering, node: n.EachLocation, stop: Local | None) -> Iterator[ir.Expr]:
    items = collections.each(low, node.collection, node.variable, stop=stop)
    with items, each_card(low, node.location, stop) as card:
        yield card


@contextmanager
def _each_passing(low: Lowering, node: n.Filter, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for each card that passes a test without observable effects."""
    slot = node.variable.slot
    chosen = card_sets.passing(low, node, ordered=True)
    if chosen is not None:
        with low.each_bit(chosen.bits, stop) as at:
            card = low.b.let(at, "card") if chosen.array is None else piles.card_of(low, chosen, at)
            low.env[slot] = card
            yield card
        return
    mask = card_sets.cards_passing(low, node.test, slot)
    with each_card(low, node.collection, stop) as card:
        low.env[slot] = card
        test = words.has(mask, card) if mask is not None else low.holds(node.test)
        with low.b.when(test):
            yield card


@contextmanager
def _each_of_sequence(low: Lowering, node: n.Sequence, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for the n topmost cards, topmost first, or the n lowest in list order."""
    wanted = low.b.let(low.integer(node.count), "wanted")
    held = location(low, node.location)
    base, count = piles.array(low, held, node), piles.length(low, held)
    few = compare(Rel.ULT, count, wanted)
    low.check(few, "length", "there are {a} cards, not {b}", node.span, count, wanted)
    with low.b.count(wanted, stop=stop) as at:
        position = sub(sub(count, ONE), at) if node.top else at
        yield low.b.let(card_at(low, base, position), "card")


# Lists ------------------------------------------------------------------------------------


def _filtered(low: Lowering, node: n.Filter) -> CardList:
    """Return the cards that pass a test, which are tested one after another if it matters."""
    with piles.new_list(low, node) as (push, result):
        if not low.analysis.noticed(node, node.test):
            with each_card(low, node) as card:
                push(card)
        else:
            with collections.each(low, node.collection, node.variable) as tested:
                assert isinstance(tested, ir.Expr)
                low.rounds(node)
                with low.b.when(low.holds(node.test)):
                    push(tested)
    return result


def _union(low: Lowering, node: n.Combine) -> CardList:
    pure = all(map(low.analysis.pure, node.parts))
    if len(node.parts) == 1 and node.parts[0].kind is ValueKind.LOCATIONS:
        part = node.parts[0]
        vector = None if pure else collections.members(low, part)
        with piles.new_list(low, node) as (push, result):
            if vector is None:
                elements = collections.each_location(low, part)
            else:
                elements = collections.each_of(low, vector)
            with elements as held, piles.each_in(low, held, node) as card:
                push(card)
        return result
    parts = [] if pure else [location(low, part) for part in node.parts]
    with piles.new_list(low, node) as (push, result):
        for part in node.parts if pure else ():
            with each_card(low, part) as card:
                push(card)
        for held in parts:
            with piles.each_in(low, held, node) as card:
                push(card)
    return result


def _lists_of(low: Lowering, parts: tuple[n.Node, ...], node: n.Node) -> ir.Expr:
    if len(parts) == 1 and parts[0].kind is ValueKind.LOCATIONS:
        inner = collections.members(low, parts[0])
        base = low.reserve(8 * (MOST_ITEMS + 2), node.span)
        count = low.b.variable(ZERO, "parts")
        low.give_back(add(add(base, const(16)), mul(collections.length(low, inner), const(8))))
        with collections.each_of(low, inner) as held:
            copy = piles.copied(low, held, node)
            address = offset(low.arena(base, 8), mul(count, const(8)))
            low.b.add(ir.Store(address, copy.at, 8, LIST))
            low.b.set(count, add(count, ONE))
        low.b.add(ir.Store(low.arena(base), count, 8, LIST))
        return base
    base = low.reserve(8 * (len(parts) + 1), node.span)
    low.b.add(ir.Store(low.arena(base), const(len(parts)), 8, LIST))
    for at, part in enumerate(parts):
        copy = piles.copied(low, location(low, part), node)
        low.b.add(ir.Store(low.arena(base, 8 + 8 * at), copy.at, 8, LIST))
    return base


def _element(low: Lowering, node: n.Element) -> Cards:
    """Return an element of a set of locations: its first is its top."""
    vector = collections.members(low, node.locations)
    count = collections.length(low, vector)
    index = const(node.index) if node.index >= 0 else sub(count, ONE)
    beyond = compare(Rel.UGE, index, count)
    what = "a set of {a} locations has no such element"
    low.check(beyond, "position", what, node.span, count)
    return collections.as_location(low, vector, collections.item(low, vector, index))


def _sorted(low: Lowering, node: n.Sort) -> CardList:
    """Return the cards in ascending order of points; equal ones keep their order."""
    worth = points.worth(low, node.points)
    held = piles.copied(low, location(low, node.location), node)
    scores = piles.scores_of(low, held, worth, node)
    args = (piles.array(low, held, node), scores, piles.length(low, held))
    low.made("sort_cards", node.span, *args)
    return held


def _end_run(low: Lowering, node: n.EndRun) -> CardList:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = collections.at_least(low, low.integer(node.least), 1)
    worth = points.worth(low, node.points)
    held = piles.copied(low, location(low, node.location), node)
    scores = piles.scores_of(low, held, worth, node)
    args = (piles.array(low, held, node), scores, piles.length(low, held), least)
    return CardList(low.made("end_run", node.span, *args, const(int(node.top))))
