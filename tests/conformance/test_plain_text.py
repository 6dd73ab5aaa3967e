"""The plain text of a game is the same game without extensions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import cardwright
from cardwright import Game, GameFileError
from cardwright.errors import NoPlainTextError
from cardwright.interpreter.machine import GameLimits
from cardwright.program.check import check, examine
from cardwright.program.plain import NotPlainError, plain_text
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source, read_file
from deep import GAMES as USUAL_GAMES, mostly_deep, usually
from generated import programs
from plain_games import assert_alike, assert_same_play, plain_program, rules

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Code, Diagnostics

NO_PLAIN_TEXT = {"max-of-a-draw": "cannot stand here"}
"""Programs that plain RECYCLE cannot express, and the reason that is given."""

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.rcy"))


@pytest.mark.sweep
@pytest.mark.parametrize("path", PROGRAMS[:: usually(2, 1)], ids=lambda path: path.stem)
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
        assert_same_play(game, range(usually(2, 20)))
    meaning = examine(read_file(path)).meaning
    assert meaning is not None
    if not meaning.extensions.uses:
        assert game.plain_text() == format_source(read_file(path))


FRAME = """(game
  (declare 1 'ON)
  (declare (top (game vloc PILE)) 'UP)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D)))))
  (do ((repeat all (move (top (game iloc STOCK)) (top (game vloc PILE))))))
  {items}
  (stage player
    (end (== (size (game vloc PILE)) 0))
    (choice (
      (any (game vloc PILE) 'C
        (do (
          (move 'C (top (game vloc OUT)))
          (inc ((current player) sto S) (size (game vloc PILE)))))))))
  (scoring max (+ (game sto X) ((current player) sto S))))"""

PLAYED = "(choice ((turn pass) (set (game sto X) 1)))"
SHUFFLED = "(do ((shuffle (game vloc PILE))))"
NEXT = "(choice ((cycle next (current player)) (turn pass)))"
DIFFERENT = {
    "a decided block": f"((== 'ON 1) (do ((turn pass))) else {SHUFFLED})",
    "a partly decided block": (
        f"((or (== 'ON 1) (> (game sto X) 1)) (do ((turn pass))) else {SHUFFLED})"
    ),
    "a decided stage": (
        f"((== 'ON 1) {PLAYED} else (stage player (end (== (game sto Y) 1))"
        f" (do ((shuffle (game vloc PILE)) (set (game sto Y) 1)))))"
    ),
    "a stage that is decided against": f"((== 'ON 2) (stage player (end false) {SHUFFLED}))",
    "a decided item about turns": f"((== 'ON 1) {NEXT} else {SHUFFLED})",
    "another one decided against": f"((== 'ON 2) {NEXT})",
    "a decided condition that could draw": (
        f"((or (== 'ON 1) (== (random 1) 1)) {PLAYED} else {SHUFFLED})"
    ),
    "items in items": (
        f"((== 'ON 2) {SHUFFLED} else ((== (game sto X) 0) {PLAYED} else ((== 'ON 1) {PLAYED})))"
    ),
    "no card": "(do ((let (top (game vloc NONE)) 'C (set (game sto X) 3))))",
    "no card below": "(do ((let (bottom (game vloc NONE)) 'C (set (game sto X) 3))))",
    "no card at a position": "(do ((let (0 (game vloc NONE)) 'C (set (game sto X) 3))))",
    "a position beyond": "(do ((let (9 (game vloc PILE)) 'C (set (game sto X) 3))))",
    "no card in an option": "(choice ((let (top (game vloc NONE)) 'C (set (game sto X) 3))))",
    "a card by another name in an option": (
        "(choice ((let 'UP 'C (move 'C (top (game vloc OUT))))))"
    ),
    "no card by the best": (
        "(do ((let (max (game vloc NONE) using (game points W)) 'C (turn pass))))"
    ),
    "an action as an item": "(label (BID) (set (game sto X) 3))",
    "a conditional step as an item": (
        "(label (BID) ((== (game sto X) 0) (shuffle (game vloc PILE))))"
    ),
    "two steps as an item": (
        "(label (BID) ((== (game sto X) 0) (set (game sto X) 3) else (set (game sto X) 4)))"
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("items", DIFFERENT.values(), ids=DIFFERENT)
def test_the_plain_text_of_an_item_plays_the_same(items: str) -> None:
    """It passes the strict check, and goes the same way, with each value of a constant."""
    for on in (1, 2):
        game = Game.from_text(FRAME.format(items=items), engine="interpreter", ON=on)
        plain_program(game)
        assert_same_play(game, range(3))


@pytest.mark.parametrize("items", ["a decided block", "a decided stage", "items in items"])
def test_the_plain_text_of_decided_items_has_all_of_them(items: str) -> None:
    """With another value of the constant it is played as the text with that value."""
    text = FRAME.format(items=DIFFERENT[items])
    plain = Game.from_text(text, engine="interpreter").plain_text()
    for on in (1, 2):
        games = (Game.from_text(one, engine="interpreter", ON=on) for one in (text, plain))
        assert_alike(*games, range(3))


@settings(
    max_examples=usually(2, 5),
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


@pytest.mark.sweep
@pytest.mark.parametrize(
    "path",
    mostly_deep(
        [*PROGRAMS, *GAMES],
        lambda path: path in PROGRAMS[::2] or path.stem in USUAL_GAMES,
        lambda path: path.stem,
    ),
)
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
