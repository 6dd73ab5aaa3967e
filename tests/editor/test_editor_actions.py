"""Quick fixes, colours, hints, the outline, and commands."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from cardwright.editor.actions import code_actions
from cardwright.editor.answers import document_symbols, folding_ranges, inlay_hints
from cardwright.editor.commands import PYTHON, Worker, checked, lenses, playing
from cardwright.editor.document import Document
from cardwright.editor.highlight import LEGEND_TYPES, semantic_tokens
from cardwright.editor.rename import edited
from cardwright.editor.server import GameServer
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import Span
from editor.marked import ECHO, URI
from patience import PATIENCE

BROKEN = ECHO.replace("(inc ", "(ink ").replace("(shuffle ", "(shufle ")
WHOLE = Span(0, len(ECHO))


def test_what_is_proposed_can_be_done() -> None:
    """One thing at a time, or all of a kind; then the message is gone."""
    document = Document(URI, BROKEN)
    one, other, both = code_actions(document, WHOLE)
    assert [one.title, other.title] == ["Replace shufle by shuffle", "Replace ink by inc"]
    assert both.title == "Mend all that E201 is about"
    for action, left in ((one, 1), (other, 1), (both, 0)):
        assert action.edit is not None
        assert action.edit.changes is not None
        text = BROKEN
        for edit in reversed(action.edit.changes[URI]):
            start, end = map(document.lines.offset, (edit.range.start, edit.range.end))
            text = edited(text, [Span(start, end)], edit.new_text)
        assert len(Document(URI, text).diagnostics) == left


def test_only_what_is_asked_about_is_proposed() -> None:
    at = BROKEN.index("ink")
    found = code_actions(Document(URI, BROKEN), Span(at, at))
    assert [action.title for action in found] == [
        "Replace ink by inc",
        "Mend all that E201 is about",
    ]


def test_a_warning_can_be_allowed_by_a_comment() -> None:
    """Then it is gone, and nothing is wrong with the comment; an error cannot be."""
    text = ECHO.replace("(== (size ('P iloc HAND)) 0)", "(== (game sto NEVER) 0)")
    document = Document(URI, text)
    (warning,) = [one for one in document.diagnostics if one.code is Code.NEVER_SET]
    (action,) = [
        one
        for one in code_actions(document, warning.span)
        if one.title == "Allow W606 here by a comment"
    ]
    assert action.edit is not None
    assert action.edit.changes is not None
    (edit,) = action.edit.changes[URI]
    at = document.lines.offset(edit.range.start)
    after = text[:at] + edit.new_text + text[at:]
    assert "\n    ;; allow W606: it is meant so\n    (end (all" in after
    assert {one.code for one in Document(URI, after).diagnostics} == {
        one.code for one in document.diagnostics if one is not warning
    }
    errors = Document(URI, BROKEN)
    assert not any("Allow" in one.title for one in code_actions(errors, WHOLE))


def test_words_have_their_types() -> None:
    """Five numbers each: lines and columns ahead, length, type, and what else is said of it."""
    document = Document(URI, ECHO)
    data = semantic_tokens(document)
    line = column = 0
    seen: dict[str, set[str]] = {}
    for at in range(0, len(data), 5):
        down, ahead, length, kind, _ = data[at : at + 5]
        line, column = line + down, ahead + (0 if down else column)
        word = ECHO.splitlines()[line][column : column + length]
        seen.setdefault(word, set()).add(LEGEND_TYPES[kind])
    assert seen["'CARDS"] == {"variable"}
    assert seen["SUIT"] == {"type"}
    assert seen["MOON"] == {"enumMember"}
    assert seen["HAND"] == {"namespace"}
    assert seen["SCORE"] == {"property"}
    assert seen["move"] == {"keyword"}
    assert seen["=="] == {"operator"}
    assert seen["4"] == {"number"}


def test_hints_tell_what_the_text_does_not() -> None:
    """A variable of players needs none."""
    found = inlay_hints(Document(URI, ECHO), WHOLE)
    assert [(hint.position.line + 1, hint.label) for hint in found] == [(15, "card")]
    assert inlay_hints(Document(URI, ECHO), Span(0, 100)) == []


def test_the_outline_has_the_parts_of_a_game() -> None:
    found = document_symbols(Document(URI, ECHO))
    assert [one.name for one in found] == [
        "'CARDS = 4",
        "setup",
        "do",
        "stage of players until (all player 'P (== (size ('P iloc HAND)) 0))",
        "scoring max ((current player) sto SCORE)",
    ]
    assert [[inner.name for inner in one.children or []] for one in found][1:4] == [
        ["create players 2", "create deck"],
        [],
        ["choice"],
    ]


def test_the_outline_goes_under_conditions() -> None:
    text = ECHO.replace("(choice (", "((== 'CARDS 4) (choice (").replace(
        "  (scoring", "  )\n  (scoring"
    )
    (stage,) = [
        one for one in document_symbols(Document(URI, text)) if one.name.startswith("stage")
    ]
    assert [one.name for one in stage.children or []] == ["choice"]


def test_forms_and_comments_fold() -> None:
    text = ";; one\n;; two\n" + ECHO
    found = [(one.start_line, one.end_line) for one in folding_ranges(Document(URI, text))]
    assert (3, 21) in found
    assert (0, 2) in found


def test_commands_stand_above_a_game() -> None:
    found = lenses(Document(URI, ECHO))
    assert [lens.command.title for lens in found if lens.command] == [
        "check", "play", "simulate 1,000", "show the flow",
    ]  # fmt: skip
    assert {lens.range.start.line for lens in found} == {1}
    assert lenses(Document(URI, ";; nothing")) == []


def test_a_check_counts_messages() -> None:
    outcome = checked(Document(URI, BROKEN))
    assert outcome["text"] == "echo.rcy: 2 errors"
    assert not outcome["ok"]
    assert checked(Document(URI, ECHO))["text"] == "echo.rcy: ok"


def test_a_file_is_played_from_where_it_is() -> None:
    outcome = playing(Document("file:///a%20b/echo.rcy", ECHO))
    assert outcome["command"][-3:] == ["cardwright", "play", "/a b/echo.rcy"]
    assert outcome["line"].endswith("play '/a b/echo.rcy'")
    assert "save the file" in playing(Document("untitled:Untitled-1", ECHO))["text"]


WORKER = Worker([*PYTHON, "cardwright.interfaces.game_worker"])


@pytest.mark.slow
@pytest.mark.parametrize("text", [ECHO, BROKEN, ""])
def test_games_are_played_elsewhere(text: str) -> None:
    """With the text as the editor has it, and the name of the file as its author knows it."""
    outcome = asyncio.run(WORKER.work("simulate", Document(URI, text), 100))
    assert outcome["ok"] == (text == ECHO)
    assert "/tmp" not in outcome["text"]
    if text == ECHO:
        assert outcome["text"].startswith("100 random games of 2 players\ndecisions: 8 to 8")


@pytest.mark.slow
def test_the_flow_is_drawn() -> None:
    outcome = asyncio.run(WORKER.work("flow", Document(URI, ECHO), 3))
    assert outcome["svg"].startswith("<svg")
    assert "HAND" in outcome["svg"]


def test_work_that_is_cancelled_ends() -> None:
    """Its process is gone when the cancellation is told."""
    sleeper = Worker([sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"])

    async def story() -> None:
        task = asyncio.create_task(sleeper.work("simulate", Document(URI, ECHO), 1))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, PATIENCE)

    asyncio.run(story())


def test_a_process_that_says_nothing_is_told_of() -> None:
    silent = Worker([sys.executable, "-c", "import sys; sys.exit('no such luck')"])
    outcome = asyncio.run(silent.work("simulate", Document(URI, ECHO), 1))
    assert outcome == {"text": "echo.rcy: the game could not be played: no such luck", "ok": False}


def test_new_work_for_a_file_ends_what_was_under_way() -> None:
    """So that nobody waits for games of rules that have changed since."""
    begun: list[int] = []

    class Slow(Worker):
        async def work(self, name: str, document: Document, number: int) -> dict[str, Any]:
            begun.append(number)
            await asyncio.sleep(PATIENCE if number == 100 else 0)
            return {"text": name, "ok": True}

    async def story() -> tuple[dict[str, Any], ...]:
        server, document = GameServer(Slow([])), Document(URI, ECHO)
        first = asyncio.create_task(server._played("simulate", 100, document, ()))
        while not begun:
            await asyncio.sleep(0)
        other = await server._played("flow", 5, Document("file:///other.rcy", ECHO), ())
        assert not first.done()
        second = await server._played("flow", 5, document, [7])
        return second, await first, other

    second, first, other = asyncio.run(story())
    assert (second, first) == ({"text": "flow", "ok": True}, {"text": "stopped", "ok": False})
    assert other["ok"]
    assert begun == [100, 5, 7]
