"""Conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    ONE,
    TRUE,
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
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import card_sets, collections, piles, words
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
            return _is_at_hand(low, left) and _is_at_hand(low, right)
        case n.Quantifier(collection=n.Place() | n.Variable() as location):
            with low.b.case():
                mask = card_sets.cards_passing(low, node.test, node.variable.slot)
                return mask is not None and card_sets.as_set(low, location) is not None
    return False


def _is_at_hand(low: Lowering, node: n.Node) -> bool:
    """Return whether an operand is read from one place."""
    if isinstance(node, n.Size) and isinstance(node.collection, n.Place):
        form = piles.form_of(low, node.collection)
        return form is not None and form.masked
    return isinstance(node, n.Number | n.Text | n.Storage | n.Variable | n.TurnOwner)


# Quantifiers ------------------------------------------------------------------------------


def _quantifier(low: Lowering, node: n.Quantifier) -> ir.Expr:
    """Test all cards at once by masks if possible, else items in order until it is settled."""
    if low.counts(node):
        counted = low.tried(lambda: _counted_by_sets(low, node))
        return _one_by_one(low, node) if counted is None else counted
    if isinstance(node.collection, n.Everyone):
        everyone = node.collection
        tested = low.tried(lambda: _all_owners(low, node, everyone))
        return _one_by_one(low, node) if tested is None else tested
    if node.collection.kind is not ValueKind.LOCATION:
        return _one_by_one(low, node)
    mask = card_sets.cards_passing(low, node.test, node.variable.slot)
    if mask is None:
        return _one_by_one(low, node)
    ending = words.inverted(mask) if node.every else mask
    chosen = card_sets.selected(low, node.collection, ending)
    if chosen is not None:
        ending = chosen.bits
    else:
        members = card_sets.as_set(low, node.collection)
        if members is None:
            return _by_mask(low, node, mask)
        ending = words.common(members, ending)
    return words.is_none(ending) if node.every else words.is_some(ending)


def _one_by_one(low: Lowering, node: n.Quantifier) -> ir.Expr:
    stop = low.b.variable(FALSE, "stop")
    with low.scratch(), collections.each(low, node.collection, node.variable, stop=stop):
        low.rounds(node)
        test = low.holds(node.test)
        with low.b.when(negate(test) if node.every else test):
            low.b.set(stop, TRUE)
    return low.b.let(ir.Negation(stop) if node.every else stop, "holds")


def _by_mask(low: Lowering, node: n.Quantifier, mask: ir.Expr) -> ir.Expr:
    """Test all cards by a mask, without an early exit, which would be unpredictable."""
    result = low.b.variable(truth(node.every), "holds")
    join = both if node.every else either
    with low.scratch(), low.each_card(node.collection) as card:
        low.b.set(result, join(result, words.has(mask, card)))
    return result


def _counted_by_sets(low: Lowering, node: n.Quantifier) -> ir.Expr | None:
    """Test all cards of a location by a mask, and count the rounds that it takes in order."""
    if not low.has_words or low.counts(*n.walk(node.test), *n.walk(node.collection)):
        return None
    cards = card_sets.as_set(low, node.collection)
    mask = card_sets.cards_passing(low, node.test, node.variable.slot)
    if cards is None or mask is None:
        return None
    ending = low.b.let(words.common(cards, words.inverted(mask) if node.every else mask), "ending")
    # The lowest bit of those that end it, and all below; all bits if there is none.
    seen = ir.Binary(Op.XOR, ending, sub(ending, ONE))
    settled = words.is_none(ending) if node.every else words.is_some(ending)
    result = low.b.variable(settled, "holds")
    with low.b.when(words.is_none(words.without_lowest(cards))):
        low.rounds(node, call("count_ones", words.common(cards, seen)))
    with low.b.otherwise():
        low.b.set(result, _one_by_one(low, node))
    return result


def _all_owners(low: Lowering, node: n.Quantifier, everyone: n.Everyone) -> ir.Expr | None:
    """Test all players or teams without branches; None if the test takes more instructions."""
    result: ir.Expr = truth(node.every)
    for owner, belongs in card_sets.each_owner(low, everyone):
        low.env[node.variable.slot] = owner
        if not _is_quick(low, node.test):
            return None
        test = condition(low, node.test)
        if node.every:
            result = both(result, test if belongs is None else either(negate(belongs), test))
        else:
            result = either(result, test if belongs is None else both(belongs, test))
    return low.b.let(result, "holds")
