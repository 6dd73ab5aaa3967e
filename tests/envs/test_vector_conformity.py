"""The vector environment, step for step beside Gymnasium's own vector of single environments."""

from __future__ import annotations

from functools import partial
from itertools import product

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from test_gymnasium import SHORT, STUCK, Last

from cardwright import Game, IllegalOptionError
from cardwright.envs.gymnasium import SeatEnv
from cardwright.envs.gymnasium_vector import BatchEnv
from deep import mostly_deep

MODES = list(AutoresetMode)
GAMES = 5


def likely(observations, masks):
    """A frozen policy: it goes by what it sees, which is the same in any row."""
    numbers = observations.sum(axis=1, keepdims=True) * np.arange(7, 7 + masks.shape[1]) % 13
    return np.where(masks > 0, numbers, -1).argmax(axis=1)


def both(game, mode, games=GAMES, **how):
    """Gymnasium's vector of single environments, and ours."""
    sync = SyncVectorEnv([lambda: SeatEnv(game, **how)] * games, autoreset_mode=mode)
    return sync, BatchEnv(games, game, autoreset_mode=mode, **how)


def assert_same(theirs, ours):
    """Values are the same, with the same types; of infos, where their masks say that there is one.

    `_` and a key is the mask of the key.
    """
    assert type(theirs) is type(ours)
    if isinstance(theirs, dict):
        assert theirs.keys() == ours.keys()
        for key, value in theirs.items():
            mask = theirs.get(f"_{key}")
            if mask is None or isinstance(value, dict):
                assert_same(value, ours[key])
            else:
                assert len(value) == len(ours[key])
                assert value.dtype == ours[key].dtype
                for at in np.flatnonzero(mask):
                    # An error of a state says besides how to replay it.
                    same = (
                        value[at].startswith if key == "error" else partial(assert_same, value[at])
                    )
                    assert same(ours[key][at]) in {None, True}
                if value.dtype == object:
                    assert all(one is None for one in ours[key][~mask])
        return
    if isinstance(theirs, tuple):
        for one, other in zip(theirs, ours, strict=True):
            assert_same(one, other)
        return
    if isinstance(theirs, np.ndarray):
        assert theirs.dtype == ours.dtype
        assert theirs.shape == ours.shape
    assert np.all(theirs == ours)


def drawn(masks, random):
    """Random legal actions; where there are none, any."""
    return np.where(masks > 0, random.random(masks.shape), -1).argmax(axis=1)


def played_alike(sync, batch, steps, seed):
    random = np.random.default_rng(3)
    theirs, ours = sync.reset(seed=seed), batch.reset(seed=seed)
    assert_same(theirs, ours)
    assert sync.np_random_seed == batch.np_random_seed
    disabled = batch.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    ended = 0
    for step in range(steps):
        actions = drawn(ours[0]["action_mask"], random)
        theirs, ours = sync.step(actions), batch.step(actions)
        assert_same(theirs, ours)
        assert batch.observation_space.contains(ours[0])
        over = ours[2] | ours[3]
        ended += over.sum()
        if disabled and over.any():
            given = (
                None if step % 2 else [None if at % 2 else 90 + step + at for at in range(GAMES)]
            )
            theirs = sync.reset(seed=given, options={"reset_mask": over})
            ours = batch.reset(seed=given, options={"reset_mask": over})
            assert_same(theirs, ours)
    assert ended > GAMES


CASES = [
    ("hearts", {"opponents": "random", "seat": 1}),
    ("hearts", {"opponents": "rule", "seat": 3, "rewards": "wins"}),
    ("hearts", {"opponents": "hierarchy,random,lowest", "seat": 2}),
    ("hearts:standard", {"opponents": ["rule", likely, Last]}),
    ("kuhn", {"opponents": likely}),
    ("blackjack", {}),
    ("scopa", {"opponents": Last, "seat": 1}),
]
"""Hearts by machine code, by hierarchies and by all sorts of opponents at once; other games."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    "tried",
    mostly_deep(
        product(range(len(CASES)), MODES),
        lambda tried: tried[0] > 3 or tried[0] % 3 == MODES.index(tried[1]),
    ),
)
def test_it_goes_as_gymnasiums_vector(tried):
    case, mode = tried
    name, how = CASES[case]
    name, _, preset = name.partition(":")
    game = Game.load(name, preset=preset, ROUNDS=1) if preset else name
    sync, batch = both(game, mode, **how)
    assert sync.observation_space == batch.observation_space
    assert sync.single_observation_space == batch.single_observation_space
    assert sync.action_space == batch.action_space
    assert sync.single_action_space == batch.single_action_space
    assert sync.metadata["autoreset_mode"] is batch.metadata["autoreset_mode"]
    played_alike(sync, batch, 60, seed=11)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", [STUCK, SHORT.format(suit="MOON")], ids=["stuck", "short"])
def test_so_do_games_that_break_a_rule_or_end_at_once(text, mode):
    played_alike(*both(Game.from_text(text), mode), 20, seed=[4, 0, 5, 2**63, 6])


@pytest.mark.parametrize("mode", MODES)
def test_a_seed_may_be_given_at_any_time(mode):
    sync, batch = both("kuhn", mode)
    for seed in (7, None, [1, 2, 3, None, 4], None):
        seen = batch.reset(seed=seed)
        assert_same(sync.reset(seed=seed), seen)
        for _ in range(3):
            actions = seen[0]["action_mask"].argmax(axis=1)
            if mode is AutoresetMode.DISABLED:
                break
            seen = batch.step(actions)
            assert_same(sync.step(actions), seen)


def test_what_gymnasium_refuses_is_refused():
    batch = BatchEnv(3, "kuhn", autoreset_mode="Disabled")
    batch.reset(seed=1)
    with pytest.raises(ValueError, match="3 games need as many seeds, not 2"):
        batch.reset(seed=[1, 2])
    for mask, error, says in (
        ([True, False, True], TypeError, "an array of booleans, not list"),
        (np.ones(3), TypeError, "an array of booleans, not float64"),
        (np.ones(2, bool), ValueError, "has 3 booleans"),
        (np.zeros(3, bool), ValueError, "at least one of them true"),
    ):
        with pytest.raises(error, match=says):
            batch.reset(options={"reset_mask": mask})
    over = np.zeros(3, bool)
    while not over.any():
        seen, _, ended, cut, _ = batch.step(batch.reset()[0]["action_mask"].argmax(axis=1))
        over = ended | cut
    with pytest.raises(IllegalOptionError, match=f"game {over.argmax()} is over: call reset"):
        batch.step(seen["action_mask"].argmax(axis=1))
    assert gymnasium.make_vec("cardwright/Kuhn-v0", num_envs=2).reset(seed=1)[0]
