"""Flat Monte Carlo: the same table over every engine, by the rules that the plan states."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright import Game, GameError, IllegalOptionError, Stream
from cardwright.game import Rollouts
from cardwright.game.search import FlatPlan, FlatTable
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import usually
from generated import programs

GAMES = ("hearts", "leduc", "agram", "gofish", "spades", "golfsix", "cuckoo", "goofspiel")
"""Games with hidden piles, teams, choices among unseen cards, and swaps."""

WIDE = 60

HOW = (
    {"deals": 1},
    {"deals": 2, "shared": False, "limit": 5},
    {"deals": 1, "rollouts": 2, "mode": "known", "limit": 3},
    {"deals": 2, "only": 0, "mode": "consistent", "limit": 4},
)

HALF = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D)))))
 (do ((shuffle (game iloc STOCK))
  (repeat 2 (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))
  (move (top (game iloc STOCK)) (top ((2 player) iloc HAND)))))
 (choice (
  (any (filter (game iloc STOCK) 'D (== (cardatt VAL 'D) A)) 'E (move 'E (top (game vloc ROW))))
  (any ((1 player) iloc HAND) 'C (move 'C (top (game vloc ROW))))))
 (scoring max 0))"""

STOPS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (choice ((set (game sto END) 0) (set (game sto END) 1) (set (game sto END) 2)))
 (do (((== (game sto END) 1) (move (top (game iloc NOWHERE)) (top (game iloc STOCK))))))
 (choice ((turn pass)))
 (scoring max (* (game sto END) (pid (current player)))))"""

LUCKY = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H)))))
 (choice ((set (game sto TRIED) 1)
  (do ((shuffle (game iloc STOCK)) (move (top (game iloc STOCK)) (top (game vloc ROW)))))))
 (do ((shuffle (game iloc STOCK)) (move (top (game iloc STOCK)) (top (game vloc END)))
  (set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((VAL : D) 4) ((VAL : E) 5)
   ((VAL : F) 6) ((VAL : G) 7)))))
 (scoring max (+ (* 10 (sum (game vloc ROW) using (game points W)))
  (sum (game vloc END) using (game points W)))))"""

