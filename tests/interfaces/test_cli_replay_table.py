"""The table in a replay: what happens to cards and stored values, turn by turn."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from cardwright import Game
from cardwright.table.watched_table import WatchedTable

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

WHIST = ("replay", "whist", "--set", "HANDSIZE=2", "--seed", "1", "--table")


def test_a_game_without_decisions_is_told(run: Run) -> None:
    result = run("replay", "war.rcy", "--seed", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "war.rcy, seed 1\n\n  Everybody is dealt 3 cards\n  p1 plays the 4 of hearts\n"
    )
    assert result.stdout.endswith(
        "\nThe game is over after 0 decisions; the highest score wins.\n  p1  3  wins\n  p2  0\n"
    )


def test_the_rules_are_shown_turn_by_turn(run: Run) -> None:
    """Each turn of a stage is a moment of its own, with what has changed in it."""
    result = run("replay", "war.rcy", "--seed", "1", "--table")
    assert result.stdout.startswith(
        """\
war.rcy, seed 1

  Everybody is dealt 3 cards
      p1's HAND  3H 4C 4H
      p2's HAND  3C 2H 2C
  p1 plays the 4 of hearts
  p2 plays the 2 of clubs
  p1 wins the trick
      p1's HAND  3H 4C
      p2's HAND  3C 2H
      DISCARD    2C 4H
      p1's WON   1
      LAST       HEARTS
"""
    )


def test_a_deal_is_told_as_a_whole(run: Run) -> None:
    """Cards that are dealt turn by turn, before anybody chooses, are one moment."""
    result = run("replay", "sevens", "--set", "OPENING=NONE", "--seed", "1", "--table")
    opening = result.stdout.split("\n\n")[1].splitlines()
    assert opening[0] == "  Everybody is dealt 13 cards"
    assert [line.split()[1] for line in opening if " HAND" in line] == ["HAND"] * 4
    assert len(opening) == 5


def test_decisions_and_what_follows(run: Run) -> None:
    result = run(*WHIST, "--choices", "0,0,0,0")
    assert result.exit_code == 0
    assert (
        """\
4. p4 plays the 6 of spades
      p4's HAND   8S
      p4's TRICK  6S
  p4 takes the trick
      p4's TRICKSWON  6S 2D 4D 9D
      p1's TRICK      empty
      p2's TRICK      empty
      p3's TRICK      empty
      p4's TRICK      empty
      t2's TRICKS     1
      LEAD            NONE

p4 has to choose from 1 option
"""
        in result.stdout
    )


def test_a_seat_sees_its_own_cards(run: Run) -> None:
    """Of other hands it sees how many cards there are, and words name none of them."""
    result = run(*WHIST, "--choices", "0", "--seat", "2")
    assert "p2's HAND  8C 2D\n" in result.stdout
    assert "p1's HAND  2 cards\n" in result.stdout
    assert "STOCK      44 cards\n" in result.stdout
    assert "QD" not in result.stdout


def test_the_table_as_json(run: Run) -> None:
    record = json.loads(run(*WHIST, "--choices", "0", "--json").stdout)
    assert record["opening"][-1]["stored"] == {"LEAD": "NONE", "TRUMP": "SPADES"}
    (decision,) = record["decisions"]
    assert decision["words"] == "plays the 9 of diamonds"
    assert decision["moments"] == [
        {
            "said": [],
            "locations": {"p1's HAND": "QD", "p1's TRICK": "9D"},
            "stored": {"LEAD": "DIAMONDS"},
        }
    ]


def test_a_game_that_stops_is_shown_up_to_the_error(run: Run) -> None:
    words = ("replay", "breaks.rcy", "--seed", "1", "--choices", "0,1,0")
    result = run(*words, "--table")
    assert result.exit_code == 1
    assert "the game stopped" in result.stderr
    assert result.stderr == run(*words).stderr
    assert result.stdout == (
        "breaks.rcy, seed 1\n\n      STOCK  A K\n\n1. p1 sets broken to 0\n      BROKEN  0\n"
        "      ROUND  1\n\n2. p2 sets broken to 1\n      BROKEN  1\n"
        "      ROUND  2\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seat", "1"), "it needs --table"),
        (("--table", "--seat", "3"), "coin.rcy has 2 seats, not 3"),
        (("--table", "--csv"), "give --json with --table"),
    ],
)
def test_wrong_calls(run: Run, words: tuple[str, ...], message: str) -> None:
    result = run("replay", "coin.rcy", "--seed", "1", *words)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("name", ["hearts", "gofish", "cribbage", "lostcities", "leduc"])
def test_it_is_the_game_that_is_played(name: str) -> None:
    """Decision by decision, the same seats decide, and the piles are those of the state."""
    game = Game.load(name, engine="interpreter")
    state, table = game.start(5), WatchedTable(game, 5)
    for number in range(25):
        if state.finished:
            break
        index = number % state.option_count
        seat = state.player
        state.play(index)
        assert table.choose(index).seat == seat
    piles = {pile: cards for pile, cards in state.locations().items() if cards}
    assert len(table._locations) == len(piles)


def test_a_saved_game_has_a_table_too(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "kept.json")
    played = run(
        "play", "kuhn", "--auto", "--players", "random", "--seed", "3", "--plain", "--save", file
    )
    assert played.exit_code == 0, played.output
    result = run("replay", file, "--table", "--seat", "1")
    assert result.exit_code == 0
    assert "p1's HAND" in result.stdout
    assert "p2's HAND  1 card\n" in result.stdout


LABELLED = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
  (do ((all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (choice (
    (any ((current player) iloc HAND) 'C
      (label (KEEP 'C BESIDE (cardatt RANK (top ((current player) iloc HAND))))
        (set (game sto KEPT) 1)))))
  (choice (
    (any (range 1 .. 3) 'N (label (BID 'N) (set (game sto KEPT) 'N)))))
  (scoring max 0))
"""


def test_labels_are_told_to_those_who_may_hear_them(run: Run, tmp_path: Path) -> None:
    """A label that says what only the chooser knows is told to nobody else."""
    rules = tmp_path / "labelled.rcy"
    rules.write_text(LABELLED)
    words = ("replay", str(rules), "--seed", "3", "--choices", "0,2", "--table")
    whole = run(*words).stdout
    assert re.search(
        "\n1. p1 keeps the (ace|king|queen|jack) beside (ace|king|queen|jack)\n", whole
    )
    line = next(line for line in whole.splitlines() if line.startswith("1. p1 keeps"))
    assert line in run(*words, "--seat", "1").stdout
    told = run(*words, "--seat", "2").stdout
    assert "\n1. p1 sets kept to 1\n" in told
    assert "\n2. p1 bids 3\n" in told


def test_a_name_may_hold_a_number_and_a_text(run: Run) -> None:
    """Suits of Gong Zhu do: a count of their own, and whether their card is shown."""
    result = run("replay", "gongzhu", "--seed", "1", "--players", "random", "--table")
    assert result.exit_code == 0
    told = result.stdout
    assert re.search(r"^ +DIAMONDS \(text\) +SHOWN$|^ +DIAMONDS +SHOWN$", told, re.MULTILINE)
    assert re.search(r"^ +DIAMONDS +\d+$", told, re.MULTILINE)
    assert re.search(r" \(text\) ", told)
