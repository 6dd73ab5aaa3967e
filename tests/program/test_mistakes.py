"""Mistakes of designers in whole games: the first message names the cause where it is."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fuzzing import LIBRARY

from cardwright.program.check import check
from cardwright.syntax.diagnostic import Diagnostic
from cardwright.syntax.source import Source, read_file

FOLDER = Path(__file__).parent
MISTAKES = tomllib.loads((FOLDER / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]

MOST_MESSAGES = 2
"""Most messages that one mistake may bring."""


def host(name: str) -> Source:
    """Return the game in which a mistake is made."""
    return read_file(FOLDER / "mistakes.rcy" if name == "extensions" else LIBRARY / f"{name}.rcy")


@cache
def told(source: Source) -> list[Diagnostic]:
    """Return what a check says, in order of place."""
    return list(check(source).diagnostics)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake["what"])
def test_a_mistake_is_told_where_it_is(mistake: dict[str, Any]) -> None:
    """The first new message has the expected code, place and words, and few follow."""
    sound = host(mistake["host"])
    at = sound.text.index(mistake["old"])
    source = Source(sound.name, sound.text.replace(mistake["old"], mistake["new"], 1))
    before = {(one.code, one.message) for one in told(sound)}
    new = [one for one in told(source) if (one.code, one.message) not in before]
    assert 0 < len(new) <= MOST_MESSAGES, [one.message for one in new]
    first = new[0]
    line = source.position(first.span.start).line - source.position(at).line
    assert (first.code.code, line) == (mistake["code"], mistake.get("lines", 0))
    assert mistake["says"] in f"{first.message} {first.help}"


def test_the_host_with_extensions_is_sound() -> None:
    """Nothing is told about it before a mistake is made."""
    assert not told(host("extensions"))
