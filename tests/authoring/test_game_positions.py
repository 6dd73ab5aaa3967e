"""Positions: deals are arranged as they say, and what does not hold is found at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright import NotFoundError, run_positions
from cardwright.authoring import PositionOutcome, arranged
from cardwright.errors import PositionFileError
from cardwright.game.find import library_folder, library_names

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
;; Draw: whoever has a red card in hand may play it.
(game
  (declare 2 'PLAYERS)
  (setup
    (create players 'PLAYERS)
    (create teams (1) (2))
    (create deck (game iloc STOCK)
      (deck (SUIT (CLUBS, HEARTS)) (RANK (TWO, THREE, FOUR, A)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
    (move (top (game iloc STOCK)) (top (game vloc PILE)))
    (set (game str SUIT) (cardatt SUIT (top (game vloc PILE))))
    (set (game sto DIE) (random 1 .. 6))
    (set (game sto PILE) 3)))
  (stage player
    (end (== (game sto ROUND) 3))
    (choice (
      (any ((current player) iloc HAND) 'CARD (move 'CARD (top (game vloc PILE))))
      (turn pass)))
    (do (
      ((== (game sto ROUND) 1)
        (do (
          (repeat all (move (top ((current player) iloc HAND)) (top (game iloc STOCK))))
          (shuffle (game iloc STOCK))
          (move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
      ((== (game sto ROUND) 2)
        (inc ((team (current player)) sto POINTS) (// 6 (size (game vloc PILE)))))
      (inc (game sto ROUND)))))
  (scoring max ((team (current player)) sto POINTS)))
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "draw.rcy"
    path.write_text(GAME)
    return path


def one(game: Path, text: str) -> PositionOutcome:
    file = game.with_suffix(".positions.toml")
    file.write_text(f'[[position]]\nabout = "this"\n{text}\n')
    (outcome,) = run_positions(game)
    return outcome


def messages(outcome: PositionOutcome) -> list[tuple[str, str, str]]:
    return [(fail.message, fail.expected, fail.found) for fail in outcome.failures]


@pytest.mark.parametrize(
    "text",
    [
        'deal.p1.HAND = "2C AH"\nexpect.p1.HAND = "AH 2C"',
        (
            'deal = { p1.HAND = "2C 2H", p2.HAND = "3C 3H", game.STOCK = "4H AC" }\n'
            'expect = { p1.HAND = "2C ...", p2.HAND = "3H 3C", game.STOCK = "4H AC ..." }'
        ),
        'deal.game = { SUIT = "HEARTS", DIE = 6 }\nexpect.game = { SUIT = "HEARTS", DIE = 6 }',
        'deal.game."vloc PILE" = "AC"\nexpect = { game.SUIT = "CLUBS", game."sto PILE" = 3 }',
        (
            'deal.p1.HAND = "2C 2H"\n'
            'steps = [{ player = "p1", options = ["2C", "2H", "pass"], choose = "2C" },'
            ' { player = "p2", includes = "pass", excludes = "2H", options = 3, choose = "pass",'
            ' deal.p1.HAND = "2H", deal.p2.HAND = "AC" },'
            ' { expect = { over = false, player = "p1", p2.HAND = "AC", game.STOCK = 4 },'
            ' choose = "pass" }]\n'
            "expect = { over = true, scores = [3, 0], ranks = [0, 1],"
            ' winners = "p1", t1.POINTS = 3 }'
        ),
    ],
)
def test_what_holds_passes(game: Path, text: str) -> None:
    outcome = one(game, text)
    assert outcome.passed, "\n".join(map(str, outcome.failures))


TWICE = """
(game
  (setup
    (create players 1)
    (repeat 2 (create deck (game iloc STOCK) (deck (RANK (TWO, THREE, FOUR, FIVE, SIX, A))))))
  (do (
    (shuffle (game iloc STOCK))
    (shuffle (game iloc STOCK))
    (repeat 3 (move (top (game iloc STOCK)) (top (game vloc ROW 3))))
    (repeat 3 (move (top (game iloc STOCK)) (top ((1 player) iloc HAND))))))
  (stage player
    (end (== (game sto TURNS) 3))
    (choice (
      (shuffle (game iloc STOCK))
      (any ((current player) iloc HAND) 'CARD (move 'CARD (top (game vloc ROW 3))))))
    (do (
      (inc (game sto TURNS))
      (shuffle (game iloc STOCK))
      (set (game sto DIE) (random 1 .. 6)))))
  (scoring max (pid (current player))))
