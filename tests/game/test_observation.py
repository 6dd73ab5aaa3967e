"""Observations and picks: all that a seat sees, and nothing that it does not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardwright import Batch, Card, Game, GameError, Stream
from cardwright.game.actions.observation import observe_world
from cardwright.game.find import library_names
from cardwright.game.option import Unseen
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import some_games, usually
from generated import programs
from loaded import NATIVE

POOL = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D))))
  (create deck BLUE (game vloc OPEN) (deck (VAL (A, B)))))
 (do ((repeat 2 (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))))
 (stage player (end (> (game sto TURNS) 5))
  (do ((inc (game sto TURNS))))
  (choice (
   ((> (size (game iloc ROW 100)) 0)
     (move (top (game iloc ROW 100)) (top (game iloc STOCK))))
   (any ((1 player) iloc HAND) 'C
     (move 'C (top (game iloc ROW (* 100 (game sto TURNS))))))
   ((> (size (game iloc STOCK)) 0)
     (move (top (game iloc STOCK)) (top ((2 player) iloc ROW (* 100 (game sto TURNS))))))
   ((> (size (game vloc OPEN)) 0)
     (any (indexed game iloc ROW) 'R (move (top (game vloc OPEN)) (top 'R))))
   (turn pass))))
 (scoring max 0))"""


def played(game, seed, decisions):
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        if state.finished:
            break
        state.play(stream.below(state.option_count))
    return state


def named(state, seat):
    row = state.observation(seat)
    columns = state.game.observation.columns
    assert len(set(columns)) == len(columns) == len(row)
    return {name: float(value) for name, value in zip(columns, row, strict=True) if value}


def relative_name(program, owner, seat):
    """What a seat calls an owner: itself, the next seat, its own team, or the table."""
    if owner == program.table:
        return "game"
    word, number, count = "me", owner - seat, program.players
    if owner >= program.players:
        own = next((at for at, team in enumerate(program.teams) if seat in team), 0)
        word, number, count = "team", owner - program.players - own, len(program.teams)
    return f"{word}+{number % count}" if number % count else word


def seen_in(state, seat):
    """What an observation has, worked out from the seat's view."""
    game = state.game
    program, view = game.program, state.view(seat)
    cards = [game.namer.card(card) for card in game.cards]
    cards = [name if cards.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(cards)]
    backs = Counter(card.back for card in game.cards)
    scales = dict(zip(game.observation.columns, game.observation.scales.tolist(), strict=True))
    found = {f"seat p{seat + 1}": 1}
    if state.player is not None:
        found[f"{relative_name(program, state.player, seat)} decides"] = 1
    made = 0
    piles = state._board.world().piles
    for location, pile in view.locations.items():
        whose = relative_name(program, location.owner, seat)
        place = f"{whose} {location.kind} {location.name}{f' {location.at}' if location.at else ''}"
        if f"{place} count" not in scales and f"{place} count {game.cards[0].back}" not in scales:
            found[f"made {made} {whose} {location.kind} {location.name}"] = 1
            place, made = f"made {made}", made + 1
            found[f"{place} index"] = location.at
        for position, card in enumerate(pile):
            back = card.back if isinstance(card, Card) else card.name
            key = f"{place} count {back}" if len(backs) > 1 else f"{place} count"
            found[key] = found.get(key, 0) + 1 / backs[back]
            if isinstance(card, Card):
                lying = (position + 1) / len(pile) if piles[location].ordered else 1
                found[f"{place}: {cards[card.id]}"] = lying
    for (owner, name), value in view.integers.items():
        column = f"{relative_name(program, owner, seat)} sto {name}"
        found[column] = value / scales[column]
    for (owner, name), value in view.strings.items():
        found[f"{relative_name(program, owner, seat)} str {name} {value}"] = 1
    return found | cycles_in(view, state)


def cycles_in(view, state):
    program, world = state.game.program, state._board.world()
    found = {}
    for at, cycle in enumerate(world.players):
        found[f"player cycle {at} current {relative_name(program, cycle.current, view.seat)}"] = 1
        if cycle.queued is not None:
            found[f"player cycle {at} queued {relative_name(program, cycle.queued, view.seat)}"] = 1
    for at, cycle in enumerate(world.teams[1:]):
        team = relative_name(program, program.players + cycle.current, view.seat)
        found[f"team cycle {at + 1} current {team}"] = 1
        if cycle.queued is not None:
            team = relative_name(program, program.players + cycle.queued, view.seat)
            found[f"team cycle {at + 1} queued {team}"] = 1
    return found


