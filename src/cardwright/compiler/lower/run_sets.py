"""Runs of cards as words with a bit for each card, if the cards they are made of are bits.

In its list a run goes by points, so where the order of its cards matters it is written out; what
counts its cards, compares or adds them up takes the word. If only runs of some length are wanted,
which the first test of a filter says, no others are made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import ONE, ZERO, call, compare, const
from cardwright.compiler.chains import never
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.lower import (
    card_sets,
    integers,
    lists,
    locations,
    masks,
    points,
    position_sets,
    sets,
    vectors,
)
from cardwright.compiler.lower.lowered_values import CardList, CardSet, PositionSet, RunSet, Vector
from cardwright.compiler.lower.lowering import card_at
from cardwright.program import integers as arithmetic
from cardwright.program import nodes as n
from cardwright.program.limits import MOST_ITEMS

if TYPE_CHECKING:
    from cardwright.compiler.lower.lowering import Lowering


def are_runs(low: Lowering, node: n.Runs) -> bool:
    """Return whether runs can be had as words."""
    if low.analysis.takes_from_groups:
        return False
    if card_sets.lies_by_number(low, node.location):
        return True
    if masks.fit_a_word(low) and sets.is_set(low, node.location) and _no_ties(low, node):
        return True
    return low.still and position_sets.has_positions(low, node.location)


def runs(low: Lowering, node: n.Runs) -> Vector:
    """Return every choice of one card per score over stretches of scores, as words."""
    b = low.b
    least = integers.clamp(low, integers.integer(low, node.least), 1)
    worth = points.worth(low, node.points)
    held: CardSet | PositionSet
    if card_sets.lies_by_number(low, node.location):
        held = card_sets.card_set(low, node.location)
    elif (together := sets.as_set(low, node.location)) is not None and _no_ties(low, node):
        held = CardSet(b.variable(together, "set"), None, low.moves)
    else:
        held = position_sets.whole(low, node.location)
    count = locations.length(low, held)
    scores = b.let(low.arena(low.made("reserve_words", node.span, count)), "scores")
    masks = b.let(low.arena(low.made("reserve_words", node.span, count)), "masks")
    levels = b.variable(ZERO, "levels")
    with locations.each_of_mask(low, held.mask) as at:
        card = at if isinstance(held, CardSet) else b.let(card_at(low, held.array, at), "card")
        bit = ir.Binary(Op.SHL, ONE, at)
        b.set(levels, call("add_level", scores, masks, levels, worth(card), bit))
    kept = (scores, masks, levels, least, const(int(node.every)))
    every = (ZERO, const(arithmetic.LARGEST))
    number = b.let(call("count_mask_runs", *kept, *every), "runs")
    many = compare(Rel.GT, number, const(MOST_ITEMS))
    low.check(many, "length", vectors.TOO_LONG, node.span, number)
    low.rounds(node, number)
    lengths: tuple[ir.Expr, ir.Expr] = every
    if (only := low.lengths.get(id(node))) is not None and not low.program.rounds.counted(node):
        length = b.let(integers.integer(low, only), "length")
        lengths = (length, length)
    made = low.made("mask_runs", node.span, *kept, *lengths)
    among = held if isinstance(held, PositionSet) else None
    return Vector(made, sets=True, among=among, points=node.points)


def _no_ties(low: Lowering, node: n.Runs) -> bool:
    """Return whether no two cards have the same points, so that runs have one order."""
    scores = points.fixed_scores(low, node.points)
    return scores is not None and len(set(scores)) == len(scores)


def only_length(low: Lowering, node: n.Filter) -> n.Node | None:
    """Return the length that a run must have to pass a filter, if its first test says so."""
    test = node.test
    while isinstance(test, n.Logic):
        if not test.every and not all(map(never, test.tests[1:])):
            return None
        test = test.tests[0]
    match test:
        case n.Equal(negated=False, left=n.Size(collection=n.Variable(slot=slot)), right=length):
            own = slot == node.variable.slot
            if own and low.analysis.pure(length) and not low.analysis.mentions(length, slot):
                return length
    return None


def written_out(low: Lowering, held: RunSet, node: n.Node) -> CardList:
    """Return the cards of a run as a new list, in order of their points."""
    if held.among is None:
        made = CardList(low.made("list_of_mask", node.span, held.mask))
    else:
        made = position_sets.written_out(low, replace(held.among, mask=held.mask), node)
    worth = points.worth(low, held.points)
    scores = lists.scores_of(low, made, worth, node)
    count = locations.length(low, made)
    low.made("sort_cards", node.span, locations.array(low, made, node), scores, count)
    return made
