"""The terminal and the browser say the same of the same things: what each shows is read here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cardwright
from cardwright.interfaces.play import plain
from cardwright.interfaces.play.screen import windows
from cardwright.table import vocabulary

SCRIPTS = Path(cardwright.__file__).parent / "web" / "static" / "js" / "table"


def script(name: str) -> str:
    return (SCRIPTS / name).read_text(encoding="utf-8")


BROWSER = {
    key: words
    for keys, words in re.findall(r'^  \["([^"]+)", "([^"]+)"\],$', script("keys.js"), re.MULTILINE)
    for key in keys.split()
}
"""What the keys of the browser do, by the list of keys there."""

SCREEN = {name: key.help for key in windows.KEYS for name in key.names}
LINES = dict(re.findall(r"^  (\w+)(?: [A-Z[\]]+)?(?:, \S+)? +(.+)$", plain._HELP, re.MULTILINE))


@pytest.mark.parametrize("act", vocabulary.ACTS, ids=lambda act: act.key)
def test_what_both_can_do_has_one_key_and_one_name(act: vocabulary.TableAct) -> None:
    assert act.words in BROWSER[act.key]
    assert SCREEN[act.key] == act.words
    if act.word:
        assert act.words in LINES[act.word]


def test_no_key_does_one_thing_here_and_another_there() -> None:
    """Other letters are of the screen or of the browser alone."""
    letters = {key for key in SCREEN if len(key) == 1} & {key for key in BROWSER if len(key) == 1}
    assert letters == {act.key for act in vocabulary.ACTS}
    assert BROWSER["?"] == SCREEN["question_mark"] == LINES["help"] == "this list"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dialogs.js", vocabulary.PACE),
        ("dialogs.js", vocabulary.NEXT_DEAL),
        ("dialogs.js", vocabulary.FORCED),
        ("dialogs.js", vocabulary.FOUR_COLOURS),
        ("dialogs.js", vocabulary.NO_TRICK),
        ("sheet.js", vocabulary.NO_SCORES),
        ("sheet.js", vocabulary.SHARED),
        ("sheet.js", '`The ${higher ? "highest" : "lowest"} score wins.`'),
        ("deal_end.js", vocabulary.deal_over(7).replace("7", "${end.number}")),
        ("deal_end.js", "} in all"),
        ("actions.js", vocabulary.CLAIM),
        ("hint.js", f"{vocabulary.HINT}: "),
        ("toolbar.js", ">Hint<"),
        ("toolbar.js", ">Last trick<"),
        ("toolbar.js", ">Rules<"),
        ("toolbar.js", ">Settings<"),
    ],
)  # fmt: skip
def test_the_browser_says_it_so(name: str, words: str) -> None:
    """Settings, results, claims and hints; the terminal has the words from the vocabulary."""
    assert words in script(name)


def test_windows_have_the_same_titles() -> None:
    titles = dict(re.findall(r'^  (\w+): \["([^"]+)", \w+\],$', script("dialogs.js"), re.MULTILINE))
    for name in ("rules", "last", "scores", "settings"):
        assert windows.TITLES[name] == titles[name]
    assert windows.TITLES["help"] == titles["keys"]


def test_deals_can_begin_after_the_same_pauses() -> None:
    found = re.search(r"PAUSES = \[(.*?)\];", script("deal_end.js"), re.DOTALL)
    assert found is not None
    pauses = json.loads(f"[{found[1].strip().rstrip(',')}]")
    assert tuple(seconds for seconds, _ in pauses) == vocabulary.PAUSES