def check(state, seats):
    """What each seat observes is in its view, in the bounds, and the same on both engines."""
    layout = state.game.observation
    for seat in seats:
        found = named(state, seat)
        choices = [name for name in found if name.startswith("choice at ")]
        assert len(choices) == int(seat == state.player)
        rest = {name: value for name, value in found.items() if name not in choices}
        assert rest == pytest.approx({k: v for k, v in seen_in(state, seat).items() if v}, rel=1e-6)
        row = state.observation(seat)
        assert (layout.low <= row).all()
        assert (row <= layout.high).all()
        assert (Batch.of([state]).observe(seat)[0] == row).all()
        assert (observe_world(layout, state._board.world(), seat, state.player) == row).all()


@pytest.mark.parametrize("name", some_games(library_names()))
def test_an_observation_is_the_view_of_a_seat(name):
    """Cards, counts, stored values and cycles are those of the view, and there are no others."""
    for decisions in (0, 1, 6, 25, 10_000):
        check(played(NATIVE[name], 5, decisions), range(NATIVE[name].players))


@pytest.mark.parametrize("name", some_games(library_names()))
def test_both_engines_observe_the_same(name):
    """The layout is the same, and every seat observes the same, on its way and at the end."""
    game, stream = NATIVE[name].with_engine("interpreter"), Stream(3)
    assert game.observation == NATIVE[name].observation
    assert game.observation.columns == NATIVE[name].observation.columns
    here, there = game.start(3), NATIVE[name].start(3)
    for decision in range(31):
        if decision % 6 == 0 or here.finished:
            for seat in range(game.players):
                assert (here.observation(seat) == there.observation(seat)).all()
        if here.finished:
            break
        choice = stream.below(here.option_count)
        here.play(choice)
        there.play(choice)


@pytest.mark.parametrize("name", some_games(library_names()))
def test_whoever_decides_observes(name):
    """Without a seat every row is that of the one to decide; of games that are over, zeros."""
    game = NATIVE[name]
    batch = Batch.of([played(game, seed, 7 * seed) for seed in range(6)])
    found = batch.observe()
    assert found.dtype == np.float32
    for seat in range(game.players):
        mine = batch.players == seat
        assert (found[mine] == batch.observe(seat)[mine]).all()
    assert not found[batch.finished].any()
    assert batch.observe(0)[:, 0].all()


def test_all_seats_observe_alike():
    """In a game that treats seats alike, turned by a seat, the next one observes the same."""
    game = NATIVE["hearts"]
    state = game.start(1)
    state.play(0)
    first = state.observation(0)
    names = game.observation.columns
    hands = [f"{whose} iloc HAND count" for whose in ("me", "me+1", "me+2", "me+3")]
    sizes = [len(state.cards(seat, "iloc", "HAND")) for seat in range(4)]
    assert sizes == [12, 13, 13, 13]
    for seat in range(4):
        row = state.observation(seat)
        found = [round(52 * row[names.index(name)]) for name in hands]
        assert found == [sizes[(seat + at) % 4] for at in range(4)]
    assert first[names.index("me+1 decides")] == 1
    assert state.observation(1)[names.index("me decides")] == 1


def test_rows_are_written_in_place():
    """An array that is given is filled, what was there before is gone, and no other will do."""
    batch = NATIVE["leduc"].batch(3, 1)
    width = batch.game.observation.size
    out = np.full((3, width), 7, np.float32)
    assert batch.observe(1, out) is out
    assert (out == batch.observe(1)).all()
    for wrong in (
        np.zeros((3, width)),
        np.zeros((3, width + 1), np.float32),
        np.zeros((width, 3), np.float32).T,
        np.zeros((3, 2 * width), np.float32)[:, ::2],
    ):
        with pytest.raises(ValueError, match=r"contiguous array of numpy.float32"):
            batch.observe(1, wrong)


def test_locations_made_in_play_are_observed():
    """They come by their first cards, with owner, kind, name and index; backs are told apart."""
    game = Game.from_source(Source("pool", POOL), engine="native")
    assert game._engine.native.layout.places.pool
    for seed in range(usually(12, 40)):
        for decisions in range(7):
            check(played(game, seed, decisions), range(2))


