"""Sets of groups of cards, and of the locations of a name."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    mul,
    offset,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.lower import (
    card_sets,
    collections,
    integers,
    lists,
    locations,
    owners,
    piles,
    points,
    position_sets,
    storages,
    vectors,
)
from cardwright.compiler.lower.lowered_values import CardList, Cards, Vector
from cardwright.compiler.lower.lowering import LIST, Lowering, card_address, card_at
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_BITS, MOST_ITEMS
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator


_TOO_MANY = "this has {p:,} items, more than the 1,000,000 allowed"
_TOO_MANY_OF_SIZE = "this has more than the 1,000,000 items allowed"
_TOO_MANY_CARDS = "these are {a:,} cards, more than the 62 of which subsets can be made"


@contextmanager
def each_subset(
    low: Lowering, node: n.Subsets, stop: Local | None, *, keep: bool
) -> Iterator[Cards]:
    """All subsets, each new card doubling the list; zero-based files have the empty one too."""
    if card_sets.lies_by_number(low, node.location):
        whole = card_sets.card_set(low, node.location)
        with _subset_masks(low, node, locations.length(low, whole), stop) as which:
            yield card_sets.subset(low, whole, which)
        return
    if (low.still or not keep) and position_sets.has_positions(low, node.location):
        among = position_sets.whole(low, node.location)
        count = locations.length(low, among)
        with _subset_masks(low, node, count, stop) as which:
            yield position_sets.subset(low, among, which)
        return
    held = lists.copied(low, locations.location(low, node.location), node)
    count = locations.length(low, held)
    with (
        _subset_masks(low, node, count, stop) as which,
        collections.rounds(low, keep=keep),
    ):
        length = low.b.let(call("count_ones", which), "length")
        made = CardList(low.made("new_list", node.span, length))
        _write_subset(
            low, locations.array(low, held, node), which, locations.array(low, made, node)
        )
        yield made


@contextmanager
def _subset_masks(
    low: Lowering, node: n.Subsets, count: ir.Expr, stop: Local | None
) -> Iterator[Local]:
    """The subsets of a number of cards as integers with a bit for each card, ascending."""
    if node.size is None:
        masks = _of_all_sizes(low, node, count, stop)
    else:
        masks = _of_sizes(low, node, count, integers.integer(low, node.size), stop)
    with masks as which:
        yield which


def number_of_subsets(low: Lowering, node: n.Subsets, count: ir.Expr) -> ir.Expr:
    """Return how many subsets of a number of cards there are."""
    if node.size is not None:
        return _ways(low, node, count, integers.integer(low, node.size))
    _limit(low, node, count)
    return low.b.let(sub(ir.Binary(Op.SHL, ONE, count), _least(low)), "subsets")


def nth_subset(low: Lowering, node: n.Subsets, count: ir.Expr, number: ir.Expr) -> ir.Expr:
    """Return the subset of a number, as an integer with a bit for each card."""
    wanted = ZERO if node.size is None else integers.integer(low, node.size)
    args = (count, wanted, const(_relation(node)), _least(low), number)
    return low.b.let(call("nth_subset", *args), "which")


def _least(low: Lowering) -> ir.Const:
    """Return how many cards a subset has at least: zero-based files have the empty one too."""
    return ZERO if low.program.base == 0 else ONE


def _relation(node: n.Subsets) -> int:
    """Return which sizes pass: bits for smaller than, equal to and larger than the one wanted."""
    if node.size is None:
        return 0b111
    return {"<": 0b001, "==": 0b010, ">": 0b100, "<=": 0b011, ">=": 0b110, "!=": 0b101}[
        node.operator
    ]


@contextmanager
def _of_sizes(
    low: Lowering, node: n.Subsets, count: ir.Expr, wanted: ir.Expr, stop: Local | None
) -> Iterator[Local]:
    """The subsets whose size passes a test as integers with a bit for each card, ascending."""
    ways = _ways(low, node, count, wanted)
    low.rounds(node, ways)
    relation = const(_relation(node))
    first = call("first_subset", count, wanted, relation, _least(low))
    which = low.b.variable(first, "which")
    with low.b.count(ways, stop=stop):
        yield which
        low.b.set(which, call("next_subset", which, wanted, relation))


def _ways(low: Lowering, node: n.Subsets, count: ir.Expr, wanted: ir.Expr) -> ir.Expr:
    """Return how many subsets there are whose size passes a test."""
    many = compare(Rel.GT, count, const(MOST_BITS))
    low.check(many, "length", _TOO_MANY_CARDS, node.span, count)
    if node.operator == "==":
        number = call("subsets_of_size", count, wanted, _least(low))
    else:
        relation = const(_relation(node))
        number = call("subsets_related", count, wanted, relation, _least(low), ZERO)
    ways = low.b.let(number, "ways")
    low.check(compare(Rel.GT, ways, const(MOST_ITEMS)), "length", _TOO_MANY_OF_SIZE, node.span)
    return ways


def _limit(low: Lowering, node: n.Subsets, count: ir.Expr) -> None:
    low.check(compare(Rel.GT, count, const(19)), "length", _TOO_MANY, node.span, count)


@contextmanager
def _of_all_sizes(
    low: Lowering, node: n.Subsets, count: ir.Expr, stop: Local | None
) -> Iterator[Local]:
    """All subsets as integers with a bit for each card, ascending."""
    _limit(low, node, count)
    end = low.b.let(ir.Binary(Op.SHL, ONE, count), "subsets")
    low.rounds(node, end)
    with low.b.count(end, start=_least(low), stop=stop) as which:
        yield which


def _write_subset(low: Lowering, cards: ir.Expr, which: ir.Expr, target: ir.Expr) -> None:
    left = low.b.variable(which, "left")
    at = low.b.variable(ZERO, "at")
    step = ir.Assign(left, ir.Binary(Op.AND, left, sub(left, ONE)))
    with low.b.loop(compare(Rel.NE, left, ZERO), step):
        card = card_at(low, cards, call("lowest_one", left))
        low.b.add(ir.Store(card_address(low, target, at), card, low.layout.card_bytes, "card"))
        low.b.set(at, add(at, ONE))


def partition(low: Lowering, node: n.Partition) -> Vector:
    """Group cards by an attribute, groups in order of first appearance."""
    together = n.Combine(ValueKind.LOCATION, node.span, node.parts, n.SetOperation.UNION)
    key = low.b.let(storages.string(low, node.key), "key")
    held = lists.listed(low, together)
    cards, count = locations.array(low, held, node), locations.length(low, held)
    values = low.made("reserve_words", node.span, count)
    table, row = storages.attribute_rows(low.shared)
    start = low.b.let(ir.Offset(table, mul(key, const(row))), "row")
    with low.b.count(count) as at:
        card = card_at(low, cards, at)
        value = ir.Load(ir.Offset(ir.Offset(start, mul(card, const(2))), const(2)), 2)
        low.b.add(ir.Store(offset(low.arena(values), mul(at, const(8))), value, 8, LIST))
    args = (cards, low.arena(values), count)
    return Vector(low.made("partition", node.span, *args))


def _by_score(
    low: Lowering, place: n.Node, points_node: n.Node, node: n.Node
) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Return cards, scores and number of the distinct cards of a location, sorted by score."""
    worth = points.worth(low, points_node)
    held = lists.copied(low, locations.location(low, place), node)
    cards = locations.array(low, held, node)
    distinct = low.made("drop_repeated", node.span, cards, locations.length(low, held))
    low.b.add(ir.Store(low.arena(held.at), distinct, 8, LIST))
    scores = lists.scores_of(low, held, worth, node)
    count = locations.length(low, held)
    low.made("sort_cards", node.span, cards, scores, count)
    return cards, scores, count


