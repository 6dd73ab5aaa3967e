"""What is said of the file NAME.toml beside a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardwright.authoring.settings_check import check_settings
from cardwright.library.catalogue import PLAIN, names
from cardwright.program.check import check
from cardwright.syntax.source import Source, read_file
from deep import some_games

LIBRARY = Path(check_settings.__code__.co_filename).parents[1] / "library" / "games"
LEDUC = LIBRARY / "leduc.rcy"
PROGRAM = check(read_file(LEDUC)).program
"""A game that declares ANTE (1), STEP (2) and MAXRAISES (2)."""

SHOWN = "[[words.displays]]\ntext = '{N}'\n"
MET = "[[requires]]\ncondition = \"(> 'ANTE 0)\"\nwhy = 'x'\n"


def said(text: str, known: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """Return what is wrong with a text: lines and messages, with the advice."""
    report = check_settings(Source("g.toml", text), PROGRAM, known, str(LEDUC))
    return [
        (
            report.source.position(one.span.start).line,
            f"{one.message}; {one.help}".removesuffix("; "),
        )
        for one in report.errors
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("# x\n[declaerd]\nANTE = 'x'", 2,
         "there is no table or field 'declaerd' here; did you mean declared?"),
        ("[preset.long]\nabout = 'x'", 1,
         "there is no table or field 'preset' here; did you mean presets?"),
        ("[declared]\nANTE = { about = 'x' }\nSTEP = { abuot = 'x' }", 3,
         "declared.STEP lacks about, and has unknown fields: abuot; did you mean about?"),
        ("[declared]\nSTEP = { values = '1..4' }", 2, "declared.STEP lacks about"),
        ("[declared]\n\nANTEE = 'x'", 3,
         "the game declares no constant ANTEE; did you mean ANTE?"),
        ("[declared]\nSTEP = { about = 'x', values = [3, 5] }", 2,
         "as the game has it, 2 is not among its values, 3 or 5"),
        ("[declared]\nSTEP = { about = 'x', values = 'many' }", 2, "declared.STEP.values"),
        (f"{MET}\n[[requires]]\ncondition = \"(> 'ANTE 1)\"\nwhy = 'poor'", 5,
         "ANTE=1 do not go together: poor"),
        ("[[requires]]\ncondition = \"(> 'ANTI 0)\"\nwhy = 'x'", 1, "cannot be evaluated"),
        ("[[requires]]\nconditoin = 'x'\nwhy = 'x'", 1, "did you mean condition?"),
        ("[[remarks]]\ncondition = \"(> 'ANTI 0)\"\ntext = 'x'", 1, "cannot be evaluated"),
        ("[[remarks]]\ncondition = \"(> 'ANTE 0)\"\ntxt = 'x'", 1, "did you mean text?"),
        ("remarks = 3", 1, "write [[remarks]]"),
        ("scores = 3", 1, "write [[scores]]"),
        ("[[scores]]\nleast = 1", 1, "scores lacks most"),
        ("[[scores]]\nleast = 1\nmost = 1.5", 1, "scores.most is not an integer"),
        ("[[scores]]\nleast = 2\nmost = 1", 1, "scores.least, 2, is more than most, 1"),
        ("[[scores]]\nleast = 1\nmost = true", 1, "scores.most is not an integer"),
        ("\n[[scores]]\nleast = 1\nmost = 2\ncondition = \"(> 'ANTI 0)\"", 2,
         "cannot be evaluated"),
        ("[[scores]]\nleast = 1\nmost = 2\nconditoin = 'x'", 1, "did you mean condition?"),
        ("[words]\nresults = 3", 2, "write [[words.results]]"),
        ("[[words.results]]\ncondition = \"(> 'POTS 0)\"\ntext = 'x'", 1, "cannot be evaluated"),
        ("[[words.results]]\ncondition = \"(> 'ANTE 0)\"\ntext = '{POTT}'", 1,
         "the rules have no stored value POTT"),
        ("[[words.results]]\ncondition = \"(> 'ANTE 0)\"\ntext = 'x'\nof = 'side'", 1,
         "words.results.of is game, team or player, not 'side'"),
        ("[[words.results]]\ncondition = \"(> 'ANTE 0)\"", 1, "words.results lacks text"),
        ("[[words.results]]\ncondition = \"(> 'ANTE 0)\"\ntext = 'x'\nby = 'POTT'", 1,
         "the rules have no stored value POTT"),
        ("[words]\ndisplays = 3", 2, "write [[words.displays]]"),
        ("[[words.displays]]\nof = 'game'", 1, "words.displays lacks text"),
        ("[[words.displays]]\ntext = 'x'\nshow = 'y'", 1, "has unknown fields: show"),
        ("[[words.displays]]\ntext = 'x'\nof = 'side'", 1,
         "words.displays.of is game, team, player or you, not 'side'"),
        ("[[words.displays]]\ntext = '{'", 1, "a brace that belongs to no place"),
        ("[[words.displays]]\ntext = '{POTT}'", 1, "the rules have no stored value POTT"),
        ("[[words.displays]]\ntext = 'x'\nsign = 'POTT'", 1,
         "the rules have no stored value POTT"),
        ("[[words.displays]]\ntext = 'x'\nat = 'STOK'", 1,
         "the rules have no place STOK; did you mean STOCK?"),
        ("[[words.displays]]\ntext = 'x'\ncondition = '(> 1'", 1, "is never closed"),
        ("[[words.displays]]\ntext = 'x'\ncondition = '(game sto POT)'", 1, "(game sto POT)"),
        ("[[words.displays]]\ntext = 'x'\ncondition = ' '", 1, "' ' is not a condition"),
        ("[[words.displays]]\ntext = '{N}'\nvalues.N = 3", 1,
         "words.displays.values.N has something that is not a string"),
        ("[[words.displays]]\ntext = '{N}'\nvalues.N = '(random 0 .. 5)'", 1,
         "words draw nothing at random"),
        (SHOWN + "values.N = '(cardatt RANK (top (game iloc STOCK)))'", 1,
         "this depends on cards that not all players see"),
        (SHOWN + "of = 'you'\nvalues.N = '(cardatt RANK (top ((2 player) iloc HAND)))'", 1,
         "this depends on cards that others hold"),
        ("[[words.displays]]\ntext = 'x'\nof = 'player'\ntrack = '3'", 1,
         "has a track and its length, to, or neither"),
        ("[[words.displays]]\ntext = 'x'\ntrack = '3'\nto = '9'", 1,
         "is a track, which players or teams have"),
        ("[[words.displays]]\ntext = 'x'\nsign = 'POT'\nof = 'player'", 1,
         "which only what is shown of the game can have"),
        ("[[words.displays]]\ntext = 'x'\nsign = 'POT'\nat = 'STOCK'", 1,
         "it can be no sign or track as well"),
        ("[words.hand]\nleast = 3", 1, "words.hand has neither an order nor sets or runs"),
        ("[words.hand]\nsets = 'RANK'\nleast = 1", 1,
         "words.hand.least is 1, but a group has two cards at least"),
        ("[words.hand]\nsets = 'RNAK'", 1, "no attribute RNAK; did you mean RANK?"),
        ("[words.hand]\nruns = 'ORDERS'", 1, "no point map of the table ORDERS"),
        ("[words.hand]\nsets = 'RANK'\ntext = '{N}'", 1, "{N} is not a value here"),
        ("[words]\nhand = 3", 2, "words.hand is not a table"),
        ("[words.piles]\nSTOCK = 'pile'", 2,
         "words.piles.STOCK is row, top, last, count, suits or none, not 'pile'"),
        ("[words.hand]\norder = 'ORDERS'", 1, "no point map of the table ORDERS"),
        ("[words.piles]\nSTOK = 'top'", 2, "no place STOK; did you mean STOCK?"),
        ("[words.calls]\nRIASE = 'x'", 2, "the rules have no label RIASE"),
        ("[words.signs]\nQUEN = 'x'", 2, "the rules have no string QUEN"),
        ("requires = 3", 1, "write [[requires]]"),
        ("declared = 3", 1, "declared is not a table"),
        ("[presets.a]\nabout = 'x'\n[presets.b]\nabout = 'x'\ndeclared = { ANTI = 1 }", 3,
         "the game declares no constant ANTI; did you mean ANTE?"),
        ("[presets.a]\nabout = 'x'\ngame = 'none.rcy'", 1, "there is no such file"),
        ("[presets.a]\nabot = 'x'", 1, "did you mean about?"),
        ("[declared]\nANTE = 'x", 2, "this is not TOML"),
        ("players = [2]", 1, "there is no table or field 'players' here"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, message: str) -> None:
    found = said(text)
    assert [one for one, _ in found] == [line], found
    assert message in found[0][1]


def test_displays_that_are_right() -> None:
    """What all may know, and to its player alone its own cards; counts of hidden cards, too."""
    assert (
        said(
            "[[words.displays]]\ntext = '{LEFT:card} left'\n"
            "values.LEFT = '(size (game iloc STOCK))'\ncondition = \"(> 'ANTE 0)\"\n"
            "[[words.displays]]\nof = 'you'\ntext = 'you hold {N}'\n"
            'values.N = "(cardatt RANK (top (\'OWNER iloc HAND)))"\n'
            "[[words.displays]]\nof = 'player'\ntext = 'x'\ntrack = \"('OWNER sto BET)\"\n"
            "to = \"'ANTE\"\n[words.hand]\nsets = 'RANK'\n[words.piles]\nSTOCK = 'top'\n"
        )
        == []
    )


CHANGING = """(game
  (declare 3 'PLAYERS)
  (declare (filter (A, B) 'S (or (< 'PLAYERS 4) (!= 'S B))) 'SLOTS)
  (setup
    (create players 'PLAYERS)
    (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)))))
  (do ((all 'SLOTS 'S (inc (game sto N)))))
  (scoring max (game sto N)))
