"""What is shown about a word."""

from __future__ import annotations

import pytest

from cardwright.editor.hover import hover
from editor.marked import echo

CASES = {
    "a form, as what it means there": (("(all player 'P (==", "all"), "Whether the condition"),
    "the same word elsewhere": (("(all player 'P (repeat", "all"), "Runs the step for every item"),
    "a form's word in second place": (("iloc HAND) 'CARD", "iloc"), "only its owner sees"),
    "a section": (("(setup", "setup"), "Says who plays"),
    "a part of the set-up": (("(create deck", "create"), "Makes one card for every combination"),
    "a bare word": (("(game iloc STOCK)", "game"), "`game` is the table"),
    "a variable": (("'P iloc HAND)))", "'P"), "a player, bound by `all` in line 10"),
    "where it is bound": (("(all player 'P (repeat", "'P"), "a player, bound by `all` in line 10"),
    "a constant": (("(repeat 'CARDS", "'CARDS"), "declared in line 3.\n\nIts value is `4`"),
    "a location": (("(top (game vloc PILE)", "PILE"), "Everybody sees its cards"),
    "where it is filled": (("(top (game vloc PILE)", "PILE"), "filled in lines 11, 19"),
    "a storage": (("sto SCORE)))", "SCORE"), "a storage of each player (`sto`)"),
    "an attribute": (("(cardatt SUIT", "SUIT"), "with the values MOON, STAR"),
    "a value": (("(MOON, STAR)", "STAR"), "a value of `SUIT`"),
}


@pytest.mark.parametrize(("place", "words"), CASES.values(), ids=CASES)
def test_a_word_is_explained(place: tuple[str, str], words: str) -> None:
    document, offset = echo(*place)
    found = hover(document, offset + 1)
    assert found is not None
    text, span = found
    assert words in text
    assert document.text[span.start : span.end].startswith(place[1].split()[0])


@pytest.mark.parametrize("place", [("(game", "\n"), (";; Echo", "match"), ("(repeat", " ")])
def test_nothing_is_said_where_no_word_is(place: tuple[str, str]) -> None:
    document, offset = echo(*place)
    assert hover(document, offset + 1) is None or place[0] == "(repeat"
