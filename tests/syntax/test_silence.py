"""Comments that silence one message in one place, and those that do not."""

import pytest

from cardwright.program.check import check
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

GAME = """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do (
    (inc (game sto X) (game sto NEVER))
    (inc (game sto X) (game sto OTHER))))
  (scoring max (game sto X)))
"""


def said(text: str, **constants: int) -> list[tuple[str, int]]:
    """Return code and line of what a check says."""
    source = Source("a.rcy", text)
    found = check(source, constants).diagnostics
    return [(one.code.code, source.position(one.span.start).line) for one in found]


def test_a_comment_silences_the_message_of_its_line() -> None:
    """At the end of the line, or on a line of its own before it; the other message stays."""
    assert said(GAME) == [("W606", 6), ("W606", 7)]
    end = GAME.replace("NEVER))", "NEVER))  ;; allow W606: another game fills it")
    assert said(end) == [("W606", 7)]
    before = GAME.replace("    (inc", "    ;; allow W606: another game fills it\n    (inc", 1)
    assert said(before) == [("W606", 8)]


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("allow W606", "does not say why"),
        ("allow W606:", "does not say why"),
        ("allow W699: no reason helps", "there is no code W699"),
        ("allow W606, nonsense: why", "there is no code nonsense"),
        ("allow E301: why", "E301 is an error"),
        ("allow W614: why", "W614 cannot be allowed"),
        ("allow N701: why", "there is no N701 here"),
    ],
)
def test_a_comment_that_silences_nothing_is_a_warning(comment: str, problem: str) -> None:
    """Reasons are asked for, codes are known, and what is no longer needed is found."""
    source = Source("a.rcy", GAME.replace("NEVER))", f"NEVER))  ;; {comment}"))
    found = [one for one in check(source).diagnostics if one.code.code == "W614"]
    assert len(found) == 1
    assert problem in found[0].message


def test_other_comments_are_nobodys_business() -> None:
    """A comment may begin with the word allow."""
    text = GAME.replace("NEVER))", "NEVER))  ;; allow players to pass: always")
    assert said(text) == [("W606", 6), ("W606", 7)]


def test_several_codes_may_be_allowed_at_once() -> None:
    """They are separated by commas, and each must be there."""
    text = GAME.replace("NEVER))", "NEVER))  ;; allow W606, W605: both")
    assert said(text) == [("W614", 6), ("W606", 7)]


def test_nothing_is_missed_where_the_check_was_not_complete() -> None:
    """With an error in the file, or other constants, a warning may just not have been found."""
    text = GAME.replace("NEVER))", "NEVER))  ;; allow W606: why")
    assert said(text.replace("(game sto OTHER)", "(gane sto OTHER)")) == [("E301", 7)]
    text = text.replace("(game\n", "(game\n  (declare 1 'N)  ;; allow W612: for those who ask\n", 1)
    assert said(text.replace("W606", "N701")) == [("W606", 7), ("W614", 7), ("W606", 8)]
    assert said(text.replace("W606", "N701"), N=2) == [("W606", 7), ("W606", 8)]


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("alone", [False, True])
def test_the_formatter_keeps_a_comment_with_its_message(alone: bool, long: bool) -> None:
    """Also where a form is broken over several lines."""
    never = "(+ " + "(game sto X) " * 9 + "(game sto NEVER))" if long else "(game sto NEVER)"
    step = f"(inc (game sto X) {never})"
    allow = ";; allow W606: why"
    text = GAME.replace(
        "(inc (game sto X) (game sto NEVER))",
        f"{allow}\n    {step}" if alone else f"{step} {allow}",
    )
    formatted = format_source(Source("a.rcy", text))
    assert [code for code, _ in said(text)] == ["W606"]
    assert [code for code, _ in said(formatted)] == ["W606"]
