"""Trees by machine code: node by node those of the interpreter."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from cardwright import Game
from cardwright.game.errors import GameError
from cardwright.solve.build import _Grown, game_tree
from cardwright.solve.growth import TooManyWaysError, TreeGrowth, tree_engine
from cardwright.solve.sequences import SequenceForm, exploitability
from cardwright.solve.strategies import set_places
from cardwright.solve.tree import (
    CHANCE,
    TERMINAL,
    GameTree,
    MadeWhenSeen,
    SolveError,
    TreeTooLargeError,
    Utility,
)
from deep import mostly_deep

GAMES = Path(__file__).parent / "games"

BY_CHANCE = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (A, B)) (RANK (ONE, TWO))))
    (create deck SIGNS (game vloc ROW) (deck (SUIT (A, B)) (RANK (THREE)))))
  (do (
    (set (game points WORTH) (((SUIT : A) 1) ((SUIT : B) 1)))
    (set (game points VALUE) (((SUIT : A) 1) ((SUIT : B) 3)))
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS)) (inc (game sto LUCK) (random 0 .. 1))))
    (choice (
      (any (range 1 .. 2) 'N (set ((current player) sto SAID) 'N))
      (any ((next player) iloc HAND) 'CARD (move 'CARD (top ((current player) iloc TAKEN)))))))
  (do (
    (inc ((1 player) sto SAID) (score (max (game vloc ROW) using (game points WORTH))
                                using (game points VALUE)))
    (inc ((2 player) sto SAID) (game sto LUCK))))
  (scoring max (+ ((current player) sto SAID) (size ((current player) iloc TAKEN)))))
"""
"""Random numbers, a tie among best cards, and cards that are picked without being seen."""

GROUPS = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player
    (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice (
      (any (subsets ((current player) iloc HAND)) 'SOME
        (do ((set ((current player) sto SHOWN) (size 'SOME))
             (all 'SOME 'CARD (move 'CARD (top ((current player) vloc OUT))))))))))
  (scoring max ((current player) sto SHOWN)))
"""

BROKEN = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE)))))
  (do ((shuffle (game iloc STOCK))
       (move (top (game iloc STOCK)) (top ((1 player) iloc HAND)))))
  (stage player
    (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice (
      (set ((current player) str SAID) YES)
      (set ((current player) str SAID) NO))))
  (do (
    ((and (== ((2 player) str SAID) NO) (== (cardatt RANK (top ((1 player) iloc HAND))) TWO))
      (repeat 3 (move (top (game iloc STOCK)) (top (game vloc OUT)))))))
  (scoring max 0))
"""

PEEKS = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO)))))
  (do ((shuffle (game iloc STOCK))
       (move (top (game iloc STOCK)) (top ((2 player) iloc HAND)))))
  (stage player
    (end (== (game sto TURNS) 1))
    (do ((inc (game sto TURNS))))
    (choice (
      (set (game sto WON) 1)
      ((== (cardatt RANK (top ((2 player) iloc HAND))) TWO) (set (game sto WON) 2)))))
  (scoring max (game sto WON)))
"""
"""The options of the first player depend on what it does not see."""

PLAIN = """
(game
  (setup (create players 2) (create deck (game vloc ROW) (deck (RANK (ONE, TWO)))))
  (stage player
    (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice ((any (game vloc ROW) 'CARD (do ((move 'CARD (top ((current player) vloc MINE)))))))))
  (scoring max (size ((current player) vloc MINE))))
