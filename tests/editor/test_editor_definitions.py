"""Definitions in an editor: their names, their parameters and what stands in their bodies."""

from __future__ import annotations

import pytest

from cardwright.editor.completion import completions
from cardwright.editor.document import Document
from cardwright.editor.hover import hover
from cardwright.editor.rename import edited, rename
from editor.marked import DEFINED, URI

DOCUMENT = Document(URI, DEFINED)


def place(before: str, word: str) -> int:
    return DEFINED.index(word, DEFINED.index(before)) + 1


CASES = {
    "a definition": (("(ALIKE 'CARD", "ALIKE"), [4, 21]),
    "a parameter": (("SUIT 'C)", "'C"), [4, 4]),
    "another one": (("('O sto", "'O"), [5, 5]),
    "an argument": (("(ALIKE 'CARD", "'CARD"), [17, 21, 23]),
    "a storage of two sorts of owners": (("sto TURNS", "TURNS"), [5]),
}


@pytest.mark.parametrize(("where", "lines"), CASES.values(), ids=CASES)
def test_names_of_definitions_are_found(where: tuple[str, str], lines: list[int]) -> None:
    assert DOCUMENT.examined.checked.program is not None
    found = DOCUMENT.names.at(place(*where))
    assert found is not None
    places = DOCUMENT.names.occurrences_of(found.symbol)
    assert [DOCUMENT.lines.position(one.span.start).line + 1 for one in places] == lines


@pytest.mark.parametrize(("where", "lines"), CASES.values(), ids=CASES)
def test_they_can_be_renamed(where: tuple[str, str], lines: list[int]) -> None:
    found = rename(DOCUMENT, place(*where), "OTHER")
    after = Document(URI, edited(DEFINED, found.spans, found.text))
    assert after.text.count("OTHER") == len(lines)
    assert after.examined.checked.program is not None


def test_a_definition_is_shown_with_its_text() -> None:
    text, _ = hover(DOCUMENT, place("(ALIKE 'CARD", "ALIKE")) or ("", None)
    assert "(define (ALIKE 'C 'D) (== (cardatt SUIT 'C) (cardatt SUIT 'D)))" in text
    assert "used in line 21" in text
    text, _ = hover(DOCUMENT, place("SUIT 'C)", "'C")) or ("", None)
    assert "a parameter of" in text


@pytest.mark.parametrize(
    ("before", "there"),
    [
        ("          ((ALIKE", "(COUNT 'O)"),
        ("((ALIKE", "(ALIKE 'C 'D)"),
        ("(== (cardatt SUIT 'C)", "'C"),
    ],
)
def test_uses_and_parameters_are_offered(before: str, there: str) -> None:
    """A step where a step fits, a condition where one fits, parameters in the body."""
    start = DEFINED.index(before)
    at = start + len(before) - len(before.lstrip()) if there != "(ALIKE 'C 'D)" else start + 1
    at = start + len("(== (cardatt SUIT ") if there == "'C" else at
    document = Document(URI, DEFINED[:at])
    found = {item.label for item in completions(document, at, DOCUMENT.names)}
    assert there in found
