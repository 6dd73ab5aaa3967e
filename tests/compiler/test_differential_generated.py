"""Generated programs go the same way on both engines; `scripts/differential` tries thousands."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings

from cardwright import Game
from cardwright.interpreter.machine import GameLimits
from cardwright.syntax.source import Source
from deep import usually
from differential import Checks, compare_games
from generated import programs

LIMITS = GameLimits(steps=300, decisions=40)


@settings(
    max_examples=usually(2, 6),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_go_alike(text: str) -> None:
    """Some games of each program."""
    game = Game.from_source(Source("generated", text), limits=LIMITS)
    played = compare_games(game, range(usually(3, 4)), Checks(keys=1, words=3, deep=5))
    assert len(played) > 2