@settings(max_examples=usually(2, 8), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_nothing_unseen_leaks(text, seed):
    """In generated games a determinised state gives the seat the observation of the true one."""
    game = Game.from_source(Source("generated", text), limits=GameLimits(300, 40), engine="native")
    stream = Stream(seed)
    try:
        state = game.start(seed)
        for _ in range(12):
            if state.finished:
                break
            unseen(state, stream)
            check(state, range(3))
            picked(state)
            state.play(stream.below(state.option_count))
    except GameError:
        return


def unseen(state, stream):
    mine = Batch.of([state])
    for seat in range(state.game.players):
        for mode in ("basic", "known", "consistent"):
            try:
                other = Batch.of([state.determinise(seat, stream, mode)])
            except GameError:
                continue
            assert (other.observe(seat) == mine.observe(seat)).all()


@pytest.mark.parametrize("name", some_games(library_names()))
def test_determinising_changes_no_observation(name):
    """What a seat does not see makes no difference to what it observes, nor to its picks."""
    for decisions in (1, 8, 30):
        state, stream = played(NATIVE[name], 3, decisions), Stream(decisions)
        if state.finished:
            continue
        unseen(state, stream)
        seat = state.player
        mine = Batch.of([state]).picks()
        for _ in range(3):
            other = Batch.of([state.determinise(seat, stream)]).picks()
            for one, two in zip(mine, other, strict=True):
                assert (one == two).all()


@pytest.mark.parametrize("name", some_games(library_names()))
def test_picks_are_those_of_the_options(name):
    """Branches and items are what the contents of a state's options have."""
    for decisions in (0, 3, 20, 41):
        picked(played(NATIVE[name], 11, decisions))


def test_picks_of_locations_made_in_play():
    """A location made in play is picked by its number among those that are observed."""
    game = Game.from_source(Source("pool", POOL), engine="native")
    places = set()
    for seed in range(60):
        for decisions in range(7):
            state = played(game, seed, decisions)
            picked(state)
            if not state.finished:
                places |= set(Batch.of([state]).picks().items.flatten().tolist())
    fixed = game._engine.native.layout.places.fixed
    assert {-3, -2, fixed, fixed + 1} <= places


def picked(state):
    batch = Batch.of([state])
    found = batch.picks(state.option_count + 2)
    assert not found.cards[0, state.option_count :].any()
    assert (found.branches[0, state.option_count :] == -1).all()
    assert (found.items[0, state.option_count :] == -1).all()
    for at, content in enumerate(state.contents()):
        branch = batch.branches[found.branches[0, at]]
        items, cards = found.items[0, at].tolist(), set()
        assert all(item == -1 for item in items[len(content.picks) :])
        kinds = dict(branch.picks)
        for (variable, value), item in zip(content.picks, items, strict=False):
            kind = kinds[variable]
            if isinstance(value, Unseen):
                assert item == -2 - value.ordinal
            elif kind == "card":
                assert item == value
                cards.add(value)
            elif kind == "group":
                cards |= set(value)
                assert item >= 0
            elif kind == "string":
                assert batch.texts[item] == value
            elif kind == "place" and item < 0:
                assert not state.locations()[value]
            elif kind == "place":
                assert place_named(batch, item) == value
            else:
                assert item == value
        assert set(np.flatnonzero(found.cards[0, at]).tolist()) == cards


def place_named(batch, number):
    """The location of a number: those made in play are counted by their first cards."""
    if number < len(batch.places):
        return batch.places[number]
    made = [one for one in batch.state(0).view(0).locations if one not in batch.places]
    return made[number - len(batch.places)]


def test_integers_are_scaled_where_they_are_bounded():
    """By the largest magnitude that the rules can store; others are kept, and have no bounds."""
    text = """(game
     (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
     (do ((set (game sto BIG) (* 3000000000 1)) (set (game sto FITS) (- 0 7))
      (repeat 3 (inc (game sto UP)))))
     (choice ((turn pass))) (scoring max 0))"""
    game = Game.from_source(Source("big", text), engine="native")
    layout, row = game.observation, game.start(1).observation(0)
    at = {name: layout.columns.index(f"game sto {name}") for name in ("BIG", "FITS", "UP")}
    assert [row[at[name]] for name in at] == [3_000_000_000, -1, 3]
    assert [layout.scales[at[name]] for name in at] == [1, 7, 1]
    bounds = [(layout.low[at[name]], layout.high[at[name]]) for name in at]
    assert bounds == [(0, np.inf), (-1, 0), (0, np.inf)]
