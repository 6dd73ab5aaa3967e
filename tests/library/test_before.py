"""Library games with extensions are what they were when they were written in plain RECYCLE."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardwright import Game
from cardwright.game.find import find
from cardwright.library.catalogue import names
from cardwright.program.check import check
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.source import read_file
from deep import some_games, usually
from plain_games import assert_alike, assert_same_play

BEFORE = sorted(Path(__file__).with_name("before").glob("*.rcy"))
"""The games as they were, without extensions."""

OTHERWISE: dict[str, dict[str, int | str]] = {
    "bridge": {"DEALER": 2, "VULNERABLE": "EW"},
    "briscola": {"PLAYERS": 4},
    "sevens": {"PLAYERS": 4},
    "skat": {"JUMPS": 1, "RAMSCH": 1, "SEEGER": 1},
}
"""Other values of their constants."""


@pytest.mark.parametrize("path", BEFORE, ids=lambda path: path.stem)
def test_they_play_the_same_games(path: Path) -> None:
    """As they come, and with other values of their constants."""
    assert not list(check(read_file(path), strict=True).diagnostics)
    for declared in ({}, OTHERWISE[path.stem]):
        now = Game.variant(path.stem, declared, engine="interpreter")
        before = Game.from_source(read_file(path), declared=declared, engine="interpreter")
        assert_alike(before, now, range(usually(2, 6)))


def test_sevens_is_as_long_as_the_cookbook_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text(encoding="utf-8")
    now, before = (text.count("\n") for text in (find("sevens").text, _before("sevens")))
    assert f"The file has {now} lines instead of {before}," in page


def _before(name: str) -> str:
    return next(path for path in BEFORE if path.stem == name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", some_games(names()))
def test_their_plain_text_is_the_same_game(name: str) -> None:
    checked = check(find(name), strict=True)
    if any(found.code is Code.EXTENSION for found in checked.diagnostics):
        assert_same_play(Game.load(name, engine="interpreter"), range(usually(1, 3)))
