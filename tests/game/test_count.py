import pytest

from cardwright import Game, GameError
from cardwright.syntax.source import Source
from decision_sequences import count_sequences

TAKE = """(game
  (setup (create players 2)
    (create deck (game vloc PILE) (deck (RANK (A, B, C, D)))))
  (stage player
    (end (== (size (game vloc PILE)) 0))
    (choice (
      (move (top (game vloc PILE)) (top ((current player) vloc HAND)))
      ((>= (size (game vloc PILE)) STEP)
        (repeat STEP (move (top (game vloc PILE)) (top ((current player) vloc HAND))))))))
  (scoring max (size ((current player) vloc HAND))))
"""


def pile(step: int) -> Game:
    """Four cards, of which each turn takes one or a step of several."""
    return Game.from_source(Source("pile", TAKE.replace("STEP", str(step))))


def test_counts_are_those_of_the_tree() -> None:
    """One or two of four cards: 2, 4, then 2-2 is over while the others go on."""
    state = pile(2).start(1)
    # 1111 112 121 211 22: by length, with those that ended sooner counted on
    assert count_sequences(state, 6) == [2, 4, 5, 5, 5, 5]
    assert count_sequences(state, 2) == [2, 4]
    assert count_sequences(state, 0) == []


def test_a_finished_game_is_one_sequence() -> None:
    state = pile(4).start(1)
    state.play(1)
    assert state.finished
    assert count_sequences(state, 2) == [1, 1]


def test_counting_leaves_the_state_alone() -> None:
    state = Game.load("leduc").start(5)
    before, options = state.copy(), state.options()
    count_sequences(state, 4)
    assert state == before
    assert state.options() == options
    assert state.choices == []


def test_a_broken_rule_is_not_hidden() -> None:
    """If any sequence within the depth stops the game, so does the count."""
    text = TAKE.replace("(>= (size (game vloc PILE)) STEP)", "(>= 4 STEP)").replace("STEP", "3")
    state = Game.from_source(Source("pile", text)).start(1)
    assert count_sequences(state, 1) == [2]
    with pytest.raises(GameError, match="empty-move"):
        count_sequences(state, 3)


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be -1"):
        count_sequences(pile(2).start(1), -1)
