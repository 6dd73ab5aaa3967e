"""Collections: going through their items, and lists of items that are made in the arena."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ONE,
    TRUE,
    ZERO,
    add,
    call,
    compare,
    const,
    differ,
    mul,
    offset,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.lower import (
    conditions,
    integers,
    locations,
    masks,
    owners,
    points,
    storages,
)
from cardwright.compiler.lower.lowering import (
    LIST,
    NO_ROOM,
    Again,
    CardList,
    Lowering,
    Pile,
    Value,
    Vector,
    card_address,
    card_at,
)
from cardwright.compiler.places import KINDS
from cardwright.program import nodes as n
from cardwright.program.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.program.cards import LocationKind

MOST_ITEMS = 1_000_000
"""Longest collection that is made; a longer one is an error, not an endless wait."""

TOO_LONG = "this has {a:,} items, more than the 1,000,000 allowed"
_TOO_MANY_SUBSETS = "this has {p:,} items, more than the 1,000,000 allowed"

_RELS = {
    "<": Rel.LT,
    ">": Rel.GT,
    "<=": Rel.LE,
    ">=": Rel.GE,
    "==": Rel.EQ,
    "!=": Rel.NE,
}


def size(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of items of a collection."""
    match node:
        case n.Filter() if node.kind is Kind.LOCATION:
            found = masks.passing(low, node.collection, node.variable, node.test, opposite=False)
            if found is not None:
                return low.b.let(call("count_ones", found.positions), "size")
        case n.Strings(values=values):
            return const(len(values))
        case n.Everyone(others=False):
            return const(everyone(low, node))
        case n.Variable() if node.kind is not Kind.LOCATION and node.kind is not Kind.TEAM:
            value = low.env[node.slot]
            if isinstance(value, Vector):
                return vector_length(low, value)
    if node.kind is Kind.LOCATION and (low.facts.is_real(node) or isinstance(node, n.Variable)):
        return locations.length(low, locations.location(low, node))
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

    The variable is bound to the item. `listed` gathers all items before the block is run for the
    first time: wanted where the block changes the game. Where finding an item may draw or break a
    rule they are gathered anyway, as the language has it.
    """
    with _each(low, node, stop=stop, listed=listed) as item:
        if variable is not None:
            low.env[variable.slot] = item
        yield item


@contextmanager
def _each(low: Lowering, node: n.Node, *, stop: Local | None, listed: bool) -> Iterator[Value]:
    if node.kind is Kind.LOCATION:
        if listed:
            held = locations.copied(low, locations.location(low, node), node)
            with locations.each_in(low, held, stop) as card:
                yield card
        else:
            with locations.each_card(low, node, stop) as card:
                yield card
    elif node.kind is Kind.LOCATIONS:
        if listed:
            vector = members(low, node)
            with each_of_vector(low, vector, stop) as item:
                yield as_location(vector, item)
        else:
            with each_location(low, node, stop) as element:
                yield element
    elif node.kind is Kind.TEAM:
        with _each_member(low, node, stop) as seat:
            yield seat
    else:
        with _each_value(low, node, stop, listed=listed) as value:
            yield value


@contextmanager
def _each_member(low: Lowering, node: n.Node, stop: Local | None) -> Iterator[ir.Expr]:
    """Run a block for each player of a team."""
    teams = low.program.teams
    most = max(map(len, teams), default=0)
    rows = [seat for team in teams for seat in (*team, *[0] * (most - len(team)))]
    members_table = low.shared.integers("team members", rows or [0], 1)
    sizes = low.shared.integers("team sizes", [len(team) for team in teams] or [0], 1)
    team = owners.team(low, node)
    count = low.b.let(ir.Load(ir.Offset(sizes, team), 1), "members")
    with low.b.count(count, stop=stop) as at:
        address = ir.Offset(members_table, add(mul(team, const(most)), at))
        yield low.b.let(ir.Load(address, 1), "seat")


def everyone(low: Lowering, node: n.Node) -> int:
    """Return the number of players, or of teams."""
    return len(low.program.teams) if node.kind is Kind.TEAMS else low.program.players


@contextmanager
def _each_value(
    low: Lowering, node: n.Node, stop: Local | None, *, listed: bool
) -> Iterator[ir.Expr]:
    """Run a block for each player, team, integer or string of a list."""
    match node:
        case n.Everyone(others=others):
            count = everyone(low, node)
            teams = low.layout.player_cycles + low.teams
            cycle = teams if node.kind is Kind.TEAMS else low.players
            now = low.b.let(low.board.load("current", const(cycle)), "current") if others else None
            with low.b.count(const(count), stop=stop) as at:
                item = low.b.let(at, "owner")
                if now is None:
                    yield item
                else:
                    with low.b.when(differ(item, now)):
                        yield item
        case n.Range():
            low_bound = low.b.let(integers.integer(low, node.low), "low")
            high_bound = low.b.let(integers.integer(low, node.high), "high")
            _limit_range(low, node, low_bound, high_bound)
            end = low.b.let(add(high_bound, ONE), "end")
            with low.b.count(end, start=low_bound, stop=stop) as at:
                yield low.b.let(at, "number")
        case n.Strings(values=values):
            numbers = [low.names.number(text) for text in values]
            table = low.shared.integers("strings " + " ".join(values), numbers or [0], 2)
            with low.b.count(const(len(values)), stop=stop) as at:
                yield low.b.let(ir.Load(ir.Offset(table, mul(at, const(2))), 2), "string")
        case n.Filter() if low.facts.pure(node.test) and not listed:
            with _each_value(low, node.collection, stop, listed=False) as item:
                low.env[node.variable.slot] = item
                with low.b.when(conditions.condition(low, node.test)):
                    yield item
        case n.Variable(slot=slot):
            value = low.env[slot]
            if isinstance(value, Again):
                with _each_value(low, value.node, stop, listed=listed) as item:
                    yield item
            else:
                assert isinstance(value, Vector)
                with each_of_vector(low, value, stop) as item:
                    yield item
        case _:
            with each_of_vector(low, values_of(low, node), stop) as item:
                yield item


def _limit_range(low: Lowering, node: n.Range, first: ir.Expr, last: ir.Expr) -> None:
    """Report a range of too many integers; a huge one is counted as the largest integer."""
    if low.facts.bounds(node.high)[1] - low.facts.bounds(node.low)[0] < MOST_ITEMS:
        return
    wide = ir.Binary(
        Op.ADD,
        ir.Binary(Op.SUB, ir.Convert(last, ir.Type.WIDE), ir.Convert(first, ir.Type.WIDE)),
        ir.Const(1, ir.Type.WIDE),
    )
    count = low.b.let(ir.Convert(wide, ir.Type.INT), "count")
    many = ir.Compare(Rel.GT, wide, ir.Const(MOST_ITEMS, ir.Type.WIDE))
    low.check(many, "length", TOO_LONG, node.span, count)


# Vectors ----------------------------------------------------------------------------------


def vector_length(low: Lowering, vector: Vector) -> ir.Expr:
    """Return the number of items of a vector."""
    return low.b.let(ir.Load(low.arena(vector.at), 8, tag=LIST), "length")


@contextmanager
def each_of_vector(low: Lowering, vector: Vector, stop: Local | None = None) -> Iterator[ir.Expr]:
    """Run a block for each integer of a vector."""
    base = low.b.let(low.arena(vector.at, 8), "items")
    with low.b.count(vector_length(low, vector), stop=stop) as at:
        address = offset(base, mul(at, const(8)))
        yield low.b.let(ir.Load(address, 8, signed=True, tag=LIST), "item")


def as_location(vector: Vector, item: ir.Expr) -> Pile | CardList:
    """Return the location that an integer of a vector stands for."""
    return Pile(item, vector.kind) if vector.kind is not None else CardList(item)


def as_integer(value: Value) -> ir.Expr:
    """Return the integer that stands for an item in a vector."""
    match value:
        case Pile(slot=slot):
            return slot
        case CardList(at=at):
            return at
    assert isinstance(value, ir.Expr)
    return value


@contextmanager
def _new_vector(
    low: Lowering, node: n.Node, kind: LocationKind | None = None
) -> Iterator[tuple[Callable[[ir.Expr], None], Vector]]:
    """Open a new vector; gives the function that adds an item to it, and the vector itself.

    What is made while it is open lies behind it and stays.
    """
    base = low.reserve(8 * (MOST_ITEMS + 2), node.span)
    first = low.b.let(low.arena(base, 8), "vector")
    count = low.b.variable(ZERO, "length")

    def push(item: ir.Expr) -> None:
        low.check(compare(Rel.GE, count, const(MOST_ITEMS)), "capacity", NO_ROOM, node.span)
        low.b.add(ir.Store(offset(first, mul(count, const(8))), item, 8, LIST))
        low.b.set(count, add(count, ONE))

    yield push, Vector(base, kind)
    low.b.add(ir.Store(low.arena(base), count, 8, LIST))


def values_of(low: Lowering, node: n.Node) -> Vector:
    """Return the items of a list of players, teams, integers or strings as a vector."""
    with _new_vector(low, node) as (push, result):
        if isinstance(node, n.Filter):
            with (
                each(low, node.collection, node.variable) as item,
                low.b.when(conditions.condition(low, node.test)),
            ):
                push(as_integer(item))
        else:
            with each(low, node, None) as item:
                push(as_integer(item))
    return result


def members(low: Lowering, node: n.Node) -> Vector:
    """Return the elements of a set of locations as a vector."""
    match node:
        case n.Variable(slot=slot):
            value = low.env[slot]
            assert isinstance(value, Vector)
            return value
        case n.Partition():
            return _partition(low, node)
        case n.Runs():
            return _runs(low, node)
        case n.Tuples():
            return _tuples(low, node)
        case n.Indexed():
            return _indexed(low, node)
    kind = None
    if low.facts.real_members(node):
        (kind,) = low.facts.kinds(node)
    with (
        _new_vector(low, node, kind) as (push, result),
        each_location(low, node, keep=True) as held,
    ):
        push(as_integer(held))
    return result


@contextmanager
def each_location(
    low: Lowering, node: n.Node, stop: Local | None = None, *, keep: bool = False
) -> Iterator[Pile | CardList]:
    """Run a block for each element of a set of locations, in order.

    Unless `keep` says otherwise, the lists that stand for elements are given up round by round.
    """
    match node:
        case n.EachLocation() if keep or low.facts.pure(node.location):
            with (
                each(low, node.collection, node.variable, stop=stop),
                _round(low, keep=keep),
            ):
                yield locations.location(low, node.location, keep=keep)
        case n.Subsets():
            with _each_subset(low, node, stop, keep=keep) as held:
                yield held
        case n.Filter() if keep or low.facts.pure(node.test):
            with _candidates(low, node, stop, keep=keep) as held:
                filled = differ(locations.length(low, held), ZERO)
                with low.b.when(filled):
                    low.env[node.variable.slot] = held
                    with low.b.when(conditions.condition(low, node.test)):
                        yield held
        case _:
            vector = members(low, node)
            with each_of_vector(low, vector, stop) as item:
                yield as_location(vector, item)


@contextmanager
def _candidates(
    low: Lowering, node: n.Filter, stop: Local | None, *, keep: bool
) -> Iterator[Pile | CardList]:
    """Run a block for each element that a filter tests; all are found first if one may notice."""
    if low.facts.pure(node.test) or not low.facts.late(node.collection):
        with each_location(low, node.collection, stop, keep=keep) as held:
            yield held
    else:
        vector = members(low, node.collection)
        with each_of_vector(low, vector, stop) as item:
            yield as_location(vector, item)


@contextmanager
def _round(low: Lowering, *, keep: bool) -> Iterator[None]:
    """Give back what one round of a loop takes, unless it is to be kept."""
    if keep:
        yield
    else:
        with low.scratch():
            yield


@contextmanager
def _each_subset(
    low: Lowering, node: n.Subsets, stop: Local | None, *, keep: bool
) -> Iterator[CardList]:
    """All subsets, each new card doubling the list; zero-based files have the empty one too."""
    held = locations.copied(low, locations.location(low, node.location), node)
    cards, count = locations.array(low, held), locations.length(low, held)
    low.check(compare(Rel.GT, count, const(19)), "length", _TOO_MANY_SUBSETS, node.span, count)
    wanted = integers.integer(low, node.size) if node.size is not None else None
    first = ZERO if low.program.base == 0 else ONE
    end = low.b.let(ir.Binary(Op.SHL, ONE, count), "subsets")
    with low.b.count(end, start=first, stop=stop) as which:
        length = low.b.let(call("count_ones", which), "length")
        fitting = compare(_RELS[node.operator], length, wanted) if wanted is not None else None
        with (
            low.b.when(fitting if fitting is not None else TRUE),
            _round(low, keep=keep),
        ):
            base = low.reserve(8 + 20 * low.layout.card_bytes + 24, node.span)
            low.b.add(ir.Store(low.arena(base), length, 8, LIST))
            _write_subset(low, cards, which, low.arena(base, 8))
            yield CardList(base)


def _write_subset(low: Lowering, cards: ir.Expr, which: ir.Expr, target: ir.Expr) -> None:
    left = low.b.variable(which, "left")
    at = low.b.variable(ZERO, "at")
    step = ir.Assign(left, ir.Binary(Op.AND, left, sub(left, ONE)))
    with low.b.loop(compare(Rel.NE, left, ZERO), step):
        card = card_at(low, cards, call("lowest_one", left))
        low.b.add(ir.Store(card_address(low, target, at), card, low.layout.card_bytes, "card"))
        low.b.set(at, add(at, ONE))


def _partition(low: Lowering, node: n.Partition) -> Vector:
    """Group cards by an attribute, groups in order of first appearance."""
    together = n.Combine(Kind.LOCATION, node.span, node.parts, n.SetOperation.UNION)
    key = low.b.let(storages.string(low, node.key), "key")
    held = locations.listed(low, together)
    cards, count = locations.array(low, held), locations.length(low, held)
    values = low.attempt(
        call("reserve_words", low.context.base, count), "capacity", NO_ROOM, node.span
    )
    table, row = storages.attribute_rows(low.shared)
    start = low.b.let(ir.Offset(table, mul(key, const(row))), "row")
    low.allocates()
    with low.b.count(count) as at:
        card = card_at(low, cards, at)
        value = ir.Load(ir.Offset(ir.Offset(start, mul(card, const(2))), const(2)), 2)
        low.b.add(ir.Store(offset(low.arena(values), mul(at, const(8))), value, 8, LIST))
    done = call("partition", low.context.base, cards, low.arena(values), count)
    return Vector(low.attempt(done, "capacity", NO_ROOM, node.span))


def _by_score(
    low: Lowering, place: n.Node, points_node: n.Node, node: n.Node
) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """Return cards, scores and number of the distinct cards of a location, sorted by score."""
    worth = points.worth(low, points_node)
    held = locations.copied(low, locations.location(low, place), node)
    cards = locations.array(low, held)
    distinct = call("drop_repeated", cards, locations.length(low, held))
    low.b.add(ir.Store(low.arena(held.at), low.b.let(distinct, "distinct"), 8, LIST))
    scores = locations.scores_of(low, held, worth, node)
    count = locations.length(low, held)
    low.b.run("sort_cards", cards, scores, count)
    return cards, scores, count


def _runs(low: Lowering, node: n.Runs) -> Vector:
    """Every choice of one card per score over stretches of scores."""
    least = integers.clamp(low, integers.integer(low, node.least), 1)
    cards, scores, count = _by_score(low, node.location, node.points, node)
    every = const(int(node.every))
    number = low.b.let(call("count_runs", cards, scores, count, least, every), "runs")
    low.check(compare(Rel.GT, number, const(MOST_ITEMS)), "length", TOO_LONG, node.span, number)
    low.allocates()
    done = call("runs", low.context.base, cards, scores, count, least, every)
    return Vector(low.attempt(done, "capacity", NO_ROOM, node.span))


def _tuples(low: Lowering, node: n.Tuples) -> Vector:
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
    low.allocates()
    found = low.b.let(call("tuples", low.context.base, cards, scores, count, wanted), "tuples")
    many = const(-2)
    low.check(ir.Compare(Rel.EQ, found, many), "length", TOO_LONG, node.span, const(MOST_ITEMS + 1))
    return Vector(low.attempt(found, "capacity", NO_ROOM, node.span))


def _indexed(low: Lowering, node: n.Indexed) -> Vector:
    """The locations of a name that have held a card, in order of their first card."""
    owner = low.b.let(owners.owner(low, node.owner), "owner")
    name = storages.string(low, node.name)
    kind = const(KINDS.index(node.place) + 1)
    table, count = locations.fixed_table(low)
    low.allocates()
    args = (low.context.base, low.board.base, table, count, owner, kind, name)
    done = call("indexed", *args)
    return Vector(low.attempt(done, "capacity", NO_ROOM, node.span), node.place)


def bind(low: Lowering, node: n.Node) -> Value:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    match node.kind:
        case Kind.INTEGER:
            return low.b.let(integers.integer(low, node), "let")
        case Kind.STRING:
            return low.b.let(storages.string(low, node), "let")
        case Kind.BOOLEAN:
            return low.b.let(conditions.condition(low, node), "let")
        case Kind.LOCATION:
            return locations.location(low, node, keep=True)
        case Kind.TEAM:
            return low.b.let(owners.team(low, node), "let")
        case Kind.LOCATIONS:
            return members(low, node)
    if isinstance(node, n.Strings) or (isinstance(node, n.Everyone) and not node.others):
        return Again(node)
    if isinstance(node, n.Variable):
        return low.env[node.slot]
    return values_of(low, node)
