"""Solving games from their rules: strategies, their files, and players that play them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cardwright import Game, Stream
from cardwright.players.strategy import StrategyError, load_strategy
from cardwright.solve.build import game_tree
from cardwright.solve.regret import RegretMinimizer
from cardwright.solve.solving import SolveMethod, solve_game
from cardwright.solve.strategies import save_strategy
from cardwright.solve.tree import SolveError, Utility, of_scores, utilities
from deep import usually

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return Game.load("kuhn", engine="interpreter")


def test_a_strategy_is_read_as_it_was_written(kuhn: Game, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    found = solve_game(kuhn, iterations=20, file=file)
    assert load_strategy(file) == found
    assert found.exploitability < 0.05
    assert (found.method, found.iterations, len(found.sets)) == ("cfr+", 20, 12)


@pytest.mark.parametrize("utility", Utility)
@pytest.mark.parametrize("name", ["kuhn", "guess", "goofspiel"])
def test_what_seats_want_follows_from_scores(name: str, utility: Utility) -> None:
    """The tree of scores gives the utilities that the tree of each has at its ends."""
    game = Game.load("kuhn" if name == "kuhn" else GAMES / f"{name}.rcy")
    scores, wanted = game_tree(game), game_tree(game, utility=utility)
    assert np.array_equal(scores.parents, wanted.parents)
    found = of_scores(scores.utilities[scores.terminals], utility)
    assert found == pytest.approx(wanted.utilities[wanted.terminals])


@pytest.mark.parametrize("name", ["leduc", "hearts", "knaves"])
def test_utilities_are_those_of_the_scores_and_wins_of_a_game(name: str) -> None:
    """Also where the lowest score wins, and for ties."""
    game = Game.load(name)
    sign = 1 if game.highest_wins else -1
    for seed in range(30):
        state, chance = game.start(seed), Stream(seed)
        while not state.finished:
            state.play(chance.below(state.option_count))
        good = [sign * score for score in state.scores]
        others = [(sum(good) - score) / (len(good) - 1) for score in good]
        assert utilities(state, Utility.SCORE) == tuple(good)
        assert utilities(state, Utility.MARGIN) == pytest.approx(np.subtract(good, others))
        assert utilities(state, Utility.WIN) == pytest.approx(np.array(state.wins) - 1 / len(good))


@pytest.mark.parametrize("scoring", ["max", "min"])
def test_the_value_is_told_in_scores_too(scoring: str) -> None:
    """Whatever seats want, and whoever wins: `scores` are means of what the game counts."""
    text = Path(GAMES / "guess.rcy").read_text(encoding="utf-8")
    game = Game.from_text(text.replace("scoring max", f"scoring {scoring}"))
    score = solve_game(game, iterations=30)
    sign = 1 if scoring == "max" else -1
    assert score.scores == pytest.approx([sign * value for value in score.values])
    assert max(score.scores) > 0
    margin = solve_game(game, iterations=30, utility="margin")
    one, other = margin.scores
    assert margin.values == pytest.approx((sign * (one - other), sign * (other - one)))


def test_goofspiel_is_told_in_margins_and_in_its_own_scores() -> None:
    """Best play bids a prize's worth, so all prizes are lost; bids by chance win some of them."""
    game = Game.load(GAMES / "goofspiel.rcy")
    found = solve_game(game, utility="margin", iterations=300)
    assert found.values == pytest.approx((0, 0), abs=0.01)
    first = solve_game(game, utility="margin", iterations=1)
    assert first.scores[0] == pytest.approx(first.values[0] + first.scores[1])
    assert 0 < sum(first.scores) < 6


@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_a_resumed_strategy_is_that_of_one_run(kuhn: Game, tmp_path: Path, method: str) -> None:
    file = tmp_path / "kuhn.json"
    solve_game(kuhn, method=method, iterations=13, file=file)
    resumed = solve_game(kuhn, method=method, iterations=40, file=file, resume=True)
    assert resumed == solve_game(kuhn, method=method, iterations=40) == load_strategy(file)


