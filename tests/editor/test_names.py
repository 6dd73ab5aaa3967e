"""What names denote, where they stand, and that other names change nothing."""

from __future__ import annotations

import random
import re

import pytest

from cardwright.editor.document import Document
from cardwright.editor.rename import RenameError, edited, rename
from cardwright.game.game import Game
from cardwright.interpreter.machine import GameLimits
from cardwright.program.symbols import SymbolSort, Use
from editor.marked import ECHO, GAMES, URI, echo

LIMITS = GameLimits(steps=100_000, decisions=400)


def lines_of(document: Document, offset: int) -> list[int]:
    found = document.names.at(offset)
    assert found is not None
    places = document.names.occurrences_of(found.symbol)
    return [document.lines.position(one.span.start).line + 1 for one in places]


CASES = {
    "a variable of a scope": (("'P (repeat", "'P"), [10, 10]),
    "another one of the same name": (("'P (==", "'P"), [13, 13]),
    "a constant": (("4 'CARDS", "'CARDS"), [3, 10]),
    "a storage of players": (("sto SCORE", "SCORE"), [18, 20]),
    "a location of the table": (("vloc PILE", "PILE"), [11, 17, 19]),
    "a location of players": (("iloc HAND", "HAND"), [10, 13, 15]),
    "an attribute": (("SUIT", "SUIT"), [7, 17, 17]),
    "a value": (("MOON", "MOON"), [7]),
}


@pytest.mark.parametrize(("place", "lines"), CASES.values(), ids=CASES)
def test_a_name_is_found_everywhere(place: tuple[str, str], lines: list[int]) -> None:
    assert lines_of(*echo(*place)) == lines


def test_names_are_found_in_a_file_with_errors() -> None:
    text = ECHO.replace("(inc ((current player) sto SCORE))", "(ink ((current player) sto SCORE))")
    document = Document(URI, text)
    assert document.examined.checked.program is None
    assert lines_of(document, text.index("SCORE") + 1) == [18, 20]
    assert lines_of(document, text.index("'CARD\n") + 1) == [15, 17, 19]


def test_a_definition_is_where_a_name_is_introduced() -> None:
    document, offset = echo("(cardatt SUIT (top", "PILE")
    found = document.names.at(offset)
    assert found is not None
    first = document.names.definition(found.symbol)
    assert first is not None
    assert first.use is Use.FILLS
    assert document.lines.position(first.span.start).line + 1 == 11


# Renaming -----------------------------------------------------------------------------------------


def renamed(document: Document, offset: int, name: str) -> str:
    found = rename(document, offset, name)
    return edited(document.text, found.spans, found.text)


REFUSED = {
    "a name that is none": (("'P (repeat", "'P"), "p", "capital letter"),
    "a variable in scope": (("'P (repeat", "'P"), "CARDS", "means something else"),
    "an attribute there is": (("SUIT", "SUIT"), "RANK", "an attribute already, in line 7"),
    "a location there is": (("iloc STOCK", "STOCK"), "HAND", None),
    "a value there is": (("MOON", "MOON"), "STAR", "a string already"),
}


@pytest.mark.parametrize(("place", "name", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_name_that_would_change_the_game_is_refused(
    place: tuple[str, str], name: str, reason: str | None
) -> None:
    """But a location of players may be called as one of the table is."""
    if reason is None:
        assert f"(game iloc {name})" in renamed(*echo(*place), name)
        return
    with pytest.raises(RenameError, match=reason):
        renamed(*echo(*place), name)


def test_a_name_that_would_capture_another_is_refused() -> None:
    """In the inner scope both variables are used."""
    text = ECHO.replace(
        "(inc ((current player) sto SCORE)))",
        "(all player 'Q (all player 'R (set ('Q sto SCORE) ('R sto SCORE)))))",
    )
    document = Document(URI, text)
    assert document.examined.checked.program is not None
    with pytest.raises(RenameError, match=r"'R means something else where it would stand in line"):
        rename(document, text.index("'Q") + 1, "'R")


def test_nothing_is_renamed_in_a_file_with_errors() -> None:
    text = ECHO.replace("(inc ", "(ink ")
    with pytest.raises(RenameError, match="mend the errors first"):
        rename(Document(URI, text), text.index("PILE"), "STACK")


def test_what_is_computed_from_values_is_renamed_with_them() -> None:
    """A location whose name is an attribute's value is the same name."""
    text = ECHO.replace(
        "(move 'CARD (top (game vloc PILE)))",
        "(do ((move 'CARD (top (game vloc (cardatt SUIT 'CARD))))"
        " (repeat all (move (top (game vloc MOON)) (top (game vloc PILE))))))",
    )
    after = renamed(Document(URI, text), text.index("MOON"), "SUN")
    assert re.findall(r"\bSUN\b", after) == ["SUN", "SUN"]
    assert "MOON" not in after


def test_constants_are_renamed_in_the_file_beside_the_game() -> None:
    facts = (
        '[declared]\nCARDS = { about = "CARDS dealt", values = "1..5" }\n'
        '[[requires]]\ncondition = "(< \'CARDS 5)"\n'
        "[presets.few]\ndeclared = { CARDS = 2 }\n"
    )
    document, offset = echo("(declare", "'CARDS")
    found = rename(document, offset, "'DEALT", facts)
    assert edited(facts, found.facts, "DEALT") == (
        '[declared]\nDEALT = { about = "CARDS dealt", values = "1..5" }\n'
        '[[requires]]\ncondition = "(< \'DEALT 5)"\n'
        "[presets.few]\ndeclared = { DEALT = 2 }\n"
    )


def scores(text: str) -> list[object]:
    """Play a game at random, by the numbers of options, and return what came of it."""
    checked = Document(URI, text).examined.checked
    assert checked.program is not None
    game = Game(checked.program, "game", checked.diagnostics, LIMITS, "interpreter")
    state = game.start(7)
    choices = random.Random(7)
    counts = []
    while not state.finished and len(counts) < 40:
        state.contents()
        counts.append(state.option_count)
        state.play(choices.randrange(state.option_count))
    return [*counts, state.finished and state.scores]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["kuhn", "scopa", "lostcities", "president", "euchre", "agram"])
def test_another_name_changes_nothing(name: str) -> None:
    """The game is the same, and with the old name again so is the text. Any name can be changed."""
    text = (GAMES / f"{name}.rcy").read_text(encoding="utf-8")
    document = Document(URI, text)
    before = scores(text)
    symbols = document.names.symbols(*SymbolSort)
    for symbol in random.Random(name).sample(symbols, 4):
        place = document.names.occurrences_of(symbol)[0].span.start + 1
        bare = symbol.name.removeprefix("'")
        after = renamed(document, place, "ZZ_" + bare)
        assert after != text
        assert scores(after) == before, symbol
        assert [d.code for d in Document(URI, after).diagnostics] == [
            d.code for d in document.diagnostics
        ]
        other = Document(URI, after)
        index = [one.span for one in document.names.all].index(
            document.names.occurrences_of(symbol)[0].span
        )
        back = renamed(other, other.names.all[index].span.start + 1, bare)
        assert back == text, symbol
