"""Labels: what an author calls an option, which only its chooser reads, and nobody plays by."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.program.check import check
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from cardwright import State

FRAME = """(game
 (setup (create players 2) (create teams (1) (2))
  (create deck (game iloc STOCK) (deck (SUIT (SUN, MOON)) (RANK (ONE, TWO, THREE)))))
 (do (
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (== (game sto TURNS) 2))
  (choice ({steps}))
  (do ((inc (game sto TURNS)))))
 (scoring max ((current player) sto S)))"""

BURY = "(move 'C (top (game hloc GONE)))"


def game(steps: str, engine: str = "native") -> Game:
    return Game.from_text(FRAME.replace("{steps}", steps), engine=engine)


def words(steps: str, seed: int = 1) -> list[str]:
    """Return the options of the first decision, which both engines word alike."""
    interpreted, native = (
        [str(option) for option in game(steps, engine).start(seed).options()]
        for engine in ("interpreter", "native")
    )
    assert interpreted == native
    return native


def test_names_are_said_in_small_letters_and_values_as_they_are() -> None:
    assert words(
        """(any (range 1 .. 2) 'LEVEL (any (SUN, MOON) 'STRAIN
             (label (BID 'LEVEL 'STRAIN) (set (game sto BID) 'LEVEL))))
           (any (other player) 'P (label (LEAD_TO 'P THE_TEAM (team 'P) (pid 'P)) (turn pass)))
           (label (TWICE (* 2 (size ((current player) iloc HAND)))) (turn pass))"""
    ) == [
        "bid 1 SUN", "bid 1 MOON", "bid 2 SUN", "bid 2 MOON", "lead to p2 the team t2 2", "twice 4"
    ]  # fmt: skip


def test_the_labels_of_a_path_are_joined_in_order() -> None:
    """Each says what is so when play comes to it; a path without a label has the usual words."""
    assert words(
        """(label (FIRST) (any (1, 2) 'A (do (
             (inc (game sto N) 4)
             (label (THEN (game sto N)) (any (THIS, THAT) 'B (do (
               (inc (game sto N))
               ((== 'B THAT) (label (AND (game sto N)) (turn pass)))))))))))
           (inc ((current player) sto S))""".replace("(1, 2)", "(range 1 .. 1)")
    ) == ["first then 4", "first then 4 and 5", "S: 1"]


def test_an_option_can_be_chosen_by_its_label() -> None:
    steps = "(any (range 1 .. 2) 'N (label (BID 'N) (inc ((current player) sto S) 'N)))"
    state = game(steps).start(1)
    state.play("bid 2")
    assert state.integer(0, "S") == 2
    assert [str(option) for option in state.options(brief=True)] == ["bid 1", "bid 2"]


def test_labels_that_are_equal_are_numbered() -> None:
    assert words("(label (SAME) (turn pass)) (label (SAME) (inc (game sto N)))") == [
        "same (1)", "same (2)"
    ]  # fmt: skip


def test_a_card_is_named_if_the_chooser_sees_it() -> None:
    mine, theirs = "((current player) iloc HAND)", "((next player) iloc HAND)"
    for text in words(f"(any {mine} 'C (label (BURY 'C) {BURY}))"):
        assert text.startswith(("bury ONE", "bury TWO", "bury THREE", "bury 1", "bury 2", "bury 3"))
    stolen = words(f"(any {theirs} 'C (label (STEAL 'C) {BURY}))")
    assert stolen == ["steal a card of p2's HAND (1)", "steal a card of p2's HAND (2)"]


LEAKS = (
    "(cardatt SUIT (top (game iloc STOCK)))",
    "(cardatt RANK (bottom ((next player) iloc HAND)))",
    "(size (filter (game iloc STOCK) 'D (== (cardatt SUIT 'D) SUN)))",
    "(top (game iloc STOCK))",
    "(cardatt SUIT (top ((game str SECRET) hloc GRID)))".replace("(game str SECRET)", "game"),
    "(size (union (indexed game hloc GRID)))",
    "(all (game iloc STOCK) 'D (score 'D using (game points W)))",
)


@pytest.mark.parametrize("part", LEAKS)
def test_a_label_that_could_tell_of_hidden_cards_is_left_out(part: str) -> None:
    """The author is told so, and the option has the words that it has without the label."""
    steps = f"(label (LOOK {part}) (turn pass)) (inc (game sto N))"
    assert words(steps) == words("(turn pass) (inc (game sto N))")
    found = check(Source("x", FRAME.replace("{steps}", steps))).diagnostics
    assert "N702" in [one.code.code for one in found]


def test_what_is_bound_to_a_hidden_value_is_left_out() -> None:
    """Neither a let, nor another player's hand that is called one's own by then, gets round it."""
    through_let = """(let (cardatt SUIT (top (game iloc STOCK))) 'S
      (label (IT_IS 'S) (turn pass)))"""
    assert words(through_let) == ["pass"]
    turned = """(let (cardatt SUIT (top ((next player) iloc HAND))) 'S
      (do ((cycle current (next player)) (label (IT_IS 'S) (turn pass)))))"""
    own = """(do ((cycle current (next player))
      (label (IT_IS (cardatt SUIT (top ((current player) iloc HAND)))) (turn pass))))"""
    for steps in (turned, own):
        assert not any(text.startswith("it is") for text in words(steps))


def test_a_part_that_breaks_a_rule_is_not_said() -> None:
    """No label stops a game."""
    steps = "(label (A (// 1 (game sto ZERO)) B (pid ((game sto ZERO) player))) (turn pass))"
    assert words(steps) == ["a b"]


PLAYED = f"""(any ((current player) iloc HAND) 'C (label (HIDE 'C) {BURY}))
  (any (range 0 .. 1) 'N (label (CALL 'N) (do (
    (set (game str SEEN) (cardatt SUIT (top (game iloc STOCK))))
    (inc ((current player) sto S) (random 3))
    ((== 'N 1) (label (AND_DRAW) (move (top (game iloc STOCK))
      (top ((current player) iloc HAND)))))))))"""


def seen(state: State, seat: int) -> object:
    """Return all that a seat is told that does not choose, or has chosen before."""
    view = replace(state.view(seat), options=())
    return view, state.information(seat), state.record(seat)


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_games_go_as_if_only_the_steps_were_there(engine: str) -> None:
    """Options, views, keys of information, records and scores are those of the plain text."""
    labelled = game(PLAYED, engine)
    plain = Game.from_text(labelled.plain_text(), engine=engine)
    assert "label" not in labelled.plain_text()
    for seed in range(10):
        draws = random.Random(seed)
        one, other = labelled.start(seed), plain.start(seed)
        while not one.finished:
            assert one.contents() == other.contents()
            assert [seen(one, seat) for seat in (0, 1)] == [seen(other, seat) for seat in (0, 1)]
            assert all(str(option).split()[0] in {"hide", "call"} for option in one.options())
            choice = draws.randrange(len(one.contents()))
            one.play(choice)
            other.play(choice)
        assert one.scores == other.scores


def test_other_seats_are_not_told_the_label() -> None:
    """A card that is laid down unseen is named in the chooser's list, and nowhere else."""
    state = game(PLAYED).start(1)
    hidden = str(state.options()[0]).removeprefix("hide ")
    state.play(0)
    assert hidden not in repr([seen(state, 1), state.view(1), state.options()])
    assert "hide" not in repr(seen(state, 1))


def test_labels_survive_copies_pickles_and_other_constants() -> None:
    text = FRAME.replace(
        "{steps}", "(label (ON 'X) ((== 'X 1) (turn pass))) (label (OFF) (turn pass))"
    )
    text = text.replace("(game\n", "(game (declare 1 'X)\n", 1)
    state = Game.from_text(text).start(1)
    for again in (state.copy(), pickle.loads(pickle.dumps(state))):
        assert [str(option) for option in again.options()] == ["on 1", "off"]
    assert [str(option) for option in Game.from_text(text, X=2).start(1).options()] == ["off"]


def test_labels_where_chance_is_taken_by_hand() -> None:
    """A label draws nothing: the outcomes are those without it."""
    state = game(
        "(label (PASS_ON) (turn pass)) (label (SIZE (size (game iloc STOCK))) (turn pass))"
    )
    by_hand = state.start_chance()
    while by_hand.chance is not None:
        by_hand.take_chance(0)
    assert [str(option) for option in by_hand.options()] == ["pass on", "size 2"]
