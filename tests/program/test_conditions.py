"""Conditions about constants, written outside of a game's file."""

import pytest

from cardwright.program.check import holds

VALUES = {"PASS": 3, "MOON": "OFF", "OPEN": True, "CYCLE": ("LEFT", "HOLD"), "SEATS": range(1, 5)}


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        ("(<= 'PASS 4)", True),
        ("(> 'PASS (size 'CYCLE))", True),
        ("(== (size 'SEATS) 4)", True),
        ("(or (== 'MOON PLUS) (and (== 'MOON OFF) (!= 'PASS 3)))", False),
        ("(not (== (% 'PASS 2) 0))", True),
        ("(== 'MOON OFF) ;; a comment", True),
    ],
)
def test_conditions_are_judged_by_the_values(condition: str, outcome: bool) -> None:
    assert holds(condition, VALUES) is outcome


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("(<= 'PASSED 4)", "PASSED"),
        ("(<= 'PASS MOON)", "strings have no order"),
        ("(+ 'PASS 1)", "an integer"),
        ("(== (game sto ROUND) 3)", "not known before the game starts"),
        ("(== (// 'PASS 0) 3)", "division by zero"),
        ("(== 'PASS 3", "never closed"),
        ("", "is not a condition"),
        ("(== 'PASS 3) (== 'PASS 4)", "is not a condition"),
    ],
)
def test_what_is_no_such_condition_is_told(condition: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        holds(condition, VALUES)
