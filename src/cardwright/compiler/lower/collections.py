"""Collections: iteration over their items, and lists of items made in the arena."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    NONE,
    ONE,
    ZERO,
    add,
    call,
    compare,
    const,
    differ,
    mul,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel
from cardwright.compiler.lower import (
    card_sets,
    cards,
    conditions,
    groups,
    integers,
    lists,
    locations,
    masks,
    owner_sets,
    owners,
    position_sets,
    run_sets,
    sets,
    storages,
    vectors,
)
from cardwright.compiler.lower.lowered_values import (
    Cards,
    OwnerSet,
    RepeatableCollection,
    Value,
    Vector,
)
from cardwright.program import nodes as n
from cardwright.program.integers import LARGEST
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.lower.lowering import Lowering


def size(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of items of a collection."""
    match node:
        case n.Filter() if node.kind is ValueKind.LOCATION and not low.program.rounds.counted(node):
            found = masks.passing(low, node.collection, node.variable, node.test, opposite=False)
            if found is not None:
                return low.b.let(call("count_ones", found.positions), "size")
        case n.Combine() if sets.is_disjoint(low, node) and sets.is_set(low, node):
            return low.b.let(call("count_ones", sets.as_set(low, node) or ZERO), "size")
        case n.Partition(key=n.Text(), parts=(part,)) if _is_word(low, part):
            return card_sets.number_of_groups(low, node)
        case n.Combine() if (found_at := _positions(low, node)) is not None:
            return low.b.let(call("count_ones", found_at), "size")
        case n.Combine() if card_sets.has_no_repeats(low, node):
            return low.b.let(call("count_ones", sets.as_set(low, node) or ZERO), "size")
        case n.Strings(values=values):
            return const(len(values))
        case n.Everyone(others=False):
            return const(everyone(low, node))
        case n.Filter() if owner_sets.are_owners(low, node):
            return low.b.let(call("count_ones", owner_sets.owner_set(low, node).bits), "size")
        case n.Variable() if (
            node.kind is not ValueKind.LOCATION and node.kind is not ValueKind.TEAM
        ):
            value = low.env[node.slot]
            if isinstance(value, OwnerSet):
                return low.b.let(call("count_ones", value.bits), "size")
            if isinstance(value, Vector):
                return vectors.vector_length(low, value)
    if node.kind is ValueKind.LOCATION and (
        low.analysis.is_real(node)
        or isinstance(node, n.Variable)
        or card_sets.lies_by_number(low, node)
    ):
        return locations.length(low, locations.location(low, node))
    total = low.b.variable(ZERO, "size")
    with low.scratch(), each(low, node, None):
        low.b.set(total, add(total, ONE))
    return total


def _is_word(low: Lowering, node: n.Node) -> bool:
    """Return whether the cards of a location can be had as a mask in one word."""
    return masks.fit_a_word(low) and sets.is_set(low, node)


def _positions(low: Lowering, node: n.Combine) -> ir.Expr | None:
    """Return the positions of a combination of sets of the same cards, which lists each once."""
    if node.operation is n.SetOperation.UNION:
        return None
    found = position_sets.positions(low, node)
    return None if found is None else found[0]


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


@contextmanager
def _each(low: Lowering, node: n.Node, *, stop: Local | None, listed: bool) -> Iterator[Value]:
    if node.kind is ValueKind.LOCATION:
        if listed and card_sets.lies_by_number(low, node):
            with locations.each_of_mask(low, card_sets.cards(low, node), stop) as card:
                yield card
        elif listed:
            held = lists.copied(low, locations.location(low, node), node)
            with locations.each_in(low, held, node, stop) as card:
                yield card
        else:
            with locations.each_card(low, node, stop) as card:
                yield card
    elif node.kind is ValueKind.LOCATIONS:
        if listed:
            vector = vectors.members(low, node)
            with vectors.each_of_vector(low, vector, stop) as item:
                yield vectors.as_location(low, vector, item)
        else:
            with each_location(low, node, stop) as element:
                yield element
    elif node.kind is ValueKind.TEAM:
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
    return len(low.program.teams) if node.kind is ValueKind.TEAMS else low.program.players


@contextmanager
def _each_value(
    low: Lowering, node: n.Node, stop: Local | None, *, listed: bool
) -> Iterator[ir.Expr]:
    """Run a block for each player, team, integer or string of a list."""
    match node:
        case n.Everyone(others=others):
            count = everyone(low, node)
            teams = low.layout.player_cycles + low.teams
            cycle = teams if node.kind is ValueKind.TEAMS else low.players
            now = low.current(cycle) if others else None
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
            start = low_bound
            if low.analysis.bounds(node.high)[1] == LARGEST:  # then one more may be too many
                start, some = ZERO, compare(Rel.LE, low_bound, high_bound)
                high_bound = ir.Select(some, sub(high_bound, low_bound), NONE)
            end = low.b.let(add(high_bound, ONE), "end")
            with low.b.count(end, start=start, stop=stop) as at:
                yield low.b.let(at if start is low_bound else add(low_bound, at), "number")
        case n.Strings(values=values):
            numbers = [low.names.number(text) for text in values]
            table = low.shared.integers("strings " + " ".join(values), numbers or [0], 2)
            with low.b.count(const(len(values)), stop=stop) as at:
                yield low.b.let(ir.Load(ir.Offset(table, mul(at, const(2))), 2), "string")
        case n.Filter() if not listed and not low.analysis.noticed(node, node.test):
            with _each(low, node.collection, stop=stop, listed=False) as found:
                assert isinstance(found, ir.Expr)
                low.env[node.variable.slot] = found
                with low.b.when(conditions.tested(low, node.test)):
                    yield found
        case n.Variable(slot=slot):
            value = low.env[slot]
            if isinstance(value, RepeatableCollection):
                with _each_value(low, value.node, stop, listed=listed) as item:
                    yield item
            elif isinstance(value, OwnerSet):
                with owner_sets.each_owner(low, value, stop) as item:
                    yield item
            else:
                assert isinstance(value, Vector)
                with vectors.each_of_vector(low, value, stop) as item:
                    yield item
        case n.Filter() if owner_sets.are_owners(low, node):
            with owner_sets.each_owner(low, owner_sets.owner_set(low, node), stop) as item:
                yield item
        case n.Filter():
            with vectors.each_of_vector(low, vectors.values_of(low, node), stop) as item:
                yield item
        case _:
            raise AssertionError(node)


