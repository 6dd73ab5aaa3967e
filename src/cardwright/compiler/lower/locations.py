"""Locations: real ones by their slot, and lists of cards that are made in the arena.

Where a location is only gone through, `each_card` does so without making a list of it, as long as
nothing can tell the difference: no test on the way draws or breaks a rule.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ZERO,
    add,
    binary,
    both,
    call,
    compare,
    const,
    mul,
    negate,
    offset,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.lower import (
    collections,
    conditions,
    integers,
    masks,
    owners,
    points,
    storages,
)
from cardwright.compiler.lower.lowering import (
    LIST,
    MOST_LISTED,
    NO_ROOM,
    CardList,
    Lowering,
    Pile,
    card_address,
    card_at,
)
from cardwright.compiler.places import KINDS, Family, families_of, sort_of
from cardwright.program import nodes as n
from cardwright.program.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def location(low: Lowering, node: n.Node, *, keep: bool = False) -> Pile | CardList:
    """Return a location. `keep` says that its place matters, even if no card was there yet."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Pile | CardList)
            return value
        case n.Place():
            return place(low, node, keep=keep)
        case n.Element():
            return _element(low, node)
        case n.Sort():
            return _sort(low, node)
        case n.EndRun():
            return _end_run(low, node)
        case n.Combine() if node.operation is not n.SetOperation.UNION:
            return _combine(low, node)
    return listed(low, node)


def length(low: Lowering, held: Pile | CardList) -> ir.Expr:
    """Return the number of cards of a location."""
    if isinstance(held, Pile):
        return low.count(held)
    return low.b.let(ir.Load(low.arena(held.at), 8, tag=LIST), "count")


def array(low: Lowering, held: Pile | CardList) -> ir.Expr:
    """Return the address of a location's first card."""
    if isinstance(held, Pile):
        return low.b.let(low.board.at("card", held.slot, ZERO), "cards")
    return low.b.let(low.arena(held.at, 8), "cards")


# Real locations ---------------------------------------------------------------------------


def place(low: Lowering, node: n.Place, *, keep: bool = False) -> Pile:
    """Return the slot of a place; owner, name and index are evaluated in this order.

    A place outside the known ones, that never had a card, gets a slot only if `keep` says so.
    """
    sort = sort_of(node.owner, low.program)
    within = sub(owners.owner(low, node.owner), const(sort.first))
    families = families_of(node, low.facts)
    bases = low.layout.places.bases
    if families is None or any(family not in bases for family in families):
        return _pooled(low, node, add(within, const(sort.first)), keep=keep)
    if len(families) == 1:
        storages.string(low, node.name)
        if node.index is not None:
            integers.integer(low, node.index)
        return Pile(low.b.let(add(const(bases[families[0]]), within), "slot"), node.place)
    base = _base(low, node, families)
    return Pile(low.b.let(add(base, within), "slot"), node.place)


def _base(low: Lowering, node: n.Place, families: list[Family]) -> ir.Expr:
    """Return the first slot of one of several families, from a table by name and index."""
    bases = low.layout.places.bases
    names = list(dict.fromkeys(family.name for family in families))
    indices = sorted({family.at for family in families})
    numbers = [low.names.number(name) for name in names]
    width = indices[-1] - indices[0] + 1
    rows = [0] * ((max(numbers) + 1) * width)
    for family in families:
        at = low.names.number(family.name) * width + family.at - indices[0]
        rows[at] = bases[family]
    key = "places " + " ".join(f"{f.sort.first} {f.kind} {f.name} {f.at}" for f in families)
    table = low.shared.integers(key, rows, 2)
    name = storages.string(low, node.name)
    index = integers.integer(low, node.index) if node.index is not None else ZERO
    at_row = add(mul(name, const(width)), sub(index, const(indices[0])))
    return low.b.let(ir.Load(ir.Offset(table, mul(at_row, const(2))), 2), "base")