def test_an_interrupted_run_keeps_whole_iterations(
    kuhn: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interrupt comes when one seat of an iteration is done and the other is not."""
    file = tmp_path / "kuhn.json"
    update = RegretMinimizer._update

    def interrupted(self: RegretMinimizer, seat: int) -> None:
        if self.iterations == 25 and seat == 1:
            raise KeyboardInterrupt
        update(self, seat)

    monkeypatch.setattr(RegretMinimizer, "_update", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solve_game(kuhn, iterations=40, file=file)
    monkeypatch.undo()
    assert load_strategy(file).iterations == 20
    resumed = solve_game(kuhn, iterations=40, file=file, resume=True)
    assert resumed == solve_game(kuhn, iterations=40)


def test_what_does_not_fit_is_not_resumed(kuhn: Game, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.json"
    solve_game(kuhn, iterations=10, file=file)
    with pytest.raises(SolveError, match="it is of another method, cfr\\+, and not cfr"):
        solve_game(kuhn, method="cfr", file=file, resume=True)
    with pytest.raises(SolveError, match="it is of another utility"):
        solve_game(kuhn, utility="win", file=file, resume=True)
    with pytest.raises(SolveError, match="it is of another game"):
        solve_game(Game.load("kuhn", BET=2), file=file, resume=True)
    with pytest.raises(SolveError, match="name the file"):
        solve_game(kuhn, resume=True)
    with pytest.raises(SolveError, match="nothing to resume"):
        solve_game(kuhn, method="lp", file=file, resume=True)


def test_a_run_stops_when_it_is_good_enough(kuhn: Game) -> None:
    found = solve_game(kuhn, until=0.01)
    assert found.exploitability <= 0.01
    assert found.iterations < 100


def test_linear_programs_solve_from_the_rules(kuhn: Game) -> None:
    found = solve_game(kuhn, method=SolveMethod.LINEAR)
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-9)
    assert found.exploitability == pytest.approx(0, abs=1e-9)


def test_files_that_are_no_strategies_are_named(tmp_path: Path, kuhn: Game) -> None:
    file = tmp_path / "kuhn.json"
    with pytest.raises(StrategyError, match="there is no file"):
        load_strategy(file)
    file.write_text("{}")
    with pytest.raises(StrategyError, match="is not a strategy"):
        load_strategy(file)
    text = solve_game(kuhn, iterations=5).to_text()
    file.write_text(text.replace('"version": 2', '"version": 7'))
    with pytest.raises(StrategyError, match="of version 7"):
        load_strategy(file)
    file.write_text(text.replace('"probability": ', '"probability": 1'))
    with pytest.raises(StrategyError, match="damaged strategy: the probabilities"):
        load_strategy(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(StrategyError, match="not UTF-8"):
        load_strategy(file)


def test_the_solved_player_plays_the_strategy(kuhn: Game, tmp_path: Path) -> None:
    """Each option is chosen as often as the strategy says, by either engine."""
    from cardwright.arena.one_game import play_game

    file = tmp_path / "kuhn.json"
    solved = solve_game(kuhn, iterations=300)
    save_strategy(solved, file)
    first = {one.sees: one for one in solved.sets if one.seat == 0}
    for game in (kuhn, Game.load("kuhn")):
        bets, wanted, variance = 0, 0.0, 0.0
        for seed in range(usually(200, 400)):
            record = play_game(game, f"solved:{file}", seed=seed)
            start = game.start(seed)
            card = game.namer.card(start.cards(0, "iloc", "HAND")[0])
            share = first[f"your HAND: {card}"].options[1].probability
            wanted += share
            variance += share * (1 - share)
            bets += record.choices[0]
        assert abs(bets - wanted) <= 3 * variance**0.5


def test_the_solved_player_refuses_other_games(kuhn: Game, tmp_path: Path) -> None:
    from cardwright.arena.one_game import play_game

    file = tmp_path / "kuhn.json"
    solve_game(kuhn, iterations=5, file=file)
    with pytest.raises(StrategyError, match="a strategy for kuhn with other rules or values"):
        play_game(Game.load("kuhn", BET=2), f"solved:{file}", seed=1)
