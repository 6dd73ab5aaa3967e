"""Games of more than 64 cards: masks are wide up to 128 cards, and cards lie in piles beyond.

The same game is played with as many cards as a mask of each width has bits, and with one more.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from cardwright import Game
from cardwright.compiler.figures import ways
from cardwright.compiler.layout import PileForm
from cardwright.compiler.structs import Type
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import mostly_deep, usually
from differential import EVERYTHING, Checks, compare_games
from generated import programs

SIZES = (64, 65, 128, 129)

GAME = """
(game
 (setup (create players 3)
  (create deck (game iloc STOCK)
   (deck (SUIT (CLUBS, HEARTS, SPADES, STARS))
    (RANK (A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P))))
  {more})
 (do (
  (set (game str TRUMP) STARS)
  ;; The points of the trump are known only in play, those of the ranks before.
  (set (game points W) (((RANK : A) 5) ((RANK : E) 3) ((RANK : P) 4) ((RANK : Z) 2)
    ((SUIT : (game str TRUMP)) 10)))
  (set (game points V) (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : D) 4)
    ((RANK : E) 5) ((RANK : F) 6) ((RANK : G) 7) ((RANK : H) 8) ((RANK : I) 9) ((RANK : Z) 20)))
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 8 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
  ;; More than 64 cards in an order, of which some are picked by position.
  (repeat all (move (top (game iloc STOCK)) (top (game vloc ROW))))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (stage player
   (end (all player 'P (== (size ('P vloc TRICK)) 1)))
   (choice (
    ((== (game str LEAD) NONE)
     (any ((current player) iloc HAND) 'CARD
      (do ((set (game str LEAD) (cardatt SUIT 'CARD))
           (move 'CARD (top ((current player) vloc TRICK)))))))
    ((!= (game str LEAD) NONE)
     (any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LEAD))) 'CARD
      (move 'CARD (top ((current player) vloc TRICK)))))
    ((and (!= (game str LEAD) NONE)
          (all ((current player) iloc HAND) 'C (!= (cardatt SUIT 'C) (game str LEAD))))
     (any ((current player) iloc HAND) 'CARD
      (move 'CARD (top ((current player) vloc TRICK))))))))
  (do (
   (cycle next (owner (max (union (all player 'P ('P vloc TRICK))) using (game points W))))
   (all player 'P (repeat all (move (top ('P vloc TRICK)) (top ((next player) hloc WON)))))
   (set (game str LEAD) NONE)))
  ;; A card of the row of a suit, or the one on top, goes to the table or to a hidden place.
  (choice (
   (any (filter (game vloc ROW) 'C
         (and (== (cardatt SUIT 'C) HEARTS) (!= 'C (top (game vloc ROW))))) 'CARD
    (move 'CARD (top ((current player) vloc SEEN))))
   (any (filter (game vloc ROW) 'C (== (cardatt RANK 'C) Z)) 'CARD
    (move 'CARD (bottom ((current player) hloc DARK))))
   (move (top (game vloc ROW)) (top (game hloc ASIDE)))))
  (do (
   ((and (any ((current player) vloc SEEN) 'C (== (cardatt RANK 'C) A))
         (> (size ((next player) vloc SEEN)) 0))
    (swap ((current player) vloc SEEN) ((next player) vloc SEEN)))
   ((> (size ((current player) vloc SEEN)) 2)
    (repeat 2 (move (top ((current player) vloc SEEN)) (top (game hloc ASIDE)))))
   (set ((current player) sto LEFT)
    (size (filter (union ((current player) iloc HAND) (game vloc ROW)) 'C
     (not (== (cardatt SUIT 'C) (game str TRUMP)))))))))
 (scoring max
  (+ (sum (union ((current player) hloc WON) ((current player) vloc SEEN)) using (game points W))
     (sum ((current player) hloc WON) using (game points V))
     (scoremax ((current player) hloc DARK) using (game points V))
     ((current player) sto LEFT))))
"""


def text(cards: int) -> str:
    """Return the game with a number of cards, of which all beyond 64 are of one rank."""
    suits = ("HEARTS", "STARS", "MOONS")
    more = [f"(create deck (game iloc STOCK) (deck (SUIT ({suit})) (RANK (Z))))" for suit in suits]
    return GAME.format(more="\n  ".join(more[at % 3] for at in range(cards - 64)))


def game(cards: int) -> Game:
    return Game.from_source(Source(f"of {cards}", text(cards)))


@pytest.mark.slow
@pytest.mark.parametrize("cards", mostly_deep(SIZES, {65}.__contains__))
def test_games_of_any_size_go_alike(cards: int) -> None:
    played = compare_games(game(cards), range(usually(1, 3)), EVERYTHING)
    assert {one.end for one in played} == {"over"}


@pytest.mark.parametrize(
    ("cards", "kind", "form"),
    [
        (64, Type.INT, PileForm.MASK),
        (65, Type.WIDE, PileForm.MASK),
        (128, Type.WIDE, PileForm.MASK),
        (129, Type.WIDE, PileForm.SORTED),
    ],
)
def test_the_number_of_cards_decides_how_hands_lie(cards: int, kind: Type, form: PileForm) -> None:
    one = game(cards)
    assert len(one.cards) == cards
    layout = one.with_engine("native")._engine.native.layout  # type: ignore[attr-defined]
    slots = {place.name: slot for slot, place in enumerate(layout.places.locations)}
    assert (layout.mask, layout.forms.form_of(slots["HAND"])) == (kind, form)
    assert layout.forms.form_of(slots["ROW"]) is PileForm.PILE


REMEMBERED = """
(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (SUIT (CLUBS, HEARTS)) (RANK ({ranks})))))
 (do ((all (range 1 .. 2) 'TIMES
       (all (game iloc STOCK) 'C (remember 'C (top (game mem SEEN)))))))
 (choice ((any (filter (game mem SEEN) 'C (== (cardatt RANK 'C) R1)) 'CARD
           (set (game sto PICKED) 1))))
 (choice ((any (filter (game iloc STOCK) 'C (== (cardatt SUIT 'C) CLUBS)) 'CARD
           (move 'CARD (top ((current player) vloc MINE))))))
 (scoring max (size (filter (game mem SEEN) 'C (== (cardatt SUIT 'C) HEARTS)))))
"""


@pytest.mark.parametrize("ranks", mostly_deep([15, 16, 17, 20, 32, 33], {16, 17, 33}.__contains__))
def test_more_cards_may_be_remembered_than_masks_have_bits(ranks: int) -> None:
    """A location of references holds twice as many as there are cards."""
    names = ", ".join(f"R{at}" for at in range(1, ranks + 1))
    one = Game.from_source(Source("remembered", REMEMBERED.format(ranks=names)))
    (played,) = compare_games(one, range(1), EVERYTHING)
    assert played.scores == (2 * ranks, 2 * ranks)
    places, cards = ways(one.program).choices
    assert (places.listed is None) is (4 * ranks <= (64 if 2 * ranks <= 64 else 128))
    assert cards.listed is None


GROUPED = """
(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C)) (SUIT (R, S, T))))
  (create deck (game vloc REST) (deck (SUIT ({rest})))))
 (do ((shuffle (game iloc STOCK))
      (repeat 5 (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))
      (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P vloc ROW)))))
      ;; A place whose order is read, with nearly all cards in it.
      (repeat all (move (top (game vloc REST)) (top (game vloc LINE))))
      (set (game str LAST) (cardatt SUIT (top (game vloc LINE))))))
 (stage player
  (end (== (game sto TURNS) 6))
  (choice (
   ;; Groups of cards that lie by number, and of a pile with an order.
   (any (partition RANK ((1 player) iloc HAND)) 'SAME
    (any (filter (REST, HAND) 'NAME (!= 'NAME (game str LAST))) 'TO
     (do ((set (game str LAST) 'TO) (move (top 'SAME) (top (game vloc PLAYED)))))))
   (any (partition SUIT ((current player) vloc ROW)) 'SAME
    (any (filter ((1 player) iloc HAND) 'C (== (cardatt SUIT 'C) (cardatt SUIT (top 'SAME)))) 'CARD
     (do ((move 'CARD (top ((current player) vloc ROW)))))))
   (any (partition SUIT (game vloc LINE)) 'SAME
    (move (top 'SAME) (bottom (game vloc LINE))))
   (any (subsets ((current player) vloc ROW) == 1) 'ONE
    (any (range 1 .. 2) 'N (set (game sto SEEN) (+ 'N (size 'ONE)))))
   (any (subsets ((1 player) iloc HAND) <= 2) 'SOME
    (set (game sto SEEN) (sum 'SOME using (game points W))))
   (any player 'P (any ('P vloc ROW) 'CARD (set (game str LAST) (cardatt RANK 'CARD))))
   (turn pass)))
  (do ((inc (game sto TURNS))
       (set (game sto COMMON)
        (+ (size (intersect ((1 player) iloc HAND)
            (union ((1 player) iloc HAND) (game vloc PLAYED))))
           (size (disjunction ((1 player) iloc HAND) (game vloc PLAYED))))))))
 (scoring max (+ (game sto COMMON) (game sto SEEN) (size ((current player) vloc ROW)))))
"""


@pytest.mark.slow
@pytest.mark.parametrize("beside", mostly_deep([55, 56, 119, 120], {56, 120}.__contains__))
def test_groups_go_alike_however_many_cards_there_are(beside: int) -> None:
    """Partitions and subsets, of hands and of piles, and options of several picks."""
    values = ", ".join(f"V{at}" for at in range(beside))
    one = Game.from_source(Source("grouped", GROUPED.format(rest=values)))
    played = compare_games(one, range(usually(1, 4)), EVERYTHING)
    assert {game.end for game in played} == {"over"}


@settings(
    max_examples=usually(1, 6),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(st.sampled_from((56, 100, 118, 122)).flatmap(programs))
def test_generated_programs_with_many_cards_go_alike(source: str) -> None:
    """Cards in play have numbers on both sides of 64, above it, and on both sides of 128."""
    one = Game.from_source(Source("generated", source), limits=GameLimits(steps=300, decisions=40))
    compare_games(one, range(4), Checks(keys=1, words=3, deep=5))
