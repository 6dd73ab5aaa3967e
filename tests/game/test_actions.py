"""Actions: numbers of what can be chosen, by meaning."""

from __future__ import annotations

import copy
import hashlib
import pickle

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright import Game, GameError, IllegalOptionError, Stream
from cardwright.errors import UndoError
from cardwright.game.actions.numbering import Actions
from cardwright.game.find import library_names
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import mostly_deep, some_games, usually
from generated import programs

SIZES = {
    "agram": 35,
    "bigtwo": 4788,
    "blackjack": 3,
    "coup": 172,
    "crazyeights": 261,
    "cribbage": 1378,
    "durak": 74,
    "ginrummy": 753,
    "gofish": 52,
    "golfsix": 9,
    "hearts": 52,
    "kuhn": 4,
    "lama": 59,
    "leduc": 4,
    "lostcities": 106,
    "ohhell": 60,
    "president": 196,
    "scopa": 1721,
    "spades": 66,
    "spiteandmalice": 537,
    "whist": 52,
}

PRESETS = mostly_deep(
    ("hearts:standard", "hearts:openspiel", "hearts:cancellation", "hearts:greek"),
    "hearts:standard".__eq__,
)


def load(name, engine="interpreter"):
    game, _, preset = name.partition(":")
    return Game.load(game, preset=preset or None, engine=engine)


def two_player(
    choice, *, deck="(SUIT (CLUBS, SPADES)) (RANK (TWO, THREE, FOUR))", hand=3, copies=1
):
    """A game of six turns, in which a choice is made from a hand."""
    decks = "\n".join(f"(create deck (game iloc STOCK) (deck {deck}))" for _ in range(copies))
    return f"""(game
     (setup (create players 2) {decks})
     (do ((shuffle (game iloc STOCK))
          (all player 'P (repeat {hand} (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
     (stage player (end (> (game sto TURNS) 5))
      (do ((inc (game sto TURNS))))
      (choice ({choice})))
     (scoring max 0))"""


def codes(state):
    """The actions of each option, found by playing them on copies."""
    found = []
    for index in range(state.option_count):
        trial, code = state.copy(), []
        while len(trial.choices) == len(state.choices):
            action = trial.action_of(index)
            assert action in trial.legal_actions()
            assert trial.pending == tuple(code)
            code.append(action)
            trial.play_action(action)
        assert trial.choices[-1] == index
        found.append(tuple(code))
    return found


def check_laws(one, other, stream, *, most=40, seed=3, texts=True):
    """Play a game on two engines; what holds of actions at every decision has to hold."""
    assert list(one.actions) == list(other.actions)
    a, b = one.start(seed), other.start(seed)
    meant = {}
    while not a.finished and len(a.choices) < most:
        here = a._actions().codes
        assert b._actions().codes == here
        assert len(set(here)) == len(here)
        assert not {code[:at] for code in here for at in range(1, len(code))} & set(here)
        assert all(0 <= action < len(one.actions) for code in here for action in code)
        assert a.legal_actions() == tuple(sorted({code[0] for code in here}))
        if texts and len(here) < 300:
            for option, code in zip(b.options(), here, strict=True):
                assert meant.setdefault(option.description, code) == code
        if len(a.choices) % 5 == 0:
            imagined = b.determinise(b.player, stream)
            assert sorted(imagined._actions().codes) == sorted(here)
        choice = stream.below(a.option_count)
        for action in here[choice]:
            assert a == b
            a.play_action(action)
            b.play_action(one.actions.name(action))
        assert a.choices[-1] == choice
        assert a == b


# Laws -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*some_games(library_names()), *PRESETS])
def test_every_option_has_actions_of_its_own_that_depend_on_its_meaning_alone(name):
    game = load(name)
    check_laws(game, game.with_engine("native"), Stream(5))


