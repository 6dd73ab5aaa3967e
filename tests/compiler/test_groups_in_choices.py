"""Choices between groups of cards go alike on both engines, and with and without a list of all."""

from __future__ import annotations

from itertools import product

import pytest

from cardwright import Game
from cardwright.compiler.kernels import groups
from cardwright.game.native.random_games import play_random
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_games

QUICK = Checks(keys=0)
HAND = "((current player) iloc HAND)"
GAME = """
(game
 (setup (create players 2) {teams}
  (create deck (game iloc STOCK) (deck (SUIT (X, Y, Z)) (RANK (A, B, C, D, E, F)))))
 (do (
  (set (game points ORDER)
   (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : D) 5) ((RANK : E) 6) ((RANK : F) 7)))
  (set (game points LATE) (((SUIT : (game str NEVER)) 3) ((RANK : A) 1) ((RANK : B) 2)))
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 7 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
  (remember (top (game iloc STOCK)) (top (game mem SEEN)))
  (repeat 2 (move (top (game iloc STOCK)) (top (game vloc TABLE))))))
 (stage player
  (end (or (== (game sto TURNS) 12) (any player 'P (== (size ('P iloc HAND)) 0))))
  (do ((inc (game sto TURNS)){also}))
  (choice ({steps} (turn pass))))
 (scoring max (+ (size {hand}) (game sto SUM))))
"""
ORDERED = f" ((== (game sto TURNS) 0) (move (bottom {HAND}) (bottom (game vloc OUT))))"
OUT = "(all 'G 'C (move 'C (top (game vloc OUT))))"
PUT = f"(do ((set (game sto SUM) (+ (sum 'G using (game points ORDER)) (size 'G))) {OUT}))"

STEPS = {
    **{
        f"subsets {sign}": f"(any (partition RANK {HAND}) 'K (any (subsets 'K {sign} 2) 'G {PUT}))"
        for sign in ("<", "<=", "==", "!=", ">=", ">")
    },
    "subsets": f"(any (partition SUIT {HAND}) 'K (any (subsets 'K) 'G {PUT}))",
    "size of a variable": "(let (size (game vloc TABLE)) 'N"
    f" (any (subsets {HAND} == 'N) 'G {PUT}))",
    "filtered subsets": f"(any (filter (subsets {HAND}) 'S (and (== (size 'S) 3)"
    f" (> (scoremax 'S using (game points ORDER)) (scoremin 'S using (game points ORDER)))"
    f" (== (size (partition SUIT 'S)) 1))) 'G {PUT})",
    "all runs": f"(any (runs all 2 {HAND} using (game points ORDER)) 'G {PUT})",
    "largest runs": f"(any (runs largest 2 {HAND} using (game points ORDER)) 'G {PUT})",
    "runs of a length": f"(any (filter (runs all 1 {HAND} using (game points ORDER)) 'R"
    f" (and (== (size 'R) 3) (> (size (partition SUIT 'R)) 1))) 'G {PUT})",
    "runs of a suit": f"(any (partition SUIT {HAND}) 'K"
    f" (any (runs all 1 'K using (game points LATE)) 'G {PUT}))",
    "two groups": f"(any (partition RANK {HAND}) 'G (any (filter (partition RANK {HAND}) 'H"
    " (and (> (size (disjunction 'G 'H)) 0) (== (size (intersect 'G 'H)) 0))) 'I"
    f" (do ({OUT} (all 'I 'C (move 'C (top (game vloc OUT))))))))",
    "sets in a variable": f"(let (filter (subsets {HAND} == 2) 'S"
    " (== (size (partition RANK 'S)) 1)) 'PAIRS (any 'PAIRS 'G"
    " (any (filter 'PAIRS 'P (== (size (intersect 'P 'G)) 1)) 'H"
    f" (do ((set (game sto SUM) (size (union 'G 'H))) {OUT})))))",
    "top of a group": f"(any (partition RANK {HAND}) 'G (any (filter (game vloc TABLE) 'D"
    " (> (score 'D using (game points ORDER)) (score (top 'G) using (game points ORDER)))) 'D"
    " (do ((move (top 'G) (top (game vloc OUT))) (move 'D (bottom (game vloc OUT)))))))",
    "cards that match": f"(any (filter {HAND} 'C (any (game vloc TABLE) 'D"
    " (== (cardatt RANK 'D) (cardatt RANK 'C)))) 'C (any (filter (game vloc TABLE) 'D"
    " (== (+ (score 'D using (game points ORDER)) 0) (score 'C using (game points ORDER)))) 'D"
    " (do ((move 'C (top (game vloc OUT))) (move 'D (top (game vloc OUT)))))))",
    "with what is remembered": f"(any (partition SUIT {HAND}) 'G ((all (intersect (game mem SEEN)"
    f" {HAND}) 'F (any 'G 'C (== 'C 'F))) {PUT}))",
}


