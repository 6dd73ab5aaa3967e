"""The plain text of a game is the same game without extensions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import cardwright
from cardwright import Game, GameFileError, NoPlainTextError
from cardwright.interpreter.machine import GameLimits
from cardwright.program.check import check, examine
from cardwright.program.plain import NotPlainError, plain_text
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source, read_file
from generated import programs
from plain_games import assert_same_play, plain_program, rules

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Code, Diagnostics

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


GAMES = sorted((Path(cardwright.__file__).parent / "library" / "games").glob("*.rcy"))


@pytest.mark.parametrize("path", [*PROGRAMS, *GAMES], ids=lambda path: path.stem)
def test_the_plain_text_has_no_warnings_of_its_own(path: Path) -> None:
    """Whatever is said of it is said of the author's text too."""
    examined = examine(read_file(path))
    if examined.checked.program is None:
        return
    try:
        text = plain_text(examined)
    except NotPlainError:
        return
    before = Counter(_warnings(examined.checked.diagnostics))
    assert not Counter(_warnings(check(Source("plain", text)).diagnostics)) - before


def test_a_variable_of_the_author_that_hides_another_keeps_its_name() -> None:
    """In a plain text, variables that hide others only there have new names; all uses follow."""
    text = """(game
      (setup (create players 2) (create deck (game iloc STOCK) (deck (V (A, B)))))
      (do (
        (all player 'Q (all player 'Q (inc ('Q sto S))))
        (all player 'R
          (inc ((first player from (first player from 'R 'P (> ('P sto S) 1)) 'P
            (> ('P sto S) 0)) sto S)))))
      (scoring max ((current player) sto S)))"""
    plain = Game.from_text(text).plain_text()
    messages = [one.message for one in check(Source("plain", plain)).diagnostics]
    assert messages == ["this 'Q hides another 'Q while it is in scope"]
    assert "(inc ('Q sto S))" in plain


def _warnings(report: Diagnostics) -> list[tuple[Code, str]]:
    return [(one.code, one.message) for one in report.warnings]
