"""What is offered at the cursor, by the kinds that fit there."""

from __future__ import annotations

import pytest

from cardwright.editor.completion import completions
from cardwright.editor.document import Document
from cardwright.program.symbols import NameIndex
from editor.marked import ECHO, URI, at

BEFORE = (
    "(game (declare 3 'N) (declare HEARTS 'TRUMP) (setup (create players 2) "
    "(create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)) (RANK (A, K))))) "
)


def offered(text: str, names: NameIndex | None = None) -> dict[str, str]:
    """Return what is offered at the mark, by label: what it would insert."""
    document, offset = at(text)
    known = names or Document(URI, ECHO).names
    return {
        item.label: item.text_edit.new_text  # type: ignore[union-attr]
        for item in completions(document, offset, known)
    }


CASES = {
    "a block": ("|", {"(do (STEP...))", "(declare VALUE 'V)"}, {"(move CARD CARD)"}),
    "a step": ("(do ((mo|", {"(move CARD CARD)"}, {"(choice (STEP...))", "(top LOCATION)"}),
    "a card": ("(do ((move |", {"(top LOCATION)"}, {"(size COLLECTION)", "'N"}),
    "a location": ("(do ((shuffle (|", {"(OWNER iloc STRING [INTEGER])"}, {"(top LOCATION)"}),
    "an integer": ("(do ((set (game sto X) |", {"'N", "(size COLLECTION)"}, {"'TRUMP"}),
    "a secret": (
        "(do ((set ((current player) isto BID) |", {"(PLAYER isto STRING)"}, {"(do (STEP...))"}
    ),
    "a variable's kind": (
        "(do ((all player 'P (all ('P iloc HAND) 'C (move |", {"'C"}, {"'P", "'N"}
    ),
    "a variable out of scope": ("(do ((all player 'P (turn pass)) (inc (|", {"game"}, {"'P"}),
    "a player's locations": ("(do ((shuffle ((current player) iloc |", {"HAND"}, {"STOCK", "PILE"}),
    "the table's locations": ("(do ((shuffle (game iloc |", {"STOCK"}, {"HAND", "PILE"}),
    "an attribute": ("(do ((all (game vloc PILE) 'C ((== (cardatt |", {"SUIT", "RANK"}, {"MOON"}),
    "its values": (
        "(do ((all (game vloc PILE) 'C ((== (cardatt SUIT 'C) |", {"MOON", "STAR"}, {"ONE", "SUIT"}
    ),
    "the other way round": ("(stage player (end |", {"(== CARD CARD)"}, {"(do (STEP...))"}),
    "a storage of an owner": ("(do ((inc (game |", {"sto"}, {"vloc", "str"}),
    "a key of an award": ("(do ((set (game points W) (((|", {"SUIT"}, {"MOON"}),
    "a value of an award": ("(do ((set (game points W) (((SUIT : |", {"MOON"}, {"ONE", "SUIT"}),
    "a word of a form": ("(do ((cycle |", {"next", "current"}, {"game"}),
    "a new variable": ("(do ((all player |", {"'P"}, {"'N"}),
    "a word of the set-up": ("(setup (|", set(), {"(move CARD CARD)"}),
    "what is highest": ("(scoring |", {"max", "min"}, set()),
    "a form in a wrong place": ("(move |", {"(top LOCATION)"}, set()),
}  # fmt: skip


@pytest.mark.parametrize(("text", "there", "not_there"), CASES.values(), ids=CASES)
def test_what_fits_is_offered_and_nothing_else(
    text: str, there: set[str], not_there: set[str]
) -> None:
    found = offered(BEFORE + text)
    assert there <= found.keys(), sorted(found)
    assert not not_there & found.keys()


def test_forms_have_places_to_fill() -> None:
    text = BEFORE + "(do ((all player 'P (re|"
    assert offered(text)["(repeat INTEGER ACTION)"] == "repeat ${1:INTEGER} ${2:ACTION})"
    assert offered(BEFORE + "(do (|")["(turn pass)"] == "(turn pass)"


def test_an_editor_without_snippets_gets_their_words() -> None:
    document, offset = at(BEFORE + "(do ((mo|")
    items = completions(document, offset, NameIndex(()), snippets=False)
    (move,) = [item for item in items if item.label == "(move CARD CARD)"]
    assert move.text_edit is not None
    assert move.text_edit.new_text == "move CARD CARD)"
    assert all("$" not in item.text_edit.new_text for item in items if item.text_edit)


def test_a_bracket_that_is_closed_already_is_not_closed_again() -> None:
    found = offered(BEFORE + "(do ((mo|) (turn pass)))")
    assert found["(move CARD CARD)"] == "move ${1:CARD} ${2:CARD}"


def test_the_word_around_the_cursor_is_replaced() -> None:
    document, offset = at(BEFORE + "(do ((mo|ve")
    edit = completions(document, offset, NameIndex(()))[0].text_edit
    assert edit is not None
    start, end = (document.lines.offset(place) for place in (edit.range.start, edit.range.end))
    assert document.text[start:end] == "move"


@pytest.mark.parametrize("text", ["(game ;; a comm|ent", ";; (game (|", "(" * 200 + "|"])
def test_nothing_is_offered_in_comments_and_in_nonsense(text: str) -> None:
    assert offered(text) == {}


@pytest.mark.parametrize("text", ["|", "(|", "\n;; a game\n(|"])
def test_an_empty_file_is_offered_a_game(text: str) -> None:
    (found,) = offered(text).values()
    assert "(setup" in found


DEFINING = (
    "(game (define (TWICE 'N) (* 2 'N)) (define (FOUR) (TWICE 2)) (define (BIG 'N) (> 'N 5)) "
    "(define HAND ((current player) iloc HAND)) (define WIN (inc (game sto N))) "
)


@pytest.mark.parametrize(
    ("written", "fitting", "others"),
    [
        ("(do ((set (game sto A) (|", {"(TWICE 'N)": "TWICE ${1:N})"}, {"(BIG 'N)", "(WIN)"}),
        ("(do ((set (game sto A) (|)", {"(FOUR)": "FOUR"}, {"(HAND)", "(WIN)"}),
        ("(do ((set (game sto A) |", {"(TWICE 'N)": "(TWICE ${1:N})"}, {"(HAND)"}),
        ("(do (((|", {"(BIG 'N)": "BIG ${1:N})"}, {"(HAND)", "(WIN)"}),
        ("(do ((|", {"(WIN)": "WIN)"}, {"(HAND)"}),
        ("(do ((shuffle (|", {"(HAND)": "HAND)"}, {"(BIG 'N)", "(WIN)"}),
        ("(scoring max (TW|", {"(TWICE 'N)": "TWICE ${1:N})"}, {"(BIG 'N)", "(WIN)"}),
    ],
)
def test_definitions_that_fit_are_offered(
    written: str, fitting: dict[str, str], others: set[str]
) -> None:
    """After an opening bracket too; what a definition gives may come from another."""
    found = offered(DEFINING + written)
    assert fitting.items() <= found.items()
    assert not others & set(found)
