"""Brackets that do not match: only they are reported, and what else is wrong elsewhere."""

import random
from collections import Counter

import pytest
from fuzzing import GAMES

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.recovery import recover
from cardwright.syntax.source import Source
from cardwright.syntax.tokens import tokens

BRACKETS = {Code.UNCLOSED, Code.CLOSED_EARLY}

GAME = """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K)) (SUIT (HEARTS, SPADES)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C
        (do (
          (set (game sto X) 1)
          (inc (game sto Y) 'N)
          (move 'C (top (game vloc PILE)))))))))
  (scoring max (size (game vloc PILE))))
"""


def brackets(text: str) -> list[int]:
    """Return the places of all brackets of a text that are not in comments."""
    source = Source("a.rcy", text)
    found = tokens(source, Diagnostics(source))
    return [one[1] for one in found if not hasattr(one, "span")]


def codes(text: str) -> list[str]:
    """Return the codes of what a check of a text says."""
    return [found.code.code for found in check(Source("a.rcy", text)).diagnostics]


def test_a_bracket_deleted_anywhere_is_all_that_is_reported() -> None:
    """In the games of the library nothing else is told but in one case of fifty at most.

    In most cases the place is right, and the edits restore the text.
    """
    draw = random.Random(20)
    ends: Counter[str] = Counter()
    for path in GAMES:
        text = path.read_text(encoding="utf-8")
        for at in draw.sample(brackets(text)[1:], 3):
            broken = Source(path.name, text[:at] + text[at + 1 :])
            found = list(check(broken).diagnostics)
            told = [one for one in found if one.code in BRACKETS]
            assert len(told) == 1, (path.name, broken.position(at))
            ends["false"] += len(found) > 1
            ends["right line"] += (
                broken.position(told[0].span.start).line == broken.position(at).line
            )
            ends["same text"] += apply_edits(broken.text, told[0].edits) == text
    count = 3 * len(GAMES)
    assert ends["false"] <= 0.02 * count, ends
    assert ends["right line"] >= 0.7 * count, ends
    assert ends["same text"] >= 0.8 * count, ends


def test_sound_games_have_no_damage() -> None:
    """The layout of every game of the library agrees with its brackets."""
    for path in GAMES:
        assert recover(Source(path.name, path.read_text(encoding="utf-8"))) is None


@pytest.mark.parametrize(
    ("given", "broken"),
    [
        ("(create players 2)", "(create players 2"),
        ("(move 'C (top (game vloc PILE)))", "(move 'C (top (game vloc PILE))"),
        ("(move 'C (top (game vloc PILE)))", "(move 'C (top (game vloc PILE))))"),
        ("(shuffle (game iloc STOCK))", "(shuffle game iloc STOCK))"),
        ("(scoring max (size (game vloc PILE))))", "(scoring max (size (game vloc"),
        ("(scoring max (size (game vloc PILE))))", ""),
    ],
)
def test_another_mistake_is_told_as_well(given: str, broken: str) -> None:
    """An unbound variable elsewhere is found, whatever happened to the bracket."""
    text = GAME.replace("'N", "1").replace("(size ('P", "(size ('Q").replace("top ('P", "top ('R")
    assert given in text
    told = codes(text.replace(given, broken))
    assert "E401" in told
    assert set(told) <= {"E401", "E102", "E107"}


def test_mistakes_beside_the_damage_are_told() -> None:
    """In the form around the damage, sound lines are checked; but no variables, which it binds."""
    text = GAME.replace("(set (game sto X) 1)", "(set (game sto X) (sise (game iloc STOCK)))")
    assert codes(text.replace("(inc (game sto Y) 'N)", "(inc (game sto Y) 1")) == ["E201", "E102"]
    assert codes(GAME.replace("(any ((current", "(any (current")) == ["E107"]


def test_what_is_declared_in_the_damage_is_not_missed() -> None:
    """A constant whose declaration cannot be read may be used."""
    text = GAME.replace("(game\n", "(game\n  (declare 3 'N)\n", 1)
    assert codes(text) == []
    assert codes(text.replace("(declare 3 'N)", "(declare (+ 3 1 'N)")) == ["E102"]
    assert codes(text.replace("(declare 3 'N)", "declare 3 'N)")) == ["E107"]


def test_layout_that_says_nothing_is_not_relied_on() -> None:
    """On one line, or without indentation, the bracket is all that is reported."""
    flat = "\n".join(line.strip() for line in GAME.splitlines()).replace("(size ('P", "(size ('Q")
    for text in (flat, flat.replace("\n", " ")):
        assert codes(text) == ["E401", "E401"]
        assert codes(text.replace("(create players 2)", "(create players 2")) == ["E102"]


def test_an_unfinished_file_is_checked_as_far_as_it_goes() -> None:
    """The last form may end anywhere; what stands before it is checked."""
    text = GAME[: GAME.index("(inc (game sto Y)")].replace("(shuffle ", "(shufle ")
    assert codes(text) == ["E201", "E102"]
    assert codes(text[: text.index("(stage")] + "(stage pla") == ["E201", "E102"]
