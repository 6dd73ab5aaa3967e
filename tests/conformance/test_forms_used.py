"""The whole language is in use: no form is there that nothing of ours would miss.

What counts are the library's games and the project's own conformance programs. A form that neither
has needs a program in `programs/`, with its results derived from the rules by hand.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardwright.game.find import find, library_names
from cardwright.program.forms import SECTIONS, Section
from cardwright.syntax.source import Source, read_file
from form_count import ALL_FORMS, forms_of

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.rcy"))
GAMES = sorted(map(find, library_names()), key=lambda source: len(source.text))
SOURCES = [*map(read_file, PROGRAMS), *GAMES]
"""What is soon understood comes first."""


@pytest.mark.slow
def test_every_form_is_used() -> None:
    """Each row of the form table is understood in some game of the library or program."""
    missing = [*ALL_FORMS]
    for source in SOURCES:
        used = forms_of([source]) if missing else set()
        missing = [name for name in missing if name not in used]
    assert not missing, "\n".join(["nothing uses", *missing])


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.head)
def test_every_part_of_the_frame_is_used(section: Section) -> None:
    """Each part that stands once in its own place is written somewhere."""
    words = section.head.split()
    if section.head == "repeat":  # also the word of an action; in the frame it repeats a deck
        words += [r"\S+", r"\(create", "deck"]
    written = re.compile(r"^[^;]*\(" + r"\s+".join(words) + r"\b", re.MULTILINE)
    assert any(written.search(source.text) for source in SOURCES)


def test_forms_are_counted_as_they_are_understood() -> None:
    """A word by itself is no form: which row it is depends on what stands around it."""
    text = """(game
      (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
      (do ((swap (top (game iloc STOCK)) (bottom (game iloc STOCK)))))
      (scoring max (tid (1 team))))"""
    assert forms_of([Source("swap", text)]) == {
        "(do (STEP...)) -> STEP",
        "(swap CARD CARD) -> ACTION",
        "(top LOCATION) -> CARD",
        "(bottom LOCATION) -> CARD",
        "(OWNER iloc STRING [INTEGER]) -> LOCATION",
        "(tid TEAM) -> INTEGER",
        "(INTEGER team) -> TEAM",
    }