COUNTING = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (stage player (end (== (game sto N) 9))
  (choice ((inc (game sto N)))))
 (scoring max (game sto N)))"""


TEAMS = """(game
 (setup (create players 4) (create teams (1, 3) (2, 4))
  (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (stage team (end (== (game sto N) 9))
  (choice ((do ((inc (game sto N)) (inc ((current team) sto T) (game sto N)))))))
 (scoring max ((current team) sto T)))"""


def played(game, seed, decisions):
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        if state.finished:
            break
        state.play(stream.below(state.option_count))
    return state


def both(game, seed, decisions):
    return [
        played(game.with_engine(engine), seed, decisions) for engine in ("interpreter", "native")
    ]


@pytest.mark.sweep
@pytest.mark.parametrize("name", GAMES)
def test_every_engine_gives_the_same_table(name):
    """The table, and what is left of the stream, do not depend on what plays the games."""
    for decisions in (1, 8):
        one, other = both(Game.load(name), 4 + decisions, decisions)
        if one.finished or one.option_count > WIDE:
            continue
        for how in HOW:
            first, second = Stream(9), Stream(9)
            mine, theirs = one.flat(one.player, first, **how), other.flat(one.player, second, **how)
            assert mine == theirs
            assert first.words == second.words
            assert mine.count > 0


@settings(max_examples=usually(1, 3), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_engines_agree_on_generated_games(text, seed):
    """In games that may break any rule the same rollouts fail, and nothing else differs."""
    game = Game.from_source(Source("generated", text), limits=GameLimits(300, 40))
    try:
        one, other = both(game, seed, 0)
    except GameError:
        return
    if one.finished or one.option_count > WIDE:
        return
    for how in ({"deals": 2}, {"deals": 2, "shared": False}, {"deals": 2, "limit": 2}):
        first, second = Stream(seed), Stream(seed)
        assert one.flat(one.player, first, **how) == other.flat(one.player, second, **how)
        assert first.words == second.words


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_table_of_what_can_be_counted(engine):
    """Options of known ends have them; rollouts that break a rule failed, and are not counted."""
    state = Game.from_text(STOPS, engine=engine).start(1)
    table = state.flat(state.player, Stream(1), 5, 2)
    nothing = Rollouts.none(2, failed=10)
    assert table.options == (
        Rollouts.of((0, 0), (0, 0), 10),
        nothing,
        Rollouts.of((2, 4), (1, 0), 10),
    )
    assert (table.count, table.failed) == (20, 10)
    assert table.scores(1) == (0, None, 4)
    assert table.ranks(0) == (0, None, 1)
    assert table.wins(1) == (0.5, None, 1)
    assert table + table == state.flat(state.player, Stream(2), 10, 2)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_options_that_a_world_does_not_have_fail(engine, shared):
    """An option on the ace in the stock is there only in the worlds that have it there.

    Whoever has no ace himself takes it for as likely to be in the other's hand.
    """
    game = Game.from_text(HALF, engine=engine)
    states = [game.start(seed) for seed in range(20)]
    state = next(one for one in states if one.option_count == 3)
    table = state.flat(0, Stream(3), 200, 3, shared=shared)
    rare, *others = table.options
    assert [(one.count, one.failed) for one in others] == [(600, 0), (600, 0)]
    assert rare.count + rare.failed == 600
    assert rare.count % 3 == 0
    assert 210 < rare.count < 390


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_chances_of_an_option_belong_to_the_world(engine):
    """What an option draws is the same in all rollouts of a world; what comes later is not."""
    state = Game.from_text(LUCKY, engine=engine).start(1)
    for seed in range(6):
        rows = [state.flat(0, Stream(seed), 1, count).options[1] for count in (1, 8)]
        tens = rows[0].scores[0] // 10
        assert 80 * tens <= rows[1].scores[0] <= 80 * tens + 8 * 7
    later = [state.flat(0, Stream(seed), 1, 8).options[0].scores[0] for seed in range(6)]
    assert len(set(later)) > 1
    assert any(score % 8 for score in later)


@pytest.mark.parametrize(("limit", "made"), [(0, 9), (3, 4), (8, 9), (20, 9)])
@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_limit_cuts_after_so_many_choices(engine, limit, made):
    """The option itself does not count; a game that ends before is not cut."""
    state = Game.from_text(COUNTING, engine=engine).start(1)
    assert state.flat(0, Stream(1), 3, limit=limit).scores(0) == (made,)


@pytest.mark.parametrize("limit", [0, 1, 2, 9])
def test_rollouts_that_break_a_rule_count_for_nothing(limit):
    """Whether they are cut off or not: of the option that stops the game nothing is known."""
    one, other = (Game.from_text(STOPS, engine=name).start(1) for name in ("interpreter", "native"))
    table = one.flat(0, Stream(1), 3, limit=limit)
    assert table == other.flat(0, Stream(1), 3, limit=limit)
    assert [(option.count, option.failed) for option in table.options] == [(3, 0), (0, 3), (3, 0)]
    assert table.scores(0) == (0, None, 2)


def test_engines_score_alike_what_is_cut_off_in_a_stage_of_teams():
    """Scores are those of the end, where no team but the first is current."""
    states = both(Game.from_text(TEAMS), 1, 1)
    one, other = (state.flat(state.player, Stream(1), 1, limit=1) for state in states)
    assert one == other
    assert one.count == 1


def test_shared_worlds_make_differences_less_noisy():
    """The difference between two options varies less if both are tried in the same worlds."""
    state = Game.load("leduc").start(2)

    def noise(*, shared):
        tables = [state.flat(state.player, Stream(seed), 20, shared=shared) for seed in range(60)]
        gaps = [one.scores(0)[0] - one.scores(0)[-1] for one in tables]
        mean = sum(gaps) / len(gaps)
        return sum((gap - mean) ** 2 for gap in gaps)

    assert noise(shared=True) < noise(shared=False)


def test_a_table_looks_at_nothing_hidden():
    """From all states that the seat cannot tell apart, the same stream gives the same table."""
    game = Game.load("hearts")
    state = played(game, 3, 5)
    table = state.flat(state.player, Stream(7), 4)
    for seed in range(5):
        other = state.determinise(state.player, Stream(seed), "basic")
        assert other.flat(state.player, Stream(7), 4) == table
    before = state.copy()
    state.flat(state.player, Stream(7), 4, limit=3)
    assert state == before


def test_trials_are_about_the_decision_as_it_was():
    """Runs go on with the same streams, and do not follow a state that is played on."""
    state = Game.load("hearts").start(5)
    stream, other = Stream(1), Stream(1)
    trials = state.trials(state.player, stream)
    together = trials.run(FlatPlan(2)) + trials.run(FlatPlan(3))
    assert together == state.flat(state.player, other, 5)
    assert stream.words == other.words
    asked = state.option_count
    state.play(0)
    assert len(trials.run(FlatPlan(1)).options) == asked


def test_only_one_option_is_tried():
    """The others stay empty; the one has as many rollouts as asked for."""
    state = Game.load("hearts").start(5)
    table = state.flat(state.player, Stream(1), 7, only=2)
    assert [one.count for one in table.options] == [7 * (i == 2) for i in range(state.option_count)]
    assert table.scores(0).count(None) == state.option_count - 1


def test_what_makes_no_sense_is_refused():
    """Seats that do not decide, options that are not there, and numbers out of range."""
    state = Game.load("hearts").start(5)
    seat = state.player
    with pytest.raises(IllegalOptionError, match="p2 does not have to decide"):
        state.flat(1 if seat != 1 else 2, Stream(1), 1)
    for wrong in (-1, state.option_count):
        with pytest.raises(IllegalOptionError, match="no option"):
            state.flat(seat, Stream(1), 1, only=wrong)
    for numbers in ((-1, 1, 0), (1, 0, 0), (1, 1, -1)):
        with pytest.raises(ValueError, match="deals from 0"):
            state.flat(seat, Stream(1), numbers[0], numbers[1], limit=numbers[2])
    assert state.flat(seat, Stream(1), 0) == FlatTable((Rollouts.none(4),) * state.option_count)
