"""Mending: what is sure to help is done, and no file gets worse."""

import random
from pathlib import Path

import pytest
from fuzzing import BROKEN

from cardwright.program.check import check
from cardwright.program.diagnosis.mend import mend
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import Source, read_file

GAME = """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do (
    (shufle (game iloc STOCK))  ;; the comment stays
    (any player 'P (move (game iloc STOCK) (top ('P iloc HAND))))))
  (scoring max (size ((current player) iloc HAND))))
"""


def test_slips_are_mended() -> None:
    """Errors, and an `any` that is read as `all`; layout and comments stay."""
    mended = mend(Source("a.rcy", GAME)).text
    assert mended == GAME.replace("shufle", "shuffle").replace("(any", "(all").replace(
        "(move (game iloc STOCK)", "(move (top (game iloc STOCK))"
    )
    assert not list(check(Source("a.rcy", mended)).diagnostics)


def test_guesses_and_other_warnings_are_left_to_the_author() -> None:
    """What kind of location is meant nobody knows; a warning may be about the other place."""
    text = GAME.replace("shufle (game iloc STOCK)", "shuffle (game PILE)").replace("any", "all")
    assert "(game PILE)" in mend(Source("a.rcy", text)).text
    near = GAME.replace("size ((current player) iloc HAND)", "size ((current player) iloc HANDS)")
    assert "HANDS" in mend(Source("a.rcy", near)).text


def test_an_edit_beside_an_error_that_stays_is_not_made() -> None:
    """The step of a condition without its bracket is not put into a block."""
    text = GAME.replace("shufle", "shuffle").replace("any player", "all player")
    text = text.replace("(move (game iloc STOCK)", "(move (top (game iloc STOCK))")
    alone = "  (== (game sto X) 0) (set (game sto X) 1)\n  (scoring"
    source = Source("a.rcy", text.replace("  (scoring", alone))
    assert mend(source).text == source.text


def test_brackets_after_the_end_go() -> None:
    """They are only warned about, but do not change the game."""
    sound = mend(Source("a.rcy", GAME)).text
    assert mend(Source("a.rcy", sound.rstrip() + "))\n")).text == sound


@pytest.mark.parametrize("path", random.Random(3).sample(BROKEN, 40), ids=lambda path: path.stem)
def test_no_file_gets_worse(path: Path) -> None:
    """Mended once, a file has no more errors of any code; mended again, it stays as it is."""
    source = read_file(path)
    mended = mend(source)
    before, after = check(source).diagnostics.errors, check(mended).diagnostics.errors
    for code in Code:
        told = sum(one.code is code for one in after)
        assert told <= sum(one.code is code for one in before)
    assert mend(mended).text == mended.text
