"""Fast views show what views show, and no more."""

from __future__ import annotations

import pytest

from cardwright import Game, Location, Seat, Stream
from cardwright.game import LocationKind
from cardwright.game.actions.fast_view import FastViewSpec
from cardwright.interpreter.world import sees
from cardwright.players.player import Decision

GAMES = [("hearts", {"preset": "standard"}), ("gofish", {})]


@pytest.mark.parametrize("engine", ["native", "interpreter"])
@pytest.mark.parametrize(("name", "declared"), GAMES)
def test_a_fast_view_agrees_with_the_view(name: str, declared: dict, engine: str) -> None:
    """At all places that a seat sees, and for all stored values, through a game's beginning."""
    game = Game.load(name, engine=engine, **declared)
    state, stream = game.start(2), Stream(2)
    looks: dict[tuple[int, frozenset[Location]], FastViewSpec] = {}
    for _ in range(40):
        if state.player is None:
            break
        for seat in map(Seat, range(game.players)):
            view = state.view(seat)
            places = [place for place in state.locations() if sees(game.program, seat, place)]
            cells, words = list(view.integers), list(view.strings)
            key = seat, frozenset(places)
            look = looks.setdefault(key, FastViewSpec(game.program, seat, places, cells, words))
            fast_view = state.fast_view(look)
            for place, found in zip(look.places, fast_view.cards, strict=True):
                assert found == tuple(card.id for card in view.cards(place))
            for cell, value in zip(look.integers, fast_view.integers, strict=True):
                assert value == view.integers.get(cell, 0)
            for cell, word in zip(look.strings, fast_view.strings, strict=True):
                assert word == view.strings.get(cell, "")
        state.play(stream.below(state.option_count))
    assert any(look.places for look in looks.values())


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_what_is_not_there_is_empty(engine: str) -> None:
    game = Game.load("hearts", engine=engine)
    table = game.program.table
    look = FastViewSpec(
        game.program,
        Seat(0),
        [Location(table, LocationKind.VISIBLE, "NOWHERE")],
        [(table, "NOTHING")],
        [(table, "NOTHING")],
    )
    assert game.start(1).fast_view(look) == (((),), (0,), ("",))


def test_negative_integers() -> None:
    game = Game.from_text("""(game (setup (create players 2)
      (create deck (game iloc STOCK) (deck (VAL (A, B)))))
     (do ((set (game sto DEBT) (- 0 7)) (set ((2 player) sto DEBT) (- 0 300))))
     (choice ((inc (game sto DEBT)) (dec (game sto DEBT))))
     (scoring max (game sto DEBT)))""")
    owner = game.program.table
    look = FastViewSpec(game.program, Seat(0), [], [(owner, "DEBT"), (1, "DEBT")])
    assert game.start(1).fast_view(look).integers == (-7, -300)


POOL = """(game
 (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D)))))
 (do ((inc (game sto ROW) 70)))
 (stage player (end (== (size (game iloc STOCK)) 0))
  (choice ((move (top (game iloc STOCK)) (top (game vloc ROW (* 100 (game sto ROW))))))))
 (scoring max 0))"""


def test_places_that_are_found_in_play() -> None:
    """A native state has no room of their own for these."""
    state = Game.from_text(POOL).start(1)
    state.play(0)
    place = next(one for one in state.locations() if one.name == "ROW")
    assert place.at == 7000
    fast_view = state.fast_view(FastViewSpec(state.game.program, Seat(0), [place]))
    assert len(fast_view.cards[0]) == 1


def test_no_look_at_what_is_hidden() -> None:
    game = Game.load("hearts")
    hand = Location(1, LocationKind.INVISIBLE, "HAND")
    FastViewSpec(game.program, Seat(1), [hand])
    with pytest.raises(ValueError, match="p1 does not see p2 iloc HAND"):
        FastViewSpec(game.program, Seat(0), [hand])


def test_looks_are_for_their_game_and_seat() -> None:
    hearts, other = Game.load("hearts"), Game.load("hearts", PLAYERS=3)
    look = FastViewSpec(hearts.program, Seat(1), [])
    with pytest.raises(ValueError, match="not for hearts"):
        other.start(1).fast_view(look)
    state = hearts.start(1)
    decision = Decision(Seat(0), state.option_count, Stream(1), state, 0)
    with pytest.raises(ValueError, match="a fast view of p2 cannot be one of p1"):
        decision.fast_view(look)
    assert decision.game is hearts
    assert hearts.with_engine("interpreter").start(1).fast_view(look) == ((), (), ())


def test_one_look_for_both_engines() -> None:
    """A look that was used with one engine is right with the other, and with the first again."""
    game = Game.load("hearts")
    states = [game.with_engine(name).start(3) for name in ("native", "interpreter", "native")]
    hand = Location(0, LocationKind.INVISIBLE, "HAND")
    look = FastViewSpec(game.program, Seat(0), [hand])
    assert len({state.fast_view(look) for state in states}) == 1
