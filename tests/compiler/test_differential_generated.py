"""Generated programs go the same way on both engines; `scripts/differential` tries thousands."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, seed, settings

from cardwright import Game
from cardwright.interpreter.machine import Limits
from cardwright.program.check import check
from cardwright.syntax.source import Source
from differential import Checks, compare_games
from form_count import ALL_FORMS, counted_forms
from generated import programs

LIMITS = Limits(steps=300, decisions=40)


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_go_alike(text: str) -> None:
    """Four games of each program."""
    game = Game.from_source(Source("generated", text), limits=LIMITS)
    compare_games(game, range(4), Checks(keys=1, words=3, deep=5))


def test_generated_programs_have_all_forms() -> None:
    """There is no form of the table that the strategy never writes."""

    @seed(1)
    @settings(
        max_examples=600,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def read(text: str) -> None:
        assert check(Source("generated", text)).program is not None

    with counted_forms() as count:
        read()
    assert [name for name in ALL_FORMS if not count[name]] == []
