"""The player `rule`: the plain rules, and what it does before them by a game's constants."""

from __future__ import annotations

from typing import Any

import pytest
from made_table import passing, table

from cardwright import Stream
from cardwright.hearts.cards import format_card, format_hand, parse_hand
from cardwright.hearts.hierarchy import Hierarchy
from cardwright.hearts.table import DecisionKind, HeartsView

OMNIBUS = {"declared": {"JACKDIAMONDS": -10}}
BLACK_MARIA = {"declared": {"KINGSPADES": 7, "ACESPADES": 10, "MOON": "OFF"}}
MOON = {"taken": ["", "", "QS 2H 3H 4H"]}
"""The third seat has taken 16 points, and nobody else any."""
SHORT = {"taken": ["", "", "QS 2H"]}
"""The same with 14, which is not in sight of the moon yet."""
SHARED = {"taken": ["", "5H", "QS 2H 3H 4H"]}


def chosen(player: str, found: HeartsView) -> str:
    return format_hand(Hierarchy.load(player).cards(found, Stream(1)))


@pytest.mark.sweep
@pytest.mark.parametrize("player", ["rule", "default"])
@pytest.mark.parametrize(
    ("hand", "trick", "facts", "played"),
    [
        # The jack of diamonds is worth taking, with some hearts too, but not with the queen.
        ("2D 9D QD AD", "3D JD TD", OMNIBUS, "AD"),
        ("2D QD", "JD 4H 5H", OMNIBUS, "QD"),
        ("2D QD", "JD 4H QS", OMNIBUS, "2D"),
        ("2D QD", "JD 4D", OMNIBUS, "QD"),
        # One's own is used to win by the last player, or if nobody can beat it.
        ("2D JD", "3D TD 4D", OMNIBUS, "JD"),
        ("2D JD", "3D TD", OMNIBUS, "2D"),
        ("2D JD", "3D", OMNIBUS | {"taken": ["", "QD KD AD"]}, "JD"),
        ("2C JD", "", OMNIBUS | {"taken": ["", "QD KD AD"]}, "JD"),
        # Else it stays in the hand, whatever else goes.
        ("JD 2C", "KC", OMNIBUS, "2C"),
        ("JD 2S", "KC", OMNIBUS, "2S"),
        ("JD AD", "QD", OMNIBUS, "AD"),
        ("JD", "QD", OMNIBUS, "JD"),
        # Without a price it is a card like any other.
        ("2D QD", "3D JD TD", {}, "2D"),
        # The queen goes under ace or king, and not the king under the ace.
        ("2S QS KS", "AS", {}, "QS"),
        ("2S QS", "3S KS 4S", {}, "QS"),
        ("2S KS QS", "AS", BLACK_MARIA, "QS"),
        ("2S KS JS", "AS", BLACK_MARIA, "KS"),
        # By force the cheaper of two high spades.
        ("KS AS", "2S 3S 4S", BLACK_MARIA, "KS"),
        # A moon in sight: take points from the one who is shooting it.
        ("5H AH", "2H KH", {**MOON, "leader": 1}, "AH"),
        ("5H 9H", "2H 8H", {**SHORT, "leader": 1}, "5H"),
        ("5H 9H", "2H 8H", {**SHARED, "leader": 1}, "5H"),
        # Give none away to them.
        ("9H 2D", "2C KC", {**MOON, "leader": 1}, "2D"),
        ("9H 2D", "2C KC", {**SHARED, "leader": 1}, "9H"),
        # Somebody else's trick can have them.
        ("9H 2D", "KC 2C", {**MOON, "leader": 1}, "9H"),
        # And a heart that nobody can beat is led.
        ("2C AH", "", MOON, "AH"),
        ("2C AH", "", SHARED, "2C"),
        # Where no moon is shot there is none to stop.
        ("5H 9H", "2H 8H", {**MOON, "leader": 1, "declared": {"MOON": "OFF"}}, "5H"),
    ],
)
def test_cards_played(
    player: str, hand: str, trick: str, facts: dict[str, Any], played: str
) -> None:
    assert chosen(player, table(hand, trick, **facts)) == played


@pytest.mark.parametrize(
    ("hand", "trick", "facts", "played"),
    [
        ("2D 9D QD AD", "3D JD TD", OMNIBUS, "9D"),
        ("2S QS KS", "AS", {}, "KS"),
        ("5H AH", "2H KH", {**MOON, "leader": 1}, "5H"),
        ("9H 2D", "2C KC", {**MOON, "leader": 1}, "9H"),
    ],
)
def test_plain_rules_do_none_of_it(
    hand: str, trick: str, facts: dict[str, Any], played: str
) -> None:
    """They stay what is published: the lab compares by them."""
    assert chosen("plain", table(hand, trick, **facts)) == played


@pytest.mark.parametrize("player", ["rule", "default"])
def test_bonus_cards_are_not_passed_and_laid_aside_first(player: str) -> None:
    assert "JD" not in chosen(player, passing("JD 2C 3C 4C", declared=OMNIBUS["declared"]))
    laid = table("QS JD 2H AC 3C", kind=DecisionKind.LAY, count=2, to_go=2, **OMNIBUS)
    assert "JD" in chosen(player, laid)
    assert "QS" not in chosen(player, laid)


def test_a_moon_of_all_tricks_is_stopped_by_any() -> None:
    """There the cards count for nothing, and the one who has had all tricks is the shooter."""
    declared = {"MOONNEEDS": "TRICKS"}
    diamonds = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD "
    spades = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS "
    taken = ["", "", f"{diamonds}{spades}2C 3C 4C 5C 6C 7C"]
    found = table("8C AC", "9C QC", leader=1, declared=declared, taken=taken)
    assert chosen("rule", found) == format_card(parse_hand("AC")[0])
    found = table("8C AC", "9C QC", leader=1, taken=["2D 3D 4D 5D", *taken[1:]], declared=declared)
    assert chosen("rule", found) == "8C"
