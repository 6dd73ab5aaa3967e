"""Files that nobody would keep in a folder: empty, huge, deep, or of other systems."""

import time

import pytest
from small_programs import SETUP, whole

from cardwright.program.check import Checked, check
from cardwright.syntax.diagnostic import render
from cardwright.syntax.source import MAX_BYTES, Source, decode
from deep import usually

GAME = whole("(do ((inc ((current player) sto SCORE))))")


def said(result: Checked) -> list[str]:
    return [f"{found.code.code} {found.message}" for found in result.diagnostics]


def many(unit: str, frame: str) -> str:
    """Return a frame filled with as many units as a part of a file may hold."""
    return frame.replace("*", unit * (MAX_BYTES // usually(12, 3) // len(unit)))


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", ";;", ";; a comment without a line end"])
def test_an_empty_file_has_no_program(text: str) -> None:
    """Nothing but white space and comments."""
    assert said(check(Source("x", text))) == ["E104 there is no program in this file"]


@pytest.mark.parametrize("text", ["(game", GAME, "(gmae)", ""])
def test_a_text_is_checked_without_a_file(text: str) -> None:
    """Its messages are those of a file with this text, under the name `game`, and are a text."""
    alone, of_file = check(text), check(Source("game", text))
    assert alone.source == of_file.source
    assert list(alone.diagnostics) == list(of_file.diagnostics)
    rendered = [render(found, of_file.source) for found in of_file.diagnostics]
    assert str(alone.diagnostics) == "\n".join(rendered)
    assert (alone.program is None) == bool(alone.diagnostics.errors)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\n\n"])
def test_marks_and_line_ends_of_other_systems_are_fine(before: bytes, line_end: bytes) -> None:
    """A byte-order mark, and lines that end with two characters."""
    result = check(decode("x", before + GAME.replace(" ", "\n").encode().replace(b"\n", line_end)))
    assert said(result) == []
    assert result.program is not None


def test_a_mistake_has_the_same_place_with_other_line_ends() -> None:
    """Lines and columns do not depend on the system."""
    text = GAME.replace("(do", "\n(do").replace("inc", "icn")
    places = []
    for written in (text, text.replace("\n", "\r\n")):
        source = Source("x", written)
        (found,) = check(source).diagnostics.errors
        places.append(source.position(found.span.start))
    assert places[0] == places[1]


SIGNS = usually(20_000, 100_000)


@pytest.mark.parametrize(
    "text",
    [
        "(" * SIGNS,
        ")" * SIGNS,
        "(game " + "(do (" * (SIGNS // 2),
        "(game (setup " + "(" * (SIGNS // 2) + ")" * (SIGNS // 2) + "))",
        "'" * SIGNS,
        '"' * SIGNS,
        ";" + ";" * SIGNS,
        "(game" + ")" * SIGNS,
    ],
    ids=["open", "close", "do", "deep", "apostrophes", "quotes", "semicolons", "closed"],
)
def test_a_file_of_one_sign_is_told_briefly(text: str) -> None:
    """One line or a few, however long the file."""
    result = check(Source("x", text))
    assert result.program is None
    assert len(result.diagnostics) <= 3
    assert all(len(render(found, result.source)) < 2_000 for found in result.diagnostics)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("unit", "frame"),
    [
        ("(xyz) ", f"(game (setup {SETUP}) *)"),
        ("# ", f"(game (setup {SETUP}) (do (*)))"),
        ("(a\n", "(game *)"),
        ("(turn pass) ", whole("(do (*))")),
        ("(turn pass) ", whole("(do *)")),
        ("-1 ", whole("(do ((set (game sto X) *)))")),
        ("a, ", whole("(do ((all (*b) 'X (turn pass))))")),
        ("A-", "(game *A)"),
        ("aA", "(game (*))"),
        ("1 ", whole("(do ((set (game sto X) (+ *))))")),
        ("do ", whole("(stage player (end (== 1 1)) *)")),
        ("(all player 'P (all player 'P (turn pass)))", whole("(do (*))")),
        ("(create players 2) ", "(game (setup *))"),
        ("(declare 1 'A) ", "(game *)"),
        ("(1, 2) ", "(game (setup (create players 4) (create teams *)))"),
        ("(K (V)) ", "(game (setup (create deck (game iloc X) (deck *))))"),
    ],
)
def test_large_files_take_little_time(unit: str, frame: str) -> None:
    """No repetition of anything is slow out of proportion, nor are its messages."""
    text = many(unit, frame)
    start = time.process_time()
    result = check(Source("x", text))
    shown = [render(found, result.source) for found in result.diagnostics]
    assert time.process_time() - start < 20
    assert max(map(len, shown), default=0) < 3_000


@pytest.mark.parametrize(
    "head",
    [
        "top",
        "not",
        "(",
        "all player 'P",
        "do (",
        "- 1",
        "union",
        "filter player 'P",
        "== 1",
        "mvoe",
    ],
)
def test_deep_nesting_does_not_multiply(head: str) -> None:
    """Forms within forms are looked at once each, right or wrong."""
    text = whole(f"({head} " * 70 + "X" + ")" * 70)
    start = time.process_time()
    check(Source("x", text))
    assert time.process_time() - start < 5


def test_the_deepest_valid_form_is_understood() -> None:
    """The checker copes with the deepest nesting that the reader allows, from any caller."""
    text = whole("(do (" + "((== 1 1) " * 100 + "(turn pass)" + ")" * 100 + "))")
    assert check(Source("x", text)).program is not None


def recurse(depth: int, text: str) -> bool:
    if depth:
        return recurse(depth - 1, text)
    return check(Source("x", text)).program is not None


def test_a_caller_may_be_deep_itself() -> None:
    """The room for deep forms does not depend on where the check is called from."""
    text = whole("(do (" + "((== 1 1) " * 100 + "(turn pass)" + ")" * 100 + "))")
    assert recurse(700, text)