"""
"""A list that is known for three players, and not for four."""
UNKNOWN = "this is not known before the game starts (line 3)"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("values = '3..4' }",
         [f"with PLAYERS=4 the game has an error: {UNKNOWN}"]),
        ("values = '1..40' }",
         [f"with PLAYERS=5 the game has an error: {UNKNOWN}"]),
        ("values = [3] }", []),
        ("values = '3..4' }\n[[requires]]\ncondition = \"(< 'PLAYERS 4)\"\nwhy = 'x'", []),
        ("values = '2..3' }\n[presets.many]\nabout = 'x'\ndeclared = { PLAYERS = 4 }",
         ["PLAYERS: 4 is not among its values, 2 to 3"]),
        ("}\n[presets.many]\nabout = 'x'\ndeclared = { PLAYERS = 4 }",
         [f"with this preset the game has an error: {UNKNOWN}"]),
        ("}\n[presets.few]\nabout = 'x'\ndeclared = { PLAYERS = 2 }", []),
    ],
)  # fmt: skip
def test_rules_are_checked_with_the_values_that_constants_may_have(
    text: str, messages: list[str]
) -> None:
    """And with presets, which must keep to these values."""
    program = check(Source("g.rcy", CHANGING)).program
    separator = ", " if text.startswith("values") else " "
    facts = f"[declared]\nPLAYERS = {{ about = 'x'{separator}{text}"
    report = check_settings(Source("g.toml", facts), program)
    assert [one.message for one in report.errors] == messages


def test_all_mistakes_are_told_at_once() -> None:
    found = said("[declaerd]\n[declared]\nANTEE = 'x'\nSTEP = 3\n[presets.a]\n")
    assert [line for line, _ in found] == [1, 3, 4, 5]


def test_nothing_is_said_of_a_file_that_is_right() -> None:
    """Everything that may be left out is."""
    assert said("") == []
    assert said(
        "[declared]\nANTE = 'chips'\nSTEP = { about = 'x' }\n[presets.a]\nabout = 'x'\n"
        "[presets.b]\nabout = 'x'\ngame = 'hearts'\n"
    ) == []  # fmt: skip
    assert said("players = [2]", frozenset({"players"})) == []


def test_a_program_with_errors_leaves_what_can_be_said_without_it() -> None:
    report = check_settings(Source("g.toml", "[declaerd]\n[declared]\nX = 'x'"), None)
    assert len(report.errors) == 1


@pytest.mark.parametrize("name", some_games(names()))
def test_files_of_the_library_are_right(name: str) -> None:
    rules, facts = LIBRARY / f"{name}.rcy", LIBRARY / f"{name}.toml"
    program = check(read_file(rules)).program
    assert check_settings(read_file(facts), program, PLAIN, str(rules)).errors == []