TOGETHER = 5
"""Steps of one choice: programs take longer to compile than to play."""


def game(steps: str, *, ordered: bool = False, zero: bool = False) -> Game:
    """Return a game with some steps to choose from; its hands may have an order."""
    text = GAME.format(
        teams="(create teams (0) (1))" if zero else "",
        also=ORDERED if ordered else "",
        steps=steps,
        hand=HAND,
    )
    return Game.from_source(Source("groups", text))


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(0, len(STEPS), TOGETHER))
@pytest.mark.parametrize(("ordered", "zero"), [(False, False), (True, False), (False, True)])
def test_groups_go_alike(first: int, ordered: bool, zero: bool) -> None:
    steps = " ".join(list(STEPS.values())[first : first + TOGETHER])
    played = compare_games(game(steps, ordered=ordered, zero=zero), range(usually(3, 10)), QUICK)
    assert {one.end for one in played} == {"over"}
    assert any(max(one.counts) > TOGETHER for one in played)


@pytest.mark.parametrize("ordered", [False, True])
def test_few_of_many_cards_go_alike(ordered: bool) -> None:
    """Of a pile of forty cards, groups of at most two, and of all but one, can be picked."""
    ranks = ", ".join(f"R{number}" for number in range(20))
    also = " (move (bottom (game vloc PILE)) (bottom (game vloc OUT)))" if ordered else ""
    text = f"""(game
 (setup (create players 2)
  (create deck (game vloc PILE) (deck (SUIT (X, Y)) (RANK ({ranks})))))
 (stage player
  (end (== (game sto TURNS) 5))
  (do ((inc (game sto TURNS)){also}))
  (choice (
   (any (subsets (game vloc PILE) <= 2) 'G (all 'G 'C (move 'C (top (game vloc OUT)))))
   (any (filter (subsets (game vloc PILE) > (- (size (game vloc PILE)) 2)) 'S
     (== (cardatt SUIT (top 'S)) X)) 'G (inc ((current player) sto SUM) (size 'G))))))
 (scoring max (+ ((current player) sto SUM) (size (game vloc OUT)))))"""
    played = compare_games(Game.from_source(Source("many", text)), range(usually(2, 4)), QUICK)
    assert {one.end for one in played} == {"over"}
    assert any(max(one.counts) > 750 for one in played)


