"""Whatever is typed: no answer fails, and messages are those of a check of the text alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from cardwright.editor.answers import ANSWERS
from cardwright.editor.document import OpenFiles
from cardwright.program.check import IncrementalCache, check, messages
from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.source import Source
from deep import usually
from editor.edit_fuzzing import FILE, GAMES, URI, EditedFile
from editor.marked import ECHO

BROKEN = sorted((Path(__file__).parents[1] / "program" / "broken").glob("*.rcy"))
SMALL = ["kuhn", "lama", "goofspiel"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_messages_after_edits_are_those_of_a_check(name: str) -> None:
    """The same, in the same places, with the same words and mends."""
    text = (GAMES / f"{name}.rcy").read_text(encoding="utf-8")
    edited = EditedFile(text, len(text))
    for _ in range(usually(4, 50)):
        edited.edit()
        edited.judge(fresh=True)


@pytest.mark.slow
def test_every_question_is_answered_in_broken_texts() -> None:
    draw = random.Random(8)
    text = (GAMES / "kuhn.rcy").read_text(encoding="utf-8")
    edited = EditedFile(text, 8)
    for _ in range(usually(8, 80)):
        edited.edit()
        for method in draw.sample(list(ANSWERS), 3):
            edited.ask(method)


def test_forms_that_are_as_they_were_are_not_elaborated_again() -> None:
    """After an edit of the end only what is around it is new."""
    recall = IncrementalCache()
    messages(Source("echo.rcy", ECHO), recall)
    before = {id(kept) for kept in recall.last.values()}
    assert len(before) > 8
    messages(Source("echo.rcy", ECHO.replace("(scoring max", "(scoring  max")), recall)
    assert {id(kept) for kept in recall.last.values()} == before


def test_what_a_variable_denotes_elsewhere_is_noticed() -> None:
    """The same text has another meaning under another constant."""
    recall = IncrementalCache()
    for value in ("4", "HEARTS", "(A, B)", "4"):
        source = Source("echo.rcy", ECHO.replace("(declare 4 ", f"(declare {value} "))
        found = messages(source, recall)
        assert list(found) == list(check(source).diagnostics)
        assert bool(found.errors) == (value != "4")


def test_nothing_is_kept_of_closed_files() -> None:
    files = OpenFiles()
    document = files.put(URI, ECHO, 1)
    assert len(document.diagnostics) == 0
    assert document.names.all
    files.put(URI, "(game", 2)
    files.close(URI)
    assert len(files) == 0
    kept = {name: value for name, value in vars(files).items() if value}
    assert kept == {"snippets": True, "encoding": lsp.PositionEncodingKind.Utf16}
    assert ANSWERS[lsp.TEXT_DOCUMENT_HOVER](
        files, lsp.HoverParams(FILE, lsp.Position(0, 0))
    ) is None  # fmt: skip


@pytest.mark.parametrize("letter", "nuvw")
def test_messages_move_with_the_text(letter: str) -> None:
    """Of many kinds, with all that they refer to, when something is typed before them."""
    for path in BROKEN:
        if path.name[0] == letter:
            typed_before(path.read_text(encoding="utf-8"))


def test_places_where_variables_were_bound_move_too() -> None:
    """The message about one that is not bound names the form before it where it was."""
    before = "(move (top (game iloc STOCK)) (top (game vloc PILE)))))"
    text = ECHO.replace(before, before.replace("(game iloc STOCK)", "('P iloc HAND)"))
    found = typed_before(text)
    assert [(one.code, len(one.related)) for one in found] == [(Code.UNBOUND, 1)]


def typed_before(text: str) -> Diagnostics:
    """Type a comment before the set-up, and compare the messages with those of a fresh check."""
    recall = IncrementalCache()
    place = max(text.find("(setup"), 0)
    for version in (text, f"{text[:place]};; more\n{text[place:]}", text):
        source = Source("typed.rcy", version)
        found = messages(source, recall)
        assert list(found) == list(check(source).diagnostics)
    return found
