"""The vector environment: many games in machine code, as Gymnasium steps them."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from test_gymnasium import SHORT, STUCK

from cardwright import Game, IllegalOptionError
from cardwright.envs.gymnasium import SeatEnv
from cardwright.envs.gymnasium_vector import BatchEnv
from cardwright.errors import EngineError
from cardwright.game.find import library_names
from cardwright.hearts.selectors import SELECTORS, ParameterSpec, Selector
from deep import some_games, usually

REMEMBERED = """(game
  (setup (create players 2)
    (create deck RED (game vloc STOCK) (deck (SUIT (MOON))))
    (create deck BLUE (game iloc REST) (deck (SUIT (STAR, SUN, EARTH, SEA)))))
  (stage player (end (> (game sto TURNS) 10))
    (do ((inc (game sto TURNS))))
    (choice ((remember (top (game vloc STOCK)) (top (game mem SEEN))))))
  (scoring max 0))"""


def chosen(seen, random):
    mask = seen["action_mask"]
    return (random.random(mask.shape) * mask).argmax(axis=1)


def made(**how):
    return gymnasium.make_vec("cardwright/Hearts-v0", num_envs=6, **how)


def test_gymnasium_makes_it():
    tables = made()
    assert isinstance(tables.unwrapped, BatchEnv)
    seen, infos = tables.reset(seed=1)
    assert tables.observation_space.contains(seen)
    assert tables.action_space.contains(seen["action_mask"].argmax(axis=1))
    assert (infos["seat"] == 0).all()
    assert tables.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    tables.close()


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["hearts:standard", "scopa", "kuhn", "blackjack"])
def test_every_game_goes_as_a_state_that_is_played_alike(name):
    name, _, preset = name.partition(":")
    game = Game.load(name, preset=preset or None)
    tables, random = BatchEnv(4, game, opponents=None), np.random.default_rng(1)
    seeds = [3, 4, 5, 6]
    seen, infos = tables.reset(seed=seeds)
    states = [game.start(seed) for seed in seeds]
    for _ in range(40):
        for at, state in enumerate(states):
            if not state.finished:
                assert infos["seat"][at] == state.player
                assert tuple(np.flatnonzero(seen["action_mask"][at])) == state.legal_actions()
                own = state.observation(state.player, tables.layout)
                assert (seen["observation"][at] == own).all()
        actions = chosen(seen, random)
        seats = infos["seat"]
        seen, rewards, ended, cut, infos = tables.step(actions)
        assert not cut.any()
        for at, state in enumerate(states):
            if state.finished:
                continue
            state.play_action(int(actions[at]))
            assert ended[at] == state.finished
            if state.finished:
                sign = 1 if game.highest_wins else -1
                assert (infos["rewards"][at] == sign * np.array(state.scores)).all()
                assert rewards[at] == infos["rewards"][at, seats[at]]
            else:
                assert rewards[at] == 0


def test_the_learner_plays_one_seat_against_random_players():
    tables, random = made(seat=2, rewards="wins"), np.random.default_rng(1)
    seen, infos = tables.reset(seed=1)
    total = np.zeros(6)
    for decision in range(13):
        assert (infos["seat"] == 2).all()
        assert (seen["observation"][:, :4] == [0, 0, 1, 0]).all()
        seen, rewards, ended, _, infos = tables.step(chosen(seen, random))
        assert ended.all() == (decision == 12)
        total += rewards
    assert (infos["rewards"].sum(axis=1) == 1).all()
    assert (total == infos["rewards"][:, 2]).all()
    assert not seen["action_mask"].any()
    seen, rewards, ended, _, infos = tables.step(np.zeros(6, int))
    assert not ended.any()
    assert not rewards.any()
    assert (seen["action_mask"].sum(axis=1) > 0).all()
    assert "rewards" not in infos


def test_random_opponents_draw_from_the_streams_of_their_seats():
    tables, random = made(seat=1), np.random.default_rng(1)
    tables.reset(seed=1)
    seeds = [11, 12, 13, 14, 15, 16]
    seen, _ = tables.reset(seed=seeds)
    singles = [SeatEnv("hearts", opponents="random", seat=1) for _ in seeds]
    for at, (table, seed) in enumerate(zip(singles, seeds, strict=True)):
        assert (table.reset(seed=seed)[0]["observation"] == seen["observation"][at]).all()
    for _ in range(13):
        actions = chosen(seen, random)
        seen, rewards, ended, _, _ = tables.step(actions)
        for at, table in enumerate(singles):
            own, reward, over, _, _ = table.step(actions[at])
            assert (own["observation"] == seen["observation"][at]).all()
            assert (reward, over) == (rewards[at], ended[at])


def observed(tables, steps):
    """Play at random; the least and the largest of each observed number."""
    random = np.random.default_rng(1)
    seen, _ = tables.reset(seed=1)
    low = high = seen["observation"][0]
    for _ in range(steps):
        assert tables.observation_space.contains(seen)
        low = np.minimum(low, seen["observation"].min(axis=0))
        high = np.maximum(high, seen["observation"].max(axis=0))
        seen, *_ = tables.step(chosen(seen, random))
    return low, high


@pytest.mark.parametrize("name", some_games(library_names()))
def test_what_is_observed_lies_in_the_space(name):
    tables = BatchEnv(6, name, opponents=None, autoreset_mode="SameStep")
    low, high = observed(tables, usually(60, 150))
    space = tables.single_observation_space["observation"]
    assert (space.low <= low).all()
    assert (high <= space.high).all()


def test_bounds_that_are_not_proved_are_infinite():
    game = Game.load("hearts")
    tables = BatchEnv(1, game)
    space = tables.single_observation_space["observation"]
    bounds = dict(zip(tables.layout.columns, zip(space.low, space.high, strict=True), strict=True))
    assert bounds["me sto POINTS"] == (-np.inf, np.inf)
    assert bounds["me iloc HAND count"] == (0, 1)


def test_a_memory_may_have_more_of_a_back_than_there_are():
    tables = BatchEnv(1, Game.from_text(REMEMBERED), opponents=None)
    column = tables.game.observation.columns.index("game mem SEEN count RED")
    low, high = observed(tables, 12)
    assert (low[column], high[column]) == (0, 9)
    assert tables.game.observation.high[column] == 10


@pytest.mark.parametrize("opponents", [None, "random"])
def test_a_new_game_follows_by_the_mode(opponents):
    random = np.random.default_rng(2)
    for mode in AutoresetMode:
        tables = made(opponents=opponents, autoreset_mode=mode)
        seen, _ = tables.reset(seed=1)
        ended = np.zeros(6, bool)
        while not ended.any():
            seen, rewards, ended, _, infos = tables.step(chosen(seen, random))
        assert ended.all()
        assert rewards.any()
        if mode is AutoresetMode.SAME_STEP:
            assert infos["_final_obs"].all()
            assert not any(last["action_mask"].any() for last in infos["final_obs"])
            assert (infos["final_info"]["rewards"].sum(axis=1) < 0).all()
            assert seen["action_mask"].any(axis=1).all()
            continue
        assert not seen["action_mask"].any()
        if mode is AutoresetMode.DISABLED:
            with pytest.raises(IllegalOptionError, match="game 0 is over: call reset"):
                tables.step(np.zeros(6, int))
            some = np.array([True, False] * 3)
            seen, _ = tables.reset(options={"reset_mask": some})
            assert (seen["action_mask"].any(axis=1) == some).all()


def test_seeds_decide_everything():
    def run(seed, **how):
        tables, random = made(**how), np.random.default_rng(5)
        seen, _ = tables.reset(seed=seed)
        found = []
        for _ in range(60):
            seen, rewards, *_ = tables.step(chosen(seen, random))
            found.append((seen["observation"].sum(), rewards.tolist()))
        return found

    assert run(1) == run(1)
    assert run(1) == run(1, copy=False)
    assert run(1) != run(2)
    assert run([1, None, 2, 3, 4, 5]) != run([1, None, 2, 3, 4, 6])


def test_arrays_are_new_unless_they_may_be_used_again():
    for copied in (True, False):
        tables = made(copy=copied)
        first, _ = tables.reset(seed=1)
        second, *_ = tables.step(first["action_mask"].argmax(axis=1))
        for key in first:
            assert np.shares_memory(first[key], second[key]) is not copied


def test_games_that_break_a_rule_are_truncated():
    tables = BatchEnv(3, Game.from_text(STUCK), opponents=None)
    tables.reset(seed=1)
    for step in range(3):
        _, rewards, ended, cut, infos = tables.step(np.zeros(3, int))
        assert not ended.any()
        assert not rewards.any()
        assert cut.all() == (step == 2)
    assert all("empty" in error for error in infos["error"])
    assert infos["_error"].all()
    assert not tables.step(np.zeros(3, int))[3].any()


def test_games_without_a_decision_are_passed_over():
    tables = BatchEnv(20, Game.from_text(SHORT.format(suit="MOON")))
    seen, _ = tables.reset(seed=1)
    assert seen["action_mask"].any(axis=1).all()
    with pytest.raises(ValueError, match="ended before the first decision"):
        BatchEnv(2, Game.from_text(SHORT.format(suit="MOON")), seat=1).reset(seed=1)


def test_what_a_batch_cannot_do_is_refused():
    tables = made()
    seen, _ = tables.reset(seed=1)
    with pytest.raises(IllegalOptionError, match="is not legal in game 0"):
        tables.step(seen["action_mask"].argmin(axis=1))
    for how, says in (
        ({"opponents": "rule,rule"}, "3 opponents are needed, or one for all seats, not 2"),
        ({"rewards": "differences"}, "not 'differences'"),
        ({"seat": 4}, "numbered 0 to 3, not 4"),
    ):
        with pytest.raises(ValueError, match=says):
            made(**how)
    with pytest.raises(EngineError):
        BatchEnv(2, Game.load("hearts", engine="interpreter"))


def test_a_policy_is_asked_for_all_games_that_wait_at_once():
    asked = []

    def lowest(observations, masks):
        asked.append(len(masks))
        assert observations.shape == (len(masks), tables.layout.size)
        assert (observations[:, 4] == 1).all()
        assert masks.dtype == np.int8
        assert masks.any(axis=1).all()
        return masks.argmax(axis=1)

    tables, random = made(opponents=["rule", lowest, lowest], seat=0), np.random.default_rng(1)
    seen, _ = tables.reset(seed=1)
    for _ in range(13):
        seen, *_ = tables.step(chosen(seen, random))
    assert sum(asked) == 6 * 2 * 13
    assert len(asked) < 6 * 2 * 13 / 2
    bad = made(opponents=lambda seen, masks: masks.argmin(axis=1), seat=3)
    with pytest.raises(IllegalOptionError, match="the opponents' policy chose action"):
        bad.reset(seed=1)


def test_players_of_python_that_choose_what_is_not_there_are_an_error():
    class Wild:
        def choose(self, decision):
            return decision.option_count

    with pytest.raises(IllegalOptionError, match="the opponent at seat 0 answered"):
        made(opponents=Wild, seat=1).reset(seed=1)


@pytest.mark.parametrize("name", ["polignac", "hearts"])
def test_hierarchies_that_machine_code_cannot_play_are_played_by_python(
    name, tmp_path, monkeypatch
):
    """In other games, and with selectors of one's own."""
    file = tmp_path / "mine.toml"
    file.write_text('first = ["mine"]\nsecond = ["mine"]\n')
    mine = Selector("mine", lambda table, cards: cards[-1:], ParameterSpec.NOTHING, "The last.")
    monkeypatch.setitem(SELECTORS, "mine", mine)
    who = f"hierarchy:{file}" if name == "hearts" else "rule"
    tables = BatchEnv(3, name, opponents=who)
    singles = [SeatEnv(name, opponents=who) for _ in range(3)]
    seen, _ = tables.reset(seed=1)
    for at, single in enumerate(singles):
        single.reset(seed=1 + at)
    for _ in range(5):
        actions = seen["action_mask"].argmax(axis=1)
        seen, *_ = tables.step(actions)
        for at, single in enumerate(singles):
            own, *_ = single.step(actions[at])
            assert (own["observation"] == seen["observation"][at]).all()


def test_gymnasiums_own_vectors_take_any_opponents():
    tables = made(opponents="rule", vectorization_mode="sync")
    seen, _ = tables.reset(seed=1)
    seen, *_ = tables.step(seen["action_mask"].argmax(axis=1))
    assert tables.observation_space.contains(seen)