def runs(low: Lowering, node: n.Runs) -> Vector:
    """Every choice of one card per score over stretches of scores."""
    least = integers.clamp(low, integers.integer(low, node.least), 1)
    cards, scores, count = _by_score(low, node.location, node.points, node)
    every = const(int(node.every))
    number = low.b.let(call("count_runs", cards, scores, count, least, every), "runs")
    low.check(
        compare(Rel.GT, number, const(MOST_ITEMS)),
        "length",
        vectors.TOO_LONG,
        node.span,
        number,
    )
    low.rounds(node, number)
    return Vector(low.made("runs", node.span, cards, scores, count, least, every))


def tuples(low: Lowering, node: n.Tuples) -> Vector:
    """All groups of n cards of one score, scores ascending, in order of list positions."""
    wanted = low.b.let(integers.integer(low, node.count), "wanted")
    cards, scores, count = _by_score(low, node.location, node.points, node)
    low.check(
        compare(Rel.LT, wanted, ONE),
        "length",
        "a group cannot have {a} cards",
        node.span,
        wanted,
    )
    found = low.made("tuples", node.span, cards, scores, count, wanted)
    many = const(-2)
    low.check(
        ir.OrderTest(Rel.EQ, found, many),
        "length",
        vectors.TOO_LONG,
        node.span,
        const(MOST_ITEMS + 1),
    )
    made = Vector(found)
    low.rounds(node, vectors.vector_length(low, made))
    return made


def indexed(low: Lowering, node: n.Indexed) -> Vector:
    """The locations of a name that have held a card, in order of their first card."""
    owner = low.b.let(owners.owner(low, node.owner), "owner")
    name = storages.string(low, node.name)
    kind = const(KINDS.index(node.place) + 1)
    table, count = locations.fixed_table(low)
    args = (low.board.base, table, count, owner, kind, name)
    return Vector(low.made("indexed", node.span, *args), node.place, piles.form_of(low, node))
