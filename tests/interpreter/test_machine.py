"""Limits, ranks, and what runs of the machine leave behind."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from cardwright import Game, GameError
from cardwright.interpreter.machine import GameLimits, ranks
from cardwright.syntax.source import Source

COUNTING = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A)))))
 (stage player (end (== (game sto TURNS) 7))
  (do ((inc (game sto TURNS))))
  (choice ((turn pass))))
 (scoring max 0))"""


def game(text: str, limits: GameLimits) -> Game:
    return Game.from_source(Source("test", text), limits=limits, engine="interpreter")


def test_decisions_are_limited() -> None:
    """A game of seven decisions ends within seven, and is given up with a limit of six."""
    state = game(COUNTING, GameLimits(decisions=7)).replay(1, [0] * 7)
    assert state.finished
    with pytest.raises(GameError) as caught:
        game(COUNTING, GameLimits(decisions=6)).replay(1, [0] * 7)
    assert caught.value.rule == "decisions"
    assert caught.value.choices == (0,) * 6


def test_steps_are_counted_from_decision_to_decision() -> None:
    """Two steps pass before each decision here: the stage's examination and the do."""
    assert game(COUNTING, GameLimits(steps=2)).replay(1, [0] * 7).finished
    with pytest.raises(GameError) as caught:
        game(COUNTING, GameLimits(steps=1)).start(1)
    assert caught.value.rule == "steps"


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6), st.booleans())
def test_ranks_count_the_strictly_better(scores: list[int], highest: bool) -> None:
    """A rank is the number of strictly better scores; somebody has rank 0; ties share it."""
    found = ranks(scores, highest_wins=highest)
    better = max(scores) if highest else min(scores)
    for score, rank in zip(scores, found, strict=True):
        assert (rank == 0) == (score == better)
        assert rank == sum(other > score if highest else other < score for other in scores)
