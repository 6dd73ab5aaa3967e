"""Items under a condition in stages that run as loops, and in stages that only they have."""

from __future__ import annotations

import pytest

from cardwright import Game
from deep import usually
from differential import EVERYTHING, compare_games

FRAME = """(game
 (setup (create players 3)
  (create deck (game iloc STOCK) (deck (SUIT (SUN, MOON, STAR)) (RANK (A, B, C, D, E, F)))))
 (do ((shuffle (game iloc STOCK))
  (all player 'P (repeat 5 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 {items}
 (scoring max (+ (* 100 (size ((current player) vloc WON))) ((current player) sto S))))"""

PLAY = """(choice ((any ((current player) iloc HAND) 'C
  (do ((set (game str LED) (cardatt SUIT 'C)) (move 'C (top ((current player) vloc WON))))))))"""

ASK = "(choice ((turn pass) (inc ((current player) sto S)) (dec ((current player) sto S))))"

ITEMS = {
    "choices": f"""(stage player (end (>= (game sto N) 12)) (do ((inc (game sto N))))
      ((> (size ((current player) iloc HAND)) 0) {PLAY} else {ASK})
      ((== (game str LED) MOON) (do ((cycle next (current player)))) else
        ((== (game str LED) SUN) {ASK})))""",
    "stages": f"""(stage player (end (>= (game sto N) 6)) (do ((inc (game sto N))))
      ((== (% (game sto N) 2) 0)
        (stage player (end (== (% (game sto M) 4) 3)) (do ((inc (game sto M)))) {ASK})
       else (stage team (end (== (% (game sto M) 3) 2)) (do ((inc (game sto M))))
         ((== (% (game sto M) 2) 0) {ASK} else (do ((inc (game sto S))))))))""",
    "deep": f"""((> (size (game iloc STOCK)) 0)
      (stage player (end (== (game sto N) 3)) (do ((inc (game sto N))))
        ((> (game sto N) 1)
          (stage player (end (== (% (game sto M) 3) 2)) (do ((inc (game sto M))))
            ((== (% (game sto M) 3) 1)
              (stage player (end (== (% (game sto L) 2) 1)) (do ((inc (game sto L)))) {PLAY}))
            (do ((inc (game sto M) 0)))))))""",
    "first": f"((== (game sto N) 0) {ASK} else {PLAY}) ((== (game sto N) 1) {PLAY})",
}


@pytest.mark.slow
@pytest.mark.parametrize("items", ITEMS.values(), ids=list(ITEMS))
def test_both_engines_play_items_under_a_condition_alike(items: str) -> None:
    """Decision by decision, and whole random games, which run stages as loops."""
    game = Game.from_text(FRAME.replace("{items}", items))
    played = compare_games(game, range(usually(2, 12)), EVERYTHING)
    assert {one.end for one in played} == {"over"}
