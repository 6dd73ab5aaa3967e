"""Actions of batches: masks and steps, as the states of their games have them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from cardwright import Batch, Game, IllegalOptionError
from cardwright.game.find import library_names
from deep import some_games, usually

ALIKE = """(game
 (setup (create players 2) (create deck (game vloc OPEN) (deck (VAL (A, B)))))
 (stage player (end (> (game sto TURNS) 3))
  (do ((inc (game sto TURNS))))
  (choice ((turn pass) (turn pass)
   (any (subsets (game vloc OPEN)) 'S
    (any (range (- (game sto TURNS) 2) .. (game sto TURNS)) 'N (set (game sto KEPT) 'N))))))
 (scoring max 0))"""

HIDDEN = """(game
 (setup (create players 3)
  (create deck (game hloc STOCK) (deck (VAL (A, B, C, D))))
  (create deck (game vloc OPEN) (deck (VAL (A, A, C)))))
 (stage player (end (> (game sto TURNS) 5))
  (do ((inc (game sto TURNS)) (shuffle (game hloc STOCK))))
  (choice (
   (any (partition VAL (game vloc OPEN)) 'KIND
     (any player 'P (move (top 'KIND) (top ('P hloc PILE)))))
   (any (game hloc STOCK) 'C (move 'C (top ((current player) iloc HAND))))
   (any ((current player) iloc HAND) 'C (move 'C (top ((next player) vloc HEAP))))
   (any (A, C) 'NAME (any (range 3 .. 4) 'N
     (do ((set (game str SAID) 'NAME) (set (game sto KEPT) 'N)))))
   (turn pass))))
 (scoring max 0))"""


TWICE = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H, I))))
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H, I)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 6 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (> (game sto TURNS) 3))
  (do ((inc (game sto TURNS))))
  (choice (
   (any (subsets ((current player) iloc HAND)) 'S
     (any (RED, BLUE) 'D
       (do ((set (game str SAID) 'D) (all 'S 'C (move 'C (top (game vloc PILE))))))))
   (any (subsets (game iloc STOCK) == 2) 'S
     (all 'S 'C (move 'C (top (game vloc PILE)))))
   (turn pass))))
 (scoring max 0))"""


def side_by_side(game, count, *, decisions, seed=1):
    """Play a batch by its masks, and states that started alike by the same actions."""
    batch, random = game.batch(count, seed), np.random.default_rng(seed)
    states = [batch.state(at) for at in range(count)]
    out = np.empty((count, len(game.actions)), np.bool_)
    for _ in range(decisions):
        mask = batch.action_mask(out)
        assert mask is out
        for row, state in zip(mask, states, strict=True):
            assert tuple(np.flatnonzero(row)) == state.legal_actions()
        actions = (random.random(mask.shape) * mask).argmax(axis=1)
        batch.step_actions(actions)
        for at, (state, action) in enumerate(zip(states, actions.tolist(), strict=True)):
            if not state.finished:
                state.play_action(action)
            assert batch.pending.get(at, ()) == state.pending
        yield batch, states
    for at, state in enumerate(states):
        assert batch.state(at).position() == state.position()


@pytest.mark.parametrize("name", some_games(library_names()))
def test_masks_and_steps_of_a_batch_are_those_of_its_states(name):
    for _ in side_by_side(Game.load(name), 4, decisions=25):
        pass


@pytest.mark.parametrize("rules", [HIDDEN, ALIKE, TWICE])
def test_they_are_also_where_cards_are_hidden_and_options_mean_the_same(rules):
    for seed in range(usually(1, 3)):
        for _ in side_by_side(Game.from_text(rules), 5, decisions=25, seed=seed):
            pass


@pytest.mark.parametrize("name", ["hearts:standard", "scopa", "bigtwo", "spiteandmalice", "coup"])
def test_machine_code_numbers_what_is_not_spelled(name, monkeypatch):
    asked = []
    name, _, preset = name.partition(":")
    batch = Game.load(name, preset=preset or None).batch(5, 1)
    monkeypatch.setattr(Batch, "state", lambda batch, at: asked.append(at))
    for _ in range(30):
        batch.step_actions(batch.action_mask().argmax(axis=1))
    assert asked == []


