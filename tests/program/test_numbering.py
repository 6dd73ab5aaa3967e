"""Whether a file counts players from 0 or from 1, and how teams are read."""

import pytest
from small_programs import SETUP, checked, errors, whole

from cardwright.program.check import check
from cardwright.syntax.source import Source

PLAYERS = "(create players 4)"
DECK = "(create deck (game iloc STOCK) (deck (RANK (A, K))))"


def base(items: str, teams: str = "") -> int:
    result = checked(items, setup=f"{PLAYERS} {teams} {DECK}")
    assert errors(result) == []
    assert result.program is not None
    return result.program.base


@pytest.mark.parametrize(
    ("items", "teams", "expected"),
    [
        # 1: a 0 among the teams decides, whatever else there is
        ("(do ((turn pass)))", "(create teams (0, 2) (1, 3))", 0),
        ("(do ((inc (game sto X) (pid (current player)))))", "(create teams (0, 2) (1, 3))", 0),
        # 2: else what only the newest dialect has, or the number of players among the teams
        ("(do ((turn pass)))", "(create teams (1, 3) (2, 4))", 1),
        ("(do ((inc (game sto X) (pid (current player)))))", "", 1),
        ("(do ((inc (game sto X) (tid (current team)))))", "", 1),
        ("(do ((inc (game sto X))))", "", 1),
        ("(do ((inc (game sto X) (+ 1 2 3))))", "", 1),
        ("(do ((shuffle (game vloc PILE 2))))", "", 1),
        ("(do ((all (indexed game vloc PILE) 'L (shuffle 'L))))", "", 1),
        ("(do ((swap (game vloc A) (game vloc B))))", "", 1),
        (
            "(do ((inc (game sto X) (scoremax (game vloc A) using (game points W)))))",
            "",
            1,
        ),
        ("(do ((cycle next (next player))))", "", 1),
        # 2 comes before 3
        ("(do ((cycle next current) (inc (game sto X))))", "", 1),
        # 3: else what only the older dialects have
        ("(do ((put points 'W (((RANK (A)) 1)))))", "", 0),
        ("(do ((inc (game sto X) (score (top (game vloc A)) using 'W))))", "", 0),
        ("(do ((move (actual (top (game vloc A))) (top (game vloc B)))))", "", 0),
        (
            "(do ((all (tuples 2 (game vloc A) using (game points W)) 'T (turn pass))))",
            "",
            0,
        ),
        ("(do ((cycle next current)))", "", 0),
        # 4: else a literal (0 player) or (0 team)
        ("(do ((shuffle ((0 player) iloc HAND))))", "", 0),
        ("(do ((inc ((0 team) sto SCORE) 1)))", "", 0),
        # 5: else from one
        ("(do ((turn pass)))", "", 1),
        ("(do ((cycle next (owner (top (game vloc A))))))", "", 1),
        ("(do ((inc (game sto X) 1)))", "", 1),
    ],
)
def test_the_base_follows_the_rules(items: str, teams: str, expected: int) -> None:
    """The five rules are tried in order."""
    assert base(items, teams) == expected


def test_a_forced_base_wins() -> None:
    """The user may force the number it counts from, whatever the file looks like."""
    text = whole("(do ((shuffle ((0 player) iloc HAND))))")
    for forced in (0, 1):
        program = check(Source("x", text), base=forced).program
        assert program is not None
        assert program.base == forced


def test_teams_hold_seats_in_the_order_written() -> None:
    """Seats count from 0 in the program, however the file counts."""
    for written in ("(create teams (3, 1) (4, 2))", "(create teams (2, 0) (3, 1))"):
        result = checked(setup=f"{PLAYERS} {written} {DECK}")
        assert result.program is not None
        assert result.program.teams == ((2, 0), (3, 1))


def test_without_teams_every_player_is_one() -> None:
    """A game that makes no teams has as many as players."""
    result = checked(setup=SETUP)
    assert result.program is not None
    assert result.program.teams == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    "teams",
    ["(1, 2)", "(1, 2, 3, 4) (1)", "(1, 2) (3, 5)", "(0, 1) (2, 4)", "(1, 1) (2, 3)"],
)
def test_teams_divide_the_players(teams: str) -> None:
    """Every player is in exactly one team; anything else is told once."""
    assert errors(checked(setup=f"{PLAYERS} (create teams {teams}) {DECK}")) == ["E503"]
