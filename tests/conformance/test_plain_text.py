"""The plain text of a game is the same game without extensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardwright import Game, GameFileError, NoPlainTextError
from cardwright.program.check import examine
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import read_file
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