@pytest.fixture
def passing():
    """A batch of which one game is in the middle of a choice of three cards."""
    game = Game.load("hearts", preset="standard")
    states = [game.start(seed) for seed in range(3)]
    states[1].play_action(states[1].legal_actions()[0])
    return Batch.of(states), states


def test_pending_actions_belong_to_a_game_of_a_batch(passing):
    batch, states = passing
    for same in (batch, batch.copy(), pickle.loads(pickle.dumps(batch))):
        assert same.pending == {1: states[1].pending}
        assert same.state(1).pending == states[1].pending
        assert tuple(np.flatnonzero(same.action_mask()[1])) == states[1].legal_actions()
        same.pending.clear()
        assert same.pending
    copied = batch.copy()
    copied.reset(np.array([True, False, False]), [5])
    assert copied.pending == batch.pending
    copied.reset(np.array([False, True, False]), [5])
    assert copied.pending == {}
    batch.step(np.zeros(3, int))
    assert batch.pending == {}


def test_actions_may_be_made_in_some_games(passing):
    """The others wait, with what is pending, whatever is given for them."""
    batch, states = passing
    before = batch.copy()
    first = [state.legal_actions()[0] for state in states]
    only = np.array([True, False, False])
    assert batch.step_actions([first[0], 999, -5], where=only).tolist() == [-1, -1, -1]
    assert batch.pending == {0: (first[0],), 1: states[1].pending}
    assert (batch.action_mask()[1:] == before.action_mask()[1:]).all()
    for _ in range(2):
        choices = batch.step_actions(batch.action_mask().argmax(axis=1), where=only)
    assert (choices >= 0).tolist() == [True, False, False]
    assert batch.pending == {1: states[1].pending}
    states[0].play(int(choices[0]))
    assert batch.state(0) == states[0]
    batch.step([99, 0, 99], where=~only & [True, True, False])
    assert batch.pending == {}
    states[1].play(0)
    assert batch.state(1) == states[1]
    assert batch.state(2) == states[2]
    with pytest.raises(IllegalOptionError, match="game 2 has no option 999"):
        batch.step([0, 0, 999], where=~only)
    with pytest.raises(ValueError, match="the mask is 3 booleans"):
        batch.step([0, 0, 0], where=np.ones(2, np.bool_))


def test_a_refused_action_changes_no_game(passing):
    batch, states = passing
    actions = [state.legal_actions()[0] for state in states]
    before = batch.copy()
    for at, wrong in ((0, 103), (1, states[1].pending[0]), (2, 103)):
        given = [*actions[:at], wrong, *actions[at + 1 :]]
        with pytest.raises(IllegalOptionError, match="is not legal"):
            batch.step_actions(given)
        assert batch.pending == before.pending
        assert (batch.action_mask() == before.action_mask()).all()
    with pytest.raises(IllegalOptionError, match="there is no action 104"):
        batch.step_actions([104, *actions[1:]])


def test_refused_by_machine_code():
    batch = Game.load("hearts").batch(2, 1)
    legal = batch.action_mask().argmax(axis=1)
    with pytest.raises(IllegalOptionError, match=r"is not legal in game 1; action_mask\(\) says"):
        batch.step_actions([legal[0], 51])
    with pytest.raises(IllegalOptionError, match="there is no action -1"):
        batch.step_actions([-1, legal[1]])
    with pytest.raises(ValueError, match="choices are 2 integers"):
        batch.step_actions([1])


def test_what_a_mask_is_written_to():
    batch = Game.load("kuhn").batch(2, 1)
    for wrong in (np.empty((2, 3), np.bool_), np.empty((2, 4), np.int8), np.empty((4, 2), bool).T):
        with pytest.raises(ValueError, match=r"booleans of shape \(2, 4\)"):
            batch.action_mask(wrong)


def test_threads_write_the_same():
    batch = Game.load("hearts").batch(20, 3)
    other = batch.copy()
    for _ in range(5):
        mask = batch.action_mask()
        assert (other.action_mask(threads=2) == mask).all()
        batch.step_actions(mask.argmax(axis=1))
        other.step_actions(mask.argmax(axis=1), threads=2)
