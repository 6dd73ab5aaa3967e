"""The rule player, on hands made by hand and in games."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from made_table import card, family, passing, table

from cardwright.hearts.cards import Cards, cards_of, format_card, mask_of, parse_hand
from cardwright.hearts.rule import (
    RulePlayer,
    highest,
    lowest,
    rule_card,
    rule_lay,
    rule_pass,
)
from cardwright.hearts.table import DecisionKind

AWAY = {"taken": ["", "QS 2D 2H 3D"]}
"""Facts of a table where the queen has gone."""


@pytest.mark.parametrize(
    ("hand", "trick", "facts", "played"),
    [
        # Leading: low, of equal ranks clubs before diamonds before spades.
        ("4C 3H 9S", "", {}, "3H"),
        ("4S 4D 9C", "", {}, "4D"),
        # Following: the highest that loses.
        ("2C 8C JC AC", "TC", {}, "8C"),
        ("2C 8C JC AC", "TC KH", {}, "8C"),
        ("2S QS AS", "KS", {}, "QS"),
        # All would take it: the last takes it high, others low.
        ("JC KC AC", "TC 2C", {}, "JC"),
        ("JC KC AC", "TC 2C 3C", {}, "AC"),
        # But with the queen by force only.
        ("QS KS AS", "JS", {}, "KS"),
        ("JS QS", "TS 2S 3S", {}, "JS"),
        ("QS", "TS 2S 3S", {}, "QS"),
        # Void: the queen, then what she would take, then hearts, then the highest.
        ("QS AS AH 2D", "TC", {}, "QS"),
        ("KS AS AH 2D", "TC", {}, "AS"),
        ("KS 2H AD", "TC", {}, "KS"),
        ("KS 2H 9H AD", "TC", AWAY, "9H"),
        ("KS 4S AD", "TC", AWAY, "AD"),
        ("9S 4D", "TC", AWAY, "9S"),
        # Other prices: the dearest goes first.
        ("KS JS AH 2D", "TC", {"declared": {"QUEEN": 0, "JACKSPADES": 10}}, "JS"),
        ("AD JH AH", "TC", {"declared": {"JACKDIAMONDS": 30}}, "AD"),
        ("7C AH KS", "TD", {"declared": {"SEVENCLUBS": 7}} | AWAY, "7C"),
        ("7C 2H QS", "TD", {"declared": {"SEVENCLUBS": 20, "QUEEN": 5}}, "7C"),
        ("2H AC QS", "TD", {"declared": {"SEVENCLUBS": 20, "QUEEN": 5}}, "AC"),
        ("3H AD QS", "TC", {"declared": {"PIPS": 1, "QUEEN": 0}}, "3H"),
        # Trumps take the trick: they are no discards while there is another card.
        ("2H 9D", "TC", {"trump": 3}, "9D"),
        ("2H 9H", "TC", {"trump": 3}, "9H"),
    ],
)
def test_cards_played(hand: str, trick: str, facts: dict[str, Any], played: str) -> None:
    (chosen,) = RulePlayer().cards(table(hand, trick, **facts))
    assert format_card(chosen) == played


@pytest.mark.parametrize(
    ("hand", "passed"),
    [
        ("AS KS QS 2C AH", "AS KS QS"),
        ("QS 2S 3S AH KH 5C", "QS AH KH"),
        ("QS 2S 3S 4S AH KH 5C", "AH KH QS"),
        ("QS KS 3S 4S AH KH TC", "AH KS KH"),
        ("2S 3S 4S AH AC KD", "AH AC KD"),
    ],
)
def test_cards_passed(hand: str, passed: str) -> None:
    found = passing(hand)
    assert set(RulePlayer().cards(found)) == set(parse_hand(passed))
    assert set(rule_pass(found.hand, 3, found.family, found.spades)) == set(parse_hand(passed))


def test_passing_without_a_queen() -> None:
    pure = family(QUEEN=0)
    assert set(rule_pass(parse_hand("QS 2S AH KD"), 2, pure, 0)) == set(parse_hand("AH KD"))


def test_cards_laid_aside_cost_least() -> None:
    """They count as taken: no penalty card is laid aside while there are others."""
    found = table("QS 2H AC KD 3S", kind=DecisionKind.LAY, count=2, to_go=2)
    assert set(RulePlayer().cards(found)) == set(parse_hand("AC KD"))
    costs = family(JACKDIAMONDS=-10).costs
    assert set(rule_lay(parse_hand("QS JD 2H AC"), 2, costs)) == set(parse_hand("JD AC"))


@given(st.sets(st.integers(2, 62).filter(lambda one: 2 <= one & 15 <= 14), min_size=1))
def test_lowest_and_highest(cards: set[int]) -> None:
    assert lowest(mask_of(cards)) == min(cards, key=lambda one: (one & 15, one))
    assert highest(mask_of(cards)) == max(cards, key=lambda one: (one & 15, one))


def test_of_no_cards_there_is_no_lowest() -> None:
    for chosen in (lowest, highest):
        with pytest.raises(ValueError, match="empty"):
            chosen(0)


PACK = sorted(cards_of(family().pack))


@given(st.data())
def test_any_hand_plays_a_legal_card(data: st.DataObject) -> None:
    """Whatever is dealt, the card is one that may be played, and loses if any follower can."""
    dealt = data.draw(st.permutations(PACK))
    hand, before = dealt[:13], dealt[13 : 13 + data.draw(st.integers(0, 3))]
    seen: Cards = tuple(before)
    legal = [one for one in hand if before and one >> 4 == before[0] >> 4] or hand
    found = table(" ".join(map(format_card, legal)), " ".join(map(format_card, seen)))
    played = rule_card(
        mask_of(legal),
        found.led,
        found.beating,
        found.family,
        last=found.last,
        queen_out=data.draw(st.booleans()),
    )
    assert played in legal
    loses = [one for one in legal if not found.beating >> one & 1]
    if before and loses:
        assert played in loses
    assert (played == card("QS")) <= (len(legal) == 1 or not before or played in loses)
