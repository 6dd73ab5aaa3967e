"""Games of ours in OpenSpiel: its tests, its algorithms, and what they find in the games it has."""

from __future__ import annotations

import copy
import importlib
import pickle
import sys
from typing import TYPE_CHECKING

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    best_response,
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    generate_playthrough,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.observation import make_observation

from cardwright import Game, NotFoundError
from cardwright.envs import openspiel
from cardwright.envs.openspiel.node import GameNode
from cardwright.errors import MissingExtraError
from cardwright.game.find import find
from deep import mostly_deep, usually

if TYPE_CHECKING:
    from collections.abc import Callable

openspiel.register()

WORLDS = pyspiel.UniformProbabilitySampler(0.0, 1.0)


def load(name: str, **parameters: object) -> pyspiel.Game:
    return pyspiel.load_game("cardwright", {"game": name, **parameters})


def known_as(name: str, game: Game) -> pyspiel.Game:
    openspiel.register(game, name)
    return load(name)


def first(game: pyspiel.Game, outcome: int = 0) -> pyspiel.State:
    """Return a state at the first decision of a game."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(outcome)
    return state


# The games --------------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize("chance", ["explicit", "sampled"])
@pytest.mark.parametrize(
    "name",
    mostly_deep(
        ["kuhn", "agram", "blackjack", "coup", "crazyeights", "cuckoo", "durak", "hearts"],
        {"kuhn", "blackjack"}.__contains__,
    ),
)
def test_random_games_pass_the_tests_of_openspiel(name: str, chance: str) -> None:
    """States with an explicit chance are serialised, too, if they are small."""
    game = load(name, chance=chance)
    serialize = chance == "explicit" and name in ("kuhn", "agram")
    pyspiel.random_sim_test(game, 1, serialize, False)


def test_small_games_are_measured() -> None:
    """Chance is explicit where the whole tree is known, and so are the bounds."""
    game = pyspiel.load_game("cardwright(game=leduc)")
    modes, kinds = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    assert game.get_type().chance_mode == modes.EXPLICIT_STOCHASTIC
    assert game.get_type().utility == kinds.ZERO_SUM
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-13, 13, 0)
    assert (game.max_game_length(), game.max_chance_outcomes()) == (8, 6)
    assert (game.num_players(), game.num_distinct_actions()) == (2, 4)
    large = load("hearts")
    assert large.get_type().chance_mode == modes.SAMPLED_STOCHASTIC
    assert (large.min_utility(), large.max_utility(), large.max_game_length()) == (-26, 26, 52)
    assert (large.num_players(), large.utility_sum()) == (4, None)
    assert large.get_type().utility == kinds.GENERAL_SUM
    assert large.num_distinct_actions() == 52
    won = load("hearts", utility="win")
    assert won.get_type().utility == kinds.CONSTANT_SUM
    assert (won.min_utility(), won.max_utility(), won.utility_sum()) == (0, 1, 1)
    small = load("leduc", cap=1000)
    assert small.get_type().chance_mode == modes.SAMPLED_STOCHASTIC


def test_utilities_are_what_players_want() -> None:
    """Where the lowest score wins, utilities are negative scores."""
    for utility in ("score", "win"):
        state = first(load("hearts", utility=utility))
        assert state.returns() == [0] * 4
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        ours = state.node.state
        assert min(ours.scores) >= 0
        expected = [-score for score in ours.scores] if utility == "score" else list(ours.wins)
        assert state.returns() == expected


def test_actions_and_draws_have_names() -> None:
    state = load("leduc").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(at, pytest.approx(1 / 6)) for at in range(6)]
    assert state.action_to_string(-1, 5) == "the top card of STOCK is K of SPADES"
    assert str(state) == "leduc: the top card of STOCK is drawn"
    state = first(load("leduc"))
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        "ACTION CHECK",
        "ACTION RAISE",
    ]
    assert state.string_to_action("ACTION RAISE") == state.legal_actions()[1]
    assert "p2's HAND: J of SPADES" in str(state)


def test_alike_outcomes_have_different_names() -> None:
    state = load("lostcities", chance="explicit").new_initial_state()
    names = [state.action_to_string(-1, at) for at, _ in state.chance_outcomes()]
    assert names[:2] == [
        "the top card of STOCK is YELLOW INVESTMENT (1)",
        "the top card of STOCK is BLUE INVESTMENT (1)",
    ]
    assert len(set(names)) == 60


def test_copies_share_their_node() -> None:
    state = first(load("hearts"))
    node = state.node
    twin = state.clone()
    assert twin.node is node is copy.deepcopy(node) is copy.copy(node)
    twin.apply_action(twin.legal_actions()[0])
    assert state.node is node
    assert state.history() == twin.history()[:-1]


@pytest.mark.parametrize("name", ["kuhn", "hearts", "lostcities"])
def test_states_are_serialised(name: str) -> None:
    game = load(name)
    state = first(game)
    for _ in range(2):
        state.apply_action(state.legal_actions()[-1])
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.history() == state.history()
    player = max(state.current_player(), 0)
    assert again.information_state_string(player) == state.information_state_string(player)
    if game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(state)


def test_sampled_games_are_different_and_can_be_repeated() -> None:
    def deals() -> list[str]:
        game = load("hearts", seed=5)
        return [str(first(game)) for _ in range(3)]

    assert deals() == deals()
    assert len(set(deals())) == 3


def test_games_are_registered_by_name() -> None:
    openspiel.register(Game.load("kuhn", PLAYERS=3), "kuhn3")
    assert load("kuhn3").num_players() == 3
    openspiel.register("kuhn")
    assert load("kuhn").num_players() == 2
    with pytest.raises(openspiel.OpenSpielError, match="is not a name for OpenSpiel"):
        openspiel.register("kuhn", "a,b")


def test_what_cannot_be_loaded_is_refused() -> None:
    with pytest.raises(openspiel.OpenSpielError, match="name a game"):
        pyspiel.load_game("cardwright")
    with pytest.raises(NotFoundError):
        load("kuhnn")
    with pytest.raises(openspiel.OpenSpielError, match="chance=some is none of auto, explicit"):
        load("kuhn", chance="some")
    with pytest.raises(openspiel.OpenSpielError, match="utility=rank is none of score, win"):
        load("kuhn", utility="rank")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        load("kuhn", players=3)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "cardwright.envs.openspiel")
    with pytest.raises(MissingExtraError, match="needs open-spiel"):
        importlib.import_module("cardwright.envs.openspiel")


# What players know --------------------------------------------------------------------------------


def three_ranks() -> Game:
    """Return Goofspiel with three cards in each suit."""
    text = find("goofspiel").text
    ranks = "FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, J, Q, K"
    assert text.count(f"THREE, {ranks}") == 3
    return Game.from_text(text.replace(f", {ranks}", ""))


FLASH = """(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (do ((shuffle (game iloc STOCK))
       (move (top (game iloc STOCK)) (top (game vloc OPEN)))
       (move (top (game vloc OPEN)) (top (game {kind} STOCK)))))
  (choice ((turn pass) (set (game sto BET) 1)))
  (scoring max 0))"""


def information_states(game: pyspiel.Game) -> dict[tuple[int, str], set[tuple[float, ...]]]:
    """Return the tensors that each information state has, by player and text."""
    found: dict[tuple[int, str], set[tuple[float, ...]]] = {}
    left = [game.new_initial_state()]
    while left:
        state = left.pop()
        if not (state.is_terminal() or state.is_chance_node()):
            player = state.current_player()
            key = player, state.information_state_string(player)
            found.setdefault(key, set()).add(tuple(state.information_state_tensor(player)))
        left += [state.child(action) for action in state.legal_actions()]
    return found


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (lambda: Game.load("kuhn"), 12),
        (lambda: Game.load("kuhn", PLAYERS=3), 48),
        pytest.param(lambda: Game.load("leduc", MAXRAISES=1), None, marks=pytest.mark.deep),
        pytest.param(lambda: Game.load("leduc"), 936, marks=pytest.mark.deep),
        pytest.param(
            lambda: Game.load("agram", PLAYERS=2, HANDSIZE=1), None, marks=pytest.mark.deep
        ),
        pytest.param(three_ranks, None, marks=pytest.mark.deep),
        (lambda: Game.from_text(FLASH.format(kind="vloc")), 2),
    ],
)
def test_every_information_state_has_a_tensor_of_its_own(
    rules: Callable[[], Game], count: int | None
) -> None:
    game = known_as("small", rules())
    assert game.get_type().provides_information_state_tensor
    found = information_states(game)
    assert count in (None, len(found))
    assert {len(tensors) for tensors in found.values()} == {1}
    assert len(set.union(*found.values())) == len(found)
    (size,) = game.information_state_tensor_shape()
    assert {len(tensor) for tensors in found.values() for tensor in tensors} == {size}


def test_tensors_that_would_be_the_same_are_none() -> None:
    """Those of large games, and where a card is hidden again before anybody decides."""
    hidden = known_as("hidden", Game.from_text(FLASH.format(kind="iloc")))
    for game in (load("leduc", cap=1000), load("hearts"), hidden):
        assert not game.get_type().provides_information_state_tensor
        with pytest.raises(openspiel.OpenSpielError, match="observation_tensor"):
            first(game).information_state_tensor(0)
        assert game.get_type().provides_information_state_string
        assert game.get_type().provides_observation_tensor


def test_states_without_a_past_have_no_tensor() -> None:
    state = first(load("kuhn"))
    resampled = state.resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(openspiel.OpenSpielError, match="information_state_string"):
        resampled.information_state_tensor(0)
    again = pickle.loads(pickle.dumps(state.node))
    for node in (state.node.after(0), again.after(0)):
        tensor = load("kuhn").recollection.tensor(node, 1)
        np.testing.assert_array_equal(tensor, state.child(0).information_state_tensor(1))


def test_observations_remember_choices() -> None:
    """As many as are asked for, or as the game has cards and twelve more."""
    for history, asked in ((15, {}), (2, {"history": 2}), (0, {"history": 0})):
        game = load("kuhn", **asked)
        state = first(game).child(0)
        layout = game.rules.observation_layout(history)
        assert game.observation_tensor_shape() == [layout.size]
        np.testing.assert_array_equal(
            state.observation_tensor(1), state.node.state.observation(1, layout)
        )
    with pytest.raises(ValueError, match="not -3"):
        load("kuhn", history=-3)


def test_observers_show_what_a_player_sees() -> None:
    game = load("kuhn")
    state = first(game)
    seen = make_observation(game)
    recall = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for player in range(2):
        seen.set_from(state, player)
        layout = game.rules.observation_layout(3 + 12)
        np.testing.assert_array_equal(seen.tensor, state.node.state.observation(player, layout))
        recall.set_from(state, player)
        np.testing.assert_array_equal(recall.tensor, state.information_state_tensor(player))
        assert recall.dict["info_state"] is recall.tensor
        text = seen.string_from(state, player)
        assert recall.string_from(state, player).startswith(f"{text}; #")
        assert f"your HAND: {'JQ'[player]}" in text
        assert "STOCK: 1 hidden" in text
    seen.set_from(game.new_initial_state(), 0)
    assert not seen.tensor.any()
    public = pyspiel.IIGObservationType(
        public_info=True, private_info=pyspiel.PrivateInfoType.NONE, perfect_recall=False
    )
    assert make_observation(game, public) is None
    with pytest.raises(openspiel.OpenSpielError, match="no parameters"):
        make_observation(game, None, {"size": 3})


@pytest.mark.parametrize(
    ("name", "count"), [("kuhn", 12), pytest.param("leduc", 936, marks=pytest.mark.deep)]
)
def test_small_games_have_their_known_information_sets(name: str, count: int) -> None:
    assert len(policy.TabularPolicy(load(name)).state_lookup) == count


def test_a_playthrough_can_be_printed() -> None:
    text = generate_playthrough.playthrough("cardwright(game=kuhn)", None, seed=1)
    assert 'InformationStateString(0) = "p1: nothing yet"' in text
    assert "Returns() = [" in text
    assert generate_playthrough.playthrough("cardwright(game=kuhn)", None, seed=1) == text


# Algorithms ---------------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "iterations", "exploitable"),
    [("kuhn", 10, 0.068699), ("kuhn", 100, 0.008226), ("kuhn", 200, 0.003330)],
)
def test_regret_minimisation_goes_as_in_openspiels_game(
    name: str, iterations: int, exploitable: float
) -> None:
    """The figures are those of `kuhn_poker`; `leduc_poker` is in the next test."""
    game = load(name)
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    found = exploitability.exploitability(game, solver.average_policy())
    assert found == pytest.approx(exploitable, abs=1e-6)
    value = expected_game_score.policy_value(
        game.new_initial_state(), [solver.average_policy()] * 2
    )
    assert value[0] == pytest.approx(-1 / 18, abs=0.003)


@pytest.mark.deep
def test_regret_minimisation_of_leduc_goes_as_in_openspiels_game() -> None:
    """It is the solver in C++, which asks for less; ten iterations leave 0.888579."""
    game, theirs = load("leduc"), pyspiel.load_game("leduc_poker")
    left = []
    for one in (game, theirs):
        solver = pyspiel.CFRSolver(one)
        for _ in range(10):
            solver.evaluate_and_update_policy()
        left.append(pyspiel.exploitability(one, solver.average_policy()))
    assert left[0] == pytest.approx(left[1], abs=1e-9)


def test_sampling_and_best_responses_run() -> None:
    game = load("kuhn")
    np.random.seed(1)
    external = external_sampling_mccfr.ExternalSamplingSolver(game)
    outcome = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(300):
        external.iteration()
        outcome.iteration()
    for solver in (external, outcome):
        assert exploitability.exploitability(game, solver.average_policy()) < 0.3
    uniform = policy.UniformRandomPolicy(game)
    best = best_response.BestResponsePolicy(game, 0, uniform)
    assert best.value(game.new_initial_state()) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "chance", "plies"),
    [
        ("kuhn", "explicit", 1),
        ("hearts", "sampled", 9),
        pytest.param("leduc", "explicit", 2, marks=pytest.mark.deep),
        pytest.param("durak", "explicit", 12, marks=pytest.mark.deep),
    ],
)
def test_information_sets_are_searched(name: str, chance: str, plies: int) -> None:
    game = load(name, chance=chance)
    state = first(game, 1 if chance == "explicit" else 0)
    for _ in range(plies):
        state.apply_action(state.legal_actions()[0])
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
    chooser = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, chooser), 1.5, usually(4, 12), random_state=chooser
    )
    found = dict(bot.get_policy(state))
    assert found.keys() == set(state.legal_actions())
    assert sum(found.values()) == pytest.approx(1)


def test_resampled_states_are_the_same_for_the_player() -> None:
    game = load("hearts")
    state = first(game)
    for _ in range(5):
        state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    other = (player + 1) % 4
    hands = set()
    for at in range(5):
        again = state.resample_from_infostate(player, lambda at=at: at / 5)
        assert again.information_state_string(player) == state.information_state_string(player)
        hands.add(again.information_state_string(other))
        follow = again.clone()
        follow.apply_action(follow.legal_actions()[0])
        assert follow.information_state_string(player) != again.information_state_string(player)
        assert follow.information_state_string(other) != again.information_state_string(other)
    assert len(hands) == 5
    with pytest.raises(openspiel.OpenSpielError, match="at decisions"):
        game.new_initial_state().resample_from_infostate(0, WORLDS)


def test_long_imagined_games_do_not_recurse() -> None:
    """What a seat knows is asked for at the end only."""
    state = first(load("skitgubbe")).resample_from_infostate(0, WORLDS)
    again = pickle.loads(pickle.dumps(state.node))
    assert isinstance(again, GameNode)
    while not state.is_terminal() and state.node.state.game.players:
        state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(1)


def test_bots_that_would_crash_are_refused() -> None:
    """They end the process on any game in Python; those of OpenSpiel they play as before."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    search = pyspiel.ISMCTSBot(
        1, evaluator, 1.0, 5, -1, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False
    )
    game = load("kuhn")
    tree = pyspiel.MCTSBot(game, evaluator, 1.0, 5, 10, False, 1, False)
    for act in (search.step, search.get_policy, search.step_with_policy, tree.step):
        with pytest.raises(openspiel.OpenSpielError, match="cannot play a game in Python"):
            act(first(game))
    theirs = pyspiel.load_game("kuhn_poker").new_initial_state()
    theirs.apply_action(0)
    theirs.apply_action(1)
    assert search.step(theirs) in (0, 1)
