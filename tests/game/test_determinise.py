"""Determinisation: it agrees with what a seat sees, and is uniform over the rest."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from cardwright import Game, GameError, IllegalOptionError, State, Stream
from cardwright.interpreter.machine import GameLimits
from cardwright.program.cards import Location, LocationKind, OwnerId
from cardwright.syntax.source import Source
from deep import usually
from generated import programs

MODES = ("basic", "known")
HAND = Location(OwnerId(1), LocationKind.INVISIBLE, "HAND")

SMALL = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C))))
  (create deck BLUE ((2 player) iloc HAND) (deck (VAL (X, Y)))))
 (do (
  (repeat 2 (move (top (game iloc STOCK)) (top ((2 player) iloc HAND))))
  (repeat 1 (move (top (game iloc STOCK)) (top ((2 player) hloc FACE_DOWN))))
  {read}))
 (choice ((turn pass)))
 (scoring max 0))"""

READ = "(set (game str S) (cardatt VAL (top ((2 player) iloc HAND))))"
"""A form that gives the hand an order; without one its cards lie by number."""

TAKEN = """(game
 (setup (create players 2) (create deck (game vloc ROW) (deck (VAL (A, B, C, D)))))
 (do (
  (repeat 2 (move (bottom (game vloc ROW)) (top (game hloc ASIDE))))
  (repeat 1 (move (top (game vloc ROW)) (top ((2 player) iloc HAND))))
  (repeat 1 (move (top (game hloc ASIDE)) (top ((2 player) iloc HAND))))))
 (choice ((turn pass) (move (top ((2 player) iloc HAND)) (top (game hloc ASIDE)))
  (move (bottom ((2 player) iloc HAND)) (top (game vloc ROW)))))
 (choice ((turn pass)))
 (scoring max 0))"""


def values(cards):
    return "".join(card.attributes["VAL"] for card in cards)


@pytest.mark.slow
@settings(max_examples=usually(6, 80), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1), st.integers(0, 2), st.sampled_from(MODES))
def test_seat_cannot_tell(text: str, seed: int, seat: int, mode: str) -> None:
    """In generated games a seat's view of a determinised state is its view of the true one."""
    game = Game.from_source(
        Source("generated", text), limits=GameLimits(300, 40), engine="interpreter"
    )
    stream = Stream(seed)
    try:
        state = game.start(seed)
        while not state.finished:
            try:
                other = state.determinise(seat, stream, mode)
            except GameError:
                other = None
            if other is not None:
                compare(state, other, seat)
            state.play(stream.below(state.option_count))
    except GameError:
        assume(False)


def compare(state, other, seat):
    mine, theirs = state.view(seat), other.view(seat)
    for field in ("locations", "integers", "strings", "points", "player"):
        assert getattr(mine, field) == getattr(theirs, field), field


def small(read: str = "") -> State:
    return Game.from_source(Source("small", SMALL.format(read=read))).start(1)


def test_every_deal_is_equally_likely() -> None:
    """Hidden cards are dealt anew uniformly, each back among its own positions."""
    state = small(READ)
    stream = Stream(2)
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(6000):
        other = state.determinise(0, stream)
        hand, aside = (
            values(other.cards(1, kind, name))
            for kind, name in (("iloc", "HAND"), ("hloc", "FACE_DOWN"))
        )
        counts[hand, aside] += 1
    expected = {
        (blue + "".join(plain[:2]), plain[2])
        for blue in ("XY", "YX")
        for plain in permutations("ABC")
    }
    assert set(counts) == expected
    assert (
        sum((n - 500) ** 2 / 500 for n in counts.values()) < 32
    )  # 11 degrees of freedom, p = .001


def test_cards_without_an_order_are_dealt_as_sets() -> None:
    """Every set of cards is equally likely, and lies by number whatever was drawn."""
    state = small()
    assert [back.name for back in state.view(0).cards(HAND)] == ["BLUE"] * 2 + ["DEFAULT"] * 2
    stream = Stream(2)
    counts: Counter[str] = Counter()
    for _ in range(1500):
        other = state.determinise(0, stream)
        assert other.view(0).locations == state.view(0).locations
        counts[values(other.cards(1, "iloc", "HAND"))] += 1
    assert set(counts) == {"ABXY", "ACXY", "BCXY"}
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 13.8  # 2 degrees, p = .001


