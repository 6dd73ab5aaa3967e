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
