"""Collections: iteration over their items, and lists of items made in the arena."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    differ,
    equal,
    mul,
    offset,
    select,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.layout import WORD
from cardwright.compiler.lower import card_sets, piles, points, storages, words
from cardwright.compiler.lower.lowering import LIST, Lowering, card_address, card_at, entry
from cardwright.compiler.lower.values import (
    CardList,
    Cards,
    CardSet,
    LoweredPile,
    OwnerSet,
    Value,
    Vector,
)
from cardwright.program import nodes as n
from cardwright.program.integers import LARGEST
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_BITS, MOST_ITEMS, NO_ROOM
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

TOO_LONG = "this has {a:,} items, more than the 1,000,000 allowed"


def size(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of items of a collection."""
    word: ir.Expr | None = None
    match node:
        case n.Filter(kind=ValueKind.LOCATION):
            passing = card_sets.passing(low, node, ordered=False)
            word = None if passing is None else passing.bits
        case n.Combine():
            single = node.operation is not n.SetOperation.UNION
            positions = card_sets.common_positions(low, node) if single else None
            if positions is not None:
                word = positions.bits
            elif single or card_sets.is_disjoint(low, node):
                word = card_sets.as_set(low, node)
        case n.Partition() if (groups := card_sets.number_of_groups(low, node)) is not None:
            return groups
        case n.Strings(values=values):
            return const(len(values))
        case n.Everyone(others=False):
            return const(everyone(low, node))
        case n.Filter() if are_owners(low, node):
            word = owner_set(low, node).bits
        case n.Variable(slot=slot):
            held = low.env.get(slot)
            if isinstance(held, OwnerSet):
                word = held.bits
            elif isinstance(held, Vector):
                return length(low, held)
    if word is not None:
        return low.b.let(call("count_ones", word), "size")
    if node.kind is ValueKind.LOCATION and (
        low.analysis.is_real(node)
        or isinstance(node, n.Variable)
        or card_sets.lies_by_number(low, node)
    ):
        return piles.length(low, low.location(node))
    total = low.b.variable(ZERO, "size")
    with low.scratch(), each(low, node, None):
        low.b.set(total, add(total, ONE))
    return total


@contextmanager
def each(
    low: Lowering,
    node: n.Node,
    variable: n.Variable | None,
    *,
    stop: Local | None = None,
    listed: bool = False,
) -> Iterator[Value]:
    """Run a block for each item of a collection, in order, until `stop` holds.

    The variable is bound to the item. `listed` collects all items before the block is run for the
    first time, for blocks that change the game. If finding an item may draw or break a rule they
    are collected anyway, as the language requires.
    """
    with _each(low, node, stop=stop, listed=listed) as item:
        if variable is not None:
            low.env[variable.slot] = item
        yield item


def _each(
    low: Lowering, node: n.Node, *, stop: Local | None, listed: bool
) -> AbstractContextManager[Value]:
    match node.kind:
        case ValueKind.LOCATION if not listed:
            return low.each_card(node, stop)
        case ValueKind.LOCATION if card_sets.lies_by_number(low, node):
            return low.each_bit(card_sets.cards_of(low, node).bits, stop)
        case ValueKind.LOCATION:
            copy = piles.copied(low, low.location(node), node)
            return piles.each_in(low, copy, node, stop)
        case ValueKind.LOCATIONS if listed:
            return each_member(low, node, stop)
        case ValueKind.LOCATIONS:
            return each_location(low, node, stop)
        case ValueKind.TEAM:
            return _each_of_team(low, node, stop)
    return _each_value(low, node, stop, listed=listed)


# Owners, integers and strings -------------------------------------------------------------


