"""Forms that people keep."""

from __future__ import annotations

import pytest

from cardwright.evolution.errors import KeepError
from cardwright.evolution.variation.rule_text import keeps, kept_spans, kept_texts, touches
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span

TEXT = "(game (do ((turn pass) (turn pass))) (do ((inc (game sto N)\n  3))))"


def test_layout_and_comments_do_not_matter() -> None:
    """A form is found by its tokens, however it is written, as often as it is there."""
    kept = kept_texts(TEXT, ("(inc (game sto N) ;; here\n 3)", "( turn pass )"))
    assert [one.times for one in kept] == [1, 2]
    assert keeps(TEXT.replace("\n  3", " 3"), kept)


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("3", "4"),
        TEXT.replace("(turn pass) (turn pass)", "(turn pass)"),
        TEXT.replace("(turn pass) (turn pass)", "(turn pass) (turn pass) (turn pass)"),
        TEXT.replace("N)", "N2)"),
    ],
)
def test_each_must_be_there_as_often(other: str) -> None:
    """A form that is changed, deleted or doubled is not kept."""
    kept = kept_texts(TEXT, ("(inc (game sto N) 3)", "(turn pass)"))
    assert not keeps(other, kept)


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        ("(inc (game sto N) 4)", "the game does not have it"),
        ("turn pass", "not one form in brackets"),
        ("(turn pass", "not one form in brackets"),
        ("(turn pass) (turn pass)", "not one form in brackets"),
        ("", "not one form in brackets"),
    ],
)
def test_what_cannot_be_kept_is_refused(keep: str, said: str) -> None:
    """The message says what is wrong with it; the request is at fault."""
    with pytest.raises(KeepError, match=said) as error:
        kept_texts(TEXT, (keep,))
    assert error.value.wrong_call


def test_edits_within_kept_forms_are_told() -> None:
    """An edit in a kept form touches it; one beside it, or one that takes it along, does not."""
    source = Source("rules", TEXT)
    form = read(source, Diagnostics(source)).form
    assert form is not None
    (span,) = kept_spans(form, kept_texts(TEXT, ("(inc (game sto N) 3)",)))
    assert TEXT[span.start : span.end] == "(inc (game sto N)\n  3)"
    assert touches([Edit(Span(span.end - 2, span.end - 1), "4")], [span])
    assert touches([Edit(Span(span.start + 1, span.start + 1), "4")], [span])
    assert not touches([Edit(Span(span.end, span.end), " (turn pass)")], [span])
    assert not touches([Edit(Span(span.start, span.end), "(do ((turn pass)))")], [span])
