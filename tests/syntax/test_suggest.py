"""Suggestions for misspelt words."""

import pytest

from cardwright.syntax.suggest import did_you_mean, near

WORDS = ("move", "remember", "shuffle", "filter", "scoremax", "vloc", "iloc", "player")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("mvoe", "move"),
        ("shufle", "shuffle"),
        ("filtr", "filter"),
        ("vlco", "vloc"),
        ("Player", "player"),
        ("players", "player"),
        ("MOVE", "move"),
    ],
)
def test_a_near_word_is_found(word: str, meant: str) -> None:
    """Letters left out, doubled, exchanged or of the wrong size."""
    assert near(word, WORDS) == meant
    assert did_you_mean(word, WORDS) == f"did you mean {meant}?"


@pytest.mark.parametrize("word", ["", "x", "deal", "hearts", "m" * 1_000_000])
def test_a_far_word_has_no_suggestion(word: str) -> None:
    """Better none than a wrong one; and a word of a million letters takes no time."""
    assert near(word, WORDS) is None
    assert did_you_mean(word, WORDS) == ""


def test_how_near_is_asked() -> None:
    """Callers that need to be sure can ask for more similarity."""
    assert near("mve", ["move"], 0.8) == "move"
    assert near("mv", ["move"], 0.8) is None
