"""Regret minimization by external sampling."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardwright import Game, solve_game
from cardwright.game.errors import EngineError, GameError
from cardwright.players.strategy import SolvedPlayer, Strategy
from cardwright.solve import growth, sampling
from cardwright.solve.build import game_tree
from cardwright.solve.samples import play_on
from cardwright.solve.sampling import SampledRegret
from cardwright.solve.sequences import SequenceForm, expected_values, exploitability
from cardwright.solve.strategies import arrays_of
from cardwright.solve.tree import SolveError, TreeTooLargeError, Utility, utilities
from deep import mostly_deep

GAMES = Path(__file__).parent / "games"

FIXED = """
(game
  (setup (create players 3) (create deck (game vloc STOCK) (deck (RANK (ONE, TWO)))))
  (stage player
    (end (== (game sto TURNS) 3))
    (do ((inc (game sto TURNS))))
    (choice ((set ((current player) sto SAID) (game sto TURNS)))))
  (do ((set ((3 player) sto SAID) 2)))
  (scoring max (- 7 ((current player) sto SAID))))
"""
"""Nothing is left to choose: the scores are 6, 5 and 5."""


def test_the_average_strategy_approaches_an_equilibrium() -> None:
    form = SequenceForm.of(game_tree(Game.load("kuhn")))
    solver = SampledRegret(Game.load("kuhn"), seed=1)
    left = []
    for more in (200, 20_000):
        solver.iterate(more)
        left.append(exploitability(form, arrays_of(form, solver.strategy())).per_seat)
    assert left[1] < 0.02 < left[0]
    values = expected_values(form, arrays_of(form, solver.strategy()))
    assert values == pytest.approx((-1 / 18, 1 / 18), abs=0.02)
    assert solver.values == pytest.approx(values, abs=0.03)


@pytest.mark.parametrize(
    "name", mostly_deep(["kuhn", "goofspiel", "agram6"], {"goofspiel"}.__contains__)
)
def test_its_information_sets_are_those_of_the_tree(name: str) -> None:
    game = Game.load(name if name == "kuhn" else GAMES / f"{name}.rcy")
    solver = SampledRegret(game, Utility.MARGIN)
    solver.iterate(3_000)
    known = {str(one.key): one for one in game_tree(game).sets}
    found = solver.strategy().sets
    assert len(found) == solver.information_sets > 0.7 * len(known)
    for one in found[::7]:
        tree = known[one.key]
        assert one.seat == tree.seat
        assert solver.information_set(one.seat, bytes.fromhex(one.key)) == one
        assert solver.information_set(1 - one.seat, bytes.fromhex(one.key)) is None
        assert one.sees == tree.sees
        assert [option.name for option in one.options] == list(tree.options)
        assert [option.content for option in one.options] == list(tree.contents)


def test_a_seed_makes_the_same_strategy_again_in_parts_too() -> None:
    found = []
    for seed, parts in ((5, (20,)), (5, (8, 12)), (6, (20,))):
        solver = SampledRegret(Game.load("leduc"), seed=seed)
        for part in parts:
            solver.iterate(part)
        found.append(solver.strategy())
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_memory_grows_as_information_sets_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, small in (
        (sampling, "_SLOTS", 4),
        (sampling, "_WORDS", 64),
        (growth, "_FRAMES", 1),
    ):
        monkeypatch.setattr(module, name, small)
    game = Game.load("leduc")
    solver = SampledRegret(game, seed=2)
    solver.iterate(5_000)
    assert solver.information_sets == 936
    form = SequenceForm.of(game_tree(game))
    assert exploitability(form, arrays_of(form, solver.strategy())).per_seat < 0.6


@pytest.mark.sweep
@pytest.mark.parametrize("utility", Utility)
@pytest.mark.parametrize("wins", ["max", "min"])
def test_ends_are_worth_what_they_are_in_trees(utility: Utility, wins: str) -> None:
    game = Game.from_text(FIXED.replace("scoring max", f"scoring {wins}"))
    state = game.start(0)
    while not state.finished:
        state.play(0)
    assert state.scores == (6, 5, 5)
    solver = SampledRegret(game, utility)
    solver.iterate(3)
    assert solver.values == pytest.approx(utilities(state, utility), abs=1e-4)


def test_a_strategy_that_was_saved_is_played_everywhere(tmp_path: Path) -> None:
    """In information sets in which sampling has not been the choice is uniform."""
    game = Game.load("leduc")
    file = tmp_path / "leduc.json"
    solved = solve_game(game, method="mccfr", iterations=3, seed=4, file=file)
    again = Strategy.from_text(file.read_text())
    assert again == solved
    assert again.exploitability is None
    assert len(again.sets) < 400
    for seed in range(20):
        state = game.start(seed)
        play_on(state, [SolvedPlayer(again), SolvedPlayer(again)], seed)
        assert state.finished


def test_what_sampling_cannot_do_is_refused(tmp_path: Path) -> None:
    game = Game.load("kuhn")
    with pytest.raises(SolveError, match="give no target"):
        solve_game(game, method="mccfr", until=0.1)
    with pytest.raises(SolveError, match="not resumed"):
        solve_game(game, method="mccfr", resume=True, file=tmp_path / "some")
    with pytest.raises(TreeTooLargeError, match="11 information sets are allowed, and 12 were met"):
        solve_game(game, method="mccfr", most_nodes=11)
    with pytest.raises(EngineError, match="sampling needs the native engine"):
        solve_game(game.with_engine("interpreter"), method="mccfr")


def test_a_decision_with_too_many_options_is_refused() -> None:
    choice = "(any (range 1 .. 513) 'N (set ((current player) sto SAID) 'N))"
    wide = FIXED.replace("(set ((current player) sto SAID) (game sto TURNS))", choice)
    with pytest.raises(SolveError, match="a decision with more than 512 options"):
        SampledRegret(Game.from_text(wide)).iterate(1)
    narrow = SampledRegret(Game.from_text(wide.replace("513", "512")))
    narrow.iterate(1)
    assert narrow.information_sets > 1


def test_a_broken_rule_is_an_error() -> None:
    broken = FIXED.replace(
        "(do ((set (", "(do ((move (top (game vloc NONE)) (top (game vloc A))) (set ("
    )
    with pytest.raises(GameError, match="there is no card to move"):
        SampledRegret(Game.from_text(broken)).iterate(1)
