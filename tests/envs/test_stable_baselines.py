"""Vectors of Stable-Baselines3: by its own class where it is installed, else by a stand-in.

The stand-in has the members of its `VecEnv` that ours uses.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import pytest
from test_gymnasium import STUCK

from cardwright import Game, IllegalOptionError
from cardwright.envs.gymnasium import SeatEnv
from cardwright.errors import MissingExtraError

NAME = "cardwright.envs.stable_baselines"


class StandIn:
    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs = num_envs
        self.observation_space, self.action_space = observation_space, action_space
        self.reset_infos = [{} for _ in range(num_envs)]
        self._reset_seeds()
        self._reset_options()
        self.render_mode = self.get_attr("render_mode")[0]

    def _reset_seeds(self):
        self._seeds = [None] * self.num_envs

    def _reset_options(self):
        self._options = [{} for _ in range(self.num_envs)]

    def _get_indices(self, indices):
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else indices

    def seed(self, seed=None):
        self._seeds = [seed + at for at in range(self.num_envs)]
        return self._seeds

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


@pytest.fixture
def made(monkeypatch):
    """What makes vectors."""
    if find_spec("stable_baselines3") is None:
        names = [
            "stable_baselines3",
            "stable_baselines3.common",
            "stable_baselines3.common.vec_env",
        ]
        modules = [ModuleType(name) for name in names]
        modules[-1].VecEnv = StandIn
        for name, module in zip(names, modules, strict=True):
            monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    yield importlib.import_module(NAME).BatchVecEnv
    sys.modules.pop(NAME, None)


def test_games_go_as_single_environments(made):
    """Observations, rewards and masks; the next game begins in the step that ends one."""
    tables = made(3, "hearts", opponents="rule", seat=1, reward_scale=0.5)
    singles = [SeatEnv("hearts", opponents="rule", seat=1) for _ in range(3)]
    assert tables.observation_space == singles[0].observation_space["observation"]
    assert tables.action_space == singles[0].action_space
    tables.seed(7)
    seen = tables.reset()
    expected = [table.reset(seed=7 + at)[0] for at, table in enumerate(singles)]
    assert tables.reset_infos == [{"seat": 1}] * 3
    for step in range(1, 30):
        masks = tables.env_method("action_masks")
        for at, table in enumerate(singles):
            assert (seen[at] == expected[at]["observation"]).all()
            assert (masks[at] == table.action_masks()).all()
            assert masks[at].dtype == np.bool_
        actions = np.array([np.flatnonzero(mask)[-1] for mask in masks])
        seen, rewards, over, infos = tables.step(actions)
        assert rewards.dtype == np.float32
        for at, table in enumerate(singles):
            last, reward, ended, _, info = table.step(actions[at])
            assert ended == (step % 13 == 0)
            assert (rewards[at], over[at]) == (reward / 2, ended)
            expected[at] = last
            if ended:
                assert (infos[at]["terminal_observation"] == last["observation"]).all()
                assert (infos[at]["rewards"] == info["rewards"]).all()
                assert infos[at]["TimeLimit.truncated"] is False
                expected[at], info = table.reset()
            else:
                assert infos[at] == {"seat": 1}
    tables.close()


def test_masks_are_found_as_maskable_ppo_looks_for_them(made):
    tables = made(3, "kuhn")
    tables.reset()
    masks = np.stack(tables.env_method("action_masks"))
    assert masks.shape == (3, len(tables.tables.game.actions))
    assert (np.stack([mask() for mask in tables.get_attr("action_masks")]) == masks).all()
    assert (tables.env_method("action_masks", indices=[2])[0] == masks[2]).all()
    assert tables.get_attr("render_mode", indices=1) == [None]
    assert tables.env_is_wrapped(object) == [False] * 3


def test_a_game_that_breaks_a_rule_is_cut(made):
    tables = made(2, Game.from_text(STUCK))
    tables.reset()
    for _ in range(2):
        _, _, over, infos = tables.step(np.zeros(2, int))
    assert over.all()
    assert infos[0]["TimeLimit.truncated"] is True
    assert "empty" in infos[1]["error"]


def test_what_it_cannot_do_is_refused(made):
    tables = made(2, "kuhn")
    tables.reset()
    for call in (
        lambda: tables.env_method("render_all"),
        lambda: tables.get_attr("nothing"),
        lambda: tables.set_attr("seat", 1),
    ):
        with pytest.raises(AttributeError):
            call()
    with pytest.raises(IllegalOptionError):
        tables.step(np.argmin(tables.env_method("action_masks"), axis=1))
    with pytest.raises(ValueError, match="the other seats need opponents"):
        made(2, "kuhn", opponents=None)


def test_without_the_library_the_message_says_what_to_install(monkeypatch):
    for name in ("stable_baselines3", "stable_baselines3.common.vec_env"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, NAME, raising=False)
    with pytest.raises(MissingExtraError, match=r"this needs stable-baselines3, .*\bsb3"):
        importlib.import_module(NAME)


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("sb3_contrib") is None, reason="torch is too large to be installed for one test"
)
def test_maskable_ppo_trains(made):
    contrib = importlib.import_module("sb3_contrib")
    tables = made(8, "kuhn", opponents="random")
    model = contrib.MaskablePPO("MlpPolicy", tables, seed=1, n_steps=64, device="cpu")
    model.learn(2048)
    seen = tables.reset()
    actions, _ = model.predict(seen, action_masks=np.stack(tables.env_method("action_masks")))
    assert len(actions) == 8
