"""Trees, and the sequences of their seats."""

from __future__ import annotations

import numpy as np
import pytest
from small_trees import kuhn, matching
from tree_draft import TreeDraft

from cardwright.solve.sequences import SequenceForm
from cardwright.solve.tree import CHANCE, TERMINAL, InformationSet, SolveError


def test_nodes_are_in_order_of_depth_and_know_their_parents() -> None:
    tree = kuhn()
    assert (tree.size, len(tree.sets), len(tree.terminals)) == (55, 12, 30)
    assert tree.actors[0] == CHANCE
    assert np.all(tree.parents[1:] < np.arange(1, tree.size))
    for depth, (start, end) in enumerate(zip(tree.depths, tree.depths[1:], strict=False)):
        if depth:
            above = tree.parents[start:end]
            assert above.min() >= tree.depths[depth - 1]
            assert above.max() < start
    assert tree.constant_sum == 0
    assert np.all(tree.utilities[tree.actors != TERMINAL] == 0)


def test_the_form_weighs_outcomes_by_chance() -> None:
    form = SequenceForm.of(kuhn())
    assert [seat.count for seat in form.seats] == [13, 13]
    assert form.payoffs[:, 0].sum() == pytest.approx(0.0)
    assert np.abs(form.payoffs).max() == pytest.approx(2 / 6)


def test_plans_and_strategies_are_each_others_inverses() -> None:
    form = SequenceForm.of(kuhn())
    seat = form.seats[0]
    weights = np.random.default_rng(1).random(seat.count)
    strategy = seat.strategy(weights)
    assert strategy[0] == 1
    for first, end in zip(seat.firsts[:-1], seat.firsts[1:], strict=True):
        assert strategy[first:end].sum() == pytest.approx(1.0)
    assert np.allclose(seat.strategy(seat.plan(strategy)), strategy)


def test_forgetting_own_choices_is_refused() -> None:
    draft = TreeDraft(1)
    first = draft.information(InformationSet(0, "first", ("a", "b")))
    again = draft.information(InformationSet(0, "again", ("a", "b")))
    root = draft.decision(-1, 0, first)
    for edge in range(2):
        node = draft.decision(root, edge, again)
        for option in range(2):
            draft.terminal(node, option, (edge + option,))
    with pytest.raises(SolveError, match="p1 does not always remember its own choices"):
        SequenceForm.of(draft.freeze())


def test_utilities_that_do_not_add_up_have_no_constant_sum() -> None:
    draft = TreeDraft(2)
    root = draft.chance(-1, 0, (0.5, 0.5))
    draft.terminal(root, 0, (1, 0))
    draft.terminal(root, 1, (1, 1))
    assert draft.freeze().constant_sum is None
    assert matching().constant_sum == 0