@contextmanager
def _each_of_team(low: Lowering, node: n.Node, stop: Local | None) -> Iterator[ir.Expr]:
    teams = low.program.teams
    most = max(map(len, teams), default=0)
    rows = [seat for team in teams for seat in (*team, *[0] * (most - len(team)))]
    members = low.shared.integers("team members", rows, 1)
    sizes = low.shared.integers("team sizes", [len(team) for team in teams], 1)
    team = low.team(node)
    count = low.b.let(entry(sizes, team, 1), "members")
    with low.b.count(count, stop=stop) as at:
        yield low.b.let(entry(members, add(mul(team, const(most)), at), 1), "seat")


def everyone(low: Lowering, node: n.Node) -> int:
    """Return the number of players, or of teams."""
    return low.owners(team=node.kind is ValueKind.TEAMS)


def _each_value(
    low: Lowering, node: n.Node, stop: Local | None, *, listed: bool
) -> AbstractContextManager[ir.Expr]:
    """Run a block for each player, team, integer or string of a list."""
    match node:
        case n.Everyone() | n.Range() | n.Strings():
            return _each_of_row(low, node, stop)
        case n.Filter() if not listed and not low.analysis.noticed(node, node.test):
            return _each_passing(low, node, stop)
        case n.Filter() if are_owners(low, node):
            return low.each_bit(owner_set(low, node).bits, stop)
        case n.Filter():
            return each_of_vector(low, values_of(low, node), stop)
        case n.Variable(slot=slot):
            match low.env[slot]:
                case OwnerSet(bits=bits):
                    return low.each_bit(bits, stop)
                case Vector() as vector:
                    return each_of_vector(low, vector, stop)
    raise AssertionError(node)


def row(low: Lowering, node: n.Node) -> tuple[ir.Expr, Callable[[ir.Expr], ir.Expr]]:
    """Return how many items a list has that needs no memory, and what gives them by number."""
    match node:
        case n.Everyone():
            return const(everyone(low, node)), lambda at: low.b.let(at, "owner")
        case n.Strings(values=values):
            numbers = [low.names.number(text) for text in values]
            table = low.shared.integers("strings " + " ".join(values), numbers, 2)
            return const(len(values)), lambda at: low.b.let(entry(table, at, 2), "string")
        case n.Range():
            first = low.b.let(low.integer(node.low), "low")
            last = low.b.let(low.integer(node.high), "high")
            _limit_range(low, node, first, last)
            some = compare(Rel.LE, first, last)
            number = select(some, add(sub(last, first), ONE), ZERO)
            return low.b.let(number, "count"), lambda at: low.b.let(add(first, at), "number")
    raise AssertionError(node)


@contextmanager
def _each_of_row(low: Lowering, node: n.Node, stop: Local | None) -> Iterator[ir.Expr]:
    now = low.current_of(node) if isinstance(node, n.Everyone) and node.others else None
    count, item = row(low, node)
    with low.b.count(count, stop=stop) as at:
        value = item(at)
        if now is None:
            yield value
        else:
            with low.b.when(differ(value, now)):
                yield value