def _pooled(low: Lowering, node: n.Place, owner: ir.Expr, *, keep: bool) -> Pile:
    """Look a place up among all locations; the slot after the pool is the empty one."""
    name = storages.string(low, node.name)
    index = integers.integer(low, node.index) if node.index is not None else ZERO
    kind = const(KINDS.index(node.place) + 1)
    table, count = fixed_table(low)
    owner = low.b.let(owner, "owner")
    args = (low.board.base, table, count, owner, kind, name, index)
    if not keep:
        return Pile(low.b.let(call("find_place", *args), "slot"), node.place)
    found = low.attempt(
        call("make_place", *args),
        "capacity",
        f"more than {low.layout.places.pool} locations whose names or indices are computed",
        node.span,
    )
    return Pile(found, node.place)


FIXED_ROW = 16
"""Bytes that `fixed_table` has for a slot: owner, kind, name (2 each, 2 spare), index (8)."""


def fixed_table(low: Lowering) -> tuple[ir.Expr, ir.Expr]:
    """Return the table of the locations with slots of their own, and how many there are."""
    rows = b"".join(
        where.owner.to_bytes(2, "little")
        + (KINDS.index(where.kind) + 1).to_bytes(2, "little")
        + low.names.number(where.name).to_bytes(4, "little")
        + where.at.to_bytes(8, "little", signed=True)
        for where in low.layout.places.locations
    )
    table = low.shared.data("fixed places", rows or bytes(FIXED_ROW))
    return table, const(len(low.layout.places.locations))


# Going through cards ----------------------------------------------------------------------


