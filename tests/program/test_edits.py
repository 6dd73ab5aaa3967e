"""Edits: a message about a slip says how to mend it, and mending removes the message."""

from collections import Counter
from pathlib import Path

import pytest

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Diagnostic, Diagnostics, Edit, Severity
from cardwright.syntax.edit import apply_edits, difference
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span, read_file

FOLDER = Path(__file__).parent / "broken"
FILES = sorted(FOLDER.glob("*.rcy"))

FEWEST_WITH = 0.4
"""The least share of the messages of the broken files that have edits. The others are of missing
parts, or two things may be meant."""


def program(path: Path) -> Source:
    """Return the program of a file, without its expectations."""
    return Source(path.name, read_file(path).text.split("\n;; expect: ")[0] + "\n")


def told(source: Source) -> list[Diagnostic]:
    """Return the diagnostics of a source."""
    return list(check(source).diagnostics)


def moved(place: int, edits: tuple[Edit, ...]) -> int:
    """Return where a place of the text is once the edits are applied."""
    before = [edit for edit in edits if edit.span.end <= place]
    return place + sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in before)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_edits_remove_their_message_and_bring_no_other(path: Path) -> None:
    """Applied alone, the edits of a message remove it, and no error is new."""
    source = program(path)
    before = told(source)
    for found in before:
        if not found.edits:
            continue
        mended = Source(path.name, apply_edits(source.text, found.edits))
        after = told(mended)
        place = moved(found.span.start, found.edits)
        assert not [
            one
            for one in after
            if (one.code, one.span.start, one.message) == (found.code, place, found.message)
        ], mended.text
        new = Counter(one.code for one in after if one.severity is Severity.ERROR)
        new.subtract(one.code for one in before if one is not found)
        assert not +new, mended.text


def test_most_messages_have_edits() -> None:
    """Where something obvious was meant, edits say it."""
    messages = [found for path in FILES for found in told(program(path))]
    without = [found.code for found in messages if not found.edits]
    most = (1 - FEWEST_WITH) * len(messages)
    assert len(without) <= most, Counter(code.name for code in without)


def test_only_what_differs_is_touched() -> None:
    """Comments and line breaks of the author stay where they are."""
    source = program(FOLDER / "shape_infix.rcy")
    text = source.text.replace("+ 1", ";; here\n      + 1")
    assert text != source.text
    (found,) = told(Source("a.rcy", text))
    mended = apply_edits(text, found.edits)
    assert ";; here\n" in mended
    assert not [one for one in told(Source("a.rcy", mended)) if one.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("given", "meant", "text"),
    [
        ("(a (b c) d)", "(a b c d)", "(a b c d)"),
        ("(a b c d)", "(a (b c) d)", "(a (b c) d)"),
        ("((a b))", "(a b)", "(a b)"),
        ("(a  ;; why\n   b)", "(a c b)", "(a  ;; why\n   c b)"),
        ("(a\n  b)", "(a\n b (c))", "(a\n  b (c))"),
        ("(A B C)", "(A, B, C)", "(A, B, C)"),
        ("(x a a)", "(x a)", "(x a)"),
        ("(a)b)", "(a)", "(a)b)"),
    ],
)
def test_differences_keep_the_layout(given: str, meant: str, text: str) -> None:
    """Words and brackets come and go beside what they belong to."""
    source = Source("a.rcy", given)
    old = read(source, Diagnostics(source)).form
    other = Source("b.rcy", meant)
    new = read(other, Diagnostics(other)).form
    assert old is not None
    assert new is not None
    assert apply_edits(given, difference(source, old, new)) == text


def test_a_comment_is_never_lost() -> None:
    """There are no edits if a comment stands between words that would have to go together."""
    source, other = Source("a.rcy", "(a b ;; why\n c)"), Source("b.rcy", "(d)")
    old, new = (read(one, Diagnostics(one)).form for one in (source, other))
    assert old is not None
    assert new is not None
    assert difference(source, old, new) == ()


def test_edits_that_overlap_are_refused() -> None:
    """Nobody knows what two edits of the same place mean."""
    edits = [Edit(Span(0, 3), "x"), Edit(Span(2, 4), "y")]
    with pytest.raises(match="overlap at character 2"):
        apply_edits("abcdef", edits)
