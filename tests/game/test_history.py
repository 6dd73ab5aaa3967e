"""Observations of the latest choices: the same from states of both engines and from batches."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from cardwright import Batch, Game, Stream
from cardwright.game.actions.observation import layout_of
from cardwright.game.find import library_names
from cardwright.game.option import Unseen
from cardwright.program import nodes as n
from cardwright.program.cards import Location
from cardwright.program.chains import choosing
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from deep import some_games
from loaded import NATIVE


def latest(state, seat, history):
    """What a seat saw of the latest choices, by column, worked out from its record."""
    game, cards_in = state.game, cards_of(state.game)
    names = [game.namer.card(card) for card in game.cards]
    names = [name if names.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(names)]
    found, unsure = set(), set()
    for ago, decision in enumerate(state.record(seat)[::-1][:history], start=1):
        found.add(f"{ago} ago {relative(decision.seat - seat, game.players)}")
        before = game.replay(state.seed, state.choices[:-ago])
        found.add(f"{ago} ago at {branch_of(before, decision.content.branch)}")
        for variable, value in decision.content.picks:
            cards = ()
            if isinstance(value, Location):
                found.add(f"{ago} ago {variable.removeprefix(chr(39))} place")
            elif isinstance(value, tuple):
                cards = value
            elif variable in cards_in and isinstance(value, int):
                cards = (value,)
            elif not isinstance(value, Unseen):
                found |= {f"{ago} ago {name}" for name in said(game, variable, value, seat)}
            found |= {f"{ago} ago: {names[card]}" for card in cards}
            if isinstance(value, Unseen) and variable not in cards_in:
                unsure.add(f"{ago} ago: ")  # of a group some cards may have been seen
    return found, tuple(unsure)


def relative(number, count, word="me"):
    return f"{word}+{number % count}" if number % count else word


def kinds_of(game, variable):
    forms = choosing(game.program.nodes())
    return {ITEM_KINDS[form.collection.kind] for form in forms if form.variable.name == variable}


def cards_of(game):
    forms = choosing(game.program.nodes())
    cards = [form for form in forms if ITEM_KINDS[form.collection.kind] is ValueKind.CARD]
    return {form.variable.name for form in cards}


def branch_of(state, number):
    """Where a branch of the choice that is due begins, by line and column."""
    source = state.game.program.source
    (column,) = [
        name
        for name, value in zip(
            state.game.observation.columns, state.observation(state.player), strict=True
        )
        if value and name.startswith("choice at ")
    ]
    for node in state.game.program.nodes():
        place = source.position(node.span.start)
        if isinstance(node, n.Choice) and column == f"choice at {place.line}:{place.column}":
            place = source.position(node.steps[number].span.start)
            return f"{place.line}:{place.column}"
    raise AssertionError(column)


def said(game, variable, value, seat):
    """What a pick that is no card is called by a seat; an integer of 0 is in no column."""
    (kind,) = kinds_of(game, variable)
    name, teams = variable.removeprefix("'"), game.program.teams
    if kind is ValueKind.PLAYER:
        return [f"{name} {relative(value - seat, game.players)}"]
    if kind is ValueKind.TEAM:
        own = next((at for at, team in enumerate(teams) if seat in team), 0)
        return [f"{name} {relative(value - own, len(teams), 'team')}"]
    if kind is ValueKind.STRING:
        return [f"{name} {value}"]
    return [name] if value else []


@pytest.mark.parametrize("name", some_games(library_names()))
def test_the_latest_choices_are_observed(name):
    """Of each the seat and the cards that the observer saw, by State and Batch, on both engines."""
    game, seeds = NATIVE[name], [4, 5]
    layout, first = game.observation_layout(history=2), game.observation.size
    assert layout.columns[:first] == game.observation.columns
    batch = game.batch(2, seeds, history=2)
    assert batch.observation == layout
    streams = batch.seat_streams(seeds)
    here = [game.start(seed) for seed in seeds]
    there = [game.with_engine("interpreter").start(seed) for seed in seeds]
    for _ in range(9):
        for seat in range(game.players):
            rows = batch.observe(seat)
            for at, (one, two) in enumerate(zip(here, there, strict=True)):
                row = one.observation(seat, layout)
                assert (row == two.observation(seat, layout)).all()
                assert (row == rows[at]).all()
                assert (row[:first] == one.observation(seat)).all()
        for one in here:
            row = one.observation(seat, layout)[first:]
            seen = {layout.columns[first + at] for at in np.flatnonzero(row)}
            found, unsure = latest(one, seat, 2)
            assert found <= seen
            assert all(column.startswith(unsure) for column in seen - found)
        choices = batch.random_step(streams, threads=2)
        for one, two, choice in zip(here, there, choices.tolist(), strict=True):
            if choice >= 0:
                one.play(choice)
                two.play(choice)


@pytest.mark.parametrize("name", some_games(library_names()))
def test_determinising_changes_no_history(name):
    """The seat observes the same in a determinised state, also when more has happened there."""
    game = NATIVE[name]
    layout, stream = game.observation_layout(4), Stream(2)
    state = game.start(2)
    for _ in range(5):
        if not state.finished:
            state.play(stream.below(state.option_count))
    if state.finished:
        return
    seat = state.player
    world = state.determinise(seat, stream)
    assert (world.observation(seat, layout) == state.observation(seat, layout)).all()
    choice = next(
        at for at, content in enumerate(world.contents()) if content == state.contents()[0]
    )
    state.play(0)
    world.play(choice)
    own = slice(game.observation.size, None)
    assert (world.observation(seat, layout)[own] == state.observation(seat, layout)[own]).all()


def test_other_seats_of_a_determinised_state_recall_what_all_saw():
    """A card that is passed unseen is recalled by who passed it, and not by others made anew."""
    game = Game.load("hearts", PASS=3)
    state = game.start(1)
    layout = game.observation_layout(1)
    cards = slice(-len(game.cards), None)
    seat = state.player
    state.play(0)
    assert state.observation(seat, layout)[cards].any()
    world = state.determinise((seat + 1) % 4, Stream(1))
    assert not world.observation(seat, layout)[cards].any()
    assert world.observation(seat, layout)[layout.columns.index("1 ago me")]


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_histories_go_along_with_states(engine):
    """With copies, undo and pickles; by hand as with a seed."""
    game = Game.load("gofish", engine=engine)
    layout = game.observation_layout(3)
    state, stream = game.start(1), Stream(1)
    rows = [state.observation(0, layout)]
    for _ in range(20):
        state.play(stream.below(state.option_count))
        rows.append(state.observation(0, layout))
    world = state.determinise(0, stream)
    world.play(0)
    for one in (state, world, world.determinise(1, stream)):
        again = pickle.loads(pickle.dumps(one))
        for seat in range(game.players):
            assert (again.observation(seat, layout) == one.observation(seat, layout)).all()
    twin = copy.copy(state)
    for back in (1, 4, 15):
        twin.undo(back)
        assert (twin.observation(0, layout) == rows[len(twin.choices)]).all()
    more = game.observation_layout(6)
    fresh = game.replay(1, state.choices)
    assert (state.observation(0, more) == fresh.observation(0, more)).all()


def test_histories_go_along_with_batches():
    """With copies, pickles and states of games, and are empty when a game is restarted."""
    game = NATIVE["leduc"]
    layout = game.observation_layout(2)
    batch = game.batch(3, [1, 2, 3], history=2)
    batch.step([0, 1, 1])
    rows = batch.observe(0)
    own = rows[:, game.observation.size :]
    assert own.any(axis=1).all()
    for other in (batch.copy(), pickle.loads(pickle.dumps(batch))):
        assert (other.observe(0) == rows).all()
        assert other.observation == layout
    for at in range(3):
        state = batch.state(at)
        for again in (state, pickle.loads(pickle.dumps(state)), state.copy()):
            assert (again.observation(0, layout) == rows[at]).all()
    states = [game.replay(seed, [seed % 2]) for seed in (1, 2)]
    found = Batch.of(states, history=2).observe(1)
    assert (found == [state.observation(1, layout) for state in states]).all()
    assert (Batch.of([batch.state(1)], history=2).observe(0) == rows[1]).all()
    batch.reset(np.array([True, False, False]), [9])
    after = batch.observe(0)
    assert (after[0] == game.start(9).observation(0, layout)).all()
    assert (after[1:] == rows[1:]).all()


def test_histories_of_actions():
    """Steps by actions recall the options that they make."""
    game = NATIVE["leduc"]
    batch, twin = game.batch(2, [1, 2], history=3), game.batch(2, [1, 2], history=3)
    for _ in range(3):
        options = [batch.state(at).action_of(0) for at in range(2)]
        batch.step_actions(np.array(options))
        twin.step(np.zeros(2, int))
        assert (batch.observe(0) == twin.observe(0)).all()


def test_faults_of_games_that_recall():
    """A game that breaks a rule is over, with its error, as in any batch."""
    text = """(game (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
     (choice ((turn pass) (turn pass)))
     (do ((repeat 3 (move (top (game iloc STOCK)) (top (game vloc OPEN))))))
     (scoring max 0))"""
    batch = Game.from_text(text).batch(2, [1, 2], history=1)
    batch.step([0, 1])
    assert {str(error).splitlines()[0] for error in batch.faults.values()} == {
        str(error).splitlines()[0] for error in batch_without(text).values()
    }


def batch_without(text):
    batch = Game.from_text(text).batch(2, [1, 2])
    batch.step([0, 1])
    return batch.faults


def test_mistakes():
    """Layouts of other games, and numbers that make no sense."""
    game, other = NATIVE["leduc"], NATIVE["kuhn"]
    with pytest.raises(ValueError, match="not of leduc"):
        game.start(1).observation(0, other.observation_layout(1))
    with pytest.raises(ValueError, match="0 or more of the latest choices, not -1"):
        game.observation_layout(-1)
    with pytest.raises(ValueError, match="not -2"):
        game.batch(1, 1, history=-2)


def test_a_layout_that_was_made_again_is_the_same():
    """Layouts are kept for some games only; that of any game is taken all the same."""
    game = NATIVE["leduc"]
    layout = game.observation_layout(2)
    layout_of.cache_clear()
    assert game.observation_layout(2) is not layout
    assert game.observation_layout(2) == layout
    assert game.observation_layout(1) != layout
    assert hash(game.observation_layout(2)) == hash(layout)
    assert game.start(1).observation(0, layout).shape == (layout.size,)
