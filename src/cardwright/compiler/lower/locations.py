"""Locations: real ones by their slot, and lists of cards made in the arena.

For a location that is only iterated over, `each_card` makes no list, as long as that is
unobservable: no test on the way draws or breaks a rule.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    mul,
    negate,
    sub,
)
from cardwright.compiler.ir import Local, Rel
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import (
    card_sets,
    collections,
    conditions,
    integers,
    lists,
    masks,
    owners,
    piles,
    position_sets,
    run_sets,
    storages,
    words,
)
from cardwright.compiler.lower.lowered_values import (
    Cards,
    CardSet,
    LoweredPile,
    PositionSet,
    RunSet,
    UnionView,
)
from cardwright.compiler.lower.lowering import LIST, Lowering, card_at
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS
from cardwright.program.places import KINDS, LocationFamily, families_of, sort_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def location(low: Lowering, node: n.Node, *, keep: bool = False) -> Cards:
    """Return a location. `keep` says that its place matters, even if it never held a card."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Cards)
            return value
        case n.Place():
            return place(low, node, keep=keep)
        case n.Filter() | n.Combine() if card_sets.lies_by_number(low, node):
            return card_sets.card_set(low, node)
        case n.Element():
            return lists.element(low, node)
        case n.Sort():
            return lists.in_order(low, node)
        case n.EndRun():
            return lists.end_run(low, node)
        case n.Combine() if node.operation is not n.SetOperation.UNION:
            return lists.combined(low, node)
        case n.Combine() | n.Filter() | n.Sequence():
            return lists.listed(low, node)
    raise AssertionError(node)


def length(low: Lowering, held: Cards) -> ir.Expr:
    """Return the number of cards of a location."""
    if isinstance(held, CardSet | PositionSet | RunSet | UnionView):
        return low.b.let(call("count_ones", held.mask), "count")
    if isinstance(held, LoweredPile):
        return low.count(held)
    return low.b.let(ir.Load(low.arena(held.at), 8, tag=LIST), "count")


def array(low: Lowering, held: Cards, node: n.Node) -> ir.Expr:
    """Return the address of a location's first card; a mask is written out as a list."""
    if isinstance(held, CardSet):
        held = card_sets.written_out(low, held, node)
    if isinstance(held, PositionSet):
        held = position_sets.written_out(low, held, node)
    if isinstance(held, RunSet):
        held = run_sets.written_out(low, held, node)
    if isinstance(held, UnionView):
        return array(low, location(low, held.node), held.node)
    if isinstance(held, LoweredPile):
        if piles.is_pile(held):
            return low.b.let(low.board.at("card", held.slot, ZERO), "cards")
        held = piles.spread(low, held, node.span)
    return low.b.let(low.arena(held.at, 8), "cards")


# Real locations ---------------------------------------------------------------------------


def place(low: Lowering, node: n.Place, *, keep: bool = False) -> LoweredPile:
    """Return the slot of a place; owner, name and index are evaluated in this order.

    A computed place that never held a card gets a slot only if `keep` is set.
    """
    sort = sort_of(node.owner, low.program)
    within = sub(owners.owner(low, node.owner), const(sort.first))
    families = families_of(node, low.analysis)
    bases = low.layout.places.bases
    if families is None or any(family not in bases for family in families):
        return _pooled(low, node, add(within, const(sort.first)), keep=keep)
    if len(families) == 1:
        storages.string(low, node.name)
        if node.index is not None:
            integers.integer(low, node.index)
        base = bases[families[0]]
        slot = low.b.let(add(const(base), within), "slot")
        return LoweredPile(slot, node.place, piles.form_of(low, node), base)
    slot = low.b.let(add(_base(low, node, families), within), "slot")
    return LoweredPile(slot, node.place, piles.form_of(low, node))


def _base(low: Lowering, node: n.Place, families: list[LocationFamily]) -> ir.Expr:
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


