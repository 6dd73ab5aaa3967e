"""Small games whose rules tell something of hidden cards, each in another way."""

from __future__ import annotations

HEAD = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (COLOR (RED (RANK (A, B))) (BLACK (RANK ({black}))))))
    {more})
  (do (
    (set (game points WORTH) (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3)))
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))
    {deal}))
  (stage player
    (end (>= (game sto TURNS) {turns}))
    (choice ({options}))
    (do ((inc (game sto TURNS)) {then})))
  (scoring max (sum ((current player) iloc HAND) using (game points WORTH))))
"""

LOOK = "(set (game str SAID) ASKED)"


def _game(
    options: str,
    *,
    deal: str = "",
    then: str = "",
    turns: int = 2,
    more: str = "",
    black: str = "A, B",
) -> str:
    return HEAD.format(options=options, deal=deal, then=then, turns=turns, more=more, black=black)


TELLING = {
    "a clue": _game(
        "(any (other player) 'P (do ((set ('P str CLUE) (cardatt COLOR (top ('P iloc HAND)))))))",
    ),
    "a number": _game(
        "(do ((set (game sto SUM) (+ (score (top ((1 player) iloc HAND)) using (game points WORTH))"
        " (score (top ((2 player) iloc HAND)) using (game points WORTH))))))",
    ),
    "a comparison": _game(
        "(do ((set (game str MORE) SECOND)"
        " ((> (score (top ((1 player) iloc HAND)) using (game points WORTH))"
        " (score (top ((2 player) iloc HAND)) using (game points WORTH)))"
        " (set (game str MORE) FIRST))))",
    ),
    "a turn": _game(
        LOOK,
        then="((== (cardatt COLOR (top ((2 player) iloc HAND))) RED)"
        " (cycle next (current player)))",
        turns=3,
    ),
    "moves": _game(
        LOOK,
        then="(repeat (- (score (top ((2 player) iloc HAND)) using (game points WORTH)) 1)"
        " (move (top (game iloc STOCK)) (top (game hloc AWAY))))",
        turns=1,
    ),
    "a secret": _game(
        LOOK,
        deal="(all player 'P ((== (cardatt RANK (top ('P iloc HAND))) A) (set ('P isto SIDE) 1)"
        " else (set ('P isto SIDE) 0)))",
        then="(set (game sto SIDES) (+ ((1 player) isto SIDE) ((2 player) isto SIDE)))",
        more="(create secret (player isto SIDE) (range 0 .. 1))",
    ),
    "a hidden choice": _game(
        "(any ((current player) iloc HAND) 'C (move 'C (top (game hloc AWAY))))",
        deal="(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
        then="(set (game str LEFT) (cardatt COLOR (top ((2 player) iloc HAND))))",
        black="A, B, C",
    ),
    "a card laid down and shown later": _game(
        "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc LAID))))",
        deal="(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
        then="((== (game sto TURNS) 3) (move (top ((2 player) iloc LAID)) (top (game vloc SHOWN))))"
        " ((== (cardatt RANK (top ((2 player) iloc HAND))) A) (set (game str LEFT) ACE))",
        turns=3,
        black="A, B, C",
    ),
    "a proof": _game(
        LOOK,
        deal="(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
        then="(let (filter ((2 player) iloc HAND) 'C (== (cardatt COLOR 'C) RED)) 'REDS"
        " ((== (size 'REDS) 0) (set (game str PROVED) NOTHING)"
        " else (move (top 'REDS) (top (game vloc SHOWN)))))",
        turns=1,
        black="A, B, C",
    ),
    "what can be chosen": _game(
        "((any ((current player) iloc HAND) 'C (== (cardatt COLOR 'C) RED)) (set (game str S) RED))"
        " (set (game str S) NOTHING)",
        deal="(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
    ),
    "cards that go round": _game(
        "(any ((current player) iloc HAND) 'C (move 'C (top (game hloc AWAY))))",
        deal="(all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))",
        then="(move (top (game hloc AWAY)) (top ((next player) iloc HAND)))",
    ),
    "two shuffles": _game(
        LOOK,
        then="(move (top ((2 player) iloc HAND)) (top (game iloc STOCK)))"
        " (shuffle (game iloc STOCK))"
        " (move (top (game iloc STOCK)) (top ((2 player) iloc HAND)))"
        " (set (game str TOLD) (cardatt COLOR (top ((2 player) iloc HAND))))",
    ),
    "a draw by lot": _game(
        LOOK,
        then="((== (random 1) 1) (set (game str TOLD) (cardatt COLOR (top ((2 player) iloc HAND))))"
        " else (set (game str TOLD) (cardatt COLOR (top (game iloc STOCK)))))",
    ),
}
"""Programs by what tells something in them."""
