"""Sentences of a table agree with persons and numbers: `you`, one name, several names."""

from __future__ import annotations

from typing import Any

import pytest

from cardwright.arena.plan import GameRef
from cardwright.english import Clause, named, third
from cardwright.table.scene_maker import _outcome
from cardwright.table.setup import SeatSetup, TableSetup
from cardwright.table.table import Table
from cardwright.web.refusal import Refusal
from cardwright.web.table_request import checked_name

NAMES = ("Ann", "Ben", "Cleo")
COMMANDS = {
    "sit": (
        lambda table: (table.sit(1, "random", ""), table.sit(1, None, "")),
        "sit down",
    ),
    "name": (lambda table: table.rename(1, "Bea"), "are called Bea now"),
    "pace": (lambda table: table.set_pace(1, 0), "let the computer players pause for 0 s"),
    "open": (lambda table: table.open_hands(1, yes=True), "let spectators see all hands"),
    "closed": (
        lambda table: (table.open_hands(1, yes=True), table.open_hands(1, yes=False)),
        "do not let spectators see all hands",
    ),
    "undo": (lambda table: table.undo(1), "ask to take back 2 moves"),
}


def _table() -> Table:
    ref = GameRef.of("hearts", {"PLAYERS": 3}, engine="interpreter")
    seats = tuple(SeatSetup("person", name=name) for name in NAMES)
    table = Table(TableSetup(ref, 1, seats, practice=True, watch="open"))
    while table.number < 3:
        assert table.due is not None
        table.choose(table.due, table.number, 0)
    return table


@pytest.mark.parametrize("command", COMMANDS)
def test_what_somebody_does_is_told_to_them_and_to_others(command: str) -> None:
    """The same command is `you are called ...` on one page, `Ben is called ...` on others."""
    do, own = COMMANDS[command]
    table = _table()
    do(table)
    told = {seat: table.events(seat)[-1].words for seat in range(3)}
    assert told[1] == own
    verb = own.split()[0]
    assert told[0] == told[2] == f"{third(verb)}{own.removeprefix(verb)}"
    assert not told[0].startswith(("are ", "do ", "ask ", "let "))


def test_who_hands_a_seat_over_is_no_player_of_the_computer() -> None:
    table = _table()
    table.sit(1, "random", "")
    told = [table.events(seat)[-1] for seat in range(3)]
    assert [one.words for one in told] == [
        f"A computer player takes {whose} seat" for whose in ("Ben's", "your", "Ben's")
    ]
    assert {one.seat for one in told} == {None}


@pytest.mark.parametrize(
    ("ranks", "told"),
    [
        ((0, 1, 1), {0: "You win", 1: "Ann wins", None: "Ann wins"}),
        ((0, 0, 2), {0: "You and Ben win", 2: "Ann and Ben win", None: "Ann and Ben win"}),
        ((0, 0, 0), {0: "All players share the win", None: "All players share the win"}),
    ],
)
def test_who_has_won(ranks: tuple[int, ...], told: dict[int | None, str]) -> None:
    for seat, words in told.items():
        assert _outcome(NAMES, ranks, seat) == words


def test_a_name_with_an_and_is_one_person() -> None:
    assert _outcome(("Tom and Jerry", "Ben"), (0, 1), 1) == "Tom and Jerry wins"


@pytest.mark.parametrize("name", ["You", "you", " YOU "])
def test_nobody_is_called_you_by_name(name: str) -> None:
    """Everybody is that on their own page."""
    with pytest.raises(Refusal, match="take another name"):
        checked_name(name)
    assert checked_name("Youssef") == "Youssef"


def test_irregular_verbs() -> None:
    pairs: list[tuple[str, Any]] = [
        ("are", "is"),
        ("do", "does"),
        ("have", "has"),
        ("pass", "passes"),
    ]
    for verb, one in pairs:
        assert named("Ann").form(Clause(f"{verb} it")) == f"{one} it"
        assert Clause(f"{verb} it").imperative == f"{verb} it"
