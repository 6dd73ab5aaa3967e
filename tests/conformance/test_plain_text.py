"""The plain text of a game is the same game without extensions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from cardwright import Game, GameFileError, NoPlainTextError
from cardwright.interpreter.machine import GameLimits
from cardwright.program.check import examine
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source, read_file
from generated import programs
from plain_games import assert_same_play, plain_program, rules

NO_PLAIN_TEXT = {"max-of-a-draw": "cannot stand here"}
"""Programs that plain RECYCLE cannot express, and the reason that is given."""

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.rcy"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_plain_text_is_the_same_game(path: Path) -> None:
    """It passes the strict check, and has the same rules; without extensions it is the file."""
    try:
        game = Game.load(path)
    except GameFileError:
        return
    try:
        plain = plain_program(game)
    except NoPlainTextError as error:
        assert NO_PLAIN_TEXT[path.stem] in str(error)
        return
    if rules(plain) != rules(game.program):
        assert_same_play(game, range(20))
    meaning = examine(read_file(path)).meaning
    assert meaning is not None
    if not meaning.extensions.uses:
        assert game.plain_text() == format_source(read_file(path))


@settings(
    max_examples=5,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_play_alike_in_plain_text(text: str) -> None:
    """The plain text of a program has its rules, or plays the same games from the same seeds."""
    limits = GameLimits(steps=300, decisions=40)
    game = Game.from_source(Source("generated", text), limits=limits, engine="interpreter")
    try:
        plain = plain_program(game)
    except NoPlainTextError:
        return
    if rules(plain) != rules(game.program):
        assert_same_play(game, range(4))
