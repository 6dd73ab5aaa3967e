"""Conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    TRUE,
    both,
    call,
    compare,
    differ,
    either,
    equal,
    negate,
    truth,
)
from cardwright.compiler.ir import Rel, Type
from cardwright.compiler.lower import (
    card_sets,
    cards,
    collections,
    integers,
    locations,
    masks,
    owners,
    sets,
    storages,
    words,
)
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering

_ORDER = {"<": Rel.LT, ">": Rel.GT, "<=": Rel.LE, ">=": Rel.GE}


def condition(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the truth value of a condition."""
    match node:
        case n.Truth(value=value):
            return truth(value)
        case n.Variable(slot=slot):
            return owners.scalar(low, slot)
        case n.Not(test=test):
            return negate(condition(low, test))
        case n.Logic():
            return _logic(low, node)
        case n.Compare(operator=sign):
            left = integers.integer(low, node.left)
            return compare(_ORDER[sign], left, integers.integer(low, node.right))
        case n.Equal():
            left, right = comparable(low, node.left), comparable(low, node.right)
            return differ(left, right) if node.negated else equal(left, right)
        case n.Quantifier():
            return _quantifier(low, node)
    raise AssertionError(node)


def tested(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the truth value of a condition in a loop, and free the memory that it takes."""
    with low.scratch():
        return low.b.let(condition(low, node), "holds")


def holds(low: Lowering, node: n.Node) -> ir.Expr:
    """Evaluate a condition now, and free the memory that it takes."""
    with low.scratch():
        return low.b.let(condition(low, node), "holds")


def comparable(low: Lowering, node: n.Node) -> ir.Expr:
    """Return a comparable value; cards, players and teams are compared by identity."""
    match node.kind:
        case ValueKind.INTEGER:
            return integers.integer(low, node)
        case ValueKind.STRING:
            return storages.string(low, node)
        case ValueKind.CARD:
            return cards.card(low, node)
        case ValueKind.PLAYER:
            return owners.seat(low, node)
        case _:
            return owners.team(low, node)


def _logic(low: Lowering, node: n.Logic) -> ir.Expr:
    """Conjunction or disjunction, from left to right, no further than needed."""
    if all(_is_quick(low, test) for test in node.tests[1:]):
        join = both if node.every else either
        found = condition(low, node.tests[0])
        for test in node.tests[1:]:
            found = join(found, condition(low, test))
        return low.b.let(found, "holds")
    result = low.b.variable(condition(low, node.tests[0]), "holds")

    def rest(at: int) -> None:
        if at == len(node.tests):
            return
        with low.b.when(result if node.every else ir.Negation(result)):
            low.b.set(result, condition(low, node.tests[at]))
            rest(at + 1)

    rest(1)
    return result


def _is_quick(low: Lowering, node: n.Node) -> bool:
    """Return whether a condition takes a few instructions and can be evaluated at any time."""
    if not low.analysis.pure(node):
        return False
    match node:
        case n.Truth() | n.Variable():
            return True
        case n.Not(test=test):
            return _is_quick(low, test)
        case n.Compare(left=left, right=right) | n.Equal(left=left, right=right):
            return all(isinstance(side, _AT_HAND) for side in (left, right))
        case n.Quantifier(collection=collection, variable=variable, test=test):
            place = isinstance(collection, n.Place | n.Variable)
            return place and sets.is_set(low, collection) and masks.known(low, test, variable.slot)
    return False


_AT_HAND = n.Number | n.Text | n.Storage | n.Variable | n.TurnOwner


def _quantifier(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Short-circuit, in order of the collection."""
    found = None
    if not low.program.rounds.counted(node):
        found = masks.passing(low, node.collection, node.variable, node.test, opposite=node.every)
    if found is not None:
        return (words.is_none if node.every else words.is_some)(found.positions)
    if (simple := _by_sets(low, node)) is not None:
        return simple
    if node.collection.kind is ValueKind.LOCATION and not low.program.rounds.counted(node):
        which = masks.mask(low, node.test, node.variable.slot)
        if which is not None:
            return _by_mask(low, node, which)
    if _is_counted_set(low, node):
        return _counted_by_sets(low, node)
    return _one_by_one(low, node)


def _one_by_one(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Test items in order until the result is known."""
    stop = low.b.variable(FALSE, "stop")
    with low.scratch(), collections.each(low, node.collection, node.variable, stop=stop):
        low.rounds(node)
        test = tested(low, node.test)
        with low.b.when(negate(test) if node.every else test):
            low.b.set(stop, TRUE)
    result = low.b.let(ir.Negation(stop) if node.every else stop, "holds")
    assert result.type is Type.BOOL
    return result


def _is_counted_set(low: Lowering, node: n.Quantifier) -> bool:
    """Return whether a mask tells the result, and how many rounds come before it is known."""
    counted = low.program.rounds.counted
    if not counted(node) or any(map(counted, n.walk(node.test))) or not masks.fit_a_word(low):
        return False
    if any(map(counted, n.walk(node.collection))):
        return False
    known = masks.known(low, node.test, node.variable.slot)
    return known and sets.is_set(low, node.collection)


def _counted_by_sets(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Test all cards of a location by a mask, and count the rounds that it takes in order."""
    cards = sets.as_set(low, node.collection)
    which = masks.mask(low, node.test, node.variable.slot)
    assert cards is not None
    assert which is not None
    ending = ir.Binary(ir.Op.XOR, which, ir.Const(-1)) if node.every else which
    ending = low.b.let(ir.Binary(ir.Op.AND, cards, ending), "ending")
    # The lowest bit of those that end it, and all below; all bits if there is none.
    seen = ir.Binary(ir.Op.XOR, ending, ir.Binary(ir.Op.SUB, ending, ir.Const(1)))
    rounds = call("count_ones", ir.Binary(ir.Op.AND, cards, seen))
    result = low.b.variable(compare(Rel.EQ if node.every else Rel.NE, ending, ir.Const(0)), "holds")
    if card_sets.lies_by_number(low, node.collection):
        low.rounds(node, rounds)
        return result
    others = ir.Binary(ir.Op.AND, cards, ir.Binary(ir.Op.SUB, cards, ir.Const(1)))
    with low.b.when(compare(Rel.EQ, others, ir.Const(0))):
        low.rounds(node, rounds)
    with low.b.otherwise():
        low.b.set(result, _one_by_one(low, node))
    return result


def _by_sets(low: Lowering, node: n.Quantifier) -> ir.Expr | None:
    """Test all cards of a location, or one of its places for each owner, by masks; None if not."""
    if low.program.rounds.counted(node):
        return None
    if node.collection.kind is ValueKind.LOCATION:
        if not sets.is_set(low, node.collection):
            return None
        which = masks.mask(low, node.test, node.variable.slot)
        cards = sets.as_set(low, node.collection) if which is not None else None
        if which is None or cards is None:
            return None
        failing = words.inverted(which) if node.every else which
        found = ir.Binary(ir.Op.AND, cards, failing)
        return (words.is_none if node.every else words.is_some)(found)
    return _sizes(low, node)


def _sizes(low: Lowering, node: n.Quantifier) -> ir.Expr | None:
    """Test whether one or all places of a family have no card, or one."""
    match node:
        case n.Quantifier(
            collection=n.Everyone(others=False),
            variable=n.Variable(slot=slot),
            test=n.Equal(
                negated=False,
                left=n.Size(collection=n.Place(owner=n.Variable(slot=owner)) as place),
                right=n.Number(value=0 | 1 as size),
            ),
        ) if slot == owner and sets.is_set(low, place):
            result: ir.Expr | None = None
            for seat, _ in sets.each_owner(low, node.collection):
                low.env[slot] = seat
                cards = sets.as_set(low, place)
                assert cards is not None
                if size == 0 and node.every:
                    result = cards if result is None else ir.Binary(ir.Op.OR, result, cards)
                    continue
                holds = words.is_none(cards)
                if size == 1:
                    low.env[slot] = seat
                    holds = compare(Rel.EQ, call("count_ones", cards), ir.Const(1))
                join = both if node.every else either
                result = holds if result is None else join(result, holds)
            assert result is not None
            if size == 0 and node.every:
                result = words.is_none(result)
            return low.b.let(result, "holds")
    return None


def _by_mask(low: Lowering, node: n.Quantifier, which: ir.Expr) -> ir.Expr:
    """Test all cards by a mask, without an early exit, which would be unpredictable."""
    result = low.b.variable(truth(node.every), "holds")
    join = both if node.every else either
    with low.scratch(), locations.each_card(low, node.collection) as card:
        low.b.set(result, join(result, words.has(which, card)))
    return result
