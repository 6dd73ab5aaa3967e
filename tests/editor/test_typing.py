"""Whatever is typed: no answer fails, and messages are those of a check of the text alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from cardwright.editor.answers import ANSWERS
from cardwright.editor.open_files import OpenFiles
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
    for _ in range(usually(15, 50)):
        edited.edit()
        edited.judge(fresh=True)


@pytest.mark.slow
def test_every_question_is_answered_in_broken_texts() -> None:
    draw = random.Random(8)
    text = (GAMES / "kuhn.rcy").read_text(encoding="utf-8")
    edited = EditedFile(text, 8)
    for _ in range(usually(25, 80)):
        edited.edit()
        for method in draw.sample(list(ANSWERS), 3):
            edited.ask(method)


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
