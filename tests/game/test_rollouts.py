"""Rollouts: the same sums over every engine, fair, and blind to what a seat does not see."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright import Game, GameError, IllegalOptionError, Stream
from cardwright.game import Rollouts
from cardwright.game.find import library_names
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import some_games, usually
from generated import programs

LEDUC = Game.load("leduc")
NATIVE = LEDUC.with_engine("native")

STOPS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (choice ((set (game sto END) 0) (set (game sto END) 1) (set (game sto END) 2)))
 (do (((== (game sto END) 1) (move (top (game iloc NOWHERE)) (top (game iloc STOCK))))))
 (choice ((turn pass)))
 (scoring max (* (game sto END) (pid (current player)))))"""

HIDDEN = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C)))))
 (do ((shuffle (game iloc STOCK))
  (move (top (game iloc STOCK)) (top ((1 player) iloc HAND)))
  (move (top (game iloc STOCK)) (top ((2 player) iloc HAND)))))
 (choice ((turn pass)))
 (do (((== (cardatt VAL (top ((2 player) iloc HAND))) A) (set (game sto ACE) 1))))
 (scoring max (game sto ACE)))"""


def played(game, seed, decisions):
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        if state.finished:
            break
        state.play(stream.below(state.option_count))
    return state


def random_end(state, stream):
    while not state.finished:
        state.play(stream.below(state.option_count))
    return state


def chosen_end(state, seats):
    """Play to the end, each seat's choices drawn from its own stream."""
    while not state.finished:
        state.play(seats[state.player].below(state.option_count))
    return state


@pytest.mark.sweep
@pytest.mark.parametrize("how", [{}, {"seat": 0}, {"seat": -1, "mode": "known"}])
@pytest.mark.parametrize("name", some_games(library_names()))
def test_every_engine_gives_the_same_sums(name, how):
    """The sums, and what is left of the stream, do not depend on what plays the games."""
    game = Game.load(name)
    how = {**how, **({"seat": how["seat"] % game.players} if "seat" in how else {})}
    count = 2 if name in {"rummy", "gofish", "president"} else 5
    first, second = Stream(9), Stream(9)
    # Later in cribbage, that a player could not go on leaves no option in some deals.
    decisions = {"leduc": 1, "blackjack": 1, "cribbage": 5}.get(name, 7)
    mine = played(game, 4, decisions).rollouts(count, first, **how)
    theirs = played(game.with_engine("native"), 4, decisions).rollouts(count, second, **how)
    assert mine == theirs
    assert mine.count == count
    assert first.words == second.words


