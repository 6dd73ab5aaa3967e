"""Which part of a game is played deal after deal."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.library.catalogue import library_names
from cardwright.program import nodes as n
from cardwright.program.program import deal_stage
from deep import usually

GAME = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F)))))
 {before}
 (stage player (end (== (game sto OVER) 1))
  {opening}
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc ROW))))))
  (do ((set (game sto OVER) 1))))
 (scoring max 0))"""

SHUFFLE = "(shuffle (game iloc STOCK))"
SERVE = "(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))"
LATER = "(choice ((turn pass)))"


def found(opening: str, before: str = "") -> bool:
    program = Game.from_text(GAME.format(opening=opening, before=before), engine="interpreter")
    stage = deal_stage(program.program.items)
    assert stage is None or stage in program.program.items
    return stage is not None


@pytest.mark.parametrize(
    ("opening", "deals"),
    [
        (f"(do ({SHUFFLE} {SERVE}))", True),
        (f"(do ({SHUFFLE})) (do ((set (game sto N) 1) {SERVE}))", True),
        (f"(do ({SHUFFLE} (let 1 'N (do ((all (range 1 .. 'N) 'M {SERVE}))))))", True),
        (f"(do ({SHUFFLE} {SERVE.replace('player', '(other player)')}))", False),
        (f"(do ({SERVE} {SHUFFLE}))", False),
        (f"(do (((== (game sto N) 0) {SHUFFLE}) {SERVE}))", False),
        (f"(do ({SHUFFLE} ((== (game sto N) 0) {SERVE})))", False),
        (f"(do ({SHUFFLE} (move (top (game iloc STOCK)) (top ((1 player) iloc HAND)))))", False),
        (f"(do ({SHUFFLE})) {LATER} (do ({SERVE}))", False),
        (f"{LATER} (do ({SHUFFLE} {SERVE}))", False),
    ],
)
def test_a_deal_begins_with_shuffling_and_serving_everyone(opening: str, deals: bool) -> None:
    """Both whatever the state, in this order, before any choice."""
    assert found(opening) is deals


def test_stages_without_a_choice_come_before_the_deals() -> None:
    """The first stage in which players choose is that of the deals, or there is none."""
    opening = f"(do ({SHUFFLE} {SERVE}))"
    quiet = "(stage player (end (> (game sto M) 1)) (do ((inc (game sto M)))))"
    assert found(opening, quiet)
    assert not found(opening, quiet.replace("(do", f"{LATER} (do"))


def test_games_of_the_library_with_deals() -> None:
    """Hearts alone is written deal by deal; the others are played for a single one."""
    some = {*library_names()[:: usually(4, 1)], "hearts"}
    programs = {name: Game.load(name, engine="interpreter").program for name in some}
    assert [name for name, program in programs.items() if deal_stage(program.items)] == ["hearts"]


@pytest.mark.sweep
@pytest.mark.parametrize("preset", ["standard", "corin", "openspiel", "hearts_league"])
def test_a_deal_of_hearts_is_a_turn_of_its_outermost_stage(preset: str) -> None:
    program = Game.load("hearts", preset=preset, engine="interpreter").program
    stages = [item for item in program.items if isinstance(item, n.Stage)]
    assert deal_stage(program.items) is stages[0]
