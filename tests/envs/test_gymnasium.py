"""Games as environments of Gymnasium: its own checks, and ours."""

from __future__ import annotations

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardwright import Game, IllegalOptionError, Stream
from cardwright.envs.gymnasium import SeatEnv
from cardwright.errors import PlayerSpecError
from cardwright.game.find import library_names
from deep import some_games

STUCK = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR, SUN)))))
  (stage player (end (> (game sto TURNS) 5))
    (do ((inc (game sto TURNS))))
    (choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max 0))"""

SHORT = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (do ((shuffle (game iloc STOCK)) (move (top (game iloc STOCK)) (top (game vloc OPEN)))))
  (stage player (end (or (== (cardatt SUIT (top (game vloc OPEN))) {suit})
                         (> (game sto TURNS) 0)))
    (do ((inc (game sto TURNS))))
    (choice ((turn pass))))
  (scoring max (pid (current player))))"""

UNPROVED = pytest.mark.filterwarnings(
    "ignore:.*A Box observation space m..imum value is -?infinity:UserWarning"
)
"""Gymnasium would rather have bounds, also where there are none."""


class Last:
    """An opponent of one's own: it takes the last option, and draws."""

    def choose(self, decision):
        assert decision.stream.below(2) < 2
        return decision.option_count - 1


def played(table, seed, choose):
    """Play a game by a function of the mask; return all rewards and the last info."""
    seen, info = table.reset(seed=seed)
    got, ended, cut = [], False, False
    while not (ended or cut):
        seen, reward, ended, cut, info = table.step(choose(seen["action_mask"]))
        got.append(reward)
    return got, ended, cut, info


@pytest.mark.sweep
@UNPROVED
@pytest.mark.parametrize("name", some_games(library_names()))
def test_gymnasiums_own_check_passes(name, capsys):
    table = gymnasium.make(f"cardwright/{name.capitalize()}-v0")
    check_env(table.unwrapped)
    assert table.unwrapped.game.name == name


@UNPROVED
def test_any_game_is_made_by_one_name(tmp_path):
    file = tmp_path / "mine.rcy"
    file.write_text(SHORT.format(suit="SUN"))
    table = gymnasium.make("cardwright/Game-v0", game=str(file))
    check_env(table.unwrapped, skip_render_check=True)
    rules = gymnasium.make("cardwright/Hearts-v0", preset="standard", ROUNDS=1).unwrapped.game
    assert rules.declared["ROUNDS"] == 1
    assert rules.declared["PASS"] == 3


def test_a_game_goes_as_one_played_by_hand():
    table = SeatEnv("hearts", opponents="random", seat=2)
    state, streams = Game.load("hearts").start(7), [Stream.of_seat(7, seat) for seat in range(4)]
    seen, info = table.reset(seed=7)
    assert info == {"seat": 2}
    ended = False
    while not ended:
        while state.player not in (2, None):
            state.play(streams[state.player].below(state.option_count))
        assert (seen["observation"] == state.observation(2, table.layout)).all()
        assert tuple(np.flatnonzero(seen["action_mask"])) == state.legal_actions()
        assert (table.action_masks() == seen["action_mask"]).all()
        assert table.action_masks().dtype == np.bool_
        state.play_action(state.legal_actions()[-1])
        seen, reward, ended, _, _ = table.step(seen["action_mask"].nonzero()[0][-1])
        assert reward == (-table.game_state.scores[2] if ended else 0.0)
    while not state.finished:
        state.play(streams[state.player].below(state.option_count))
    assert table.game_state.scores == state.scores
    with pytest.raises(IllegalOptionError, match="call reset"):
        table.step(0)


def test_opponents_are_players_of_all_kinds():
    wins = {}
    for name in ("rule", "random"):
        table = SeatEnv("hearts", opponents=name, rewards="wins")
        wins[name] = sum(sum(played(table, seed, np.argmax)[0]) for seed in range(30))
    assert wins["rule"] < wins["random"]
    for some in ("rule,random,first", ["rule", Last, "first"], Last):
        played(SeatEnv("hearts", opponents=some), 1, np.argmax)
    with pytest.raises(PlayerSpecError):
        SeatEnv("hearts", opponents="nobody")
    with pytest.raises(PlayerSpecError, match="not a player"):
        SeatEnv("hearts", opponents=dict)
    with pytest.raises(ValueError, match="3 opponents are needed, or one for all seats, not 2"):
        SeatEnv("hearts", opponents="rule,random")


