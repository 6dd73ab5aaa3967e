"""Every selector and every condition, on hands made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from made_table import family, passing, table

from cardwright.hearts.cards import cards_of, format_card, format_hand
from cardwright.hearts.hierarchy import parse_step
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec
from cardwright.hearts.table import DecisionKind

GONE = {"taken": ["", "QS 2D 3D 4D"]}
"""The queen has been taken."""

CASES: list[tuple[str, str, str, dict[str, Any], str]] = [
    # step, hand, trick, facts, picked
    ("any", "2C KD 5H", "", {}, "2C KD 5H"),
    ("highest", "2C KD KH 5H", "", {}, "KD KH"),
    ("lowest", "2C KD KH 2H", "", {}, "2C 2H"),
    ("highest_of(clubs)", "2C 9C KD", "", {}, "9C"),
    ("highest_of(spades)", "2C 9C KD", "", {}, ""),
    ("lowest_of(clubs)", "2C 9C KD", "", {}, "2C"),
    ("highest_heart", "2C KD 5H JH", "", {}, "JH"),
    ("highest_heart", "2C KD", "", {}, ""),
    ("lowest_heart", "2C KD 5H JH", "", {}, "5H"),
    ("keep_low_hearts", "2C 2H 5H 6H KH", "", {}, "2C 6H KH"),
    ("keep_low_hearts(3)", "2C 2H 5H 6H KH", "", {}, "2C 5H 6H KH"),
    # The rule player, among the candidates.
    ("rule", "2C 8C JC AC", "TC", {}, "8C"),
    ("rule", "JC KC AC", "TC 2C 3C", {}, "AC"),
    ("rule", "4S 4D 9C", "", {}, "4D"),
    ("rule", "QS AS AH 2D", "TC", {}, "QS"),
    ("rule", "KS 2H AD", "TC", GONE, "2H"),
    ("rule", "QS KD 2H", "", {"kind": DecisionKind.LAY}, "KD"),
    # The queen and what is above her.
    ("queen_spades", "QS KS 2C", "", {}, "QS"),
    ("queen_spades", "JS KS 2C", "", {}, ""),
    ("queen_spades(3)", "QS KS 2C", "", {}, "QS"),
    ("queen_spades(2)", "QS KS 2C", "", {}, ""),
    ("queen_spades", "JS KS", "", {"declared": {"QUEEN": 0, "JACKSPADES": 10}}, "JS"),
    ("queen_spades", "QS KS", "", {"declared": {"QUEEN": 0}}, ""),
    ("high_spades", "AS KS QS 2C", "", {}, "AS KS"),
    ("high_spades", "AS KS QS 2S", "", {}, ""),
    ("high_spades(5)", "AS KS QS 2S", "", {}, "AS KS"),
    ("high_spades", "AS KS", "", {"declared": {"QUEEN": 0}}, ""),
    ("flush_queen", "2S JS KS 4C", "", {}, "2S JS"),
    ("flush_queen", "2S JS QS 4C", "", {}, ""),
    ("flush_queen", "2S JS KS 4C", "", GONE, ""),
    ("flush_queen", "2S JS", "3S", {}, ""),
    ("flush_queen", "2S JS", "", {"declared": {"QUEEN": 0}}, ""),
    # Suits by length.
    ("void_suit", "2C 5D 6D 7D", "", {}, "2C"),
    ("void_suit(diamonds)", "2C 5D 6D 7D", "", {}, ""),
    ("shortest_suit", "2C 5D 3H", "", {}, "2C 5D 3H"),
    ("shortest_suit", "2C 3C 5D 6D", "", {}, ""),
    ("short_suit", "2C 3C 5D 6D 7D", "", {}, "2C 3C"),
    ("short_suit(diamonds, hearts)", "2C 5D 6D 2H 3H 4H", "", {}, "5D 6D"),
    ("long_suit", "2C 3C 5D 6D 7D", "", {}, "5D 6D 7D"),
    ("long_suit(c, h)", "2C 3C 5D 6D 7D 2H", "", {}, "2C 3C"),
    ("long_suit(h)", "2C 3C", "", {}, ""),
    # The trick.
    ("duck", "2C 8C JC AC", "TC", {}, "8C"),
    ("duck", "JC AC", "TC", {}, ""),
    ("duck", "2C 8C", "", {}, ""),
    ("duck", "2D KD KH", "TC", {}, "KD KH"),
    ("duck_lowest", "2C 8C JC AC", "TC", {}, "2C"),
    ("duck_lowest", "2C 8C", "", {}, ""),
    ("win_cheap", "2C JC AC", "TC", {}, "JC"),
    ("win_cheap", "QS KS", "TS", {}, "KS"),
    ("win_cheap", "QS 2S", "TS", {}, "QS"),
    ("win_cheap", "2C AC", "", {}, ""),
    ("win_high", "2C JC AC", "TC 3C 4C", {}, "AC"),
    ("win_high", "2C JC AC", "TC 3C", {}, ""),
    ("win_high", "2C JC AC", "TC 3C 4H", {}, ""),
    ("win_high", "JS QS", "TS 2S 3S", {}, "JS"),
    ("win_high", "2C 3C", "TC 4C 5C", {}, ""),
    ("avoid_points", "2C JC", "TC 4H", {}, "2C"),
    ("avoid_points", "2C JC", "TC 4C", {}, "2C JC"),
    ("avoid_points", "QS KS 2S", "JS", {}, "KS 2S"),
    ("avoid_points", "QS KS 2S", "AS", {}, "QS KS 2S"),
    ("avoid_points", "2H QS 3C", "", {}, "3C"),
    # Leads.
    ("safe_lead", "AC KC 2C", "", {}, "2C"),
    ("safe_lead(12)", "3D 2D KD", "", {}, ""),
    ("safe_lead(10)", "3D 2D KD", "", {}, "3D 2D"),
    ("safe_lead", "2C", "3C", {}, ""),
    ("safe_lead", "QC 2D", "", {"taken": ["KC AC 2C 3C"]}, "2D"),
    ("bleed_hearts", "2H 9H AH 2C", "", {}, "9H"),
    ("bleed_hearts", "AH 2C", "", {}, ""),
    ("bleed_hearts", "2H", "3H", {}, ""),
    # The moon.
    ("block_moon", "2C JC AC", "TC 4H", {"taken": ["", "", "3H 5H 6H 7H"]}, "JC AC"),
    ("block_moon", "2C JC AC", "TC 4H", {"taken": ["", "", "3H 5H 6H 7C"]}, ""),
    ("block_moon(3)", "2C JC AC", "TC 4H", {"taken": ["", "", "3H 5H 6H 7C"]}, "JC AC"),
    ("block_moon", "2C JC AC", "TC 4D", {"taken": ["", "", "3H 5H 6H 7H"]}, ""),
    ("block_moon", "2C JC AC", "TC 4H", {"taken": ["", "", "", "3H 5H 6H 7H"]}, ""),
    ("block_moon", "2C JC AC", "TC 4H", {"taken": ["", "8H", "3H 5H 6H 7H"]}, ""),
    ("block_moon", "QS KS 2S", "JS 4H", {"taken": ["", "", "3H 5H 6H 7H"]}, "KS"),
    ("shoot", "AC KC AD AS AH 2H", "", {}, "AC KC AD AS AH"),
    ("shoot", "AC KC AD 2S 3H 2H", "", {}, ""),
    ("shoot(50)", "AC KC AD 2S 3H 2H", "", {}, "AC KC AD"),
    ("shoot", "AC KC AD AS AH 2H", "", {"taken": ["", "4H"]}, ""),
    ("shoot", "AC KC AD AS AH 2H", "", {"taken": ["4H"]}, "AC KC AD AS AH"),
    ("shoot", "AC KC AD AS AH KH", "QC", {}, "AC"),
    ("shoot", "AC KC JC 2D", "", {}, "AC KC JC"),
    ("shoot", "KC QC AD AH", "", {}, ""),
    # Conditions.
    ("highest if no_points", "2C AC", "TC 4H", {}, ""),
    ("highest if no_points", "2C AC", "TC 4D", {}, "AC"),
    ("highest if not no_points", "2C AC", "TC 4H", {}, "AC"),
    ("any if points", "2C", "TC 4H", {}, "2C"),
    ("any if points", "2C", "TC 4D", {}, ""),
    ("any if last", "2C", "TC 4H", {}, ""),
    ("any if last", "2C", "TC 4H 4D", {}, "2C"),
    ("any if first_trick", "2C", "", {}, "2C"),
    ("any if first_trick", "2C", "", GONE, ""),
    ("any if broken", "2C", "", {"broken": True}, "2C"),
    ("any if broken", "2C", "", {"broken": False}, ""),
    ("any if queen_out", "2C", "", {}, "2C"),
    ("any if queen_out", "QS", "", {}, ""),
    ("any if queen_out", "2C", "", GONE, ""),
    ("any if queen_held", "QS", "", {}, "QS"),
    ("any if queen_held", "2C", "", {}, ""),
    ("any if high_spade_on_table", "QS", "KS", {}, "QS"),
    ("any if high_spade_on_table", "QS", "JS", {}, ""),
]


def picked(step: str, found: Any) -> str:
    return " ".join(map(format_card, parse_step(step).select(found, found.legal)))


@pytest.mark.parametrize(("step", "hand", "trick", "facts", "expected"), CASES)
def test_what_is_picked(
    step: str, hand: str, trick: str, facts: dict[str, Any], expected: str
) -> None:
    assert picked(step, table(hand, trick, **facts)) == expected


@pytest.mark.parametrize(
    ("step", "count", "hand", "expected"),
    [
        ("void_suit", 3, "2C 5D 6D 7D 2S 3S 4S 5S", "2C 5D 6D 7D"),
        ("void_suit(d, s)", 3, "2C 5D 6D 7D 2S 3S 4S 5S", "5D 6D 7D"),
        ("shortest_suit", 3, "2C 3C 5D 6D 7D 2S 3S 4S 5S", "2C 3C"),
        ("shortest_suit", 1, "2C 3C 5D 6D 7D", ""),
        ("shoot", 3, "AC KC QC AD AS AH KH 2D 3D", "2D 3D"),
        ("rule", 3, "QS 2S 3S AH KH 5C", "QS"),
        ("rule", 3, "QS 2S 3S 4S AH KH 5C", "AH"),
    ],
)
def test_what_is_picked_to_pass(step: str, count: int, hand: str, expected: str) -> None:
    assert picked(step, passing(hand, count)) == expected


IN_RULE_LISTS = {"take_bonus", "keep_bonus", "dump", "least_cost", "lay_cheap", "stop_moon"}
"""Selectors in the lists of the rule player, which `test_rule_lists.py` tests as a whole."""


def test_every_selector_and_condition_is_tested() -> None:
    steps = [parse_step(case[0]) for case in CASES]
    assert {step.selector.name for step in steps} | IN_RULE_LISTS == set(SELECTORS)
    assert {step.condition for step in steps} - {None} == set(CONDITIONS.values())


def test_every_selector_says_what_it_does() -> None:
    for name, selector in SELECTORS.items():
        assert selector.name == name
        assert selector.about.endswith(".")
        assert "|" not in selector.about
    assert all((condition.__doc__ or "").endswith(".") for condition in CONDITIONS.values())


PACK = sorted(cards_of(family().pack))
EXAMPLES = {
    ParameterSpec.NOTHING: "",
    ParameterSpec.NUMBER: "(7)",
    ParameterSpec.SUIT: "(hearts)",
    ParameterSpec.SUITS: "(c, h)",
}


@given(st.data())
def test_selectors_pick_some_of_the_candidates(data: st.DataObject) -> None:
    """In any situation each picks candidates only, in their order, and changes nothing."""
    dealt = data.draw(st.permutations(PACK))
    before = data.draw(st.integers(0, 3))
    size = data.draw(st.integers(1, 13))
    won = data.draw(st.integers(0, 6))
    rest = dealt[before + size :]
    taken = [format_hand(rest[4 * one : 4 * one + 4 * won : 4]) for one in range(4)]
    hand = format_hand(dealt[before : before + size])
    found = table(hand, " ".join(map(format_card, dealt[:before])), taken=taken)
    for name, selector in SELECTORS.items():
        step = parse_step(name + EXAMPLES[selector.takes])
        chosen = step.select(found, found.legal)
        assert [one for one in found.legal if one in chosen] == list(chosen)
        assert chosen == step.select(found, found.legal)
        assert step.select(found, ()) == ()
