"""Worlds that agree with all that a seat has seen, where the rules tell of hidden cards."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from retracing import agreeing, retraced, signature
from telling_games import TELLING

from cardwright.game.game import Game
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.search import SearchTask
from cardwright.interpreter.stream import Stream

CONSISTENT = KnowledgeMode.CONSISTENT
OTHERS = [name for name in TELLING if name != "two shuffles"]
USUAL = {("a hidden choice", 1), ("a draw by lot", 2)}
SMALL = [
    pytest.param(name, made, marks=() if (name, made) in USUAL else pytest.mark.deep)
    for name in TELLING
    for made in (1, 2)
]


@cache
def telling(name):
    return Game.from_text(TELLING[name])


def played(game, seed, choices):
    state, chosen = game.start(seed), Random(seed)
    while not state.finished and len(state.choices) < choices:
        state.play(chosen.randrange(state.option_count))
    return state


def drawn(state, seat, count):
    chain, stream = state._histories(seat).copy(), Stream(5)
    return [(chain.world(stream), chain.history) for _ in range(count)]


# Which games tell something -----------------------------------------------------------------


@pytest.mark.parametrize("name", TELLING)
def test_what_tells_of_hidden_cards_is_found(name):
    assert telling(name).tells


QUIET = ["hearts", "whist", "ginrummy", "spades", "bridge", "leduc", "euchre", "klaverjassen"]


@pytest.mark.parametrize("name", QUIET)
def test_games_of_moves_and_choices_tell_nothing_else(name):
    assert not Game.load(name).tells


def test_what_tells_is_given_with_its_place():
    (found,) = telling("a clue").tells
    assert found.what == "a stored value"
    assert telling("a clue").program.source.text[found.span.start :].startswith("(set ('P str")


# Worlds -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "choices"), SMALL)
def test_worlds_are_as_likely_as_among_all_histories(name, choices):
    """By a chi-square test of every third world: those between are less independent."""
    game = telling(name)
    state = played(game, 11, choices)
    share = agreeing(game, state, 0)
    worlds = Counter(signature(board.world()) for board, _ in drawn(state, 0, 900)[::3])
    assert worlds.keys() <= share.keys()
    expected = {world: 300 * float(part) for world, part in share.items()}
    square = sum((worlds[world] - many) ** 2 / many for world, many in expected.items())
    free = len(share) - 1
    assert square <= free + 8 * (2 * free) ** 0.5


def keys_agree(game, state, seat):
    for board, history in drawn(state, seat, 3):
        other = retraced(game, state, history)
        assert other.key(seat) == state.information(seat)
        assert signature(other.world) == signature(board.world())


@pytest.mark.parametrize(
    "name", ["two shuffles", *(pytest.param(name, marks=pytest.mark.deep) for name in OTHERS)]
)
def test_a_world_has_the_key_of_its_seat(name):
    game = telling(name)
    for seed, seat in ((1, 0), (2, 1)):
        keys_agree(game, played(game, seed, 2), seat)


def test_no_draw_depends_on_what_a_seat_has_not_seen():
    """Games of which a seat has seen the same give it the same worlds."""
    game, alike = telling("a secret"), {}
    for seed in range(1, 40):
        state = game.start(seed)
        state.play(0)
        alike.setdefault(state.information(0), []).append(state)
    pairs = [states for states in alike.values() if len(states) > 1]
    assert len({state.position() for state in max(pairs, key=len)}) > 1
    for states in pairs:
        worlds = {state.determinise(0, Stream(7), CONSISTENT).position() for state in states}
        assert len(worlds) == 1


@pytest.mark.parametrize(
    "name", ["a hidden choice", pytest.param("a clue", marks=pytest.mark.deep)]
)
def test_both_engines_draw_the_same_worlds(name):
    native = telling(name)
    reference = native.with_engine("interpreter")
    for choices in range(2):
        states = [played(game, 4, choices) for game in (native, reference)]
        tables = [state.flat(state.player, Stream(3), 9, 2, mode=CONSISTENT) for state in states]
        assert tables[0] == tables[1]
        rollouts = [state.rollouts(70, Stream(3), seat=0, mode=CONSISTENT) for state in states]
        assert rollouts[0] == rollouts[1]


# Searches -----------------------------------------------------------------------------------


CLUED = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (COLOR (RED, BLACK)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P hloc CARD))))
    (set (game str CLUE) (cardatt COLOR (top ((1 player) hloc CARD))))))
  (stage player
    (end (== (game sto DONE) 1))
    (choice ((set (game str SAID) BLACK) (set (game str SAID) RED)))
    (do ((set (game sto DONE) 1)
         ((== (game str SAID) (cardatt COLOR (top ((1 player) hloc CARD))))
          (set (game sto RIGHT) 1)))))
  (scoring max (game sto RIGHT)))
"""


@pytest.mark.parametrize("worlds", ["each", "one"])
def test_a_search_knows_what_the_rules_have_told(worlds):
    """Nobody sees the card, but its colour has been said: naming it is worth all, else nothing."""
    game = Game.from_text(CLUED)
    for seed in range(1, 5):
        state = game.start(seed)
        right = ["BLACK", "RED"].index(state.string(None, "CLUE"))
        task = SearchTask(40, mode="consistent", worlds=worlds, reward="win", trees=2)
        result = state.search(Stream(1), task)
        assert [option.points for option in result.options][right] == 1
        assert [option.points for option in result.options][1 - right] == 0
        assert result.worlds.drawn > 0
        assert not result.worlds.fallbacks
        table = state.flat(0, Stream(2), 8, mode=CONSISTENT)
        assert table.scores(0) == tuple(float(at == right) for at in range(2))


def test_where_no_history_is_known_it_is_said():
    """A state that was itself imagined has no beginning: its worlds agree by places alone."""
    state = telling("a hidden choice").start(1).determinise(0, Stream(1), CONSISTENT)
    trials = state.trials(state.player, Stream(2), CONSISTENT)
    assert trials.worlds.fallbacks == 1
    result = state.search(Stream(2), SearchTask(20, mode="consistent"))
    assert result.worlds.fallbacks == 1
    assert not result.worlds.drawn
    hearts = Game.load("hearts").start(1)
    assert hearts.search(Stream(2), SearchTask(20, mode="consistent")).worlds is None
