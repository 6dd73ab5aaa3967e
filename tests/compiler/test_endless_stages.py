"""Games that never end within a stage stop by a limit, at the same step and with the same words.

Random games are played stage by stage, in loops that count by themselves.
"""

from __future__ import annotations

import pytest

from cardwright import Game, GameLimits
from cardwright.syntax.source import Source
from deep import mostly_deep
from differential import EVERYTHING, compare_games

FRAME = """(game
 (setup (create players 3) (create teams (0) (1, 2))
  (create deck (game iloc STOCK) (deck (V (A, B, C)) (W (A, B)))))
 {items}
 (scoring max (game sto N)))"""
PASSES = "(choice ((turn pass) (inc (game sto N))))"
NEVER = "(end (< (game sto N) 0))"

NO_DECISION = {
    "a stage": f"(stage player {NEVER} (do ((inc (game sto X)))))",
    "a stage of teams": f"(stage team {NEVER} (do ((inc (game sto X)))))",
    "a stage within a stage": f"""
 (stage player {NEVER} {PASSES} (do ((inc (game sto X))))
   (stage team {NEVER} (do ((dec (game sto X))))))""",
    "stages within stages": f"""
 (stage player {NEVER}
   (stage player (end (== (% (game sto X) 5) 4)) (do ((inc (game sto X)))))
   (do ((inc (game sto X)))))""",
}
"""What goes on without a decision."""

DECISIONS = {
    "a stage": f"(stage player {NEVER} {PASSES})",
    "a stage of teams": f"(stage team {NEVER} {PASSES} (do ((inc (game sto X)))))",
    "stages within stages": f"""
 (stage player {NEVER} {PASSES}
   (stage player (end (== (% (game sto N) 3) 2)) {PASSES} (do ((inc (game sto N))))))""",
}
"""What goes on from decision to decision."""


def played(items: str, limits: GameLimits) -> set[tuple[str, str]]:
    game = Game.from_source(Source("endless", FRAME.format(items=items)), limits=limits)
    ends = [one.broken for one in compare_games(game, range(4), EVERYTHING)]
    return {(one.rule, one.reason) for one in ends if one}


@pytest.mark.parametrize("steps", mostly_deep([1, 2, 7, 100], {1, 7}.__contains__))
@pytest.mark.parametrize("name", NO_DECISION)
def test_what_never_comes_to_a_decision(name: str, steps: int) -> None:
    found = played(NO_DECISION[name], GameLimits(steps=steps, decisions=30))
    assert found == {("steps", f"{steps} steps went by without a decision")}


@pytest.mark.parametrize("decisions", mostly_deep([1, 2, 7, 100], {1, 7}.__contains__))
@pytest.mark.parametrize("name", DECISIONS)
def test_what_never_ends(name: str, decisions: int) -> None:
    found = played(DECISIONS[name], GameLimits(steps=1000, decisions=decisions))
    assert found == {("decisions", f"the game has had {decisions} decisions")}
