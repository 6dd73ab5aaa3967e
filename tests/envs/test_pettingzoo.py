"""Games as environments of PettingZoo: its own tests, and ours."""

from __future__ import annotations

import copy
import pickle
import random
import time

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from cardwright import Game, GameError, IllegalOptionError
from cardwright.envs.pettingzoo import env, raw_env
from cardwright.game.find import library_names
from deep import some_games

pytestmark = [
    # PettingZoo's test does not expect the masks that its own card games have.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

STUCK = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (stage player (end (> (game sto TURNS) 5))
    (do ((inc (game sto TURNS))))
    (choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max 0))"""


def plays(table, random_, most=10_000):
    """Play on at random; yield each decision's agent, and then all that it was given."""
    for agent in table.agent_iter(most):
        seen, reward, ended, cut, info = table.last()
        yield agent, reward, ended, cut, info
        legal = np.flatnonzero(seen["action_mask"])
        table.step(None if ended or cut else int(random_.choice(legal)))


def totals(table, random_):
    """Play a game, and return what each agent got."""
    got = dict.fromkeys(table.agents, 0.0)
    for agent, reward, *_ in plays(table, random_):
        got[agent] += reward
    return got


# PettingZoo's tests -----------------------------------------------------------------------


@pytest.mark.parametrize("name", some_games(library_names()))
def test_pettingzoos_own_tests_pass(name, capsys, monkeypatch):
    table = env(name)
    api_test(table, num_cycles=12)
    seed_test(lambda: env(name), num_cycles=3)
    render_test(lambda **how: env(name, **how))
    clock = iter(range(1_000))
    monkeypatch.setattr(time, "time", lambda: next(clock))  # five rounds, not five seconds
    performance_benchmark(table)
    said = capsys.readouterr().out
    assert "Passed API test" in said
    assert "turns per second" in said


def test_pettingzoos_tests_pass_for_a_file_of_ones_own(tmp_path):
    file = tmp_path / "mine.rcy"
    file.write_text(STUCK.replace("> (game sto TURNS) 5", "> (game sto TURNS) 1"))
    api_test(env(file), num_cycles=10)
    seed_test(lambda: env(file, rewards="wins"), num_cycles=3)
    render_test(lambda **how: env(file, **how))


# What agents are given --------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_seed_is_that_of_the_game_and_the_mask_has_its_legal_actions(engine):
    game = Game.load("scopa", engine=engine)
    table, state, choose = raw_env(game), game.start(5), random.Random(1)
    table.reset(seed=5)
    while not state.finished:
        agent = table.agent_selection
        assert agent == f"player_{state.player}"
        for other, name in enumerate(table.agents):
            seen = table.observe(name)
            assert (seen["observation"] == state.observation(other, table.layout)).all()
            legal = state.legal_actions() if other == state.player else ()
            assert tuple(np.flatnonzero(seen["action_mask"])) == legal
            assert table.observation_space(name).contains(seen)
        action = choose.choice(state.legal_actions())
        table.step(action)
        state.play_action(action)
    assert all(table.terminations.values())
    assert [table.rewards[name] for name in table.agents] == list(state.scores)


def test_later_games_have_seeds_of_their_own_drawn_from_the_first():
    def hands(seed):
        table = raw_env("hearts")
        found = []
        for given in (seed, None, None):
            table.reset(seed=given)
            found.append(table.game_state.cards(0, "iloc", "HAND"))
        return found

    assert hands(3) == hands(3)
    assert hands(3)[1] != hands(4)[1]
    assert hands(3)[1] != hands(3)[2]
    assert hands(None)[0] != hands(None)[0]


def test_rewards_are_scores_wins_or_differences():
    results = {}
    for kind in ("scores", "wins", "differences"):
        table = env("hearts", rewards=kind)
        table.reset(seed=4)
        results[kind] = totals(table, random.Random(2))
        state = table.unwrapped.game_state
    assert list(results["scores"].values()) == [-score for score in state.scores]
    assert results["differences"] == results["scores"]
    assert list(results["wins"].values()) == list(state.wins)
    with pytest.raises(ValueError, match="points"):
        env("hearts", rewards="points")


def test_differences_are_given_when_scores_change():
    table = env("hearts", preset="standard", ROUNDS=2, rewards="differences")
    table.reset(seed=4)
    paid = [any(table.rewards.values()) for _ in plays(table, random.Random(2))]
    assert sum(paid[:-4]) > 0


# Ends -------------------------------------------------------------------------------------


def test_a_broken_rule_truncates_and_says_so():
    table = env(Game.from_text(STUCK))
    table.reset(seed=1)
    last = [(ended, cut, info) for _, _, ended, cut, info in plays(table, random.Random(1))][-1]
    assert last[:2] == (False, True)
    assert "there is no card" in last[2]["error"] or "empty" in last[2]["error"]
    assert table.agents == []


def test_a_rule_that_is_broken_before_the_first_decision_is_an_error():
    nothing = "(do ((move (top (game iloc NO)) (top (game iloc STOCK)))))"
    table = raw_env(Game.from_text(STUCK.replace("(stage", f"{nothing} (stage", 1)))
    with pytest.raises(GameError):
        table.reset(seed=1)


def test_a_game_is_cut_after_so_many_cycles():
    table = env("hearts", max_cycles=4)
    table.reset(seed=1)
    counts = dict.fromkeys(table.agents, 0)
    for agent, _, ended, cut, _ in plays(table, random.Random(1)):
        assert not ended
        counts[agent] += not cut
    assert set(counts.values()) == {4}
    with pytest.raises(ValueError, match="1 or more cycles"):
        env("hearts", max_cycles=0)


def test_an_action_that_is_not_legal_is_refused():
    table = env("hearts")
    table.reset(seed=1)
    before = table.unwrapped.game_state.copy()
    wrong = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalOptionError, match="is not legal here"):
        table.step(wrong)
    with pytest.raises(ValueError, match="cannot be None"):
        table.step(None)
    assert table.unwrapped.game_state == before
    assert table.rewards == dict.fromkeys(table.agents, 0.0)


# Odds and ends ----------------------------------------------------------------------------


def test_a_text_shows_what_the_agent_sees_alone():
    table = env("hearts", preset="standard", render_mode="ansi")
    table.reset(seed=1)
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    text = table.render()
    assert "p2's HAND: 13 hidden" in text
    assert "so far: to PASSED: 5 of CLUBS" in text
    assert "p1 has to decide: to PASSED: 8 of CLUBS; " in text
    assert env("hearts").metadata["name"] == "cardwright_hearts_v0"
    with pytest.raises(ValueError, match="the render mode is one of human, ansi"):
        env("hearts", render_mode="rgb_array")


def test_environments_are_copied_and_pickled():
    table = raw_env("hearts")
    table.reset(seed=1)
    for other in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert totals(other, random.Random(1)) == totals(copy.deepcopy(table), random.Random(1))


def test_a_loaded_game_takes_no_settings():
    with pytest.raises(ValueError, match="loaded already"):
        env(Game.load("hearts"), preset="standard")
