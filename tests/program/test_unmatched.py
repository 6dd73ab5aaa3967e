"""Brackets that do not match: only they are reported, and what else is wrong elsewhere."""

import random
import re
from collections import Counter

import pytest
from fuzzing import GAMES

from cardwright.program.check import check
from cardwright.program.diagnosis.brackets import recover
from cardwright.program.diagnosis.mend import mend
from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import Bracket, tokens
from cardwright.syntax.source import Source
from deep import mostly_deep, usually

SHORT = sorted(GAMES, key=lambda path: path.stat().st_size)[:20]
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
    return [one.offset for one in found if isinstance(one, Bracket)]


def codes(text: str) -> list[str]:
    """Return the codes of what a check of a text says."""
    return [found.code.code for found in check(Source("a.rcy", text)).diagnostics]


def test_a_bracket_deleted_anywhere_is_all_that_is_reported() -> None:
    """In the games of the library nothing else is told but in one case of fifty at most.

    In most cases the place is right, and the edits restore the text.
    """
    each, games = usually((1, SHORT[::2]), (3, GAMES))
    draw = random.Random(20)
    ends: Counter[str] = Counter()
    for path in games:
        text = path.read_text(encoding="utf-8")
        for at in draw.sample(brackets(text)[1:], each):
            broken = Source(path.name, text[:at] + text[at + 1 :])
            found = list(check(broken).diagnostics)
            told = [one for one in found if one.code in BRACKETS]
            assert len(told) == 1, (path.name, broken.position(at))
            ends["false"] += len(found) > 1
            ends["right line"] += (
                broken.position(told[0].span.start).line == broken.position(at).line
            )
            ends["same text"] += apply_edits(broken.text, told[0].edits) == text
    count = each * len(games)
    assert ends["false"] <= 0.02 * count, ends
    most = usually(0.8, 0.9) * count  # of fewer, by chance
    assert ends["right line"] >= most, ends
    assert ends["same text"] >= most, ends


def line_ends(text: str) -> list[int]:
    """Return the places after the closing brackets at the ends of lines."""
    closing = {at for at in brackets(text) if text[at] == ")"}
    lines = re.finditer(r"\)[ \t]*(?:;;.*)?$", text, re.MULTILINE)
    return [line.start() + 1 for line in lines if line.start() in closing]


def miscounted(text: str, slips: str, draw: random.Random) -> tuple[str, set[int]]:
    """Return a text with brackets miscounted at the ends of lines, and the numbers of the lines.

    Each sign is one line: `-` lacks a bracket, `=` lacks two, `+` has one too many.
    """
    ends = sorted(draw.sample(line_ends(text), len(slips)))
    lines = {text.count("\n", 0, end) + 1 for end in ends}
    for end, slip in reversed([*zip(ends, slips, strict=True)]):
        gone = {"-": 1, "=": 2, "+": 0}[slip]
        if not text[:end].endswith(")" * gone):
            return miscounted(text, slips, draw)
        text = text[: end - gone] + ")" * (slip == "+") + text[end:]
    return text, lines


@pytest.mark.slow
@pytest.mark.parametrize(
    "slips", mostly_deep(["-", "=", "+", "--", "-+", "+-"], {"-", "+", "-+"}.__contains__)
)
def test_brackets_miscounted_at_the_ends_of_lines_are_put_right(slips: str) -> None:
    """In most cases a message names each line, and mending restores the text.

    Where it does not, the text keeps its errors: it never becomes another game.
    """
    draw = random.Random(f"ends {slips}")
    games = usually(SHORT[1::4], GAMES[::4])
    ends: Counter[str] = Counter()
    for path in games:
        text = path.read_text(encoding="utf-8")
        broken, lines = miscounted(text, slips, draw)
        source = Source(path.name, broken)
        told = [one for one in check(source).diagnostics if one.code in BRACKETS]
        ends["lines"] += lines == {source.position(one.span.start).line for one in told}
        mended = mend(source)
        ends["same text"] += mended.text == text
        assert mended.text == text or check(mended).diagnostics.errors, (path.name, lines)
    assert ends["lines"] >= 0.8 * len(games), ends
    assert ends["same text"] >= 0.8 * len(games), ends


def test_each_place_is_told_with_its_number() -> None:
    """Brackets that are missing in one line and too many in another are two messages."""
    text = (
        GAME.replace("(shuffle (game iloc STOCK))", "(shuffle (game iloc STOCK")
        .replace(
            "(end (all player 'P (== (size ('P iloc HAND)) 0)))",
            "(end (all player 'P (== (size ('P iloc HAND)) 0))))",
        )
        .replace("'N", "1")
    )
    source = Source("a.rcy", text)
    found = list(check(source).diagnostics)
    assert [(one.code, source.position(one.span.start).line, one.message) for one in found] == [
        (Code.UNCLOSED, 6, "2 closing brackets are missing here: `(game iloc` is never closed"),
        (Code.CLOSED_EARLY, 9,
         "there is a closing bracket too many: this one closes `(stage player`"),
    ]  # fmt: skip
    assert mend(source).text == GAME.replace("'N", "1")


def test_brackets_that_match_but_not_with_the_layout_are_told() -> None:
    """One that stands a line too late is no mistake of shape."""
    text = GAME.replace("'N", "1").replace("(create players 2)", "(create players 2")
    text = text.replace("(SUIT (HEARTS, SPADES)))))", "(SUIT (HEARTS, SPADES))))))")
    source = Source("a.rcy", text)
    told = [(one.code, source.position(one.span.start).line) for one in check(source).diagnostics]
    assert told == [(Code.UNCLOSED, 3), (Code.CLOSED_EARLY, 4)]
    assert mend(source).text == GAME.replace("'N", "1")


def test_places_are_told_where_others_cannot_be_seen() -> None:
    """Two brackets that are missing in two lines of one form are told by its lines."""
    text = GAME.replace("'N", "1").replace("(create players 2)", "(create players 2")
    text = text.replace(
        "(any ((current player) iloc HAND) 'C", "(any ((current player) iloc HAND 'C"
    )
    source = Source("a.rcy", text.replace("(game vloc PILE)))))))))", "(game vloc PILE))))))))"))
    found = list(check(source).diagnostics)
    assert [(source.position(one.span.start).line, one.message) for one in found] == [
        (3, "a closing bracket is missing here, it seems: `(create players` is never closed"),
        (8, "2 closing brackets are missing in lines 8 to 15"),
    ]
    assert mend(source).text == source.text


@pytest.mark.parametrize(
    "broken",
    [
        "(set (game sto X) (+ 1 (+ 2 3 (game sto Z)))",
        "(set (game sto X) (+ 1 (* 2 3 (+ 4 5 (game sto Z))))",
    ],
)
def test_a_place_that_is_not_sure_is_left_to_the_author(broken: str) -> None:
    """Where a bracket could be missing in two places of a line, none is put there."""
    text = GAME.replace("'N", "1").replace("(set (game sto X) 1)", broken)
    source = Source("a.rcy", text)
    (found,) = (one for one in check(source).diagnostics if one.code in BRACKETS)
    assert not found.edits or found.guess
    assert mend(source).text == text


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
