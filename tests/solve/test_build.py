"""Trees from the rules of games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from openspiel_trees import openspiel_tree

from cardwright import Game
from cardwright.solve.build import game_tree
from cardwright.solve.linear import solve_linear
from cardwright.solve.regret import RegretMethod, RegretMinimizer
from cardwright.solve.sequences import SequenceForm, counts, exploitability
from cardwright.solve.tree import CHANCE, TreeTooLargeError, Utility

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def kuhn() -> SequenceForm:
    return SequenceForm.of(game_tree(Game.load("kuhn")))


def test_kuhn_is_the_game_of_openspiel(kuhn: SequenceForm) -> None:
    """Chance draws card by card, so there are four nodes of chance instead of one."""
    tree = kuhn.tree
    assert counts(tree) == {"nodes": 58, "terminals": 30, "information_sets": 12}
    assert np.count_nonzero(tree.actors == CHANCE) == 4
    other = SequenceForm.of(openspiel_tree("kuhn_poker"))
    for method in RegretMethod:
        found = []
        for form in (kuhn, other):
            solver = RegretMinimizer(form, method)
            solver.iterate(50)
            found.append(exploitability(form, solver.average()).per_seat)
        assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_information_sets_are_put_into_words(kuhn: SequenceForm) -> None:
    known = {one.sees: one for one in kuhn.tree.sets}
    one = known["your HAND: J | p1 ACTION: CHECK, p2 ACTION: BET"]
    assert one.seat == 0
    assert one.options == ("ACTION: FOLD", "ACTION: CALL")


@pytest.mark.deep
def test_leduc_is_the_game_of_openspiel() -> None:
    form = SequenceForm.of(game_tree(Game.load("leduc")))
    assert counts(form.tree) == {"nodes": 9457, "terminals": 5520, "information_sets": 936}
    assert solve_linear(form).values[0] == pytest.approx(-0.0856064240780, abs=1e-9)
    solver = RegretMinimizer(form, RegretMethod.CFR)
    solver.iterate(10)
    assert round(exploitability(form, solver.average()).per_seat, 6) == 0.888579


@pytest.mark.slow
def test_what_one_wins_the_other_loses_in_agram() -> None:
    """A trick is won by somebody: the scores of both add up to one."""
    form = SequenceForm.of(game_tree(Game.load(GAMES / "agram6.rcy")))
    assert form.tree.constant_sum == 1
    assert solve_linear(form).values == pytest.approx((31 / 45, 14 / 45))


def test_goofspiel_is_fair() -> None:
    """Bids are hidden until both are made, and prizes that were lost are remembered in order."""
    game = Game.load(GAMES / "goofspiel.rcy")
    form = SequenceForm.of(game_tree(game, utility=Utility.MARGIN))
    assert len(form.tree.sets) == 2 * (3 + 6 * 9 + 6 * 9 * 4)
    said = [one.sees for one in form.tree.sets if one.seat == 1]
    assert any("p1 something hidden" in one for one in said)
    assert not any("p1 put" in one for one in said)
    assert solve_linear(form).values == pytest.approx((0, 0), abs=1e-9)


def test_utilities_are_what_seats_want() -> None:
    game = Game.load(GAMES / "guess.rcy")
    for utility, total in ((Utility.SCORE, None), (Utility.MARGIN, 0), (Utility.WIN, 0)):
        assert game_tree(game, utility=utility).constant_sum == total


def test_low_scores_are_losses_turned_round() -> None:
    text = Path(GAMES / "guess.rcy").read_text().replace("scoring max", "scoring min")
    tree = game_tree(Game.from_text(text))
    assert tree.utilities.min() == -2
    assert tree.utilities.max() == 0


def test_large_games_are_refused_at_once_with_their_size() -> None:
    with pytest.raises(TreeTooLargeError, match=r"hearts is too large: .* about 10\^\d\d nodes"):
        game_tree(Game.load("hearts"))


def test_a_tree_with_more_nodes_than_allowed_is_refused() -> None:
    with pytest.raises(TreeTooLargeError, match="at 50 nodes, the most allowed") as caught:
        game_tree(Game.load("kuhn"), most_nodes=50)
    assert caught.value.reached == 50
    assert game_tree(Game.load("kuhn"), most_nodes=58).size == 58


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[int, int]] = []
    game_tree(Game.load(GAMES / "goofspiel.rcy"), progress=lambda *one: told.append(one))
    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]
