"""Declared constants: what is known before the game, and its value."""

import pytest
from hypothesis import given, strategies as st
from small_programs import checked, errors, node

from cardwright.program.constants import Constant, NotConstantError, constant, mismatch, node_of
from cardwright.program.integers import LARGEST, SMALLEST
from cardwright.syntax.source import Span

NAMES = st.tuples(st.sampled_from("AKZ"), st.text("AZaz09_", max_size=8)).map("".join)
CONSTANTS = st.one_of(
    st.integers(SMALLEST, LARGEST),
    st.booleans(),
    NAMES,
    st.lists(NAMES, min_size=1, max_size=5).map(tuple),
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)).map(lambda ends: range(*ends)),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("17", 17),
        ("HEARTS", "HEARTS"),
        ("(A, B)", ("A", "B")),
        ("(range 1 .. 4)", range(1, 5)),
        ("(range 4 .. 1)", range(4, 2)),
        ("(+ 1 2 3)", 6),
        ("(- 3 5)", -2),
        ("(// (- 0 7) 2)", -3),
        ("(% (- 0 7) 2)", -1),
        ("(mod 7 2)", 1),
        ("(^ 2 10)", 1024),
        ("(tri 4)", 10),
        ("(fib 7)", 13),
        ("(size (A, B, C))", 3),
        ("(size (range 1 .. 4))", 4),
        ("(== 1 2)", False),
        ("(!= A B)", True),
        ("(and (< 1 2) (not (> 1 2)))", True),
        ("(or (== 1 2) (>= 2 2))", True),
    ],
)
def test_what_is_known_before_the_game_has_a_value(text: str, value: Constant) -> None:
    """Numbers, names, lists, ranges and what is computed from them."""
    assert constant(node(text)) == value


@pytest.mark.parametrize(
    "text",
    ["player", "(size player)", "(game sto X)", "(random 3)", "(// 1 0)", "(^ 2 63)", "(fib 94)"],
)
def test_what_a_game_decides_is_no_constant(text: str) -> None:
    """Players, stored values and chance are not known; what overflows has no value."""
    with pytest.raises(NotConstantError):
        constant(node(text))


@given(CONSTANTS)
def test_a_constant_becomes_a_node_and_back(value: Constant) -> None:
    """The node that stands for a constant has its value, and fits in its place."""
    found = constant(node_of(value, Span(0, 1)))
    assert type(found) is type(value)
    assert list(found) == list(value) if isinstance(value, range) else found == value
    assert mismatch(value, found) is None


def test_a_constant_is_used_in_the_rest_of_the_game() -> None:
    """In later constants, in the set-up and in the items."""
    declare = "(declare 2 'N) (declare (* 'N 2) 'ALL) (declare BLUE 'BACK)"
    setup = "(create players 'ALL) (create deck 'BACK (game iloc STOCK) (deck (RANK (A))))"
    result = checked("(do ((inc (game sto X) 'N)))", setup=setup, declare=declare)
    assert errors(result) == []
    assert result.program is not None
    assert result.program.players == 4
    assert result.program.cards[0].back == "BLUE"
    assert [declared.value for declared in result.program.declared] == [2, 4, "BLUE"]


def test_a_constant_has_a_kind() -> None:
    """A declared name is no number, and a declared list no name."""
    assert errors(checked("(do ((inc (game sto X) 'N)))", declare="(declare A 'N)")) == ["E301"]
    assert errors(checked("(do ((set (game str X) 'N)))", declare="(declare (A, B) 'N)")) == [
        "E301"
    ]


def test_a_location_of_the_table_may_be_declared() -> None:
    """It is a name for the location, and has no value to change."""
    declare = "(declare (game vloc PILE) 'PILE)"
    result = checked("(do ((shuffle 'PILE)))", declare=declare)
    assert errors(result) == []
    assert result.program is not None
    assert result.program.declared[0].default is None