CHECKED = {
    "an empty pile": "(move (top (game vloc NONE)) (top (game vloc OUT)))",
    "the last card": "(do ((move (top (game vloc TABLE)) (top (game vloc OUT)))"
    " (move (top (game vloc TABLE)) (top (game vloc OUT)))"
    " (move (top (game vloc TABLE)) (top (game vloc OUT)))))",
    "more than there are": "(repeat (game sto TURNS)"
    " (move (top (game vloc TABLE)) (top (game vloc OUT))))",
    "a card that was put there": "(do ((move (top (game vloc TABLE)) (top (game vloc OUT)))"
    " (move (top (game vloc OUT)) (top (game vloc TABLE))) (inc (game sto SUM))))",
    "one test each": "(do (((> (size (game vloc TABLE)) 0) (move (top (game vloc TABLE))"
    " (top (game vloc OUT)))) ((> (size (game vloc NONE)) 0)"
    " (move (top (game vloc NONE)) (top (game vloc OUT))))))",
    "an overflow": "(do ((set (game sto SUM) (+ (* (game sto SUM) 3) 2000000000000000000))"
    " (inc (game sto SUM) (game sto SUM))))",
    "nothing to do": "(do (((== (game sto TURNS) 3) (inc (game sto SUM)))"
    " (repeat all (move (top (game vloc NONE)) (top (game vloc OUT))))))",
    "references": "(do ((remember (top (game vloc TABLE)) (top (game mem SEEN)))"
    " (move (top (game vloc TABLE)) (top (game vloc OUT)))))",
    "for each of a group": f"(any (partition RANK {HAND}) 'G (do ((set (game sto SUM) 2)"
    " (all 'G 'C (inc (game sto SUM) (size 'G))) (move (top (game vloc TABLE))"
    " (top (game vloc OUT))))))",
    "a union of groups": f"(let (partition RANK {HAND}) 'GROUPS ((> (size (union 'GROUPS)) 0)"
    " (move (bottom (union 'GROUPS)) (bottom (game vloc OUT)))))",
    "a place made in play": "(do ((move (top (game vloc TABLE))"
    " (top (game vloc HEAP (+ (game sto TURNS) (game sto SUM))))) (inc (game sto SUM))))",
    "never": "((and (> (game sto TURNS) 0) (== 1 2))"
    " (move (top (game vloc NONE)) (top (game vloc OUT))))",
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", CHECKED)
def test_actions_that_may_break_a_rule_break_it_alike(name: str) -> None:
    """Tests beforehand let through only what would go well, and the rule is told exactly."""
    compare_games(game(CHECKED[name]), range(usually(4, 8)), QUICK)


def test_too_many_subsets_are_too_many_without_a_list() -> None:
    ranks = ", ".join(f"R{at}" for at in range(19))
    deck = f"(create deck (game iloc STOCK) (deck (RANK ({ranks}))))"
    text = (
        f"(game (setup (create players 2) {deck})"
        " (do ((repeat all (move (top (game iloc STOCK)) (top (game vloc TABLE))))))"
        " (choice ((any (subsets (game vloc TABLE)) 'G (any (subsets 'G == 1) 'H (turn pass)))"
        " (any (subsets (game vloc TABLE)) 'G (set (game sto R) (size 'G)))))"
        " (scoring max (game sto R)))"
    )
    one = Game.from_source(Source("subsets", text), limits=GameLimits(steps=100_000_000))
    (fault,) = play_random(one, range(1)).faults()
    assert fault[1].rule == "capacity"


def test_subsets_by_number() -> None:
    """They come in the order of integers with a bit for each card."""
    for cards, wanted, relation, least in product(range(7), range(-1, 8), range(1, 8), (0, 1)):
        passing = [
            which
            for which in range(least, 1 << cards)
            if relation == 7
            or relation >> (1 + (which.bit_count() > wanted) - (which.bit_count() < wanted)) & 1
        ]
        number = groups.subsets_related(cards, wanted, relation, least, 0)
        assert number == len(passing)
        for at, which in enumerate(passing):
            assert groups.nth_subset(cards, wanted, relation, least, at) == which
        if relation != 7:
            made = [groups.first_subset(cards, wanted, relation, least)]
            for _ in passing[1:]:
                made.append(groups.next_subset(made[-1], wanted, relation))
            assert made[: len(passing)] == passing


@pytest.mark.parametrize("wanted", [-(2**63), -1, 0, 1, 61, 62, 63, 2**63 - 1])
@pytest.mark.parametrize("relation", range(1, 7))
def test_subsets_of_the_most_cards_come_to_an_end(wanted: int, relation: int) -> None:
    """With sizes that no subset has, and after the last one, nothing is looked for endlessly."""
    for start in (0, 1, 2**61, 2**62 - 2, 2**62 - 1):
        assert groups.next_passing(start, wanted, relation) >= start
    many = groups.subsets_related(62, wanted, relation, 1, 0)
    assert many == 0 or groups.nth_subset(62, wanted, relation, 1, 0) > 0
