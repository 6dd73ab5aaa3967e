"""Secrets: what a player stores in one is seen by nobody else, in whatever is shown of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright import Game, GameError, Stream
from cardwright.program.cards import LocationKind, OwnerId
from cardwright.program.check import check
from cardwright.program.places import LocationFamily, place_order
from cardwright.syntax.source import Source
from plain_games import assert_same_play

if TYPE_CHECKING:
    from cardwright import State

ENGINES = ("native", "interpreter")

AUCTION = """(game
 (declare 4 'MOST)
 (setup (create players 3)
  (create deck (game iloc STOCK) (deck (RANK (A, K, Q))))
  (create secret (player isto BID) (range 0 .. 'MOST))
  (create secret (player istr VOTE) (YES, NO)))
 (stage player (end (== (game sto TURNS) 9))
  (choice (
   (any ((current player) isto BID) 'N
    (label (BID 'N) (set ((current player) isto BID) 'N)))))
  (choice (
   (any ((current player) istr VOTE) 'V (label (VOTE 'V) (set ((current player) istr VOTE) 'V)))))
  (do ((inc (game sto TURNS)))))
 (do ((all player 'P (do (
  (set ('P sto BID) ('P isto BID)) (set ('P str VOTE) ('P istr VOTE)))))))
 (choice ((turn pass)))
 (scoring max ((current player) sto BID)))"""


def auction(engine: str) -> Game:
    return Game.from_text(AUCTION, engine=engine)


def shown(state: State, seat: int) -> tuple[object, ...]:
    """Return all that a seat is shown of a game, as bytes or text."""
    layout = state.game.observation_layout(history=4)
    return (
        repr(state.view(seat)),
        repr(state.record(seat)),
        repr(state.knowledge(seat)),
        state.information(seat),
        state.observation(seat, layout).tobytes(),
    )


def laid_out(state: State, seat: int) -> list[str]:
    cards = state.cards(OwnerId(seat), LocationKind.INVISIBLE, "BID")
    return [card.attributes["BID_VALUE"] for card in cards]


def say(state: State, words: str) -> None:
    (option,) = [option for option in state.options() if str(option) == words]
    state.play(option)


@pytest.mark.parametrize("engine", ENGINES)
def test_games_that_differ_in_the_secrets_of_one_seat_look_alike_to_others(engine: str) -> None:
    """Whatever it set before, the same again or another, until they are stored for all to see."""
    game = auction(engine)
    one, other = game.start(1), game.start(1)
    own = {0: (0, 4), 1: (0, 2), 2: (3, 2)}
    for turn in range(9):
        bids = own[turn // 3] if turn % 3 == 0 else (turn % 5, turn % 5)
        votes = ("YES", "NO") if turn % 3 == 0 else ("YES", "YES")
        for state, bid, vote in zip((one, other), bids, votes, strict=True):
            say(state, f"bid {bid}")
            if turn == 8:
                continue
            say(state, f"vote {vote}")
        if turn == 8:
            break
        for seat in (1, 2):
            assert shown(one, seat) == shown(other, seat)
        if one.player != 0:
            assert list(map(str, one.options())) == list(map(str, other.options()))
    assert laid_out(one, 0) != laid_out(other, 0)
    for state in (one, other):
        say(state, "vote NO")
    assert shown(one, 1) != shown(other, 1)


@pytest.mark.parametrize("mode", ["basic", "known"])
def test_every_value_of_another_seat_is_imagined(mode: str) -> None:
    """And it knows its own; what was set before says nothing."""
    state, stream = auction("native").start(1), Stream(3)
    for bid, vote in ((3, "YES"), (2, "NO"), (4, "YES"), (1, "YES")):
        say(state, f"bid {bid}")
        say(state, f"vote {vote}")
    assert state.player == 1
    found = [state.determinise(1, stream, mode) for _ in range(120)]
    assert all(world.view(1) == state.view(1) for world in found)
    for seat in (0, 2):
        values = [value for world in found for value in laid_out(world, seat)]
        assert len(values) == 120
        assert set(values) == {"N0", "N1", "N2", "N3", "N4"}
    assert {value for world in found for value in laid_out(world, 1)} == set(laid_out(state, 1))


def test_the_cards_that_are_not_laid_out_have_no_order() -> None:
    """So none of them comes from a place that would tell which one it is."""
    order = place_order(auction("native").program)
    names = {family.name for family in order.unordered if isinstance(family, LocationFamily)}
    assert {"BID_CARDS", "VOTE_CARDS"} <= names


@pytest.mark.parametrize("engine", ENGINES)
def test_a_value_that_was_not_declared_stops_the_game(engine: str) -> None:
    text = AUCTION.replace(
        "(set ((current player) isto BID) 'N)", "(inc ((current player) isto BID) (+ 'N 3))"
    )
    game = Game.from_text(text, engine=engine)
    with pytest.raises(GameError, match="BID"):
        game.start(1)


def test_the_plain_text_plays_the_same_games() -> None:
    assert_same_play(auction("native"), range(4))


def problems(text: str) -> list[str]:
    """Return what the checker says, but for storages that nothing reads any more."""
    report = check(Source("secrets", text)).diagnostics
    return [f"{found.code.code} {found.message}" for found in report if found.code.code != "W610"]


def test_what_all_see_is_not_chosen_in_secret() -> None:
    """A branch, a number or a name that is picked in a choice is known to all players."""
    for naive in (
        "(any (range 0 .. 2) 'N (set ((current player) isto BID) 'N))",
        "(set ((current player) istr VOTE) YES)",
        "(any (YES, NO) 'V (let 'V 'W (set ((current player) istr VOTE) 'W)))",
    ):
        (problem,) = problems(AUCTION.replace("(choice ((turn pass)))", f"(choice ({naive}))"))
        assert problem.startswith("W616 all players see which option is chosen")


def test_others_may_be_told_only_that_a_secret_changes() -> None:
    """Counting on from a secret tells nobody what it is."""
    for step in (
        "(inc ((current player) isto BID))",
        """(any (game iloc STOCK) 'C (let (cardatt RANK 'C) 'R
             ((== 'R A) (set ((current player) istr VOTE) 'R))))""",
    ):
        found = problems(AUCTION.replace("(choice ((turn pass)))", f"(choice ({step}))"))
        assert not [problem for problem in found if problem.startswith(("E", "W"))]


@pytest.mark.parametrize("at", ["before", "after"])
def test_teams_that_count_from_0_count_the_owners_too(at: str) -> None:
    """Wherever the teams stand, among the parts of the set-up."""
    teams = "(create teams (0) (1) (2))"
    secret = "(create secret (player isto BID)"
    order = f"{teams} {secret}" if at == "before" else secret
    text = AUCTION.replace(secret, order)
    if at == "after":
        text = text.replace("(YES, NO)))", f"(YES, NO)) {teams})")
    game = Game.from_text(text, engine="interpreter")
    assert game.program.base == 0
    state, stream = game.start(1), Stream(1)
    while not state.finished:
        state.play(stream.below(state.option_count))
    assert len(state.scores) == 3