"""
"""Nothing is shuffled."""

SMALL = {
    "kuhn": lambda: Game.load("kuhn"),
    "leduc": lambda: Game.load("leduc"),
    "goofspiel": lambda: Game.load(GAMES / "goofspiel.rcy"),
    "plain": lambda: Game.from_text(PLAIN),
    "guess": lambda: Game.load(GAMES / "guess.rcy"),
    "chance": lambda: Game.from_text(BY_CHANCE),
    "groups": lambda: Game.from_text(GROUPS.replace("top ('P iloc HAND)", "bottom ('P iloc HAND)")),
}
"""Games of which no cards are dealt as sets."""

DEALT = {
    "agram6": lambda: Game.load(GAMES / "agram6.rcy"),
    "groups": lambda: Game.from_text(GROUPS),
}
"""Games of which all cards are."""


def by_both(game: Game, utility: Utility = Utility.SCORE) -> tuple[GameTree, GameTree]:
    """Return the trees of both engines, of which the native one is by machine code."""
    native = game.with_engine("native")
    assert tree_engine(native) is not None
    return tuple(
        game_tree(one, utility=utility) for one in (native, game.with_engine("interpreter"))
    )


@pytest.mark.sweep
@pytest.mark.parametrize("name", mostly_deep(SMALL, lambda name: name != "leduc"))
def test_trees_by_machine_code_are_those_of_the_interpreter(name: str) -> None:
    grown, built = by_both(SMALL[name]())
    for part in ("parents", "edges", "actors", "information", "chances", "utilities", "options"):
        np.testing.assert_array_equal(getattr(grown, part), getattr(built, part), part)
    assert grown.depths == built.depths
    assert grown.sets == built.sets


@pytest.mark.sweep
@pytest.mark.parametrize("name", DEALT)
def test_hands_dealt_as_sets_make_a_smaller_tree_of_the_same_game(name: str) -> None:
    """Each hand comes once instead of in each order, in the same information sets."""
    grown, built = by_both(DEALT[name]())
    assert 4 * np.count_nonzero(grown.actors == TERMINAL) == len(built.terminals)
    known = [{str(one.key): one for one in tree.sets} for tree in (grown, built)]
    assert known[0].keys() == known[1].keys()
    for key, one in known[0].items():
        other = known[1][key]
        assert (one.seat, one.options, one.contents) == (other.seat, other.options, other.contents)
    forms = [SequenceForm.of(tree) for tree in (grown, built)]
    weights = {key: np.random.default_rng(at).random(9) for at, key in enumerate(known[0])}
    found = []
    for form in forms:
        strategies = [np.ones(seat.count) for seat in form.seats]
        for seat, number, first, end in set_places(form):
            share = weights[str(form.tree.sets[number].key)][: end - first]
            strategies[seat][first:end] = share / share.sum()
        whole = exploitability(form, strategies)
        found.append((*whole.values, *whole.responses))
    assert found[0] == pytest.approx(found[1], abs=1e-12)


def test_a_tree_of_hands_is_small_enough_to_be_begun() -> None:
    """With each hand in each order there are 10^11 nodes, which is refused before."""
    game = Game.load(GAMES / "hearts12.rcy")
    with pytest.raises(TreeTooLargeError, match="at 20,000 nodes, the most allowed"):
        game_tree(game, most_nodes=20_000)
    with pytest.raises(TreeTooLargeError, match=r"it has about 10\^1\d nodes"):
        game_tree(game.with_engine("interpreter"), most_nodes=20_000)


def test_more_deals_than_can_be_numbered_are_too_many() -> None:
    ranks = ", ".join(f"N{number}" for number in range(13))
    text = (GAMES / "hearts12.rcy").read_text().replace("(JACK, ", f"({ranks}, JACK, ")
    game = Game.from_text(text.replace("(// 12 'PLAYERS)", "(// 51 'PLAYERS)"))
    engine = tree_engine(game)
    assert engine is not None
    with pytest.raises(TooManyWaysError):
        TreeGrowth(game, engine).grow(10)
    with pytest.raises(TreeTooLargeError, match=r"it has about 10\^\d+ nodes"):
        game_tree(game)


def test_the_games_compared_have_draws_of_each_kind_and_hide_choices() -> None:
    tree = game_tree(SMALL["chance"]())
    drawn = tree.actors == CHANCE
    outcomes = np.bincount(tree.parents[1:], minlength=tree.size)[drawn]
    assert set(outcomes) == {2, 3, 4}
    auction = game_tree(SMALL["goofspiel"]())
    assert any("something hidden" in known.sees for known in auction.sets)


@pytest.mark.sweep
@pytest.mark.parametrize("utility", Utility)
def test_ends_are_worth_the_same(utility: Utility) -> None:
    grown, built = by_both(SMALL["chance"](), utility)
    np.testing.assert_array_equal(grown.utilities, built.utilities)


def test_what_options_draw_is_left_to_the_interpreter() -> None:
    drawing = BY_CHANCE.replace(
        "(set ((current player) sto SAID) 'N)", "(set (game sto X) (random 1 .. 2))"
    )
    looking = BY_CHANCE.replace("((next player) iloc HAND)", "(game iloc STOCK)")
    for text in (drawing, looking):
        assert text != BY_CHANCE
        assert tree_engine(Game.from_text(text)) is None
    assert tree_engine(Game.load("kuhn").with_engine("interpreter")) is None


def test_a_broken_rule_is_the_same_error() -> None:
    game = Game.from_text(BROKEN)
    assert tree_engine(game) is not None
    said = []
    for engine in ("native", "interpreter"):
        with pytest.raises(GameError) as caught:
            game_tree(game.with_engine(engine))
        said.append(str(caught.value))
    assert said[0] == said[1]
    assert "there is no card to move" in said[0]


def test_other_options_in_one_information_set_are_the_same_error() -> None:
    said = []
    for engine in ("native", "interpreter"):
        with pytest.raises(SolveError, match="p1 has different options") as caught:
            game_tree(Game.from_text(PEEKS).with_engine(engine))
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("most", mostly_deep([1, 57, 300, 9456], lambda most: most < 1_000))
def test_a_tree_that_is_too_large_is_the_same_error(most: int) -> None:
    said = []
    for engine in ("native", "interpreter"):
        with pytest.raises(TreeTooLargeError) as caught:
            game_tree(Game.load("leduc").with_engine(engine), most_nodes=most)
        said.append((str(caught.value), caught.value.reached))
    assert said[0] == said[1]
    assert game_tree(Game.load("leduc"), most_nodes=9457).size == 9457


def test_growth_goes_on_where_there_was_no_more_room() -> None:
    game = Game.load("leduc")
    engine = tree_engine(game)
    assert engine is not None
    whole = TreeGrowth(game, engine).grow(20_000)
    growth, parts = TreeGrowth(game, engine), []
    while not growth.done:
        before = growth.followed
        parts.append(growth.grow(1 if len(parts) < 100 else 97))
        assert growth.followed > before - 1e-12
    assert growth.followed == 1
    for at in range(2):
        np.testing.assert_array_equal(np.concatenate([part[at] for part in parts]), whole[at])


def test_options_are_numbered_as_in_the_first_node_of_their_information_set() -> None:
    """Where another node offers them in another order, its edges are others."""
    game = Game.load("kuhn")
    engine = tree_engine(game)
    assert engine is not None
    growth = TreeGrowth(game, engine)
    rows, keys = growth.grow(100)
    grown = _Grown(game, growth, rows, keys)
    np.testing.assert_array_equal(grown.edges, rows[:, 1])
    node = next(at for at in np.flatnonzero(grown.numbers >= 0) if at not in grown.firsts)
    counts = np.where(grown.numbers >= 0, rows[:, 4], 0)
    start = counts[:node].sum()
    keys[start : start + 2] = keys[start : start + 2][::-1].copy()
    below = rows[:, 0] == node
    expected = np.where(below, 1 - rows[:, 1], rows[:, 1])
    np.testing.assert_array_equal(_Grown(game, growth, rows, keys).edges, expected)


def test_items_are_made_once_and_when_they_are_looked_at() -> None:
    asked: list[int] = []
    items = MadeWhenSeen(3, lambda at: asked.append(at) or 10 * at)
    assert len(items) == 3
    assert asked == []
    assert (items[1], items[-2], items[1:]) == (10, 10, (10, 20))
    assert asked == [1, 2]
    assert items == (0, 10, 20)
    assert items != (0, 10)
    assert items != [0, 10, 20]
    assert hash(items) == hash((0, 10, 20))
    assert pickle.loads(pickle.dumps(items)) == (0, 10, 20)
    with pytest.raises(IndexError):
        items[3]
