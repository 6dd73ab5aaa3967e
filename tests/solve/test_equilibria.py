"""Equilibria by regret minimization and by linear programs, against known values and OpenSpiel."""

from __future__ import annotations

import numpy as np
import pytest
from openspiel_trees import openspiel_tree
from small_trees import kuhn, matching
from tree_draft import TreeDraft

from cardwright.solve.linear import solve_linear
from cardwright.solve.regret import RegretMethod, RegretMinimizer
from cardwright.solve.sequences import Exploitability, SequenceForm, best_response, exploitability
from cardwright.solve.tree import SolveError

AT = (10, 50, 100, 200)
CFR = {
    "kuhn_poker": (0.068699, 0.015177, 0.008226, 0.003330),
    "leduc_poker": (0.888579, 0.189083, 0.095716, 0.053838),
}
"""The exploitability of the average strategy of OpenSpiel's `CFRSolver` after iterations `AT`."""

LEDUC = -0.0856064240780
"""The value of Leduc poker for the first seat."""


@pytest.fixture(scope="module", params=CFR)
def named(request: pytest.FixtureRequest) -> tuple[str, SequenceForm]:
    return request.param, SequenceForm.of(openspiel_tree(request.param))


def test_cfr_is_that_of_openspiel(named: tuple[str, SequenceForm]) -> None:
    name, form = named
    solver = RegretMinimizer(form, RegretMethod.CFR)
    found = []
    for count in AT:
        solver.iterate(count - solver.iterations)
        found.append(round(exploitability(form, solver.average()).per_seat, 6))
    assert tuple(found) == CFR[name]


def test_linear_programs_find_the_value(named: tuple[str, SequenceForm]) -> None:
    name, form = named
    found = solve_linear(form)
    value = -1 / 18 if name == "kuhn_poker" else LEDUC
    assert found.values[0] == pytest.approx(value, abs=1e-9)
    assert exploitability(form, found.strategies).nash_conv == pytest.approx(0, abs=1e-9)


def test_a_hand_built_kuhn_has_its_value() -> None:
    found = solve_linear(SequenceForm.of(kuhn()))
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-9)


def test_linear_programs_mix() -> None:
    """Where the left is worth 3, the first seat takes it once in three times: the value is 1/3."""
    found = solve_linear(SequenceForm.of(matching(3.0)))
    assert found.values[0] == pytest.approx(1 / 3)
    assert found.strategies[0][1:] == pytest.approx((1 / 3, 2 / 3))
    assert found.strategies[1][1:] == pytest.approx((1 / 3, 2 / 3))


def test_cfr_plus_converges_faster() -> None:
    form = SequenceForm.of(kuhn())
    found = {}
    for method in RegretMethod:
        solver = RegretMinimizer(form, method)
        solver.iterate(1000)
        found[method] = exploitability(form, solver.average())
    assert found[RegretMethod.CFR_PLUS].per_seat < 1e-4 < found[RegretMethod.CFR].per_seat
    assert found[RegretMethod.CFR_PLUS].values[0] == pytest.approx(-1 / 18, abs=1e-4)


@pytest.mark.parametrize("method", RegretMethod)
def test_iterations_can_be_resumed_exactly(method: RegretMethod) -> None:
    form = SequenceForm.of(kuhn())
    whole, first, rest = (RegretMinimizer(form, method) for _ in range(3))
    whole.iterate(30)
    first.iterate(11)
    rest.resume(first.iterations, first.regrets, first.sums)
    rest.iterate(19)
    assert rest.iterations == 30
    for one, other in zip(whole.average(), rest.average(), strict=True):
        assert np.array_equal(one, other)


def test_a_best_response_to_uniform_play_is_known() -> None:
    """Against a second seat that folds and calls at random, betting pays with every card."""
    form = SequenceForm.of(kuhn())
    found = [best_response(form, seat, form.uniform()) for seat in range(2)]
    assert [one.value for one in found] == pytest.approx([0.5, 5 / 12])
    assert set(found[0].strategy.tolist()) == {0.0, 1.0}
    played = [found[0].strategy, form.uniform()[1]]
    assert exploitability(form, played).values[0] == pytest.approx(0.5)


def test_three_seats_minimize_regret_too() -> None:
    form = SequenceForm.of(openspiel_tree("kuhn_poker(players=3)"))
    solver = RegretMinimizer(form)
    solver.iterate(200)
    found = exploitability(form, solver.average())
    assert sum(found.values) == pytest.approx(0)
    assert 0 < found.per_seat < 0.01


def test_linear_programs_refuse_what_they_cannot_solve() -> None:
    with pytest.raises(SolveError, match="this one has 3 players"):
        solve_linear(SequenceForm.of(openspiel_tree("kuhn_poker(players=3)")))
    draft = TreeDraft(2)
    root = draft.chance(-1, 0, (0.5, 0.5))
    draft.terminal(root, 0, (1, 0))
    draft.terminal(root, 1, (1, 1))
    with pytest.raises(SolveError, match="do not always add up to the same"):
        solve_linear(SequenceForm.of(draft.freeze()))


def test_no_best_response_loses_by_rounding() -> None:
    found = Exploitability((0.5, -0.5), (0.5 - 2**-54, -0.5 - 2**-54))
    assert found.responses[0] < found.values[0]
    assert found.gains == (0, 0)
    assert str(found.per_seat) == "0.0"