@settings(max_examples=usually(2, 8), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_engines_agree_on_generated_games(text, seed):
    """In games that may break any rule the same rollouts fail, and nothing else differs."""
    game = Game.from_source(Source("generated", text), limits=GameLimits(300, 40))
    try:
        state, other = game.start(seed), game.with_engine("native").start(seed)
    except GameError:
        return
    for how in ({}, {"seat": 1}, {"seat": 2, "mode": "known"}):
        first, second = Stream(seed), Stream(seed)
        assert state.rollouts(4, first, **how) == other.rollouts(4, second, **how)
        assert first.words == second.words


@pytest.mark.parametrize("game", [LEDUC, NATIVE], ids=["interpreter", "native"])
def test_sums_are_those_of_games_played_by_hand(game):
    """Rollouts for a seat are determinised states; each seat's choices have one stream for all."""
    state = played(game, 8, 1)
    stream, other = Stream(3), Stream(3)
    found = state.rollouts(40, stream, seat=1)
    seats = [Stream(other.next()) for _ in range(game.players)]
    ends = [chosen_end(state.determinise(1, other), seats) for _ in range(40)]
    assert found.scores == tuple(map(sum, zip(*(end.scores for end in ends), strict=True)))
    assert found.ranks == tuple(map(sum, zip(*(end.ranks for end in ends), strict=True)))
    assert found.wins == tuple(map(sum, zip(*(end.wins for end in ends), strict=True)))
    assert stream.words == other.words


@pytest.mark.parametrize("seat", [None, 0])
def test_the_state_stays_and_rollouts_differ(seat):
    """Rollouts change nothing, and have chances of their own; so have those of another stream."""
    state = Game.load("crazyeights", engine="native").start(5)
    before = state.copy()
    many = state.rollouts(300, Stream(1), seat=seat)
    assert state == before
    assert state.option_count == before.option_count
    assert many.count == 300
    assert many != state.rollouts(300, Stream(2), seat=seat)
    assert len({state.rollouts(1, Stream(seed), seat=seat).scores for seed in range(20)}) > 5
    random_end(state, Stream(7))
    assert state.scores == random_end(before, Stream(7)).scores


@pytest.mark.parametrize("mode", ["basic", "known"])
@pytest.mark.parametrize("name", ["hearts", "rummy", "euchre", "golfsix"])
def test_rollouts_for_a_seat_know_what_the_seat_knows(name, mode):
    """From all states that the seat cannot tell apart, the same stream gives the same sums."""
    state = played(Game.load(name, engine="native"), 6, 9)
    seat = state.player
    imagined = state.determinise(seat, Stream(77), mode)
    assert imagined != state
    how = {"seat": seat, "mode": mode}
    mine, theirs = state.rollouts(50, Stream(1), **how), imagined.rollouts(50, Stream(1), **how)
    assert mine == theirs
    # The true hidden cards do make a difference to rollouts that are given them.
    assert state.rollouts(50, Stream(1)) != mine


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_hidden_cards_are_dealt_evenly(engine):
    """A seat without the ace imagines the other with it in one of two rollouts, by chance."""
    game = Game.from_source(Source("hidden", HIDDEN), engine=engine)
    for seed in range(10):
        state = game.start(seed)
        mine, theirs = (state.cards(seat, "iloc", "HAND")[0].attributes["VAL"] for seat in (0, 1))
        assert state.rollouts(20, Stream(1)).scores == ((20, 20) if theirs == "A" else (0, 0))
        found = state.rollouts(400, Stream(seed), seat=0).scores[0]
        assert (found == 0) if mine == "A" else (150 < found < 250)


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_broken_rules_are_counted(engine):
    """Games that break a rule are counted, and nothing else of them."""
    state = Game.from_source(Source("stops", STOPS), engine=engine).start(1)
    found = state.rollouts(300, Stream(5))
    assert found.count + found.failed == 300
    assert 70 < found.failed < 130
    # Of the two other ends one is a tie at nothing, and in the other the second seat wins.
    assert found.won[0][0] == 0
    assert found.won[0][1] == found.won[1][1]
    assert found.won[1][0] + found.won[1][1] == found.count
    assert found.ranks == (found.won[1][0], 0)


@pytest.mark.parametrize("game", [LEDUC, NATIVE], ids=["interpreter", "native"])
def test_a_finished_game_ends_as_it_did(game):
    """Rollouts of a game that is over all have its scores, and draw nothing."""
    state = random_end(game.start(2), Stream(2))
    stream = Stream(1)
    found = state.rollouts(7, stream, seat=0)
    assert found == Rollouts.of(state.scores, state.ranks, 7)
    assert found.scores == tuple(7 * score for score in state.scores)
    assert found.wins == tuple(7 * share for share in state.wins)
    assert stream.words == Stream(1).words


def test_rollouts_add_up():
    """Rollouts of one state can be added."""
    state = NATIVE.start(4)
    stream = Stream(6)
    first, second = state.rollouts(700, stream, seat=0), state.rollouts(800, stream, seat=0)
    both = first + second
    assert both.count == 1500
    assert both.scores == tuple(map(sum, zip(first.scores, second.scores, strict=True)))
    assert sum(both.wins) == pytest.approx(1500)
    assert state.rollouts(0, stream) == Rollouts.none(2)


def test_seats_draw_on_in_further_calls():
    """Rollouts that the native engine does in several calls are those of one."""
    first, second = Stream(6), Stream(6)
    mine, theirs = LEDUC.start(4), NATIVE.start(4)
    assert mine.rollouts(1500, first) == theirs.rollouts(1500, second)
    assert first.words == second.words


@pytest.mark.parametrize("game", [LEDUC, NATIVE], ids=["interpreter", "native"])
def test_wrong_arguments_are_refused(game):
    """A negative number, a seat that is not there, and an unknown mode are errors at once."""
    state = game.start(1)
    with pytest.raises(ValueError, match="number of rollouts cannot be -1"):
        state.rollouts(-1, Stream(1))
    with pytest.raises(IllegalOptionError, match="no seat 2: seats are numbered 0 to 1"):
        state.rollouts(1, Stream(1), seat=2)
    with pytest.raises(ValueError, match="psychic"):
        state.rollouts(1, Stream(1), seat=0, mode="psychic")