"""


@pytest.fixture
def twice(game: Path) -> Path:
    """A game with two cards of each rank, and more shuffles than one."""
    game.write_text(TWICE)
    return game


def test_any_deal_is_found_at_once(twice: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cards can be named: the pack is exchanged once, though it is shuffled more than once."""
    monkeypatch.setattr(arranged, "_TRIES", 1)
    monkeypatch.setattr(arranged, "_EXCHANGES", 2)
    ranks = ["2", "3", "4", "5", "6", "A", "2", "3", "4", "5", "6", "A"]
    for shift in range(12):
        pack = ranks[shift:] + ranks[:shift]
        hand, row, stock = (", ".join(part) for part in (pack[:3], pack[3:6], pack[6:]))
        facts = f'p1.HAND = "{hand}"\n%s.game."ROW 3" = "{row}"\n%s.game.STOCK = "{stock}"'
        deal, expect = (f"{table}.{facts % (table, table)}" for table in ("deal", "expect"))
        outcome = one(twice, f"{deal}\n{expect}")
        assert outcome.passed, "\n".join(map(str, outcome.failures))


@pytest.mark.parametrize("die", range(1, 7))
def test_chance_after_a_choice_is_tried_again(twice: Path, die: int) -> None:
    """What is said of the next decision holds after the last of several choices."""
    outcome = one(
        twice,
        'deal.p1.HAND = "2, 3, 4"\n'
        'steps = [{ choose = ["2", "3"],'
        f' deal.game = {{ DIE = {die}, STOCK = "A ...", TURNS = 2 }} }}]\n'
        f'expect.game = {{ DIE = {die}, STOCK = "A ...", TURNS = 2 }}',
    )
    assert outcome.passed, "\n".join(map(str, outcome.failures))


def test_cards_that_look_alike_are_one_option(twice: Path) -> None:
    """Either of two equal cards may be meant, and naming one names all options for it."""
    outcome = one(
        twice,
        'deal.p1.HAND = "2, 2, 3"\n'
        'steps = [{ options = ["2", "3", "shuffle STOCK"], choose = "2" }]\n'
        'expect.p1.HAND = "2, 3"',
    )
    assert outcome.passed, "\n".join(map(str, outcome.failures))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('deal.p1.HAND = "2C AH"\nexpect.p1.HAND = "2C"', [("p1.HAND differs", "2C", "AH 2C")]),
        ('deal.p1.HAND = "2C AH"\nexpect.p1.HAND = "3C ..."',
         [("p1.HAND differs", "3C ...", "AH 2C")]),
        ("expect.game.STOCK = 4", [("game.STOCK differs", "4 cards", "3 cards")]),
        ('deal.game.STOCK = "2C 3C"\nexpect.game.STOCK = "3C 2C ..."', None),
        ("expect.over = true", [("over differs", "true", "false")]),
        ('expect.player = "p2"', [("player differs", "p2", "p1")]),
        ("expect.scores = [0, 0]", [("the game is not over: there are no scores yet", "", "")]),
        ('deal.p1.HAND = "2C 2H"\nsteps = [{ options = ["2C", "pass"] }]',
         [("there are other options too", "", "play 2 of HEARTS")]),
        ('deal.p1.HAND = "2C 2H"\nsteps = [{ includes = ["3C"] }]',
         [("this is not an option", "", "play 2 of CLUBS; play 2 of HEARTS; pass")]),
        ('deal.p1.HAND = "2C 2H"\nsteps = [{ excludes = ["2C"] }]',
         [("this is an option", "", "play 2 of CLUBS; play 2 of HEARTS; pass")]),
        ("steps = [{ options = 4 }]", [("the number of options is different", "4 options",
                                        "3 options")]),
        ("steps = [{ choose = 3 }]", [("there is no option of this number", "", "3 options")]),
        ('steps = [{ choose = ["pass", "pass", "pass", "pass"] }]',
         [("the game is over: there is nothing to choose", "", "")]),
        ('error = "no-card"', [("the rules go on", "no-card", "no error")]),
        ('steps = [{ choose = "pass", error = "no-card" }]',
         [("the rules go on", "no-card", "no error")]),
    ],
)  # fmt: skip
def test_what_does_not_hold_fails(
    game: Path, text: str, expected: list[tuple[str, str, str]] | None
) -> None:
    outcome = one(game, text)
    assert not outcome.passed
    if expected is not None:
        assert messages(outcome) == expected
    for failure in outcome.failures:
        assert failure.file == str(game.with_suffix(".positions.toml"))
        assert failure.line >= 3


def test_a_failure_says_where(game: Path) -> None:
    (failure,) = one(game, "expect.game.STOCK = 4").failures
    assert str(failure) == (
        f"{game.with_suffix('.positions.toml')}:3:21: game.STOCK differs\n"
        "    3 | expect.game.STOCK = 4\n"
        "      |                     ^\n"
        "      expected: 4 cards\n"
        "      found:    3 cards"
    )