def _pooled(low: Lowering, node: n.Place, owner: ir.Expr, *, keep: bool) -> LoweredPile:
    """Look a place up among all locations; the slot after the pool is the empty one."""
    name = storages.string(low, node.name)
    index = integers.integer(low, node.index) if node.index is not None else ZERO
    kind = const(KINDS.index(node.place) + 1)
    table, count = fixed_table(low)
    known = node.name.value if isinstance(node.name, n.Text) else None
    if not any(
        where.kind is node.place and known in {None, where.name}
        for where in low.layout.places.locations
    ):
        count = ZERO
    owner = low.b.let(owner, "owner")
    args = (low.board.base, table, count, owner, kind, name, index)
    if not keep:
        found = low.b.let(call("find_place", *args), "slot")
        return LoweredPile(found, node.place, piles.form_of(low, node))
    found = low.attempt(
        call("make_place", *args),
        "capacity",
        f"more than {low.layout.places.pool} locations whose names or indices are computed",
        node.span,
    )
    return LoweredPile(found, node.place, piles.form_of(low, node))


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
def each_in(
    low: Lowering, held: Cards, node: n.Node, stop: Local | None = None
) -> Iterator[ir.Expr]:
    """Run a block for each card of a given location, from bottom to top."""
    if isinstance(held, CardSet):
        with each_of_mask(low, held.mask, stop) as card:
            yield card
        return
    if isinstance(held, UnionView):
        with each_card(low, held.node, stop) as card:
            yield card
        return
    if isinstance(held, PositionSet):
        with each_of_mask(low, held.mask, stop) as at:
            yield low.b.let(card_at(low, held.array, at), "card")
        return
    if isinstance(held, LoweredPile) and held.form is PileForm.MASK:
        with each_of_mask(low, piles.mask(low, held), stop) as card:
            yield card
        return
    base, count = array(low, held, node), length(low, held)
    with low.b.count(count, stop=stop) as at:
        yield low.b.let(card_at(low, base, at), "card")


@contextmanager
def each_card(low: Lowering, node: n.Node, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each card of a location, in order, until `stop` holds.

    The block must leave the cards where they are; otherwise iterate over `listed`.
    """
    match node:
        case n.Filter() if not low.analysis.noticed(node, node.test):
            with _each_passing(low, node, stop) as card:
                yield card
            return
        case n.Combine(operation=n.SetOperation.UNION, parts=(part,)):
            if part.kind is ValueKind.LOCATION:
                with each_card(low, part, stop) as card:
                    yield card
                return
            short = low.program.rounds.cards(node) < MOST_CARDS
            if isinstance(part, n.EachLocation) and low.analysis.pure(part) and short:
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
    with each_in(low, location(low, node), node, stop) as card:
        yield card


@contextmanager
def _each_passing(low: Lowering, node: n.Filter, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for each card that passes a test without observable effects."""
    slot = node.variable.slot
    found = masks.chosen(low, node)
    if found is not None:
        with each_of_mask(low, found.positions, stop) as at:
            card = low.b.let(found.card(low, at), "card")
            low.env[slot] = card
            yield card
        return
    which = masks.mask(low, node.test, slot)
    with each_card(low, node.collection, stop) as card:
        low.env[slot] = card
        test = words.has(which, card) if which is not None else conditions.tested(low, node.test)
        with low.b.when(test):
            yield card


@contextmanager
def each_of_mask(low: Lowering, mask: ir.Expr, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for the number of each bit of a mask, in order."""
    left = low.b.variable(mask, "left")
    test = words.is_some(left)
    step = ir.Assign(left, words.without_lowest(left))
    with low.b.loop(both(negate(stop), test) if stop is not None else test, step):
        yield low.b.let(call("lowest_one", left), "card")


@contextmanager
def _each_of_sequence(low: Lowering, node: n.Sequence, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for the n topmost cards, topmost first, or the n lowest in list order."""
    wanted = low.b.let(integers.integer(low, node.count), "wanted")
    held = location(low, node.location)
    base, count = array(low, held, node), length(low, held)
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


@contextmanager
def each_somehow(low: Lowering, node: n.Node, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each card of a location, in any order."""
    held = low.env.get(node.slot) if isinstance(node, n.Variable) else None
    if isinstance(held, UnionView):
        with each_of_mask(low, held.mask, stop) as card:
            yield card
        return
    if isinstance(held, RunSet):
        among = held.among
        with each_of_mask(low, held.mask, stop) as at:
            yield at if among is None else low.b.let(card_at(low, among.array, at), "card")
        return
    with each_card(low, node, stop) as card:
        yield card


# Lists ------------------------------------------------------------------------------------