def test_own_hand_stays() -> None:
    """The owner of the hand sees its cards in it, but not the face-down one."""
    state = small()
    other = state.determinise(1, Stream(5))
    assert other.cards(1, "iloc", "HAND") == state.cards(1, "iloc", "HAND")
    assert values(other.cards(1, "hloc", "FACE_DOWN")) == "A"


def dealt(state, mode):
    stream = Stream(3)
    return {
        (
            values(other.cards(1, "iloc", "HAND")),
            values(other.cards(None, "hloc", "ASIDE")),
        )
        for other in (state.determinise(0, stream, mode) for _ in range(60))
    }


def test_what_was_seen_going_in_stays_known() -> None:
    """Mode known keeps a card taken from an open place.

    From a hidden one nothing is learnt, and a card that leaves a hidden place unseen ends what was
    known of that place.
    """
    state = Game.from_source(Source("taken", TAKEN)).start(1)
    assert dealt(state, "known") == {("DB", "A"), ("DA", "B")}
    assert len(dealt(state, "basic")) == 6


def test_a_hidden_move_ends_what_was_known() -> None:
    """After the opponent laid a card aside unseen, its hand may hold any of the cards."""
    game = Game.from_source(Source("taken", TAKEN))
    moved = game.replay(1, [1])
    assert len(dealt(moved, "known")) == 3 * 2
    shown = game.replay(1, [2])
    assert dealt(shown, "known") == {("B", "A"), ("A", "B")}


@pytest.mark.parametrize("mode", MODES)
def test_same_stream_same_world(mode: str) -> None:
    """The draw depends on what the seat sees and on the stream alone.

    From any state that looks the same to the seat, the same stream gives the same deal.
    """
    state = Game.load("hearts").replay(8, [0, 0, 0, 0, 0])
    other = state.determinise(2, Stream(1), mode)
    first = state.determinise(2, Stream(9), mode)
    second = other.determinise(2, Stream(9), mode)
    assert first.locations() == second.locations()
    assert first.locations() != state.locations()


@pytest.mark.parametrize("engine", ["interpreter", "native"])
@pytest.mark.parametrize("mode", [*MODES, "consistent"])
def test_the_backs_of_cards_by_number_tell_nothing(mode: str, engine: str) -> None:
    """Cards of two backs lie by number together: which places have which back is not seen."""
    more = SMALL.replace("(VAL (X, Y))", "(VAL (X, Y, Z))").replace(
        "(create deck (game", "(create deck BLUE ((2 player) hloc FACE_DOWN) (deck (VAL (U, V))))"
        "\n  (create deck (game", 1
    )  # fmt: skip
    state = Game.from_source(Source("more", more.format(read="")), engine=engine).start(1)
    deals = {state.determinise(0, Stream(seed), mode).locations()[HAND] for seed in range(20)}
    assert len(deals) > 2
    for seed in range(20):
        other = state.determinise(0, Stream(seed), mode)
        assert other.view(0).locations == state.view(0).locations
        again = other.determinise(0, Stream(99), mode)
        assert again.locations() == state.determinise(0, Stream(99), mode).locations()


def test_no_chance_of_the_true_game_is_left() -> None:
    """The determinised game draws from a stream of its own."""
    state = Game.load("crazyeights").start(3)
    one = state.determinise(0, Stream(1))
    other = state.determinise(0, Stream(2))
    assert one.seed is None
    assert one._board.world().stream.words != state._board.world().stream.words
    assert one._board.world().stream.words != other._board.world().stream.words


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_is_not_there(seat: int) -> None:
    state = Game.load("hearts").start(1)
    with pytest.raises(IllegalOptionError, match="there is no seat"):
        state.determinise(seat, Stream(1))
