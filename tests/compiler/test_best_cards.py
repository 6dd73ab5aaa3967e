"""The best card by classes and sections of cards: the same as by scoring all."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.compiler.kernel_sets import RANDOM_GAMES
from cardwright.compiler.lower import cards
from cardwright.compiler.native import compilation
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_games

QUICK = Checks(keys=0)

GAME = """
(game
 (setup (create players 3)
  (create deck (game iloc STOCK)
   (deck (SUIT (CLUBS, DIAMONDS, HEARTS)) (RANK (SEVEN, EIGHT, NINE, TEN, J, Q, K, A)))))
 (do (
  (set (game str TRUMP) HEARTS)
  {before}
  (shuffle (game iloc STOCK))
  (all player 'P (repeat 8 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (stage player
   (end (all player 'P (== (size ('P vloc TRICK)) 1)))
   (choice ((any ((current player) iloc HAND) 'CARD
     (do ((set (game str LEAD) (cardatt SUIT 'CARD))
          (move 'CARD (top ((current player) vloc TRICK)))))))))
  (do (
   {within}
   (cycle next (owner ({best} {cards} using (game points W))))
   (all player 'P (move (top ('P vloc TRICK)) (top ((next player) vloc WON)))))))
 (scoring max (size ((current player) vloc WON))))
"""

TRICK = "(union (all player 'P ('P vloc TRICK)))"
FOLLOWING = f"(filter {TRICK} 'C (== (cardatt SUIT 'C) (game str LEAD)))"
RANKS = """((RANK : SEVEN) 1) ((RANK : EIGHT) 2) ((RANK : NINE) 3) ((RANK : TEN) 4)
  ((RANK : J) 5) ((RANK : Q) 6) ((RANK : K) 7) ((RANK : A) 8)"""
ACES_IN_BETWEEN = RANKS.replace("K) 7", "K) 10").replace("Q) 6", "Q) 9")
FALLING = """((RANK : SEVEN) 8) ((RANK : EIGHT) 7) ((RANK : NINE) 6) ((RANK : TEN) 5)
  ((RANK : J) 4) ((RANK : Q) 3) ((RANK : K) 2) ((RANK : A) 1)"""
ZIGZAG = """((RANK : SEVEN) 4) ((RANK : EIGHT) 5) ((RANK : NINE) 3) ((RANK : TEN) 6)
  ((RANK : J) 2) ((RANK : Q) 7) ((RANK : K) 1) ((RANK : A) 8)"""
LATE = "((SUIT : (game str TRUMP)) 200) ((SUIT : (game str LEAD)) 100)"


def game(awards: str, *, late: bool = True, which: str = "max", cards: str = TRICK) -> Game:
    points = f"(set (game points W) ({awards}))"
    before, within = ("", points) if late else (points, "")
    text = GAME.format(before=before, within=within, best=which, cards=cards)
    return Game.from_source(Source("tricks", text))


def scored(one: Game, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often a best card is found by scoring cards, as a program is lowered."""
    calls: list[object] = []
    plain = cards._by_scores
    monkeypatch.setattr(cards, "_by_scores", lambda *args: calls.append(args) or plain(*args))
    assert compilation(one.program, RANDOM_GAMES).lowered.rules
    return len(calls)


KEPT = {
    "trumps and the suit led": game(f"{LATE} {RANKS}"),
    "a suit that is always trumps": game(
        f"((SUIT : DIAMONDS) 200) ((SUIT : (game str LEAD)) 100) {RANKS}"
    ),
    "ranks out of order": game(f"{LATE} {ACES_IN_BETWEEN}"),
    "falling ranks": game(f"{LATE} {FALLING}"),
    "keys that differ": game(
        f"((RANK : J) (SUIT : (game str TRUMP)) 400) ((SUIT : (game str TRUMP)) 200)"
        f"((SUIT : (game str LEAD)) 100) {RANKS}"
    ),
}

IN_SECTIONS = {
    "rising": game(RANKS, late=False, cards=FOLLOWING),
    "out of order": game(ACES_IN_BETWEEN, late=False, cards=FOLLOWING),
    "the worst": game(ACES_IN_BETWEEN, late=False, cards=FOLLOWING, which="min"),
}

SCORED = {
    "too close": game(f"{LATE.replace('100', '196')} {RANKS}"),
    "the least": game(f"{LATE} {RANKS}", which="min"),
    "ties": game(f"{LATE} ((RANK : A) 1)"),
    "in many sections": game(ZIGZAG, late=False, cards=FOLLOWING),
    "of several suits": game(RANKS, late=False),
}


@pytest.mark.sweep
@pytest.mark.parametrize("what", [*KEPT, *IN_SECTIONS, *SCORED])
def test_the_best_card_is_the_same(what: str) -> None:
    one = {**KEPT, **IN_SECTIONS, **SCORED}[what]
    assert {played.end for played in compare_games(one, range(usually(1, 3)), QUICK)} == {"over"}


@pytest.mark.parametrize("what", KEPT)
def test_classes_are_known(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    plain = cards.best_class
    monkeypatch.setattr(cards, "best_class", lambda *args: found.append(plain(*args)) or found[-1])
    scored(KEPT[what], monkeypatch)
    assert found
    assert all(found)


@pytest.mark.parametrize("what", IN_SECTIONS)
def test_no_card_is_scored_where_sections_are(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert scored(IN_SECTIONS[what], monkeypatch) == 0


@pytest.mark.parametrize("what", SCORED)
def test_cards_are_scored_otherwise(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    plain = cards.best_class
    monkeypatch.setattr(cards, "best_class", lambda *args: found.append(plain(*args)) or found[-1])
    assert scored(SCORED[what], monkeypatch) > 0
    assert not any(found)
