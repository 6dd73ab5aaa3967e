"""Early choices: who may choose before its turn learns nothing by it, and nobody else does."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest
from table_pairs import text

from cardwright import Game
from cardwright.arena.plan import GameRef
from cardwright.table.commands import TableCommands
from cardwright.table.early import EarlyDecisions
from cardwright.table.referee import GameCourse, Referee, RefereeRules
from cardwright.table.setup import HUMAN, TableSetup
from cardwright.table.table import (
    NoSuchOptionError,
    NotYourTurnError,
    SeatError,
    StaleError,
    Table,
)
from deep import mostly_deep, usually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import State

HEARTS = GameRef.of("hearts", {"PASS": 1}, "standard", engine="interpreter")
"""Hearts in which a single card is passed: so there are only a few options."""

hearts = cache(HEARTS.load)


def _hearts(players: Sequence[str] = (HUMAN,) * 4, *, practice: bool = False) -> Table:
    setup = TableSetup.of_players(HEARTS, 1, players, practice=practice)
    return Table(setup, game=hearts(), rests=True)


def _chosen(table: Table, seat: int) -> int | None:
    early = table.scene(seat).early
    assert early is not None
    return early.chosen


# What they do -----------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1), (1, 3, 0, 2)])
def test_whoever_chooses_first_the_rules_play_in_their_order(order: tuple[int, ...]) -> None:
    """The record of the game and what everybody sees are those of a game without early choices."""
    usual, early = _hearts(), _hearts()
    options = {seat: 3 * seat + 2 for seat in range(4)}
    for seat in range(4):
        usual.choose(seat, seat, options[seat])
    for seat in order:
        early.choose(seat, seat, options[seat])
    assert early.choices == usual.choices == tuple(options.values())
    for seat in range(4):
        assert early.look(seat, 0) == usual.look(seat, 0)


def test_all_see_who_still_chooses_and_nothing_of_what_was_chosen() -> None:
    """What the others see is the same, whatever somebody has chosen early."""
    looks = []
    for option in (3, 12):
        table = _hearts()
        assert table.scene(2).choosing == (0, 1, 2, 3)
        table.choose(2, 2, option)
        assert table.scene(2).choosing == (0, 1, 3)
        assert _chosen(table, 2) == option
        looks.append([table.look(seat, 0) for seat in (0, 1, 3)])
    assert looks[0] == looks[1]
    assert all(look.scene.early is None or look.scene.early.chosen is None for look in looks[0])


def test_an_early_choice_can_be_changed_and_taken_back_until_it_is_played() -> None:
    """The last one counts; after it was taken back its seat is waited for."""
    table = _hearts()
    table.choose(1, 1, 5)
    table.choose(1, 1, 6)
    assert _chosen(table, 1) == 6
    table.choose(2, 2, 9)
    table.reconsider(2, 2)
    assert _chosen(table, 2) is None
    table.choose(0, 0, 1)
    assert (table.choices, table.due) == ((1, 6), 2)
    for seat in (1, 2):
        with pytest.raises(StaleError):
            table.reconsider(seat, seat)


def test_the_same_commands_make_the_same_table() -> None:
    """So a server that is started anew has kept early choices."""
    commands = [
        {"do": "choose", "seat": 3, "number": 3, "option": 12},
        {"do": "choose", "seat": 1, "number": 1, "option": 4},
        {"do": "reconsider", "seat": 3, "number": 3},
        {"do": "choose", "seat": 3, "number": 3, "option": 11},
        {"do": "choose", "seat": 0, "number": 0, "option": 2},
    ]
    one, other = TableCommands(_hearts()), TableCommands(_hearts())
    for command in commands:
        assert "error" not in one.handle(command)
        one.handle({"do": "look", "who": 2, "since": 0})
    for command in commands:
        other.handle(command)
    assert text(one.handle({"do": "look", "who": 3, "since": 0})) == text(
        other.handle({"do": "look", "who": 3, "since": 0})
    )
    assert (one.table.choices, _chosen(one.table, 3)) == ((2, 4), 11)


def test_moves_taken_back_leave_the_choices_that_were_made_before_them() -> None:
    """Whoever has chosen after the moves that are taken back chooses anew."""
    table = _hearts(practice=True)
    table.choose(3, 3, 10)
    table.choose(0, 0, 1)
    table.choose(2, 2, 8)
    table.undo(0)
    for seat in (1, 2, 3):
        table.agree(seat, yes=True)
    assert table.number == 0
    assert [_chosen(table, seat) for seat in (1, 2, 3)] == [None, None, 10]


def test_the_choice_of_somebody_who_has_left_is_played() -> None:
    """A computer player that has taken the seat does not choose again what was chosen."""
    table = _hearts()
    table.choose(1, 1, 4)
    table.sit(1, "random", "")
    table.choose(0, 0, 0)
    assert (table.choices, table.due) == ((0, 4), 2)


def test_alone_with_computer_players_nobody_is_waited_for() -> None:
    """Then nothing is offered, so that nothing has to be proved."""
    table = _hearts(("random", "random", "random", HUMAN))
    assert (table.scene(3).early, table.scene(3).choosing) == (None, (0,))


def test_a_card_that_does_not_go_with_an_early_choice_has_a_reason() -> None:
    """Here every card may be passed; and others are told that it is not their turn."""
    table = _hearts()
    card = table.game.program.cards[table.scene(2).hand[0].id]
    assert table.why(2, card) is None
    table.choose(0, 0, 0)
    assert table.why(0, card) == "it is not your turn"


# Attacks ----------------------------------------------------------------------------------


def test_nobody_chooses_early_for_another_seat_or_what_does_not_exist() -> None:
    """Nothing changes by any of these requests."""
    table = _hearts()
    before = [table.look(seat, 0) for seat in range(4)]
    for seat in (0, 1, 3):
        with pytest.raises((StaleError, NotYourTurnError)):
            table.choose(seat, 2, 0)
    for option in (-1, 13, 10**9):
        with pytest.raises(NoSuchOptionError):
            table.choose(2, 2, option)
    for number in (3, 5, 100):
        with pytest.raises(StaleError):
            table.choose(2, number, 0)
        with pytest.raises(StaleError):
            table.reconsider(2, number)
    with pytest.raises(NotYourTurnError):
        table.choose(2, 0, 0)
    table.sit(3, "random", "")
    with pytest.raises(StaleError):
        table.choose(3, 3, 0)
    with pytest.raises(SeatError):
        table.scene(4)
    table.sit(3, None, "")
    assert [table.look(seat, 0).scene for seat in range(4)] == [look.scene for look in before]


def _course(game: Game, seed: int) -> tuple[GameCourse, EarlyDecisions]:
    rules = RefereeRules(game)
    course = GameCourse(Referee(rules, seed))
    return course, EarlyDecisions(rules, course)


@pytest.mark.parametrize(
    "name",
    mostly_deep(["goofspiel", "coup", "cribbage", "hearts"], {"goofspiel"}.__contains__),
)
def test_whoever_may_choose_early_is_asked_the_same_whatever_others_choose(name: str) -> None:
    """In its turn it has the same options, and has seen the same: `State.information` says so."""
    chances, found = random.Random(name), 0
    game = hearts() if name == "hearts" else Game.load(name, engine="interpreter")
    for seed in range(usually(1, 4)):
        course, early = _course(game, seed)
        for _ in range(40):
            if course.referee.due is None:
                break
            for seat, number in early.of(range(game.players)).items():
                state = course.referee.state()
                ends = {_end(state, seat, number, chances) for _ in range(usually(3, 6))}
                assert len(ends) == 1, f"{name}, seed {seed}, {seat} at {number}"
                found += 1
            course.choose(chances.randrange(course.referee.option_count))
    assert found > 1


def _end(state: State, seat: int, number: int, chances: random.Random) -> object:
    """Return what a seat is asked and has seen, after random choices by others."""
    after = state.copy()
    while len(after.choices) < number:
        assert after.player != seat
        after.play(chances.randrange(after.option_count))
    assert after.player == seat
    return after.contents(), after.information(seat)


# What is proved ---------------------------------------------------------------------------

RULES = """(game
 (setup (create players 3)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H, I, J))))
  {decks})
 (do ({first}
  (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
  {before}))
 (stage player (end (or (== (game sto TURNS) 3) {end}))
  {fork}
  (choice ({choice}))
  (do ((inc (game sto TURNS)) {after})))
 (do ((all player 'P (repeat all (move (top ('P iloc OUT)) (top ('P vloc SHOWN)))))))
 (scoring max (size ((current player) vloc SHOWN))))"""
"""Each of three players lays one of three cards aside, unseen."""

HAND, OUT = "((current player) iloc HAND)", "(top ((current player) iloc OUT))"
SHUFFLE = "(shuffle (game iloc STOCK))"
LAY = f"(any {HAND} 'C (move 'C {OUT}))"
FIRST = "((1 player) iloc HAND)"
ALL, NONE = [{1: 1, 2: 2}, {2: 2}], [{}, {}]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, ALL),
        ({"choice": f"(any (subsets {HAND} == 2) 'X (all 'X 'C (move 'C {OUT})))"}, ALL),
        ({"choice": f"(any {HAND} 'C (swap 'C (top (game iloc STOCK))))"}, ALL),
        ({"after": "(shuffle ((current player) iloc OUT))"}, ALL),
        # Others see what is chosen, or a part of it.
        ({"choice": f"(any {HAND} 'C (move 'C (top ((current player) vloc OUT))))"}, NONE),
        ({"choice": "(any (range 1 .. 3) 'N (set (game sto BID) 'N))"}, NONE),
        ({"choice": f"(any (subsets {HAND}) 'X (all 'X 'C (move 'C {OUT})))"}, NONE),
        ({"choice": f"{LAY} (any {HAND} 'C (move 'C (top (game iloc STOCK))))"}, NONE),
        ({"choice": f"(any ((next player) iloc HAND) 'C (move 'C {OUT}))"}, NONE),
        ({"after": f"(remember {OUT} (top (game mem SEEN)))"}, NONE),
        ({"choice": f"(any {HAND} 'C (move 'C (top ((current player) oloc OUT))))"}, NONE),
        ({"before": "(remember (top ((1 player) iloc HAND)) (top (game mem SEEN)))"}, NONE),
        # Backs tell cards apart.
        (
            {
                "decks": "(create deck OTHER ((1 player) iloc HAND) (deck (RANK (X, Y))))"
                "(create deck MORE ((1 player) iloc HAND) (deck (RANK (V, W))))"
            },
            NONE,
        ),
        (
            {
                "decks": "(create deck OTHER (game iloc ASIDE) (deck (RANK (X, Y))))"
                "(create deck MORE (game iloc ASIDE) (deck (RANK (V, W))))"
            },
            NONE,
        ),
        # What comes before the next one sees it.
        ({"after": f"(move {OUT} (top ((next player) iloc HAND)))"}, NONE),
        ({"after": f"(move {OUT} (top ((previous player) iloc HAND)))"}, [{1: 1}, {2: 2}]),
        # Rules look at hidden cards, so that it may matter what they are.
        ({"choice": f"(any (filter {HAND} 'D (!= (cardatt RANK 'D) A)) 'C (move 'C {OUT}))"}, NONE),
        ({"after": f"((== (cardatt RANK {OUT}) A) (set (game sto SEEN) 1))"}, NONE),
        ({"after": f"(set (game sto WHO) (pid (owner {OUT})))"}, NONE),
        ({"after": f"((== {OUT} (top {HAND})) (turn pass))"}, NONE),
        (
            {
                "before": "(set (game points WORTH) (((RANK : A) 1)))",
                "after": f"((> (score {OUT} using (game points WORTH)) 0) (turn pass))",
            },
            NONE,
        ),
        ({"after": "(set (game sto LOT) (random 5))"}, NONE),
        # What all are told may depend on anything that came before.
        ({"before": "(set (game sto LOT) (random 5))"}, ALL),
        ({"before": f"((any {FIRST} 'C (== (cardatt RANK 'C) A)) (set (game sto ACE) 1))"}, ALL),
        ({"first": "", "after": f"((== (cardatt RANK {OUT}) A) (set (game sto SEEN) 1))"}, NONE),
        # Which decision comes next must not depend on hidden cards: that is told to nobody.
        ({"fork": f"((== (size {FIRST}) 9) (choice ({LAY} (turn pass))))"}, ALL),
        ({"fork": f"((any {FIRST} 'C (== (cardatt RANK 'C) A)) (choice ({LAY})))"}, NONE),
        ({"fork": f"((== 9 (random 9)) (choice ({LAY})))"}, NONE),
        ({"end": f"(any {FIRST} 'C (== (cardatt RANK 'C) A))"}, NONE),
        ({"end": "(any (game vloc SHOWN) 'C (== (cardatt RANK 'C) A))"}, ALL),
        # There is nothing to wait for.
        ({"choice": f"(move (top {HAND}) {OUT})"}, NONE),
    ],
    ids=str,
)
def test_a_seat_may_choose_early_where_the_rules_show_that_it_makes_no_difference(
    changed: dict[str, str], found: list[dict[int, int]]
) -> None:
    """By seat the number of the decision it may make, before and after the first choice."""
    usual = {"decks": "", "first": SHUFFLE, "before": "", "fork": "", "choice": LAY, "after": ""}
    usual["end"] = "(== (game sto TURNS) 4)"
    course, early = _course(
        Game.from_text(RULES.format(**usual | changed), engine="interpreter"), 3
    )
    offered = [early.of(range(3))]
    course.choose(0)
    assert [*offered, early.of(range(3))] == found


def test_sealed_bids_are_made_at_once() -> None:
    """A chooser's own secrets are looked at, but all know which there are."""
    game = Game.from_text(
        """(game
         (setup (create players 3) (create deck (game iloc STOCK) (deck (RANK (A, B))))
          (create secret (player isto BID) (range 0 .. 5)))
         (stage player (end (== (game sto BIDS) 3))
          (choice ((any ((current player) isto BID) 'N (set ((current player) isto BID) 'N))))
          (do ((inc (game sto BIDS)))))
         (scoring max ((current player) isto BID)))""",
        engine="interpreter",
    )
    assert _course(game, 1)[1].of(range(3)) == {1: 1, 2: 2}
