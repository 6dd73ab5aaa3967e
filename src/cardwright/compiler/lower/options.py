"""What an `any` may pick, as bits; and what is known of the actions of an option beforehand.

The bits of cards that lie by number are the cards themselves; those of a pile are positions in it.
Other items, of which there are few, are counted from the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.builder import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    either,
    sub,
)
from cardwright.compiler.ir import Rel, Type
from cardwright.compiler.layout import WORD, PileForm
from cardwright.compiler.lower import card_sets, collections, piles, words
from cardwright.compiler.lower.lowering import Lowering, card_at
from cardwright.compiler.lower.values import Held, Value, is_memory
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.compiler import ir


def are_bits(low: Lowering, pick: n.ForEach) -> bool:
    """Return whether what an `any` may pick can be had as bits, whatever the game is like."""
    collection = pick.collection
    if low.counts(pick):
        return False
    while isinstance(collection, n.Filter):
        if low.counts(collection) or low.analysis.draws(collection.test):
            return False
        collection = collection.collection
    if collection.kind is ValueKind.LOCATION:
        return card_sets.is_array(low, collection)
    match collection:
        case n.Everyone():
            return collections.everyone(low, collection) <= WORD
        case n.Strings(values=values):
            return len(values) <= WORD
        case n.Range(low=first, high=last):
            few = low.analysis.bounds(last)[1] - low.analysis.bounds(first)[0] < WORD
            return few and low.analysis.pure(collection)
    return False


def kind_of_bits(low: Lowering, pick: n.ForEach) -> Type:
    """Return the type of the bits of what an `any` may pick."""
    return low.layout.mask if pick.collection.kind is ValueKind.LOCATION else Type.INT


def bits(low: Lowering, pick: n.ForEach) -> ir.Expr:
    """Return what an `any` may pick, as bits."""
    if pick.collection.kind is ValueKind.LOCATION:
        return card_sets.cards_of(low, pick.collection).bits
    return _items(low, pick.collection)


def _items(low: Lowering, collection: n.Node) -> ir.Expr:
    match collection:
        case n.Filter():
            among = _items(low, collection.collection)
            passing = low.b.variable(ZERO, "bits")
            with low.each_bit(among) as at:
                low.env[collection.variable.slot] = _item(low, n.unfiltered(collection), at)
                own = words.only_if(low.holds(collection.test), words.single(Type.INT, at))
                low.b.set(passing, words.joined(passing, own))
            return passing
        case n.Everyone(others=others):
            every = words.first(Type.INT, const(collections.everyone(low, collection)))
            if not others:
                return every
            own = words.single(Type.INT, low.current_of(collection))
            return words.common(every, words.inverted(own))
        case n.Strings(values=values):
            return words.first(Type.INT, const(len(values)))
        case n.Range(low=first, high=last):
            count = add(sub(low.integer(last), low.integer(first)), ONE)
            return words.first(Type.INT, collections.at_least(low, low.b.let(count, "count"), 0))
    raise AssertionError(collection)


def _item(low: Lowering, collection: n.Node, at: ir.Expr) -> ir.Expr:
    match collection:
        case n.Everyone():
            return at
        case n.Strings(values=values):
            return collections.string_at(low, values, at)
        case n.Range(low=first):
            return low.b.let(add(low.integer(first), at), "number")
    raise AssertionError(collection)


def nth_item(low: Lowering, pick: n.ForEach, word: ir.Expr, index: ir.Expr) -> Value:
    """Return the item of the n-th bit, counted from 0."""
    bit = low.b.let(call("nth_bit", word, index), "bit")
    return item(low, pick, low.b.let(call("lowest_one", bit), "at"), bit)


def item(low: Lowering, pick: n.ForEach, at: ir.Expr, bit: ir.Expr | None = None) -> Value:
    """Return the item of a bit, given by its number."""
    base = n.unfiltered(pick.collection)
    if pick.collection.kind is not ValueKind.LOCATION:
        return _item(low, base, at)
    pile = low.pile(base)
    if pile.form is PileForm.MASK:
        return Held(at, pile, None, low.moves, bit)
    card = low.b.let(card_at(low, piles.array(low, pile, base), at), "card")
    return card if is_memory(pile) else Held(card, pile, at, low.moves, None)


# Effects ----------------------------------------------------------------------------------


def acts(low: Lowering, node: n.Node) -> Callable[[Lowering], ir.Expr] | None:
    """Return how to test whether actions do something, before they are done; None if it is hard.

    As long as no step did anything, all is as it was.
    """
    if low.analysis.always_acts(node):
        return lambda _: TRUE
    match node:
        case n.Do(steps=steps):
            tests = [test for test in (acts(low, step) for step in steps) if test is not None]
            return None if len(tests) < len(steps) else lambda low: _any(low, tests)
        case n.When(test=test, body=body) if low.analysis.pure(test):
            if (inner := acts(low, body)) is not None:
                return lambda low: both(low.holds(test), inner(low))
        case n.RepeatAll(action=n.Move(card=n.End(location=n.Place() as source))):
            return _has_items(low, source)
        case n.ForEach(collection=source, body=body) if low.analysis.always_acts(body):
            return _has_items(low, source)
    return None


def _has_items(low: Lowering, source: n.Node) -> Callable[[Lowering], ir.Expr] | None:
    if not low.analysis.pure(source):
        return None
    return lambda low: compare(Rel.GT, collections.size(low, source), ZERO)


def _any(low: Lowering, tests: list[Callable[[Lowering], ir.Expr]]) -> ir.Expr:
    result: ir.Expr = FALSE
    for test in tests:
        with low.scratch():
            result = low.b.let(either(result, test(low)), "acts")
    return result


# Rounds -----------------------------------------------------------------------------------


def countable(low: Lowering, node: n.Node) -> bool:
    """Return whether the rounds of the actions that are counted can be told beforehand."""
    if not low.counts(*n.walk(node)):
        return True
    match node:
        case n.Do(steps=steps):
            return all(countable(low, step) for step in steps)
        case n.When(test=test, body=body):
            steady = low.analysis.pure(test) and _is_steady(low, test)
            return steady and countable(low, body)
        case n.ForEach(choose=False, collection=n.Variable() as group, body=body):
            return _is_steady(low, group) and not low.counts(*n.walk(body))
    return False


def _is_steady(low: Lowering, node: n.Node) -> bool:
    """Return whether a form reads nothing but variables that no action changes."""
    analysis = low.analysis
    return not analysis.takes_from_groups and not any(
        inner.traits.reads
        or (inner.kind is ValueKind.LOCATION and analysis.is_real(inner))
        or low.counts(inner)
        for inner in n.walk(node)
    )


def spend(low: Lowering, node: n.Node) -> None:
    """Count the rounds of actions that are not tried; `countable` says that it works."""
    if not low.counts(*n.walk(node)):
        return
    match node:
        case n.Do(steps=steps):
            for step in steps:
                spend(low, step)
        case n.When(test=test, body=body):
            with low.b.when(low.holds(test)):
                spend(low, body)
        case n.ForEach(collection=collection):
            with low.scratch():
                low.rounds(node, collections.size(low, collection))