@pytest.mark.parametrize("name", [*some_games(library_names()), *PRESETS])
def test_names_are_words_for_all_actions_and_back(name):
    actions = load(name).actions
    names = list(actions)
    assert len(names) == len(actions) == len({name.lower() for name in names})
    for number in range(0, len(names), 1 + len(names) // 100):
        assert actions.name(number) == names[number]
        assert actions.number(names[number]) == number
        assert actions.number(names[number].lower()) == number


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_there_are_as_many_actions_as_meanings(name, size):
    assert len(load(name).actions) == size


def test_numbers_do_not_depend_on_the_states_that_were_visited():
    first, second = Game.load("scopa"), Game.load("scopa")
    far = first.start(1)
    for _ in range(20):
        far.play_action(far.legal_actions()[-1])
    assert first.start(2).legal_actions() == second.start(2).legal_actions()
    assert codes(first.start(2)) == codes(second.start(2))


@settings(max_examples=usually(5, 25), suppress_health_check=list(HealthCheck))
@given(text=programs(), seed=st.integers(0, 5))
def test_the_laws_hold_for_games_made_up(text, seed):
    game = Game.from_source(
        Source("game", text), limits=GameLimits(steps=300, decisions=30), engine="interpreter"
    )
    assert len(set(game.actions)) == len(game.actions)
    try:
        state = game.start(seed)
        while not state.finished:
            here = state._actions().codes
            assert len(set(here)) == len(here)
            assert not {code[:at] for code in here for at in range(1, len(code))} & set(here)
            state.play_action(state.legal_actions()[len(here) % 7 % len(state.legal_actions())])
    except GameError:
        pass


NAMES = {
    "hearts": "94322de2cf98d70c",
    "coup": "87a07f2f574c43a9",
    "rummy": "7118ea7eaf1d728c",
    "scopa": "96dbb538172f76d5",
    "golfsix": "894a727865744c8b",
}
"""Digests of the names of all actions. Who trained a program relies on them: see Stability."""


@pytest.mark.parametrize(("name", "digest"), NAMES.items())
def test_numbers_and_names_stay_the_same(name, digest):
    text = "\n".join(load(name).actions)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest


# What is one deed -------------------------------------------------------------------------


def test_leading_and_following_are_one_deed():
    game = Game.load("hearts")
    assert list(game.actions) == [game.namer.card(card) for card in game.cards]


def test_notes_that_tell_branches_apart_are_part_of_the_deed():
    game = Game.from_text(
        two_player("""
        (any ((current player) iloc HAND) 'C
          (do ((move 'C (top (game vloc PILE))) (set (game str SIDE) LEFT))))
        (any ((current player) iloc HAND) 'C
          (do ((move 'C (top (game vloc PILE))) (set (game str SIDE) RIGHT))))
        (turn pass)""")
    )
    assert "to PILE, SIDE LEFT: 2 of CLUBS" in list(game.actions)
    assert len(game.actions) == 13
    check_laws(game.with_engine("interpreter"), game, Stream(1))


def test_cards_that_look_alike_are_numbered_in_a_decision():
    game = Game.from_text(
        two_player(
            "(any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE)))) (turn pass)",
            deck="(RANK (TWO, THREE))",
            copies=3,
        )
    )
    assert list(game.actions) == ["2", "2 (2)", "2 (3)", "3", "3 (2)", "3 (3)", "pass"]
    for seed in range(5):
        state = game.start(seed)
        twos = sum(card.attributes["RANK"] == "TWO" for card in state.cards(0, "iloc", "HAND"))
        legal = [*range(twos), *range(3, 6 - twos), 6]
        assert state.legal_actions() == tuple(legal)


def test_options_that_do_the_same_for_no_known_reason_are_counted_through():
    game = Game.from_text(two_player("(turn pass) (turn pass) (turn pass)"))
    assert list(game.actions) == ["pass", "another like it", "this one"]
    assert codes(game.start(1)) == [(0, 2), (0, 1, 2), (0, 1, 1, 2)]


# What is not seen -------------------------------------------------------------------------


def test_an_unseen_card_is_numbered_by_its_place():
    game = Game.from_text(
        two_player(
            """
        (any (game iloc STOCK) 'C (move 'C (top ((current player) iloc HAND))))
        (turn pass)""",
            hand=1,
        )
    )
    assert game.actions.name(game.start(1).legal_actions()[0]) == "unseen 1"
    assert {game.start(seed).legal_actions() for seed in range(10)} == {(6, 7, 8, 9, 12)}
    # A description says which card is on top, and the number which one it is from the bottom.
    check_laws(game.with_engine("interpreter"), game, Stream(1), texts=False)


def test_unseen_groups_are_spelled():
    game = Game.from_text(
        two_player(
            """
        (any (subsets (game iloc STOCK) == 2) 'S
          (all 'S 'C (move 'C (top ((current player) iloc HAND)))))
        (turn pass)""",
            hand=1,
        )
    )
    state = game.start(1)
    assert {game.start(seed).legal_actions() for seed in range(5)} == {state.legal_actions()}
    assert len(codes(state)) == 7
    state.play_action("digit 5")
    assert [game.actions.name(action) for action in state.legal_actions()] == ["end of the number"]


# Sequences --------------------------------------------------------------------------------


def test_groups_are_actions_up_to_the_cap_and_are_picked_card_by_card_beyond_it():
    game = Game.from_text(
        two_player("""
        (any (subsets ((current player) iloc HAND)) 'S
          (all 'S 'C (move 'C (top (game vloc PILE)))))
        (turn pass)""")
    )
    program, namer = game.program, game.namer
    assert len(game.actions) == 2**6 - 1 + 1
    assert game.actions.name(6) == "2 of CLUBS + 3 of CLUBS"
    assert list(Actions(program, namer, cap=62)) == [*_cards(game), "end", "pass"]
    with pytest.raises(ValueError, match="1 or more"):
        Actions(program, namer, cap=0)


def _cards(game):
    return [game.namer.card(card) for card in game.cards]


def test_a_group_of_known_size_needs_no_end():
    state = Game.load("hearts", preset="standard").start(1)
    hand = [state.game.namer.card(card) for card in state.cards(0, "iloc", "HAND")]
    option = state.options()[-1]
    for at in range(3):
        assert len(state.pending) == at
        assert state.player == 0
        name = state.game.actions.name(state.action_of(option))
        assert name == f"to PASSED: {hand[at - 3]}"
        state.play_action(name)
    assert state.choices == [option.index]
    assert state.pending == ()


def test_integers_without_known_bounds_are_spelled_beyond_the_first():
    bids = """
      (any (range (- (game sto LOW) 2) .. (+ (game sto LOW) 1)) 'N (set (game sto LOW) 'N))
      (turn pass)"""
    turn = "(inc (game sto TURNS))"
    game = Game.from_text(two_player(bids).replace(turn, f"{turn} (inc (game sto LOW) 32)"))
    words = [[game.actions.name(one) for one in code] for code in codes(game.start(1))]
    two, three = ([*["digit 3", f"digit {end}"], "end of the number"] for end in (2, 3))
    assert words == [["30"], ["31"], two, three, ["pass"]]
    check_laws(game.with_engine("interpreter"), game, Stream(1))


def test_a_branch_that_picks_several_times_has_an_end():
    game = Game.from_text(
        two_player("""
        (do ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))
             (any (RED, BLUE) 'D (set (game str SAID) 'D))))
        (turn pass)""")
    )
    for seed in range(3):
        assert {len(code) for code in codes(game.start(seed))} == {3, 1}
    check_laws(game.with_engine("interpreter"), game, Stream(1))


# States -----------------------------------------------------------------------------------


@pytest.fixture(params=["native", "interpreter"])
def passing(request):
    """A state in the middle of a choice of three cards."""
    state = load("hearts:standard", request.param).start(2)
    before = state.copy()
    state.play_action(state.legal_actions()[0])
    state.play_action(state.legal_actions()[1])
    return state, before


def test_pending_actions_are_part_of_the_state(passing):
    state, before = passing
    assert len(state.pending) == 2
    assert state != before
    assert state.position() != before.position()
    for other in (state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state
        assert hash(other) == hash(state)
        assert other.pending == state.pending
        assert other.legal_actions() == state.legal_actions()
        other.play_action(other.legal_actions()[0])
        assert other.pending == ()
        assert len(other.choices) == 1
        assert len(state.pending) == 2


def test_undo_drops_pending_actions(passing):
    state, before = passing
    state.undo(0)
    assert state == before
    state.play(0)
    state.play_action(state.legal_actions()[0])
    state.undo()
    assert state == before


def test_undo_of_an_action_goes_back_into_a_choice(passing):
    state, before = passing
    pending = state.pending
    last = state.legal_actions()[0]
    done = state.copy()
    done.play_action(last)
    done.undo_action()
    assert done == state
    assert done.pending == pending
    done.undo_action()
    done.undo_action()
    assert done == before
    with pytest.raises(UndoError):
        done.undo_action()


def test_an_option_is_played_as_a_whole_whatever_is_pending(passing):
    state, before = passing
    state.play(3)
    before.play(3)
    assert state == before


def test_pending_actions_are_known_to_the_one_who_decides_alone(passing):
    state, _ = passing
    assert state.determinise(state.player, Stream(1)).pending == state.pending
    assert state.determinise(state.player, Stream(1)).legal_actions() == state.legal_actions()
    assert state.determinise(1, Stream(1)).pending == ()


def test_what_is_not_legal_is_refused(passing):
    state, before = passing
    high = state.pending[-1]
    with pytest.raises(IllegalOptionError, match="is not legal here"):
        state.play_action(high)
    with pytest.raises(IllegalOptionError, match="do not lead to option"):
        state.action_of(next(at for at in range(286) if before.action_of(at) != state.pending[0]))
    with pytest.raises(IllegalOptionError, match="there is no action 104"):
        state.play_action(104)
    with pytest.raises(IllegalOptionError, match="there is no action -1"):
        state.game.actions.name(-1)
    with pytest.raises(IllegalOptionError, match="is not an action of this game"):
        state.play_action("jump")


def test_nothing_is_legal_after_the_end():
    state = Game.load("kuhn").start(1)
    while not state.finished:
        state.play_action(state.legal_actions()[0])
    assert state.legal_actions() == ()
    with pytest.raises(IllegalOptionError, match="the game is over"):
        state.play_action(0)
    with pytest.raises(IllegalOptionError, match="the game is over"):
        state.action_of(0)
