"""What editors are given: colours from the table of forms, snippets that fit, in every editor."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from cardwright.game.find import find, library_names
from cardwright.program.check import check
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, AtomKind

EDITORS = Path(__file__).parents[2] / "editors"
MADE = runpy.run_path(str(EDITORS / "make_grammars.py"))
WORDS = MADE["Vocabulary"].of_forms()
CLASSES = (WORDS.kinds, WORDS.frame, WORDS.steps, WORDS.owners, WORDS.values)


def test_colours_are_up_to_date() -> None:
    assert MADE["main"](["--check"]) == 0


def test_a_stale_file_is_noticed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    stale = runpy.run_path(str(EDITORS / "make_grammars.py"))
    stale["main"].__globals__["FOLDER"] = tmp_path
    assert stale["main"](["--check"]) == 1
    assert "editors/neovim/syntax/recycle.vim" in capsys.readouterr().err


def test_every_word_has_one_class() -> None:
    words = [word for listed in CLASSES for word in listed]
    assert len(words) == len(set(words))


def test_all_words_of_the_library_are_known() -> None:
    known = {word for listed in CLASSES for word in listed}
    for name in library_names():
        source = find(name)
        for token in tokens(source, Diagnostics(source)):
            if isinstance(token, Atom) and token.kind is AtomKind.WORD:
                assert token.text in known, (name, token.text)
            elif isinstance(token, Atom) and token.kind is AtomKind.OPERATOR:
                assert token.text in WORDS.operators, (name, token.text)


SNIPPETS = json.loads((EDITORS / "vscode" / "snippets" / "recycle.json").read_text())
AROUND = """(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)) (RANK (ONE, TWO)))))
  (do (
    (set (game str LEAD) MOON)
    (all player 'P (move (top (game iloc STOCK)) (top ('P vloc TRICK))))
    (all player 'P (move (top ('P vloc TRICK)) (top (game vloc DISCARD))))
    %s))
  (choice ((turn pass) %s))
  (scoring max (size ((current player) iloc HAND))))
"""


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_are_of_the_language(name: str) -> None:
    """As it stands, a snippet is a game without errors, or fits into one."""
    body = SNIPPETS[name]["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text.replace("$0", ""))
    if "(game\n" not in text:
        step, option = (text, "") if name != "Follow suit" else ("", text)
        text = AROUND % (step, option)
    assert not check(Source("snippet.rcy", text)).diagnostics.errors
