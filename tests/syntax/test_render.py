"""Diagnostics as text and as records."""

import json

from hypothesis import given, strategies as st

from cardwright.syntax.diagnostic import (
    MOST_ERRORS,
    Code,
    Diagnostic,
    Diagnostics,
    Related,
    record,
    render,
)
from cardwright.syntax.source import Source, Span

SOURCE = Source("hearts.rcy", "(game\n\t(do (all))\n)\n")


def test_a_diagnostic_is_shown_with_its_line() -> None:
    """Place, severity, code and message; the line and a caret; what was expected, and help."""
    found = Diagnostic(
        Code.WRONG_SHAPE,
        Span(12, 15),
        "not complete",
        "(all ...)",
        "add more",
        (Related(Span(0, 5), "in this game"),),
    )
    assert render(found, SOURCE) == (
        "hearts.rcy:2:7: error E202: not complete\n"
        "    2 | \t(do (all))\n"
        "      | \t     ^^^\n"
        "      expected: (all ...)\n"
        "      help: add more\n"
        "      see line 1: in this game\n"
        "    1 | (game\n"
        "      | ^^^^^"
    )


def test_a_style_paints_the_parts() -> None:
    """Each part is given to the style with its role."""
    roles = []

    def style(text: str, role: str) -> str:
        roles.append(role)
        return text

    found = Diagnostic(Code.SHADOWING, Span(1, 5), "hides", "", "rename")
    assert render(found, SOURCE, style) == render(found, SOURCE)
    assert roles == ["place", "warning", "warning", "help"]


def test_a_record_is_json() -> None:
    """Lines and columns count from 1, the end of the span excluded."""
    found = Diagnostic(Code.WRONG_SHAPE, Span(12, 19), "not complete")
    assert json.loads(json.dumps(record(found, SOURCE))) == {
        "file": "hearts.rcy",
        "code": "E202",
        "severity": "error",
        "line": 2,
        "column": 7,
        "end_line": 3,
        "end_column": 2,
        "message": "not complete",
        "expected": "",
        "help": "",
        "edits": [],
    }


@given(st.text(max_size=80), st.integers(0, 90), st.integers(0, 90))
def test_every_span_can_be_shown(text: str, start: int, end: int) -> None:
    """Wherever a span lies in a text, the rendering has its line and a caret."""
    low, high = sorted((min(start, len(text)), min(end, len(text))))
    lines = render(Diagnostic(Code.UNBOUND, Span(low, high), "x"), Source("x", text)).split("\n")
    assert "^" in lines[-1]


def test_a_long_line_is_cut_around_the_place() -> None:
    """The caret stays below its place, and no line is longer than a screen."""
    text = "(" + "a " * 5_000 + "WRONG" + " b" * 5_000 + ")"
    at = text.index("WRONG")
    _, line, carets = render(
        Diagnostic(Code.UNBOUND, Span(at, at + 5), "x"), Source("x", text)
    ).split("\n")
    assert line[carets.index("^") :].startswith("WRONG")
    assert len(line) < 120
    assert carets.count("^") == 5


def test_diagnostics_come_in_order_and_once() -> None:
    """By place, then by code; an equal one at the same place is dropped."""
    report = Diagnostics(SOURCE)
    report.add(Code.UNBOUND, Span(7, 8), "b")
    report.add(Code.SHADOWING, Span(3, 4), "a")
    report.add(Code.UNBOUND, Span(7, 8), "b")
    assert [found.message for found in report] == ["a", "b"]
    assert len(report.errors) == 1
    assert len(report.warnings) == 1


def test_nobody_reads_more_than_so_many_errors() -> None:
    """A full report takes no more, and a text is never endless."""
    report = Diagnostics(SOURCE)
    for at in range(MOST_ERRORS + 10):
        report.add(Code.UNBOUND, Span(at, at + 1), "x" * 10_000)
    assert report.full
    assert len(report) == MOST_ERRORS
    assert max(len(found.message) for found in report) < 1_000


def test_codes_say_how_bad_they_are() -> None:
    """The first letter is the severity; no number and no meaning is used twice."""
    letters = {"E": "error", "W": "warning", "N": "note"}
    assert all(letters[code.code[0]] == code.severity for code in Code)
    assert len({code.code for code in Code}) == len({code.meaning for code in Code}) == len(Code)