def item_bits(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the items of a list that has at most as many as a word has bits, now."""
    if not isinstance(node, n.Filter):
        count, _ = row(low, node)
        every = words.first(Type.INT, count)
        if not isinstance(node, n.Everyone) or not node.others:
            return every
        return words.common(every, words.inverted(words.single(Type.INT, low.current_of(node))))
    among = item_bits(low, node.collection)
    _, item = row(low, n.unfiltered(node))
    passing = low.b.variable(ZERO, "bits")
    with low.each_bit(among) as at:
        low.rounds(node)
        low.env[node.variable.slot] = item(at)
        own = words.only_if(low.holds(node.test), words.single(Type.INT, at))
        low.b.set(passing, words.joined(passing, own))
    return passing


@contextmanager
def _each_passing(low: Lowering, node: n.Filter, stop: Local | None) -> Iterator[ir.Expr]:
    with _each(low, node.collection, stop=stop, listed=False) as item:
        assert isinstance(item, ir.Expr)
        low.env[node.variable.slot] = item
        with low.b.when(low.holds(node.test)):
            yield item


def _limit_range(low: Lowering, node: n.Range, first: ir.Expr, last: ir.Expr) -> None:
    """Report a range of too many integers; a huge count is given as the largest integer."""
    if low.analysis.bounds(node.high)[1] - low.analysis.bounds(node.low)[0] < MOST_ITEMS:
        return
    wide = Type.WIDE
    reach = ir.Binary(Op.SUB, ir.Convert(last, wide), ir.Convert(first, wide))
    count = ir.Binary(Op.ADD, reach, ir.Const(1, wide))
    most = ir.Const(LARGEST, wide)
    shown = ir.Select(ir.OrderTest(Rel.GT, count, most), most, count)
    number = low.b.let(ir.Convert(shown, Type.INT), "count")
    many = ir.OrderTest(Rel.GT, count, ir.Const(MOST_ITEMS, wide))
    low.check(many, "length", TOO_LONG, node.span, number)


def are_owners(low: Lowering, node: n.Node) -> bool:
    """Return whether a form filters players or teams, of whom there are few."""
    base = n.unfiltered(node)
    few = isinstance(base, n.Everyone) and everyone(low, base) <= WORD
    return few and isinstance(node, n.Filter)


def owner_set(low: Lowering, node: n.Node) -> OwnerSet:
    """Return the owners that pass a filter, now."""
    return OwnerSet(low.b.variable(item_bits(low, node), "owners"))


# Locations --------------------------------------------------------------------------------


@contextmanager
def each_location(
    low: Lowering, node: n.Node, stop: Local | None = None, *, keep: bool = False
) -> Iterator[Cards]:
    """Run a block for each element of a set of locations, in order.

    Unless `keep` is set, the lists that represent elements are freed after each iteration.
    """
    match node:
        case n.EachLocation() if keep or not low.analysis.noticed(node, node.location):
            with each(low, node.collection, node.variable, stop=stop), _rounds(low, keep=keep):
                low.rounds(node)
                yield low.location(node.location, keep=keep)
        case n.Partition() if card_sets.are_words(low, node, still=low.still or not keep):
            with card_sets.each_group(low, node, stop) as held:
                yield held
        case n.Subsets():
            with _each_subset(low, node, stop, keep=keep) as held:
                yield held
        case n.Filter() if keep or not low.analysis.noticed(node, node.test):
            with _candidates(low, node, stop, keep=keep) as held:
                filled = differ(piles.length(low, held), ZERO)
                with low.b.when(filled):
                    low.rounds(node)
                    low.env[node.variable.slot] = held
                    with low.b.when(low.holds(node.test)):
                        yield held
        case _:
            with each_member(low, node, stop) as held:
                yield held


@contextmanager
def each_member(low: Lowering, node: n.Node, stop: Local | None = None) -> Iterator[Cards]:
    """Run a block for each element of a set of locations, all of which are found before."""
    with each_of(low, members(low, node), stop) as held:
        yield held


def _candidates(
    low: Lowering, node: n.Filter, stop: Local | None, *, keep: bool
) -> AbstractContextManager[Cards]:
    """Run a block for each element that a filter tests; all are found first if it matters."""
    if low.analysis.noticed(node, node.test) and low.analysis.late(node.collection):
        return each_member(low, node.collection, stop)
    return each_location(low, node.collection, stop, keep=keep)


def _rounds(low: Lowering, *, keep: bool) -> AbstractContextManager[None]:
    """Free the memory of one iteration of a loop, unless it is to be kept."""
    return nullcontext() if keep else low.scratch()


# Vectors ----------------------------------------------------------------------------------


def length(low: Lowering, vector: Vector) -> ir.Expr:
    """Return the number of items of a vector."""
    return low.b.let(ir.Load(low.arena(vector.at), 8, tag=LIST), "length")


def item(low: Lowering, vector: Vector, at: ir.Expr) -> ir.Expr:
    """Return the integer at a position of a vector."""
    address = offset(low.arena(vector.at, 8), mul(at, const(8)))
    return low.b.let(ir.Load(address, 8, signed=True, tag=LIST), "item")


@contextmanager
def each_of_vector(low: Lowering, vector: Vector, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each integer of a vector."""
    base = low.b.let(low.arena(vector.at, 8), "items")
    with low.b.count(length(low, vector), stop=stop) as at:
        address = offset(base, mul(at, const(8)))
        yield low.b.let(ir.Load(address, 8, signed=True, tag=LIST), "item")


@contextmanager
def each_of(low: Lowering, vector: Vector, stop: Local | None = None) -> Iterator[Cards]:
    """Run a block for each location of a vector."""
    with each_of_vector(low, vector, stop) as item:
        yield as_location(low, vector, item)


def as_location(low: Lowering, vector: Vector, item: ir.Expr) -> Cards:
    """Return the location that an integer of a vector represents."""
    if vector.like is not None:
        return replace(vector.like, bits=low.b.variable(item, "group"))
    if vector.kind is None:
        return CardList(item)
    return LoweredPile(item, vector.kind, vector.form)


def as_integer(value: Value) -> ir.Expr:
    """Return the integer that represents an item in a vector."""
    match value:
        case LoweredPile(slot=integer) | CardList(at=integer) | CardSet(bits=integer):
            return integer
    assert isinstance(value, ir.Expr)
    return value


@contextmanager
def _new_vector(low: Lowering, node: n.Node) -> Iterator[tuple[Callable[[ir.Expr], None], Vector]]:
    """Open a new vector; yields the function that adds an item to it, and the vector itself.

    What is made while it is open comes after it and stays; if nothing is, the vector's unused
    memory is freed.
    """
    size = 8 * (MOST_ITEMS + 2)
    base = low.reserve(size, node.span)
    first = low.b.let(low.arena(base, 8), "vector")
    count = low.b.variable(ZERO, "length")

    def push(item: ir.Expr) -> None:
        low.check(compare(Rel.GE, count, const(MOST_ITEMS)), "capacity", NO_ROOM, node.span)
        low.b.add(ir.Store(offset(first, mul(count, const(8))), item, 8, LIST))
        low.b.set(count, add(count, ONE))

    yield push, Vector(base)
    low.b.add(ir.Store(low.arena(base), count, 8, LIST))
    with low.b.when(equal(low.context.load("top"), add(base, const(size)))):
        low.give_back(add(add(base, const(8)), mul(count, const(8))))


def values_of(low: Lowering, node: n.Node) -> Vector:
    """Return the items of a list of players, teams, integers or strings as a vector."""
    with _new_vector(low, node) as (push, result):
        if isinstance(node, n.Filter):
            with each(low, node.collection, node.variable) as item:
                low.rounds(node)
                with low.b.when(low.holds(node.test)):
                    push(as_integer(item))
        else:
            with each(low, node, None) as item:
                push(as_integer(item))
    count = length(low, result)
    low.give_back(add(add(result.at, const(8)), mul(count, const(8))))
    return result


def members(low: Lowering, node: n.Node) -> Vector:
    """Return the elements of a set of locations as a vector."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Vector)
            return value
        case n.Partition() if not card_sets.are_words(low, node, still=low.still):
            return _partition(low, node)
        case n.Runs():
            return _runs(low, node)
        case n.Tuples():
            return _tuples(low, node)
        case n.Indexed():
            return _indexed(low, node)
        case n.EachLocation() | n.Filter() | n.Subsets() | n.Partition():
            return _gathered(low, node)
    raise AssertionError(node)


def _gathered(low: Lowering, node: n.Node) -> Vector:
    """Return elements that are found in sequence as a vector."""
    with (
        _new_vector(low, node) as (push, result),
        each_location(low, node, keep=True) as held,
    ):
        if isinstance(held, CardSet) and not _stay_words(low, held, node):
            held = piles.written_out(low, held, node)  # noqa: PLW2901 - the same cards
        push(as_integer(held))
    if isinstance(held, CardSet):
        return replace(result, like=replace(held, pile=None))
    if low.analysis.real_members(node):
        (kind,) = low.analysis.kinds(node)
        return replace(result, kind=kind, form=piles.form_of(low, node))
    return result


def _stay_words(low: Lowering, cards: CardSet, node: n.Node) -> bool:
    """Return whether the groups of a set can stay words: positions only while all is still."""
    if cards.by_number:
        return not low.analysis.takes_from_groups
    if cards.run_points is not None:
        return low.still or cards.array is None
    return low.still and _of_one_array(low, node)


def _of_one_array(low: Lowering, node: n.Node) -> bool:
    """Return whether all groups of a set are of the same array, and none loses cards."""
    if low.analysis.takes_from_groups:
        return False
    match node:
        case n.Filter(collection=inner):
            return _of_one_array(low, inner)
        case n.Subsets(location=part) | n.Partition(parts=(part,)):
            return isinstance(part, n.Place | n.Variable)
        case n.Variable(slot=slot):
            match low.env.get(slot):
                case Vector(like=CardSet(array=array)):
                    return array is not None
    return False


def _partition(low: Lowering, node: n.Partition) -> Vector:
    """Group cards by an attribute, groups in order of first appearance."""
    together = n.Combine(ValueKind.LOCATION, node.span, node.parts, n.SetOperation.UNION)
    key = low.b.let(low.string(node.key), "key")
    held = low.location(together)
    cards, count = piles.array(low, held, node), piles.length(low, held)
    values = low.made("reserve_words", node.span, count)
    start = low.b.let(storages.attributes_of(low.shared, key), "row")
    with low.b.count(count) as at:
        value = storages.value_of(start, card_at(low, cards, at))
        low.b.add(ir.Store(offset(low.arena(values), mul(at, const(8))), value, 8, LIST))
    return Vector(low.made("partition", node.span, cards, low.arena(values), count))


def _tuples(low: Lowering, node: n.Tuples) -> Vector:
    """All groups of n cards of one score, scores ascending, in order of list positions."""
    wanted = low.b.let(low.integer(node.count), "wanted")
    cards, scores, count = _by_score(low, node, points.worth(low, node.points))
    few = compare(Rel.LT, wanted, ONE)
    low.check(few, "length", "a group cannot have {a} cards", node.span, wanted)
    made = low.made("tuples", node.span, cards, scores, count, wanted)
    many = ir.OrderTest(Rel.EQ, made, const(-2))
    low.check(many, "length", TOO_LONG, node.span, const(MOST_ITEMS + 1))
    vector = Vector(made)
    low.rounds(node, length(low, vector))
    return vector


def _by_score(
    low: Lowering, node: n.Tuples | n.Runs, worth: points.Worth
) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Return cards, scores and number of the distinct cards of a location, sorted by score."""
    held = piles.copied(low, low.location(node.location), node)
    cards = piles.array(low, held, node)
    distinct = low.made("drop_repeated", node.span, cards, piles.length(low, held))
    low.b.add(ir.Store(low.arena(held.at), distinct, 8, LIST))
    scores = piles.scores_of(low, held, worth, node)
    count = piles.length(low, held)
    low.made("sort_cards", node.span, cards, scores, count)
    return cards, scores, count


def fixed_table(low: Lowering) -> tuple[ir.Expr, ir.Expr]:
    """Return the table of the locations with slots of their own, and how many there are.

    A row has 16 bytes: owner, kind, name (2 each, 2 spare), index (8).
    """
    rows = b"".join(
        where.owner.to_bytes(2, "little")
        + (KINDS.index(where.kind) + 1).to_bytes(2, "little")
        + low.names.number(where.name).to_bytes(4, "little")
        + where.at.to_bytes(8, "little", signed=True)
        for where in low.layout.places.locations
    )
    table = low.shared.data("fixed places", rows or bytes(16))
    return table, const(len(low.layout.places.locations))


def _indexed(low: Lowering, node: n.Indexed) -> Vector:
    """The locations of a name that have held a card, in order of their first card."""
    owner = low.b.let(low.owner(node.owner), "owner")
    name = low.string(node.name)
    kind = const(KINDS.index(node.place) + 1)
    args = (low.board.base, *fixed_table(low), owner, kind, name)
    return Vector(low.made("indexed", node.span, *args), node.place, piles.form_of(low, node))


# Runs -------------------------------------------------------------------------------------


def _runs(low: Lowering, node: n.Runs) -> Vector:
    """Every choice of one card per score over stretches of scores."""
    least = at_least(low, low.integer(node.least), 1)
    worth = points.worth(low, node.points)
    held = runs_of(low, node)
    if held is not None:
        return _run_sets(low, node, held, least, worth)
    args = (*_by_score(low, node, worth), least, const(int(node.every)))
    _count_runs(low, node, call("count_runs", *args))
    return Vector(low.made("runs", node.span, *args))


def _count_runs(low: Lowering, node: n.Runs, runs: ir.Expr) -> None:
    number = low.b.let(runs, "runs")
    low.check(compare(Rel.GT, number, const(MOST_ITEMS)), "length", TOO_LONG, node.span, number)
    low.rounds(node, number)


def runs_of(low: Lowering, node: n.Runs) -> CardSet | None:
    """Return the set of which runs are words; None if runs take lists.

    In its list a run goes by points, so where the order of its cards matters it is written out;
    what counts its cards, compares or adds them up takes the word.
    """
    if low.analysis.takes_from_groups:
        return None
    return card_sets.in_order(low, node.location, still=low.still)


def _run_sets(
    low: Lowering, node: n.Runs, held: CardSet, least: ir.Expr, worth: points.Worth
) -> Vector:
    """Every choice of one card per score over stretches of scores, as words."""
    b = low.b
    count = piles.length(low, held)
    scores = b.let(low.arena(low.made("reserve_words", node.span, count)), "scores")
    masks = b.let(low.arena(low.made("reserve_words", node.span, count)), "masks")
    levels = b.variable(ZERO, "levels")
    with low.each_bit(held.bits) as at:
        card = piles.card_of(low, held, at)
        bit = ir.Binary(Op.SHL, ONE, at)
        b.set(levels, call("add_level", scores, masks, levels, worth(card), bit))
    args = (scores, masks, levels, least, const(int(node.every)))
    lengths = ZERO, const(LARGEST)  # all
    _count_runs(low, node, call("count_mask_runs", *args, *lengths))
    made = low.made("mask_runs", node.span, *args, *lengths)
    return Vector(made, like=CardSet(ZERO, held.array, run_points=node.points))


def at_least(low: Lowering, value: ir.Expr, least: int) -> ir.Expr:
    """Return a value, or `least` if it is smaller."""
    smaller = compare(Rel.LT, value, const(least))
    return low.b.let(ir.Select(smaller, const(least), value), "least")


# Subsets ----------------------------------------------------------------------------------

_RELATIONS = {
    "<": 0b001, "==": 0b010, ">": 0b100, "<=": 0b011, ">=": 0b110, "!=": 0b101,
}  # fmt: skip
"""Which sizes pass: bits for smaller than, equal to and larger than the one wanted."""

_TOO_MANY = "this has {p:,} items, more than the 1,000,000 allowed"
_TOO_MANY_OF_SIZE = "this has more than the 1,000,000 items allowed"
_TOO_MANY_CARDS = "these are {a:,} cards, more than the 62 of which subsets can be made"


@contextmanager
def _each_subset(
    low: Lowering, node: n.Subsets, stop: Local | None, *, keep: bool
) -> Iterator[Cards]:
    """All subsets, each new card doubling the list; zero-based files have the empty one too."""
    whole = card_sets.in_order(low, node.location, still=low.still or not keep)
    if whole is not None:
        with _subset_words(low, node, piles.length(low, whole), stop) as which:
            yield card_sets.subset(low, whole, which)
        return
    held = piles.copied(low, low.location(node.location), node)
    count = piles.length(low, held)
    with _subset_words(low, node, count, stop) as which, _rounds(low, keep=keep):
        number = low.b.let(call("count_ones", which), "length")
        made = CardList(low.made("new_list", node.span, number))
        _write_subset(low, piles.array(low, held, node), which, piles.array(low, made, node))
        yield made


@contextmanager
def _subset_words(
    low: Lowering, node: n.Subsets, count: ir.Expr, stop: Local | None
) -> Iterator[Local]:
    """The subsets of a number of cards as integers with a bit for each card, ascending."""
    if node.size is None:
        _limit(low, node, count)
        end = low.b.let(ir.Binary(Op.SHL, ONE, count), "subsets")
        low.rounds(node, end)
        with low.b.count(end, start=_least(low), stop=stop) as which:
            yield which
        return
    wanted = low.integer(node.size)
    number = _number_of_size(low, node, count, wanted)
    low.rounds(node, number)
    relation = const(_RELATIONS[node.operator])
    which = low.b.variable(call("first_subset", count, wanted, relation, _least(low)), "which")
    with low.b.count(number, stop=stop):
        yield which
        low.b.set(which, call("next_subset", which, wanted, relation))


def number_of_subsets(low: Lowering, node: n.Subsets, count: ir.Expr) -> ir.Expr:
    """Return how many subsets of a number of cards there are."""
    if node.size is not None:
        return _number_of_size(low, node, count, low.integer(node.size))
    _limit(low, node, count)
    return low.b.let(sub(ir.Binary(Op.SHL, ONE, count), _least(low)), "subsets")


def nth_subset(low: Lowering, node: n.Subsets, count: ir.Expr, number: ir.Expr) -> ir.Expr:
    """Return the subset of a number, as an integer with a bit for each card."""
    wanted = ZERO if node.size is None else low.integer(node.size)
    relation = const(0b111 if node.size is None else _RELATIONS[node.operator])
    return low.b.let(call("nth_subset", count, wanted, relation, _least(low), number), "which")


def _least(low: Lowering) -> ir.Const:
    return ZERO if low.program.base == 0 else ONE


def _number_of_size(low: Lowering, node: n.Subsets, count: ir.Expr, wanted: ir.Expr) -> ir.Expr:
    """Return how many subsets there are whose size passes a test."""
    many = compare(Rel.GT, count, const(MOST_BITS))
    low.check(many, "length", _TOO_MANY_CARDS, node.span, count)
    if node.operator == "==":
        number = call("subsets_of_size", count, wanted, _least(low))
    else:
        relation = const(_RELATIONS[node.operator])
        number = call("subsets_related", count, wanted, relation, _least(low), ZERO)
    ways = low.b.let(number, "ways")
    low.check(compare(Rel.GT, ways, const(MOST_ITEMS)), "length", _TOO_MANY_OF_SIZE, node.span)
    return ways


def _limit(low: Lowering, node: n.Subsets, count: ir.Expr) -> None:
    low.check(compare(Rel.GT, count, const(19)), "length", _TOO_MANY, node.span, count)


def _write_subset(low: Lowering, cards: ir.Expr, which: ir.Expr, target: ir.Expr) -> None:
    left = low.b.variable(which, "left")
    at = low.b.variable(ZERO, "at")
    step = ir.Assign(left, ir.Binary(Op.AND, left, sub(left, ONE)))
    with low.b.loop(compare(Rel.NE, left, ZERO), step):
        card = card_at(low, cards, call("lowest_one", left))
        low.b.add(ir.Store(card_address(low, target, at), card, low.layout.card_bytes, "card"))
        low.b.set(at, add(at, ONE))