@contextmanager
def each_in(low: Lowering, held: Pile | CardList, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each card of a location at hand, from bottom to top."""
    base, count = array(low, held), length(low, held)
    with low.b.count(count, stop=stop) as at:
        yield low.b.let(card_at(low, base, at), "card")


@contextmanager
def each_card(low: Lowering, node: n.Node, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each card of a location, in order, until `stop` holds.

    The block must leave the cards where they are; otherwise go through `listed`.
    """
    match node:
        case n.Filter() if low.facts.pure(node.test):
            with _each_passing(low, node, stop) as card:
                yield card
            return
        case n.Combine(operation=n.SetOperation.UNION, parts=(part,)):
            if part.kind is Kind.LOCATION:
                with each_card(low, part, stop) as card:
                    yield card
                return
            if isinstance(part, n.EachLocation) and low.facts.pure(part):
                with (
                    collections.each(low, part.collection, part.variable, stop=stop),
                    each_card(low, part.location, stop) as card,
                ):
                    yield card
                return
        case n.Sequence():
            with _each_of_sequence(low, node, stop) as card:
                yield card
            return
    with each_in(low, location(low, node), stop) as card:
        yield card


@contextmanager
def _each_passing(low: Lowering, node: n.Filter, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for each card that passes a test which nobody notices."""
    slot = node.variable.slot
    found = masks.chosen(low, node)
    if found is not None:
        left = low.b.variable(found.positions, "left")
        test = compare(Rel.NE, left, ZERO)
        step = ir.Assign(left, binary(Op.AND, left, sub(left, const(1))))
        with low.b.loop(both(negate(stop), test) if stop is not None else test, step):
            at = low.b.let(call("lowest_one", left), "at")
            card = low.b.let(card_at(low, found.cards, at), "card")
            low.env[slot] = card
            yield card
        return
    which = masks.mask(low, node.test, slot)
    with each_card(low, node.collection, stop) as card:
        low.env[slot] = card
        test = masks.has(which, card) if which is not None else conditions.condition(low, node.test)
        with low.b.when(test):
            yield card


@contextmanager
def _each_of_sequence(low: Lowering, node: n.Sequence, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for the n topmost cards, topmost first, or the n lowest in list order."""
    wanted = low.b.let(integers.integer(low, node.count), "wanted")
    held = location(low, node.location)
    base, count = array(low, held), length(low, held)
    low.check(
        compare(Rel.ULT, count, wanted),
        "length",
        "there are {a} cards, not {b}",
        node.span,
        count,
        wanted,
    )
    with low.b.count(wanted, stop=stop) as at:
        position = sub(sub(count, const(1)), at) if node.top else at
        yield low.b.let(card_at(low, base, position), "card")


# Lists ------------------------------------------------------------------------------------


def listed(low: Lowering, node: n.Node) -> CardList:
    """Return the cards of a location as a new list."""
    if isinstance(node, n.Combine) and node.operation is n.SetOperation.UNION:
        return _union(low, node)
    if not isinstance(node, n.Filter | n.Sequence):
        held = location(low, node)
        with each_in_new(low, node) as (push, result), each_in(low, held) as card:
            push(card)
        return result
    if isinstance(node, n.Filter) and not low.facts.pure(node.test):
        with (
            each_in_new(low, node) as (push, result),
            collections.each(low, node.collection, node.variable) as card,
        ):
            assert isinstance(card, ir.Expr)
            with low.b.when(conditions.condition(low, node.test)):
                push(card)
        return result
    with each_in_new(low, node) as (push, result), each_card(low, node) as card:
        push(card)
    return result


@contextmanager
def each_in_new(
    low: Lowering, node: n.Node
) -> Iterator[tuple[Callable[[ir.Expr], None], CardList]]:
    """Open a new list; gives the function that adds a card to it, and the list itself."""
    most = most_cards(low, node)
    width = low.layout.card_bytes
    base = low.reserve(8 + most * width + 24, node.span)
    first = low.b.let(low.arena(base, 8), "list")
    count = low.b.variable(ZERO, "length")

    def push(card: ir.Expr) -> None:
        if most == MOST_LISTED:
            low.check(compare(Rel.GE, count, const(most)), "capacity", NO_ROOM, node.span)
        low.b.add(ir.Store(card_address(low, first, count), card, width, "card"))
        low.b.set(count, add(count, const(1)))

    yield push, CardList(base)
    low.b.add(ir.Store(low.arena(base), count, 8, LIST))
    low.give_back(add(add(base, const(24)), mul(count, const(width))))


def most_cards(low: Lowering, node: n.Node) -> int:
    """Return how many cards a location can have at most."""
    match node:
        case n.Place():
            return low.layout.capacity
        case n.Filter(collection=inner):
            return most_cards(low, inner)
        case n.Sequence(location=inner) | n.EndRun(location=inner) | n.Sort(location=inner):
            return most_cards(low, inner)
        case n.Variable() if low.facts.is_real(node):
            return low.layout.capacity
        case n.Combine(parts=parts):
            total = 0
            for part in parts:
                if part.kind is Kind.LOCATION:
                    total += most_cards(low, part)
                elif isinstance(part, n.EachLocation) and isinstance(part.collection, n.Everyone):
                    total += low.program.players * most_cards(low, part.location)
                else:
                    return MOST_LISTED
            return min(total, MOST_LISTED)
    return MOST_LISTED


def _union(low: Lowering, node: n.Combine) -> CardList:
    """Return all cards of several locations, one after the other."""
    if len(node.parts) == 1 and node.parts[0].kind is Kind.LOCATIONS:
        part = node.parts[0]
        vector = None if low.facts.pure(part) else collections.members(low, part)
        with each_in_new(low, node) as (push, result):
            if vector is None:
                with collections.each_location(low, part) as held, each_in(low, held) as card:
                    push(card)
            else:
                with (
                    collections.each_of_vector(low, vector) as value,
                    each_in(low, collections.as_location(vector, value)) as card,
                ):
                    push(card)
        return result
    if all(low.facts.pure(part) for part in node.parts):
        with each_in_new(low, node) as (push, result):
            for part in node.parts:
                with each_card(low, part) as card:
                    push(card)
        return result
    found = [location(low, part) for part in node.parts]
    with each_in_new(low, node) as (push, result):
        for held in found:
            with each_in(low, held) as card:
                push(card)
    return result


def _combine(low: Lowering, node: n.Combine) -> CardList:
    """Return an intersection or a disjunction, in order of first occurrence."""
    parts = parts_vector(low, node.parts, node)
    kernel = "intersect" if node.operation is n.SetOperation.INTERSECT else "disjoin"
    low.allocates()
    done = call(kernel, low.context.base, parts)
    return CardList(low.attempt(done, "capacity", NO_ROOM, node.span))


def parts_vector(low: Lowering, parts: tuple[n.Node, ...], node: n.Node) -> ir.Expr:
    """Return a vector of lists: the cards of each of several locations."""
    if len(parts) == 1 and parts[0].kind is Kind.LOCATIONS:
        inner = collections.members(low, parts[0])
        base = low.reserve(8 * (collections.MOST_ITEMS + 2), node.span)
        count = low.b.variable(ZERO, "parts")
        low.give_back(
            add(add(base, const(16)), mul(collections.vector_length(low, inner), const(8)))
        )
        with collections.each_of_vector(low, inner) as value:
            held = collections.as_location(inner, value)
            copy = copied(low, held, node)
            low.b.add(ir.Store(offset(low.arena(base, 8), mul(count, const(8))), copy.at, 8, LIST))
            low.b.set(count, add(count, const(1)))
        low.b.add(ir.Store(low.arena(base), count, 8, LIST))
        return base
    base = low.reserve(8 * (len(parts) + 1), node.span)
    low.b.add(ir.Store(low.arena(base), const(len(parts)), 8, LIST))
    for at, part in enumerate(parts):
        held = location(low, part)
        copy = copied(low, held, node)
        low.b.add(ir.Store(low.arena(base, 8 + 8 * at), copy.at, 8, LIST))
    return base


def copied(low: Lowering, held: Pile | CardList, node: n.Node) -> CardList:
    """Return a new list with the cards of a location."""
    base, count = array(low, held), length(low, held)
    low.allocates()
    done = call("copy_list", low.context.base, base, count)
    return CardList(low.attempt(done, "capacity", NO_ROOM, node.span))


def _element(low: Lowering, node: n.Element) -> Pile | CardList:
    """Return an element of a set of locations: its first is its top."""
    vector = collections.members(low, node.locations)
    count = collections.vector_length(low, vector)
    index = const(node.index) if node.index >= 0 else sub(count, const(1))
    low.check(
        compare(Rel.UGE, index, count),
        "position",
        "a set of {a} locations has no such element",
        node.span,
        count,
    )
    address = offset(low.arena(vector.at, 8), mul(index, const(8)))
    return collections.as_location(vector, low.b.let(ir.Load(address, 8, tag=LIST), "element"))


def scores_of(low: Lowering, held: CardList, worth: points.Worth, node: n.Node) -> ir.Expr:
    """Return the address of the scores of a list's cards, 8 bytes each."""
    base, count = array(low, held), length(low, held)
    low.allocates()
    at = low.attempt(call("reserve_words", low.context.base, count), "capacity", NO_ROOM, node.span)
    scores = low.b.let(low.arena(at), "scores")
    with low.b.count(count) as position:
        score = worth(card_at(low, base, position))
        low.b.add(ir.Store(offset(scores, mul(position, const(8))), score, 8, LIST))
    return scores


def _sort(low: Lowering, node: n.Sort) -> CardList:
    """Return the cards in ascending order of points; equal ones keep their order."""
    worth = points.worth(low, node.points)
    held = copied(low, location(low, node.location), node)
    scores = scores_of(low, held, worth, node)
    low.b.run("sort_cards", array(low, held), scores, length(low, held))
    return held


def _end_run(low: Lowering, node: n.EndRun) -> CardList:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = integers.clamp(low, integers.integer(low, node.least), 1)
    worth = points.worth(low, node.points)
    held = copied(low, location(low, node.location), node)
    scores = scores_of(low, held, worth, node)
    args = (low.context.base, array(low, held), scores, length(low, held), least)
    done = call("end_run", *args, const(int(node.top)))
    return CardList(low.attempt(done, "capacity", NO_ROOM, node.span))
