"""Conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    both,
    call,
    compare,
    differ,
    either,
    equal,
    negate,
    sub,
    truth,
)
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.lower import card_sets, collections, words
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
            return low.scalar(slot)
        case n.Not(test=test):
            return negate(condition(low, test))
        case n.Logic():
            return _logic(low, node)
        case n.Compare(operator=sign):
            left = low.integer(node.left)
            return compare(_ORDER[sign], left, low.integer(node.right))
        case n.Equal():
            left, right = _comparable(low, node.left), _comparable(low, node.right)
            return differ(left, right) if node.negated else equal(left, right)
        case n.Quantifier():
            return _quantifier(low, node)
    raise AssertionError(node)


def _comparable(low: Lowering, node: n.Node) -> ir.Expr:
    match node.kind:
        case ValueKind.INTEGER:
            return low.integer(node)
        case ValueKind.STRING:
            return low.string(node)
        case ValueKind.CARD:
            return low.card(node)
        case ValueKind.PLAYER:
            return low.seat(node)
        case _:
            return low.team(node)


def _logic(low: Lowering, node: n.Logic) -> ir.Expr:
    """Conjunction or disjunction, from left to right, no further than needed."""
    if all(_is_quick(low, test) for test in node.tests[1:]):
        join = both if node.every else either
        joined = condition(low, node.tests[0])
        for test in node.tests[1:]:
            joined = join(joined, condition(low, test))
        return low.b.let(joined, "holds")
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
            at_hand = n.Number | n.Text | n.Storage | n.Variable | n.TurnOwner
            return isinstance(left, at_hand) and isinstance(right, at_hand)
        case n.Quantifier(
            collection=n.Place() | n.Variable() as location, variable=variable, test=test
        ):
            is_set = card_sets.is_set(low, location)
            return is_set and card_sets.is_mask(low, test, variable.slot)
    return False


# Quantifiers ------------------------------------------------------------------------------


def _quantifier(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Test all cards at once by masks if possible, else items in order until it is settled."""
    if low.counts(node):
        counted = _is_counted_set(low, node)
        return _counted_by_sets(low, node) if counted else _one_by_one(low, node)
    args = node.collection, node.variable, node.test
    cards = card_sets.passing(low, *args, opposite=node.every)
    if cards is not None:
        return _settled(node, cards)
    if node.collection.kind is not ValueKind.LOCATION:
        sizes = _sizes(low, node)
        return _one_by_one(low, node) if sizes is None else sizes
    mask = card_sets.cards_passing(low, node.test, node.variable.slot)
    if mask is None:
        return _one_by_one(low, node)
    members = card_sets.as_set(low, node.collection)
    if members is None:
        return _by_mask(low, node, mask)
    return _settled(node, words.common(members, _settling(node, mask)))


def _settling(node: n.Quantifier, mask: ir.Expr) -> ir.Expr:
    return words.inverted(mask) if node.every else mask


def _settled(node: n.Quantifier, cards: ir.Expr) -> ir.Expr:
    return words.is_none(cards) if node.every else words.is_some(cards)


def _one_by_one(low: Lowering, node: n.Quantifier) -> ir.Expr:
    stop = low.b.variable(FALSE, "stop")
    with low.scratch(), collections.each(low, node.collection, node.variable, stop=stop):
        low.rounds(node)
        test = low.holds(node.test)
        with low.b.when(negate(test) if node.every else test):
            low.b.set(stop, TRUE)
    result = low.b.let(ir.Negation(stop) if node.every else stop, "holds")
    assert result.type is Type.BOOL
    return result


def _by_mask(low: Lowering, node: n.Quantifier, mask: ir.Expr) -> ir.Expr:
    """Test all cards by a mask, without an early exit, which would be unpredictable."""
    result = low.b.variable(truth(node.every), "holds")
    join = both if node.every else either
    with low.scratch(), low.each_card(node.collection) as card:
        low.b.set(result, join(result, words.has(mask, card)))
    return result


def _is_counted_set(low: Lowering, node: n.Quantifier) -> bool:
    """Return whether a mask tells the result, and how many rounds come before it is known."""
    if not low.has_words or low.counts(*n.walk(node.test), *n.walk(node.collection)):
        return False
    is_mask = card_sets.is_mask(low, node.test, node.variable.slot)
    return is_mask and card_sets.is_set(low, node.collection)


def _counted_by_sets(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Test all cards of a location by a mask, and count the rounds that it takes in order."""
    cards = card_sets.as_set(low, node.collection)
    mask = card_sets.cards_passing(low, node.test, node.variable.slot)
    assert cards is not None
    assert mask is not None
    ending = low.b.let(words.common(cards, _settling(node, mask)), "ending")
    # The lowest bit of those that end it, and all below; all bits if there is none.
    seen = ir.Binary(Op.XOR, ending, sub(ending, ONE))
    rounds = call("count_ones", words.common(cards, seen))
    result = low.b.variable(_settled(node, ending), "holds")
    with low.b.when(compare(Rel.EQ, words.without_lowest(cards), ZERO)):
        low.rounds(node, rounds)
    with low.b.otherwise():
        low.b.set(result, _one_by_one(low, node))
    return result


def _sizes(low: Lowering, node: n.Quantifier) -> ir.Expr | None:
    """Test whether one or all places of a family have no card, or one."""
    match node:
        case n.Quantifier(
            collection=n.Everyone(others=False) as everyone,
            variable=n.Variable(slot=slot),
            test=n.Equal(
                negated=False,
                left=n.Size(collection=n.Place(owner=n.Variable(slot=owner)) as place),
                right=n.Number(value=0 | 1 as size),
            ),
        ) if slot == owner and card_sets.is_set(low, place):
            all_empty = size == 0 and node.every
            join = words.joined if all_empty else both if node.every else either
            result: ir.Expr | None = None
            for seat, _ in card_sets.each_owner(low, everyone):
                low.env[slot] = seat
                cards = card_sets.as_set(low, place)
                assert cards is not None
                if all_empty:
                    holds = cards
                elif size == 0:
                    holds = words.is_none(cards)
                else:
                    holds = compare(Rel.EQ, call("count_ones", cards), ONE)
                result = holds if result is None else join(result, holds)
            assert result is not None
            return low.b.let(words.is_none(result) if all_empty else result, "holds")
    return None
