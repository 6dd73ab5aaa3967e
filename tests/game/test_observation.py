"""Observations and picks: all that a seat sees, and nothing that it does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardwright import Batch, Card, Game, GameError, Stream
from cardwright.game.find import library_names
from cardwright.game.option import Unseen
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from generated import programs

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

NATIVE = {name: Game.load(name, engine="native") for name in library_names()}


def played(game, seed, decisions):
    state, stream = game.start(seed), Stream(seed)
    for _ in range(decisions):
        if state.finished:
            break
        state.play(stream.below(state.option_count))
    return state


def named(batch, seat=None, at=0):
    row = batch.observe(seat)[at]
    names = batch.observation_names
    assert len(set(names)) == len(names) == len(row)
    return dict(zip(names, row.tolist(), strict=True))


def seen_in(view, game):
    """What an observation has of cards and stored values, worked out from a view."""
    program, namer = game.program, game.namer
    cards = [namer.card(card) for card in game.cards]
    names = [name if cards.count(name) == 1 else f"{name} ({at})" for at, name in enumerate(cards)]
    backs = {card.back for card in game.cards}
    found = {}
    for location, pile in view.locations.items():
        owner, kind, name, at = location
        place = f"{program.owner_name(owner)} {kind} {name}{f' {at}' if at else ''}"
        for position, card in enumerate(pile):
            back = card.back if isinstance(card, Card) else card.name
            key = f"{place} count {back}" if len(backs) > 1 else f"{place} count"
            found[key] = found.get(key, 0) + 1
            if isinstance(card, Card):
                found[f"{place}: {names[card.id]}"] = position + 1
    for (owner, name), value in view.integers.items():
        cut = max(min(value, 2**31 - 1), -(2**31))
        found[f"{program.owner_name(owner)} sto {name}"] = cut
    for (owner, name), value in view.strings.items():
        found[f"{program.owner_name(owner)} str {name}"] = value
    return found


def read(found, batch):
    """What an observation has of cards and stored values, by name."""
    kept = {}
    made = {}
    for name, value in found.items():
        first, second, *_ = [*name.split(" ", 2), ""]
        if first == "made":
            number = second.removesuffix(":")
            made.setdefault(number, {})[name.removeprefix(f"made {number}")] = value
        elif not value or first in {"me", "to", "choice"} or second in {"cycle", "points"}:
            continue
        else:
            kept[name] = batch.texts[value] if second == "str" else value
    kinds = ["vloc", "iloc", "hloc", "oloc", "mem"]
    for parts in made.values():
        owner, kind, name, at = (parts.pop(f" {w}") for w in ("owner", "kind", "name", "index"))
        if owner:
            program = batch.game.program
            place = f"{program.owner_name(owner - 1)} {kinds[kind - 1]} {batch.texts[name]}"
            place += f" {at}" if at else ""
            kept |= {place + rest: value for rest, value in parts.items() if value}
        else:
            assert not any(parts.values())
    return kept


def check(state, seats):
    batch = Batch.of([state])
    for seat in seats:
        found = named(batch, seat)
        assert read(found, batch) == seen_in(state.view(seat), state.game)
        assert [found[f"me p{one + 1}"] for one in seats] == [int(one == seat) for one in seats]
        mover = [found[f"to decide p{one + 1}"] for one in seats]
        assert mover == [int(one == state.player) for one in seats]
        choices = [value for name, value in found.items() if name.startswith("choice at ")]
        assert sum(choices) == int(seat == state.player)


@pytest.mark.parametrize("name", library_names())
def test_an_observation_is_the_view_of_a_seat(name):
    """Cards with their positions, counts and stored values are those of the view, and no others."""
    for decisions in (0, 1, 6, 25, 10_000):
        check(played(NATIVE[name], 5, decisions), range(NATIVE[name].players))


@pytest.mark.parametrize("name", library_names())
def test_whoever_decides_observes(name):
    """Without a seat every row is that of the one to decide; of games that are over, zeros."""
    game = NATIVE[name]
    batch = Batch.of([played(game, seed, 7 * seed) for seed in range(6)])
    found = batch.observe()
    assert found.dtype == np.int32
    for seat in range(game.players):
        mine = batch.players == seat
        assert (found[mine] == batch.observe(seat)[mine]).all()
    assert not found[batch.finished].any()
    assert batch.observe(0)[:, 0].all()


def test_locations_made_in_play_are_observed():
    """They come by their first cards, with owner, kind, name and index; backs are told apart."""
    game = Game.from_source(Source("pool", POOL), engine="native")
    assert game._engine.native.layout.places.pool
    for seed in range(40):
        for decisions in range(7):
            check(played(game, seed, decisions), range(2))


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
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
        for mode in ("basic", "known"):
            try:
                other = Batch.of([state.determinise(seat, stream, mode)])
            except GameError:
                continue
            assert (other.observe(seat) == mine.observe(seat)).all()


@pytest.mark.parametrize("name", library_names())
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


@pytest.mark.parametrize("name", library_names())
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
    """The location of a number: those made in play are found in the observation."""
    places = batch._engine.native.layout.places
    if number < places.fixed:
        return places.locations[number]
    found = named(batch, int(batch.players[0]))
    made = f"made {number - places.fixed} "
    kinds = ["vloc", "iloc", "hloc", "oloc", "mem"]
    owner, kind, name, at = (found[made + word] for word in ("owner", "kind", "name", "index"))
    return owner - 1, kinds[kind - 1], batch.texts[name], at


def test_large_integers_are_cut_off():
    """An observed integer has 4 bytes; what does not fit is the largest or smallest that does."""
    text = """(game
     (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
     (do ((set (game sto BIG) (* 3000000000 1)) (set (game sto SMALL) (- 0 3000000000))
      (set (game sto FITS) (- 0 7))))
     (choice ((turn pass))) (scoring max 0))"""
    found = named(Game.from_source(Source("big", text), engine="native").batch(1, 1))
    assert found["game sto BIG"] == 2**31 - 1
    assert found["game sto SMALL"] == -(2**31)
    assert found["game sto FITS"] == -7