def _limit_range(low: Lowering, node: n.Range, first: ir.Expr, last: ir.Expr) -> None:
    """Report a range of too many integers; a huge count is given as the largest integer."""
    if low.analysis.bounds(node.high)[1] - low.analysis.bounds(node.low)[0] < MOST_ITEMS:
        return
    wide = ir.Binary(
        Op.ADD,
        ir.Binary(Op.SUB, ir.Convert(last, ir.Type.WIDE), ir.Convert(first, ir.Type.WIDE)),
        ir.Const(1, ir.Type.WIDE),
    )
    most = ir.Const(LARGEST, ir.Type.WIDE)
    counted = ir.Select(ir.OrderTest(Rel.GT, wide, most), most, wide)
    count = low.b.let(ir.Convert(counted, ir.Type.INT), "count")
    many = ir.OrderTest(Rel.GT, wide, ir.Const(MOST_ITEMS, ir.Type.WIDE))
    low.check(many, "length", vectors.TOO_LONG, node.span, count)


# Vectors ----------------------------------------------------------------------------------


@contextmanager
def each_location(
    low: Lowering, node: n.Node, stop: Local | None = None, *, keep: bool = False
) -> Iterator[Cards]:
    """Run a block for each element of a set of locations, in order.

    Unless `keep` is set, the lists that represent elements are freed after each iteration.
    """
    match node:
        case n.EachLocation() if keep or not low.analysis.noticed(node, node.location):
            with (
                each(low, node.collection, node.variable, stop=stop),
                rounds(low, keep=keep),
            ):
                low.rounds(node)
                yield locations.location(low, node.location, keep=keep)
        case n.Partition() if card_sets.are_sets(low, node):
            with card_sets.each_of_partition(low, node, stop) as held:
                yield held
        case n.Partition() if (low.still or not keep) and position_sets.are_positions(low, node):
            with position_sets.each_of_partition(low, node, stop) as held:
                yield held
        case n.Subsets():
            with groups.each_subset(low, node, stop, keep=keep) as held:
                yield held
        case n.Filter() if keep or not low.analysis.noticed(node, node.test):
            with _candidates(low, node, stop, keep=keep) as held:
                filled = differ(locations.length(low, held), ZERO)
                with low.b.when(filled):
                    low.rounds(node)
                    low.env[node.variable.slot] = held
                    with low.b.when(conditions.tested(low, node.test)):
                        yield held
        case _:
            vector = vectors.members(low, node)
            with vectors.each_of_vector(low, vector, stop) as item:
                yield vectors.as_location(low, vector, item)


@contextmanager
def _candidates(
    low: Lowering, node: n.Filter, stop: Local | None, *, keep: bool
) -> Iterator[Cards]:
    """Run a block for each element that a filter tests; all are found first if it matters."""
    if isinstance(node.collection, n.Runs):
        length = run_sets.only_length(low, node)
        if length is not None:
            low.lengths[id(node.collection)] = length
    if not low.analysis.noticed(node, node.test) or not low.analysis.late(node.collection):
        with each_location(low, node.collection, stop, keep=keep) as held:
            yield held
    else:
        vector = vectors.members(low, node.collection)
        with vectors.each_of_vector(low, vector, stop) as item:
            yield vectors.as_location(low, vector, item)


@contextmanager
def rounds(low: Lowering, *, keep: bool) -> Iterator[None]:
    """Free the memory of one iteration of a loop, unless it is to be kept."""
    if keep:
        yield
    else:
        with low.scratch():
            yield


def bind(low: Lowering, node: n.Node) -> Value:
    """Return the value that `let` binds: a location itself, anything else as it is now."""
    match node.kind:
        case ValueKind.INTEGER:
            return low.b.let(integers.integer(low, node), "let")
        case ValueKind.STRING:
            return low.b.let(storages.string(low, node), "let")
        case ValueKind.BOOLEAN:
            return low.b.let(conditions.condition(low, node), "let")
        case ValueKind.LOCATION:
            return locations.location(low, node, keep=True)
        case ValueKind.CARD:
            return cards.held(low, node)
        case ValueKind.PLAYER:
            return low.b.let(owners.seat(low, node), "let")
        case ValueKind.TEAM:
            return low.b.let(owners.team(low, node), "let")
        case ValueKind.LOCATIONS:
            return vectors.members(low, node)
    if isinstance(node, n.Strings) or (isinstance(node, n.Everyone) and not node.others):
        return RepeatableCollection(node)
    if isinstance(node, n.Variable):
        return low.env[node.slot]
    if owner_sets.are_owners(low, node):
        return owner_sets.owner_set(low, node)
    return vectors.values_of(low, node)
