"""Locations whose names or indices are known only in play: 64 at once, on both engines."""

from __future__ import annotations

import pytest

from cardwright import Game, GameError
from cardwright.game.engines import ENGINES
from cardwright.syntax.source import Source
from differential import Checks, compare_games

FRAME = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (V {letters}) (W {letters}))))
 {items}
 (scoring max (+ (game sto N) {score})))"""
TO = "(game vloc P (game sto N))"
OUT_AND_BACK = f"""
 (stage player (end (== (game sto N) {{n}}))
   (choice ((move (top (game iloc STOCK)) (top {TO})) (move (bottom (game iloc STOCK)) (top {TO}))))
   (do ({{back}} (inc (game sto N)))))"""
BACK = f"(move (top {TO}) (bottom (game iloc STOCK)))"


LETTERS = "(A, B, C, D, E, F, G, H, I, J)"


def game(items: str, score: str = "0", engine: str = "native", letters: str = LETTERS) -> Game:
    text = FRAME.replace("{letters}", letters).replace("{items}", items).replace("{score}", score)
    return Game.from_source(Source("computed", text), engine=engine)


def with_turns(turns: int, *, back: str) -> str:
    return OUT_AND_BACK.replace("{n}", str(turns)).replace("{back}", back)


@pytest.mark.parametrize("back", [BACK, f"((!= (% (game sto N) 7) 0) {BACK})"])
def test_emptied_locations_make_room_for_others(back: str) -> None:
    """Many can be used one after the other, some kept meanwhile, and both engines agree."""
    score = f"(size {TO.replace('(game sto N)', '(- (game sto N) 1)')})"
    played = compare_games(
        game(with_turns(150, back=back), score), range(1), Checks(keys=1, deep=40)
    )
    assert {one.end for one in played} == {"over"}


def outcome(game: Game, turns: int) -> tuple[int, ...] | tuple[str, str, object]:
    """How a game ends in which the first option is chosen at each turn, and when."""
    state = game.start(1)
    turn = 0
    try:
        while not state.finished:
            state.play(0)
            turn += 1
    except GameError as error:
        assert turn == turns
        return error.rule, error.reason, error.place
    return state.scores


def test_one_more_than_64_with_cards_is_an_error() -> None:
    """The error is the same on all engines, at the same turn and place."""
    items = with_turns(80, back="")
    (error,) = {outcome(game(items, engine=engine), 63) for engine in ENGINES}
    assert error[0] == "capacity"


def test_what_is_listed_is_never_forgotten() -> None:
    """`indexed` lists emptied locations too, so that of these 64 can be used in all."""
    score = "(size (indexed game vloc P))"
    for engine in ENGINES:
        assert outcome(game(with_turns(60, back=BACK), score, engine), 60) == (120, 120)
        assert outcome(game(with_turns(70, back=BACK), score, engine), 63)[0] == "capacity"


def test_a_name_that_is_listed_for_another_owner() -> None:
    """Only what `indexed` lists comes by its first card; hands of that name are masks."""
    hands = "(do ((shuffle (game iloc STOCK)) (repeat 3 (move (top (game iloc STOCK)) (top {})))))"
    items = "\n".join(hands.format(f"(({seat} player) iloc P)") for seat in (2, 1))
    turn = "(choice ((move (top (game iloc STOCK)) (top ((current player) iloc P)))))"
    items += f"(stage player (end (== (game sto N) 3)) {turn} (do ((inc (game sto N)))))"
    made = game(items, "(size (indexed game iloc P))", letters="(A, B, C)")
    played = compare_games(made, range(4), Checks(keys=1, deep=1))
    assert {one.end for one in played} == {"over"}