def test_a_frozen_policy_is_an_opponent():
    game, asked = Game.load("hearts", preset="standard", ROUNDS=1), []

    def highest(observations, masks):
        asked.append((observations, masks))
        return [mask.nonzero()[0][-1] for mask in masks]

    table = SeatEnv(game, opponents=highest, seat=1)
    played(table, 1, np.argmax)
    assert len(asked) == 3 * (3 + 13)
    state = game.start(1)
    for observations, masks in asked:
        while state.player == 1:
            state.play_action(state.legal_actions()[0])
        assert (observations == state.observation(state.player, table.layout)).all()
        assert tuple(masks[0].nonzero()[0]) == state.legal_actions()
        state.play_action(state.legal_actions()[-1])
    for policy, error, says in (
        (lambda seen, masks: masks.argmin(axis=1), IllegalOptionError, "which is not legal"),
        (lambda seen, masks: [-1], IllegalOptionError, "chose action -1, which is not legal"),
        (lambda seen, masks: [99], IllegalOptionError, "chose action 99, which is not legal"),
        (lambda seen, masks: 3, ValueError, "give 1 integers, one for each decision, not int64"),
        (lambda seen, masks: [0.5], ValueError, "not float64"),
    ):
        with pytest.raises(error, match=says):
            SeatEnv(game, opponents=policy, seat=3).reset(seed=1)
    with pytest.raises(PlayerSpecError, match="not a int"):
        SeatEnv(game, opponents=[1])


def test_an_opponent_that_chooses_what_is_not_there_is_an_error():
    class Wild:
        def choose(self, decision):
            return decision.option_count

    table = SeatEnv("hearts", opponents=Wild, seat=1)
    with pytest.raises(IllegalOptionError, match="the opponent at seat 0 answered"):
        table.reset(seed=1)


def test_an_action_that_is_not_legal_changes_nothing():
    table = SeatEnv("hearts", penalty=-2)
    seen, _ = table.reset(seed=1)
    before = table.game_state.copy()
    again, reward, ended, cut, info = table.step(int(np.argmin(seen["action_mask"])))
    assert (reward, ended, cut) == (-2, False, False)
    assert "is not legal; the mask says which are" in info["illegal"]
    assert table.game_state == before
    assert (again["observation"] == seen["observation"]).all()


def test_a_broken_rule_truncates():
    got, ended, cut, info = played(SeatEnv(Game.from_text(STUCK)), 1, np.argmax)
    assert (got, ended, cut) == ([0.0, 0.0], False, True)
    assert "empty" in info["error"]


def test_games_without_a_decision_of_the_learner_are_passed_over():
    table = SeatEnv(Game.from_text(SHORT.format(suit="MOON")))
    seeds = [seed for seed in range(20) if table.game.start(seed).finished]
    assert seeds
    for seed in seeds:
        seen, _ = table.reset(seed=seed)
        assert seen["action_mask"].any()
        again = SeatEnv(table.game).reset(seed=seed)[0]
        assert (again["observation"] == seen["observation"]).all()
    with pytest.raises(ValueError, match="ended before seat 1"):
        SeatEnv(table.game, seat=1).reset(seed=1)


def test_the_seat_may_be_drawn():
    table = SeatEnv("kuhn", seat=None)
    seats = [table.reset(seed=1 if at == 0 else None)[1]["seat"] for at in range(30)]
    assert set(seats) == {0, 1}
    again = [table.reset(seed=1 if at == 0 else None)[1]["seat"] for at in range(30)]
    assert seats == again
    with pytest.raises(ValueError, match="numbered 0 to 1, not 2"):
        SeatEnv("kuhn", seat=2)


def test_rewards_of_sequences_come_with_their_last_action():
    table = SeatEnv("hearts", preset="standard", ROUNDS=1, rewards="differences")
    got, *_ = played(table, 1, np.argmax)
    assert len(got) == 3 + 13
    assert sum(got) == -table.game_state.scores[0]
    other = copy.deepcopy(table)
    assert other.game_state == table.game_state


def test_it_is_shown_as_text(capsys):
    table = SeatEnv("hearts", render_mode="ansi")
    table.reset(seed=1)
    assert "p1 has to decide: 5 of CLUBS; " in table.render()
    shown = SeatEnv("hearts", render_mode="human")
    shown.reset(seed=1)
    assert shown.render() is None
    assert "p1 has to decide: 5 of CLUBS; " in capsys.readouterr().out
    with pytest.raises(ValueError, match="one of human, ansi"):
        SeatEnv("hearts", render_mode="rgb_array")
