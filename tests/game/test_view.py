"""Views: each location is seen by whom it should be, and nothing leads back to the state."""

from __future__ import annotations

import pytest

from cardwright import Game, IllegalOptionError
from cardwright.game.option import Back
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

KINDS = """(game
 (setup (create players 3) (create teams (1, 2) (3))
  (create deck RED (game iloc STOCK) (deck (VAL (A, B, C, D, E, F, G, H)))))
 (do (
  (move (top (game iloc STOCK)) (top ((2 player) iloc HAND)))
  (move (top (game iloc STOCK)) (top ((2 player) vloc OPEN)))
  (move (top (game iloc STOCK)) (top ((2 player) hloc DOWN)))
  (move (top (game iloc STOCK)) (top ((2 player) oloc FOREHEAD)))
  (move (top (game iloc STOCK)) (top ((team (1 player)) iloc SHARED)))
  (move (top (game iloc STOCK)) (top ((team (1 player)) oloc AWAY)))
  (move (top (game iloc STOCK)) (top (game oloc NOWHERE)))
  (remember (top ((2 player) iloc HAND)) (top (game mem NOTED)))
  (inc (game sto N) 4) (set (game str WORD) HELLO) (set ((1 player) sto ZERO) 0)))
 (choice ((turn pass) (any ((2 player) iloc HAND) 'C (move 'C (top (game vloc OUT))))))
 (scoring max 0))"""

STATE = Game.from_source(Source("kinds", KINDS)).start(1)


@pytest.mark.parametrize(
    ("name", "seen_by"),
    [
        ("HAND", {1}),
        ("OPEN", {0, 1, 2}),
        ("DOWN", set()),
        ("FOREHEAD", {0, 2}),
        ("SHARED", set()),
        ("AWAY", {2}),
        ("NOWHERE", set()),
        ("NOTED", {0, 1, 2}),
        ("STOCK", set()),
    ],
)
def test_who_sees_what(name: str, seen_by: set[int]) -> None:
    """A location's cards are seen by the right seats; the others see backs, as many."""
    for seat in range(3):
        (cards,) = (held for at, held in STATE.view(seat).locations.items() if at.name == name)
        assert len(cards) == 1
        assert isinstance(cards[0], Card) == (seat in seen_by)
        assert isinstance(cards[0], Back) != (seat in seen_by)
        assert cards[0] == Back("RED") or seat in seen_by


def test_stored_values_are_public() -> None:
    """Views have the values that differ from their defaults, under owner and name."""
    view = STATE.view(2)
    table = STATE.game.program.table
    assert view.integers == {(table, "N"): 4}
    assert view.strings == {(table, "WORD"): "HELLO"}


def test_options_are_the_choosers_alone() -> None:
    """Only the seat that has to decide sees the options, and in them no card hidden from it."""
    assert [len(STATE.view(seat).options) for seat in range(3)] == [2, 0, 0]
    option = STATE.view(0).options[1]
    assert "H" not in option.description.replace("HAND", "")
    assert option.description == "move the card of p2's HAND to OUT"


def test_views_are_data() -> None:
    """A view has no way back to the state: its fields are the documented ones, all plain data."""
    view = STATE.view(0)
    assert set(type(view).__slots__) == {
        "seat",
        "player",
        "locations",
        "integers",
        "strings",
        "points",
        "cycles",
        "options",
        "scores",
        "owners",
    }
    with pytest.raises(IllegalOptionError, match="no seat 3"):
        STATE.view(3)