def test_errors_of_the_game_are_expected_by_their_rule(game: Path) -> None:
    """A choice that breaks a rule passes only where the position says so, and ends it."""
    text = GAME.replace("(// 6 (size (game vloc PILE)))", "(// 6 0)").replace(
        "(set (game sto PILE) 3)", "(set (game sto PILE) (// 6 (- 'PLAYERS 2)))"
    )
    game.write_text(text)
    assert one(game, 'error = "division"').passed
    unexpected = one(game, "expect.over = false")
    assert messages(unexpected)[0][0] == "the game stops with an error"
    assert messages(unexpected)[0][2].startswith("division in line ")
    game.write_text(text.replace("(- 'PLAYERS 2)", "1"))
    assert one(game, 'steps = [{ choose = ["pass", "pass", "pass"], error = "division" }]').passed
    other = one(game, 'steps = [{ choose = ["pass", "pass", "pass"], error = "overflow" }]')
    assert messages(other)[0][:2] == ("the game stops with another error", "overflow")


def test_a_label_that_is_not_offered_now_is_no_option(game: Path) -> None:
    """It can be excluded; it is another thing if the game has no such label."""
    late = "((== (game sto ROUND) 9) (label (TAKE BACK 7) (set (game sto X) 1)))"
    game.write_text(GAME.replace("(turn pass)))", f"(turn pass)\n      {late}))", 1))
    for text in ("take back", "take back: 7", "TAKE BACK 7", "draw"):
        assert one(game, f'steps = [{{ excludes = ["{text}"] }}]').passed, text
    included = one(game, 'steps = [{ includes = ["take back"] }]')
    assert messages(included)[0][0] == "this is not an option"
    for text in ("take bakc", "seize back"):
        with pytest.raises(PositionFileError, match="neither a card nor a word of an option"):
            one(game, f'steps = [{{ excludes = ["{text}"] }}]')


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("x = ", 5, "this is not TOML"),
        ("abuot = 1", 1, "there is no field 'abuot' here"),
        ('deal.p9.HAND = "2C"', 6, "'p9' owns nothing here"),
        ('deal.p1.HAAND = "2C"', 9, "the game has nothing called HAAND"),
        ('deal.p1.HAND = "QC"', 16, "'qc' is no card"),
        ('deal.p1.HAND = "2C 3C 4C"', 16, "p1.HAND has 2 cards at this decision, not 3"),
        ('deal = { p1.HAND = "2C", p2.HAND = "2C" }', 36, "2C is wanted in more places"),
        ('deal.game.SUIT = "SPADES"', 18, "in none of 200 deals is game.SUIT like this"),
        ("expect.game.PILE = 3", 13, "PILE is the name of more than one thing"),
        ('expect.game.DIE = "2C"', 13, "DIE is stored by sto: its value is a number"),
        ("expect.p1.HAND = [1]", 18, "p1.HAND is neither a text nor a number"),
        ("expect.scores = [1]", 17, "scores are a list with a number for each of 2 players"),
        ('expect.player = "p3"', 17, "'p3' is not a player"),
        ('steps = [{ options = ["QC"] }]', 23, "'qc' is neither a card nor a word of an option"),
        ('steps = [{ error = "x" }]', 12, "error follows a choice"),
        ("steps = [{}]", 10, "a step that says nothing"),
        ("declared.PLAYERS = 'TWO'", 10, "an integer"),
        ("declared.PLAYRS = 3", 10, "the game declares no constant PLAYRS"),
        ("seed = -1", 8, "a seed is not negative"),
        ('preset = "long"', 10, "no preset"),
    ],
)
def test_what_makes_no_sense_is_an_error_of_the_file(
    game: Path, text: str, at: int, message: str
) -> None:
    with pytest.raises(PositionFileError) as caught:
        one(game, text)
    place, said = str(caught.value).split("\n")[0].split(": ", 1)
    assert message in str(caught.value), said
    if text.startswith("declared"):
        return
    assert place == f"{game.with_suffix('.positions.toml')}:3:{at}"


def test_files_are_found_beside_the_game(game: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no positions of .*draw\.positions\.toml"):
        run_positions(game)
    for name in ("draw.positions.toml", "draw.more.positions.toml", "drawn.positions.toml"):
        (game.parent / name).write_text(f'[[position]]\nabout = "{name}"\n')
    assert [one.about for one in run_positions(game)] == [
        "draw.more.positions.toml",
        "draw.positions.toml",
    ]
    assert [one.about for one in run_positions(game, [game.parent / "drawn.positions.toml"])] == [
        "drawn.positions.toml"
    ]


@pytest.mark.parametrize(
    "name",
    [name for name in library_names() if (library_folder() / f"{name}.positions.toml").is_file()],
)
def test_the_library_has_positions(name: str) -> None:
    """The examples that come with the package hold."""
    for outcome in run_positions(name):
        assert outcome.passed, "\n".join(map(str, outcome.failures))
